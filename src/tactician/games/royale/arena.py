"""The arena's geometry and the numbers of the game that no card changes.

Lengths are in thousandths of a tile, times in ticks of 100 ms, elixir in 28ths. The global frame has x to the right
and y up, player 0 at the bottom. A player's own frame is the global one for player 0 and its half-turn for player 1,
so that everybody sits at the bottom and attacks upwards.
"""

from __future__ import annotations

PLAYERS = 2
COLUMNS, ROWS = 18, 32
TILES = COLUMNS * ROWS
TILE = 1000
WIDTH, HEIGHT = COLUMNS * TILE, ROWS * TILE
MIDDLE_X, MIDDLE_Y = WIDTH // 2, HEIGHT // 2
LEAST_X, MOST_X = 500, 17500
LEAST_Y, MOST_Y = 500, 31500
"""Where the centre of a troop can be."""

RIVER_BOTTOM, RIVER_TOP = 15000, 17000
BRIDGE_LEFT, BRIDGE_RIGHT = 3500, 14500
"""The centre lines of the bridges."""
BRIDGE_HALF = 1500
BRIDGE_LANE = 1000
"""How far from its centre line troops walk over a bridge."""

TOWERS = 3
PRINCESS_LEFT, PRINCESS_RIGHT, KING = range(TOWERS)
"""A player's towers by slot, left and right in its own frame. Towers have the uids 0 to 2."""
TOWER_PLACES = ((3500, 6500), (14500, 6500), (9000, 3000))
"""Own-frame centres."""
FOOTPRINTS = (((2, 4), (5, 7)), ((13, 15), (5, 7)), ((7, 10), (1, 4)))
"""The columns and the rows a tower stands on, first and last, by slot."""
FIRST_ROW, LAST_ROW = 1, 14
BACK_COLUMNS = (6, 11)
"""Troops are deployed in rows 1 to 14 of the own frame, and in row 0 only behind the king."""
POCKET_ROWS = (17, 20)
"""... and beyond the river, in the half of a fallen princess tower."""

TICKS_A_SECOND = 10
TICKS_A_STEP = 5
REGULAR_TICKS = 1800
MOST_TICKS = 3000
DOUBLE_ELIXIR_TICK = 1200
DEPLOY_TICKS = 10
WAKE_TICKS = 35
WAVE_TICKS = 2
"""Between two waves of a spell."""

ELIXIR = 28
"""One elixir in the unit that is gained each tick."""
MOST_ELIXIR = 10 * ELIXIR
START_ELIXIR = 5 * ELIXIR

DECK = 8
HAND, QUEUE = 4, 4
MOST_TROOPS = 40
MOST_UNITS_A_CARD = 3
"""A troop card needs this many free places."""
MOST_SPELLS = 8
FIRST_UID = TOWERS
PAST = 10
"""How many of its own last actions a player remembers."""

FORMATIONS = (((0, 0),), ((-500, 0), (500, 0)), ((0, 600), (-500, -300), (500, -300)))
"""Own-frame offsets of a card's units from the tile's centre, by the number of units less one."""


def global_place(player: int, place: tuple[int, int]) -> tuple[int, int]:
    """A place of a player's own frame in the global frame, or the other way round."""
    x, y = place
    return (x, y) if player == 0 else (WIDTH - x, HEIGHT - y)


def tile_centre(tile: int) -> tuple[int, int]:
    """The centre of a tile, in the frame its number is meant in."""
    return tile % COLUMNS * TILE + TILE // 2, tile // COLUMNS * TILE + TILE // 2


def tile_at(x: int, y: int) -> tuple[int, int]:
    """The column and the row of a place."""
    return min(x // TILE, COLUMNS - 1), min(y // TILE, ROWS - 1)
