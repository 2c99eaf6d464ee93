"""The input of the paper's follower network for a player: planes of 32 × 18 tiles in its own frame.

The paper adds a learned embedding of every object to the tile it stands on, and embeddings of cards, battle progress
and past actions to further maps. Here every kind of object, card and action has a plane of its own; the network's first
layer, which mixes planes tile by tile, holds the embeddings.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from tactician.contract import helper
from tactician.contract.planes import Encoding, Planes
from tactician.games.royale.actions import CODES, DEPLOY, RESERVE
from tactician.games.royale.arena import (
    COLUMNS,
    DECK,
    DOUBLE_ELIXIR_TICK,
    HAND,
    HEIGHT,
    KING,
    MOST_ELIXIR,
    MOST_TICKS,
    PAST,
    PLAYERS,
    REGULAR_TICKS,
    ROWS,
    TILE,
    TILES,
    TOWERS,
    WIDTH,
)
from tactician.games.royale.records import (
    DEPLOYING,
    HP,
    KIND,
    KINDS,
    KING_KIND,
    NO_CARD,
    PLACE_X,
    PLACE_Y,
    PRINCESS_KIND,
    SPELL_CARD,
    SPELL_X,
    SPELL_Y,
    TIMER,
    TOWER_HP,
)

_FLIGHT_TICKS = 30.0
"""What the ticks to a spell's impact are divided by."""
_HEALTH, _DEPLOYING, _AWAKE = PLAYERS * KINDS, PLAYERS * KINDS + PLAYERS, PLAYERS * KINDS + 2 * PLAYERS
"""First planes of what is known of objects besides their kind, own before enemy; before them a plane a kind."""
OBJECT_PLANES = PLAYERS * KINDS + 2 * PLAYERS + PLAYERS
_TIME, _DOUBLE, _OVERTIME, _ELIXIR, _RESERVED = range(5)
_OF_HAND, _NEXT = _RESERVED + DECK, _RESERVED + 2 * DECK
CONTEXT_PLANES = _RESERVED + 3 * DECK
_WAITED, _RESERVING, _ACTION_KINDS = DECK, DECK + 1, DECK + 2
PAST_PLANES = PAST * _ACTION_KINDS
MAPS = DECK + 1
"""One for each card, and one for waiting."""


@helper
def fill_objects(g: Any, s: Any, seat: Any, out: Any) -> None:
    """Write towers, troops and spells: how many of a kind stand on a tile, their health, who deploys, kings awake."""
    for owner in range(PLAYERS):
        side = 0 if owner == seat else 1
        for slot in range(TOWERS):
            hp = int(s.towers[owner, slot, TOWER_HP])
            if hp > 0:
                kind = KING_KIND if slot == KING else PRINCESS_KIND
                row, column = own_tile(seat, int(g.tower_x[owner, slot]), int(g.tower_y[owner, slot]))
                out[side * KINDS + kind, row, column] += 1.0
                out[_HEALTH + side, row, column] += hp / g.hp[kind]
                if slot == KING and s.awake[owner] != 0:
                    out[_AWAKE + side, row, column] += 1.0
        for i in range(int(s.n_troops[owner])):
            kind = int(s.troops[owner, i, KIND])
            row, column = own_tile(seat, int(s.troops[owner, i, PLACE_X]), int(s.troops[owner, i, PLACE_Y]))
            out[side * KINDS + kind, row, column] += 1.0
            out[_HEALTH + side, row, column] += s.troops[owner, i, HP] / g.hp[kind]
            if s.troops[owner, i, DEPLOYING] > 0:
                out[_DEPLOYING + side, row, column] += 1.0
        for i in range(int(s.n_spells[owner])):
            row, column = own_tile(seat, int(s.spells[owner, i, SPELL_X]), int(s.spells[owner, i, SPELL_Y]))
            out[side * KINDS + int(s.spells[owner, i, SPELL_CARD]), row, column] += 1.0
            out[_HEALTH + side, row, column] += s.spells[owner, i, TIMER] / _FLIGHT_TICKS


@helper
def fill_context(g: Any, s: Any, seat: Any, out: Any) -> None:
    """Write battle progress, the own elixir, reservation, hand and next card, the same on all tiles."""
    out[_TIME] = s.tick / MOST_TICKS
    out[_DOUBLE] = 1.0 if s.tick >= DOUBLE_ELIXIR_TICK else 0.0
    out[_OVERTIME] = 1.0 if s.tick >= REGULAR_TICKS else 0.0
    out[_ELIXIR] = s.elixir[seat] / MOST_ELIXIR
    if s.reserved[seat] != NO_CARD:
        out[_RESERVED + int(s.reserved[seat])] = 1.0
    for i in range(HAND):
        if s.hand[seat, i] != NO_CARD:
            out[_OF_HAND + int(s.hand[seat, i])] = 1.0
    if s.queue[seat, 0] != NO_CARD:
        out[_NEXT + int(s.queue[seat, 0])] = 1.0


@helper
def fill_past(g: Any, s: Any, seat: Any, out: Any) -> None:
    """Write the own last actions: a deployment on its tile, anything else on all tiles."""
    for i in range(PAST):
        action, first = int(s.past[seat, i]), i * _ACTION_KINDS
        if action >= DEPLOY:
            card, tile = (action - DEPLOY) // TILES, (action - DEPLOY) % TILES
            out[first + card, tile // COLUMNS, tile % COLUMNS] = 1.0
        elif action >= RESERVE:
            out[first + _RESERVING] = 1.0
        else:
            out[first + _WAITED] = 1.0


@helper
def own_tile(seat: Any, x: Any, y: Any) -> Any:
    """The row and the column of a global place in a player's own frame."""
    if seat == 1:
        x, y = WIDTH - x, HEIGHT - y
    return min(y // TILE, ROWS - 1), min(x // TILE, COLUMNS - 1)


def encodings(names: Sequence[str]) -> tuple[Encoding, ...]:
    """The encoding for a deck; `names` are those of its cards. A network for another deck has other planes."""
    cards = tuple(names[:DECK])
    objects = tuple(f"{side} {name}" for side in ("own", "enemy") for name in (*cards, "princess tower", "king tower"))
    more = tuple(f"{side} {what}" for what in ("health", "deploying", "king awake") for side in ("own", "enemy"))
    own_cards = tuple(f"{what} {card}" for what in ("reserved", "in hand", "next") for card in cards)
    context = ("time", "double elixir", "overtime", "own elixir", *own_cards)
    past = tuple(f"{PAST - i} steps ago {what}" for i in range(PAST) for what in (*cards, "waited", "reserved"))
    groups = (Planes(objects + more, fill_objects), Planes(context, fill_context), Planes(past, fill_past))
    output_of = [MAPS * TILES + DECK, *(MAPS * TILES + card for card in range(DECK))]
    output_of += [action - DEPLOY for action in range(DEPLOY, CODES)]
    return (
        Encoding(
            "arena",
            ROWS,
            COLUMNS,
            groups,
            outputs=MAPS * (TILES + 1),
            output_of=tuple(output_of),
            pruned=False,
            maps=MAPS,
        ),
    )
