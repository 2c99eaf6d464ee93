"""What a player may do, and the paper's mask of what is worth considering."""

from __future__ import annotations

from typing import Any

from tactician.contract import helper, inline_helper
from tactician.games.pommerman.board import DOWN, FLAMES, LAY, LEFT, MOVES, RIGHT, RIGID, STOP, STRIDE, UP
from tactician.games.pommerman.records import CELL_BITS, LIFE_BITS, ONE_LIFE, STRENGTH

_FIVE = 5


@helper
def list_actions(g: Any, s: Any, player: Any, out: Any) -> Any:
    """Everything for the living: walking into walls and laying bombs one doesn't have are legal and do nothing."""
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
    """The paper's mask: not into walls, bombs or flames, nor where a bomb is about to strike.

    It is stricter than the rules need: nobody kicks a bomb, nobody stays on one, flames about to die still block, and
    a bomb in its last step bars its whole cross, one cell farther than it reaches and through walls.
    """
    if s.alive >> player & 1 == 0:
        out[0] = STOP
        return 1
    cell = int(s.cell[player])
    barred = barred_ways(g, s, cell)
    n = 0
    # Written without branches, which would be guessed wrong half of the time: what is not kept is overwritten.
    for way in range(_FIVE):
        value = int(s.board[cell + g.delta[way]])
        out[n] = way
        n += int(barred >> way & 1 == 0) & (int(way == STOP) | int(value < RIGID) | int(value > FLAMES))
    out[n] = LAY
    n += int(s.ammo[player] > 0)
    if n == 0:
        out[0] = STOP
        n = 1
    return n


@helper
def barred_ways(g: Any, s: Any, cell: Any) -> Any:
    """For staying and each way a bit: whether a bomb lies there or is about to strike there."""
    barred = 0
    for j in range(int(s.n_bombs)):
        bomb = int(s.bombs[j])
        gap = (bomb & CELL_BITS) - cell
        if bomb & LIFE_BITS == ONE_LIFE:
            barred |= struck_ways(bomb, cell)
        elif gap >= -STRIDE and gap <= STRIDE:
            for way in range(_FIVE):
                barred |= int(gap == g.delta[way]) << way
    return barred


@helper
def struck_ways(bomb: Any, cell: Any) -> Any:
    """The same bits for one bomb in its last step."""
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
    """Whether a distance is along a row or a column and not too far."""
    return (rows == 0 and abs(columns) <= reach) or (columns == 0 and abs(rows) <= reach)


@inline_helper
def lies_within(one: Any, other: Any, reach: Any) -> Any:
    """Whether two cells are in one row or column, at most that far apart."""
    return is_straight(one // STRIDE - other // STRIDE, one % STRIDE - other % STRIDE, reach)
