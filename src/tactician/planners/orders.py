"""Orders of everything that may become possible in a turn: listing, playing and changing them.

Playing an order walks it and skips what is not legal at that moment, so every order makes a legal turn.
"""

from __future__ import annotations

from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from tactician.contract import calls
from tactician.contract.random import below
from tactician.native.caching import inlined
from tactician.native.memory import Address, address, int64
from tactician.planners.genome import Turns, finish_turn
from tactician.planners.work import (
    OPTIONS,
    ROOT,
    TRIAL,
    Work,
    apply,
    copy_state,
    from_root,
    is_legal,
    list_at,
    state_at,
    turn_continues,
)

Orders: TypeAlias = NDArray[np.int32]
"""[orders, max_actions] actions in the order in which they are tried."""

SWAP, INSERT, SHUFFLE = range(3)
MUTATIONS = {"swap": SWAP, "insert": INSERT, "shuffle": SHUFFLE}
"""How an order changes: two places exchanged, one moved elsewhere, or all shuffled."""


@inlined
def list_order(work: Work, orders: Orders, row: int, player: int) -> int:
    """Write what may become possible to a row, except actions that only end the turn; returns how many.

    An action that wins the game stays. If nothing is left, the row holds everything.
    """
    root, trial = state_at(work, ROOT), state_at(work, TRIAL)
    n = calls.possible_actions(work.table, work.g, root, player, list_at(work, OPTIONS))
    kept = 0
    for i in range(n):
        action = int64(work.actions[OPTIONS, i])
        if is_legal(work, root, action):
            copy_state(work, trial, root)
            apply(work, trial, action)
            if not turn_continues(work, trial, player) and not _is_won(work, trial, player):
                continue
        orders[row, kept] = action
        kept += 1
    if kept == 0:
        for i in range(n):
            orders[row, i] = work.actions[OPTIONS, i]
        kept = n
    return kept


@inlined
def _is_won(work: Work, s: Address, player: int) -> bool:
    """Whether the game is over with the best possible result for a player."""
    if calls.is_over(work.table, work.g, s) == 0:
        return False
    calls.returns(work.table, work.g, s, address(work.values))
    return work.values[player] >= 1.0


@inlined
def shuffle(work: Work, orders: Orders, row: int, n: int) -> None:
    """Put the first n actions of a row into random order."""
    for i in range(n - 1, 0, -1):
        j = below(work.rng, i + 1)
        orders[row, i], orders[row, j] = orders[row, j], orders[row, i]


@inlined
def two_places(work: Work, n: int) -> tuple[int, int]:
    """Two different places of an order."""
    a = below(work.rng, n)
    b = below(work.rng, n - 1)
    return a, b + int(b >= a)


@inlined
def move(orders: Orders, row: int, a: int, b: int) -> None:
    """Move an action from one place to another; what lies between moves up."""
    moved = orders[row, a]
    step = 1 if b > a else -1
    for i in range(a, b, step):
        orders[row, i] = orders[row, i + step]
    orders[row, b] = moved


@inlined
def play_order(work: Work, orders: Orders, row: int, n: int, turns: Turns, turn: int, player: int) -> int:
    """Walk an order, skip what is not legal, and end the turn; returns its length. Ratings complete it if need be."""
    now = from_root(work)
    length = 0
    for i in range(n):
        if length == turns.genes.shape[1] or not turn_continues(work, now, player):
            break
        action = int64(orders[row, i])
        if is_legal(work, now, action):
            turns.genes[turn, length] = action
            apply(work, now, action)
            length += 1
    return finish_turn(work, turns, turn, now, length, player, True)
