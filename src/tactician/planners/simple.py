"""Random and Greedy Action: the two planners that don't search.

Random plays uniformly among the actions; Greedy Action takes, one action at a time, the one after which the
evaluation is best.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from tactician.contract.game import Game
from tactician.contract.state import State
from tactician.native.caching import inlined, kernel
from tactician.native.memory import borrowed
from tactician.native.rows import Row, Rows, make_rows
from tactician.planners.base import Agent, Planner, Search
from tactician.planners.greedy import best_action
from tactician.planners.search_agent import SearchAgent
from tactician.planners.work import (
    OPTIONS,
    Work,
    apply,
    best_rated,
    from_root,
    judge,
    list_candidates,
    may_evaluate,
    random_for,
    turn_continues,
)
from tactician.seats.budget import Budget
from tactician.seats.plan import Plan
from tactician.seats.seat import acting_seat

MAX_TURN = 1024
"""Longer turns are planned in parts."""


@dataclass(frozen=True, kw_only=True)
class Random(Planner):
    """Plays uniformly among the legal actions until the turn ends."""

    name: ClassVar[str] = "random"
    page: ClassVar[str] = "planners/greedy.md"
    iteration: ClassVar[str] = "one turn"
    parallel: ClassVar[bool] = False
    simultaneous: ClassVar[bool] = True
    paper: ClassVar[str] = "Justesen et al. 2017; Baier & Cowling 2018"

    prune: bool = False
    """Consider the game's candidate actions; False: every legal action, as in the papers."""

    def search(self, game: Game) -> Search:
        """One turn is all there is."""
        return TurnSearch(game, self.prune, greedy=False)

    def on(self, game: Game, seed: int = 0, full_information: bool = False) -> Agent:
        """An agent; it plays where all act at once, too."""
        return (_RandomMoves if game.simultaneous else SearchAgent)(self, game, seed, full_information)


class _RandomMoves(Agent):
    """Random where all act at once: an action of a seat, without a search."""

    def plan(self, state: State, budget: Budget | str, *, ply: int = 0, seat: int | None = None) -> Plan:
        """An action for the seat; where players take turns, the first of the turn."""
        self._budget(state, budget)
        mine = acting_seat(state, seat)
        options = state.candidate_actions(mine) if self.planner.prune else state.legal_actions(mine)
        chosen = np.random.default_rng([self.seed, ply, mine]).integers(len(options))
        return Plan((options[int(chosen)],), None, state=state.copy())


@dataclass(frozen=True, kw_only=True)
class GreedyAction(Planner):
    """Repeatedly takes the action after which the evaluation is best; ties are broken at random."""

    name: ClassVar[str] = "greedy-action"
    page: ClassVar[str] = "planners/greedy.md"
    iteration: ClassVar[str] = "the turn"
    parallel: ClassVar[bool] = False
    paper: ClassVar[str] = "Justesen et al. 2017, section V"

    def search(self, game: Game) -> Search:
        """One turn is all there is."""
        return TurnSearch(game, self.prune, greedy=True)


class _Result(Row):
    """What has become of a turn."""

    length: int
    """How many actions it has."""
    value: float
    """What it is worth; NaN if it was not valued."""


class TurnSearch(Search):
    """Plays one turn; once the budget is spent, ratings choose."""

    def __init__(self, game: Game, prune: bool, greedy: bool) -> None:
        super().__init__(game, prune)
        self._greedy = greedy
        self._turn: NDArray[np.int32] = np.zeros(MAX_TURN, np.int32)
        self._result = make_rows(_Result)
        self._played = False

    def begin(self, root: NDArray[np.uint64], player: int, random: NDArray[np.uint64], budget: Budget) -> None:
        """Forget the last turn."""
        super().begin(root, player, random, budget)
        self._played = False

    def advance(self, units: int) -> bool:
        """Play the whole turn at once."""
        if not self._played:
            self.play(1)
            self._played = True
        return False

    def play(self, times: int) -> None:
        """Play the turn so many times from its beginning, as benchmarks do; the last one counts."""
        _play_turns(self.work, self._turn, self._result, self.player, self._greedy, times)

    def best(self) -> tuple[list[int], float | None]:
        """The turn; Random does not value it."""
        self.advance(1)
        result = self._result[0]
        valued = self._greedy and not np.isnan(result.value)
        return self._turn[: result.length].tolist(), float(result.value) if valued else None

    def alternatives(self, most: int) -> list[tuple[list[int], float, int]]:
        """The only turn there is, if it was valued."""
        turn, value = self.best()
        return [] if value is None else [(turn, value, 1)]


@kernel
def _play_turns(
    work: Work, turn: NDArray[np.int32], results: Rows[_Result], player: int, greedy: bool, times: int
) -> None:
    """Play a turn from the root so many times, and write the last one to `turn`."""
    work = borrowed(work)
    for _ in range(times):
        _play_turn(work, turn, results, player, greedy)


@inlined
def _play_turn(work: Work, turn: NDArray[np.int32], results: Rows[_Result], player: int, greedy: bool) -> None:
    """Play a turn from the root and write it to `turn`."""
    now = from_root(work)
    count, result = work.counters[0], results[0]
    length = 0
    while length < turn.shape[0] and turn_continues(work, now, player):
        if greedy:
            n = list_candidates(work, now, OPTIONS)
            action = best_action(work, now, player, n)
            if action < 0:
                action = best_rated(work, now, n)
                count.completed += 1
        else:
            action = random_for(work, now, player)
        turn[length] = action
        length += 1
        apply(work, now, action)
    count.iterations += min(1, count.iteration_limit)
    count.sequences += 1
    result.value = judge(work, now, player) if greedy and may_evaluate(work) else np.nan
    result.length = length
