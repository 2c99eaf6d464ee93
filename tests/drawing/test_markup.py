"""Styled terminal text."""

from __future__ import annotations

from rich.text import Text

from tactician.drawing.markup import styled


def test_text_gets_its_style() -> None:
    assert styled("K>", "bold red") == "[bold red]K>[/]"


def test_text_that_looks_like_markup_is_written_as_it_is() -> None:
    assert Text.from_markup(styled("a [red] dragon", "bold")).plain == "a [red] dragon"


def test_blank_text_and_text_without_a_style_stay_plain() -> None:
    assert (styled("   ", "red"), styled("word", "")) == ("   ", "word")
