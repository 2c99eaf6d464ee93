"""Lists of actions: the legal ones, and those that the paper's mask leaves."""

from __future__ import annotations

from typing import Any

from tactician.contract import helper, inline_helper
from tactician.games.pommerman.board import (
    BOMB,
    DIRECTIONS,
    DOWN,
    FLAMES,
    LAY,
    LEFT,
    MOVES,
    RIGHT,
    RIGID,
    STOP,
    STRIDE,
    UP,
)
from tactician.games.pommerman.records import CELL_BITS, LIFE_BITS, ONE_LIFE, STRENGTH

_WAYS = DIRECTIONS + 1
"""Staying and the four directions."""


@helper
def list_actions(g: Any, s: Any, player: Any, out: Any) -> Any:
    """List all actions; walking into walls and laying bombs without ammunition are legal and do nothing."""
    if s.alive >> player & 1 == 0:
        out[0] = STOP
        return 1
    for code in range(MOVES):
        out[code] = code
    for code in range(MOVES, g.codes):
        out[code] = code
    return g.codes


@helper
def list_masked(g: Any, s: Any, player: Any, out: Any) -> Any:
    """List the actions of the paper's mask: not into walls or flames, nor where a bomb is about to explode.

    Flames in their last step still block, and a bomb in its last step blocks its whole cross, one cell farther than it
    reaches and through walls. With `bars_bombs`, as in the released code, other bombs block too, also staying on one.
    """
    if s.alive >> player & 1 == 0:
        out[0] = STOP
        return 1
    cell = int(s.cell[player])
    barred = barred_ways(g, s, cell)
    n = 0
    # Without branches, which would be mispredicted half of the time: a rejected entry is overwritten.
    for way in range(_WAYS):
        value = int(s.board[cell + g.delta[way]])
        out[n] = way
        bomb = int(value == BOMB) & int(g.bars_bombs == 0)
        n += int(barred >> way & 1 == 0) & (int(way == STOP) | int(value < RIGID) | int(value > FLAMES) | bomb)
    out[n] = LAY
    n += int(s.ammo[player] > 0)
    if n == 0:
        out[0] = STOP
        n = 1
    return n


@helper
def barred_ways(g: Any, s: Any, cell: Any) -> Any:
    """Return a bit for staying and each direction: whether a bomb is about to hit the cell or bars it."""
    barred = 0
    for j in range(int(s.n_bombs)):
        bomb = int(s.bombs[j])
        gap = (bomb & CELL_BITS) - cell
        if bomb & LIFE_BITS == ONE_LIFE:
            barred |= struck_ways(bomb, cell)
        elif g.bars_bombs and gap >= -STRIDE and gap <= STRIDE:
            for way in range(_WAYS):
                barred |= int(gap == g.delta[way]) << way
    return barred


@helper
def struck_ways(bomb: Any, cell: Any) -> Any:
    """Return the same bits for a bomb in its last step."""
    place, reach = bomb & CELL_BITS, bomb >> STRENGTH & CELL_BITS
    rows, columns = place // STRIDE - cell // STRIDE, place % STRIDE - cell % STRIDE
    return (
        int(is_straight(rows, columns, reach))
        | int(is_straight(rows + 1, columns, reach)) << UP
        | int(is_straight(rows - 1, columns, reach)) << DOWN
        | int(is_straight(rows, columns + 1, reach)) << LEFT
        | int(is_straight(rows, columns - 1, reach)) << RIGHT
    )


@inline_helper
def is_straight(rows: Any, columns: Any, reach: Any) -> Any:
    """Return whether an offset is along a row or a column and at most `reach` long."""
    return (rows == 0 and abs(columns) <= reach) or (columns == 0 and abs(rows) <= reach)


@inline_helper
def lies_within(one: Any, other: Any, reach: Any) -> Any:
    """Return whether two cells are in the same row or column, at most `reach` apart."""
    return is_straight(one // STRIDE - other // STRIDE, one % STRIDE - other % STRIDE, reach)
