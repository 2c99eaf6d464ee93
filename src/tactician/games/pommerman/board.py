"""The geometry of the board and the numbers of the game.

A board has 11 × 11 cells and a rim of rigid walls around it, so that every cell has four neighbours. Rows are 12 cells
apart: the wall to the right of one row is the wall to the left of the next. The order of cell numbers is row by row,
the order that the rules prescribe.
"""

from __future__ import annotations

SIDE = 11
STRIDE = SIDE + 1
CELLS = 160
"""Bytes of a board with its rim, a multiple of eight."""
CELLS_USED = (SIDE + 2) * STRIDE + 1
NOWHERE = 0
"""The cell of an agent that an observer doesn't see: a corner of the rim."""

PASSAGE, RIGID, WOOD, BOMB, FLAMES, FOG, EXTRA_BOMB, RANGE, KICK, NOBODY, AGENT = range(11)
"""The values of a cell; agent i is AGENT + i. NOBODY fills lists of team-mates and enemies and is never on a board."""

STOP, UP, DOWN, LEFT, RIGHT, LAY = range(6)
MOVES = 6
DIRECTIONS = 4
"""UP to RIGHT: the directions that agents walk, bombs roll and blasts spread in."""
ACTION_NAMES = ("stop", "up", "down", "left", "right", "bomb")

PLAYERS = 4
START_CELLS = ((1, 1), (9, 1), (9, 9), (1, 9))
RIGID_WALLS, WOODEN_WALLS, HIDDEN_ITEMS = 36, 36, 20
UNREACHED_PASSAGES = 4
"""The most passages of a new board that can't be reached."""

START_AMMO, START_BLAST = 1, 2
MOST_AMMO = 10
MOST_BLAST = 10
BOMB_LIFE = 10
FLAME_LIFE = 2
ITEM_KINDS = 3
VIEW = 4
"""How far agents see in the variants with fog; there also the largest blast strength."""
MAX_STEPS = 800

WORDS = 9
"""Words of a radio message; a message is two of them."""

MOST_BOMBS_GIVEN = 64
MOST_BOMBS = MOST_BOMBS_GIVEN + PLAYERS * BOMB_LIFE
"""A given position may have 64 bombs; before the first of them explodes each player can lay ten more."""
MOST_FLAMES = (FLAME_LIFE + 1) * SIDE * SIDE


def cell_at(row: int, column: int) -> int:
    """Return the number of a cell."""
    return (row + 1) * STRIDE + column + 1


def place_of(cell: int) -> tuple[int, int]:
    """Return the row and the column of a cell; (-1, -1) for NOWHERE."""
    return cell // STRIDE - 1, cell % STRIDE - 1


ALL_CELLS = tuple(cell_at(row, column) for row in range(SIDE) for column in range(SIDE))
