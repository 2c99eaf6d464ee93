"""Greedy Turn: depth-first search over all orders of all actions of a turn, the best leaf wins.

A table of the states already visited keeps it from searching any of them twice. Long turns are never searched to the
end, so what is tried first decides: actions are ordered by the game's rating, or by the evaluation right after them.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, ClassVar, Literal, NamedTuple

import numpy as np
from numpy.typing import NDArray

from tactician.contract import calls
from tactician.contract.game import Game
from tactician.native.caching import inlined, kernel
from tactician.native.memory import address, borrowed
from tactician.planners import genome, outcomes
from tactician.planners.base import Planner, Search
from tactician.planners.work import (
    DEPTH_MAX,
    DEPTH_SUM,
    HITS,
    ITERATIONS,
    LEAVES,
    SEQUENCES,
    UNIQUE,
    apply,
    copy_state,
    judge,
    key_of,
    list_at,
    list_candidates,
    may_evaluate,
    may_go_on,
    state_at,
    turn_goes_on,
)
from tactician.seats.budget import Budget

_RATING, _EVALUATION, _NONE = 0, 1, 2
_ORDERINGS = {"rating": _RATING, "evaluation": _EVALUATION, "none": _NONE}
REFERENCE_DEPTH = 6
"""The reference looks at six actions at most, whatever the turn has."""


@dataclass(frozen=True, kw_only=True)
class GreedyTurn(Planner):
    """Searches the whole turn depth first and takes the best end of it."""

    name: ClassVar[str] = "greedy-turn"
    paper: ClassVar[str] = "Justesen et al. 2017, section V"
    reference_rate: ClassVar[float] = 172_000

    ordering: Literal["rating", "evaluation", "none"] | None = None
    """What decides the order of the actions; by default 'rating', and 'none' in the reference's style."""
    style: Literal["paper", "reference"] = "paper"
    """'reference': unsorted, leaves valued before the turn ends, six actions at most and the rest thrown away."""
    table_entries: int = 1 << 22
    """How many visited states are remembered; when the table is full the search goes on without remembering more."""

    def __post_init__(self) -> None:
        super().__post_init__()
        known = self.ordering is None or self.ordering in _ORDERINGS
        self._require(known, "ordering", "'rating', 'evaluation' or 'none'")
        self._require(self.style in ("paper", "reference"), "style", "'paper' or 'reference'")
        self._require(16 <= self.table_entries <= 1 << 28, "table_entries", "16 to 268435456")

    def search(self, game: Game) -> Search:
        """A search with a stack as deep as a turn."""
        return _DepthFirst(game, self)


class _Stack(NamedTuple):
    """Where the search stands: for each depth the number of actions there and the next one to try."""

    count: Any
    next: Any
    keys: Any
    """The states each action leads to, found out when the list is made so that the table has time to answer."""
    depth: Any
    best: Any
    length: Any
    value: Any
    """Of the best leaf."""


class _DepthFirst(Search):
    """The running search."""

    def __init__(self, game: Game, planner: GreedyTurn) -> None:
        depth = game.max_turn
        super().__init__(game, planner.prune, states=depth + 3, lists=depth + 2)
        self._reference = planner.style == "reference"
        ordering = planner.ordering or ("none" if self._reference else "rating")
        self._ordering = _ORDERINGS[ordering]
        self._stack = _Stack(
            count=np.zeros(depth + 1, np.int64),
            next=np.zeros(depth + 1, np.int64),
            keys=np.zeros((depth + 1, game.max_actions), np.uint64),
            depth=np.zeros(1, np.int64),
            best=np.zeros((1, depth + 1), np.int32),
            length=np.zeros(1, np.int64),
            value=np.zeros(1),
        )
        self._seen = outcomes.KeyTable(planner.table_entries)

    def begin(self, root: NDArray[np.uint64], player: int, random: NDArray[np.uint64], budget: Budget) -> None:
        """Start at the root, with what the ratings choose as the best turn so far."""
        super().begin(root, player, random, budget)
        self._seen.empty()
        _begin(self.work, self._stack, self._seen.keys, player, self._ordering)

    def _advance(self, units: int) -> bool:
        """Go through so many states."""
        self._seen.grow_if_crowded()
        return bool(
            _search(self.work, self._stack, self._seen.keys, self.player, self._ordering, self._reference, units)
        )

    def best(self) -> tuple[list[int], float | None]:
        """The best leaf's actions, completed where the search did not end the turn."""
        stack = self._stack
        length = _complete(self.work, stack, self.player, self._reference)
        value = float(stack.value[0])
        return stack.best[0, :length].tolist(), value if np.isfinite(value) else None


@kernel
def _begin(w: Any, st: Any, seen: Any, player: Any, ordering: Any) -> None:
    w, st, seen = borrowed(w), borrowed(st), borrowed(seen)
    st.length[0] = 0
    st.value[0] = -np.inf
    _descend(w, st, seen, 0, _ordered(w, 0, player, ordering))


@kernel
def _search(w: Any, st: Any, seen: Any, player: Any, ordering: Any, reference: Any, units: Any) -> Any:
    """Apply `units` actions; 0 once everything is searched or a limit is reached."""
    w, st, seen = borrowed(w), borrowed(st), borrowed(seen)
    for _ in range(units):
        if not may_go_on(w):
            return 0
        if outcomes.is_crowded(seen):
            return 1
        depth = st.depth[0]
        while st.next[depth] >= st.count[depth]:
            if depth == 0:
                return 0
            depth -= 1
            st.depth[0] = depth
        here, there = state_at(w, depth), state_at(w, depth + 1)
        i = st.next[depth]
        st.next[depth] += 1
        if (depth > 0 or not reference) and outcomes.insert(seen, st.keys[depth, i], 0) >= 0:
            w.count[HITS] += 1
            continue
        copy_state(w, there, here)
        apply(w, there, w.actions[depth, i])
        if not turn_goes_on(w, there, player):
            _leaf(w, st, player, there, depth + 1)
            continue
        n = _ordered(w, depth + 1, player, ordering)
        if reference and depth + 1 == REFERENCE_DEPTH:
            _leaf(w, st, player, there, depth + 1)
        elif n == 1 and _ends_turn(w, there, player, depth + 1):
            # The end of the turn is all that is left: no need to look that state up as well.
            _leaf(w, st, player, there if reference else state_at(w, w.states.shape[0] - 1), depth + 1)
        elif depth + 1 < st.count.shape[0] - 1:
            _descend(w, st, seen, depth + 1, n)
    return 1


@inlined
def _descend(w: Any, st: Any, seen: Any, depth: Any, n: Any) -> None:
    """Go on with the n actions listed for a depth."""
    st.depth[0] = depth
    st.count[depth] = n
    st.next[depth] = 0
    here, there = state_at(w, depth), state_at(w, depth + 1)
    for i in range(n):
        copy_state(w, there, here)
        apply(w, there, w.actions[depth, i])
        st.keys[depth, i] = key_of(w, there)
        outcomes.expect(seen, st.keys[depth, i])


@inlined
def _leaf(w: Any, st: Any, player: Any, s: Any, depth: Any) -> None:
    """Value a leaf; of equal ones the later wins."""
    if not may_evaluate(w):
        return
    value = judge(w, s, player)
    w.count[ITERATIONS] += 1
    w.count[SEQUENCES] += 1
    w.count[UNIQUE] += 1
    w.count[LEAVES] += 1
    w.count[DEPTH_SUM] += depth
    w.count[DEPTH_MAX] = max(w.count[DEPTH_MAX], depth)
    if value >= st.value[0]:
        st.value[0] = value
        st.length[0] = depth
        for i in range(depth):
            st.best[0, i] = w.actions[i, st.next[i] - 1]


@inlined
def _ends_turn(w: Any, s: Any, player: Any, row: Any) -> Any:
    """Whether the only action of a list ends the turn; the last scratch state is then the one after it."""
    trial = state_at(w, w.states.shape[0] - 1)
    copy_state(w, trial, s)
    apply(w, trial, w.actions[row, 0])
    return not turn_goes_on(w, trial, player)


@inlined
def _ordered(w: Any, depth: Any, player: Any, ordering: Any) -> Any:
    """List the candidates of the state at a depth, best first."""
    s = state_at(w, depth)
    n = list_candidates(w, s, depth)
    if n == 1 or ordering == _NONE:
        return n
    if ordering == _RATING:
        calls.rate_actions(w.table, w.g, s, list_at(w, depth), n, address(w.ratings), w.ratings)
    else:
        trial = state_at(w, w.states.shape[0] - 1)
        for i in range(n):
            w.ratings[i] = -np.inf
            if may_evaluate(w):
                copy_state(w, trial, s)
                apply(w, trial, w.actions[depth, i])
                w.ratings[i] = judge(w, trial, player)
    sort_actions(w, depth, n)
    return n


@inlined
def sort_actions(w: Any, row: Any, n: Any) -> None:
    """Sort a scratch list by falling rating, equals in their order."""
    for i in range(1, n):
        action, rating = w.actions[row, i], w.ratings[i]
        j = i - 1
        while j >= 0 and w.ratings[j] < rating:
            w.actions[row, j + 1] = w.actions[row, j]
            w.ratings[j + 1] = w.ratings[j]
            j -= 1
        w.actions[row, j + 1] = action
        w.ratings[j + 1] = rating


@kernel
def _complete(w: Any, st: Any, player: Any, waste: Any) -> Any:
    """Play what there is of the best turn and finish it; returns its length."""
    w, st = borrowed(w), borrowed(st)
    now = state_at(w, w.states.shape[0] - 2)
    copy_state(w, now, state_at(w, 0))
    for i in range(st.length[0]):
        apply(w, now, st.best[0, i])
    return genome.finish_turn(w, now, player, st.best, 0, st.length[0], waste)
