"""Looking beyond the opponent's answer: turns are judged by the player's best next turn after the best answers.

Where all turns of both players can be tried, the best answer to every good turn is soon known, and most of the budget
would be left. It goes into the next turn: for each of the best turns the opponent's best answers are listed, after each
of them the best own turn is looked for, and the answer counts that leaves least. Nothing is compared before it has been
looked at as far as this.
"""

from __future__ import annotations

from collections.abc import Callable, Generator, Iterator, Sequence
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from tactician.contract.game import Game
from tactician.contract.random import stream
from tactician.contract.state import State
from tactician.planners.base import Search
from tactician.planners.parts import running
from tactician.planners.referee import Referee
from tactician.seats.budget import Budget
from tactician.seats.plan import position_after, value_for

MOST_DOUBLED = 4
"""How often the numbers of turns and answers are doubled."""


class Options(Protocol):
    """What it needs to know of the planner."""

    @property
    def further(self) -> int:
        """Turns that are judged first ..."""

    @property
    def answers(self) -> int:
        """... and answers to each of them."""

    @property
    def trust(self) -> float:
        """How much what comes after a turn counts."""


class Further:
    """What turns are worth after the opponent's best answers and the own next turn."""

    def __init__(self, game: Game, search: Search, options: Options, done: Callable[[], None]) -> None:
        """`search` tries all turns of a player; `done` is called after each of its searches."""
        self._game, self._search, self._options, self._done = game, search, options, done
        self.worth: dict[int, float] = {}
        """By number of the turn; all have been looked at equally far."""
        self.units = 1
        """Units of a search until the next pause."""

    def look(
        self, turns: Sequence[int], ends: Referee, player: int, left: Callable[[], Budget | None]
    ) -> Iterator[None]:
        """Judge turns, given best first, until what is left of the budget is spent; pause after each piece of work.

        First a few turns and a few answers to each, then twice as many of both, and so on.
        """
        self.worth = {}
        for doubled in range(MOST_DOUBLED + 1):
            found: dict[int, float] = {} if doubled else self.worth
            for number in turns[: self._options.further << doubled]:
                best = max(found.values(), default=-np.inf)
                value = yield from self._judged(number, ends, player, self._options.answers << doubled, best, left)
                if value is None:
                    return
                found[number] = value
            self.worth = found
            turns = [*sorted(found, key=lambda number: -found[number]), *(one for one in turns if one not in found)]

    def _judged(
        self, number: int, ends: Referee, player: int, answers: int, best: float, left: Callable[[], Budget | None]
    ) -> Generator[None, None, float | None]:
        """What a turn is worth over all guesses; None if the budget ends before that is known."""
        total = 0.0
        for guess in range(ends.guesses):
            state, mover = ends.end(number, guess)
            if mover == player:
                total += ends.left(number, guess)
                continue
            # Where nothing else counts, an answer that leaves less than the best turn has settles it.
            enough = best if ends.guesses == 1 and self._options.trust == 1 else -np.inf
            value = yield from self._after_answers(state, mover, player, answers, enough, left)
            if value is None:
                return None
            total += value
        return total / ends.guesses

    def _after_answers(
        self,
        state: NDArray[np.uint64],
        mover: int,
        player: int,
        answers: int,
        enough: float,
        left: Callable[[], Budget | None],
    ) -> Generator[None, None, float | None]:
        """What the best answers leave after the own next turn, or the first that leaves no more than `enough`."""
        if not (yield from self._searched(state, mover, left)):
            return None
        with running(self._search):
            listed = self._search.alternatives(answers)
        self._done()
        begins = State(self._game, state.copy(), stream(0))
        worst = np.inf
        for answer, _, _ in listed:
            after = position_after(begins, answer)
            if after.is_over() or after.current_player() != player:
                if left() is None:
                    return None
                value: float | None = value_for(after, player)
                self._search.counters.evaluations += 1
                self._done()
                yield  # the count is brought up to date
            else:
                if not (yield from self._searched(after.words, player, left)):
                    return None
                with running(self._search):
                    value = self._search.best()[1]
                self._done()
            worst = min(worst, np.inf if value is None else value)
            if worst <= enough:
                break
        return float(worst) if np.isfinite(worst) else None

    def _searched(
        self, state: NDArray[np.uint64], mover: int, left: Callable[[], Budget | None]
    ) -> Generator[None, None, bool]:
        """Try all turns from a state; False if the budget ends first."""
        budget = left()
        if budget is None:
            return False
        with running(self._search):
            self._search.begin(state, mover, stream(0), budget)
        more = True
        while more:
            with running(self._search):
                more = self._search.advance(self.units)
            self._search.check()
            yield
        count = self._search.counters
        return bool(count.evaluations < count.evaluation_limit and count.iterations < count.iteration_limit)
