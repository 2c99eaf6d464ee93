"""Memory that rules write to, between guard words: a write outside it is noticed before a result is used.

Rules are compiled without bounds checks and get plain addresses. All that a search hands to them lies in a
`GuardedMemory`, whose arrays have words of a known pattern before them, behind them and behind each row.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import DTypeLike, NDArray

from tactician.native.caching import kernel
from tactician.native.memory import Address, load_u64
from tactician.native.rows import Row, Rows, make_rows

_PATTERN = np.uint64(0xB5AD_4ECE_DA1C_E2A9)
_WORD = 8
_BORDER = 128
"""Guard words before and behind an array."""
_ENDS = 8
"""Guard words at each end of a zone that are looked at between two slices; the others are, when the search ends."""


class Zone(Row):
    """Guard words behind the rows of an array, or before or behind all of it."""

    at: int
    """The address of the first word."""
    words: int
    """How many words there are in a row ..."""
    rows: int
    """... how many rows there are ..."""
    stride: int
    """... and how many bytes there are from one row to the next."""


class GuardedMemory:
    """Arrays with guard words around them."""

    def __init__(self) -> None:
        self._names: list[str] = []
        self._zones: Rows[Zone] = make_rows(Zone, 0)
        self._blocks: list[NDArray[np.uint64]] = []

    def rows(self, what: str, rows: int, used: int, room: int, dtype: DTypeLike) -> NDArray[Any]:
        """An array [rows, room] of zeros of which each row's first `used` elements may be written to.

        `what` names it in a message. A row is lengthened to whole words, and by the guard words behind it.
        """
        size = np.dtype(dtype).itemsize
        words, own = -(-room * size // _WORD), -(-used * size // _WORD)
        words = max(words, own + _ENDS)
        block = np.full(_BORDER + rows * words + _BORDER, _PATTERN, np.uint64)
        self._blocks.append(block)
        inside = block[_BORDER:-_BORDER].reshape(rows, words)
        inside[:, :own] = 0
        start = block.ctypes.data
        self._add(what, start, _BORDER, 1, 0)
        self._add(what, start + _WORD * (_BORDER + own), words - own, rows, _WORD * words)
        self._add(what, start + _WORD * (_BORDER + rows * words), _BORDER, 1, 0)
        return inside.view(dtype)

    def damaged(self, thorough: bool) -> str | None:
        """What a rule has written past, or None; without `thorough` only the guard words at the ends of zones count."""
        found = _first_damaged(self._zones, thorough)
        return None if found < 0 else self._names[found]

    def _add(self, what: str, at: Address, words: int, rows: int, stride: int) -> None:
        zones = make_rows(Zone, len(self._zones) + 1)
        made: Any = zones
        made[:-1] = self._zones
        zone = zones[len(zones) - 1]
        zone.at, zone.words, zone.rows, zone.stride = at, words, rows, stride
        self._zones = zones
        self._names.append(what)


@kernel
def _first_damaged(zones: Rows[Zone], thorough: bool) -> int:
    """The first zone with a word that is not the pattern's, or -1."""
    for i in range(len(zones)):
        zone = zones[i]
        words = zone.words
        ends = words if thorough else min(words, _ENDS)
        for row in range(zone.rows):
            at = zone.at + row * zone.stride
            for k in range(ends):
                if load_u64(at, k) != _PATTERN or load_u64(at, words - 1 - k) != _PATTERN:
                    return i
    return -1
