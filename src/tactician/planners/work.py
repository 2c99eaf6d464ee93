"""What every kernel works with: the game's table, scratch memory, the random stream, and counters.

`Work` is a tuple of arrays and numbers that kernels take as one argument. All of it is allocated once, when a planner
is put on a game; kernels allocate nothing.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from tactician.contract import calls
from tactician.contract.game import Game
from tactician.contract.random import WORDS as STREAM_WORDS
from tactician.contract.random import below
from tactician.native.caching import inlined
from tactician.native.memory import address, copy_bytes
from tactician.planners import outcomes

# The counters, by position. The limits stand beside what they limit.
EVALUATIONS, EVALUATION_LIMIT, ITERATIONS, ITERATION_LIMIT = 0, 1, 2, 3
SEQUENCES, UNIQUE, CANDIDATES, LISTS = 4, 5, 6, 7
LEAVES, DEPTH_SUM, DEPTH_MAX, NODES = 8, 9, 10, 11
HITS, COMPLETED, CUT, FAILED = 12, 13, 14, 15
COUNTERS = 16
NO_LIMIT = 2**62


class Work(NamedTuple):
    """One planner's hold on one game."""

    table: Any
    """Addresses of the rules."""
    g: Any
    """Address of the planner's own configuration."""
    bytes_each: Any
    """Size of a state, in whole words."""
    players: Any
    zero_sum: Any
    low: Any
    """The value range of the game."""
    high: Any
    prune: Any
    """Whether candidates are considered rather than all legal actions."""
    actions: Any
    """Scratch lists of actions, a row each, with slack behind `max_actions`."""
    ratings: Any
    values: Any
    """One number for each player."""
    states: Any
    """Scratch states, a row each."""
    rng: Any
    count: Any
    memo: Any
    """What Greedy Action chose in states it has been asked about (a key table's slots)."""


def make_work(game: Game, prune: bool, memo: Any, states: int = 4, lists: int = 3) -> tuple[Work, NDArray[np.uint64]]:
    """Allocate the memory for a planner on a game; the second part is the configuration, which must be kept alive."""
    config = game.config_words()
    low, high = game.value_range
    words = -(-game.state_bytes // 8)
    room = 4 * game.max_actions + 4096
    return (
        Work(
            table=game.table.addresses,
            g=config.ctypes.data,
            bytes_each=8 * words,
            players=game.players,
            zero_sum=int(game.zero_sum and game.players == 2),
            low=low,
            high=high,
            prune=int(prune),
            actions=np.zeros((lists, room), np.int32),
            ratings=np.zeros(room),
            values=np.zeros(game.players),
            states=np.zeros((states, words), np.uint64),
            rng=np.zeros(STREAM_WORDS, np.uint64),
            count=np.zeros(COUNTERS, np.int64),
            memo=memo,
        ),
        config,
    )


@inlined
def state_at(w: Any, row: Any) -> Any:
    """The address of a scratch state."""
    return address(w.states) + row * w.bytes_each


@inlined
def copy_state(w: Any, target: Any, source: Any) -> None:
    """Copy a state between two addresses."""
    copy_bytes(target, source, w.bytes_each)


@inlined
def list_at(w: Any, row: Any) -> Any:
    """The address of a scratch list of actions."""
    return address(w.actions) + row * w.actions.shape[1] * 4


@inlined
def list_candidates(w: Any, s: Any, row: Any) -> Any:
    """Fill a scratch list with what is considered in a state, return how many; counts the branching."""
    player = calls.current_player(w.table, w.g, s)
    if w.prune != 0:
        n = calls.candidate_actions(w.table, w.g, s, player, list_at(w, row), address(w.rng))
    else:
        n = calls.legal_actions(w.table, w.g, s, player, list_at(w, row))
    if n > 1:
        # Where there is no choice there is nothing to branch.
        w.count[CANDIDATES] += n
        w.count[LISTS] += 1
    return n


@inlined
def apply(w: Any, s: Any, action: Any) -> None:
    """Take an action in a state, with the search's own chance."""
    calls.apply(w.table, w.g, s, action, address(w.rng))


@inlined
def turn_goes_on(w: Any, s: Any, player: Any) -> Any:
    """Whether it is still the player's turn."""
    return (
        calls.is_over(w.table, w.g, s) == 0
        and calls.current_player(w.table, w.g, s) == player
        and calls.error(w.g) == 0
    )


@inlined
def may_go_on(w: Any) -> Any:
    """Whether the budget allows another iteration with at least one evaluation, and nothing has failed."""
    return w.count[ITERATIONS] < w.count[ITERATION_LIMIT] and may_evaluate(w)


@inlined
def share_spent(w: Any, clock: Any) -> Any:
    """How much of the budget is gone, from 0 to 1; `clock` says it of a time budget."""
    if w.count[ITERATION_LIMIT] != NO_LIMIT:
        return w.count[ITERATIONS] / w.count[ITERATION_LIMIT]
    if w.count[EVALUATION_LIMIT] != NO_LIMIT:
        return w.count[EVALUATIONS] / w.count[EVALUATION_LIMIT]
    return clock


@inlined
def key_of(w: Any, s: Any) -> Any:
    """64 bits that identify a state."""
    return calls.key(w.table, w.g, s, w.bytes_each // 8)


@inlined
def count_outcome(w: Any, seen: Any, s: Any) -> None:
    """Count a finished turn, and the state it ended in if that is new."""
    w.count[SEQUENCES] += 1
    if outcomes.insert(seen, key_of(w, s), 0) == outcomes.MISSING:
        w.count[UNIQUE] += 1


@inlined
def may_evaluate(w: Any) -> Any:
    """Whether the budget allows one more evaluation; after a failure or Ctrl-C, nothing is worth one."""
    return w.count[EVALUATIONS] < w.count[EVALUATION_LIMIT] and calls.error(w.g) == 0


@inlined
def judge(w: Any, s: Any, player: Any) -> Any:
    """A player's value of a state: the evaluation, or the result on the same scale once the game is over.

    Everybody's are left in `w.values`. Where a rule failed, nothing is worse.
    """
    w.count[EVALUATIONS] += 1
    if calls.is_over(w.table, w.g, s) != 0:
        calls.returns(w.table, w.g, s, address(w.values))
        for i in range(w.players):
            w.values[i] = w.low + (w.values[i] + 1.0) * 0.5 * (w.high - w.low)
    else:
        calls.evaluate(w.table, w.g, s, address(w.values))
    return w.values[player] if calls.error(w.g) == 0 else -np.inf


@inlined
def best_action(w: Any, s: Any, player: Any, row: Any, n: Any, trial: Any) -> Any:
    """Greedy Action: the listed action with the best evaluation right after it, ties at random; -1 if the budget ends.

    `trial` is the address of a state to try actions in.
    """
    if n == 1:
        return np.int64(w.actions[row, 0])
    best, best_value, ties = np.int64(-1), -np.inf, 0
    for i in range(n):
        if not may_evaluate(w):
            return np.int64(-1)
        copy_state(w, trial, s)
        apply(w, trial, w.actions[row, i])
        value = judge(w, trial, player)
        if value > best_value:
            best, best_value, ties = np.int64(w.actions[row, i]), value, 1
        elif value == best_value:
            ties += 1
            if below(w.rng, ties) == 0:
                best = np.int64(w.actions[row, i])
    return best


@inlined
def best_rated(w: Any, s: Any, row: Any, n: Any) -> Any:
    """The listed action with the best rating, the first of equals: a policy that uses it is deterministic."""
    if n == 1:
        return np.int64(w.actions[row, 0])
    calls.rate_actions(w.table, w.g, s, list_at(w, row), n, address(w.ratings), w.ratings)
    best = 0
    for i in range(1, n):
        if w.ratings[i] > w.ratings[best]:
            best = i
    return np.int64(w.actions[row, best])
