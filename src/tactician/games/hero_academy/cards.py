"""All numbers of Hero Academy: cards, units, decks, equipment, and their values in the heuristic.

Indices follow the canonical order of cards, which is also the order of legal actions, of draws and of recordings.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import IntEnum


class Card(IntEnum):
    """The eleven kinds of cards; the first five are units. Crystals are units without a card."""

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
"""The letter of each card in recordings."""
CRYSTAL_CODE = "X"
KINDS = len(Card)
UNIT_KINDS = 5
CRYSTAL = 5
"""The class of crystals; the class of any other unit is the number of its card."""
CLASSES = UNIT_KINDS + 1
CLASS_CODES = CODES[:UNIT_KINDS] + CRYSTAL_CODE
CARD_NAMES = tuple(card.name.lower() for card in Card)
CLASS_NAMES = (*CARD_NAMES[:UNIT_KINDS], "crystal")

GEAR_CODES = CODES[Card.RUNEMETAL :]
"""The letter of each item in recordings; letter n is bit n of a unit's gear."""
RUNEMETAL_BIT, SCROLL_BIT, DRAGONSCALE_BIT, HELM_BIT = 1, 2, 4, 8
ARMOUR_CODES = "DH"
ARMOUR_HP_SHARE = 10
"""A piece of armour adds a unit's hit points divided by this."""
GEAR_SETS = 1 << len(GEAR_CODES)


@dataclass(frozen=True)
class UnitClass:
    """The numbers of a class of units."""

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
"""Copies of each card in the named decks; both players have the same deck."""

HAND_SIZE = 6
OPENING_UNITS = 3
"""Opening hands are redealt until they have exactly this many unit cards."""
MAX_COPIES = 99
"""The most copies of a card in a hand or deck."""

HEAL_RANGE = 2
HEAL_FACTOR = 3
REVIVE_FACTOR = 2
POTION_HEAL = 1000
POTION_REVIVE = 100
RUNEMETAL_SHARE = 2
"""Runemetal adds a unit's power divided by this."""
POWER_BONUS = 100
SCROLL_FACTOR = 3
ARMOUR_RESISTANCE = 20
DEFENSE_RESISTANCE = 20
ASSAULT_BONUS = 300
INFERNO_DAMAGE = 350.0
CHAIN_FACTORS = (0.75, 0.56)
"""The share of the damage that the first and the second jump of a wizard's lightning do."""

SQUARE_TYPES = ("assault", "defense", "power", "deploy")
SQUARE_BONUS = {
    # knight, archer, cleric, wizard, ninja
    "assault": (120, 40, 10, 40, 50),
    "defense": (30, 80, 20, 70, 60),
    "power": (30, 120, 40, 100, 70),
    "deploy": (-75, -75, -75, -75, -75),
}
GEAR_NAMES = CARD_NAMES[Card.RUNEMETAL :]
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
