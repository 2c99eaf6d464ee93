"""The page about what goes beyond the papers shows what the results hold."""

from __future__ import annotations

from types import ModuleType

import pytest
from pages import tool


@pytest.fixture(scope="module")
def make_beyond() -> ModuleType:
    return tool("make_beyond")


def test_the_tables_are_current(make_beyond: ModuleType) -> None:
    text = make_beyond.PAGE.read_text(encoding="utf-8")
    assert make_beyond.page(text) == text, "run tools/make_beyond.py"


def test_every_part_of_the_story_has_a_table_and_is_drawn(make_beyond: ModuleType) -> None:
    text = make_beyond.PAGE.read_text(encoding="utf-8")
    assert all(make_beyond.BEGIN.format(part) in text for part in make_beyond.STORY)
    assert [panel.get_title(loc="left") for panel in make_beyond.figure().axes] == list(make_beyond.STORY)
