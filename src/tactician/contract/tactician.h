/* tactician.h: the C side of the contract between games and planners, ABI version 1.
 *
 * A game is a shared library that exports its rules under the names below. Config and State are structs of plain
 * numbers; the first member of Config is `int64_t error`, which a rule sets to a positive number when it fails. In Python
 * the same structs are described by aligned NumPy dtypes. Put TACTICIAN_GAME(Config, State) once into the source.
 *
 * Required: legal_actions, apply (or apply_joint), current_player, is_over, returns, evaluate.
 * Optional: is_legal, candidate_actions, rate_actions, action_group, possible_actions, key, observe, resample_hidden,
 * digest, policy, random_action, random_candidate, best_candidate, evaluate_after.
 */
#ifndef TACTICIAN_H
#define TACTICIAN_H

#include <stdint.h>

#define TACTICIAN_ABI_VERSION 1
#define TACTICIAN_SIMULTANEOUS (-1)

#if defined(_WIN32)
#define TACTICIAN_EXPORT __declspec(dllexport)
#else
#define TACTICIAN_EXPORT __attribute__((visibility("default")))
#endif

#define TACTICIAN_GAME(Config, State)                                                          \
    TACTICIAN_EXPORT int64_t tactician_abi_version(void) { return TACTICIAN_ABI_VERSION; }     \
    TACTICIAN_EXPORT int64_t tactician_config_bytes(void) { return (int64_t)sizeof(Config); }  \
    TACTICIAN_EXPORT int64_t tactician_state_bytes(void) { return (int64_t)sizeof(State); }

/* Writes int32 action codes to out and returns how many: at least one until the game is over. */
TACTICIAN_EXPORT int64_t tactician_legal_actions(const void *g, const void *s, int64_t player, int32_t *out);
/* Changes s by one player's action; chance is drawn from rng with the functions below. */
TACTICIAN_EXPORT void tactician_apply(const void *g, void *s, int64_t action, uint64_t *rng);
/* Changes s by everybody's actions, one int32 for each player. */
TACTICIAN_EXPORT void tactician_apply_joint(const void *g, void *s, const int32_t *actions, uint64_t *rng);
/* Whose action it is, from 0; TACTICIAN_SIMULTANEOUS where all act. */
TACTICIAN_EXPORT int64_t tactician_current_player(const void *g, const void *s);
TACTICIAN_EXPORT int64_t tactician_is_over(const void *g, const void *s);
/* Write one number for each player: the final rewards in [-1, 1]; the heuristic values. */
TACTICIAN_EXPORT void tactician_returns(const void *g, const void *s, double *out);
TACTICIAN_EXPORT void tactician_evaluate(const void *g, const void *s, double *out);

TACTICIAN_EXPORT int64_t tactician_is_legal(const void *g, const void *s, int64_t action);
TACTICIAN_EXPORT int64_t tactician_candidate_actions(const void *g, const void *s, int64_t player, int32_t *out,
                                                     uint64_t *rng);
TACTICIAN_EXPORT void tactician_rate_actions(const void *g, const void *s, const int32_t *actions, int64_t n,
                                             double *out);
TACTICIAN_EXPORT int64_t tactician_action_group(const void *g, const void *s, int64_t action);
TACTICIAN_EXPORT int64_t tactician_possible_actions(const void *g, const void *s, int64_t player, int32_t *out);
TACTICIAN_EXPORT int64_t tactician_key(const void *g, const void *s);
/* out holds a copy of s: blank what the player can't see. */
TACTICIAN_EXPORT void tactician_observe(const void *g, const void *s, int64_t player, void *out);
TACTICIAN_EXPORT void tactician_resample_hidden(const void *g, void *s, int64_t player, uint64_t *rng);
/* Writes two words that identify the state in a tree that is kept for a whole game. */
TACTICIAN_EXPORT void tactician_digest(const void *g, const void *s, uint64_t *out);
/* The action that the player is expected to take, for planners that are told to expect it. */
TACTICIAN_EXPORT int64_t tactician_policy(const void *g, const void *s, int64_t player, uint64_t *rng);
/* Write entry tactician_below(rng, n) of the list of n legal actions (of the candidates) to out[0] and return n. */
TACTICIAN_EXPORT int64_t tactician_random_action(const void *g, const void *s, int64_t player, int32_t *out,
                                                 uint64_t *rng);
TACTICIAN_EXPORT int64_t tactician_random_candidate(const void *g, const void *s, int64_t player, int32_t *out,
                                                    uint64_t *rng);
/* Writes the best-rated of the n candidates, the first of equals, to out[0] and returns n; 0: make the list. */
TACTICIAN_EXPORT int64_t tactician_best_candidate(const void *g, const void *s, int64_t player, int32_t *out,
                                                  uint64_t *rng);
/* Writes what evaluate gives the player to act after each of n actions; NaN for those that must be tried. */
TACTICIAN_EXPORT void tactician_evaluate_after(const void *g, const void *s, const int32_t *actions, int64_t n,
                                               double *out);

/* The random stream: xoshiro256++ in four words, the same as tactician.contract.random. */
static inline uint64_t tactician_rotate(uint64_t word, int by) { return (word << by) | (word >> (64 - by)); }

static inline uint64_t tactician_next(uint64_t *rng) {
    uint64_t result = tactician_rotate(rng[0] + rng[3], 23) + rng[0], shifted = rng[1] << 17;
    rng[2] ^= rng[0];
    rng[3] ^= rng[1];
    rng[1] ^= rng[2];
    rng[0] ^= rng[3];
    rng[2] ^= shifted;
    rng[3] = tactician_rotate(rng[3], 45);
    return result;
}

/* A uniform integer in 0..n-1, n up to 2^32. */
static inline int64_t tactician_below(uint64_t *rng, int64_t n) {
    return (int64_t)(((tactician_next(rng) >> 32) * (uint64_t)n) >> 32);
}

/* A uniform number in [0, 1). */
static inline double tactician_unit(uint64_t *rng) { return (double)(tactician_next(rng) >> 11) * 0x1.0p-53; }

#endif
