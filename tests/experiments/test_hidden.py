"""The experiments on hidden information: single positions, guesses against seeds, and what is played."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import pytest

from tactician.experiments import RunRequest, all_experiments
from tactician.experiments.guesses import FIGURES, GuessExperiment
from tactician.experiments.matches import MatchExperiment
from tactician.experiments.papers import hidden

SMALL = replace(hidden.GUESSES, guesses=3, cells=hidden.GUESSES.cells[2:3])


def test_the_experiments_are_found_by_their_names() -> None:
    assert {"hidden-planners", "hidden-budget", "hidden-guesses"} <= set(all_experiments())


def test_evolution_plans_the_same_turn_on_any_guess_and_resumes(tmp_path: Path) -> None:
    request = RunRequest(games=3, budget="60evals", store=str(tmp_path / "store.sqlite"))
    document = SMALL.measure(request)
    found = {row["figure"]: row["mean"] for row in document["rows"]}
    assert set(found) == set(FIGURES)
    assert found["same_turn_guesses"] == found["same_first_guesses"] == 100.0
    assert found["gain_truth"] == 0.0
    again: list[str] = []
    assert SMALL.measure(replace(request, on_progress=lambda what, *_: again.append(what))) == document
    assert again == [], "nothing is planned a second time"


def test_the_report_needs_the_document_alone() -> None:
    rows = [
        {
            "cell": "a",
            "planner": "oep",
            "budget": "9evals",
            "figure": figure,
            "mean": mean,
            "interval": [mean - 1, mean + 1],
        }
        for figure, mean in zip(FIGURES, (40.0, 70.0, 50.0, 80.0, 2.0, 1.0), strict=True)
    ]
    document = json.loads(json.dumps({"experiment": "x", "positions": 5, "guesses": 3, "rows": rows}))
    report = hidden.GUESSES.report(document)
    assert report.verdict.startswith("guesses change the turn more often than seeds do in 1 of 1 cells (a)")
    assert "gains value at the end of the turn in 1 (a)" in report.verdict
    assert "40 (39 to 41)" in report.markdown()


@pytest.mark.parametrize("experiment", [hidden.PLANNERS, hidden.BUDGET], ids=lambda e: e.name)
def test_single_guesses_are_the_opponents_of_all(experiment: MatchExperiment) -> None:
    for cell in experiment.cells:
        assert not any(word in cell.opponent for word in ("determinized", "clairvoyant", "information-set", "budget"))
        assert cell.paper is None


def test_guesses_and_seeds_are_as_many() -> None:
    assert isinstance(all_experiments()["hidden-guesses"], GuessExperiment)
    assert hidden.GUESSES.guesses > 1
