"""Every planner has a section with idea, picture, paper, command, measured strength, and when not to use it."""

from __future__ import annotations

from types import ModuleType

import pytest
from pages import ROOT, page, tool

from tactician.planners import PLANNERS

TOGETHER = ("mcs", "simultaneous-mcts", "fdts", "rhea")
"""Planners of simultaneous moves: their strength is in one table."""
OWN_MATCHES = ("determinized", "information-set-mcts", "clairvoyant", "reply", "auto", "annealing", "coevolution")
"""Planners whose page has matches of its own."""
SHARED_PICTURE = {"no-ai": "orders.svg", "random-order": "orders.svg"}
"""Planners that another one's picture shows as well."""


def section(name: str) -> str:
    """The part of a planner's page around its facts, from one heading of the second level to the next."""
    parts = page(PLANNERS[name].page).text.split("\n## ")
    (found,) = (part for part in parts if f"<!-- table: facts {name} -->" in part)
    return found


@pytest.mark.parametrize("name", PLANNERS)
def test_a_planner_has_a_picture_and_its_facts(name: str) -> None:
    text = page(PLANNERS[name].page).text if name in SHARED_PICTURE else section(name)
    assert f"]({SHARED_PICTURE.get(name, f'{name}.svg')})" in text
    assert f"`tactician arena {'pommerman' if name in TOGETHER else 'hero-academy'} {name} random" in section(name)


@pytest.mark.parametrize("name", PLANNERS)
def test_a_planner_has_measured_strength_and_a_warning(name: str) -> None:
    whole = page(PLANNERS[name].page).text
    if name in TOGETHER:
        assert "<!-- table: battles -->" in whole
    elif name in OWN_MATCHES:
        assert "95 % interval" in whole
    else:
        assert f"<!-- table: strength {name} -->" in whole
    # A page of one planner may have a heading for it.
    warned = "**When not to use it.**" in (whole if name in OWN_MATCHES else section(name))
    assert warned or "\n## When not to use it" in whole


@pytest.fixture(scope="module")
def make_diagrams() -> ModuleType:
    return tool("make_diagrams")


def test_committed_diagrams_are_what_the_tool_draws(make_diagrams: ModuleType) -> None:
    for name, draw in make_diagrams.DIAGRAMS.items():
        committed = (make_diagrams.FOLDER / name).read_text(encoding="utf-8")
        assert draw().svg() == committed, f"docs/planners/{name} is out of date: run tools/make_diagrams.py"


def test_no_diagram_is_left_over(make_diagrams: ModuleType) -> None:
    drawn = set(make_diagrams.DIAGRAMS)
    assert {path.name for path in (ROOT / "docs" / "planners").glob("*.svg")} - {"choose.svg"} == drawn
