"""Maps of Hero Academy: rows of letters, and how they are read and checked.

``d`` and ``D`` are deploy squares of player 1 and player 2, ``c`` and ``C`` their crystals, ``S`` is a defense square,
``A`` assault, ``P`` power, ``0`` or ``.`` plain.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from tactician.errors import InvalidParameterError

MAX_SQUARES = 64
"""Sets of squares are bits of a 64-bit word."""
LETTERS = "dDcCSAP0."

MAPS = {
    "a": ("d000S000D", "00c000C00", "00P000P00", "0c00000C0", "d000A000D"),
    "a-small": ("d00S00D", "00c0C00", "0c0P0C0", "d00A00D"),
    "a-tiny": ("d0S0P", "c0A0C", "P0S0D"),
}
"""The maps that come with the game; the papers use ``a``."""


def map_rows(source: str | Path | Sequence[str]) -> tuple[str, ...]:
    """Return the checked rows of a map, given by name, as a text file, as text with line breaks, or as rows."""
    if isinstance(source, str) and source in MAPS:
        return MAPS[source]
    name = "map"
    if isinstance(source, (str, Path)):
        text = str(source)
        if "\n" not in text:
            name = f"map {text!r}"
            try:
                text = Path(text).read_text(encoding="utf-8")
            except (OSError, ValueError):  # missing, not text, or not a valid path
                known = ", ".join(MAPS)
                raise InvalidParameterError(f"{name} is neither one of {known} nor a readable file.") from None
        rows = tuple(line.strip() for line in text.splitlines() if line.strip() and not line.lstrip().startswith("#"))
    elif isinstance(source, Sequence):
        rows = tuple(source)
    else:
        raise InvalidParameterError(f"map is {source!r}; expected a name, a file or a list of rows.")
    check_rows(rows, name)
    return tuple(row.replace(".", "0") for row in rows)


def check_rows(rows: Sequence[str], name: str) -> None:
    """Raise `InvalidParameterError` unless the rows form a board that can be played on."""
    if not rows:
        raise InvalidParameterError(f"{name} has no rows; expected lines of the letters {LETTERS}.")
    for number, row in enumerate(rows, 1):
        if not isinstance(row, str) or not row:
            raise InvalidParameterError(f"{name}: row {number} is {row!r}; expected letters of {LETTERS}.")
    width = len(rows[0])
    for number, row in enumerate(rows, 1):
        if len(row) != width:
            raise InvalidParameterError(f"{name}: row {number} has {len(row)} squares; expected {width} as in row 1.")
        for letter in row:
            if letter not in LETTERS:
                raise InvalidParameterError(f"{name}: row {number} has {letter!r}; expected letters of {LETTERS}.")
    if width * len(rows) > MAX_SQUARES:
        raise InvalidParameterError(f"{name} has {width}×{len(rows)} squares; expected at most {MAX_SQUARES}.")
    board = "".join(rows)
    for letter, what in (("c", "crystal"), ("C", "crystal"), ("d", "deploy square"), ("D", "deploy square")):
        if letter not in board:
            player = 1 if letter.islower() else 2
            raise InvalidParameterError(f"{name} has no {what} of player {player}; expected at least one {letter!r}.")
