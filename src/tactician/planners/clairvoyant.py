"""A planner that sees what is hidden, to measure what that would be worth: it cheats."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import ClassVar

from tactician.contract.game import Game
from tactician.errors import InvalidParameterError
from tactician.planners.base import Agent
from tactician.planners.inside import PlannerAround


@dataclass(frozen=True, kw_only=True)
class Clairvoyant(PlannerAround):
    """Cheats: runs any other planner on the true state, to measure what the hidden information is worth."""

    name: ClassVar[str] = "clairvoyant"
    page: ClassVar[str] = "planners/determinized.md"
    iteration: ClassVar[str] = "that of the inner planner"
    paper: ClassVar[str] = "beyond the papers"
    handles_hidden: ClassVar[bool] = True

    def on(self, game: Game, seed: int = 0, full_information: bool = False) -> Agent:
        """The agent of the planner inside, which is shown everything."""
        if full_information:
            raise InvalidParameterError(f"full_information is True; expected False, because {self.name!r} implies it.")
        inner = self.inner
        seeing = replace(
            inner,
            prune=self.prune and inner.prune,
            budget=inner.budget or self.budget,
            workers=max(self.workers, inner.workers),
            alternatives=max(self.alternatives, inner.alternatives),
        )
        return seeing.on(self.own_game(game), seed, full_information=True)
