"""How kernels call rules: one small function a rule, with the fallback where an optional one is absent.

Every function takes the table of addresses first and the addresses of the configuration and the state after it."""

from __future__ import annotations

from typing import TypeAlias

import numpy as np
from numba import njit
from numpy.typing import NDArray

from tactician.contract.random import below
from tactician.native import abi
from tactician.native.hashing import SEED_1, hash_pair, hash_words, mixed
from tactician.native.linked import linked_raw
from tactician.native.memory import (
    Address,
    address,
    ask2,
    ask3,
    ask4,
    ask5,
    do3,
    do4,
    do5,
    int64,
    load_i32,
    load_i64,
)

_LEGAL_ACTIONS, _APPLY, _APPLY_JOINT = abi.LEGAL_ACTIONS, abi.APPLY, abi.APPLY_JOINT
_CURRENT_PLAYER, _IS_OVER, _RETURNS, _EVALUATE = abi.CURRENT_PLAYER, abi.IS_OVER, abi.RETURNS, abi.EVALUATE
_IS_LEGAL, _CANDIDATES, _RATE, _GROUP = abi.IS_LEGAL, abi.CANDIDATE_ACTIONS, abi.RATE_ACTIONS, abi.ACTION_GROUP
_POSSIBLE, _KEY, _OBSERVE, _RESAMPLE = abi.POSSIBLE_ACTIONS, abi.KEY, abi.OBSERVE, abi.RESAMPLE_HIDDEN
_DIGEST, _POLICY, _RANDOM, _AFTER = abi.DIGEST, abi.POLICY, abi.RANDOM_ACTION, abi.EVALUATE_AFTER

Addresses: TypeAlias = NDArray[np.int64]
"""A game's rules: [rules] the address of each, 0 where an optional one is absent."""


def list_room(max_actions: int) -> int:
    """How long a list must be that rules write to: with slack, so that too many actions are reported, not fatal."""
    return 4 * max_actions + 4096


@njit(inline="always")
def error(g: Address) -> int:
    """The error cell: not 0 once a rule has failed."""
    return load_i64(g, 0)


@linked_raw
def legal_actions(table: Addresses, g: Address, s: Address, player: int, out: Address) -> int:
    """Write the legal actions to `out`, return how many."""
    return ask4(table[_LEGAL_ACTIONS], g, s, player, out)


@linked_raw
def apply(table: Addresses, g: Address, s: Address, action: int, rng: Address) -> None:
    """Change the state by one action."""
    do4(table[_APPLY], g, s, int64(action), rng)


@linked_raw
def apply_joint(table: Addresses, g: Address, s: Address, actions: Address, rng: Address) -> None:
    """Change the state by everybody's actions, an int32 for each player at `actions`."""
    do4(table[_APPLY_JOINT], g, s, actions, rng)


@linked_raw
def current_player(table: Addresses, g: Address, s: Address) -> int:
    """Whose action it is, or SIMULTANEOUS."""
    return ask2(table[_CURRENT_PLAYER], g, s)


@linked_raw
def is_over(table: Addresses, g: Address, s: Address) -> int:
    """Not 0 once the game has ended."""
    return ask2(table[_IS_OVER], g, s)


@linked_raw
def returns(table: Addresses, g: Address, s: Address, out: Address) -> None:
    """Write the players' final rewards to `out`."""
    do3(table[_RETURNS], g, s, out)


@linked_raw
def evaluate(table: Addresses, g: Address, s: Address, out: Address) -> None:
    """Write the players' heuristic values to `out`."""
    do3(table[_EVALUATE], g, s, out)


@njit(inline="always")
def has_is_legal(table: Addresses) -> bool:
    """Whether the game has the rule `is_legal`; without it the legal list is to be searched."""
    return table[_IS_LEGAL] != 0


@linked_raw
def is_legal(table: Addresses, g: Address, s: Address, action: int) -> int:
    """Whether an action of the current player is legal, in a game with this rule."""
    return ask3(table[_IS_LEGAL], g, s, int64(action))


@linked_raw
def contains(actions: Address, n: int, action: int) -> int:
    """1 if one of n int32 at an address equals the action, else 0."""
    for i in range(n):
        if load_i32(actions, i) == action:
            return int64(1)
    return int64(0)


@linked_raw
def candidate_actions(table: Addresses, g: Address, s: Address, player: int, out: Address, rng: Address) -> int:
    """Write what planners consider to `out`; without the rule, the legal list."""
    if table[_CANDIDATES] != 0:
        return ask5(table[_CANDIDATES], g, s, player, out, rng)
    return ask4(table[_LEGAL_ACTIONS], g, s, player, out)


@linked_raw
def random_action(table: Addresses, g: Address, s: Address, player: int, out: Address, rng: NDArray[np.uint64]) -> int:
    """A uniformly random legal action; without the rule, an entry of the legal list. `out` is room for that list.

    For loops over rules that are known to be right: the number of actions is not checked.
    """
    if table[_RANDOM] != 0:
        ask5(table[_RANDOM], g, s, player, out, address(rng))
        return int64(load_i32(out, 0))
    return int64(load_i32(out, below(rng, ask4(table[_LEGAL_ACTIONS], g, s, player, out))))


@linked_raw
def rate_actions(
    table: Addresses, g: Address, s: Address, actions: Address, n: int, out: Address, ratings: NDArray[np.float64]
) -> None:
    """Write a rating for each action to `out`, the address of the array `ratings`; without the rule, all 0."""
    if table[_RATE] != 0:
        do5(table[_RATE], g, s, actions, n, out)
    else:
        ratings[:n] = 0.0


@njit(inline="always")
def has_evaluate_after(table: Addresses) -> bool:
    """Whether the game has the rule `evaluate_after`; without it actions are tried."""
    return table[_AFTER] != 0


@linked_raw
def evaluate_after(table: Addresses, g: Address, s: Address, actions: Address, n: int, out: Address) -> None:
    """Write the mover's value after each of n actions to `out`, NaN where it is not known, in a game with this rule."""
    do5(table[_AFTER], g, s, actions, n, out)


@linked_raw
def action_group(table: Addresses, g: Address, s: Address, action: int) -> int:
    """The unit or card an action belongs to; without the rule, all are in group 0."""
    if table[_GROUP] != 0:
        return ask3(table[_GROUP], g, s, int64(action))
    return int64(0)


@linked_raw
def possible_actions(table: Addresses, g: Address, s: Address, player: int, out: Address) -> int:
    """Write every action that may become legal this turn to `out`; without the rule, the legal list."""
    if table[_POSSIBLE] != 0:
        return ask4(table[_POSSIBLE], g, s, player, out)
    return ask4(table[_LEGAL_ACTIONS], g, s, player, out)


@linked_raw
def key(table: Addresses, g: Address, s: Address, words: int) -> np.uint64:
    """64 bits that identify the state; without the rule, a hash over its `words` 64-bit words."""
    if table[_KEY] != 0:
        return np.uint64(ask2(table[_KEY], g, s))
    return hash_words(s, words)


@linked_raw
def digest(table: Addresses, g: Address, s: Address, words: int, out: Address, pair: NDArray[np.uint64]) -> None:
    """Write 128 bits that identify the state to `out`, the address of the array `pair`.

    Without the rule they come from `key`, if the game has one, else from all words of the state.
    """
    if table[_DIGEST] != 0:
        do3(table[_DIGEST], g, s, out)
    elif table[_KEY] != 0:
        pair[0] = np.uint64(ask2(table[_KEY], g, s))
        pair[1] = mixed(SEED_1, pair[0])
    else:
        pair[0], pair[1] = hash_pair(s, words)


@linked_raw
def observe(table: Addresses, g: Address, s: Address, player: int, out: Address) -> None:
    """Blank in `out`, which holds a copy of s, what the player can't see; without the rule, nothing is hidden."""
    if table[_OBSERVE] != 0:
        do4(table[_OBSERVE], g, s, player, out)


@linked_raw
def resample_hidden(table: Addresses, g: Address, s: Address, player: int, rng: Address) -> None:
    """Fill what the player can't see with a guess that fits; without the rule, nothing is hidden."""
    if table[_RESAMPLE] != 0:
        do4(table[_RESAMPLE], g, s, player, rng)


@linked_raw
def policy(table: Addresses, g: Address, s: Address, player: int, rng: Address) -> int:
    """The action that a player is expected to take; only where the game has that rule."""
    return ask4(table[_POLICY], g, s, player, rng)
