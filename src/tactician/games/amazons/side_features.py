"""What a learned evaluation counts of a player's side: where queens can go, and which squares they reach first."""

from __future__ import annotations

from typing import Any

import numpy as np

from tactician.contract import bits, helper
from tactician.games.amazons.positions import MAX_SIZE

_KINDS = ("mobility", "liberties", "trapped", "territory", "near_territory", "tempo")
NAMES = (*_KINDS, *(f"early_{kind}" for kind in _KINDS))
"""The features, in order: each once as it is, and once in proportion to the free squares."""
_MOBILITY, _LIBERTIES, _TRAPPED, _TERRITORY, _NEAR, _TEMPO = range(len(_KINDS))
_EARLY = len(_KINDS)
_SQUARES = MAX_SIZE**2
_FAR = 255
_TEN = 10.0
"""Squares are counted in tens, so that all features are of the same size."""


@helper
def write_features(g: Any, s: Any, player: Any, out: Any) -> None:
    """Write the features of one side into `out`, all 0 before."""
    size = g.width * g.width
    own, other = np.empty(_SQUARES, np.uint8), np.empty(_SQUARES, np.uint8)
    queue = np.empty(_SQUARES, np.int16)
    measure(g, s, player, g.width, own, queue)
    measure(g, s, 1 - player, g.width, other, queue)
    free = 0
    for square in range(size):
        if bits.has(s.taken[square >> 6], square & 63) == 0:
            free += 1
            out[_TERRITORY] += int(own[square] < other[square]) / _TEN
            out[_TEMPO] += int(own[square] == other[square] and own[square] != _FAR and s.player == player) / _TEN
            out[_MOBILITY] += int(own[square] == 1) / _TEN
    measure(g, s, player, 1, own, queue)
    measure(g, s, 1 - player, 1, other, queue)
    for square in range(size):
        if bits.has(s.taken[square >> 6], square & 63) == 0:
            out[_NEAR] += int(own[square] < other[square]) / _TEN
            out[_LIBERTIES] += int(own[square] == 1) / _TEN
    for i in range(g.queens):
        out[_TRAPPED] += float(int(is_trapped(g, s, s.queens[player, i])))
    for kind in range(_EARLY):
        out[_EARLY + kind] = out[kind] * free / size


@helper
def measure(g: Any, s: Any, player: Any, reach: Any, distance: Any, queue: Any) -> None:
    """Write in how many moves of up to `reach` squares the player's queens come to each square."""
    distance[:] = _FAR
    count = 0
    for i in range(g.queens):
        queue[count] = s.queens[player, i]
        distance[queue[count]] = 0
        count += 1
    at = 0
    while at < count:
        square = int(queue[at])
        at += 1
        moves = int(distance[square]) + 1
        row, column = square // g.width, square % g.width
        for down in range(-1, 2):
            for right in range(-1, 2):
                y, x, left = row + down, column + right, reach
                while left > 0 and (down != 0 or right != 0) and 0 <= y < g.width and 0 <= x < g.width:
                    there = y * g.width + x
                    if bits.has(s.taken[there >> 6], there & 63) == 1 or distance[there] < moves:
                        break
                    if distance[there] == _FAR:
                        distance[there] = moves
                        queue[count] = there
                        count += 1
                    y, x, left = y + down, x + right, left - 1


@helper
def is_trapped(g: Any, s: Any, square: Any) -> Any:
    """Return whether all squares beside a queen are taken or outside."""
    row, column = square // g.width, square % g.width
    for down in range(-1, 2):
        for right in range(-1, 2):
            y, x = row + down, column + right
            if (down != 0 or right != 0) and 0 <= y < g.width and 0 <= x < g.width:
                there = y * g.width + x
                if bits.has(s.taken[there >> 6], there & 63) == 0:
                    return False
    return True
