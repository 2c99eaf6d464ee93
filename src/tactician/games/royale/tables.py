"""How a configuration is filled: a deck's statistics by kind, reaches of every pair of kinds, and legal tiles."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import lru_cache
from typing import Any

import numpy as np

from tactician.games.royale import arena
from tactician.games.royale.arena import (
    COLUMNS,
    ELIXIR,
    FOOTPRINTS,
    KING,
    MOST_UNITS_A_CARD,
    PLAYERS,
    PRINCESS_LEFT,
    PRINCESS_RIGHT,
    ROWS,
    TILES,
    TOWERS,
)
from tactician.games.royale.cards import KING as KING_NAME
from tactician.games.royale.cards import PRINCESS as PRINCESS_NAME
from tactician.games.royale.cards import Card
from tactician.games.royale.records import (
    AIR,
    GROUND,
    MOST_TROOP_TILES,
    NAME_BYTES,
    TOWER_LAYER,
    VARIANTS,
)

_SLACK = 10
"""More than truncation can move anything."""


def card_fields(deck: Sequence[Card], cards: Mapping[str, Card]) -> dict[str, Any]:
    """What a configuration holds about the cards of a deck and the towers."""
    kinds = [*deck, cards[PRINCESS_NAME], cards[KING_NAME]]
    plain = ("count", "hp", "damage", "tower_damage", "hit_ticks", "first_hit_ticks", "speed", "mass", "sight")
    return {
        "names": [list(card.name.encode().ljust(NAME_BYTES, b"\0")) for card in kinds],
        **{name: [getattr(card, name) for card in kinds] for name in (*plain, "radius", "flight", "waves")},
        "is_spell": [card.kind == "spell" for card in kinds],
        "cost": [card.cost * ELIXIR for card in kinds],
        "air": [card.layer == "air" for card in kinds],
        "reach": [card.range for card in kinds],
        "burst": [card.radius if card.kind == "spell" else card.splash for card in kinds],
        "hits": [_hits(card) for card in kinds],
        **_tower_fields(kinds),
        "offset": _offsets(),
        **tile_fields(),
    }


def names_of(g: Any) -> list[str]:
    """The names of the deck's cards and of the towers, by kind."""
    return list(_decoded(bytes(g.names.tobytes()), g.names.shape[1]))


@lru_cache(maxsize=16)
def _decoded(table: bytes, width: int) -> tuple[str, ...]:
    """The rows of a table of names; a page asks for the names of a thousand actions at once."""
    rows = (table[start : start + width] for start in range(0, len(table), width))
    return tuple(row.rstrip(b"\0").decode() for row in rows)


def _hits(card: Card) -> int:
    layers = {"": 0, "ground": GROUND, "ground+air": GROUND | AIR, "towers": 0}[card.hits]
    return layers | (TOWER_LAYER if card.kind == "troop" else 0)


def _tower_fields(kinds: Sequence[Card]) -> dict[str, Any]:
    """Where towers are and how far their influence goes, so that most troops need not be compared with them."""
    king, princess = kinds[-1], kinds[-2]
    places = [[arena.global_place(player, place) for place in arena.TOWER_PLACES] for player in range(PLAYERS)]
    troops = [card for card in kinds if card.kind == "troop"]
    widest = max((card.radius for card in troops), default=0)
    fastest = max((card.speed for card in troops), default=0)
    front = max(y for _, y in arena.TOWER_PLACES)
    towers = (princess, princess, king)
    return {
        "tower_x": [[x for x, _ in row] for row in places],
        "tower_y": [[y for _, y in row] for row in places],
        "clearance": [[tower.radius + card.radius for card in kinds] for tower in towers],
        "tower_band": front + max(tower.radius for tower in towers) + widest + fastest + _SLACK,
        "threat_y": front + max(tower.sight for tower in towers) + widest + _SLACK,
    }


def _offsets() -> np.ndarray:
    offsets = np.zeros((len(arena.FORMATIONS), MOST_UNITS_A_CARD, 2), np.int64)
    for row, formation in zip(offsets, arena.FORMATIONS, strict=True):
        row[: len(formation)] = formation
    return offsets


# -- tiles -------------------------------------------------------------------------------------------------------

OWN_LEFT_FELL, OWN_RIGHT_FELL, LEFT_POCKET, RIGHT_POCKET = 1, 2, 4, 8
"""What makes a variant of the legal tiles: own princess towers that fell, and the enemy's that stood opposite."""


def tile_fields() -> dict[str, Any]:
    """The tiles on which troops may be deployed, in their order, for every variant."""
    tiles = np.zeros((VARIANTS, MOST_TROOP_TILES), np.int16)
    counts = np.zeros(VARIANTS, np.int64)
    legal = np.zeros(TILES, np.uint16)
    for variant in range(VARIANTS):
        found = [tile for tile in range(TILES) if _is_open(variant, tile % COLUMNS, tile // COLUMNS)]
        tiles[variant, : len(found)] = found
        counts[variant] = len(found)
        legal[found] |= np.uint16(1 << variant)
    return {"troop_tiles": tiles, "n_troop_tiles": counts, "tile_variants": legal}


def _is_open(variant: int, column: int, row: int) -> bool:
    """Whether a troop may be deployed on a tile of the own frame."""
    assert row < ROWS
    if arena.POCKET_ROWS[0] <= row <= arena.POCKET_ROWS[1]:
        return bool(variant & (LEFT_POCKET if column < COLUMNS // 2 else RIGHT_POCKET))
    behind_king = row == 0 and arena.BACK_COLUMNS[0] <= column <= arena.BACK_COLUMNS[1]
    if not behind_king and not arena.FIRST_ROW <= row <= arena.LAST_ROW:
        return False
    fell = {PRINCESS_LEFT: variant & OWN_LEFT_FELL, PRINCESS_RIGHT: variant & OWN_RIGHT_FELL, KING: 0}
    return not any(_stands_on(slot, column, row) for slot in range(TOWERS) if not fell[slot])


def _stands_on(slot: int, column: int, row: int) -> bool:
    columns, rows = FOOTPRINTS[slot]
    return columns[0] <= column <= columns[1] and rows[0] <= row <= rows[1]
