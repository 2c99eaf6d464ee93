"""What a learned evaluation counts of a player's side: where queens can go, and which squares they reach first."""

from __future__ import annotations

from itertools import accumulate
from typing import Any

import numpy as np

from tactician.contract import helper
from tactician.games.amazons.floods import (
    EVEN,
    LAYERS,
    REACHED_FIRST,
    ROWS,
    count_low,
    flood,
    read_board,
)
from tactician.games.amazons.positions import MAX_SIZE
from tactician.games.amazons.reach import liberties

_KINDS = ("mobility", "liberties", "trapped", "territory", "near_territory", "tempo")
NAMES = (*_KINDS, *(f"early_{kind}" for kind in _KINDS))
"""The features, in order: each once as it is, and once in proportion to the free squares."""
_MOBILITY, _LIBERTIES, _TRAPPED, _TERRITORY, _NEAR, _TEMPO = range(len(_KINDS))
_EARLY = len(_KINDS)
_TEN = 10.0
"""Squares are counted in tens, so that all features are of the same size."""
_TENTHS = np.array(list(accumulate([0.0] + [1 / _TEN] * MAX_SIZE**2)))
"""The tenth of each number of squares, added up square by square: n / 10 differs in the last digit."""


@helper
def write_features(g: Any, s: Any, player: Any, out: Any) -> None:
    """Write the features of one side into `out`, all 0 before."""
    rows = np.empty((LAYERS, ROWS), np.uint64)
    free = read_board(g, s, player, rows)
    out[_MOBILITY] = _TENTHS[flood(g.width, True, rows)]
    out[_TERRITORY] = _TENTHS[count_low(g.width, REACHED_FIRST, rows)]
    if s.player == player:
        out[_TEMPO] = _TENTHS[count_low(g.width, EVEN, rows)]
    out[_LIBERTIES] = _TENTHS[flood(g.width, False, rows)]
    out[_NEAR] = _TENTHS[count_low(g.width, REACHED_FIRST, rows)]
    for i in range(g.queens):
        out[_TRAPPED] += float(int(liberties(g, s, s.queens[player, i]) == 0))
    for kind in range(_EARLY):
        out[_EARLY + kind] = out[kind] * free / (g.width * g.width)
