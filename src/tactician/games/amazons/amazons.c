/* amazons.c: the Game of the Amazons in C, the third of three ways to write a game.
 *
 * The structs are the NumPy records of records.py, field by field. Build it into a shared library with
 *     cc -O2 -shared -fPIC -I<folder of tactician.h> amazons.c -o amazons.so
 */
#include "tactician.h"

enum { CHOOSE, MOVE, SHOOT, NOBODY = -1 };

typedef struct { int64_t error, width, queens; double weights[2]; } Config;
typedef struct { uint64_t taken[4]; uint8_t queens[2][4]; int8_t player, phase; int16_t chosen; } State;

TACTICIAN_GAME(Config, State)

/* Return how many squares in a direction are free before the first that is not. */
static int64_t free_run(const Config *g, const State *s, int64_t square, int64_t down, int64_t right) {
    int64_t row = square / g->width, column = square % g->width, n = 0;
    if (!down && !right) return 0;
    for (;; n++) {
        row += down, column += right;
        if (row < 0 || row >= g->width || column < 0 || column >= g->width) return n;
        int64_t at = row * g->width + column;
        if (s->taken[at / 64] >> at % 64 & 1) return n;
    }
}

/* Count the free squares in line with a square and those beside it; write the former to `out` unless it is null. */
static int64_t reach(const Config *g, const State *s, int64_t square, int64_t *beside, int32_t *out) {
    int64_t n = 0;
    for (int64_t down = -1; down <= 1; down++)
        for (int64_t right = -1; right <= 1; right++) {
            int64_t run = free_run(g, s, square, down, right);
            if (run && beside) ++*beside;
            for (int64_t step = 1; step <= run; step++, n++)
                if (out) out[n] = (int32_t)(square + step * (down * g->width + right));
        }
    return n;
}

static int64_t movable_queens(const Config *g, const State *s, int32_t *out) {
    int64_t n = 0;
    for (int64_t i = 0; i < g->queens; i++)
        if (reach(g, s, s->queens[s->player][i], 0, 0)) {
            if (out) out[n] = s->queens[s->player][i];
            n++;
        }
    return n;
}

/* Move one of the player's queens and keep the squares sorted. */
static void move_queen(const Config *g, uint8_t *queens, int64_t origin, int64_t target) {
    int64_t i = 0;
    while (queens[i] != origin) i++;
    for (; i > 0 && queens[i - 1] > target; i--) queens[i] = queens[i - 1];
    for (; i < g->queens - 1 && queens[i + 1] < target; i++) queens[i] = queens[i + 1];
    queens[i] = (uint8_t)target;
}

int64_t tactician_legal_actions(const void *g, const void *s, int64_t player, int32_t *out) {
    (void)player;
    const State *state = s;
    return state->phase == CHOOSE ? movable_queens(g, s, out) : reach(g, s, state->chosen, 0, out);
}

void tactician_apply(const void *g, void *state, int64_t action, uint64_t *rng) {
    (void)rng;
    State *s = state;
    if (s->phase != CHOOSE) s->taken[action / 64] |= 1ull << action % 64;
    if (s->phase == MOVE) {
        s->taken[s->chosen / 64] &= ~(1ull << s->chosen % 64);
        move_queen(g, s->queens[s->player], s->chosen, action);
    }
    if (s->phase == SHOOT) s->player = 1 - s->player;
    s->chosen = s->phase == SHOOT ? NOBODY : (int16_t)action;
    s->phase = (s->phase + 1) % 3;
}

int64_t tactician_current_player(const void *g, const void *s) { return (void)g, ((const State *)s)->player; }

int64_t tactician_is_over(const void *g, const void *s) {
    return ((const State *)s)->phase == CHOOSE && movable_queens(g, s, 0) == 0;
}

void tactician_returns(const void *g, const void *s, double *out) {
    int64_t loser = tactician_current_player(g, s);
    out[loser] = -1, out[1 - loser] = 1;
}

void tactician_evaluate(const void *config, const void *state, double *out) {
    const Config *g = config;
    const State *s = state;
    int64_t reachable[2] = {0}, beside[2] = {0};
    for (int player = 0; player < 2; player++)
        for (int64_t i = 0; i < g->queens; i++)
            reachable[player] += reach(g, s, s->queens[player][i], &beside[player], 0);
    out[0] = g->weights[0] * (reachable[0] - reachable[1]) + g->weights[1] * (beside[0] - beside[1]);
    out[1] = -out[0];
}
