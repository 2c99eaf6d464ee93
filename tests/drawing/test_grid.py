"""Boards of squares are drawn from a table of symbols."""

from __future__ import annotations

from typing import Any
from xml.dom import minidom

from rich.text import Text

from tactician.drawing.grid import Symbol, grid_svg, grid_text, square_name

SYMBOLS = {"king": Symbol("K", "#1f62b5"), 7: Symbol("[]", disc=False)}
ROWS: list[list[Any]] = [["king", None, None], [None, 7, None]]


def test_text_has_a_line_a_row_and_the_names_of_rows_and_columns() -> None:
    assert Text.from_markup(grid_text(ROWS, SYMBOLS, "white to move")).plain.split("\n") == [
        "2  K  ·  · ",
        "1  ·  [] · ",
        "   a  b  c ",
        "white to move",
    ]


def test_a_picture_has_a_part_for_each_square_and_a_disc_for_each_piece() -> None:
    picture = minidom.parseString(grid_svg(ROWS, SYMBOLS, "a board", "white to move"))
    parts = [group.getAttribute("data-part") for group in picture.getElementsByTagName("g")]
    assert parts == [f"square:{name}" for name in ("a2", "b2", "c2", "a1", "b1", "c1")]
    assert len(picture.getElementsByTagName("circle")) == 1
    texts: list[Any] = [node.firstChild for node in picture.getElementsByTagName("text")]
    assert {"K", "[]", "a", "1", "white to move"} <= {text.data for text in texts}


def test_squares_are_named_as_in_chess() -> None:
    assert [square_name(7, 0, 8), square_name(0, 7, 8), square_name(0, 26, 30)] == ["a1", "h8", "aa30"]
