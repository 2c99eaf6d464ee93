"""Experiments that tune: what NTBEA recommends over its evaluations, beside the values that the paper settled on."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, ClassVar

from tactician.experiments.base import Experiment, RunRequest, journal_beside
from tactician.experiments.report import ExperimentReport
from tactician.tuning import NTBEA, Estimate, Evaluator, LandscapeTables, Recommendation, Space, Tuning

_PRINTED_EVERY = 500
"""Evaluations between two rows of the table."""


@dataclass(frozen=True, kw_only=True)
class TuningExperiment(Experiment):
    """A tuning run with the paper's recommended values beside ours."""

    unit: ClassVar[str] = "evaluations"
    options: ClassVar[tuple[str, ...]] = ("budget", "store", "jobs", "cluster")

    space: Space
    evaluator: Callable[[str], Evaluator]
    """What judges a point, for a budget a turn."""
    evaluation: str
    """What one evaluation is, in words."""
    budget: str
    exploration: float
    paper_values: Mapping[str, Any]
    """What the paper's tuning recommended in the end, by parameter."""
    journal: str
    """Tells its journal beside the store from those of other experiments."""

    @property
    def cell_names(self) -> tuple[str, ...]:
        """There is nothing to choose: it is one search."""
        return ()

    def measure(self, request: RunRequest) -> dict[str, Any]:
        """Tune; a journal beside the store is resumed."""
        wanted = request.games or self.size

        def after_evaluation(tuning: Tuning) -> None:
            request.on_progress(self.name, tuning.evaluations, wanted)

        tuning = NTBEA(self.space, seed=request.seed, exploration=self.exploration).run(
            self.evaluator(request.budget or self.budget),
            wanted,
            request.jobs,
            request.cluster,
            journal_beside(request.store, self.journal),
            after_evaluation,
        )
        return {
            "experiment": self.name,
            "seed": request.seed,
            "paper": list(self.paper_values.values()),
            **tuning.to_json(),
            "budget": request.budget or self.budget,
            "landscape": tuning.tables().to_json(),
        }

    def report(self, document: dict[str, Any]) -> ExperimentReport:
        """The recommendation every 500 evaluations, its course, and the landscape that the search saw."""
        from tactician.tuning.figures import evolution_figure, landscape_figure

        space, names = Space(document["space"]), list(self.paper_values)
        history = [_recommendation(entry) for entry in document["history"]]
        if not history or history[-1].evaluations < document["evaluations"]:
            last = Estimate(document["recommended"], document["value"], document["mean"], document["visits"])
            history.append(Recommendation(document["evaluations"], last))
        shown = [step for step in history if step.evaluations % _PRINTED_EVERY == 0 or step is history[-1]]
        figures = {self.name: evolution_figure(space, history, self.paper_values)}
        if "landscape" in document:  # older documents have none
            tables = LandscapeTables.from_json(space, document["recommended"], document["landscape"])
            figures[f"{self.name}-landscape"] = landscape_figure(tables)
        return self.reported(
            verdict=self._verdict(document),
            summary=(
                f"{document['evaluations']} evaluations (the paper: {self.size}), each {self.evaluation}, "
                f"{document.get('budget', self.budget)} a turn. {self.note}"
            ).strip(),
            head=("evaluations", *map(_short, names), "estimated value"),
            rows=tuple(
                (str(step.evaluations), *(str(step.best.point[name]) for name in names), f"{step.best.value:.3f}")
                for step in shown
            ),
            document=document,
            figures=figures,
        )

    def _verdict(self, document: dict[str, Any]) -> str:
        ours = [document["recommended"][name] for name in self.paper_values]
        return (
            f"recommended in the end: {ours}, which won {100 * document['mean']:.1f} % in its own {document['visits']} "
            f"evaluations; the paper's: {list(self.paper_values.values())}."
        )


def _recommendation(entry: dict[str, Any]) -> Recommendation:
    return Recommendation(
        entry["evaluations"], Estimate(entry["point"], entry["value"], entry["mean"], entry["visits"])
    )


def _short(parameter: str) -> str:
    """A parameter's name without what it belongs to."""
    return parameter.rpartition(".")[2]
