"""Matches between planners that were tuned first, each by the same tuner with the same number of games.

The tuner sees games from other starts than those that the planners then play against each other.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any, ClassVar

from tactician.experiments.base import RunRequest, journal_beside
from tactician.experiments.matches import MatchExperiment
from tactician.experiments.report import ExperimentReport, MoreTable
from tactician.games.registry import with_parameter
from tactician.planners.presets import game_reading
from tactician.tuning import NTBEA, MatchEvaluator, Space, Tuning

TUNED = "tuned:"
"""Stands before the name of a side in the place of a planner."""


@dataclass(frozen=True, kw_only=True)
class TunedSide:
    """A planner that is tuned."""

    planner: str
    """With the parameters that stay as they are, its budget among them."""
    space: Space
    """What is tuned."""


@dataclass(frozen=True, kw_only=True)
class TunedExperiment(MatchExperiment):
    """Matches in which `tuned:SIDE` stands for the planner that tuning a side recommends."""

    options: ClassVar[tuple[str, ...]] = ("only", "store", "jobs", "cluster")

    game: str
    """The game in which the sides are tuned."""
    sides: Mapping[str, TunedSide]
    """By name."""
    opponents: tuple[str, ...]
    """Against whom both sides are tuned."""
    evaluations: int
    """Points that the tuner tries for each side ..."""
    games_each: int
    """... and games in which each of them is judged."""
    exploration: float = 0.5
    """C of the tuner."""

    def measure(self, request: RunRequest) -> dict[str, Any]:
        """Tune both sides, or the rest of it, then play what is not in the store yet."""
        reading = self.presets[0]
        found = {name: self._tuned(name, reading, request) for name in self.sides}
        planners = {
            TUNED + name: self._evaluator(name, reading).candidate(tuning.recommendation.point)
            for name, tuning in found.items()
        }
        cells = tuple(
            replace(
                cell,
                planner=planners.get(cell.planner, cell.planner),
                opponent=planners.get(cell.opponent, cell.opponent),
            )
            for cell in self.cells
        )
        document = MatchExperiment.measure(replace(self, cells=cells), request)
        document["tunings"] = {
            name: {**tuning.to_json(), "planner": planners[TUNED + name]} for name, tuning in found.items()
        }
        return document

    def _tuned(self, name: str, reading: str, request: RunRequest) -> Tuning:
        def after_evaluation(tuning: Tuning) -> None:
            request.on_progress(f"{name} is tuned", tuning.evaluations, self.evaluations)

        return NTBEA(self.sides[name].space, seed=request.seed, exploration=self.exploration).run(
            self._evaluator(name, reading),
            self.evaluations,
            request.jobs,
            request.cluster,
            journal_beside(request.store, f"{self.name}-{name}"),
            after_evaluation,
        )

    def _evaluator(self, name: str, reading: str) -> MatchEvaluator:
        game = with_parameter(self.game, "preset", game_reading(reading))
        return MatchEvaluator(game, self.sides[name].planner, self.opponents, self.games_each, self.cells[0].budget)

    def report(self, document: dict[str, Any]) -> ExperimentReport:
        """The matches, and what was recommended for each side."""
        told = super().report(document)
        rows = tuple(
            (
                name,
                str(one["evaluations"] * self.games_each),
                ", ".join(f"{_short(key)} = {value}" for key, value in one["recommended"].items()),
                f"{100 * one['mean']:.0f} in {one['visits'] * self.games_each} games",
            )
            for name, one in document.get("tunings", {}).items()
        )
        title = f"What the tuner recommends, against {' and '.join(self.opponents)}:"
        table = MoreTable(title, ("side", "games of tuning", "recommended", "its score while tuned, %"), rows)
        return replace(told, more=(*told.more, table))


def _short(parameter: str) -> str:
    """A parameter's name without what it belongs to."""
    return parameter.rpartition(".")[2]
