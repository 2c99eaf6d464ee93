"""The weights of Hero Academy's heuristic in its three readings, and as fitted to results of self-play.

A unit is worth ``hp + max_hp·a + gear·b + square·c`` with factors that depend on whether it stands, and on whether it
is a crystal; a unit card in hand or deck is worth a multiple of its hit points, an inferno a constant. ``default`` is
what the reference engine computes with its bug for player 2 fixed, ``reference`` is exactly what it computes, ``paper``
what was printed. Every number is a weight that can be changed and tuned by name.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np

from tactician.contract.weight_files import WEIGHTS_FORMAT, read_document
from tactician.games.hero_academy import cards
from tactician.games.hero_academy.cards import (
    CLASS_NAMES,
    CLASSES,
    CRYSTAL,
    GEAR_NAMES,
    GEAR_SETS,
    SQUARE_TYPES,
    UNIT_KINDS,
)
from tactician.native.records import FieldRecord

_LEEWAY = 1.25
"""By how much the crude bound on material may exceed the value of a win, see `value_range`."""
_WIN = 60000.0
_FRACTIONS, _LARGE = 2.0**8, 2.0**24
"""Values are added without rounding if all are multiples of one by the first and less than the second: hit points
have 15 bits, and a double holds 53."""
READINGS = ("default", "reference", "paper")
FITTED = "fitted"
FITTED_POINTS = (10, 15)
"""Numbers of action points for which weights were fitted (`tactician train-weights`), a file each."""


def _named_weights() -> dict[str, tuple[Any, ...]]:
    places: dict[str, tuple[Any, ...]] = {
        "win": ("win",),
        "hit_point": ("hit_point",),
        "standing": ("standing_factor", 0),
        "standing_gear": ("standing_factor", 1),
        "standing_square": ("standing_factor", 2),
        "fallen": ("fallen_factor", 0),
        "fallen_gear": ("fallen_factor", 1),
        "fallen_square": ("fallen_factor", 2),
        "crystal": ("crystal_factor",),
        "card": ("card_factor",),
        "inferno": ("inferno",),
    }
    for i, square in enumerate(SQUARE_TYPES):
        places |= {f"{CLASS_NAMES[k]}_on_{square}": ("square_bonus", i, k) for k in range(UNIT_KINDS)}
    for i, gear in enumerate(GEAR_NAMES):
        places |= {f"{CLASS_NAMES[k]}_with_{gear}": ("gear_bonus", i, k) for k in range(UNIT_KINDS)}
    return places


WEIGHTS = _named_weights()
"""The place of each named weight in the configuration."""


def weight_fields(reading: str) -> dict[str, Any]:
    """Return the weights of one reading."""
    printed = reading == "paper"
    square, gear = np.zeros((len(SQUARE_TYPES), CLASSES)), np.zeros((len(GEAR_NAMES), CLASSES))
    gear_table = cards.GEAR_BONUS_PRINTED if printed else cards.GEAR_BONUS_CODED
    for i, name in enumerate(SQUARE_TYPES):
        square[i, :UNIT_KINDS] = cards.SQUARE_BONUS[name]
    for i, name in enumerate(GEAR_NAMES):
        gear[i, :UNIT_KINDS] = gear_table[name]
    return {
        # The paper prints no value for a finished game; the engine's value is used in every reading.
        "win": _WIN,
        "hit_point": 1.0,
        "standing_factor": (2.0, 2.0, 1.0),
        "fallen_factor": (0.0, 0.0, -1.0) if printed else (1.0, 1.0, 0.0),
        "crystal_factor": 0.0,
        # In print a unit card counts like an unhurt standing unit: hp + 2 max hp.
        "card_factor": 3.0 if printed else 1.75,
        "inferno": 0.0 if printed else 750.0,
        "square_bonus": square,
        "gear_bonus": gear,
        "coded_spell_bug": reading == "reference",
    }


def fitted_fields(action_points: int) -> dict[str, Any]:
    """Return the default weights with those that were fitted for the nearest number of action points."""
    nearest = min(FITTED_POINTS, key=lambda points: (abs(points - action_points), points))
    path = Path(__file__).with_name(f"fitted_{nearest}.json")
    fields = {name: np.array(value, float) for name, value in weight_fields(READINGS[0]).items()}
    for name, value in read_document(path, "weights", WEIGHTS_FORMAT)["weights"].items():
        field, *index = WEIGHTS[name]
        fields[field][tuple(index)] = value
    return fields


def derive(g: FieldRecord) -> None:
    """Fill the configuration's tables of unit, gear and card values from the weights."""
    max_hp = g["max_hp"][:, 0].astype(float)
    squares = np.zeros((CLASSES, g["unit_value"].shape[2]))
    masks = (int(g["assault"]), int(g["defense"]), int(g["power_squares"]), int(g["deploy"][0]) | int(g["deploy"][1]))
    for i, mask in enumerate(masks):
        members = [square for square in range(squares.shape[1]) if mask >> square & 1]
        squares[:, members] += g["square_bonus"][i][:, None]
    gear = np.zeros((CLASSES, GEAR_SETS))
    for bits in range(GEAR_SETS):
        for i in range(len(GEAR_NAMES)):
            if bits >> i & 1:
                gear[:, bits] += g["gear_bonus"][i]
    for row, factors in enumerate((g["standing_factor"], g["fallen_factor"])):
        g["unit_value"][row] = max_hp[:, None] * factors[0] + squares * factors[2]
        g["gear_value"][row] = gear * factors[1]
    g["unit_value"][0, CRYSTAL] += max_hp[CRYSTAL] * g["crystal_factor"]
    g["card_value"][:UNIT_KINDS] = max_hp[:UNIT_KINDS] * g["card_factor"]
    g["card_value"][cards.Card.INFERNO] = g["inferno"]
    g["bound"] = value_range(g)[1]
    values = np.concatenate([np.ravel(g[name]) for name in ("hit_point", "unit_value", "gear_value", "card_value")])
    g["exact_values"] = int(np.all(values * _FRACTIONS % 1 == 0) and np.all(np.abs(values) < _LARGE))
    g["learned_ratings"] = int(np.any(g["rating_weights"] != 0))


def value_range(g: FieldRecord) -> tuple[float, float]:
    """Return the range of evaluations: a lost and a won game, unless the weights make material worth more."""
    unit = g["unit_value"][0].max(axis=1) + g["gear_value"][0].max(axis=1) + g["hit_point"] * g["max_hp"][:, -1]
    crystals = max(int(start).bit_count() for start in g["crystal_start"])
    units = np.maximum(unit[:UNIT_KINDS], g["card_value"][:UNIT_KINDS]) * g["deck"][:UNIT_KINDS]
    material = units.sum() + crystals * unit[-1] + g["deck"][cards.Card.INFERNO] * abs(g["inferno"])
    # With the papers' weights and deck this crude bound is somewhat above a win; real games stay far below it.
    bound = abs(float(g["win"])) if material <= _LEEWAY * abs(float(g["win"])) else float(material)
    return -bound, bound
