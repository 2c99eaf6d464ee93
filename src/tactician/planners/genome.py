"""Turns as genomes: making, crossing, mutating and repairing sequences of actions that are always legal when done.

A genome is a row of `genes` (action codes) and an entry of `lengths`. Every operator replays the turn from the root
on a scratch state, so each gene is checked where it will be played. Operators return the length of the finished turn,
or -1 if the evaluation budget ended while a greedy repair was being looked for; the state they leave behind is the
one after the turn.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numba import njit

from tactician.contract import calls
from tactician.contract.random import below
from tactician.planners import outcomes
from tactician.planners.work import (
    COMPLETED,
    apply,
    best_action,
    best_rated,
    copy_state,
    key_of,
    list_at,
    list_candidates,
    state_at,
    turn_goes_on,
)

ROOT, NOW, TRIAL = 0, 1, 2
"""Scratch states: where the turn begins, where it stands, where single actions are tried."""
OPTIONS, OTHER, PLACES = 0, 1, 2
"""Scratch lists: what may follow, room for a legality check, and the places of a turn."""
OUT_OF_BUDGET = -1


@njit
def begin_turn(w: Any) -> Any:
    """Put the scratch state to the root and return its address."""
    now = state_at(w, NOW)
    copy_state(w, now, state_at(w, ROOT))
    return now


@njit
def is_legal(w: Any, s: Any, action: Any) -> Any:
    """Whether an action is legal in a state."""
    return calls.is_legal(w.table, w.g, s, action, list_at(w, OTHER)) != 0


@njit
def any_action(w: Any, s: Any, player: Any, greedy: Any) -> Any:
    """An action to go on with: a random candidate, or the one Greedy Action would take; -1 if the budget ends."""
    if not greedy:
        n = list_candidates(w, s, OPTIONS)
        return np.int64(w.actions[OPTIONS, below(w.rng, n)])
    # Turns that differ in their beginning keep coming to the same states, and there the answer is the same.
    key = key_of(w, s)
    action = outcomes.find(w.memo, key)
    if action < 0:
        n = list_candidates(w, s, OPTIONS)
        action = best_action(w, s, player, OPTIONS, n, state_at(w, TRIAL))
        if action >= 0:
            outcomes.insert(w.memo, key, action)
    return action


@njit
def new_turn(w: Any, player: Any, genes: Any, row: Any, greedy: Any) -> Any:
    """A fresh turn: random, or Greedy Action's. Nothing of an old one is there to be kept."""
    return repair_tail(w, begin_turn(w), player, genes, row, row, 0, 0, greedy)


@njit
def finish_turn(w: Any, s: Any, player: Any, genes: Any, row: Any, i: Any, waste: Any) -> Any:
    """Complete a turn from position i by rating; with `waste` end it at once where that is possible. Counts choices."""
    while i < genes.shape[1] and turn_goes_on(w, s, player):
        action = end_action(w, s, player) if waste else np.int64(-1)
        if action < 0:
            n = list_candidates(w, s, OPTIONS)
            action = best_rated(w, s, OPTIONS, n)
            w.count[COMPLETED] += int(n > 1)  # what is forced is no decision that a search has missed
        genes[row, i] = action
        apply(w, s, action)
        i += 1
    return i


@njit
def end_action(w: Any, s: Any, player: Any) -> Any:
    """A legal action that ends the turn, or -1."""
    trial = state_at(w, TRIAL)
    n = calls.legal_actions(w.table, w.g, s, player, list_at(w, OTHER))
    for i in range(n - 1, -1, -1):
        copy_state(w, trial, s)
        apply(w, trial, w.actions[OTHER, i])
        if not turn_goes_on(w, trial, player):
            return np.int64(w.actions[OTHER, i])
    return np.int64(-1)


@njit
def replay(w: Any, genes: Any, row: Any, length: Any) -> Any:
    """Play the first genes of a turn from the root; returns the address of the state."""
    now = begin_turn(w)
    for i in range(length):
        apply(w, now, genes[row, i])
    return now


@njit
def repair_tail(
    w: Any, s: Any, player: Any, genes: Any, row: Any, source: Any, i: Any, length: Any, greedy: Any
) -> Any:
    """Go on from position i with the genes of row `source` while they are legal, anything else where not."""
    while i < genes.shape[1] and turn_goes_on(w, s, player):
        action = np.int64(genes[source, i]) if i < length else np.int64(-1)
        if i >= length or not is_legal(w, s, action):
            action = any_action(w, s, player, greedy)
            if action < 0:
                return OUT_OF_BUDGET
        genes[row, i] = action
        apply(w, s, action)
        i += 1
    return i


@njit
def crossover(
    w: Any, player: Any, genes: Any, lengths: Any, a: Any, b: Any, child: Any, both_next: Any, greedy: Any
) -> Any:
    """Uniform crossover of two turns, gene by gene from a random parent if that is legal there.

    Else the other parent's gene, else the *next* gene of the first (of both with `both_next`, as the reference does),
    else any action. The child may be neither of its parents.
    """
    now = begin_turn(w)
    i = 0
    while i < genes.shape[1] and turn_goes_on(w, now, player):
        first, second = (a, b) if below(w.rng, 2) == 0 else (b, a)
        action = _gene(w, now, genes, lengths, first, i)
        if action < 0:
            action = _gene(w, now, genes, lengths, second, i)
        if action < 0:
            action = _next_gene(w, now, genes, lengths, first, i)
        if action < 0 and both_next:
            action = _next_gene(w, now, genes, lengths, second, i)
        if action < 0:
            action = any_action(w, now, player, greedy)
            if action < 0:
                return OUT_OF_BUDGET
        genes[child, i] = action
        apply(w, now, action)
        i += 1
    return i


@njit
def _gene(w: Any, s: Any, genes: Any, lengths: Any, row: Any, i: Any) -> Any:
    """A parent's gene if it is there and legal, else -1."""
    if i < lengths[row] and is_legal(w, s, genes[row, i]):
        return np.int64(genes[row, i])
    return np.int64(-1)


@njit
def _next_gene(w: Any, s: Any, genes: Any, lengths: Any, row: Any, i: Any) -> Any:
    """A parent's next gene if it is legal already, else -1; never its last one, which would end the turn too soon."""
    return _gene(w, s, genes, lengths, row, i + 1) if i + 2 < lengths[row] else np.int64(-1)


@njit
def mutate(w: Any, player: Any, genes: Any, row: Any, length: Any, anywhere: Any, greedy: Any) -> Any:
    """Exchange one gene of a turn for another candidate and repair what became illegal after it.

    The place is uniform over the genes that have an alternative; with `anywhere` (as the reference does) over all,
    and a gene without alternative stays.
    """
    for i in range(length):
        w.actions[PLACES, i] = i
    for i in range(length):
        # In random order: a turn's last gene is often forced, and no other should get its share.
        j = i + below(w.rng, length - i)
        place = np.int64(w.actions[PLACES, j])
        w.actions[PLACES, j] = w.actions[PLACES, i]
        now = replay(w, genes, row, place)
        action = other_action(w, now, genes[row, place])
        if action >= 0:
            return exchange(w, player, genes, row, row, place, length, action, greedy)
        if anywhere:
            break
    replay(w, genes, row, length)
    return length


@njit
def other_action(w: Any, s: Any, action: Any) -> Any:
    """A uniformly random candidate that differs from an action; -1 if there is none."""
    n = list_candidates(w, s, OPTIONS)
    others = 0
    for i in range(n):
        others += int(w.actions[OPTIONS, i] != action)
    if others == 0:
        return np.int64(-1)
    chosen = below(w.rng, others)
    for i in range(n):
        if w.actions[OPTIONS, i] != action:
            if chosen == 0:
                return np.int64(w.actions[OPTIONS, i])
            chosen -= 1
    return np.int64(-1)


@njit
def exchange(
    w: Any, player: Any, genes: Any, source: Any, row: Any, place: Any, length: Any, action: Any, greedy: Any
) -> Any:
    """Write to `row` the turn of `source` with another action at a place, its tail repaired."""
    now = begin_turn(w)
    for i in range(place):
        genes[row, i] = genes[source, i]
        apply(w, now, genes[row, i])
    kept = genes[source, place]
    genes[row, place] = action
    apply(w, now, action)
    if source == row and kept == action:
        return length
    return repair_tail(w, now, player, genes, row, source, place + 1, length, greedy)
