"""Turns as genomes: making, crossing, mutating and repairing sequences of actions that are always legal when done.

Every operator replays the turn from the root in the scratch state NOW, so that each gene is checked where it will be
played. Operators return the length of the finished turn, or OUT_OF_BUDGET if the evaluation budget ended during a
greedy repair; NOW is then the state after the turn.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from tactician.contract.random import below
from tactician.native.caching import inlined
from tactician.native.memory import Address, int64
from tactician.planners.choices import Choices, greedy_action
from tactician.planners.work import (
    LEGAL,
    NO_ACTION,
    OPTIONS,
    PLACES,
    TRIAL,
    Work,
    apply,
    best_rated,
    copy_state,
    from_root,
    is_legal,
    list_candidates,
    list_legal,
    random_for,
    state_at,
    turn_continues,
)

OUT_OF_BUDGET = -1


class Turns(NamedTuple):
    """Room for whole turns, a row each."""

    genes: NDArray[np.int32]
    """[turns, max_turn] the actions of each turn."""
    lengths: NDArray[np.int64]
    """[turns] how many actions each turn has."""


class Repair(NamedTuple):
    """What takes the place of a gene that is not legal."""

    greedy: bool
    """Greedy Action's choice; False: a random candidate."""
    choices: Choices
    """The best actions of states that Greedy Action has been asked about."""


def survivors_of(population: int, kill_rate: float) -> int:
    """How many genomes a generation leaves alive: at least one, and never all."""
    return min(population - 1, max(1, population - round(population * kill_rate)))


def make_turns(turns: int, max_turn: int) -> Turns:
    """Room for `turns` turns of at most `max_turn` actions."""
    return Turns(np.zeros((turns, max_turn), np.int32), np.zeros(turns, np.int64))


def turn_list(turns: Turns, row: int) -> list[int]:
    """A turn as Python sees it."""
    return turns.genes[row, : turns.lengths[row]].tolist()


@inlined
def copy_turn(turns: Turns, source: int, target: int) -> None:
    """Copy a turn to another row."""
    turns.lengths[target] = turns.lengths[source]
    for i in range(turns.lengths[source]):
        turns.genes[target, i] = turns.genes[source, i]


@inlined
def any_action(work: Work, s: Address, player: int, repair: Repair) -> int:
    """An action to continue with: a random candidate or Greedy Action's choice; NO_ACTION if the budget ends."""
    if repair.greedy:
        return greedy_action(work, s, player, repair.choices)
    return random_for(work, s, player)


@inlined
def new_turn(work: Work, turns: Turns, row: int, player: int, repair: Repair) -> int:
    """A fresh turn: all of it is what `repair` puts into empty places."""
    return repair_tail(work, turns, row, row, from_root(work), 0, 0, player, repair)


@inlined
def finish_turn(work: Work, turns: Turns, row: int, s: Address, i: int, player: int, end: bool) -> int:
    """Complete a turn from position i by rating and return its length; with `end`, end it at once where possible.

    Counts the choices that ratings made.
    """
    while i < turns.genes.shape[1] and turn_continues(work, s, player):
        action = end_action(work, s, player) if end else int64(NO_ACTION)
        if action < 0:
            n = list_candidates(work, s, OPTIONS)
            action = best_rated(work, s, n)
            work.counters[0].completed += int64(n > 1)  # a forced action is not a decision that the search missed
        turns.genes[row, i] = action
        apply(work, s, action)
        i += 1
    return i


@inlined
def end_action(work: Work, s: Address, player: int) -> int:
    """A legal action that ends the turn, or NO_ACTION."""
    trial = state_at(work, TRIAL)
    n = list_legal(work, s, player, LEGAL)
    for i in range(n - 1, -1, -1):
        action = int64(work.actions[LEGAL, i])
        copy_state(work, trial, s)
        apply(work, trial, action)
        if not turn_continues(work, trial, player):
            return action
    return int64(NO_ACTION)


@inlined
def replay(work: Work, turns: Turns, row: int, length: int) -> Address:
    """Play the first `length` genes of a turn from the root; returns the address of the state."""
    now = from_root(work)
    for i in range(length):
        apply(work, now, int64(turns.genes[row, i]))
    return now


@inlined
def repair_tail(
    work: Work, turns: Turns, source: int, row: int, s: Address, i: int, length: int, player: int, repair: Repair
) -> int:
    """Continue the turn `row` from position i with the genes of `source`, and repair what is not legal.

    `length` is the length of `source`; what follows after its last gene is made up as well.
    """
    while i < turns.genes.shape[1] and turn_continues(work, s, player):
        action = int64(turns.genes[source, i]) if i < length else int64(NO_ACTION)
        if i >= length or not is_legal(work, s, action):
            action = any_action(work, s, player, repair)
            if action < 0:
                return OUT_OF_BUDGET
        turns.genes[row, i] = action
        apply(work, s, action)
        i += 1
    return i


@inlined
def crossover(
    work: Work, turns: Turns, a: int, b: int, child: int, player: int, both_next: bool, repair: Repair
) -> int:
    """Uniform crossover of two turns, gene by gene from a random parent if that is legal there.

    Else the other parent's gene, else the *next* gene of the first (of both with `both_next`, as the reference does),
    else a repair. The child's row must not be one of its parents'.
    """
    now = from_root(work)
    i = 0
    while i < turns.genes.shape[1] and turn_continues(work, now, player):
        first, second = (a, b) if below(work.rng, 2) == 0 else (b, a)
        action = _gene(work, turns, first, now, i)
        if action < 0:
            action = _gene(work, turns, second, now, i)
        if action < 0:
            action = _next_gene(work, turns, first, now, i)
        if action < 0 and both_next:
            action = _next_gene(work, turns, second, now, i)
        if action < 0:
            action = any_action(work, now, player, repair)
            if action < 0:
                return OUT_OF_BUDGET
        turns.genes[child, i] = action
        apply(work, now, action)
        i += 1
    return i


@inlined
def _gene(work: Work, turns: Turns, row: int, s: Address, i: int) -> int:
    """A parent's gene if there is one and it is legal, else NO_ACTION."""
    if i < turns.lengths[row] and is_legal(work, s, int64(turns.genes[row, i])):
        return int64(turns.genes[row, i])
    return int64(NO_ACTION)


@inlined
def _next_gene(work: Work, turns: Turns, row: int, s: Address, i: int) -> int:
    """A parent's next gene if it is legal already, else NO_ACTION; never its last, which would end the turn early."""
    return _gene(work, turns, row, s, i + 1) if i + 2 < turns.lengths[row] else int64(NO_ACTION)


@inlined
def mutate(work: Work, turns: Turns, row: int, length: int, player: int, anywhere: bool, repair: Repair) -> int:
    """Exchange one gene of a turn for another candidate and repair what became illegal after it.

    The place is uniform over the genes that have an alternative; with `anywhere` (as the reference does) over all,
    and a gene without alternative stays.
    """
    for i in range(length):
        work.actions[PLACES, i] = i
    for i in range(length):
        # In random order: a turn's last gene is often forced, and no other should get its share.
        j = i + below(work.rng, length - i)
        place = int64(work.actions[PLACES, j])
        work.actions[PLACES, j] = work.actions[PLACES, i]
        now = replay(work, turns, row, place)
        action = other_action(work, now, int64(turns.genes[row, place]))
        if action >= 0:
            return exchange(work, turns, row, row, place, length, action, player, repair)
        if anywhere:
            break
    replay(work, turns, row, length)
    return length


@inlined
def other_action(work: Work, s: Address, action: int) -> int:
    """A uniformly random candidate that differs from an action; NO_ACTION if there is none."""
    n = list_candidates(work, s, OPTIONS)
    others = 0
    for i in range(n):
        others += int(work.actions[OPTIONS, i] != action)
    if others == 0:
        return int64(NO_ACTION)
    chosen = below(work.rng, others)
    for i in range(n):
        if work.actions[OPTIONS, i] != action:
            if chosen == 0:
                return int64(work.actions[OPTIONS, i])
            chosen -= 1
    return int64(NO_ACTION)


@inlined
def exchange(
    work: Work,
    turns: Turns,
    source: int,
    row: int,
    place: int,
    length: int,
    action: int,
    player: int,
    repair: Repair,
) -> int:
    """Write to `row` the turn `source` with another action at a place, its tail repaired."""
    now = from_root(work)
    for i in range(place):
        turns.genes[row, i] = turns.genes[source, i]
        apply(work, now, int64(turns.genes[row, i]))
    return exchange_here(work, turns, source, row, now, place, length, action, player, repair)


@inlined
def exchange_here(
    work: Work,
    turns: Turns,
    source: int,
    row: int,
    now: Address,
    place: int,
    length: int,
    action: int,
    player: int,
    repair: Repair,
) -> int:
    """The same from the state before that place on; the genes before it are in `row` already."""
    kept = turns.genes[source, place]
    turns.genes[row, place] = action
    apply(work, now, action)
    if source == row and kept == action:
        return length
    return repair_tail(work, turns, source, row, now, place + 1, length, player, repair)
