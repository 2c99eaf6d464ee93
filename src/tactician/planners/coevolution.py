"""Competitive co-evolution of turns and replies: each side is annealed against what is known of the other.

First the own turn is annealed by its end, from Greedy Action's turn or from one that another planner found with a part
of the budget. Then the sides alternate: a reply is annealed against the turn that looks best, starting from the best
reply known, and enters an archive; then the turn is annealed again, judged by the least that any reply of the archive
leaves of it. So turns are not chosen from a list that was made before any answer was known, and a reply need not be
found from nothing.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from tactician.contract.game import Game
from tactician.contract.random import stream
from tactician.native.rows import clear_rows, snapshot
from tactician.planners.annealing import HOTTEST, Annealing, AnnealingSearch
from tactician.planners.archive import empty_archive, enter_reply, make_archive, replies_in
from tactician.planners.base import Planner, Search
from tactician.planners.inside import read, written
from tactician.planners.parts import SearchOfParts, add_up, budget_left, running, unchanged
from tactician.planners.team import BestOf, Ranked, Reading, all_finalists, finalists
from tactician.planners.work import NO_LIMIT
from tactician.seats.budget import Budget

MOST_ROUNDS = 1000
LEAST_EFFORT = 40
"""Evaluations (or iterations) that a phase gets at least; with less left, the search ends."""
_MUCH = 1e9
_GREEDY_ACTION = "greedy-action"
_LATEST = 0.99
"""The fraction of a time budget at which the own turn begins at the latest."""


@dataclass(frozen=True, kw_only=True)
class Coevolution(Planner):
    """Anneals turns and the opponent's replies alternately, each against the best known of the other."""

    name: ClassVar[str] = "coevolution"
    page: ClassVar[str] = "planners/annealing.md"
    iteration: ClassVar[str] = "a changed turn or reply"
    paper: ClassVar[str] = "beyond the papers"
    judges_replies: ClassVar[bool] = True

    first: Planner | str = _GREEDY_ACTION
    """The planner that finds the turn to start from, one without a planner inside."""
    first_share: float = 0.15
    """Share of the budget for that planner, between 0 and 1, both excluded; `greedy-action` takes what it needs."""
    alone: float = 0.25
    """Share of the rest for the first phase, in which turns are judged without replies, between 0 and 1, both
    excluded."""
    rounds: int = 8
    """Rounds of a reply and a new turn, 1 to 1000; all replies are kept."""
    share: float = 0.35
    """Share of a round that goes into the reply, between 0 and 1, both excluded."""
    hot: float = 0.5
    """The initial temperature, in units of the typical change of value, between 0 and 1000, both excluded."""
    warm: float = 0.5
    """The temperature at which a known turn or reply is annealed again, between 0 and 1000, both excluded."""
    cold: float = 0.02
    """The final temperature, between 0 and 1000, both excluded."""
    greedy: float = 0.5
    """Share of the changes after which Greedy Action completes the turn, 0 to 1; otherwise random candidates do."""

    def __post_init__(self) -> None:
        super().__post_init__()
        starter = read(self.first)
        plain = not (starter.simultaneous or starter.handles_hidden or hasattr(starter, "planner"))
        self._require(plain, "first", "a planner for turns without an inner planner")
        object.__setattr__(self, "first", written(starter))
        whole = isinstance(self.rounds, int) and not isinstance(self.rounds, bool)
        self._require(0 < self.first_share < 1, "first_share", "a number between 0 and 1, both excluded")
        self._require(0 < self.alone < 1, "alone", "a number between 0 and 1, both excluded")
        self._require(whole and 1 <= self.rounds <= MOST_ROUNDS, "rounds", f"1 to {MOST_ROUNDS}")
        self._require(0 < self.share < 1, "share", "a number between 0 and 1, both excluded")
        for name in ("hot", "warm", "cold"):
            expected = f"a number between 0 and {HOTTEST}, both excluded"
            self._require(0 < getattr(self, name) < HOTTEST, name, expected)
        self._require(0 <= self.greedy <= 1, "greedy", "a number from 0 to 1")

    def rate(self) -> float:
        """Reference work is that of annealing."""
        return Annealing().rate()

    def one_side(self) -> Annealing:
        """The planner of one side, which looks at no replies."""
        return Annealing(
            prune=self.prune, alternatives=self.alternatives, hot=self.hot, cold=self.cold, greedy=self.greedy
        )

    def search(self, game: Game) -> Search:
        """A search of both sides; of one where an evaluation counts only the own side, and a reply says nothing."""
        annealing = self.one_side()
        if not game.zero_sum:
            return annealing.search(game)
        own = AnnealingSearch(game, annealing, make_archive(self.rounds * self.workers, game.max_turn))
        other = AnnealingSearch(game, replace(annealing, alternatives=1), make_archive(1, game.max_turn))
        starter = None
        if self.first != _GREEDY_ACTION:  # annealing starts from that turn by itself
            starter = replace(read(self.first), prune=self.prune, alternatives=self.alternatives).search(game)
        return _Coevolution(game, self, own, other, starter)


class _Coevolution(SearchOfParts):
    """The running search: phases of one side and the other."""

    def __init__(
        self, game: Game, planner: Coevolution, own: AnnealingSearch, other: AnnealingSearch, starter: Search | None
    ) -> None:
        super().__init__(game, planner.prune, (own, other) if starter is None else (own, other, starter))
        self._planner, self._own, self._other, self._starter = planner, own, other, starter
        self._worth: dict[tuple[int, ...], float] = {}
        """The turns that a reply was looked for to, and what all known replies leave of them."""
        self._candidate: list[int] = []
        """The turn that a reply is looked for to."""
        self._own_has_begun = False
        """Whether the own turn has been annealed in this search."""
        self._judged_again = 0
        """Turns that are judged by the replies of all workers in the end."""

    def take_share(self, number: int, workers: int) -> None:
        """Take note that there are other workers, whose turns and replies are put together in the end."""
        self._judged_again = all_finalists(workers)

    def begin(self, root: NDArray[np.uint64], player: int, random: NDArray[np.uint64], budget: Budget) -> None:
        """Forget all replies and begin with the turn to start from."""
        super().begin(root, player, random, budget)
        self._root, self._whole = root.copy(), budget
        self._round, self._spent, self._replies = 0, 0.0, 0
        self._done, self._worth = [], {}
        self._counted = 0, 0
        """Evaluations and iterations of the phases that have ended."""
        empty_archive(self._own.archive)
        self._own.forget_choices()
        for part in self._parts:
            clear_rows(part.work.counters)
        self._begun, self._own_has_begun = 0.0, self._starter is None
        """The fraction of a time budget that was spent when the own turn began."""
        self._running: Search | None = self._starter or self._own
        if self._starter is None:
            with running(self._own):
                self._own.begin(root, player, random, self._first_part(budget))
        else:
            with running(self._starter):
                self._starter.begin(root, player, random, self._starting_part(budget))

    def _starting_part(self, budget: Budget) -> Budget:
        """What the turn to start from gets. The clock shares time."""
        for name in ("evaluations", "iterations"):
            total: int | None = getattr(budget, name)
            if total is not None:
                return Budget(**{name: max(1, int(total * self._planner.first_share))})
        return budget

    def _first_part(self, budget: Budget) -> Budget:
        """What the own turn gets at first: all if the rest is too little for a round. The clock shares time."""
        self._rounds = self._planner.rounds
        for name in ("evaluations", "iterations"):
            if getattr(budget, name) is not None:
                total = int(budget_left(self.counters, self._spent, _MUCH))
                rest = total - int(total * self._planner.alone)
                share = self._planner.share
                self._rounds = min(self._rounds, int(rest * share / (2 * LEAST_EFFORT + share * self._judged_again)))
                return Budget(**{name: max(1, total - rest if self._rounds else total)})
        return budget

    @property
    def _starting(self) -> bool:
        """Whether the turn to start from is being searched for."""
        return self._starter is not None and self._running is self._starter

    def share_time(self, fraction: float) -> None:
        """Take note of the time; the first phase ends by the clock."""
        self._spent = fraction
        if self._starting and self._starter is not None:
            self._starter.share_time(min(1.0, fraction / self._planner.first_share))
        elif self._round == 0:
            self._own.share_time(min(1.0, (fraction - self._begun) / (self._alone_until - self._begun)))

    @property
    def _alone_until(self) -> float:
        """The fraction of a time budget at which the first phase of the own turn ends."""
        return self._begun + (1 - self._begun) * self._planner.alone

    def advance(self, units: int) -> bool:
        """Change the turn or the reply `units` times."""
        side = self._running
        if side is None:
            return False
        with running(side):
            more = side.advance(units)
        side.check()
        self._count()
        if self.is_stopped:
            return False
        if more and self._goes_on():
            return True
        if not self._starting and not self._rounds:
            return False
        with running(side):
            found = side.best()[0]
        self._close(side)
        if self._starting:
            self._running = self._begin_first(found)
        else:
            self._running = self._begin_reply(found) if side is self._own else self._begin_turn(found)
        self._count()
        return self._running is not None

    def _goes_on(self) -> bool:
        """Whether the clock leaves the phase some time; from the first reply on, phases are counted."""
        if self._starting:
            return self._spent < self._planner.first_share
        return self._round > 0 or self._spent < self._alone_until

    def _begin_first(self, turn: list[int]) -> AnnealingSearch | None:
        """Begin to change the turn that was found to start from; None if nothing is left of the budget."""
        if budget_left(self.counters, self._spent, _MUCH) < 1:
            return None
        self._begun, self._own_has_begun = min(self._spent, _LATEST), True
        with running(self._own):
            budget = self._first_part(self._whole)
            self._own.begin_from(self._root, self.player, self._random(), budget, turn, None)
        return self._own

    def _begin_reply(self, turn: list[int]) -> AnnealingSearch | None:
        """Begin to look for a reply to a turn; None if there is no use or no time for it."""
        if self._round == self._rounds:
            return None
        self._round += 1
        effort = self._effort(self._planner.share)
        with running(self._own):
            known = self._own.judged(turn)
        if known.mover == self.player:
            self._worth[tuple(turn)] = known.value
            return None
        if effort < LEAST_EFFORT:
            return None
        self._candidate = turn
        hot = self._planner.warm if known.reply else None
        with running(self._other):
            self._other.begin_from(known.end, known.mover, self._random(), self._budget(effort), known.reply, hot)
        return self._other

    def _begin_turn(self, reply: list[int]) -> AnnealingSearch | None:
        """Enter a reply into the archive and begin to look for a turn that all replies leave most of."""
        enter_reply(self._own.archive, self._replies, reply)
        self._replies += 1
        with running(self._own):
            for turn in (*self._worth, tuple(self._candidate)):
                self._worth[turn] = self._own.judged(list(turn)).value
        self._count()
        effort = self._effort(1.0)
        if effort < LEAST_EFFORT:
            return None
        best = max(self._worth, key=lambda turn: self._worth[turn])
        self._close(self._own)  # keeps what the judgements took
        with running(self._own):
            self._own.begin_from(
                self._root, self.player, self._random(), self._budget(effort), list(best), self._planner.warm
            )
        return self._own

    def _effort(self, part: float) -> int:
        """The evaluations (or iterations) of a phase: a part of what is left for each of the rounds.

        All turns are judged by all replies after the next one, and some by those of other workers; that is kept back.
        """
        kept = (len(self._worth) + 2) * (self._replies + 2) + self._judged_again * self._rounds
        left = budget_left(self.counters, self._spent, _MUCH) - kept
        return int(left / (self._rounds - self._round + 1) * part)

    def _budget(self, effort: int) -> Budget:
        counted = self.counters.iteration_limit != NO_LIMIT
        return Budget(iterations=effort) if counted else Budget(evaluations=effort)

    def _random(self) -> NDArray[np.uint64]:
        """The random numbers of the next phase."""
        return stream([*map(int, self.work.rng), len(self._done)])

    def _close(self, side: Search) -> None:
        """Keep what a phase has counted, and lift its limits."""
        count = snapshot(side.counters)
        self._done.append(count)
        self._counted = self._counted[0] + count.evaluations, self._counted[1] + count.iterations
        clear_rows(side.work.counters)
        side.counters.evaluation_limit = side.counters.iteration_limit = NO_LIMIT

    def _count(self) -> None:
        """Bring up to date what the budget is measured by."""
        sides = [side.counters for side in self._parts]
        self.counters.evaluations = self._counted[0] + sum(one.evaluations for one in sides)
        self.counters.iterations = self._counted[1] + sum(one.iterations for one in sides)

    def best(self) -> tuple[list[int], float | None]:
        """The answered turn that the replies leave most of; until there is one, the best by its end."""
        self._add_up()
        if not self._worth:
            part = self._informed_part()
            with running(part), unchanged(part):
                return part.best()
        turn, value = max(self._worth.items(), key=lambda item: item[1])
        return list(turn), value

    def alternatives(self, most: int) -> list[tuple[list[int], float, int]]:
        """The turn to be played, then others by what the known replies leave of them, which may be too much.

        A reply was looked for to a few of them; the others are the best of the latest phase of the own turn, by the
        replies that were known then. Until there is a reply, the best by their ends.
        """
        if not self._worth:
            part = self._informed_part()
            with running(part), unchanged(part):
                return part.alternatives(most)
        ranked = self._answered()
        latest = ((tuple(turn), value) for turn, value, _ in self._own.alternatives(most))
        others = [*ranked[1:], *((turn, value) for turn, value in latest if turn not in self._worth)]
        others.sort(key=lambda item: -item[1])
        return [(list(turn), value, 1) for turn, value in [ranked[0], *others][:most]]

    def _informed_part(self) -> Search:
        """What knows the best turn before there is a reply: the own turn's search once it has valued one."""
        if self._starter is None or (self._own_has_begun and self._own.best()[1] is not None):
            return self._own
        return self._starter

    def _answered(self) -> list[tuple[tuple[int, ...], float]]:
        """The turns that a reply was looked for to, best first."""
        return sorted(self._worth.items(), key=lambda item: -item[1])

    def merged(self, others: Sequence[Search]) -> Reading:
        """The best answered turns of all workers, judged by the replies of all; if there is none, the best by its end.

        A worker's own replies would not do: the turn whose replies were missed would look best.
        """
        team = [self, *(one for one in others if isinstance(one, _Coevolution))]
        ranked = [one._answered()[: finalists(len(team))] for one in team if one._worth]
        if not ranked:
            add_up(team)
            return BestOf(team)
        for reply in [reply for one in team[1:] for reply in replies_in(one._own.archive)]:
            enter_reply(self._own.archive, self._replies, reply)
            self._replies += 1
        own = self._own.counters
        own.evaluation_limit = own.iteration_limit = NO_LIMIT
        with running(self._own):
            turns = {turn: self._own.judged(list(turn)).value for found in ranked for turn, _ in found}
        self._own.check()
        add_up(team)
        return Ranked(turns)

    def figures(self) -> dict[str, float]:
        """How many replies are known, and how many turns one was looked for to."""
        return {"replies": self._replies, "answered": len(self._worth)}
