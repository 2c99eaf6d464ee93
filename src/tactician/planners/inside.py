"""What planners that have another planner inside share: a parameter that is a planner or the text of one."""

from __future__ import annotations

from dataclasses import dataclass

from tactician.contract.game import Game
from tactician.planners.base import Planner, Search


@dataclass(frozen=True, kw_only=True)
class PlannerAround(Planner):
    """A planner that lets another one plan."""

    planner: Planner | str = "permutation-oep"
    """The planner inside, any that doesn't guess itself; with parameters in brackets: `(oep:population=50)`."""

    def __post_init__(self) -> None:
        super().__post_init__()
        self._require(isinstance(self.planner, Planner | str), "planner", "a planner or the name of one")
        self._require(not self.inner.handles_hidden, "planner", "a planner that doesn't guess itself")
        object.__setattr__(self, "planner", written(self.inner))

    @property
    def inner(self) -> Planner:
        """The planner inside."""
        return read(self.planner)

    def rate(self) -> float:
        """Reference work is the inner planner's."""
        return self.inner.rate()

    def search(self, game: Game) -> Search:
        """The inner planner's."""
        return self.inner.search(game)


def read(planner: Planner | str) -> Planner:
    """A planner, or that of a text."""
    from tactician.planners.registry import parse_planner

    return parse_planner(planner) if isinstance(planner, str) else planner


def written(planner: Planner) -> Planner | str:
    """A planner as a command line writes it; one that has no name there stays as it is."""
    from tactician.planners.registry import PLANNERS

    return str(planner) if PLANNERS.get(planner.name) is type(planner) else planner
