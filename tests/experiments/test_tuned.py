"""Experiments that tune both sides before they play."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest

from tactician.experiments import RunRequest
from tactician.experiments.matches import Cell
from tactician.experiments.papers import beyond
from tactician.experiments.shares import ShareCell
from tactician.experiments.tuned import (
    TUNED,
    TunedExperiment,
    TunedMatchExperiment,
    TunedSharesExperiment,
    TunedSide,
)
from tactician.tuning import MatchEvaluator, Space

ROOT = Path(__file__).parents[2]
GAME = "hero-academy:map=a-tiny,deck=tiny,turn_limit=8"


def side(planner: str, game: str = GAME, opponent: str = "greedy-action") -> TunedSide:
    return TunedSide(
        planner=planner,
        space=Space({"planner.prune": [True, False]}),
        game=game,
        budget="40evals",
        opponents=(opponent,),
    )


TINY = TunedMatchExperiment(
    name="beyond-tiny",
    title="Tiny",
    paper="beyond the papers",
    claim="It runs.",
    presets=("paper",),
    sides={"greedy": side("greedy-action"), "random": side("random")},
    evaluations=3,
    games_each=2,
    cells=tuple(
        Cell(
            name=name, game=GAME, planner=f"{TUNED}greedy", opponent=opponent, budget="40evals", paper=None,
            paper_games=4,
        )
        for name, opponent in (("both", f"{TUNED}random"), ("one", "random"))
    ),
    size=4,
    seconds=0.1,
)  # fmt: skip


def test_both_sides_are_tuned_with_the_same_number_of_games_then_play(tmp_path: Path) -> None:
    store, seen = str(tmp_path / "games.sqlite"), []
    found = TINY.run(RunRequest(store=store, on_progress=lambda what, done, of: seen.append((what, done, of))))
    assert {what for what, *_ in seen} >= {"greedy is tuned", "random is tuned", "both (paper)"}
    tunings = found.document["tunings"]
    assert {name: one["evaluations"] for name, one in tunings.items()} == {"greedy": 3, "random": 3}
    both, one = found.document["outcomes"]
    assert both["planner"] == tunings["greedy"]["planner"]
    assert both["opponent"] == tunings["random"]["planner"]
    assert one["opponent"] == "random"
    assert both["games"] == one["games"] == 4
    (table,) = found.more
    assert [row[:3] for row in table.rows] == [("greedy", "`greedy-action`", "6"), ("random", "`greedy-action`", "6")]
    assert TINY.report(json.loads(json.dumps(found.document))).rows == found.rows

    again: list[Any] = []
    second = TINY.run(RunRequest(store=store, on_progress=lambda what, done, of: again.append((what, done, of))))
    assert second.rows == found.rows
    assert {done for what, done, _ in again if "tuned" in what} == {3}, "what is in the journals is not played again"


def test_only_the_sides_that_are_asked_for_are_tuned() -> None:
    found = TINY.run(RunRequest(only=["one"], games=2))
    assert list(found.document["tunings"]) == ["greedy"]
    assert [row["cell"] for row in found.document["outcomes"]] == ["one"]


def test_shares_against_copies_of_an_opponent_are_measured_after_tuning() -> None:
    game = "pommerman:rules=paper,information=open,identity=reference"
    searching = TunedSide(
        planner="mcs", space=Space({"planner.depth": [1, 2]}), game=game, budget="4its", opponents=("random",)
    )
    experiment = TunedSharesExperiment(
        name="beyond-tiny",
        title="Tiny",
        paper="beyond the papers",
        claim="It runs.",
        sides={"search": searching},
        evaluations=2,
        games_each=4,
        cells=(
            ShareCell(name="tuned", game=game, planner=f"{TUNED}search", baselines=("as it is",)),
            ShareCell(name="as it is", game=game, planner="mcs"),
        ),
        opponent="random",
        budget="4its",
        size=4,
        seconds=0.1,
    )
    found = experiment.run(RunRequest())
    tuned, plain = found.document["outcomes"]
    assert tuned["planner"] == found.document["tunings"]["search"]["planner"]
    assert tuned["planner"].startswith("mcs:depth=")
    assert plain["planner"] == "mcs"
    compared, recommended = found.more
    assert compared.rows[0][:2] == ("tuned", "as it is")
    assert recommended.rows[0][:3] == ("search", "`random`", "8")


@pytest.mark.parametrize("experiment", [beyond.TUNED, beyond.TUNED_ROYALE], ids=lambda one: one.name)
def test_each_side_is_tuned_against_both_planners_as_they_are(experiment: TunedMatchExperiment) -> None:
    for cell in experiment.cells:
        plain = [
            experiment.sides[agent.removeprefix(TUNED)].planner if agent.startswith(TUNED) else agent
            for agent in (cell.planner, cell.opponent)
        ]
        for agent in (cell.planner, cell.opponent):
            if agent.startswith(TUNED):
                tuned = experiment.sides[agent.removeprefix(TUNED)]
                assert tuned.opponents == tuple(plain)
                assert (tuned.game, tuned.budget) == (cell.game, cell.budget)
                assert experiment.games_each % (2 * len(tuned.opponents)) == 0


def recommended(experiment: TunedExperiment) -> set[str]:
    """What the committed tuning recommends, without the budgets that only counted games have."""
    results = json.loads((ROOT / "results" / f"{experiment.name}.json").read_text(encoding="utf-8"))
    return {re.sub(r"budget=\w+,", "", one["planner"]) for one in results["tunings"].values()}


def test_at_equal_time_play_the_planners_that_the_tuner_recommended() -> None:
    timed = [cell for cell in beyond.TUNED.cells if " ms, " in cell.name or "equal evaluations, " in cell.name]
    assert {cell.opponent for cell in timed} <= recommended(beyond.TUNED)
    both = [cell for cell in timed if ": tuned " in cell.name]
    assert {cell.planner for cell in both} <= recommended(beyond.TUNED)
    assert {cell.game for cell in both} == {cell.game for cell in beyond.TUNED.cells}
    models = {cell.planner for cell in beyond.TUNED_MODELS.cells if cell.budget == "5ms"}
    assert models == recommended(beyond.TUNED_MODELS)


@pytest.mark.parametrize(
    "experiment", [beyond.TUNED, beyond.TUNED_MODELS, beyond.TUNED_ROYALE], ids=lambda one: one.name
)
def test_what_is_tuned_is_a_parameter_of_the_planner_or_a_weight_of_the_game(experiment: TunedExperiment) -> None:
    for one in experiment.sides.values():
        MatchEvaluator(one.game, one.planner, one.opponents, experiment.games_each, one.budget).check(one.space)
