"""OEP 1+1 on orders: for games whose turns have no fixed number of actions.

The genome is an order of everything that may become possible this turn. Playing it walks the order and skips what is
not legal at that moment; mutation changes the order; the child replaces its parent if it is not worse.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, ClassVar, Literal, NamedTuple

import numpy as np
from numpy.typing import NDArray

from tactician.contract import calls
from tactician.contract.budget import Budget
from tactician.contract.caching import inlined, kernel
from tactician.contract.game import Game
from tactician.contract.memory import borrowed
from tactician.contract.random import below
from tactician.planners import genome, outcomes
from tactician.planners.base import Planner, Search
from tactician.planners.work import (
    ITERATIONS,
    apply,
    copy_state,
    count_outcome,
    judge,
    list_at,
    may_evaluate,
    may_go_on,
    state_at,
    turn_goes_on,
)

MAX_OUTCOMES = 1 << 17
_MUTATIONS = {"swap": 0, "insert": 1, "shuffle": 2}


@dataclass(frozen=True, kw_only=True)
class PermutationOEP(Planner):
    """(1+1) evolution of the order in which everything possible is tried."""

    name: ClassVar[str] = "permutation-oep"
    paper: ClassVar[str] = "Montoliu et al. 2020, section 3.2"

    mutation: Literal["swap", "insert", "shuffle"] = "swap"
    """How an order changes: two places exchanged, one moved elsewhere, or all shuffled. The paper leaves it open."""

    def __post_init__(self) -> None:
        super().__post_init__()
        self._require(self.mutation in _MUTATIONS, "mutation", "'swap', 'insert' or 'shuffle'")

    def search(self, game: Game) -> Search:
        """A search with room for two orders."""
        return _OrderSearch(game, self)


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
        self._mutation = _MUTATIONS[planner.mutation]
        self._orders = _Orders(
            order=np.zeros((2, game.max_actions), np.int32),
            size=np.zeros(2, np.int64),
            turns=np.zeros((2, game.max_turn), np.int32),
            lengths=np.zeros(2, np.int64),
            value=np.zeros(2),
        )
        self._seen = outcomes.KeyTable(MAX_OUTCOMES)

    def begin(self, root: NDArray[np.uint64], player: int, random: NDArray[np.uint64], budget: Budget) -> None:
        """Start from the order in which the game lists its possible actions."""
        super().begin(root, player, random, budget)
        self._seen.empty()
        _begin(self.work, self._orders, player)

    def _advance(self, units: int) -> bool:
        """Value so many orders."""
        self._seen.grow_if_crowded()
        return bool(_search(self.work, self._orders, self._seen.slots, self.player, self._mutation, units))

    def best(self) -> tuple[list[int], float | None]:
        """The parent's turn."""
        o = self._orders
        value = float(o.value[0])
        return o.turns[0, : o.lengths[0]].tolist(), value if np.isfinite(value) else None


@kernel
def _begin(w: Any, o: Any, player: Any) -> None:
    """List what may become possible, without what would just end the turn."""
    w, o = borrowed(w), borrowed(o)
    root, trial = state_at(w, genome.ROOT), state_at(w, genome.TRIAL)
    n = calls.possible_actions(w.table, w.g, root, player, list_at(w, genome.OPTIONS))
    kept = 0
    for i in range(n):
        action = w.actions[genome.OPTIONS, i]
        if genome.is_legal(w, root, action):
            copy_state(w, trial, root)
            apply(w, trial, action)
            if not turn_goes_on(w, trial, player):
                continue
        o.order[0, kept] = action
        kept += 1
    if kept == 0:
        for i in range(n):
            o.order[0, i] = w.actions[genome.OPTIONS, i]
        kept = n
    o.size[0], o.size[1] = kept, 0
    o.value[0] = -np.inf
    o.lengths[0] = _play(w, o, 0, player)


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
        length = _play(w, o, row, player)
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
    a = below(w.rng, n)
    b = below(w.rng, n - 1)
    b += int(b >= a)
    if mutation == 0:
        o.order[1, a], o.order[1, b] = o.order[1, b], o.order[1, a]
    elif mutation == 1:
        moved = o.order[1, a]
        step = 1 if b > a else -1
        for i in range(a, b, step):
            o.order[1, i] = o.order[1, i + step]
        o.order[1, b] = moved
    else:
        for i in range(n - 1, 0, -1):
            j = below(w.rng, i + 1)
            o.order[1, i], o.order[1, j] = o.order[1, j], o.order[1, i]


@inlined
def _play(w: Any, o: Any, row: Any, player: Any) -> Any:
    """Walk an order, skip what is not legal, end the turn; what can't be ended is completed by rating."""
    now = genome.begin_turn(w)
    length = 0
    for i in range(o.size[0]):
        if length == o.turns.shape[1] or not turn_goes_on(w, now, player):
            break
        if genome.is_legal(w, now, o.order[row, i]):
            o.turns[row, length] = o.order[row, i]
            apply(w, now, o.order[row, i])
            length += 1
    return genome.finish_turn(w, now, player, o.turns, row, length, True)
