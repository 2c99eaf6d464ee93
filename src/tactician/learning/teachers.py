"""Whose choices a follower learns: a planner that sees the whole state (the oracle), or another agent.

A teacher accompanies one battle. Given the same seed and the same steps it gives the same labels, so a battle that was
interrupted is taken up again by repeating its steps.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from tactician.arena.agents import PlannerSpec, parse_agent
from tactician.contract.game import Game
from tactician.contract.state import State
from tactician.planners.base import Planner
from tactician.planners.simultaneous_agent import SimultaneousAgent
from tactician.seats.budget import Budget
from tactician.seats.plan import uninterrupted
from tactician.seats.seat import Seat


@dataclass(frozen=True)
class Label:
    """What a teacher says about one seat of a state."""

    action: int
    actions: NDArray[np.int64]
    """The actions it has an estimate of; may be empty."""
    values: NDArray[np.float32]
    """The estimates, 0 (loss) to 1 (win)."""
    visits: NDArray[np.float32]
    """The share of its simulations that tried each of them."""


class Teacher(ABC):
    """Labels the states of one battle after the other."""

    @abstractmethod
    def begin(self, seed: int) -> None:
        """A battle begins."""

    @abstractmethod
    def label(self, state: State, ply: int, seats: Sequence[int]) -> list[Label]:
        """A label for each of the seats, which have a choice in this state."""


def make_teacher(spec: str, game: Game, budget: str) -> Teacher:
    """The teacher that a text describes, as in the arena."""
    agent = parse_agent(spec)
    if isinstance(agent, PlannerSpec):
        return Oracle(agent.planner, game, budget)
    return make_expert(spec, game, budget)


def make_expert(spec: str, game: Game, budget: str) -> Expert:
    """An agent in every seat, each of which sees what its seat sees."""
    agent = parse_agent(spec)
    agent.check(game)
    return Expert([agent.on(game) for _ in range(game.players)], budget)


class Oracle(Teacher):
    """A planner that sees everything."""

    def __init__(self, planner: Planner, game: Game, budget: str) -> None:
        self._agent = planner.on(game, full_information=True)
        self._budget = Budget.parse(budget)

    def begin(self, seed: int) -> None:
        """Forget the last battle."""
        self._agent.seeded(seed)
        self._agent.new_game()

    def label(self, state: State, ply: int, seats: Sequence[int]) -> list[Label]:
        """The choices of one search; where all act at once, with the estimates of all actions that it tried."""
        agent = self._agent
        if isinstance(agent, SimultaneousAgent):
            plans = agent.plan_all(state, self._budget, ply=ply)
            return [_label(plans[seat].actions[0], agent.estimates(seat)) for seat in seats]
        plan = uninterrupted(agent.plan(state, self._budget, ply=ply, seat=seats[0]))
        return [_label(plan.actions[0], [])]


def _label(action: int, estimates: list[tuple[int, float, float]]) -> Label:
    tried = [one for one in estimates if one[2] > 0]
    actions, values, visits = zip(*tried, strict=True) if tried else ((), (), ())
    worth = np.array([(value + 1) / 2 for value in values], np.float32)
    counts = np.array(visits, np.float32)
    return Label(action, np.array(actions, np.int64), worth, counts / max(1.0, counts.sum()))


class Expert(Teacher):
    """Agents that see what their seats see, one in each seat."""

    def __init__(self, seats: Sequence[Seat], budget: str) -> None:
        self._seats = tuple(seats)
        self._budget = Budget.parse(budget)

    def begin(self, seed: int) -> None:
        """Start everybody anew."""
        for number, seat in enumerate(self._seats):
            seat.seeded(seed + number)
            seat.new_game()

    def label(self, state: State, ply: int, seats: Sequence[int]) -> list[Label]:
        """What each agent would do."""
        found = []
        for number in seats:
            seat = self._seats[number]
            view = state if seat.takes_whole_state else state.observe(number)
            found.append(_label(uninterrupted(seat.plan(view, self._budget, ply=ply, seat=number)).actions[0], []))
        return found
