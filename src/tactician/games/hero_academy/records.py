"""The two records of Hero Academy, and the values of a configuration.

Squares are numbered column by column, so that reading a set of squares from its lowest bit gives the canonical order
of targets.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from tactician.games.hero_academy import cards
from tactician.games.hero_academy.cards import CLASSES, GEAR_SETS, KINDS, UNIT_CLASSES
from tactician.games.hero_academy.maps import MAX_SQUARES
from tactician.native.records import FieldRecord

MAX_DISTANCE = 3
"""The largest distance of a move or attack; a ninja's swap has no limit."""

RATING_FEATURES = 42
"""Of `features.NAMES`."""

State = np.dtype(
    [
        ("units", "u8", (2,)),  # squares of each player's units, fallen ones and crystals included
        ("down", "u8"),  # squares of knocked-down units
        ("crystals", "u8"),  # squares of crystals
        ("seed", "i4", (2,)),  # of the decks, see effects.fill_hand
        ("turn", "i2"),
        ("player", "i1"),
        ("ap", "i1"),
        ("over", "i1"),
        ("winner", "i1"),  # once the game is over: 0 for a draw, else player + 1
        ("hand_cards", "u1", (2,)),  # the sums of hand and of deck
        ("deck_cards", "u1", (2,)),
        ("hidden", "u1", (2,)),  # hand cards whose kind the viewer doesn't know; counted in deck
        ("hand", "u1", (2, KINDS)),
        ("deck", "u1", (2, KINDS)),
        ("hp", "i2", (MAX_SQUARES,)),
        ("kind", "u1", (MAX_SQUARES,)),
        ("gear", "u1", (MAX_SQUARES,)),
    ],
    align=True,
)

Config = np.dtype(
    [
        ("error", "i8"),
        ("action_points", "i8"),
        ("first_turn_points", "i8"),
        ("turn_limit", "i8"),
        ("hand_size", "i8"),
        ("prune", "i8"),
        ("random_draws", "i8"),
        ("hidden_hands", "i8"),
        ("coded_ratings", "i8"),
        ("coded_spell_bug", "i8"),  # player 2's infernos count against player 2
        ("width", "i8"),
        ("height", "i8"),
        ("board", "u8"),
        ("deploy", "u8", (2,)),
        ("crystal_start", "u8", (2,)),
        ("assault", "u8"),
        ("defense", "u8"),
        ("power_squares", "u8"),
        ("special", "u8"),
        ("within", "u8", (MAX_DISTANCE + 1, MAX_SQUARES)),  # squares at most that far, without the square itself
        ("steps", "u8", (CLASSES, MAX_SQUARES)),  # squares that a unit's speed takes it to, by class and square
        ("aims", "u8", (CLASSES, MAX_SQUARES)),  # squares in its attack range
        ("block", "u8", (MAX_SQUARES,)),  # the 3×3 squares around each square
        ("near", "u8", (MAX_SQUARES,)),  # the 5×5 squares around each: those whose blocks overlap its block
        ("between", "u8", (MAX_SQUARES, MAX_SQUARES)),  # squares that must be free of enemies for a line of sight
        ("distance", "u1", (MAX_SQUARES, MAX_SQUARES)),
        ("column", "i1", (MAX_SQUARES,)),
        ("row", "i1", (MAX_SQUARES,)),
        ("deck", "u1", (KINDS,)),
        ("max_hp", "i2", (CLASSES, GEAR_SETS)),
        ("base_power", "i2", (CLASSES,)),
        ("speed", "u1", (CLASSES,)),
        ("attack_range", "u1", (CLASSES,)),
        ("magical_attack", "i1", (CLASSES,)),
        ("resistance", "i2", (2, CLASSES, GEAR_SETS)),  # physical, magical
        ("melee_factor", "f8", (CLASSES,)),
        ("ranged_factor", "f8", (CLASSES,)),
        # The weights of the heuristic (weights.py names them) ...
        ("win", "f8"),
        ("hit_point", "f8"),
        ("standing_factor", "f8", (3,)),  # of max hp, gear bonus and square bonus of a standing unit
        ("fallen_factor", "f8", (3,)),  # the same of a knocked-down unit
        ("crystal_factor", "f8"),  # of max hp of a crystal, beyond that of a standing unit
        ("card_factor", "f8"),
        ("inferno", "f8"),
        ("square_bonus", "f8", (4, CLASSES)),
        ("gear_bonus", "f8", (4, CLASSES)),
        # ... and tables derived from them, so that evaluating a unit takes three look-ups.
        ("unit_value", "f8", (2, CLASSES, MAX_SQUARES)),  # standing, fallen
        ("gear_value", "f8", (2, CLASSES, GEAR_SETS)),
        ("card_value", "f8", (KINDS,)),
        ("bound", "f8"),  # of all evaluations
        ("exact_values", "i8"),  # whether no sum of these values is ever rounded
        ("learned_ratings", "i8"),  # whether any of the rating weights is not 0
        ("rating_weights", "f8", (RATING_FEATURES,)),  # features.py names them
    ],
    align=True,
)


def board_fields(rows: Sequence[str]) -> dict[str, Any]:
    """Return what a configuration holds about a map."""
    width, height = len(rows[0]), len(rows)
    squares = [(x, y) for x in range(width) for y in range(height)]
    number = {place: i for i, place in enumerate(squares)}

    def squares_of(letters: str) -> int:
        return sum(1 << number[x, y] for x, y in squares if rows[y][x] in letters)

    def square_block(x: int, y: int, reach: int) -> int:
        return sum(1 << number[a, b] for a, b in squares if max(abs(a - x), abs(b - y)) <= reach)

    def steps_away(x: int, y: int, reach: int) -> int:
        return sum(1 << number[a, b] for a, b in squares if 0 < abs(a - x) + abs(b - y) <= reach)

    within = np.zeros((MAX_DISTANCE + 1, MAX_SQUARES), np.uint64)
    block, near = np.zeros(MAX_SQUARES, np.uint64), np.zeros(MAX_SQUARES, np.uint64)
    distance = np.zeros((MAX_SQUARES, MAX_SQUARES), np.uint8)
    between = np.zeros((MAX_SQUARES, MAX_SQUARES), np.uint64)
    column, row = np.zeros(MAX_SQUARES, np.int8), np.zeros(MAX_SQUARES, np.int8)
    for (x, y), i in number.items():
        column[i], row[i] = x, y
        block[i], near[i] = square_block(x, y, 1), square_block(x, y, 2)
        for reach in range(1, MAX_DISTANCE + 1):
            within[reach, i] = steps_away(x, y, reach)
        for (a, b), j in number.items():
            distance[i, j] = abs(a - x) + abs(b - y)
            between[i, j] = sum(1 << number[x + dx, y + dy] for dx, dy in _line(a - x, b - y))
    return {
        "width": width,
        "height": height,
        "board": (1 << len(squares)) - 1,
        "deploy": [squares_of("d"), squares_of("D")],
        "crystal_start": [squares_of("c"), squares_of("C")],
        "assault": squares_of("A"),
        "defense": squares_of("S"),
        "power_squares": squares_of("P"),
        "special": squares_of("ASPdD"),
        "within": within,
        "steps": [within[unit.speed] for unit in UNIT_CLASSES],
        "aims": [within[unit.attack_range] for unit in UNIT_CLASSES],
        "block": block,
        "near": near,
        "between": between,
        "distance": distance,
        "column": column,
        "row": row,
    }


def _line(dx: int, dy: int) -> list[tuple[int, int]]:
    """Return the offsets that a line of sight to (dx, dy) passes, for distances up to 3."""
    if not 2 <= abs(dx) + abs(dy) <= MAX_DISTANCE or abs(dx) == abs(dy):
        return []
    sx, sy = int(np.sign(dx)), int(np.sign(dy))
    if dx == 0 or dy == 0:
        return [(sx * step, sy * step) for step in range(1, abs(dx) + abs(dy))]
    # A line to a knight's move away passes two squares: the straight neighbour on the long side and the diagonal one.
    return [(sx, 0) if abs(dx) > abs(dy) else (0, sy), (sx, sy)]


def unit_fields() -> dict[str, Any]:
    """Return the unit table as arrays, with hit points and resistance for every combination of equipment."""
    max_hp = np.zeros((CLASSES, GEAR_SETS), np.int16)
    resistance = np.zeros((2, CLASSES, GEAR_SETS), np.int16)
    for kind, unit in enumerate(UNIT_CLASSES):
        for gear in range(GEAR_SETS):
            scale, helm = bool(gear & cards.DRAGONSCALE_BIT), bool(gear & cards.HELM_BIT)
            max_hp[kind, gear] = unit.max_hp + unit.max_hp // cards.ARMOUR_HP_SHARE * (scale + helm)
            resistance[0, kind, gear] = unit.physical_resistance + cards.ARMOUR_RESISTANCE * scale
            resistance[1, kind, gear] = unit.magical_resistance + cards.ARMOUR_RESISTANCE * helm
    return {
        "max_hp": max_hp,
        "resistance": resistance,
        "base_power": [unit.power for unit in UNIT_CLASSES],
        "speed": [unit.speed for unit in UNIT_CLASSES],
        "attack_range": [unit.attack_range for unit in UNIT_CLASSES],
        "magical_attack": [unit.magical_attack for unit in UNIT_CLASSES],
        "melee_factor": [unit.melee_factor for unit in UNIT_CLASSES],
        "ranged_factor": [unit.ranged_factor for unit in UNIT_CLASSES],
    }


def rows_of(g: FieldRecord) -> list[str]:
    """Return the rows of a configuration's map, from top to bottom, as recordings write them."""
    letters: Mapping[str, int] = {
        "d": int(g.deploy[0]),
        "D": int(g.deploy[1]),
        "c": int(g.crystal_start[0]),
        "C": int(g.crystal_start[1]),
        "S": int(g.defense),
        "A": int(g.assault),
        "P": int(g.power_squares),
    }
    width, height = int(g.width), int(g.height)

    def letter(x: int, y: int) -> str:
        bit = 1 << (x * height + y)
        return next((name for name, mask in letters.items() if mask & bit), "0")

    return ["".join(letter(x, y) for x in range(width)) for y in range(height)]
