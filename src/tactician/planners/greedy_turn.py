"""Greedy Turn: depth-first search over all orders of all actions of a turn, the best leaf wins.

A table of the states already visited keeps it from searching any of them twice. Long turns are never searched to the
end, so what is tried first decides: actions are ordered by the game's rating, or by the evaluation right after them.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar, Literal, NamedTuple

import numpy as np
from numpy.typing import NDArray

from tactician.contract.game import Game
from tactician.native.caching import inlined, kernel
from tactician.native.memory import Address, borrowed, int64
from tactician.native.rows import Row, Rows, make_rows
from tactician.planners import outcomes
from tactician.planners.base import Planner, Search
from tactician.planners.genome import Turns, finish_turn, make_turns, replay
from tactician.planners.outcomes import KeySlots, KeyTable
from tactician.planners.ranking import (
    NO_PLACE,
    Ranking,
    clear_ranking,
    complete_turns,
    make_ranking,
    may_rank,
    place_for,
    ranked_turns,
)
from tactician.planners.work import (
    ROOT,
    SHARED_LISTS,
    SHARED_STATES,
    TRIAL,
    Work,
    apply,
    copy_state,
    count_descent,
    judge,
    key_of,
    list_candidates,
    may_evaluate,
    may_iterate,
    rate_list,
    sort_list,
    state_at,
    turn_continues,
)
from tactician.seats.budget import Budget

_STATES, _LISTS = SHARED_STATES, SHARED_LISTS
"""The state that the search has at each depth, and what may be done there: its own scratch rows from here on."""
_BEST = 0
"""The only row of `_Stack.turn`."""
_RATING, _EVALUATION, _NONE = 0, 1, 2
_ORDERINGS = {"rating": _RATING, "evaluation": _EVALUATION, "none": _NONE}
REFERENCE_DEPTH = 6
"""The reference looks at six actions at most, whatever the turn has."""


@dataclass(frozen=True, kw_only=True)
class GreedyTurn(Planner):
    """Searches whole turns depth first and plays the one that ends in the best state."""

    name: ClassVar[str] = "greedy-turn"
    page: ClassVar[str] = "planners/greedy.md"
    iteration: ClassVar[str] = "a leaf: an evaluated end of the turn"
    paper: ClassVar[str] = "Justesen et al. 2017, section V"
    reference_rate: ClassVar[float] = 172_000

    ordering: Literal["rating", "evaluation", "none"] | None = None
    """Order in which actions are tried: `rating`, `evaluation` or `none`; by default `rating`, with `style=reference`
    `none`."""
    style: Literal["paper", "reference"] = "paper"
    """`paper`, or `reference` as in the papers' code: unsorted, leaves valued before the turn ends, at most six
    actions."""
    table_entries: int = 1 << 22
    """Visited states that are stored, 16 to 268435456; a full table stores no more, and the search continues."""

    def __post_init__(self) -> None:
        super().__post_init__()
        known = self.ordering is None or self.ordering in _ORDERINGS
        self._require(known, "ordering", "'rating', 'evaluation' or 'none'")
        self._require(self.style in ("paper", "reference"), "style", "'paper' or 'reference'")
        self._require(16 <= self.table_entries <= 1 << 28, "table_entries", "16 to 268435456")

    def search(self, game: Game) -> Search:
        """A search with a stack as deep as a turn."""
        return DepthFirst(game, self)


class _Options(NamedTuple):
    """What the kernels need of a `GreedyTurn`."""

    ordering: int
    """What decides the order of the actions."""
    reference: bool
    """Whether to search as the reference does."""


class _Cursor(Row):
    """Where the search stands."""

    depth: int
    """The depth that actions are tried at."""
    value: float
    """The value of the best leaf."""


class _Stack(NamedTuple):
    """The path that is searched, and the best turn so far."""

    listed: NDArray[np.int64]
    """[max_turn + 1] how many actions there are at each depth ..."""
    next: NDArray[np.int64]
    """[max_turn + 1] ... and the next one to try."""
    keys: NDArray[np.uint64]
    """[max_turn + 1, max_actions] the state that each action leads to; computed with the list, so that the table of
    visited states has time to load."""
    turn: Turns
    """[1] the actions of the best leaf."""
    cursor: Rows[_Cursor]
    """[1] where the search stands."""
    ranking: Ranking
    """The best leaves."""


class DepthFirst(Search):
    """The running search."""

    def __init__(self, game: Game, planner: GreedyTurn) -> None:
        depths = game.max_turn + 1
        super().__init__(game, planner.prune, own_states=depths, own_lists=depths)
        reference = planner.style == "reference"
        ordering = planner.ordering or ("none" if reference else "rating")
        self._options = _Options(_ORDERINGS[ordering], reference)
        self._stack = _Stack(
            listed=np.zeros(depths, np.int64),
            next=np.zeros(depths, np.int64),
            keys=np.zeros((depths, game.max_actions), np.uint64),
            turn=make_turns(1, depths),
            cursor=make_rows(_Cursor),
            ranking=make_ranking(depths, planner.alternatives),
        )
        self._seen = KeyTable(planner.table_entries)
        self._share = (0, 1)

    def take_share(self, number: int, workers: int) -> None:
        """Search only the turns that begin with every `workers`-th action, from action `number` on."""
        self._share = (number, workers)

    def begin(self, root: NDArray[np.uint64], player: int, random: NDArray[np.uint64], budget: Budget) -> None:
        """Start at the root."""
        super().begin(root, player, random, budget)
        self._seen.empty()
        _begin(self.work, self._stack, self._seen.keys, self._options, player, *self._share)

    def advance(self, units: int) -> bool:
        """Apply `units` actions."""
        self._seen.grow_if_crowded()
        return _search(self.work, self._stack, self._seen.keys, self._options, self.player, units)

    def is_certain(self) -> bool:
        """It makes no random choices."""
        return True

    def first_actions_done(self) -> int:
        """How many actions of the root are through: everything behind them was searched."""
        return max(0, int(self._stack.next[0]) - 1)

    def best(self) -> tuple[list[int], float | None]:
        """The best leaf's actions, completed where the search did not end the turn."""
        length = _complete(self.work, self._stack, self._options, self.player)
        value = float(self._stack.cursor[0].value)
        return self._stack.turn.genes[_BEST, :length].tolist(), value if np.isfinite(value) else None

    def alternatives(self, most: int) -> list[tuple[list[int], float, int]]:
        """The best different leaves, completed where the search did not end the turn."""
        complete_turns(self.work, self._stack.ranking, self.player, self._options.reference)
        return ranked_turns(self._stack.ranking, most)


@kernel
def _begin(
    work: Work, stack: _Stack, seen: KeySlots, options: _Options, player: int, number: int, workers: int
) -> None:
    """Start at the root, without any leaf, with the actions of worker `number` of `workers`."""
    work, stack, seen = borrowed(work), borrowed(stack), borrowed(seen)
    stack.cursor[0].value = -np.inf
    clear_ranking(stack.ranking)
    stack.turn.lengths[_BEST] = 0
    copy_state(work, state_at(work, _STATES), state_at(work, ROOT))
    n, kept = _list_ordered(work, 0, player, options), int64(0)
    for i in range(number, n, workers):
        work.actions[_LISTS, kept] = work.actions[_LISTS, i]
        kept += 1
    _descend(work, stack, seen, 0, kept)


@kernel
def _search(work: Work, stack: _Stack, seen: KeySlots, options: _Options, player: int, units: int) -> bool:
    """Apply `units` actions; False once everything is searched or a limit is reached."""
    work, stack, seen = borrowed(work), borrowed(stack), borrowed(seen)
    cursor = stack.cursor[0]
    for _ in range(units):
        if not may_iterate(work):
            return False
        if outcomes.is_crowded(seen):
            return True
        depth = cursor.depth
        while stack.next[depth] >= stack.listed[depth]:
            if depth == 0:
                return False
            depth -= 1
            cursor.depth = depth
        here, there = state_at(work, _STATES + depth), state_at(work, _STATES + depth + 1)
        i = stack.next[depth]
        stack.next[depth] += 1
        if (depth > 0 or not options.reference) and outcomes.insert(seen, stack.keys[depth, i], 0) >= 0:
            work.counters[0].hits += 1
            continue
        copy_state(work, there, here)
        apply(work, there, int64(work.actions[_LISTS + depth, i]))
        _enter(work, stack, seen, options, player, depth + 1)
    return True


@inlined
def _enter(work: Work, stack: _Stack, seen: KeySlots, options: _Options, player: int, depth: int) -> None:
    """Value the state at a depth if the turn ends there, else continue with its actions."""
    s = state_at(work, _STATES + depth)
    if not turn_continues(work, s, player):
        _leaf(work, stack, player, s, depth)
        return
    n = _list_ordered(work, depth, player, options)
    if options.reference and depth == REFERENCE_DEPTH:
        _leaf(work, stack, player, s, depth)
    elif n == 1 and _ends_turn(work, s, player, _LISTS + depth):
        # The end of the turn is all that is left: no need to look that state up as well.
        _leaf(work, stack, player, s if options.reference else state_at(work, TRIAL), depth)
    elif depth < stack.listed.shape[0] - 1:
        _descend(work, stack, seen, depth, n)


@inlined
def _descend(work: Work, stack: _Stack, seen: KeySlots, depth: int, n: int) -> None:
    """Continue with the n actions listed for a depth."""
    stack.cursor[0].depth = depth
    stack.listed[depth] = n
    stack.next[depth] = 0
    here, there = state_at(work, _STATES + depth), state_at(work, _STATES + depth + 1)
    for i in range(n):
        copy_state(work, there, here)
        apply(work, there, int64(work.actions[_LISTS + depth, i]))
        stack.keys[depth, i] = key_of(work, there)
        outcomes.expect(seen, stack.keys[depth, i])


@inlined
def _leaf(work: Work, stack: _Stack, player: int, s: Address, depth: int) -> None:
    """Value a leaf; of equal ones the later wins."""
    if not may_evaluate(work):
        return
    value = judge(work, s, player)
    count = work.counters[0]
    count.iterations += 1
    count.sequences += 1
    count.unique += 1
    count_descent(work, depth)
    place = place_for(stack.ranking, key_of(work, s), value) if may_rank(stack.ranking, value) else int64(NO_PLACE)
    if place >= 0:
        stack.ranking.turns.lengths[place] = depth
        for i in range(depth):
            stack.ranking.turns.genes[place, i] = work.actions[_LISTS + i, stack.next[i] - 1]
    cursor = stack.cursor[0]
    if value >= cursor.value:
        cursor.value = value
        stack.turn.lengths[_BEST] = depth
        for i in range(depth):
            stack.turn.genes[_BEST, i] = work.actions[_LISTS + i, stack.next[i] - 1]


@inlined
def _ends_turn(work: Work, s: Address, player: int, row: int) -> bool:
    """Whether the only action of a list ends the turn; TRIAL is then the state after it."""
    trial = state_at(work, TRIAL)
    copy_state(work, trial, s)
    apply(work, trial, int64(work.actions[row, 0]))
    return not turn_continues(work, trial, player)


@inlined
def _list_ordered(work: Work, depth: int, player: int, options: _Options) -> int:
    """List the candidates of the state at a depth, best first; returns how many."""
    s, row = state_at(work, _STATES + depth), _LISTS + depth
    n = list_candidates(work, s, row)
    if n == 1 or options.ordering == _NONE:
        return n
    if options.ordering == _RATING:
        rate_list(work, s, row, n)
    else:
        trial = state_at(work, TRIAL)
        for i in range(n):
            work.ratings[i] = -np.inf
            if may_evaluate(work):
                copy_state(work, trial, s)
                apply(work, trial, int64(work.actions[row, i]))
                work.ratings[i] = judge(work, trial, player)
    sort_list(work, row, n)
    return n


@kernel
def _complete(work: Work, stack: _Stack, options: _Options, player: int) -> int:
    """Play what there is of the best turn and finish it; returns its length."""
    work, stack = borrowed(work), borrowed(stack)
    turn = stack.turn
    now = replay(work, turn, _BEST, turn.lengths[_BEST])
    return finish_turn(work, turn, _BEST, now, turn.lengths[_BEST], player, options.reference)
