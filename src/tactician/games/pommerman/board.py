"""The board's geometry and the numbers of the game.

A board has 11 × 11 cells and a rim of rigid walls around it, so that no rule has to ask whether a neighbour exists.
Rows are 12 cells apart: the wall to the right of one row is the wall to the left of the next. Walking cells by number
is walking the board row by row, the order the rules prescribe.
"""

from __future__ import annotations

SIDE = 11
STRIDE = SIDE + 1
CELLS = 160
"""Bytes of a board with its rim, rounded up to whole 64-bit words."""
CELLS_USED = (SIDE + 2) * STRIDE + 1
NOWHERE = 0
"""A corner of the rim: where an agent is that an observer doesn't see."""

PASSAGE, RIGID, WOOD, BOMB, FLAMES, FOG, EXTRA_BOMB, RANGE, KICK, NOBODY, AGENT = range(11)
"""What a cell shows; agent i is AGENT + i. NOBODY fills lists of team-mates and enemies and is never on a board."""

STOP, UP, DOWN, LEFT, RIGHT, LAY = range(6)
MOVES = 6
ACTION_NAMES = ("stop", "up", "down", "left", "right", "bomb")

PLAYERS = 4
START_CELLS = ((1, 1), (9, 1), (9, 9), (1, 9))
RIGID_WALLS, WOODEN_WALLS, HIDDEN_ITEMS = 36, 36, 20
UNREACHED_PASSAGES = 4
"""How many passages a fresh board may have that nobody can get to."""

START_AMMO, START_BLAST = 1, 2
MOST_AMMO = 10
MOST_BLAST = 10
BOMB_LIFE = 10
FLAME_LIFE = 2
VIEW = 4
"""How far one sees in the variants with fog, and there also the cap of the blast strength."""
MAX_STEPS = 800

WORDS = 9
"""A radio message is two words, each from 0 to 8."""

MOST_BOMBS_GIVEN = 64
MOST_BOMBS = MOST_BOMBS_GIVEN + PLAYERS * BOMB_LIFE
"""A position may be given with 64 bombs; before the first of them must be gone each player can lay ten more."""
MOST_FLAMES = (FLAME_LIFE + 1) * SIDE * SIDE


def cell_at(row: int, column: int) -> int:
    """The number of a cell."""
    return (row + 1) * STRIDE + column + 1


def place_of(cell: int) -> tuple[int, int]:
    """The row and the column of a cell; (-1, -1) for NOWHERE."""
    return cell // STRIDE - 1, cell % STRIDE - 1


ALL_CELLS = tuple(cell_at(row, column) for row in range(SIDE) for column in range(SIDE))
