"""Experiments that tune both sides before they play."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from tactician.experiments import RunRequest
from tactician.experiments.matches import Cell
from tactician.experiments.papers import beyond
from tactician.experiments.tuned import TUNED, TunedExperiment, TunedSide
from tactician.tuning import Space

GAME = "hero-academy:map=a-tiny,deck=tiny,turn_limit=8"
TINY = TunedExperiment(
    name="beyond-tiny",
    title="Tiny",
    paper="beyond the papers",
    claim="It runs.",
    presets=("paper",),
    game=GAME,
    sides={
        "greedy": TunedSide(planner="greedy-action", space=Space({"planner.prune": [True, False]})),
        "random": TunedSide(planner="random", space=Space({"planner.prune": [True, False]})),
    },
    opponents=("greedy-action",),
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
    assert [row[:2] for row in table.rows] == [("greedy", "6"), ("random", "6")]
    assert TINY.report(json.loads(json.dumps(found.document))).rows == found.rows

    again: list[Any] = []
    second = TINY.run(RunRequest(store=store, on_progress=lambda what, done, of: again.append((what, done, of))))
    assert second.rows == found.rows
    assert {done for what, done, _ in again if "tuned" in what} == {3}, "what is in the journals is not played again"


def test_the_sides_are_tuned_against_both_as_they_are_and_each_match_has_a_tuned_or_plain_planner() -> None:
    experiment = beyond.TUNED
    assert experiment.opponents == tuple(side.planner for side in experiment.sides.values())
    assert experiment.games_each % (2 * len(experiment.opponents)) == 0
    named = {f"{TUNED}{name}" for name in experiment.sides} | set(experiment.opponents)
    assert {planner for cell in experiment.cells for planner in (cell.planner, cell.opponent)} == named
