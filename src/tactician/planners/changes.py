"""Changes of a turn that keep the rest of it: exchange, insert, remove or move one action.

The actions behind the change stay in their order as far as they are legal; what is missing at the end is made up. So a
turn keeps its parts when one of them moves, which it doesn't where genes have fixed places. The states that the turn
passes are kept, so that a change late in the turn costs little.
"""

from __future__ import annotations

from typing import NamedTuple

from tactician.contract.random import below, unit
from tactician.native.caching import inlined
from tactician.native.memory import Address, int64
from tactician.planners.genome import OUT_OF_BUDGET, Repair, Turns, any_action
from tactician.planners.work import (
    NO_ACTION,
    SHARED_STATES,
    Work,
    apply,
    copy_state,
    is_legal,
    random_for,
    state_at,
    turn_continues,
)

CURRENT, CHANGED, BEST = 0, 1, 2
"""The rows of the turns: the one that is changed, what it was changed to, and the best so far."""
TURNS = 3
STACKS = 2
"""Turns whose states are kept: the current one and the changed one."""
NOWHERE = -1
_EXCHANGE, _INSERT, _REMOVE = 0.4, 0.7, 0.8
"""Below the first number a change exchanges an action, below the second it inserts one, below the third it removes
one; else it moves one."""


class Change(NamedTuple):
    """What is done to the current turn."""

    start: int
    """The first place that differs."""
    left_out: int
    """The place of the action that is left out, or NOWHERE."""
    insertion: int
    """The place before which an action is put in, or NOWHERE ..."""
    action: int
    """... and that action."""


@inlined
def state_before(work: Work, turns: Turns, row: int, place: int) -> Address:
    """The state before an action of the current or the changed turn; after its last action, the state at its end."""
    return state_at(work, SHARED_STATES + row * (turns.genes.shape[1] + 1) + place)


@inlined
def random_change(work: Work, turns: Turns, player: int) -> Change:
    """Any change of the current turn; its last action, which ends it, is left alone if there is another."""
    places = max(int64(1), int64(turns.lengths[CURRENT]) - 1)
    place, kind = below(work.rng, places), unit(work.rng)
    if kind < _INSERT:
        here = state_before(work, turns, CURRENT, place)
        action = random_for(work, here, player)
        if kind >= _EXCHANGE:
            return Change(place, int64(NOWHERE), place, action)
        if action == turns.genes[CURRENT, place]:
            action = random_for(work, here, player)
        return Change(place, place, place, action)
    if kind < _REMOVE:
        return Change(place, place, int64(NOWHERE), int64(NO_ACTION))
    target = below(work.rng, places)
    return Change(min(place, target), place, target, int64(turns.genes[CURRENT, place]))


@inlined
def carry_out(work: Work, turns: Turns, repair: Repair, player: int, change: Change) -> int:
    """Write the changed turn and its states; returns its length, or OUT_OF_BUDGET."""
    for i in range(change.start):
        turns.genes[CHANGED, i] = turns.genes[CURRENT, i]
    copy_state(work, state_before(work, turns, CHANGED, change.start), state_before(work, turns, CURRENT, change.start))
    length, last = change.start, int64(turns.lengths[CURRENT]) - 1
    for i in range(change.start, last + 1):
        if i == change.insertion:
            length = _add_if_legal(work, turns, length, change.action, player)
        # The last action ends the turn: it must not do so earlier than before.
        if i != change.left_out and (i < last or length >= last):
            length = _add_if_legal(work, turns, length, int64(turns.genes[CURRENT, i]), player)
    while _is_open(work, turns, length, player):
        action = any_action(work, state_before(work, turns, CHANGED, length), player, repair)
        if action < 0:
            return OUT_OF_BUDGET
        length = _add(work, turns, length, action)
    return length


@inlined
def accept(work: Work, turns: Turns, start: int, length: int) -> None:
    """Make the changed turn, which differs from place `start` on, the current one."""
    for i in range(start, length):
        turns.genes[CURRENT, i] = turns.genes[CHANGED, i]
        copy_state(work, state_before(work, turns, CURRENT, i + 1), state_before(work, turns, CHANGED, i + 1))
    turns.lengths[CURRENT] = length


@inlined
def _is_open(work: Work, turns: Turns, length: int, player: int) -> bool:
    """Whether the changed turn has not ended after `length` actions."""
    return length < turns.genes.shape[1] and turn_continues(work, state_before(work, turns, CHANGED, length), player)


@inlined
def _add_if_legal(work: Work, turns: Turns, length: int, action: int, player: int) -> int:
    """Add an action to the changed turn if it is legal there; returns the new length."""
    if _is_open(work, turns, length, player) and is_legal(work, state_before(work, turns, CHANGED, length), action):
        return _add(work, turns, length, action)
    return length


@inlined
def _add(work: Work, turns: Turns, length: int, action: int) -> int:
    """Add an action to the changed turn; returns the new length."""
    here, there = state_before(work, turns, CHANGED, length), state_before(work, turns, CHANGED, length + 1)
    turns.genes[CHANGED, length] = action
    copy_state(work, there, here)
    apply(work, there, action)
    return length + 1
