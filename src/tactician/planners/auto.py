"""The planner `auto`: search all turns if possible, else run another planner; then judge turns by the answers.

A turn of few actions can be searched completely, and what is found then is the best there is. Whether it can is hard
to tell beforehand and easy to find out: the search of all turns gets a part of the budget. If it ends within it, the
rest of the budget goes to answers. If not, another planner gets the rest: one that judges turns by replies itself, or
one that doesn't, whose turns are answered like those of the first search.
"""

from __future__ import annotations

import contextlib
import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from tactician.contract.game import Game
from tactician.contract.random import stream
from tactician.native.rows import clear_rows
from tactician.planners.base import Planner, Search
from tactician.planners.coevolution import Coevolution
from tactician.planners.greedy_turn import DepthFirst
from tactician.planners.inside import read, written
from tactician.planners.parts import SearchOfParts, add_up, budget_left, running, unchanged
from tactician.planners.replies import MOST_GUESSES, MOST_KEPT, RepliesSearch, Reply
from tactician.planners.team import BestOf, Reading
from tactician.planners.work import NO_LIMIT
from tactician.seats.budget import Budget

MOST_REPLIES = 0.99
_LEAST_TRIAL = 20
"""Evaluations that the search of all turns gets at least; with less it would not even know the first actions."""
_EARLY = 0.4
"""With this part of its share spent, the search of all turns has to be through with the first action."""


@dataclass(frozen=True, kw_only=True)
class Auto(Planner):
    """Searches all turns if the budget allows it, else runs another planner; then considers the opponent's answers."""

    name: ClassVar[str] = "auto"
    page: ClassVar[str] = "planners/auto.md"
    iteration: ClassVar[str] = "that of the planner that runs"
    paper: ClassVar[str] = "beyond the papers"

    planner: Planner | str = "coevolution:first=non-exploring-mcts"
    """The planner used if there are too many turns to try all; with parameters in brackets: `(oep:population=50)`."""
    share: float = 0.15
    """Share of the budget in which the search of all turns has to finish, between 0 and 1, both excluded."""
    replies: float = 0.5
    """Share of the budget for answers, 0 to 0.99; all that is left if all turns were tried. 0: no answers at all."""
    trust: float = 1.0
    """Weight of the value after the answer, 0 to 1; the rest is the turn's own value. Lower it if answers are
    missed."""

    guesses: int = 1
    """Guesses of what is hidden on which answers are searched for, 1 to 1000, if all turns were tried."""
    further: int = 8
    """Best turns for which the player's next turn is searched, too, if the answers leave budget, 0 to 1000."""

    def __post_init__(self) -> None:
        super().__post_init__()
        self._require(0 < self.share < 1, "share", "a number between 0 and 1, both excluded")
        self._require(0 <= self.replies <= MOST_REPLIES, "replies", f"a number from 0 to {MOST_REPLIES}")
        self._require(0 <= self.trust <= 1, "trust", "a number from 0 to 1")
        self._require(isinstance(self.further, int) and 0 <= self.further <= MOST_KEPT, "further", f"0 to {MOST_KEPT}")
        guesses = isinstance(self.guesses, int) and 1 <= self.guesses <= MOST_GUESSES
        self._require(guesses, "guesses", f"1 to {MOST_GUESSES}")
        inner = read(self.planner)
        plain = not isinstance(inner, Auto | Reply) and not inner.simultaneous and not inner.handles_hidden
        self._require(plain, "planner", "a planner for turns without an inner planner")
        object.__setattr__(self, "planner", written(inner))

    def rate(self) -> float:
        """Reference work is that of the planner inside."""
        return read(self.planner).rate()

    def search(self, game: Game) -> Search:
        """A search that holds those of both planners, with `replies` inside one that looks for answers.

        Where an evaluation counts only the own side, an answer says nothing, and none is looked for.
        """
        inner = read(self.planner)
        alone = inner.one_side() if isinstance(inner, Coevolution) else inner
        if self.replies and game.zero_sum:
            simple = replace(self, replies=0.0, further=0, planner=alone)
            around = Reply(
                planner=simple,
                answer=simple,
                share=self.replies,
                trust=self.trust,
                guesses=self.guesses if game.hides_information else 1,
                further=self.further,
                prune=self.prune,
                workers=self.workers,
            )
            if alone is inner:
                return around.search(game)
            all_turns = replace(around, planner="greedy-turn").search(game)
            assert isinstance(all_turns, RepliesSearch)
            return _AllOrOther(game, self, all_turns, self._prepared(inner).search(inner.own_game(game)))
        every, other = (self._prepared(one) for one in (read("greedy-turn"), alone))
        return _Auto(game, self, every.search(game), other.search(other.own_game(game)))

    def _prepared(self, inner: Planner) -> Planner:
        """A planner inside, with what this one says of pruning, alternatives and workers."""
        return replace(inner, prune=inner.prune and self.prune, alternatives=self.alternatives, workers=self.workers)


class _AllOrOther(SearchOfParts):
    """All turns and answers to them if the trial is through, else a planner that judges by replies itself."""

    def __init__(self, game: Game, planner: Auto, every: RepliesSearch, other: Search) -> None:
        super().__init__(game, planner.prune, (every, other))
        assert isinstance(every.proposer, DepthFirst)
        self._every, self._all_turns, self._other, self._share = every, every.proposer, other, planner.share
        self._running: Search = every
        """The part that searches."""
        self._trying = True
        """Whether all turns are being tried ..."""
        self._first = True
        """... with the first part of their share of the budget."""
        self._time = 0.0
        """The fraction of a time budget that is spent ..."""
        self._begun = 0.0
        """... and that was spent when the other planner began."""

    def take_share(self, number: int, workers: int) -> None:
        """All workers try all turns and share the answering; the other planner shares as it does."""
        for part in self._parts:
            part.take_share(number, workers)

    def begin(self, root: NDArray[np.uint64], player: int, random: NDArray[np.uint64], budget: Budget) -> None:
        """Begin with all turns."""
        super().begin(root, player, random, budget)
        self._root, self._budget = root.copy(), budget
        self._running, self._trying, self._first = self._every, True, True
        self._time = self._begun = 0.0
        clear_rows(self._other.work.counters)
        with running(self._every):
            self._every.begin(root, player, random, budget)
        self._limit(_EARLY * self._share)

    def _limit(self, part: float) -> None:
        """Limit the search of all turns to a part of a counted budget."""
        own, trial = self.counters, self._all_turns.counters
        if own.evaluation_limit != NO_LIMIT:
            trial.evaluation_limit = min(own.evaluation_limit, max(_LEAST_TRIAL, int(own.evaluation_limit * part)))
        if own.iteration_limit != NO_LIMIT:
            trial.iteration_limit = min(own.iteration_limit, max(_LEAST_TRIAL, int(own.iteration_limit * part)))

    def share_time(self, fraction: float) -> None:
        """Take note of the time; the other planner has what is left after the trial."""
        self._time = fraction
        if self._running is self._every:
            self._every.share_time(fraction)
        else:
            self._other.share_time(max(0.0, (fraction - self._begun) / (1 - self._begun)))

    def advance(self, units: int) -> bool:
        """Search for `units` units of the part that runs."""
        if self._trying:
            return self._try(units)
        with running(self._running):
            more = self._running.advance(units)
        self._running.check()
        self._count()
        return more and not self.is_stopped

    def _try(self, units: int) -> bool:
        """Try all turns; what comes next is decided when that is through or its share of the budget is spent."""
        trial = self._all_turns
        with running(trial):
            more = trial.advance(units)
        trial.check()
        self._every.count()
        self._count()
        if self.is_stopped:
            return False
        count = trial.counters
        limited = count.evaluations >= count.evaluation_limit or count.iterations >= count.iteration_limit
        if not more and not limited:
            self._trying = False
            self._every.collect()
            self._count()
            return True
        if more and self._time < self._share * (_EARLY if self._first else 1.0):
            return True
        if self._first and trial.first_actions_done() > 0:
            self._first = False
            self._limit(self._share)
            return True
        self._trying = False
        return self._continue()

    def _continue(self) -> bool:
        """Let the other planner begin with what is left of the budget; False if that is nothing."""
        left = budget_left(self.counters, self._time, 1.0)
        if left < 1:
            return False
        evaluations = self.counters.evaluation_limit != NO_LIMIT
        counted = Budget(**{"evaluations" if evaluations else "iterations": int(left)})
        budget = self._budget if self._budget.ms is not None else counted
        self._running, self._begun = self._other, min(self._time, 0.99)
        with running(self._other):
            self._other.begin(self._root, self.player, stream([*map(int, self.work.rng), 1]), budget)
        self._count()
        return True

    def _count(self) -> None:
        """Bring up to date what the budget is measured by."""
        self.counters.evaluations = sum(part.counters.evaluations for part in self._parts)
        self.counters.iterations = sum(part.counters.iterations for part in self._parts)

    def best(self) -> tuple[list[int], float | None]:
        """The best turn of the part that searched last."""
        with running(self._running):
            found = self._running.best()
        self._add_up()
        return found

    def alternatives(self, most: int) -> list[tuple[list[int], float, int]]:
        """The best turns of the part that searched last."""
        with running(self._running):
            return self._running.alternatives(most)

    def merged(self, others: Sequence[Search]) -> Reading:
        """The best of what the workers found that tried all turns, and of those that had to leave it to the other."""
        team = [self, *(one for one in others if isinstance(one, _AllOrOther))]
        through = [one._every for one in team if one._running is one._every]
        left = [one._other for one in team if one._running is one._other]
        readings = [parts[0].merged(parts[1:]) for parts in (through, left) if parts]
        add_up(team)
        return readings[0] if len(readings) == 1 else BestOf(readings)

    def figures(self) -> dict[str, float]:
        """Whether all turns were tried, and what the part that searched last shows."""
        complete = self._running is self._every and not self._trying
        return {**self._running.figures(), "complete": float(complete)}


class _Auto(SearchOfParts):
    """The running search: all turns first, then the other planner's."""

    def __init__(self, game: Game, planner: Auto, every: Search, other: Search) -> None:
        super().__init__(game, planner.prune, (every, other))
        self._every, self._other, self._share = every, other, planner.share
        self._begun: list[Search] = []
        """The parts that have searched this state."""
        self._complete = False
        """Whether all turns were tried."""
        self._time = 0.0
        """The fraction of a time budget that is spent."""

    def take_share(self, number: int, workers: int) -> None:
        """Share as the parts do."""
        for part in self._parts:
            part.take_share(number, workers)

    def is_certain(self) -> bool:
        """If all turns were tried, they are what every worker finds."""
        return self._complete

    def begin(self, root: NDArray[np.uint64], player: int, random: NDArray[np.uint64], budget: Budget) -> None:
        """Begin with all turns."""
        super().begin(root, player, random, budget)
        self._root, self._budget = root.copy(), budget
        self._begun, self._complete, self._time = [self._every], False, 0.0
        clear_rows(self._other.work.counters)
        with running(self._every):
            self._every.begin(root, player, random, self._trial(budget))

    def _trial(self, budget: Budget) -> Budget:
        """What the search of all turns gets of a budget; the clock shares time."""
        for name in ("evaluations", "iterations"):
            total: int | None = getattr(budget, name)
            if total is not None:
                return Budget(**{name: min(total, max(_LEAST_TRIAL, int(total * self._share)))})
        return budget

    def share_time(self, fraction: float) -> None:
        """Take note of the time; the other planner has what is left after the trial."""
        self._time = fraction
        self._every.share_time(min(1.0, fraction / self._share))
        self._other.share_time(max(0.0, (fraction - self._share) / (1 - self._share)))

    def advance(self, units: int) -> bool:
        """Search for `units` units of the part that runs."""
        part = self._begun[-1]
        if part is self._other:
            self._grant()
        with running(part):
            more = part.advance(units)
        part.check()
        self._count()
        if part is self._other or self._complete or self.is_stopped:
            return more and not self.is_stopped
        if more and self._time < self._share:
            return True
        count = self._every.counters
        limited = count.evaluations >= count.evaluation_limit or count.iterations >= count.iteration_limit
        self._complete = not more and not limited
        return not self._complete and self._continue()

    def _continue(self) -> bool:
        """Let the other planner begin with what is left of the budget; False if that is nothing."""
        left = budget_left(self.counters, self._time, 1.0)
        if left < 1:
            return False
        timed = self._budget.ms is not None
        evaluations = self.counters.evaluation_limit != NO_LIMIT
        budget = self._budget if timed else Budget(**{"evaluations" if evaluations else "iterations": int(left)})
        with running(self._other):
            self._other.begin(self._root, self.player, stream([*map(int, self.work.rng), 1]), budget)
        self._begun.append(self._other)
        self._count()
        return True

    def _grant(self) -> None:
        """Give the other planner what a larger budget leaves it: who looks for answers may return what it can't use."""
        own, tried, part = self.counters, self._every.counters, self._other.counters
        if own.evaluation_limit != NO_LIMIT:
            part.evaluation_limit = own.evaluation_limit - tried.evaluations
        elif own.iteration_limit != NO_LIMIT:
            part.iteration_limit = own.iteration_limit - tried.iterations

    def _count(self) -> None:
        """Bring up to date what the budget is measured by."""
        self.counters.evaluations = sum(part.counters.evaluations for part in self._parts)
        self.counters.iterations = sum(part.counters.iterations for part in self._parts)

    def best(self) -> tuple[list[int], float | None]:
        """The better turn of the two searches."""
        self._add_up()
        found = []
        for part in self._begun:
            with running(part), unchanged(part):
                found.append(part.best())
        return max(found, key=lambda turn: -math.inf if turn[1] is None else turn[1])

    def alternatives(self, most: int) -> list[tuple[list[int], float, int]]:
        """The best turns of both searches."""
        with contextlib.ExitStack() as stack:
            for part in self._begun:
                stack.enter_context(running(part))
                stack.enter_context(unchanged(part))
            return BestOf(self._begun).alternatives(most)

    def figures(self) -> dict[str, float]:
        """Whether all turns were tried, and what the other planner shows."""
        shown = self._other.figures() if self._other in self._begun else {}
        return {**shown, "complete": float(self._complete)}
