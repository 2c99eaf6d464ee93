"""The tutorials *A planner in your own game loop* and *Plan in other people's environments* run as they are printed.

A block whose title names something that need not be installed is run where it is, else skipped with the reason.
"""

from __future__ import annotations

import importlib.util
import re
import shutil
from pathlib import Path
from typing import Any

import pytest

TUTORIALS = Path(__file__).parents[2] / "docs" / "tutorials"
_BLOCK = re.compile(r'^```python(?: title="(?P<needs>[^"]+)")?\n(?P<code>.*?)^```$', re.DOTALL | re.MULTILINE)
THERE = {
    None: True,
    "needs a C compiler": any(map(shutil.which, ("cc", "gcc", "clang"))),
    "needs pgx": importlib.util.find_spec("pgx") is not None,
}


def blocks(page: str) -> list[tuple[str | None, int, str]]:
    text = (TUTORIALS / page).read_text(encoding="utf-8")
    return [(m["needs"], text.count("\n", 0, m.start("code")), m["code"]) for m in _BLOCK.finditer(text)]


def run(page: str, *numbers: int) -> None:
    """Run some blocks of a page in one scope; skip at one that needs what is not there."""
    scope: dict[str, Any] = {"__name__": "__main__"}
    for number in numbers:
        needs, line, code = blocks(page)[number]
        if not THERE[needs]:
            pytest.skip(f"block {number + 1} of {page} {needs}, which is not installed here")
        exec(compile("\n" * line + code, str(TUTORIALS / page), "exec"), scope)


@pytest.mark.parametrize("number", [1, 2, 3], ids=["compiled rules", "plain objects", "C library"])
def test_a_planner_plays_in_the_readers_own_loop(number: int) -> None:
    run("embedding.md", 0, number)


def test_the_loop_takes_less_than_thirty_lines() -> None:
    needs, _, code = blocks("embedding.md")[0]
    assert needs is None
    assert len([line for line in code.splitlines() if line.strip()]) < 30


@pytest.mark.parametrize("number", [0, 1], ids=["gymnasium", "pgx"])
def test_environments_of_others_are_planned_on(number: int) -> None:
    run("other-worlds.md", number)


@pytest.mark.parametrize("page", ["other-worlds.md"])
def test_the_class_around_an_environment_has_about_ten_lines(page: str) -> None:
    for _, _, code in blocks(page):
        lines = code[code.index("\nclass ") + 1 :].split("\n\n")[0].splitlines()
        assert len(lines) <= 13
