"""How often games that are added by rule find a difference where there is none."""

from __future__ import annotations

import json

import measure_extension
import pytest


def test_looking_again_finds_more_differences_than_one_look() -> None:
    """The same games decide in both ways; a cell that stops early can't be put right by later games."""
    found = measure_extension.simulated(200, seed=1)
    rows = {row["rate"]: row for row in found["rows"]}
    for row in rows.values():
        assert sum(row["extended"].values()) == pytest.approx(1)
        assert measure_extension.LOOKS[0] <= row["games"] <= measure_extension.LOOKS[-1]
    assert rows[0.7]["extended"]["differs"] > rows[0.7]["at_once"]["differs"]
    assert rows[0.9]["games"] < rows[0.6]["games"] < rows[0.5]["games"], "near a half the winner stays undecided"


def test_the_simulation_is_repeatable() -> None:
    assert measure_extension.simulated(5, seed=3) == measure_extension.simulated(5, seed=3)
    kept = json.loads(measure_extension.PATH.read_text(encoding="utf-8"))
    assert (kept["seed"], kept["cells"], kept["looks"]) == (
        measure_extension.SEED,
        measure_extension.CELLS,
        list(measure_extension.LOOKS),
    )
