"""The page about growth shows what results/speed/growth.json holds."""

from __future__ import annotations

import json
from types import ModuleType

import pytest
from pages import tool


@pytest.fixture(scope="module")
def make_growth() -> ModuleType:
    return tool("make_growth")


def test_the_tables_are_current(make_growth: ModuleType) -> None:
    text = make_growth.PAGE.read_text(encoding="utf-8")
    document = json.loads(make_growth.RESULTS.read_text(encoding="utf-8"))
    assert make_growth.page(text, document) == text, "run tools/make_growth.py"


def test_every_axis_of_the_results_is_drawn(make_growth: ModuleType) -> None:
    document = json.loads(make_growth.RESULTS.read_text(encoding="utf-8"))
    panels = make_growth.figure(document).axes
    assert [panel.get_xlabel() for panel in panels] == list(make_growth.AXES.values())
    assert all(panel.lines for panel in panels)
    assert {row["axis"] for row in document["points"]} == set(make_growth.AXES)
