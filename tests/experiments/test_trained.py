"""Experiments that train their agents first: they resume, name no file in their document, and show the curves."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from tactician.errors import InvalidParameterError
from tactician.experiments import RunRequest
from tactician.experiments.matches import Cell
from tactician.experiments.papers.boney import TABLE8, TABLE11
from tactician.experiments.shares import ShareCell
from tactician.experiments.trained import TRAINED, Recipe, TrainedMatchExperiment, TrainedSharesExperiment
from tactician.learning import Training

TINY: dict[str, Any] = {
    "teacher": "fdts:depth=3",
    "budget": "8its",
    "battles": 2,
    "width": 1,
    "hidden": 4,
    "longest": 8,
    "evaluate_every": 1,
    "evaluation_games": 1,
}
SHARES = TrainedSharesExperiment(
    name="boney-tiny",
    title="A follower against the bot",
    paper="Nobody",
    claim="None.",
    cells=(
        ShareCell(name="DAgger", game="pommerman:max_steps=60", planner="trained:dagger", paper=(25.0, 25.0, 50.0)),
        ShareCell(
            name="in rollouts",
            game="pommerman:max_steps=60",
            planner="fdts:depth=2,rollout_policy={dagger}",
            opponent="random",
            budget="2its",
        ),
    ),
    trainings={"dagger": Recipe("pommerman:max_steps=60", TINY), "unused": Recipe("pommerman", {"battles": 10**6})},
    opponent="rule-based",
    budget="8its",
    size=4,
    seconds=1.0,
)
MATCHES = TrainedMatchExperiment(
    name="boney-small",
    title="A follower against random play",
    paper="Nobody",
    claim="None.",
    presets=("paper",),
    cells=(
        Cell(
            name="q-mc v random",
            game="royale:information=open",
            planner="trained:q-mc",
            opponent="random",
            budget="4its",
            paper=None,
            paper_games=2,
        ),
    ),
    trainings={
        "q-mc": Recipe(
            "royale",
            {
                "method": "q-mc",
                "battles": 1,
                "width": 1,
                "hidden": 2,
                "embedding": 2,
                "longest": 6,
                "batch": 2,
                "opponent": "",
            },
        )
    },
    size=2,
    seconds=1.0,
    decisive=True,
)


def test_agents_are_trained_once_and_then_played(tmp_path: Path) -> None:
    store = str(tmp_path / "games.sqlite")
    seen: list[tuple[str, int, int]] = []
    first = SHARES.run(RunRequest(store=store, on_progress=lambda *said: seen.append(said)))
    assert ("training dagger", 2, 2) in seen
    assert ("DAgger", 4, 4) in seen
    before = (tmp_path / "games.sqlite.dagger.safetensors").read_bytes()
    again = SHARES.run(RunRequest(store=store))
    assert (tmp_path / "games.sqlite.dagger.safetensors").read_bytes() == before
    assert again.document["outcomes"] == first.document["outcomes"]
    assert first.more[-1].rows[0][:2] == ("dagger", "2")
    assert set(first.figures) == {"boney-tiny", "boney-tiny-training"}


def test_the_document_names_no_file_and_is_enough_for_the_report(tmp_path: Path) -> None:
    found = SHARES.run(RunRequest(store=str(tmp_path / "games.sqlite")))
    text = json.dumps(found.document)
    assert str(tmp_path) not in text
    assert "trained:dagger" in text
    assert SHARES.report(json.loads(text)).rows == found.rows


def test_battles_of_a_request_make_training_shorter() -> None:
    found = SHARES.run(RunRequest(battles=1))
    assert found.document["training"]["dagger"]["battles"] == 1


def test_matches_of_trained_agents_are_played() -> None:
    found = MATCHES.run(RunRequest())
    (outcome,) = found.document["outcomes"]
    assert (outcome["planner"], outcome["opponent"]) == ("trained:q-mc", "random")
    assert outcome["forfeits"] == 0


def test_weights_need_a_file_as_store() -> None:
    with pytest.raises(InvalidParameterError, match="this experiment keeps a journal, expected a file"):
        SHARES.run(RunRequest(store="postgresql://user@nowhere/games"))


@pytest.mark.parametrize("experiment", [TABLE8, TABLE11], ids=lambda experiment: experiment.name)
def test_every_agent_that_is_played_can_be_trained(
    experiment: TrainedSharesExperiment | TrainedMatchExperiment,
) -> None:
    agents = [cell.planner for cell in experiment.cells]
    agents += [cell.opponent for cell in experiment.cells if isinstance(cell, Cell)]
    named = {agent.removeprefix(TRAINED) for agent in agents if agent.startswith(TRAINED)}
    assert named == set(experiment.trainings)
    for recipe in experiment.trainings.values():
        settings = Training.for_game(recipe.game, **recipe.settings)
        assert replace(settings, battles=1).method in ("dagger", "cloning", "q-mc")


def test_the_papers_figures_of_followers_are_where_they_belong() -> None:
    assert {cell.name: cell.paper for cell in TABLE8.cells}["DAgger"] == (23.3, 22.5, 54.2)
    printed = {cell.name: cell.paper for cell in TABLE11.cells}
    assert printed["follower v script clone"] == pytest.approx(0.714)
    assert printed["oracle v follower"] == pytest.approx(0.934)
    assert printed["follower v script"] is None
