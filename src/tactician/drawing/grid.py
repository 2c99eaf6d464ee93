"""Draw boards of squares from a table of symbols, as text for a terminal and as SVG.

A game says what stands on each square; everything else (coordinates, colours, the frame) is done here:

    SYMBOLS = {"X": Symbol("X", "#1f62b5"), "O": Symbol("O", "#cf3a24")}
    rule.draw_text(lambda g, s: grid_text(rows(s), SYMBOLS))
    rule.draw_svg(lambda g, s: grid_svg(rows(s), SYMBOLS, title="my game"))

`rows` is a sequence of rows, top first; each entry is a key of the table, or None for an empty square.
"""

from __future__ import annotations

from collections.abc import Hashable, Mapping, Sequence
from dataclasses import dataclass
from string import ascii_lowercase

from rich.markup import escape

from tactician.drawing import svg

Rows = Sequence[Sequence[Hashable | None]]

_SQUARE, _MARGIN = 48, 28
_LIGHT, _DARK, _INK = "#f3ead6", "#e4d5b4", "#4a4337"


@dataclass(frozen=True)
class Symbol:
    """How a piece is drawn."""

    text: str
    """One or two characters for the terminal and, on a disc, for the picture."""
    colour: str = _INK
    """Of the character in the terminal and the disc in the picture, as #rrggbb."""
    disc: bool = True
    """Whether the picture has a disc behind the character; without it, walls and marks are just the character."""


def square_name(row: int, column: int, rows: int) -> str:
    """The name of a square as in chess: column letter, row number from the bottom; a27 has two-digit rows."""
    return f"{_letters(column)}{rows - row}"


def grid_text(rows: Rows, symbols: Mapping[Hashable, Symbol], caption: str = "") -> str:
    """The board as rich markup with the names of rows and columns around it."""
    wide = max((len(symbol.text) for symbol in symbols.values()), default=1)
    margin = len(str(len(rows)))
    lines = []
    for number, row in enumerate(rows):
        cells = (_cell(entry, symbols, wide) for entry in row)
        lines.append(f"[dim]{len(rows) - number:>{margin}}[/dim]  {' '.join(cells)}")
    columns = len(rows[0]) if rows else 0
    letters = " ".join(_letters(column).ljust(wide) for column in range(columns))
    lines.append(f"{'':{margin}}  [dim]{letters}[/dim]")
    if caption:
        lines.append(escape(caption))
    return "\n".join(lines)


def grid_svg(rows: Rows, symbols: Mapping[Hashable, Symbol], title: str = "board", caption: str = "") -> str:
    """The board as a picture; every square and piece carries ``data-part`` so that a page can point at it."""
    height, width = len(rows), len(rows[0]) if rows else 0
    parts: list[str] = []
    for row in range(height):
        for column in range(width):
            parts.append(_square(row, column, rows[row][column], symbols, height))
    parts += _coordinates(height, width)
    total = _MARGIN + height * _SQUARE + _MARGIN + (24 if caption else 0)
    if caption:
        parts.append(svg.label(_MARGIN, total - 10, 15, caption, _INK))
    return svg.document(title, 2 * _MARGIN + width * _SQUARE, total, parts, definitions="")


def _cell(entry: Hashable | None, symbols: Mapping[Hashable, Symbol], wide: int) -> str:
    if entry is None:
        return "[dim]·[/dim]" + " " * (wide - 1)
    symbol = symbols[entry]
    return f"[{symbol.colour}]{escape(symbol.text)}[/]" + " " * (wide - len(symbol.text))


def _square(row: int, column: int, entry: Hashable | None, symbols: Mapping[Hashable, Symbol], height: int) -> str:
    x, y = _MARGIN + column * _SQUARE, _MARGIN + row * _SQUARE
    fill = _DARK if (row + column) % 2 else _LIGHT
    parts = [svg.rect(0, 0, _SQUARE, _SQUARE, fill)]
    if entry is not None:
        symbol, middle = symbols[entry], _SQUARE / 2
        if symbol.disc:
            parts.append(svg.circle(middle, middle, 0.4 * _SQUARE, symbol.colour))
        colour = svg.WHITE if symbol.disc else symbol.colour
        parts.append(svg.label(middle, middle + 7, 20, symbol.text, colour, anchor="middle", bold=True))
    name = square_name(row, column, height)
    return svg.group("square", x, y, parts, data_part=f"square:{name}")


def _coordinates(height: int, width: int) -> list[str]:
    below = _MARGIN + height * _SQUARE + 19
    letters = [
        svg.label(_MARGIN + (column + 0.5) * _SQUARE, below, 13, _letters(column), _INK, anchor="middle")
        for column in range(width)
    ]
    numbers = [
        svg.label(_MARGIN - 8, _MARGIN + (row + 0.5) * _SQUARE + 5, 13, height - row, _INK, anchor="end")
        for row in range(height)
    ]
    return letters + numbers


def _letters(column: int) -> str:
    if column < len(ascii_lowercase):
        return ascii_lowercase[column]
    return _letters(column // len(ascii_lowercase) - 1) + ascii_lowercase[column % len(ascii_lowercase)]
