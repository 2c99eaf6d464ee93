"""Experiments whose planners order actions by learned ratings: the ratings are learned first, then games are played.

A cell names a file of ratings as ``{NAME}`` in the parameters of a planner; `trainings` says how it is learned. The
files lie beside the store and are learned once.
"""

from __future__ import annotations

import tempfile
from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import partial
from typing import Any

from tactician.contract.ratings import read_training
from tactician.experiments.base import RunRequest, is_chosen
from tactician.experiments.matches import MatchExperiment
from tactician.experiments.report import ExperimentReport, MoreTable
from tactician.experiments.trained import file_beside, with_files
from tactician.learning.ratings import RatingsTraining, train_ratings

_HEAD = ("ratings", "decisions", "first action is the teacher's", "usual ratings", "its mean place", "usual ratings")


@dataclass(frozen=True, kw_only=True)
class RatedMatchExperiment(MatchExperiment):
    """Win percentages of planners with learned ratings."""

    trainings: Mapping[str, RatingsTraining]
    """By name."""

    def measure(self, request: RunRequest) -> dict[str, Any]:
        """Learn the ratings that are needed and not there, then play."""
        chosen = [cell for cell in self.cells if is_chosen(cell.name, request.only)]
        texts = [text for cell in chosen for text in (cell.planner, cell.opponent)]
        files, told = {}, {}
        with tempfile.TemporaryDirectory() as folder:
            for name, settings in self.trainings.items():
                if not any(f"{{{name}}}" in text for text in texts):
                    continue
                path = file_beside(request.store, name, ".json", folder)
                if not path.exists():
                    train_ratings(settings, path, partial(request.on_progress, f"learning {name}"))
                files[name], told[name] = str(path), read_training(path)
            cells = tuple(
                replace(cell, planner=with_files(cell.planner, files), opponent=with_files(cell.opponent, files))
                for cell in self.cells
            )
            document = MatchExperiment.measure(replace(self, cells=cells), request)
        seats = {cell.name: (cell.planner, cell.opponent) for cell in self.cells}
        for outcome in document["outcomes"]:
            outcome["planner"], outcome["opponent"] = seats[outcome["cell"]]
        return {**document, "ratings": told}

    def report(self, document: dict[str, Any]) -> ExperimentReport:
        """The table of games, and how well the ratings order actions in games that were not learned from."""
        rows = tuple(
            (
                name,
                str(one["decisions"]),
                f"{100 * one['agreement']:.0f} %",
                f"{100 * one['usual_agreement']:.0f} %",
                f"{one['mean_rank']:.1f}",
                f"{one['usual_rank']:.1f}",
            )
            for name, one in document["ratings"].items()
        )
        report = super().report(document)
        return replace(report, more=(*report.more, MoreTable("Ratings, in games held out:", _HEAD, rows)))
