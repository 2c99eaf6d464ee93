"""The two records of Royale.

A troop, a spell in flight and a tower are rows of 16-bit numbers, so that a state is small to copy and its rows can be
hashed a word at a time. Rows behind the end of a list are zero: equal positions have equal bytes.
"""

from __future__ import annotations

import numpy as np

from tactician.games.royale.arena import (
    DECK,
    FORMATIONS,
    HAND,
    MOST_SPELLS,
    MOST_TROOPS,
    MOST_UNITS_A_CARD,
    PAST,
    PLAYERS,
    QUEUE,
    TILES,
    TOWERS,
)
from tactician.games.royale.cards import MOST_LETTERS

KIND, PLACE_X, PLACE_Y, HP, COOLDOWN, DEPLOYING, UID, TARGET = range(8)
"""The columns of a troop: its card, place, hit points, ticks to the next strike, ticks of deployment left, number, and
the enemy uid it aims at (or NOBODY)."""
TROOP = 8
SPELL_CARD, SPELL_X, SPELL_Y, TIMER, WAVES = range(5)
"""The columns of a spell in flight; TIMER counts the ticks to the next impact."""
SPELL = 8
TOWER_HP, TOWER_COOLDOWN, TOWER_TARGET = range(3)
TOWER = 4
"""A tower's row has an unused column; rows are whole words."""

NOBODY = -1
NO_CARD = -1
"""No reservation; in a hand or a queue, a card that an observer doesn't see."""

PRINCESS_KIND, KING_KIND = DECK, DECK + 1
KINDS = DECK + 2
"""Kinds are the cards of the deck in its order, then the two kinds of towers."""

GROUND, AIR, TOWER_LAYER = 1, 2, 4
"""What can be aimed at, as bits."""

NAME_BYTES = MOST_LETTERS

VARIANTS = 16
"""Which tiles are legal depends on four princess towers; see `tables.tile_fields`."""
MOST_TROOP_TILES = 320

State = np.dtype(
    [
        ("troops", "i2", (PLAYERS, MOST_TROOPS, TROOP)),  # in the order they were deployed
        ("spells", "i2", (PLAYERS, MOST_SPELLS, SPELL)),
        ("towers", "i2", (PLAYERS, TOWERS, TOWER)),
        ("hand", "i1", (PLAYERS, HAND)),
        ("queue", "i1", (PLAYERS, QUEUE)),  # the first is the next card
        ("elixir", "i2", (PLAYERS,)),
        ("next_uid", "i2", (PLAYERS,)),
        ("reserved", "i1", (PLAYERS,)),  # the card that is waited for, or NO_CARD
        ("awake", "i1", (PLAYERS,)),  # the king
        ("wake", "i1", (PLAYERS,)),  # ticks until a king that is awake is armed
        ("n_troops", "i1", (PLAYERS,)),
        ("n_spells", "i1", (PLAYERS,)),
        ("tick", "i2"),
        ("past", "i2", (PLAYERS, PAST)),  # actions of the last ten steps, the latest last
    ],
    align=True,
)

Config = np.dtype(
    [
        ("error", "i8"),
        ("step_ticks", "i8"),
        ("positions", "i8"),  # how many tiles of a card planners consider
        ("reserve_arms", "i8"),  # how often planners have the reservation of a card in their list
        ("names", "u1", (KINDS, NAME_BYTES)),  # UTF-8, filled up with zeros
        # By kind
        ("is_spell", "i8", (KINDS,)),
        ("cost", "i8", (KINDS,)),  # in 28ths of an elixir
        ("count", "i8", (KINDS,)),
        ("hp", "i8", (KINDS,)),
        ("damage", "i8", (KINDS,)),
        ("tower_damage", "i8", (KINDS,)),
        ("hit_ticks", "i8", (KINDS,)),
        ("first_hit_ticks", "i8", (KINDS,)),
        ("speed", "i8", (KINDS,)),
        ("radius", "i8", (KINDS,)),
        ("mass", "i8", (KINDS,)),
        ("air", "i8", (KINDS,)),
        ("flight", "i8", (KINDS,)),
        ("waves", "i8", (KINDS,)),
        ("sight", "i8", (KINDS,)),
        ("reach", "i8", (KINDS,)),  # how far it strikes, to the edge of its target
        ("burst", "i8", (KINDS,)),  # radius of a splash around the struck target, or of a spell; 0: none
        ("hits", "i8", (KINDS,)),  # what it aims at: GROUND, AIR and TOWER as bits
        ("tower_x", "i8", (PLAYERS, TOWERS)),
        ("tower_y", "i8", (PLAYERS, TOWERS)),
        ("clearance", "i8", (TOWERS, KINDS)),  # how near the centre of a ground troop comes to a tower's
        ("tower_band", "i8"),  # farther from its own edge of the arena no tower is in anybody's way
        ("threat_y", "i8"),  # farther from the own edge no enemy is in sight of a tower
        # Deploying
        ("offset", "i8", (len(FORMATIONS), MOST_UNITS_A_CARD, 2)),
        ("troop_tiles", "i2", (VARIANTS, MOST_TROOP_TILES)),
        ("n_troop_tiles", "i8", (VARIANTS,)),
        ("tile_variants", "u2", (TILES,)),  # a bit for each variant in which a troop may be deployed on a tile
    ],
    align=True,
)
