"""The two records of Pommerman, and how a configuration is filled.

A bomb is one 32-bit number and a flame one of 16 bits, because lists of them are copied and cut all the time. Entries
behind the end of a list are zero: equal positions have equal bytes.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from tactician.games.pommerman import board
from tactician.games.pommerman.board import CELLS, MOST_BOMBS, MOST_FLAMES, MOVES, PLAYERS, SIDE, STRIDE

CELL_BITS = 0xFF
"""The cell of a bomb or flame: its lowest byte."""
LIFE = 8
"""Where the life begins: the second byte of both."""
STRENGTH, OWNER, DIRECTION = 16, 24, 28
ONE_LIFE = 1 << LIFE
LIFE_BITS = 0xFF << LIFE
NO_OWNER = 15
"""The owner of a bomb that an observer sees."""
CELLS_A_WORD = 32
"""Hidden items take two bits a cell: 0 none, 1 to 3 the kinds from EXTRA_BOMB on."""
ITEM_WORDS = CELLS // CELLS_A_WORD

VALUES = 16
"""Room for every cell value."""

EXACT, REFERENCE_ITEMS, REFERENCE = 0, 1, 2
"""What identifies a state: everything; all but the step counter; also without the hidden items."""

State = np.dtype(
    [
        ("board", "u1", (CELLS,)),
        ("items", "u8", (ITEM_WORDS,)),
        ("bombs", "u4", (MOST_BOMBS,)),
        ("flames", "u2", (MOST_FLAMES + 1,)),  # whole words: they are hashed eight bytes at a time
        ("cell", "u1", (PLAYERS,)),
        ("ammo", "u1", (PLAYERS,)),
        ("blast", "u1", (PLAYERS,)),
        ("kick", "u1", (PLAYERS,)),
        ("message", "u1", (PLAYERS,)),  # radio: first word × 9 + second word, as last sent
        ("alive", "u1"),  # a bit a player
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
        ("sight", "i8"),  # 0: everything is seen
        ("teams", "i8"),
        ("radio", "i8"),
        ("paper", "i8"),  # the paper's environment instead of the official one
        ("identity", "i8"),
        ("codes", "i8"),  # how many actions a living player has
        ("delta", "i8", (MOVES,)),  # from a cell to the one an action leads to
        ("over", "i8", (1 << PLAYERS,)),  # by who is alive
        ("reward", "f8", (2, 1 << PLAYERS, PLAYERS)),  # before and at the time limit, by who is alive
        ("enemies", "u1", (PLAYERS, PLAYERS)),  # cell values, in the order agents see them; NOBODY at the end
        ("mate", "u1", (PLAYERS,)),
        ("foe", "u1", (PLAYERS, VALUES)),  # by cell value: an enemy of the seat
        ("walkable", "u1", (PLAYERS, VALUES)),  # by cell value: what the seat's rule-based bot walks over
        ("blank", "u1", (CELLS,)),  # an empty board with its rim
        ("start", "u1", (PLAYERS,)),
        ("fixed_wood", "u1", (12,)),
        ("pairs", "u1", (40, 2)),  # mirrored cells that may become walls
        ("prior", "u1", (CELLS,)),  # what to expect in the fog: WALL_PAIR, WOOD or PASSAGE
    ],
    align=True,
)

WALL_PAIR = 15
"""In `prior`: may have started as a rigid wall, as wood or as passage, alike with its mirror image."""


def board_fields() -> dict[str, Any]:
    """What a configuration holds about the geometry and the making of boards."""
    blank = np.ones(CELLS, np.uint8)
    blank[list(board.ALL_CELLS)] = board.PASSAGE
    wood = [board.cell_at(*place) for j in (4, 5, 6) for place in ((1, j), (j, 1), (SIDE - 2, j), (j, SIDE - 2))]
    pairs = wall_pairs(wood)
    prior = np.full(CELLS, board.PASSAGE, np.uint8)
    prior[wood] = board.WOOD
    prior[[cell for pair in pairs for cell in pair]] = WALL_PAIR
    return {
        "delta": [0, -STRIDE, STRIDE, -1, 1, 0],
        "blank": blank,
        "start": [board.cell_at(*place) for place in board.START_CELLS],
        "fixed_wood": wood,
        "pairs": pairs,
        "prior": prior,
    }


def wall_pairs(wood: list[int]) -> list[tuple[int, int]]:
    """The 40 pairs of mirrored cells, off the diagonal, that are not kept free and not wood from the start."""
    last = SIDE - 1
    kept = {board.cell_at(*place) for place in board.START_CELLS} | set(wood)
    for i in (2, 3):
        corners = [(1, i), (last - 1, last - i), (1, last - i), (i, last - 1)]
        kept |= {board.cell_at(r, c) for r, c in corners} | {board.cell_at(c, r) for r, c in corners}
    places = [(r, c) for r in range(SIDE) for c in range(r + 1, SIDE)]
    return [(board.cell_at(r, c), board.cell_at(c, r)) for r, c in places if board.cell_at(r, c) not in kept]


def result_fields(teams: bool) -> dict[str, Any]:
    """When the game is over and what everybody gets, for every set of living players."""
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
