"""Every number of the card game in one place: cards, units, decks, equipment, and what a heuristic thinks of them.

Indices follow the canonical card order, which is also the order of legal actions, of draws and of recordings.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import IntEnum


class Card(IntEnum):
    """The eleven kinds of cards; the first five are units. A crystal is a unit but never a card."""

    KNIGHT = 0
    ARCHER = 1
    CLERIC = 2
    WIZARD = 3
    NINJA = 4
    INFERNO = 5
    REVIVE_POTION = 6
    RUNEMETAL = 7
    SCROLL = 8
    DRAGONSCALE = 9
    SHINING_HELM = 10


CODES = "KACWNIPRSDH"
"""One letter a card in recordings."""
CRYSTAL_CODE = "X"
KINDS = len(Card)
UNIT_KINDS = 5
CRYSTAL = 5
"""The class number of crystals; units have the number of their card."""
CLASSES = UNIT_KINDS + 1
CLASS_CODES = CODES[:UNIT_KINDS] + CRYSTAL_CODE
CLASS_NAMES = ("knight", "archer", "cleric", "wizard", "ninja", "crystal")
CARD_NAMES = tuple(card.name.lower() for card in Card)

GEAR_CODES = "RSDH"
"""Equipment as written in recordings; the n-th letter is bit n of a unit's gear."""
RUNEMETAL_BIT, SCROLL_BIT, DRAGONSCALE_BIT, HELM_BIT = 1, 2, 4, 8
ARMOUR_CODES = "DH"
ARMOUR_HP_SHARE = 10
"""A piece of armour adds a unit's hit points divided by this."""
GEAR_SETS = 16


@dataclass(frozen=True)
class UnitClass:
    """A row of the unit table."""

    max_hp: int
    speed: int
    power: int
    physical_resistance: int
    magical_resistance: int
    attack_range: int
    magical_attack: bool
    melee_factor: float
    ranged_factor: float


UNIT_CLASSES = (
    UnitClass(1000, 2, 200, 20, 0, 1, False, 1.0, 1.0),  # knight
    UnitClass(800, 2, 300, 0, 0, 3, False, 0.5, 1.0),  # archer
    UnitClass(800, 2, 200, 0, 0, 2, True, 1.0, 1.0),  # cleric
    UnitClass(800, 2, 200, 0, 10, 2, True, 1.0, 1.0),  # wizard
    UnitClass(800, 3, 200, 0, 0, 2, False, 2.0, 1.0),  # ninja
    UnitClass(4500, 0, 0, 0, 0, 0, False, 0.0, 0.0),  # crystal
)

DECKS = {
    "standard": (3, 3, 3, 3, 1, 2, 2, 3, 2, 3, 3),
    "small": (2, 2, 2, 2, 1, 1, 1, 2, 1, 2, 2),
    "tiny": (1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1),
}
"""Copies of each card; both players have the same deck."""

HAND_SIZE = 6
OPENING_UNITS = 3
"""A hand is dealt anew until it holds exactly this many unit cards."""
MAX_COPIES = 99
"""More copies of a card than this in a hand or deck are refused."""

HEAL_RANGE = 2
HEAL_FACTOR = 3
REVIVE_FACTOR = 2
POTION_HEAL = 1000
POTION_REVIVE = 100
POWER_BONUS = 100
SCROLL_FACTOR = 3
ARMOUR_RESISTANCE = 20
DEFENSE_RESISTANCE = 20
ASSAULT_BONUS = 300
INFERNO_DAMAGE = 350.0
CHAIN_FACTORS = (0.75, 0.56)

SQUARE_TYPES = ("assault", "defense", "power", "deploy")
SQUARE_BONUS = {
    # knight, archer, cleric, wizard, ninja
    "assault": (120, 40, 10, 40, 50),
    "defense": (30, 80, 20, 70, 60),
    "power": (30, 120, 40, 100, 70),
    "deploy": (-75, -75, -75, -75, -75),
}
GEAR_NAMES = ("runemetal", "scroll", "dragonscale", "shining_helm")
GEAR_BONUS_CODED = {
    "runemetal": (-30, 60, 20, 60, 20),
    "scroll": (-10, 80, 30, 80, 70),
    "dragonscale": (60, 60, 30, 50, 30),
    "shining_helm": (20, 40, 20, 40, 30),
}
GEAR_BONUS_PRINTED = {
    "runemetal": (-50, 40, 20, 40, 20),
    "scroll": (-40, 50, 30, 50, 40),
    "dragonscale": (30, 30, 30, 20, 30),
    "shining_helm": (20, 20, 20, 20, 10),
}
