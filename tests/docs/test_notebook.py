"""The notebook of the documentation: it was executed, and it shows pictures."""

from __future__ import annotations

import json
from typing import Any

import pytest
from pages import ROOT, tool

NOTEBOOK = json.loads((ROOT / "docs" / "board" / "notebook.ipynb").read_text(encoding="utf-8"))
CODE = [cell for cell in NOTEBOOK["cells"] if cell["cell_type"] == "code"]


def shown(cell: dict[str, Any]) -> dict[str, str]:
    return {kind: "".join(text) for output in cell["outputs"] for kind, text in output.get("data", {}).items()}


def test_the_notebook_has_the_cells_that_the_tool_writes() -> None:
    make_notebook = tool("make_notebook")
    assert tuple("".join(cell["source"]) for cell in NOTEBOOK["cells"]) == make_notebook.CELLS


def test_states_plans_and_games_are_displayed() -> None:
    state, plan, alternatives, game = map(shown, CODE)
    assert state["image/svg+xml"].startswith("<svg")
    assert "<ol>" in plan["text/html"]
    assert "deploy" in alternatives["text/plain"]
    assert game["text/html"].startswith("<iframe srcdoc=")


def test_the_page_of_the_site_shows_the_notebook_and_loads_nothing() -> None:
    make_notebook = tool("make_notebook")
    page = make_notebook.PAGE.read_text(encoding="utf-8")
    assert page == make_notebook.as_page(make_notebook.nbformat.read(make_notebook.NOTEBOOK, as_version=4))
    assert 'src="http' not in page
    assert "<svg" in page


@pytest.mark.slow
def test_the_notebook_can_be_executed_again() -> None:
    again = tool("make_notebook").executed()
    assert not [output for cell in again.cells for output in cell.get("outputs", []) if output.output_type == "error"]
