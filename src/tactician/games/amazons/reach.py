"""How far queens and arrows get: rays of a square as sets, so that a direction takes a few instructions.

A ray is the set of all squares in one direction. The first four directions lead to smaller squares, the others to
larger ones, so the square that stops a ray is the highest or the lowest of those taken on it.
"""

from __future__ import annotations

from functools import lru_cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

from tactician.contract import bits, helper, inline_helper, random
from tactician.games.amazons.positions import DIRECTIONS, MAX_SIZE
from tactician.native.records import FieldRecord

SQUARES = MAX_SIZE**2
WORDS = SQUARES // 64
WAYS = len(DIRECTIONS)
DOWNWARD = WAYS // 2
"""The first direction that leads to larger squares."""
_ALL, _ONE = np.uint64(2**64 - 1), np.uint64(1)

REACH_FIELDS = (
    ("words", "i8"),  # of a set of squares that the board needs
    ("delta", "i8", (WAYS,)),  # what a step adds to a square
    ("rays", "u8", (WAYS, SQUARES, WORDS)),
    ("beside", "u8", (SQUARES, WORDS)),  # the squares next to each
)
"""The fields of a configuration that `derive` fills."""


def derive(g: FieldRecord) -> None:
    """Fill the tables of a configuration from the width of the board."""
    width = int(g.width)
    g.words = -(-(width**2) // 64)
    g.delta = [down * width + right for down, right in DIRECTIONS]
    g.rays, g.beside = _tables(width)


@lru_cache(maxsize=4)
def _tables(width: int) -> tuple[NDArray[np.uint64], NDArray[np.uint64]]:
    rays, beside = np.zeros((WAYS, SQUARES, WORDS), np.uint64), np.zeros((SQUARES, WORDS), np.uint64)
    for square in range(width**2):
        for way, (down, right) in enumerate(DIRECTIONS):
            row, column = square // width + down, square % width + right
            first = True
            while 0 <= row < width and 0 <= column < width:
                word, bit = divmod(row * width + column, 64)
                rays[way, square, word] |= np.uint64(1 << bit)
                beside[square, word] |= np.uint64(first << bit)
                row, column, first = row + down, column + right, False
    return rays, beside


@inline_helper
def free_run(g: Any, s: Any, square: Any, way: Any) -> Any:
    """Return how many squares in a direction are free before the first that is not."""
    run, still_free = 0, 1
    # Without branches, which would be mispredicted in most directions.
    if way < DOWNWARD:
        for word in range(g.words - 1, -1, -1):
            ray = g.rays[way, square, word]
            blockers = ray & s.taken[word]
            run += still_free * bits.count(ray & above(blockers))
            still_free &= int(blockers == 0)
    else:
        for word in range(g.words):
            ray = g.rays[way, square, word]
            blockers = ray & s.taken[word]
            run += still_free * bits.count(ray & below(blockers))
            still_free &= int(blockers == 0)
    return run


@inline_helper
def above(squares: Any) -> Any:
    """Return all squares of a word above those of a set."""
    if squares == 0:
        return _ALL
    top = bits.single(bits.highest(squares))
    return bits.complement(top | (top - _ONE))


@inline_helper
def below(squares: Any) -> Any:
    """Return all squares of a word below those of a set."""
    return bits.complement(squares) & (squares - _ONE)


@helper
def list_reach(g: Any, s: Any, square: Any, out: Any) -> Any:
    """Write the free squares in line with a square; return how many."""
    n = 0
    for way in range(WAYS):
        for step in range(1, free_run(g, s, square, way) + 1):
            out[n] = square + step * g.delta[way]
            n += 1
    return n


@helper
def draw_reach(g: Any, s: Any, square: Any, out: Any, rng: Any) -> Any:
    """Write a random one of the free squares in line with a square; return how many there are.

    The first entries of `out` serve as room for the counts of the directions.
    """
    n = 0
    for way in range(WAYS):
        n += free_run(g, s, square, way)
        out[way] = n
    if n == 0:
        return 0
    drawn = random.below(rng, n)
    way, before = 0, 0
    for i in range(WAYS):
        if out[i] <= drawn:
            way, before = i + 1, out[i]
    out[0] = square + (drawn - before + 1) * g.delta[way]
    return n


@helper
def mobility(g: Any, s: Any, square: Any) -> Any:
    """Return how many free squares are in line with a square."""
    n = 0
    for way in range(WAYS):
        n += free_run(g, s, square, way)
    return n


@inline_helper
def liberties(g: Any, s: Any, square: Any) -> Any:
    """Return how many of the eight squares beside a square are free."""
    n = 0
    for word in range(g.words):
        n += bits.count(g.beside[square, word] & bits.complement(s.taken[word]))
    return n
