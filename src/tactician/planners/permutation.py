"""OEP 1+1 on orders: for games whose turns have no fixed number of actions.

The genome is an order of everything that may become possible this turn. Playing it walks the order and skips what is
not legal at that moment; mutation changes the order; the child replaces its parent if it is not worse.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar, Literal, NamedTuple

import numpy as np
from numpy.typing import NDArray

from tactician.contract.game import Game
from tactician.native.caching import inlined, kernel
from tactician.native.memory import borrowed
from tactician.native.rows import Row, Rows, make_rows
from tactician.planners.base import Planner, Search
from tactician.planners.genome import Turns, copy_turn, make_turns, turn_list
from tactician.planners.orders import (
    MUTATIONS,
    SHUFFLE,
    SWAP,
    Orders,
    list_order,
    move,
    play_order,
    shuffle,
    two_places,
)
from tactician.planners.outcomes import KeySlots, KeyTable, is_crowded
from tactician.planners.ranking import Ranking, clear_ranking, make_ranking, offer, ranked_turns
from tactician.planners.work import NOW, Work, count_outcome, judge, key_of_outcome, may_evaluate, may_iterate, state_at
from tactician.seats.budget import Budget

MAX_OUTCOMES = 1 << 17
_PARENT, _CHILD = 0, 1
"""The two rows of orders and turns."""


@dataclass(frozen=True, kw_only=True)
class PermutationOEP(Planner):
    """Evolves the order in which all possible actions are tried, by (1+1) evolution."""

    name: ClassVar[str] = "permutation-oep"
    page: ClassVar[str] = "planners/orders.md"
    iteration: ClassVar[str] = "an order that is evaluated"
    paper: ClassVar[str] = "Montoliu et al. 2020, section 3.2"

    mutation: Literal["swap", "insert", "shuffle"] = "swap"
    """How an order is mutated: `swap` two entries, `insert` one elsewhere, or `shuffle` all."""
    start: Literal["random", "listed"] = "random"
    """The first order: `random`, or `listed` as the game lists the possible actions."""

    def __post_init__(self) -> None:
        super().__post_init__()
        self._require(self.mutation in MUTATIONS, "mutation", "'swap', 'insert' or 'shuffle'")
        self._require(self.start in ("random", "listed"), "start", "'random' or 'listed'")

    def search(self, game: Game) -> Search:
        """A search with room for two orders."""
        return _OrderSearch(game, self)


@dataclass(frozen=True, kw_only=True)
class NoAI(Planner):
    """Plays all possible actions in the order in which the game lists them."""

    name: ClassVar[str] = "no-ai"
    page: ClassVar[str] = "planners/orders.md"
    iteration: ClassVar[str] = "the turn"
    paper: ClassVar[str] = "Montoliu et al. 2020, section 5"

    def search(self, game: Game) -> Search:
        """One order is all there is."""
        return _OneOrder(game, shuffled=False)


@dataclass(frozen=True, kw_only=True)
class RandomOrder(Planner):
    """Plays all possible actions in a random order."""

    name: ClassVar[str] = "random-order"
    page: ClassVar[str] = "planners/orders.md"
    iteration: ClassVar[str] = "the turn"
    paper: ClassVar[str] = "Montoliu et al. 2020, section 5"

    def search(self, game: Game) -> Search:
        """One order is all there is."""
        return _OneOrder(game, shuffled=True)


class _Cursor(Row):
    """Where the search stands."""

    length: int
    """How many actions the orders have."""
    valued: bool
    """Whether the parent has been valued."""


class _Pair(NamedTuple):
    """A parent and its child: their orders, the turns they make, and what those are worth."""

    orders: Orders
    """[2, max_actions] the orders."""
    turns: Turns
    """[2] the turns they make."""
    value: NDArray[np.float64]
    """[2] what the turns are worth; the parent's is minus infinity until it is valued."""
    cursor: Rows[_Cursor]
    """[1] where the search stands."""
    ranking: Ranking
    """The best turns."""


class _OrderSearch(Search):
    """The running search."""

    def __init__(self, game: Game, planner: PermutationOEP) -> None:
        super().__init__(game, planner.prune)
        self._mutation = MUTATIONS[planner.mutation]
        self._shuffled = planner.start == "random"
        self._pair = _make_pair(game, planner.alternatives)
        self._seen = KeyTable(MAX_OUTCOMES)

    def begin(self, root: NDArray[np.uint64], player: int, random: NDArray[np.uint64], budget: Budget) -> None:
        """Start from some order of the possible actions."""
        super().begin(root, player, random, budget)
        self._seen.empty()
        _begin(self.work, self._pair, player, self._shuffled)

    def advance(self, units: int) -> bool:
        """Value `units` orders."""
        self._seen.grow_if_crowded()
        return _search(self.work, self._pair, self._seen.keys, self.player, self._mutation, units)

    def best(self) -> tuple[list[int], float | None]:
        """The parent's turn."""
        value = float(self._pair.value[_PARENT])
        return turn_list(self._pair.turns, _PARENT), value if np.isfinite(value) else None

    def alternatives(self, most: int) -> list[tuple[list[int], float, int]]:
        """The best different turns that were valued."""
        return ranked_turns(self._pair.ranking, most)


class _OneOrder(Search):
    """Plays one order and is done; no budget is too small for it."""

    def __init__(self, game: Game, shuffled: bool) -> None:
        super().__init__(game, prune=True)
        self._shuffled = shuffled
        self._pair = _make_pair(game, 1)

    def begin(self, root: NDArray[np.uint64], player: int, random: NDArray[np.uint64], budget: Budget) -> None:
        """Make the whole turn at once."""
        super().begin(root, player, random, budget)
        _begin(self.work, self._pair, player, self._shuffled)
        self.counters.iterations = self.counters.sequences = 1

    def advance(self, units: int) -> bool:
        """There is nothing left to do."""
        return False

    def best(self) -> tuple[list[int], float | None]:
        """The turn, which nothing has valued."""
        return turn_list(self._pair.turns, _PARENT), None


def _make_pair(game: Game, alternatives: int) -> _Pair:
    return _Pair(
        orders=np.zeros((2, game.max_actions), np.int32),
        turns=make_turns(2, game.max_turn),
        value=np.zeros(2),
        cursor=make_rows(_Cursor),
        ranking=make_ranking(game.max_turn, alternatives),
    )


@kernel
def _begin(work: Work, pair: _Pair, player: int, shuffled: bool) -> None:
    """List what may become possible, and play it in that order or in a random one."""
    work, pair = borrowed(work), borrowed(pair)
    n = list_order(work, pair.orders, _PARENT, player)
    if shuffled:
        shuffle(work, pair.orders, _PARENT, n)
    cursor = pair.cursor[0]
    cursor.length = n
    cursor.valued = False
    clear_ranking(pair.ranking)
    pair.value[_PARENT] = -np.inf
    length = play_order(work, pair.orders, _PARENT, n, pair.turns, _PARENT, player)
    pair.turns.lengths[_PARENT] = length


@kernel
def _search(work: Work, pair: _Pair, seen: KeySlots, player: int, mutation: int, units: int) -> bool:
    """Value `units` orders; False once a limit is reached or there is nothing to reorder."""
    work, pair, seen = borrowed(work), borrowed(pair), borrowed(seen)
    cursor = pair.cursor[0]
    for _ in range(units):
        if not may_iterate(work):
            return False
        if is_crowded(seen):
            return True
        row = _CHILD if cursor.valued else _PARENT
        if row == _CHILD:
            if cursor.length < 2:
                return False
            _mutate(work, pair, mutation)
        length = play_order(work, pair.orders, row, cursor.length, pair.turns, row, player)
        if not may_evaluate(work):
            return False
        pair.turns.lengths[row] = length
        now = state_at(work, NOW)
        key = key_of_outcome(work, seen, now)
        pair.value[row] = judge(work, now, player)
        count_outcome(work, seen, key)
        offer(pair.ranking, pair.turns, row, length, key, pair.value[row])
        work.counters[0].iterations += 1
        cursor.valued = True
        if row == _CHILD and pair.value[_CHILD] >= pair.value[_PARENT]:
            _replace_parent(pair)
    return True


@inlined
def _replace_parent(pair: _Pair) -> None:
    """The child takes the place of its parent."""
    pair.value[_PARENT] = pair.value[_CHILD]
    copy_turn(pair.turns, _CHILD, _PARENT)
    for i in range(pair.cursor[0].length):
        pair.orders[_PARENT, i] = pair.orders[_CHILD, i]


@inlined
def _mutate(work: Work, pair: _Pair, mutation: int) -> None:
    """Write a changed copy of the parent's order to the child's row."""
    orders, n = pair.orders, pair.cursor[0].length
    for i in range(n):
        orders[_CHILD, i] = orders[_PARENT, i]
    if mutation == SHUFFLE:
        shuffle(work, orders, _CHILD, n)
        return
    a, b = two_places(work, n)
    if mutation == SWAP:
        orders[_CHILD, a], orders[_CHILD, b] = orders[_CHILD, b], orders[_CHILD, a]
    else:
        move(orders, _CHILD, a, b)
