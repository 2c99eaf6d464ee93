"""Agents for games in which all act at once: the seat has to be named, and one search serves every seat."""

from __future__ import annotations

from abc import abstractmethod
from dataclasses import replace
from typing import TYPE_CHECKING, Self

from tactician.contract.game import Game
from tactician.contract.state import State
from tactician.errors import InvalidParameterError
from tactician.planners.base import Search
from tactician.planners.search_agent import SearchAgent
from tactician.seats.budget import Budget
from tactician.seats.plan import Plan, Statistics

if TYPE_CHECKING:
    from tactician.planners.rhea import RHEA
    from tactician.planners.simultaneous import SimultaneousPlanner


class SimultaneousSearch(Search):
    """A search that remembers something from move to move, and knows single actions."""

    @abstractmethod
    def forget(self) -> None:
        """Forget what was learned, because a new game begins."""

    @abstractmethod
    def choices(self, player: int) -> list[tuple[int, float, float]]:
        """What is known of the actions of a player in the present state: action, value from -1 to 1, visits."""

    @property
    def revisits(self) -> tuple[tuple[int, int], ...]:
        """For each depth from 1: states reached, and how many were known; empty for searches that keep no states."""
        return ()


class SimultaneousAgent(SearchAgent):
    """Plays any seat. What it learns in one move serves the next, until a new game begins."""

    planner: SimultaneousPlanner | RHEA
    _search: SimultaneousSearch

    def __init__(
        self, planner: SimultaneousPlanner | RHEA, game: Game, seed: int = 0, full_information: bool = False
    ) -> None:
        super().__init__(planner, game, seed, full_information)
        self.new_game()

    def new_game(self) -> None:
        """Forget what was learned."""
        for worker in self._workers:
            if isinstance(worker, SimultaneousSearch):
                worker.forget()

    def seeded(self, seed: int) -> Self:
        """The same agent with another seed, for another game."""
        super().seeded(seed)
        self.new_game()
        return self

    def plan_all(self, state: State, budget: Budget | str, *, ply: int = 0) -> list[Plan]:
        """What every player should do, from one search that sees everything."""
        if self.game.hides_information and not self.full_information:
            raise InvalidParameterError("planning for all seats needs full_information=True in this game.")
        seats = range(self.game.players)
        if self.planner.opponents == "bandit":
            return self._plans(state, self._budget(state, budget), ply, seats)
        return [self._plans(state, self._budget(state, budget), ply, [seat])[0] for seat in seats]

    def estimates(self, seat: int) -> list[tuple[int, float, float]]:
        """What the last search knows of each action of a seat: action, value from -1 to 1, visits."""
        return self._search.choices(seat)

    def _statistics(self) -> Statistics:
        return replace(super()._statistics(), revisits=self._search.revisits)
