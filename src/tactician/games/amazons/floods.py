"""Which squares the queens of each side reach, and how soon: both sides and all squares of a row at once.

A board is a set of squares for each row. A row is one number with a lane of 32 bits for each side: the low lane is that
of the side that is asked about. At most 16 bits of a lane are used, so what is shifted or carried out of a row never
reaches the other lane. A flood takes one move of all queens after the other: the squares that are new after move n are
those at distance n.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from tactician.contract import bits, helper, inline_helper
from tactician.games.amazons.positions import MAX_SIZE

FREE, START, EDGE, SEEN, NEW, REACHED_FIRST, EVEN = range(7)
"""What is kept of each row: the free squares, the queens, the squares reached by the last move, those reached so far,
those that this move adds, those that a side reaches before the other, and those that both reach at the same time."""
LAYERS = 7
ROWS = MAX_SIZE
_ONE, _TWO, _FOUR, _EIGHT = np.uint64(1), np.uint64(2), np.uint64(4), np.uint64(8)
_LANE = np.uint64(32)
_LOW_LANE = np.uint64(2**32 - 1)


@helper
def read_board(g: Any, s: Any, player: Any, rows: Any) -> Any:
    """Fill the free squares and the queens of all rows; return how many squares are free."""
    width = g.width
    whole = (_ONE << np.uint64(width)) - _ONE
    count = 0
    for row in range(width):
        first = row * width
        word, shift = first >> 6, first & 63
        taken = s.taken[word] >> np.uint64(shift)
        if shift + width > 64:
            taken = taken | (s.taken[word + 1] << np.uint64(64 - shift))
        free = bits.complement(taken) & whole
        count += bits.count(free)
        rows[FREE, row] = free | (free << _LANE)
        rows[START, row] = np.uint64(0)
    for i in range(g.queens):
        own, other = np.int64(s.queens[player, i]), np.int64(s.queens[1 - player, i])
        rows[START, own // width] |= bits.single(own % width)
        rows[START, other // width] |= bits.single(other % width) << _LANE
    return count


@helper
def flood(width: Any, slides: Any, rows: Any) -> Any:
    """Move queens until nothing new is reached, by one square a move unless they slide.

    Return how many squares the low lane's side reaches with its first move.
    """
    for row in range(width):
        rows[EDGE, row] = rows[START, row]
        rows[SEEN, row] = np.uint64(0)
        rows[REACHED_FIRST, row] = np.uint64(0)
        rows[EVEN, row] = np.uint64(0)
    nearest, moves, more = 0, 0, 1
    while more == 1:
        if slides:
            slide(width, rows)
        else:
            step(width, rows)
        more = advance(width, rows)
        moves += 1
        if moves == 1:
            nearest = count_low(width, EDGE, rows)
    return nearest


@helper
def slide(width: Any, rows: Any) -> None:
    """Write where queen moves lead to from the edge."""
    for row in range(width):
        rows[NEW, row] = along_row(rows[EDGE, row], rows[FREE, row])
    straight, left, right = np.uint64(0), np.uint64(0), np.uint64(0)
    for row in range(1, width):
        from_row, free = rows[EDGE, row - 1], rows[FREE, row]
        straight = (straight | from_row) & free
        left = ((left | from_row) >> _ONE) & free
        right = ((right | from_row) << _ONE) & free
        rows[NEW, row] |= straight | left | right
    straight, left, right = np.uint64(0), np.uint64(0), np.uint64(0)
    for row in range(width - 2, -1, -1):
        from_row, free = rows[EDGE, row + 1], rows[FREE, row]
        straight = (straight | from_row) & free
        left = ((left | from_row) >> _ONE) & free
        right = ((right | from_row) << _ONE) & free
        rows[NEW, row] |= straight | left | right


@inline_helper
def along_row(edge: Any, free: Any) -> Any:
    """Return the squares of a row that slides along it lead to."""
    # Upwards an addition carries through free squares; what it changes of them are those behind a start.
    start = (edge << _ONE) & free
    found = (free ^ (free + start)) & free | start
    # Downwards nothing carries, so the reach is doubled until it is that of the longest row.
    down = (edge >> _ONE) & free
    down |= free & (down >> _ONE)
    passable = free & (free >> _ONE)
    down |= passable & (down >> _TWO)
    passable &= passable >> _TWO
    down |= passable & (down >> _FOUR)
    passable &= passable >> _FOUR
    down |= passable & (down >> _EIGHT)
    return found | down


@helper
def step(width: Any, rows: Any) -> None:
    """Write where king moves lead to from the edge."""
    above, here = np.uint64(0), spread(rows[EDGE, 0])
    for row in range(width):
        below = spread(rows[EDGE, row + 1]) if row + 1 < width else np.uint64(0)
        rows[NEW, row] = (above | here | below) & rows[FREE, row]
        above, here = here, below


@inline_helper
def spread(edge: Any) -> Any:
    """Return squares of a row and those beside them."""
    return edge | (edge << _ONE) | (edge >> _ONE)


@helper
def advance(width: Any, rows: Any) -> Any:
    """Let what is new become the edge, and note who was first; return 1 if anything is new, else 0."""
    any_new = np.uint64(0)
    for row in range(width):
        seen = rows[SEEN, row]
        new = rows[NEW, row] & bits.complement(seen)
        seen |= new
        rows[REACHED_FIRST, row] |= new & bits.complement((seen << _LANE) | (seen >> _LANE))
        rows[EVEN, row] |= new & ((new << _LANE) | (new >> _LANE))
        rows[SEEN, row] = seen
        rows[EDGE, row] = new
        any_new |= new
    return int(any_new != 0)


@helper
def count_low(width: Any, layer: Any, rows: Any) -> Any:
    """Return how many squares of the low lane are in a layer."""
    n = 0
    for row in range(width):
        n += bits.count(rows[layer, row] & _LOW_LANE)
    return n
