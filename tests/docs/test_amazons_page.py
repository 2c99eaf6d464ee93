"""The tutorial *Three ways to bring a game* shows the real source and runs as it is printed."""

from __future__ import annotations

import re
import shutil
from pathlib import Path

import pytest

from tactician.games.amazons import library

PAGE = Path(__file__).parents[2] / "docs" / "tutorials" / "amazons.md"
BLOCKS: list[tuple[str, str, str]] = re.findall(
    r'^```(python|c)(?: title="([\w.]+)")?\n(.*?)^```$', PAGE.read_text(encoding="utf-8"), re.DOTALL | re.MULTILINE
)
EXCERPTS = [(title, code) for _, title, code in BLOCKS if title]
PROGRAM = [code for language, title, code in BLOCKS if language == "python" and not title]


@pytest.mark.parametrize(("title", "code"), EXCERPTS, ids=[title for title, _ in EXCERPTS])
def test_excerpts_are_the_source_itself(title: str, code: str) -> None:
    source = (library.SOURCE.parent / title).read_text(encoding="utf-8")
    for part in re.split(r"^(?:# \.\.\.|/\* \.\.\. \*/)\n", code, flags=re.MULTILINE):
        assert part in source


def test_the_page_runs_from_top_to_bottom() -> None:
    if not any(map(shutil.which, ("cc", "gcc", "clang"))):
        pytest.skip("no C compiler")
    scope: dict[str, object] = {"__name__": "__main__"}
    assert len(PROGRAM) >= 4
    for number, block in enumerate(PROGRAM, 1):
        exec(compile(block, f"block {number} of {PAGE.name}", "exec"), scope)
