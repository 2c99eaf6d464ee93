"""Simulated annealing of turns: one turn is changed again and again, and what is worse is accepted less and less.

A table holds the value of every end state, so a turn that ends in a known one is not judged again. How hot it is
depends on the part of the budget that is spent, and on how much a change usually changes.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import ClassVar, NamedTuple

import numpy as np
from numpy.typing import NDArray

from tactician.contract.game import Game
from tactician.contract.random import unit
from tactician.native.caching import inlined, kernel
from tactician.native.memory import borrowed, int64
from tactician.native.rows import Row, Rows, make_rows
from tactician.planners import outcomes
from tactician.planners.archive import Archive, make_archive, play_reply, worth
from tactician.planners.base import Planner, Search
from tactician.planners.changes import (
    BEST,
    CHANGED,
    CURRENT,
    NOWHERE,
    STACKS,
    TURNS,
    Change,
    accept,
    carry_out,
    random_change,
    state_before,
)
from tactician.planners.choices import ChoiceMemory
from tactician.planners.genome import Repair, Turns, copy_turn, finish_turn, make_turns, turn_list
from tactician.planners.outcomes import KeySlots, KeyTable, is_crowded
from tactician.planners.ranking import Ranking, clear_ranking, make_ranking, offer, ranked_turns
from tactician.planners.work import (
    NO_ACTION,
    ROOT,
    TRIAL,
    Work,
    apply,
    continues,
    copy_state,
    from_root,
    is_legal,
    judge,
    key_of,
    may_evaluate,
    may_iterate,
    mover_of,
    share_spent,
    state_at,
    turn_continues,
)
from tactician.seats.budget import Budget

MAX_OUTCOMES = 1 << 19
PATIENCE = 20_000
"""Changed turns in a row that end in known states; then there is nothing left to find."""
HOTTEST = 1000
"""Temperatures are lower; everything is accepted far below it."""
_UP, _DOWN = 1.01, 0.99
"""By what the estimate of a median is multiplied for a number above and below it."""


@dataclass(frozen=True, kw_only=True)
class Annealing(Planner):
    """Improves one turn by simulated annealing; evaluates no final state of a turn twice."""

    name: ClassVar[str] = "annealing"
    page: ClassVar[str] = "planners/annealing.md"
    iteration: ClassVar[str] = "a changed turn"
    paper: ClassVar[str] = "beyond the papers"
    reference_rate: ClassVar[float] = 9_500

    hot: float = 0.5
    """The initial temperature, in units of the typical change of value, between 0 and 1000, both excluded."""
    cold: float = 0.02
    """The final temperature, between 0 and 1000, both excluded."""
    greedy: float = 0.5
    """Share of the changes after which Greedy Action completes the turn, 0 to 1; otherwise random candidates do."""

    def __post_init__(self) -> None:
        super().__post_init__()
        for name in ("hot", "cold"):
            expected = f"a number between 0 and {HOTTEST}, both excluded"
            self._require(0 < getattr(self, name) < HOTTEST, name, expected)
        self._require(0 <= self.greedy <= 1, "greedy", "a number from 0 to 1")

    def search(self, game: Game) -> Search:
        """A search that judges turns by their ends."""
        return AnnealingSearch(game, self, make_archive(1, game.max_turn))


class _Options(NamedTuple):
    """What the kernels need of an `Annealing`."""

    hot: float
    """The temperature at first ..."""
    cold: float
    """... and in the end."""
    greedy: float
    """Share of the changes with greedy repairs."""


class _Progress(Row):
    """Where the search stands."""

    value: float
    """What the current turn is worth."""
    best: float
    """What the best turn is worth."""
    usual: float
    """The median of what a change changes of the value."""
    clock: float
    """The fraction of a time budget that is spent."""
    stale: int
    """Changed turns in a row that ended in known states."""


class _Found(Row):
    """What a kernel found about one turn."""

    value: float
    """What the best reply leaves of it; infinite if there is none."""
    best: int
    """The row of that reply, or NOWHERE."""
    mover: int
    """Who is to move after it; the player if nobody replies."""


class JudgedTurn(NamedTuple):
    """What is known about one turn."""

    value: float
    """What the best known reply leaves of it; infinite if none is known."""
    reply: list[int]
    """That reply."""
    mover: int
    """Who is to move after it; the player if nobody replies."""
    end: NDArray[np.uint64]
    """[words] the state at its end."""


class _Walk(NamedTuple):
    """The turn that is changed, and what is known of others."""

    turns: Turns
    """[TURNS] the current turn, the changed one and the best."""
    values: NDArray[np.float64]
    """[room] the values of the end states in the table, by number."""
    progress: Rows[_Progress]
    """[1] where the search stands."""
    ranking: Ranking
    """The best turns."""
    archive: Archive
    """The replies that turns are judged by; none: by their ends."""


class AnnealingSearch(Search):
    """The running search."""

    def __init__(self, game: Game, planner: Annealing, archive: Archive) -> None:
        super().__init__(game, planner.prune, own_states=STACKS * (game.max_turn + 1))
        self._usual = _Options(float(planner.hot), float(planner.cold), float(planner.greedy))
        self._options = self._usual
        self.archive = archive
        self._walk = _Walk(
            turns=make_turns(TURNS, game.max_turn),
            values=np.zeros(2 * MAX_OUTCOMES),
            progress=make_rows(_Progress),
            ranking=make_ranking(game.max_turn, planner.alternatives),
            archive=archive,
        )
        self._judgement = make_rows(_Found)
        self._progress = self._walk.progress[0]
        self._root: NDArray[np.uint64] = np.zeros(0, np.uint64)
        self._seen = KeyTable(MAX_OUTCOMES)
        self._choices = ChoiceMemory()

    @property
    def _repair(self) -> Repair:
        return Repair(True, self._choices.choices)

    def begin(self, root: NDArray[np.uint64], player: int, random: NDArray[np.uint64], budget: Budget) -> None:
        """Start from Greedy Action's turn."""
        self.forget_choices()
        self.begin_from(root, player, random, budget, [], None)

    def forget_choices(self) -> None:
        """Forget Greedy Action's choices, because a new search begins."""
        self._choices.empty()

    def begin_from(
        self,
        root: NDArray[np.uint64],
        player: int,
        random: NDArray[np.uint64],
        budget: Budget,
        turn: list[int],
        hot: float | None,
    ) -> None:
        """Start from what is legal of a turn, completed by Greedy Action, at a temperature of its own.

        Greedy Action's choices are kept if the root is the same as before.
        """
        super().begin(root, player, random, budget)
        self._options = self._usual if hot is None else self._usual._replace(hot=hot)
        self._seen.empty()
        if not turn or not np.array_equal(root, self._root):
            self.forget_choices()
        self._root = root.copy()
        turns = self._walk.turns
        turns.genes[CURRENT, : len(turn)], turns.lengths[CURRENT] = turn, len(turn)
        _begin(self.work, self._walk, self._seen.keys, self._repair, player)

    def advance(self, units: int) -> bool:
        """Change the turn `units` times."""
        self._seen.grow_if_crowded()
        self._choices.grow_if_crowded()
        return _search(self.work, self._walk, self._seen.keys, self._options, self._repair, self.player, units)

    def judged(self, turn: list[int]) -> JudgedTurn:
        """What the replies of the archive leave of a turn from the root, and where it ends."""
        turns, found = self._walk.turns, self._judgement[0]
        turns.genes[CHANGED, : len(turn)], turns.lengths[CHANGED] = turn, len(turn)
        _judge_turn(self.work, self._walk, self._judgement, self.player)
        words = self.work.state_bytes // 8
        best = turn_list(self.archive.turns, found.best) if found.best != NOWHERE else []
        return JudgedTurn(float(found.value), best, int(found.mover), self.work.states[TRIAL, :words].copy())

    def rehearse(self, root: NDArray[np.uint64], player: int) -> None:
        """Rehearse, and judge the turn that was found."""
        super().rehearse(root, player)
        self.judged(self.best()[0])

    def share_time(self, fraction: float) -> None:
        """It cools down by the clock when the budget is time."""
        self._progress.clock = fraction

    def best(self) -> tuple[list[int], float | None]:
        """The best turn ever valued."""
        value = float(self._progress.best)
        return turn_list(self._walk.turns, BEST), value if math.isfinite(value) else None

    def alternatives(self, most: int) -> list[tuple[list[int], float, int]]:
        """The best different turns that were valued."""
        return ranked_turns(self._walk.ranking, most)

    def figures(self) -> dict[str, float]:
        """The value of the current turn, and what a change usually changes."""
        at = self._progress
        if not math.isfinite(at.value):
            return {}
        return {"current": float(at.value), "best": float(at.best), "usual change": float(at.usual)}


@kernel
def _begin(work: Work, walk: _Walk, seen: KeySlots, repair: Repair, player: int) -> None:
    """Complete the current turn and value it; if the budget does not allow that, ratings choose the best turn."""
    work, walk, seen, repair = borrowed(work), borrowed(walk), borrowed(seen), borrowed(repair)
    at, turns = walk.progress[0], walk.turns
    at.best, at.value, at.usual, at.clock, at.stale = -np.inf, -np.inf, 0.0, 0.0, 0
    clear_ranking(walk.ranking)
    turns.lengths[BEST] = 0  # not the turn of an earlier search, should this one be stopped before it has any
    copy_state(work, state_before(work, turns, CURRENT, 0), state_at(work, ROOT))
    nothing = Change(int64(0), int64(NOWHERE), int64(NOWHERE), int64(NO_ACTION))
    length = carry_out(work, turns, repair, player, nothing)
    if length < 0 or not may_evaluate(work):
        turns.lengths[BEST] = finish_turn(work, turns, BEST, from_root(work), 0, player, False)
        turns.lengths[CURRENT] = 0
        return
    at.value = _value(work, walk, seen, player, length, -np.inf)
    accept(work, turns, 0, length)


@kernel
def _search(
    work: Work, walk: _Walk, seen: KeySlots, options: _Options, repair: Repair, player: int, units: int
) -> bool:
    """Change the turn `units` times; False once a limit is reached, nothing new is found or a win is."""
    work, walk, seen, repair = borrowed(work), borrowed(walk), borrowed(seen), borrowed(repair)
    at = walk.progress[0]
    for _ in range(units):
        if walk.turns.lengths[CURRENT] == 0 or at.stale > PATIENCE or at.best >= work.high or not may_iterate(work):
            return False
        if is_crowded(seen) or is_crowded(repair.choices.states):
            return True
        if not _change(work, walk, seen, options, repair, player):
            return False
    return True


@inlined
def _change(work: Work, walk: _Walk, seen: KeySlots, options: _Options, repair: Repair, player: int) -> bool:
    """Change the turn and accept the change or not; False if the budget ended."""
    at, turns = walk.progress[0], walk.turns
    change = random_change(work, turns, player)
    mending = Repair(unit(work.rng) < options.greedy, repair.choices)
    length = carry_out(work, turns, mending, player, change)
    if length < 0 or not may_evaluate(work):
        return False
    heat = at.usual * options.hot * (options.cold / options.hot) ** min(1.0, share_spent(work, at.clock))
    enough = at.value + heat * math.log(1.0 - unit(work.rng))
    value = _value(work, walk, seen, player, length, enough)
    size = abs(value - at.value)
    if size > 0:
        at.usual = size if at.usual == 0 else at.usual * (_UP if size > at.usual else _DOWN)
    if value >= enough:
        at.value = value
        accept(work, turns, change.start, length)
    return True


@inlined
def _value(work: Work, walk: _Walk, seen: KeySlots, player: int, length: int, enough: float) -> float:
    """The value of the changed turn, judged only if its end is new; below `enough` it may be only a bound."""
    count, at, turns = work.counters[0], walk.progress[0], walk.turns
    count.iterations += 1
    end = state_before(work, turns, CHANGED, length)
    key = key_of(work, end)
    known = outcomes.find(seen, key)
    if known >= 0:
        count.hits += 1
        at.stale += 1
        return walk.values[known]
    count.sequences += 1
    value = worth(work, walk.archive, end, player, enough)
    if value < enough and walk.archive.size[0].entries > 0:
        return value
    number = seen.occupancy[0].entries
    if outcomes.insert(seen, key, number) == outcomes.MISSING:
        walk.values[number] = value
        count.unique += 1
        at.stale = 0
    offer(walk.ranking, turns, CHANGED, length, key, value)
    if value > at.best:
        at.best = value
        turns.lengths[CHANGED] = length
        copy_turn(turns, CHANGED, BEST)
    return value


@kernel
def _judge_turn(work: Work, walk: _Walk, judgement: Rows[_Found], player: int) -> None:
    """Judge the changed turn by each reply of the archive; TRIAL is then the state at its end."""
    work, walk, judgement = borrowed(work), borrowed(walk), borrowed(judgement)
    found, end = judgement[0], state_at(work, TRIAL)
    copy_state(work, end, state_at(work, ROOT))
    for i in range(walk.turns.lengths[CHANGED]):
        action = int64(walk.turns.genes[CHANGED, i])
        if not turn_continues(work, end, player) or not is_legal(work, end, action):
            break
        apply(work, end, action)
    found.best = NOWHERE
    found.mover = mover_of(work, end) if continues(work, end) else int64(player)
    if found.mover == player:
        found.value = judge(work, end, player)
        return
    found.value = np.inf
    for row in range(walk.archive.size[0].entries):
        if not may_evaluate(work):
            return
        value = judge(work, play_reply(work, walk.archive, row, end, found.mover), player)
        if value < found.value:
            found.value, found.best = value, row
