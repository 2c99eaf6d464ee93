"""OEP 1+1 on orders: for games whose turns have no fixed number of actions.

The genome is an order of everything that may become possible this turn. Playing it walks the order and skips what is
not legal at that moment; mutation changes the order; the child replaces its parent if it is not worse.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, ClassVar, Literal, NamedTuple

import numpy as np
from numpy.typing import NDArray

from tactician.contract.game import Game
from tactician.native.caching import inlined, kernel
from tactician.native.memory import borrowed
from tactician.planners import genome, orders, outcomes
from tactician.planners.base import Planner, Search
from tactician.planners.work import (
    ITERATIONS,
    SEQUENCES,
    count_outcome,
    judge,
    may_evaluate,
    may_go_on,
    state_at,
)
from tactician.seats.budget import Budget

MAX_OUTCOMES = 1 << 17


@dataclass(frozen=True, kw_only=True)
class PermutationOEP(Planner):
    """(1+1) evolution of the order in which everything possible is tried."""

    name: ClassVar[str] = "permutation-oep"
    paper: ClassVar[str] = "Montoliu et al. 2020, section 3.2"

    mutation: Literal["swap", "insert", "shuffle"] = "swap"
    """How an order changes: two places exchanged, one moved elsewhere, or all shuffled. The paper leaves it open."""
    start: Literal["random", "listed"] = "random"
    """The first order: any, or the one in which the game lists what is possible."""

    def __post_init__(self) -> None:
        super().__post_init__()
        self._require(self.mutation in orders.MUTATIONS, "mutation", "'swap', 'insert' or 'shuffle'")
        self._require(self.start in ("random", "listed"), "start", "'random' or 'listed'")

    def search(self, game: Game) -> Search:
        """A search with room for two orders."""
        return _OrderSearch(game, self)


@dataclass(frozen=True, kw_only=True)
class NoAI(Planner):
    """Plays everything possible in the order in which the game lists it, without any judgement."""

    name: ClassVar[str] = "no-ai"
    paper: ClassVar[str] = "Montoliu et al. 2020, section 5"

    def search(self, game: Game) -> Search:
        """One order is all there is."""
        return _OneOrder(game, shuffled=False)


@dataclass(frozen=True, kw_only=True)
class RandomOrder(Planner):
    """Plays everything possible in a random order: the card game's Random, which never stops while it can act."""

    name: ClassVar[str] = "random-order"
    paper: ClassVar[str] = "Montoliu et al. 2020, section 5"

    def search(self, game: Game) -> Search:
        """One order is all there is."""
        return _OneOrder(game, shuffled=True)


class _Orders(NamedTuple):
    """The parent's order and the child's, the turns they make, and what those are worth."""

    order: Any
    size: Any
    """How long the orders are, and whether the parent has been judged."""
    turns: Any
    lengths: Any
    value: Any


class _OrderSearch(Search):
    """The running search."""

    def __init__(self, game: Game, planner: PermutationOEP) -> None:
        super().__init__(game, planner.prune, states=4)
        self._mutation = orders.MUTATIONS[planner.mutation]
        self._shuffled = planner.start == "random"
        self._orders = _two_orders(game)
        self._seen = outcomes.KeyTable(MAX_OUTCOMES)

    def begin(self, root: NDArray[np.uint64], player: int, random: NDArray[np.uint64], budget: Budget) -> None:
        """Start from some order of the possible actions."""
        super().begin(root, player, random, budget)
        self._seen.empty()
        _begin(self.work, self._orders, player, self._shuffled)

    def _advance(self, units: int) -> bool:
        """Value so many orders."""
        self._seen.grow_if_crowded()
        return bool(_search(self.work, self._orders, self._seen.keys, self.player, self._mutation, units))

    def best(self) -> tuple[list[int], float | None]:
        """The parent's turn."""
        o = self._orders
        value = float(o.value[0])
        return o.turns[0, : o.lengths[0]].tolist(), value if np.isfinite(value) else None


class _OneOrder(Search):
    """Plays one order and is done; no budget is too small for it."""

    def __init__(self, game: Game, shuffled: bool) -> None:
        super().__init__(game, prune=True)
        self._shuffled = shuffled
        self._orders = _two_orders(game)

    def begin(self, root: NDArray[np.uint64], player: int, random: NDArray[np.uint64], budget: Budget) -> None:
        """The whole turn at once."""
        super().begin(root, player, random, budget)
        _begin(self.work, self._orders, player, self._shuffled)
        self.count[ITERATIONS] = self.count[SEQUENCES] = 1

    def _advance(self, units: int) -> bool:
        return False

    def best(self) -> tuple[list[int], float | None]:
        """The turn, and no opinion of it."""
        return self._orders.turns[0, : self._orders.lengths[0]].tolist(), None


def _two_orders(game: Game) -> _Orders:
    return _Orders(
        order=np.zeros((2, game.max_actions), np.int32),
        size=np.zeros(2, np.int64),
        turns=np.zeros((2, game.max_turn), np.int32),
        lengths=np.zeros(2, np.int64),
        value=np.zeros(2),
    )


@kernel
def _begin(w: Any, o: Any, player: Any, shuffled: Any) -> None:
    """List what may become possible, and play it in that order or in any."""
    w, o = borrowed(w), borrowed(o)
    n = orders.list_order(w, o.order, player)
    if shuffled:
        orders.shuffle(w, o.order, 0, n)
    o.size[0], o.size[1] = n, 0
    o.value[0] = -np.inf
    o.lengths[0] = orders.play_order(w, o.order, 0, n, o.turns, 0, player)


@kernel
def _search(w: Any, o: Any, seen: Any, player: Any, mutation: Any, units: Any) -> Any:
    """Value `units` orders; 0 once a limit is reached or there is nothing to reorder."""
    w, o, seen = borrowed(w), borrowed(o), borrowed(seen)
    for _ in range(units):
        if not may_go_on(w):
            return 0
        if outcomes.is_crowded(seen):
            return 1
        row = 0 if o.size[1] == 0 else 1
        if row == 1:
            if o.size[0] < 2:
                return 0
            _mutate(w, o, mutation)
        length = orders.play_order(w, o.order, row, o.size[0], o.turns, row, player)
        if not may_evaluate(w):
            return 0
        o.lengths[row] = length
        now = state_at(w, genome.NOW)
        count_outcome(w, seen, now)
        o.value[row] = judge(w, now, player)
        w.count[ITERATIONS] += 1
        o.size[1] = 1
        if row == 1 and o.value[1] >= o.value[0]:
            o.value[0] = o.value[1]
            o.lengths[0] = o.lengths[1]
            o.turns[0, :] = o.turns[1, :]
            o.order[0, : o.size[0]] = o.order[1, : o.size[0]]
    return 1


@inlined
def _mutate(w: Any, o: Any, mutation: Any) -> None:
    """Write a changed copy of the parent's order to the child's row."""
    n = o.size[0]
    for i in range(n):
        o.order[1, i] = o.order[0, i]
    if mutation == 2:
        orders.shuffle(w, o.order, 1, n)
        return
    a, b = orders.two_places(w, n)
    if mutation == 0:
        o.order[1, a], o.order[1, b] = o.order[1, b], o.order[1, a]
    else:
        orders.move(o.order, 1, a, b)
