"""Games of planners that were tuned first, all by the same tuner with the same number of games.

A cell names a tuned planner as ``tuned:SIDE``; `sides` says how SIDE is tuned. The tuner sees games from other starts
than those that the planners then play, and only the sides that are asked for are tuned.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from typing import Any, ClassVar

from tactician.experiments.base import Experiment, RunRequest, is_chosen, journal_beside
from tactician.experiments.matches import MatchExperiment
from tactician.experiments.report import ExperimentReport, MoreTable
from tactician.experiments.shares import SharesExperiment
from tactician.games.registry import with_parameter
from tactician.planners.presets import game_reading
from tactician.tuning import NTBEA, MatchEvaluator, Space, Tuning

TUNED = "tuned:"
"""Stands before the name of a side in the place of a planner."""
_HEAD = ("side", "tuned against", "games of tuning", "recommended", "its score while tuned, %")


@dataclass(frozen=True, kw_only=True)
class TunedSide:
    """A planner that is tuned."""

    planner: str
    """With the parameters that stay as they are."""
    space: Space
    """What is tuned."""
    game: str
    """In which it is tuned."""
    budget: str
    """Of a turn of anybody in those games; a planner may have its own."""
    opponents: tuple[str, ...]
    """Against whom it is tuned."""


@dataclass(frozen=True, kw_only=True)
class TunedExperiment(Experiment):
    """What experiments have in common whose planners are tuned first."""

    options: ClassVar[tuple[str, ...]] = ("only", "store", "jobs", "cluster")

    sides: Mapping[str, TunedSide]
    """By name."""
    evaluations: int
    """Points that the tuner tries for each side ..."""
    games_each: int
    """... and games in which each of them is judged."""
    exploration: float = 0.5
    """C of the tuner."""

    def tuned(self, needed: Iterable[str], request: RunRequest) -> TunedPlanners:
        """Tune the sides that agents need, or the rest of it."""
        wanted = {agent.removeprefix(TUNED) for agent in needed if agent.startswith(TUNED)}
        found = TunedPlanners({}, {})
        for name, side in self.sides.items():
            if name in wanted:
                tuning = self._tuning(name, request)
                found.names[TUNED + name] = self._evaluator(side).candidate(tuning.recommendation.point)
                found.told[name] = {**tuning.to_json(), "planner": found.names[TUNED + name]}
        return found

    def _tuning(self, name: str, request: RunRequest) -> Tuning:
        def after_evaluation(tuning: Tuning) -> None:
            request.on_progress(f"{name} is tuned", tuning.evaluations, self.evaluations)

        side = self.sides[name]
        return NTBEA(side.space, seed=request.seed, exploration=self.exploration).run(
            self._evaluator(side),
            self.evaluations,
            request.jobs,
            request.cluster,
            journal_beside(request.store, re.sub(r"\W+", "-", f"{self.name}-{name}")),
            after_evaluation,
        )

    def _evaluator(self, side: TunedSide) -> MatchEvaluator:
        game = with_parameter(side.game, "preset", game_reading(self.presets[0]))
        return MatchEvaluator(game, side.planner, side.opponents, self.games_each, side.budget)

    def report(self, document: dict[str, Any]) -> ExperimentReport:
        """The games, and what was recommended for each side."""
        # The other base class has the table.
        told = super().report(document)  # type: ignore[safe-super]
        rows = tuple(
            (
                name,
                " and ".join(f"`{opponent}`" for opponent in self.sides[name].opponents),
                str(one["evaluations"] * self.games_each),
                ", ".join(f"{_short(key)} = {value}" for key, value in one["recommended"].items()),
                f"{100 * one['mean']:.0f} in {one['visits'] * self.games_each} games",
            )
            for name, one in document.get("tunings", {}).items()
        )
        return replace(told, more=(*told.more, MoreTable("What the tuner recommends:", _HEAD, rows)))


@dataclass(frozen=True)
class TunedPlanners:
    """What tuning recommends."""

    names: dict[str, str]
    """The planner that stands behind each tuned agent."""
    told: dict[str, Any]
    """What is kept of each tuning, by side."""

    def resolved(self, agent: str) -> str:
        """An agent of a cell as the arena names it."""
        return self.names.get(agent, agent)


@dataclass(frozen=True, kw_only=True)
class TunedMatchExperiment(TunedExperiment, MatchExperiment):
    """Win percentages of two planners that may have to be tuned first."""

    options: ClassVar[tuple[str, ...]] = (*TunedExperiment.options, "extend")

    def measure(self, request: RunRequest) -> dict[str, Any]:
        """Tune what is to be played, then play."""
        chosen = [cell for cell in self.cells if is_chosen(cell.name, request.only)]
        found = self.tuned([agent for cell in chosen for agent in (cell.planner, cell.opponent)], request)
        cells = tuple(
            replace(cell, planner=found.resolved(cell.planner), opponent=found.resolved(cell.opponent))
            for cell in chosen
        )
        return {**MatchExperiment.measure(replace(self, cells=cells), request), "tunings": found.told}


@dataclass(frozen=True, kw_only=True)
class TunedSharesExperiment(TunedExperiment, SharesExperiment):
    """Shares of wins, draws and losses of planners that may have to be tuned first."""

    def measure(self, request: RunRequest) -> dict[str, Any]:
        """Tune what is to be played, then play."""
        chosen = [cell for cell in self.cells if is_chosen(cell.name, request.only)]
        found = self.tuned([cell.planner for cell in chosen], request)
        cells = tuple(replace(cell, planner=found.resolved(cell.planner)) for cell in chosen)
        return {**SharesExperiment.measure(replace(self, cells=cells), request), "tunings": found.told}


def _short(parameter: str) -> str:
    """A parameter's name without what it belongs to."""
    return parameter.rpartition(".")[2]
