"""What Greedy Action may choose in the states it has been asked about: all the best actions, so that ties stay open.

Turns that differ in their beginning keep coming to the same states, and there the best actions are the same. A state
with one best action keeps it in the table itself; one with several keeps the place of their list. Which of them is
taken is drawn anew each time.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from tactician.contract.random import below
from tactician.native.caching import inlined
from tactician.native.memory import Address, int64
from tactician.native.rows import Row, Rows, make_rows
from tactician.planners import outcomes
from tactician.planners.greedy import best_actions
from tactician.planners.outcomes import KeySlots, KeyTable
from tactician.planners.work import NO_ACTION, OPTIONS, Work, key_of, list_candidates

MAX_CHOICES = 1 << 18
"""States that are remembered."""
TIED_ACTIONS = 16 * MAX_CHOICES
"""Room for the lists of tied actions; memory is taken only as it is used."""
_IS_LIST = 1 << 31
"""Added to a value of the table that is the place of a list; actions are smaller."""


class _Filled(Row):
    """How much of the room for lists is taken."""

    numbers: int
    """Numbers written to it."""


class Choices(NamedTuple):
    """The remembered choices, as kernels see them."""

    states: KeySlots
    """By the state's key: the only best action, or the place of the list of the best ones."""
    tied: NDArray[np.int32]
    """[room] lists one behind the other: the number of actions, then the actions."""
    filled: Rows[_Filled]
    """[1] how much of `tied` is taken."""


class ChoiceMemory:
    """The memory of one search; it grows between slices."""

    def __init__(self, states: int = MAX_CHOICES, tied_actions: int = TIED_ACTIONS) -> None:
        self._table = KeyTable(states)
        self._tied = np.zeros(tied_actions, np.int32)
        self._filled = make_rows(_Filled)

    @property
    def choices(self) -> Choices:
        """For kernels; ask again after the memory has grown."""
        return Choices(self._table.keys, self._tied, self._filled)

    def empty(self) -> None:
        """Forget all choices."""
        self._table.empty()
        self._filled[0].numbers = 0

    def grow_if_crowded(self) -> None:
        """Make room for more states if half of the room is taken. Cheap to ask."""
        self._table.grow_if_crowded()


@inlined
def greedy_action(work: Work, s: Address, player: int, choices: Choices) -> int:
    """Greedy Action's choice in a state, ties broken at random; NO_ACTION if the budget ends."""
    key = key_of(work, s)
    known = outcomes.find(choices.states, key)
    if known >= _IS_LIST:
        place = known - _IS_LIST
        return int64(choices.tied[place + 1 + below(work.rng, int64(choices.tied[place]))])
    if known >= 0:
        return known
    n = best_actions(work, s, player, list_candidates(work, s, OPTIONS))
    if n == 0:
        return int64(NO_ACTION)
    _remember(work, choices, key, n)
    return int64(work.actions[OPTIONS, below(work.rng, n) if n > 1 else 0])


@inlined
def _remember(work: Work, choices: Choices, key: np.uint64, n: int) -> None:
    """Keep the first n OPTIONS as the best actions of a state, if there is room for them."""
    if n == 1:
        outcomes.insert(choices.states, key, int64(work.actions[OPTIONS, 0]))
        return
    place = choices.filled[0].numbers
    if place + 1 + n > len(choices.tied) or outcomes.insert(choices.states, key, _IS_LIST + place) == outcomes.FULL:
        return
    choices.tied[place] = n
    for i in range(n):
        choices.tied[place + 1 + i] = work.actions[OPTIONS, i]
    choices.filled[0].numbers = place + 1 + n
