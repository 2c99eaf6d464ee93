"""The input of the paper's follower network for a seat: 14 planes of 11 × 11 numbers.

Planes 0 to 8 are the cell values from passage to kick, 9 the bombs' reach and life, 10 to 12 the seat's ammunition,
strength and kick as constants, 13 its place. In the released code plane 9 is always zero, because lives below 1 were
stored as integers: that is the encoding `released`. `corrected` fills plane 9 as the paper describes it.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from tactician.contract import helper
from tactician.contract.planes import SYMMETRIES, Encoding, Planes
from tactician.contract.state import State
from tactician.games.pommerman.board import (
    BOMB_LIFE,
    DOWN,
    FOG,
    KICK,
    LEFT,
    MOVES,
    NOWHERE,
    RIGHT,
    SIDE,
    STRIDE,
    UP,
)
from tactician.games.pommerman.hiding import sees
from tactician.games.pommerman.records import CELL_BITS, LIFE, STRENGTH

PLANE_NAMES = (
    "passage",
    "rigid wall",
    "wood",
    "bomb",
    "flames",
    "fog",
    "extra bomb",
    "range",
    "kick",
    "life of bombs on the cells they reach",
    "own ammunition",
    "own strength",
    "own kick",
    "own place",
)
_BOMBS, _AMMO, _BLAST, _KICK, _PLACE = range(9, 14)


def planes(state: State, seat: int, corrected: bool = False) -> NDArray[np.float32]:
    """Return the planes of a seat, an array (14, 11, 11); `corrected` fills plane 9 as the paper describes it."""
    return (CORRECTED if corrected else RELEASED).planes_of(state, seat)


@helper
def fill_released(g: Any, s: Any, seat: Any, out: Any) -> None:
    """Write the planes of the released code."""
    here = int(s.cell[seat])
    for row in range(SIDE):
        for column in range(SIDE):
            cell = (row + 1) * STRIDE + column + 1
            value = int(s.board[cell]) if sees(g, here, cell) else FOG
            if value <= KICK:
                out[value, row, column] = 1.0
    out[_AMMO] = s.ammo[seat]
    out[_BLAST] = s.blast[seat]
    out[_KICK] = s.kick[seat]
    if int(s.alive) >> seat & 1 == 1 and here != NOWHERE:
        out[_PLACE, here // STRIDE - 1, here % STRIDE - 1] = 1.0


@helper
def fill_corrected(g: Any, s: Any, seat: Any, out: Any) -> None:
    """Write the same planes with the bombs' reach and life."""
    fill_released(g, s, seat, out)
    here = int(s.cell[seat])
    for j in range(int(s.n_bombs)):
        bomb = int(s.bombs[j])
        if sees(g, here, bomb & CELL_BITS):
            draw_cross(bomb, out)


@helper
def draw_cross(bomb: Any, out: Any) -> None:
    """Write a bomb's life in tenths to the cells up to its strength away, one more than it reaches, through walls."""
    cell, reach = bomb & CELL_BITS, bomb >> STRENGTH & CELL_BITS
    row, column = cell // STRIDE - 1, cell % STRIDE - 1
    life = np.float32((bomb >> LIFE & CELL_BITS) / BOMB_LIFE)
    for there in range(max(0, row - reach), min(SIDE, row + reach + 1)):
        out[_BOMBS, there, column] = life
    for there in range(max(0, column - reach), min(SIDE, column + reach + 1)):
        out[_BOMBS, row, there] = life


def symmetries() -> tuple[tuple[int, ...], ...]:
    """What each action becomes under each symmetry of the board."""
    quarter, mirrored = {UP: LEFT, LEFT: DOWN, DOWN: RIGHT, RIGHT: UP}, {LEFT: RIGHT, RIGHT: LEFT}
    orders = []
    for symmetry in range(SYMMETRIES):
        order = list(range(MOVES))
        for _ in range(symmetry % 4):
            order = [quarter.get(action, action) for action in order]
        orders.append(tuple(mirrored.get(action, action) for action in order) if symmetry >= 4 else tuple(order))
    return tuple(orders)


CORRECTED, RELEASED = (
    Encoding(name, SIDE, SIDE, (Planes(PLANE_NAMES, fill),), outputs=MOVES, symmetries=symmetries())
    for name, fill in (("corrected", fill_corrected), ("released", fill_released))
)
ENCODINGS = (CORRECTED, RELEASED)
"""The first is the one that is used unless another is named."""
