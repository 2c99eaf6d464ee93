"""Greedy Action's choice: the action with the best evaluation right after it."""

from __future__ import annotations

import numpy as np

from tactician.contract import calls
from tactician.contract.random import below
from tactician.native.caching import inlined
from tactician.native.memory import Address, address, int64
from tactician.planners.work import (
    NO_ACTION,
    OPTIONS,
    TRIAL,
    Work,
    apply,
    copy_state,
    judge,
    list_at,
    may_evaluate,
    state_at,
)


@inlined
def best_action(work: Work, s: Address, player: int, n: int) -> int:
    """The one of the n OPTIONS of the mover `player` with the best evaluation right after it, ties at random.

    NO_ACTION if the budget ends before all are evaluated.
    """
    if n == 1:
        return int64(work.actions[OPTIONS, 0])
    best, best_value, ties = int64(NO_ACTION), -np.inf, 0
    foreseen = _foresee(work, s, n)
    for i in range(n):
        if not may_evaluate(work):
            return int64(NO_ACTION)
        action = int64(work.actions[OPTIONS, i])
        value = _value_after(work, s, i, player, foreseen)
        if value > best_value:
            best, best_value, ties = action, value, 1
        elif value == best_value:
            ties += 1
            if below(work.rng, ties) == 0:
                best = action
    return best


@inlined
def best_actions(work: Work, s: Address, player: int, n: int) -> int:
    """Leave of the n OPTIONS of the mover `player` only those with the best evaluation right after them; how many.

    0 if the budget ends before all are evaluated.
    """
    if n == 1:
        return n
    best_value, best = -np.inf, int64(0)
    foreseen = _foresee(work, s, n)
    for i in range(n):
        if not may_evaluate(work):
            return int64(0)
        action = work.actions[OPTIONS, i]
        value = _value_after(work, s, i, player, foreseen)
        if value > best_value:
            best_value, best = value, int64(0)
        if value == best_value:
            work.actions[OPTIONS, best] = action
            best += 1
    return best


@inlined
def _foresee(work: Work, s: Address, n: int) -> bool:
    """Whether the game can say what some of the n OPTIONS will be worth to the mover; it is then in `work.ratings`."""
    if not calls.has_evaluate_after(work.table):
        return False
    calls.evaluate_after(work.table, work.g, s, list_at(work, OPTIONS), n, address(work.ratings))
    return True


@inlined
def _value_after(work: Work, s: Address, i: int, player: int, foreseen: bool) -> float:
    """The value to the mover of the state that action i of OPTIONS leads to; what the game can't foresee is tried."""
    if foreseen and np.isfinite(work.ratings[i]):
        work.counters[0].evaluations += 1
        return work.ratings[i]
    trial = state_at(work, TRIAL)
    copy_state(work, trial, s)
    apply(work, trial, int64(work.actions[OPTIONS, i]))
    return judge(work, trial, player)
