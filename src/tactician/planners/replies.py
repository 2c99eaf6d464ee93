"""Turns judged by the best answer to them: one planner proposes turns, another looks for the opponent's replies.

A planner of turns stops where the turn ends, and so it walks into whatever the opponent does next. Here it gets a part
of the budget and hands over its best different turns; the rest is spent on answers to these. A turn is worth what the
best answer known so far leaves of it, so its worth can only fall. That makes the order of work simple: an answer is
looked for to the turn that looks best, and tried on all others as well, which costs one evaluation each. A turn that
still looks best after its own answer leads; then everything is looked at with twice the effort.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import ClassVar, Literal

import numpy as np
from numpy.typing import NDArray

from tactician.contract.game import Game
from tactician.contract.random import stream
from tactician.contract.state import State
from tactician.native.rows import clear_rows, snapshot
from tactician.planners.base import Planner, Search
from tactician.planners.further import MOST_DOUBLED, Further
from tactician.planners.inside import read, written
from tactician.planners.parts import SearchOfParts, add_up, budget_left, running, unchanged
from tactician.planners.referee import Referee
from tactician.planners.team import BestOf, Ranked, Reading, all_finalists, finalists
from tactician.planners.work import NO_LIMIT
from tactician.seats.budget import Budget

MOST_KEPT, MOST_GUESSES = 1000, 1000
LEAST_EFFORT = 40
"""Evaluations (or iterations) that an answer gets at least."""
_FIRST_ANSWERS = 24
"""Answers that the budget would allow if all had the effort of the first and were tried on nothing else."""
_TESTED = 40
"""Trying an answer on all proposals may take at most this part of the budget of answers, else there are fewer."""
_LEAST_UNITS = 32
"""Units that an answer is looked for at a time, so that calls of kernels are few; far less than a millisecond."""
_NOTHING = -1
_UNKNOWN = np.inf
_MUCH = 1e9


@dataclass(frozen=True, kw_only=True)
class Reply(Planner):
    """Lets another planner propose turns and judges each by the opponent's best answer."""

    name: ClassVar[str] = "reply"
    page: ClassVar[str] = "planners/reply.md"
    iteration: ClassVar[str] = "that of the proposing planner and of the answering one"
    paper: ClassVar[str] = "beyond the papers"
    judges_replies: ClassVar[bool] = True

    planner: Planner | str = "emcts"
    """The planner that proposes turns; with parameters in brackets: `(oep:population=50)`."""
    answer: Planner | str = "oep"
    """The planner that looks for the opponent's answers, likewise."""
    keep: int = 400
    """Proposed turns that are kept and judged by answers, 2 to 1000."""
    share: float = 0.5
    """Share of the budget for answers, between 0 and 1, both excluded."""
    guesses: int = 1
    """Guesses of the hidden information on which answers are searched for, 1 to 1000; values are averaged over them."""
    judged: Literal["after", "before"] = "after"
    """When an answer is valued: `after` the opponent's turn has ended, or `before` its last action."""
    trust: float = 1.0
    """Weight of the value after the answer, 0 to 1; the rest is the turn's own value. Lower it if answers are
    missed."""
    further: int = 0
    """Best turns for which the player's next turn is searched, too, if the answers leave budget, 0 to 1000."""
    answers: int = 4
    """Best answers to each turn after which the player's next turn is searched (see `further`), 1 to 1000."""

    def __post_init__(self) -> None:
        super().__post_init__()
        whole = isinstance(self.keep, int) and isinstance(self.guesses, int)
        self._require(whole and 2 <= self.keep <= MOST_KEPT, "keep", f"2 to {MOST_KEPT}")
        self._require(whole and 1 <= self.guesses <= MOST_GUESSES, "guesses", f"1 to {MOST_GUESSES}")
        self._require(0 < self.share < 1, "share", "a number between 0 and 1, both excluded")
        self._require(0 <= self.trust <= 1, "trust", "a number from 0 to 1")
        self._require(isinstance(self.further, int) and 0 <= self.further <= MOST_KEPT, "further", f"0 to {MOST_KEPT}")
        self._require(isinstance(self.answers, int) and 1 <= self.answers <= MOST_KEPT, "answers", f"1 to {MOST_KEPT}")
        self._require(self.judged in ("after", "before"), "judged", "'after' or 'before'")
        for name in ("planner", "answer"):
            inner = self._inner(name)
            answers = inner.judges_replies or bool(getattr(inner, "replies", 0.0))
            plain = not answers and not inner.simultaneous and not inner.handles_hidden
            self._require(plain, name, "a planner for turns that neither looks for answers nor guesses itself")
            object.__setattr__(self, name, written(inner))

    def rate(self) -> float:
        """Reference work is that of the planner that proposes."""
        return self._inner("planner").rate()

    def search(self, game: Game) -> Search:
        """A search that holds those of both planners."""
        proposer = replace(self._inner("planner"), alternatives=self.keep)
        proposer, answerer = (
            replace(inner, prune=inner.prune and self.prune) for inner in (proposer, self._inner("answer"))
        )
        proposing, answering = (inner.search(inner.own_game(game)) for inner in (proposer, answerer))
        every = replace(
            read("greedy-turn"), prune=self.prune, alternatives=min(MOST_KEPT, self.answers << MOST_DOUBLED)
        )
        return RepliesSearch(game, self, proposing, answering, every.search(game) if self.further else None)

    def _inner(self, name: str) -> Planner:
        return read(getattr(self, name))


class RepliesSearch(SearchOfParts):
    """The running search: proposing first, then answering. It runs no rules itself: its parts do, each with its own."""

    def __init__(
        self, game: Game, planner: Reply, proposer: Search, answerer: Search, every: Search | None = None
    ) -> None:
        """`every` tries all turns, for the own next turn."""
        self._referee = Referee(game, planner.prune, planner.keep, planner.guesses, planner.judged == "before")
        parts = (proposer, answerer, self._referee)
        super().__init__(game, planner.prune, parts if every is None else (*parts, every))
        self._further = None if every is None else Further(game, every, planner, lambda: self._took(every))
        """What looks beyond the answers ..."""
        self._looking: Iterator[None] | None = None
        """... and does so."""
        self._planner, self._proposer, self._answerer = planner, proposer, answerer
        self._turns: list[list[int]] = []
        """The proposals ..."""
        self._values: NDArray[np.float64] = np.zeros(0)
        """... and what the proposer thinks that they are worth."""
        self._effort = 0
        """Evaluations (or iterations) of the next answer ..."""
        self._efforts: NDArray[np.float64] = np.zeros(0)
        """... and of the latest one to each proposal; infinite where all answers are known."""
        self._answer_to: dict[tuple[int, int], list[int]] = {}
        """The latest answer to a proposal in a guess."""
        self._number, self._workers = 0, 1

    def take_share(self, number: int, workers: int) -> None:
        """Take note that this is one of several workers: they share the answering of turns that all of them know."""
        self._number, self._workers = number, workers

    def begin(self, root: NDArray[np.uint64], player: int, random: NDArray[np.uint64], budget: Budget) -> None:
        """Forget everything and begin to propose."""
        super().begin(root, player, random, budget)
        self._root = root.copy()
        self._turns, self._values, self._efforts = [], np.zeros(0), np.zeros(0)
        self._open, self._guess = _NOTHING, 0
        self._answers, self._answer_to = 0, {}
        self._spent = 0.0
        self._proposing, self._alone = True, False
        self._looking = None
        if self._further is not None:
            self._further.worth = {}
        self._done = []
        self._answered_evaluations = self._answered_iterations = 0
        """What was spent on the answers before the one that is looked for."""
        self._referee.begin(root, player, random, budget)
        self._proposer.begin(root, player, random, self._first_part(budget))

    def _first_part(self, budget: Budget) -> Budget:
        """What the proposer gets of a budget; all of it if the rest is too little for answers. Python shares time."""
        for name in ("evaluations", "iterations"):
            total: int | None = getattr(budget, name)
            if total is not None:
                rest = int(total * self._planner.share)
                return Budget(**{name: total if rest < 2 * LEAST_EFFORT else total - rest})
        return budget

    _open: int
    """The proposal to which an answer is being looked for, or NOTHING ..."""
    _guess: int
    """... and the guess of what is hidden."""

    def share_time(self, fraction: float) -> None:
        """Take note of the time; the proposer has a part of it."""
        self._spent = fraction
        if self._proposing:
            self._proposer.share_time(min(1.0, fraction / (1 - self._planner.share)))

    def advance(self, units: int) -> bool:
        """Propose for `units` units of the planner that does it, or answer for `units` evaluations."""
        if self._proposing:
            with running(self._proposer):
                more = self._proposer.advance(units)
            self._proposer.check()
            self.count()
            if self._alone or self.is_stopped:
                return more and not self.is_stopped
            if not more or self._spent >= 1 - self._planner.share:
                self.collect()
        else:
            until = self.counters.evaluations + units
            while self._busy() and self.counters.evaluations < until and not self.is_stopped:
                piece = max(_LEAST_UNITS, int(until - self.counters.evaluations))
                if self._looking is None:
                    self._answer(piece)
                else:
                    self._look(piece)
                self.count()
        return (self._proposing or self._busy()) and not self.is_stopped

    @property
    def proposer(self) -> Search:
        """The search that proposes turns."""
        return self._proposer

    def _busy(self) -> bool:
        """Whether there is an answer to look for, or something beyond."""
        return self._open != _NOTHING or self._looking is not None

    def best(self) -> tuple[list[int], float | None]:
        """The turn that the best answer leaves most of; until answers are known, the proposer's best."""
        self._add_up()
        judged = self._judged()
        if not judged:
            with running(self._proposer), unchanged(self._proposer):
                return self._proposer.best()
        value, number = judged[0]
        return list(self._turns[number]), value

    def alternatives(self, most: int) -> list[tuple[list[int], float, int]]:
        """The turn to be played, then the other proposals by what the answers known so far leave of them.

        Few turns get an answer of their own, since one usually refutes many; of the others less may be left than that.
        Until there is an answer, what the proposer has.
        """
        judged = self._judged()
        if not judged:
            with running(self._proposer), unchanged(self._proposer):
                return self._proposer.alternatives(most)
        looked_at = self._further.worth if self._further is not None else {}
        first = judged[: max(1, len(looked_at))]
        listed = {number for _, number in first}
        worth = self._worth()
        rest = [number for number in np.argsort(-worth, kind="stable").tolist() if number not in listed]
        ranked = first + [(float(worth[number]), number) for number in rest if worth[number] < _UNKNOWN]
        return [(list(self._turns[number]), value, 1) for value, number in ranked[:most]]

    def merged(self, others: Sequence[Search]) -> Reading:
        """The best answered turns of all workers, judged by the answers to all of these; else the best proposal.

        A worker's own answers would not do: the turn whose answers were missed would look best.
        """
        team = [self, *(one for one in others if isinstance(one, RepliesSearch))]
        last = [(one, *judged) for one in team for judged in one._judged()[: finalists(len(team))]]
        if not last:
            add_up(team)
            return BestOf(team)
        answers = [
            (guess, answer)
            for one, _, number in last
            for (answered, guess), answer in one._answer_to.items()
            if answered == number
        ]
        last = last[: self._planner.keep]
        values = {tuple(one._turns[number]): float(one._values[number]) for one, _, number in last}
        known = {tuple(one._turns[number]): value for one, value, number in last}
        with running(self._referee):
            self._referee.take(self._worlds(), [list(turn) for turn in values], self.player)
            for guess, answer in answers:
                self._referee.test(guess, answer, len(values), self.player)
        self._referee.check()
        add_up(team)
        left = self._mixed(self._referee.worth(len(values)), np.array(list(values.values())))
        # In the worlds that this worker has guessed a turn may lack an answer; then its own worker's value stands.
        pairs = zip(values, left.tolist(), strict=True)
        return Ranked({turn: worth if np.isfinite(worth) else known[turn] for turn, worth in pairs})

    def _judged(self) -> list[tuple[float, int]]:
        """The proposals with what the best answer leaves of them, best first.

        Only turns with an answer of their own are comparable; those that were looked at with less than half the
        effort come after the others.
        """
        worth, enough = self._worth(), self._effort / 2
        ranked = sorted(range(len(worth)), key=lambda number: (self._efforts[number] < enough, -worth[number]))
        known = [number for number in ranked if self._efforts[number] > 0 and worth[number] < _UNKNOWN]
        looked_at = self._further.worth if self._further is not None else {}
        trust = self._planner.trust
        mixed = [
            (trust * left + (1 - trust) * float(self._values[number]), number) for number, left in looked_at.items()
        ]
        best = sorted(mixed, key=lambda one: -one[0])
        return best + [(float(worth[number]), number) for number in known if number not in looked_at]

    def _worth(self) -> NDArray[np.float64]:
        """What each proposal is worth: what the best answer leaves of it, mixed with its own value."""
        return self._mixed(self._referee.worth(len(self._turns)), self._values)

    def _mixed(self, left: NDArray[np.float64], values: NDArray[np.float64]) -> NDArray[np.float64]:
        """What answers leave of turns, as far as it counts, and what the turns are worth by themselves."""
        trust = self._planner.trust
        return left if trust == 1 else trust * left + (1 - trust) * values

    def figures(self) -> dict[str, float]:
        """How many turns were proposed, were answered themselves and were judged further; the next answer's effort."""
        if self._proposing:
            return self._proposer.figures()
        answered = int((self._efforts > 0).sum())
        told: dict[str, float] = {"proposals": len(self._turns), "answered": answered, "effort": self._effort}
        return told if self._further is None else {**told, "further": len(self._further.worth)}

    # -- the order of work -----------------------------------------------------------------------------------

    def collect(self) -> None:
        """Take the proposals and begin to answer; those that nobody answers have their value."""
        with running(self._proposer):
            found = self._proposer.alternatives(self._planner.keep)
        self._proposer.check()
        if self._proposer.is_certain() and len(found) >= 2 * self._workers:
            found = found[self._number :: self._workers]
        guesses = self._worlds()
        left = self._budget_left() / len(guesses)
        if len(found) < 2 or left < 2 * LEAST_EFFORT:
            # Nothing to choose from: the proposer gets the rest as well.
            self._alone = True
            self._proposer.counters.evaluation_limit = self.counters.evaluation_limit
            self._proposer.counters.iteration_limit = self.counters.iteration_limit
            return
        self._proposing = False
        found = found[: max(2, int(left / _TESTED))]
        self._turns, self._values = [turn for turn, _, _ in found], np.array([value for _, value, _ in found])
        with running(self._referee):
            self._referee.take(guesses, self._turns, self.player)
        self._referee.check()
        over = [number for number in range(len(self._turns)) if self._referee.is_answered(number)]
        self._efforts = np.zeros(len(self._turns))
        self._efforts[over] = np.inf
        self._effort = max(LEAST_EFFORT, int(left / _FIRST_ANSWERS))
        self._next()

    def _worlds(self) -> list[NDArray[np.uint64]]:
        """The guess that the proposer planned on, and others."""
        state = State(self.game, self._root.copy(), stream(0))
        seed = [int(word) for word in self.work.rng]
        others = range(1, self._planner.guesses if self.game.hides_information else 1)
        return [self._root, *(state.resample_hidden(self.player, [*seed, number]).words for number in others)]

    def _budget_left(self) -> float:
        """What is left of the budget, in evaluations or iterations; estimated if it is a time.

        What it takes to judge some turns by the answers of all workers is kept back.
        """
        again = all_finalists(self._workers) ** 2 * self._planner.guesses / self._workers
        return budget_left(self.counters, self._spent, _MUCH) - again

    def _next(self) -> None:
        """Begin to look for an answer to the proposal that looks best, with more effort than before."""
        worth = self._worth()
        best = int(np.argmax(worth))
        self._open, self._guess = _NOTHING, 0
        if self._efforts[best] >= self._effort:
            if np.isinf(self._efforts[best]):
                self._look_further()
                return
            self._effort *= 2
        if self._budget_left() >= 1:
            self._open = best
            self._settled = True
            self._next_guess()

    def _look_further(self) -> None:
        """Nothing is left to answer: begin to look beyond the answers to the best turns, if that is wanted."""
        if self._further is not None and self._workers == 1:
            turns = np.argsort(-self._worth(), kind="stable").tolist()
            self._looking = self._further.look(turns, self._referee, self.player, self._rest)

    def _look(self, units: int) -> None:
        """Look further for `units` units."""
        assert self._further is not None
        assert self._looking is not None
        self._further.units = units
        if next(self._looking, _NOTHING) == _NOTHING:
            self._looking = None

    def _rest(self) -> Budget | None:
        """All that is left of the budget; None if that is nothing."""
        left = int(self._budget_left())
        return self._counted(left) if left >= 1 else None

    def _counted(self, effort: int) -> Budget:
        """So many evaluations, or iterations where the budget counts those."""
        counted = self.counters.iteration_limit != NO_LIMIT
        return Budget(iterations=effort) if counted else Budget(evaluations=effort)

    def _took(self, part: Search) -> None:
        """Put down what a search of a part took, before it begins anew."""
        count = snapshot(part.counters)
        self._done.append(count)
        self._answered_evaluations += count.evaluations
        self._answered_iterations += count.iterations
        clear_rows(part.work.counters)

    def _next_guess(self) -> None:
        """Begin to look for an answer in the next guess in which there is one; after the last, the next proposal."""
        while self._guess < self._referee.guesses:
            state, mover = self._referee.end(self._open, self._guess)
            left = int(self._budget_left()) - len(self._turns)
            if mover != self.player:
                self._ask(state, mover, max(1, min(self._effort, left)))
                return
            self._guess += 1
        self._efforts[self._open] = np.inf if self._settled else self._effort
        self._next()

    def _ask(self, state: NDArray[np.uint64], mover: int, effort: int) -> None:
        """Begin to look for the mover's best turn."""
        random = stream([*map(int, self.work.rng), self._answers])
        with running(self._answerer):
            self._answerer.begin(state, mover, random, self._counted(effort))

    def _answer(self, units: int) -> None:
        """Look for an answer to the open proposal; try it on all that are left once it is found."""
        with running(self._answerer):
            more = self._answerer.advance(units)
            turn = [] if more else self._answerer.best()[0]
        self._answerer.check()
        if more or self.is_stopped:
            return
        count = snapshot(self._answerer.counters)
        limited = count.evaluations >= count.evaluation_limit or count.iterations >= count.iteration_limit
        self._settled = self._settled and not limited
        self._answer_to[self._open, self._guess] = turn
        self._took(self._answerer)
        self._answers += 1
        with running(self._referee):
            self.count()
            self._referee.test(self._guess, turn, self._affordable_tests(), self.player)
        self._referee.check()
        self.count()
        self._guess += 1
        self._next_guess()

    def _affordable_tests(self) -> int:
        """On how many proposals an answer can be tried: all, unless the evaluations run out."""
        count = self.counters
        return int(min(len(self._turns), max(0, count.evaluation_limit - count.evaluations)))

    # -- what the parts have in common -----------------------------------------------------------------------

    def count(self) -> None:
        """Bring up to date what the budget is measured by."""
        parts = [part.counters for part in self._parts]
        self.counters.evaluations = self._answered_evaluations + sum(one.evaluations for one in parts)
        self.counters.iterations = self._answered_iterations + sum(one.iterations for one in parts)
