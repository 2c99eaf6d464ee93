"""Orders of everything that may become possible in a turn: listing, playing and changing them.

Playing an order walks it and skips what is not legal at that moment, so every order makes a legal turn.
"""

from __future__ import annotations

from typing import Any

from tactician.contract import calls
from tactician.contract.random import below
from tactician.native.caching import inlined
from tactician.native.memory import address
from tactician.planners import genome
from tactician.planners.work import apply, copy_state, list_at, state_at, turn_goes_on

MUTATIONS = {"swap": 0, "insert": 1, "shuffle": 2}
"""How an order changes: two places exchanged, one moved elsewhere, or all shuffled."""


@inlined
def list_order(w: Any, order: Any, player: Any) -> Any:
    """Write what may become possible to row 0, without what would just end the turn; how many. A win stays."""
    root, trial = state_at(w, genome.ROOT), state_at(w, genome.TRIAL)
    n = calls.possible_actions(w.table, w.g, root, player, list_at(w, genome.OPTIONS))
    kept = 0
    for i in range(n):
        action = w.actions[genome.OPTIONS, i]
        if genome.is_legal(w, root, action):
            copy_state(w, trial, root)
            apply(w, trial, action)
            if not turn_goes_on(w, trial, player) and not _is_won(w, trial, player):
                continue
        order[0, kept] = action
        kept += 1
    if kept == 0:
        for i in range(n):
            order[0, i] = w.actions[genome.OPTIONS, i]
        kept = n
    return kept


@inlined
def _is_won(w: Any, s: Any, player: Any) -> Any:
    """Whether the game is over and nothing could be better."""
    if calls.is_over(w.table, w.g, s) == 0:
        return False
    calls.returns(w.table, w.g, s, address(w.values))
    return w.values[player] >= 1.0


@inlined
def shuffle(w: Any, order: Any, row: Any, n: Any) -> None:
    """Any order is as likely as any other."""
    for i in range(n - 1, 0, -1):
        j = below(w.rng, i + 1)
        order[row, i], order[row, j] = order[row, j], order[row, i]


@inlined
def two_places(w: Any, n: Any) -> Any:
    """Two different places of an order."""
    a = below(w.rng, n)
    b = below(w.rng, n - 1)
    return a, b + int(b >= a)


@inlined
def move(order: Any, row: Any, a: Any, b: Any) -> None:
    """Take what is at one place to another; what lies between moves up."""
    moved = order[row, a]
    step = 1 if b > a else -1
    for i in range(a, b, step):
        order[row, i] = order[row, i + step]
    order[row, b] = moved


@inlined
def play_order(w: Any, order: Any, row: Any, n: Any, turns: Any, turn: Any, player: Any) -> Any:
    """Walk an order, skip what is not legal, end the turn; its length. What can't be ended is completed by rating."""
    now = genome.begin_turn(w)
    length = 0
    for i in range(n):
        if length == turns.shape[1] or not turn_goes_on(w, now, player):
            break
        if genome.is_legal(w, now, order[row, i]):
            turns[turn, length] = order[row, i]
            apply(w, now, order[row, i])
            length += 1
    return genome.finish_turn(w, now, player, turns, turn, length, True)
