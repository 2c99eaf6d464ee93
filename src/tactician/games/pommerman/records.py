"""The two records of Pommerman, and the values of a configuration.

A bomb is packed into 32 bits and a flame into 16, because lists of them are copied often. Entries after the end of a
list are zero, so that equal positions have equal bytes.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import numpy as np

from tactician.games.pommerman import board
from tactician.games.pommerman.board import CELLS, MOST_BOMBS, MOST_FLAMES, MOVES, PLAYERS, SIDE, STRIDE

CELL_BITS = 0xFF
"""The lowest byte of a bomb or flame: its cell."""
LIFE = 8
"""The lowest bit of the life of a bomb or flame."""
STRENGTH, OWNER, DIRECTION = 16, 24, 28
"""The lowest bits of the other parts of a bomb."""
ONE_LIFE = 1 << LIFE
LIFE_BITS = 0xFF << LIFE
NO_OWNER = 15
"""The owner of a bomb as an observer sees it; also the mask of the owner's bits."""
CELLS_A_WORD = 32
"""Hidden items take two bits for each cell: 0 for none, 1 to 3 for the kinds from EXTRA_BOMB on."""
ITEM_WORDS = CELLS // CELLS_A_WORD
SET_WORDS = 3
"""Words of a set of cells."""
PAIRS, FIXED_WOOD = 40, 12
"""Pairs of mirrored cells that may become walls, and cells that are always wood at the start."""

VALUES = 16
"""More than the largest cell value."""

EXACT, REFERENCE_ITEMS, REFERENCE = 0, 1, 2
"""What identifies a state: everything; all but the step counter; all but step counter and hidden items."""

State = np.dtype(
    [
        ("board", "u1", (CELLS,)),
        ("items", "u8", (ITEM_WORDS,)),
        ("bombs", "u4", (MOST_BOMBS,)),
        ("flames", "u2", (MOST_FLAMES + 1,)),  # + 1 for whole 64-bit words, which are hashed
        ("cell", "u1", (PLAYERS,)),
        ("ammo", "u1", (PLAYERS,)),
        ("blast", "u1", (PLAYERS,)),
        ("kick", "u1", (PLAYERS,)),
        ("message", "u1", (PLAYERS,)),  # radio: the last message, first word × 9 + second word
        ("alive", "u1"),  # one bit for each player
        ("n_bombs", "u1"),
        ("step", "u2"),
        ("n_flames", "u2"),
    ],
    align=True,
)

Config = np.dtype(
    [
        ("error", "i8"),
        ("time_limit", "i8"),
        ("blast_cap", "i8"),
        ("sight", "i8"),  # how far agents see; 0 for the whole board
        ("teams", "i8"),
        ("radio", "i8"),
        ("paper", "i8"),  # the paper's environment instead of the official one
        ("identity", "i8"),
        ("codes", "i8"),  # the number of actions of a living player
        ("bars_bombs", "i8"),  # whether the mask leaves out moves into bombs and staying on one
        ("delta", "i8", (MOVES,)),  # what an action adds to the cell of an agent
        ("over", "i8", (1 << PLAYERS,)),  # by the set of living players
        ("reward", "f8", (2, 1 << PLAYERS, PLAYERS)),  # before and at the time limit, by the set of living players
        ("enemies", "u1", (PLAYERS, PLAYERS)),  # cell values in the order of observations, then NOBODY
        ("mate", "u1", (PLAYERS,)),
        ("foe", "u1", (PLAYERS, VALUES)),  # by cell value: whether it is an enemy of the seat
        ("walkable", "u1", (PLAYERS, VALUES)),  # by cell value: whether the seat's rule-based bot walks over it
        ("blank", "u1", (CELLS,)),  # an empty board with its rim
        ("start", "u1", (PLAYERS,)),
        ("fixed_wood", "u1", (FIXED_WOOD,)),
        ("pairs", "u1", (PAIRS, 2)),  # pairs of mirrored cells that may become walls
        ("pair_set", "u8", (PAIRS, SET_WORDS)),  # the same as sets of cells
        ("fixed_wood_set", "u8", (SET_WORDS,)),
        ("inner", "u8", (SET_WORDS,)),  # all cells without the rim
        ("free_at_first", "u8", (SET_WORDS,)),  # those that are neither fixed wood nor a start
        ("prior", "u1", (CELLS,)),  # what fogged cells start as: WALL_PAIR, WOOD or PASSAGE
    ],
    align=True,
)

WALL_PAIR = 15
"""In `prior`: the cell started as rigid wall, wood or passage, the same as its mirror image."""


def board_fields() -> dict[str, Any]:
    """Return what a configuration holds about the geometry and the generation of boards."""
    blank = np.ones(CELLS, np.uint8)
    blank[list(board.ALL_CELLS)] = board.PASSAGE
    wood = [board.cell_at(*place) for j in (4, 5, 6) for place in ((1, j), (j, 1), (SIDE - 2, j), (j, SIDE - 2))]
    pairs = wall_pairs(wood)
    prior = np.full(CELLS, board.PASSAGE, np.uint8)
    prior[wood] = board.WOOD
    prior[[cell for pair in pairs for cell in pair]] = WALL_PAIR
    starts = [board.cell_at(*place) for place in board.START_CELLS]
    return {
        "pair_set": [cell_set(pair) for pair in pairs],
        "fixed_wood_set": cell_set(wood),
        "inner": cell_set(board.ALL_CELLS),
        "free_at_first": cell_set(set(board.ALL_CELLS) - set(wood) - set(starts)),
        "delta": [0, -STRIDE, STRIDE, -1, 1, 0],
        "blank": blank,
        "start": starts,
        "fixed_wood": wood,
        "pairs": pairs,
        "prior": prior,
    }


def cell_set(cells: Iterable[int]) -> list[int]:
    """Return a set of cells as 64-bit words."""
    whole = sum(1 << cell for cell in cells)
    return [whole >> 64 * word & (1 << 64) - 1 for word in range(SET_WORDS)]


def wall_pairs(wood: list[int]) -> list[tuple[int, int]]:
    """Return the 40 pairs of mirrored cells off the diagonal that are neither kept free nor always wood."""
    last = SIDE - 1
    kept = {board.cell_at(*place) for place in board.START_CELLS} | set(wood)
    for i in (2, 3):
        corners = [(1, i), (last - 1, last - i), (1, last - i), (i, last - 1)]
        kept |= {board.cell_at(r, c) for r, c in corners} | {board.cell_at(c, r) for r, c in corners}
    places = [(r, c) for r in range(SIDE) for c in range(r + 1, SIDE)]
    return [(board.cell_at(r, c), board.cell_at(c, r)) for r, c in places if board.cell_at(r, c) not in kept]


def result_fields(teams: bool) -> dict[str, Any]:
    """Return whether the game is over and every player's reward, for each set of living players."""
    over = np.zeros(1 << PLAYERS, np.int64)
    reward = np.zeros((2, 1 << PLAYERS, PLAYERS))
    for living in range(1 << PLAYERS):
        alive = [bool(living >> player & 1) for player in range(PLAYERS)]
        over[living] = sum(alive) <= 1 or (teams and alive in ([True, False] * 2, [False, True] * 2))
        for late in range(2):
            reward[late, living] = _team_rewards(alive, bool(late)) if teams else _rewards(alive, bool(late))
    return {"over": over, "reward": reward, **_relations(teams)}


def _rewards(alive: list[bool], late: bool) -> list[float]:
    if sum(alive) == 1:
        return [1.0 if lives else -1.0 for lives in alive]
    return [0.0 if lives and not late else -1.0 for lives in alive]


def _team_rewards(alive: list[bool], late: bool) -> list[float]:
    sides = [any(alive[team::2]) for team in range(2)]
    if sides[0] != sides[1]:
        return [1.0 if sides[player % 2] else -1.0 for player in range(PLAYERS)]
    return [-1.0 if late or not any(alive) else 0.0] * PLAYERS


def _relations(teams: bool) -> dict[str, Any]:
    enemies, mates = [], []
    for player in range(PLAYERS):
        foes = [other for other in range(PLAYERS) if other != player and not (teams and other % 2 == player % 2)]
        values = [board.AGENT + foe for foe in foes]
        enemies.append(values + [board.NOBODY] * (PLAYERS - len(values)))
        mates.append(board.AGENT + (player + 2) % PLAYERS if teams else board.NOBODY)
    foe = [[value in values and value != board.NOBODY for value in range(VALUES)] for values in enemies]
    free = {board.PASSAGE, board.EXTRA_BOMB, board.RANGE, board.KICK, *range(board.AGENT, board.AGENT + PLAYERS)}
    walkable = [[value in free and value not in values for value in range(VALUES)] for values in enemies]
    return {"enemies": enemies, "mate": mates, "foe": foe, "walkable": walkable}
