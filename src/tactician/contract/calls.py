"""How kernels call rules: one small function a rule, with the fallback where an optional one is absent.

Every function takes the table of addresses first and the addresses of the configuration and the state after it.
Where a fallback needs the legal list, `scratch` is the address of a buffer for `max_actions` int32.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numba import njit

from tactician.contract import abi
from tactician.contract.memory import ask2, ask3, ask4, ask5, do3, do4, do5, load_i32, load_i64, load_u64

_LEGAL_ACTIONS, _APPLY, _APPLY_JOINT = abi.LEGAL_ACTIONS, abi.APPLY, abi.APPLY_JOINT
_CURRENT_PLAYER, _IS_OVER, _RETURNS, _EVALUATE = abi.CURRENT_PLAYER, abi.IS_OVER, abi.RETURNS, abi.EVALUATE
_IS_LEGAL, _CANDIDATES, _RATE, _GROUP = abi.IS_LEGAL, abi.CANDIDATE_ACTIONS, abi.RATE_ACTIONS, abi.ACTION_GROUP
_POSSIBLE, _KEY, _OBSERVE, _RESAMPLE = abi.POSSIBLE_ACTIONS, abi.KEY, abi.OBSERVE, abi.RESAMPLE_HIDDEN
_DIGEST = abi.DIGEST
_C1, _C2 = np.uint64(0x9E3779B97F4A7C15), np.uint64(0xD6E8FEB86659FD93)
_C3, _C4 = np.uint64(0xA0761D6478BD642F), np.uint64(0xE7037ED1A0B428DB)


@njit(inline="always")
def error(g: Any) -> Any:
    """The error cell: not 0 once a rule has failed."""
    return load_i64(g, 0)


@njit
def legal_actions(table: Any, g: Any, s: Any, player: Any, out: Any) -> Any:
    """Write the legal actions to `out`, return how many."""
    return ask4(table[_LEGAL_ACTIONS], g, s, player, out)


@njit
def apply(table: Any, g: Any, s: Any, action: Any, rng: Any) -> None:
    """Change the state by one action."""
    do4(table[_APPLY], g, s, np.int64(action), rng)


@njit
def apply_joint(table: Any, g: Any, s: Any, actions: Any, rng: Any) -> None:
    """Change the state by everybody's actions, an int32 for each player at `actions`."""
    do4(table[_APPLY_JOINT], g, s, actions, rng)


@njit
def current_player(table: Any, g: Any, s: Any) -> Any:
    """Whose action it is, or SIMULTANEOUS."""
    return ask2(table[_CURRENT_PLAYER], g, s)


@njit
def is_over(table: Any, g: Any, s: Any) -> Any:
    """Not 0 once the game has ended."""
    return ask2(table[_IS_OVER], g, s)


@njit
def returns(table: Any, g: Any, s: Any, out: Any) -> None:
    """Write the players' final rewards to `out`."""
    do3(table[_RETURNS], g, s, out)


@njit
def evaluate(table: Any, g: Any, s: Any, out: Any) -> None:
    """Write the players' heuristic values to `out`."""
    do3(table[_EVALUATE], g, s, out)


@njit
def is_legal(table: Any, g: Any, s: Any, action: Any, scratch: Any) -> Any:
    """Whether an action of the current player is legal; without the rule, the list is searched."""
    if table[_IS_LEGAL] != 0:
        return ask3(table[_IS_LEGAL], g, s, np.int64(action))
    player = ask2(table[_CURRENT_PLAYER], g, s)
    return contains(scratch, ask4(table[_LEGAL_ACTIONS], g, s, player, scratch), action)


@njit
def contains(actions: Any, n: Any, action: Any) -> Any:
    """1 if one of n int32 at an address equals the action, else 0."""
    for i in range(n):
        if load_i32(actions, i) == action:
            return np.int64(1)
    return np.int64(0)


@njit
def candidate_actions(table: Any, g: Any, s: Any, player: Any, out: Any, rng: Any) -> Any:
    """Write what planners consider to `out`; without the rule, the legal list."""
    if table[_CANDIDATES] != 0:
        return ask5(table[_CANDIDATES], g, s, player, out, rng)
    return ask4(table[_LEGAL_ACTIONS], g, s, player, out)


@njit
def rate_actions(table: Any, g: Any, s: Any, actions: Any, n: Any, out: Any, ratings: Any) -> None:
    """Write a rating for each action to `out`, the address of the array `ratings`; without the rule, all 0."""
    if table[_RATE] != 0:
        do5(table[_RATE], g, s, actions, n, out)
    else:
        ratings[:n] = 0.0


@njit
def action_group(table: Any, g: Any, s: Any, action: Any) -> Any:
    """The unit or card an action belongs to; without the rule, all are in group 0."""
    if table[_GROUP] != 0:
        return ask3(table[_GROUP], g, s, np.int64(action))
    return np.int64(0)


@njit
def possible_actions(table: Any, g: Any, s: Any, player: Any, out: Any) -> Any:
    """Write every action that may become legal this turn to `out`; without the rule, the legal list."""
    if table[_POSSIBLE] != 0:
        return ask4(table[_POSSIBLE], g, s, player, out)
    return ask4(table[_LEGAL_ACTIONS], g, s, player, out)


@njit
def key(table: Any, g: Any, s: Any, words: Any) -> Any:
    """64 bits that identify the state; without the rule, a hash over its `words` 64-bit words."""
    if table[_KEY] != 0:
        return np.uint64(ask2(table[_KEY], g, s))
    return hash_words(s, words)


@njit
def hash_words(s: Any, words: Any) -> Any:
    """A 64-bit hash of some words at an address; in four strands, as each multiplication waits for the last."""
    a, b, c, d = _C1, _C2, _C3, _C4
    i = 0
    while i + 3 < words:
        a = _mixed(a, load_u64(s, i))
        b = _mixed(b, load_u64(s, i + 1))
        c = _mixed(c, load_u64(s, i + 2))
        d = _mixed(d, load_u64(s, i + 3))
        i += 4
    while i < words:
        a = _mixed(a, load_u64(s, i))
        i += 1
    return _mixed(_mixed(_mixed(a, b), c), d)


@njit(inline="always")
def _mixed(h: Any, word: Any) -> Any:
    h = (h ^ word) * _C2
    return h ^ (h >> np.uint64(32))


@njit
def digest(table: Any, g: Any, s: Any, words: Any, out: Any, pair: Any) -> None:
    """Write 128 bits that identify the state to `out`, the address of the array `pair`.

    Without the rule they come from `key`, if the game has one, else from all words of the state.
    """
    if table[_DIGEST] != 0:
        do3(table[_DIGEST], g, s, out)
    elif table[_KEY] != 0:
        pair[0] = np.uint64(ask2(table[_KEY], g, s))
        pair[1] = _mixed(_C1, pair[0])
    else:
        pair[0], pair[1] = hash_pair(s, words)


@njit
def hash_pair(s: Any, words: Any) -> Any:
    """Two independent 64-bit hashes of some words at an address."""
    a, b, c, d = _C1, _C2, _C3, _C4
    i = 0
    while i + 1 < words:
        one, other = load_u64(s, i), load_u64(s, i + 1)
        a, b = _mixed(a, one), _mixed(b, other)
        c, d = _mixed(c, other), _mixed(d, one)
        i += 2
    if i < words:
        a, c = _mixed(a, load_u64(s, i)), _mixed(c, load_u64(s, i))
    return _mixed(a, b), _mixed(c, d)


@njit
def observe(table: Any, g: Any, s: Any, player: Any, out: Any) -> None:
    """Blank in `out`, which holds a copy of s, what the player can't see; without the rule, nothing is hidden."""
    if table[_OBSERVE] != 0:
        do4(table[_OBSERVE], g, s, player, out)


@njit
def resample_hidden(table: Any, g: Any, s: Any, player: Any, rng: Any) -> None:
    """Fill what the player can't see with a guess that fits; without the rule, nothing is hidden."""
    if table[_RESAMPLE] != 0:
        do4(table[_RESAMPLE], g, s, player, rng)
