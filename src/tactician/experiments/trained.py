"""Experiments whose agents are trained first: followers, then the games that they play.

A cell names a trained agent as ``trained:NAME``, or its file as ``{NAME}`` in the parameters of a planner; `trainings`
says how NAME is trained. Weights and checkpoints lie beside the store, so that a run resumes in the middle of training
as well as between two games.
"""

from __future__ import annotations

import tempfile
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar

from tactician.experiments.base import Experiment, RunRequest, is_chosen, journal_beside
from tactician.experiments.matches import MatchExperiment
from tactician.experiments.report import ExperimentReport, MoreTable
from tactician.experiments.shares import SharesExperiment

if TYPE_CHECKING:
    from tactician.learning import Progress

TRAINED = "trained:"
"""What the name of a trained agent begins with."""
_HEAD = ("trained agent", "battles", "steps", "gradient steps", "minutes", "learned on")
_OPTIONS = ("budget", "only", "store", "jobs", "cluster", "battles")


@dataclass(frozen=True)
class Recipe:
    """How an agent is trained: the game, and settings of `learning.Training` that are not the game's usual ones."""

    game: str
    settings: Mapping[str, Any] = field(default_factory=dict)
    hours: float = 0.0
    """About how long it takes here, on one core."""


@dataclass(frozen=True, kw_only=True)
class TrainedExperiment(Experiment):
    """What experiments have in common whose agents are trained first."""

    options: ClassVar[tuple[str, ...]] = _OPTIONS

    trainings: Mapping[str, Recipe]
    """By name."""

    @property
    def hours(self) -> float:
        """Games and training."""
        return super().hours + sum(recipe.hours for recipe in self.trainings.values())

    def report(self, document: dict[str, Any]) -> ExperimentReport:
        """The table, and the curves of training."""
        # The other base class has the table.
        table = super().report(document)  # type: ignore[safe-super]
        return with_training(table, document, self.trainings)


@dataclass(frozen=True, kw_only=True)
class TrainedSharesExperiment(TrainedExperiment, SharesExperiment):
    """Shares of wins, draws and losses of agents that are trained first."""

    def measure(self, request: RunRequest) -> dict[str, Any]:
        """Train what is to be played, then play."""
        chosen = [cell for cell in self.cells if is_chosen(cell.name, request.only)]
        with trained(self.trainings, [cell.planner for cell in chosen], request) as agents:
            cells = tuple(replace(cell, planner=agents.resolved(cell.planner)) for cell in self.cells)
            document = SharesExperiment.measure(replace(self, cells=cells), request)
        planners = {cell.name: cell.planner for cell in self.cells}
        for outcome in document["outcomes"]:
            outcome["planner"] = planners[outcome["cell"]]
        return {**document, "training": agents.told}


@dataclass(frozen=True, kw_only=True)
class TrainedMatchExperiment(TrainedExperiment, MatchExperiment):
    """Win percentages of two agents that may have to be trained first."""

    def measure(self, request: RunRequest) -> dict[str, Any]:
        """Train what is to be played, then play."""
        chosen = [cell for cell in self.cells if is_chosen(cell.name, request.only)]
        needed = [name for cell in chosen for name in (cell.planner, cell.opponent)]
        with trained(self.trainings, needed, request) as agents:
            cells = tuple(
                replace(cell, planner=agents.resolved(cell.planner), opponent=agents.resolved(cell.opponent))
                for cell in self.cells
            )
            document = MatchExperiment.measure(replace(self, cells=cells), request)
        seats = {cell.name: (cell.planner, cell.opponent) for cell in self.cells}
        for outcome in document["outcomes"]:
            outcome["planner"], outcome["opponent"] = seats[outcome["cell"]]
        return {**document, "training": agents.told}


@dataclass
class TrainedAgents:
    """What was trained."""

    names: dict[str, str] = field(default_factory=dict)
    """The arena's name of each trained agent."""
    told: dict[str, Any] = field(default_factory=dict)
    """What the model cards say of the training, by name."""
    files: dict[str, str] = field(default_factory=dict)
    """Where the weights lie, by name."""

    def resolved(self, agent: str) -> str:
        """An agent of a cell as the arena names it."""
        return self.names.get(agent, with_files(agent, self.files))


def with_files(text: str, files: Mapping[str, str]) -> str:
    """A text with ``{NAME}`` replaced by the file of that name."""
    for name, path in files.items():
        text = text.replace(f"{{{name}}}", path)
    return text


@contextmanager
def trained(trainings: Mapping[str, Recipe], needed: Sequence[str], request: RunRequest) -> Iterator[TrainedAgents]:
    """Train the agents that are needed, or the rest of them; weights lie beside the store while it runs and after."""
    agents = TrainedAgents()
    with tempfile.TemporaryDirectory() as folder:
        for name in _wanted(trainings, needed):
            path = file_beside(request.store, name, ".safetensors", folder)
            recipe = trainings[name]
            settings = {k: with_files(v, agents.files) if isinstance(v, str) else v for k, v in recipe.settings.items()}
            agents.told[name] = _train(name, replace(recipe, settings=settings), path, request)
            agents.names[TRAINED + name] = f"follower:path={path}"
            agents.files[name] = str(path)
        yield agents


def _wanted(trainings: Mapping[str, Recipe], needed: Sequence[str]) -> list[str]:
    """What has to be trained for agents, and for those that are trained with the help of others; in order."""
    texts, wanted = list(needed), set[str]()
    while texts:
        text = texts.pop()
        for name, recipe in trainings.items():
            if name not in wanted and (text == TRAINED + name or f"{{{name}}}" in text):
                wanted.add(name)
                texts += [value for value in recipe.settings.values() if isinstance(value, str)]
    return [name for name in trainings if name in wanted]


def file_beside(store: str | None, name: str, suffix: str, folder: str) -> Path:
    """Where an experiment keeps a file of its own: beside the store, or in a folder if there is none."""
    beside = journal_beside(store, name)
    stem = Path(folder) / name if beside is None else Path(beside.removesuffix(".jsonl"))
    return stem.with_name(f"{stem.name}{suffix}")


def _train(name: str, recipe: Recipe, path: Path, request: RunRequest) -> dict[str, Any]:
    from tactician.followers.model import load_model
    from tactician.learning import Training, train

    given = {"seed": request.seed, **recipe.settings}
    settings = Training.for_game(recipe.game, **given)
    if request.battles is not None:
        settings = settings.with_battles(request.battles)

    def on_progress(now: Progress) -> None:
        request.on_progress(f"training {name}", now.battles, settings.battles)

    train(settings, path, jobs=request.jobs, on_progress=on_progress)
    return dict(load_model(path).card.training)


def with_training(
    report: ExperimentReport, document: dict[str, Any], trainings: Mapping[str, Recipe]
) -> ExperimentReport:
    """A report with what there is to say of training, also where it was shorter than it should be."""
    from tactician.experiments.figures import training_figure

    told: dict[str, Any] = document.get("training", {})
    rows = tuple((name, *_row(one, trainings[name])) for name, one in told.items())
    more = (*report.more, MoreTable("Training:", _HEAD, rows)) if rows else report.more
    curves = {name: one["curve"] for name, one in told.items() if one["curve"]}
    figures = {**report.figures, f"{report.name}-training": training_figure(curves)} if curves else report.figures
    short = [name for name, one in told.items() if one["battles"] < _battles(one, trainings[name])]
    verdict = (
        f"{report.verdict} Trained on fewer battles than planned: {', '.join(short)}." if short else report.verdict
    )
    return replace(report, more=more, verdict=verdict, figures=figures)


def _row(told: dict[str, Any], recipe: Recipe) -> tuple[str, ...]:
    done, planned = told["battles"], _battles(told, recipe)
    battles = str(done) if done >= planned else f"{done} of {planned}"
    where = "processor" if told["device"] == "cpu" else "GPU"
    return battles, str(told["steps"]), str(told["updates"]), f"{told['seconds'] / 60:.0f}", where


def _battles(told: dict[str, Any], recipe: Recipe) -> int:
    """How many battles a recipe asks for."""
    return int(recipe.settings.get("battles", told["settings"]["battles"]))
