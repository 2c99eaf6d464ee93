"""Random and Greedy Action: the two planners that don't search.

Random plays uniformly among the actions; Greedy Action takes, one action at a time, the one after which the
evaluation is best.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from tactician.contract.game import Game
from tactician.contract.random import below
from tactician.contract.state import State
from tactician.native.caching import kernel
from tactician.native.memory import borrowed
from tactician.planners.base import Agent, Planner, Search, SearchAgent
from tactician.planners.work import (
    COMPLETED,
    ITERATION_LIMIT,
    ITERATIONS,
    SEQUENCES,
    apply,
    best_action,
    best_rated,
    copy_state,
    judge,
    list_candidates,
    may_evaluate,
    state_at,
    turn_goes_on,
)
from tactician.seats.budget import Budget
from tactician.seats.plan import Plan
from tactician.seats.seat import acting_seat

_ROOT, _NOW, _TRIAL = 0, 1, 2
MAX_TURN = 1024
"""Longer turns are planned in parts."""


@dataclass(frozen=True, kw_only=True)
class Random(Planner):
    """Plays uniformly among the legal actions until the turn ends."""

    name: ClassVar[str] = "random"
    page: ClassVar[str] = "planners/greedy.md"
    iteration: ClassVar[str] = "the turn"
    simultaneous: ClassVar[bool] = True
    paper: ClassVar[str] = "Justesen et al. 2017; Baier & Cowling 2018"

    prune: bool = False
    """Consider the game's candidate actions; False: every legal action, as in the papers."""

    def search(self, game: Game) -> Search:
        """One turn is all there is."""
        return _TurnSearch(game, self.prune, greedy=False)

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
    """Takes the action with the best evaluation right after it until the turn ends; ties are broken at random."""

    name: ClassVar[str] = "greedy-action"
    page: ClassVar[str] = "planners/greedy.md"
    iteration: ClassVar[str] = "the turn"
    paper: ClassVar[str] = "Justesen et al. 2017, section V"

    def search(self, game: Game) -> Search:
        """One turn is all there is."""
        return _TurnSearch(game, self.prune, greedy=True)


class _TurnSearch(Search):
    """Plays one turn; whatever the budget does not allow to be judged is chosen by rating."""

    def __init__(self, game: Game, prune: bool, greedy: bool) -> None:
        super().__init__(game, prune)
        self._greedy = greedy
        self._turn = np.zeros(MAX_TURN, np.int32)
        self._value = np.zeros(1)
        self._length = -1

    def begin(self, root: NDArray[np.uint64], player: int, random: NDArray[np.uint64], budget: Budget) -> None:
        """Forget the last turn."""
        super().begin(root, player, random, budget)
        self._length = -1

    def _advance(self, units: int) -> bool:
        """The whole turn at once."""
        if self._length < 0:
            self._length = _play_turn(self.work, self.player, self._greedy, self._turn, self._value)
        return False

    def best(self) -> tuple[list[int], float | None]:
        """The turn; Random has no opinion of it."""
        if self._length < 0:
            self._advance(1)
        return self._turn[: self._length].tolist(), float(self._value[0]) if self._greedy else None


@kernel
def _play_turn(w: Any, player: Any, greedy: Any, turn: Any, value: Any) -> Any:
    w = borrowed(w)
    now, trial = state_at(w, _NOW), state_at(w, _TRIAL)
    copy_state(w, now, state_at(w, _ROOT))
    length = 0
    while length < turn.shape[0] and turn_goes_on(w, now, player):
        n = list_candidates(w, now, 0)
        if greedy:
            action = best_action(w, now, player, 0, n, trial)
            if action < 0:
                action = best_rated(w, now, 0, n)
                w.count[COMPLETED] += 1
        else:
            action = np.int64(w.actions[0, below(w.rng, n)])
        turn[length] = action
        length += 1
        apply(w, now, action)
    w.count[ITERATIONS] += min(1, w.count[ITERATION_LIMIT])
    w.count[SEQUENCES] += 1
    if greedy and may_evaluate(w):
        value[0] = judge(w, now, player)
    return length
