"""Royale: a deterministic card battle of two players on an arena of 18 × 32 tiles.

Every rule works on integers, so a battle is the same on every machine: recorded battles replay exactly (see
`conformance`).
"""

from __future__ import annotations

import hashlib
from collections.abc import Mapping, Sequence

from tactician.contract.game import Game
from tactician.contract.requirements import require_choice, require_integer
from tactician.errors import InvalidParameterError
from tactician.games.royale.arena import HAND, PLAYERS, TICKS_A_STEP, TILES
from tactician.games.royale.cards import DECK_SEPARATOR, DEFAULT_DECK, Card, load_cards, read_deck
from tactician.games.royale.features import encodings
from tactician.games.royale.rules import rule
from tactician.games.royale.tables import card_fields

VERSION = "1"
INFORMATION = ("hidden", "open")
_MOST_STEP_TICKS = 100


def royale(
    deck: str | Sequence[str] = DECK_SEPARATOR.join(DEFAULT_DECK),
    cards: str = "",
    reserve_arms: int = 1,
    positions: int = 64,
    information: str = "hidden",
    step_ticks: int = TICKS_A_STEP,
) -> Game:
    """Make a battle of Royale.

    Args:
        deck: The eight cards of both players: names, in a text with `+` between them.
        cards: A card table (CSV) whose rows are added to the built-in ones or replace them.
        reserve_arms: How often planners list the reservation of a card that is too expensive, 1 to 576: 1 (as one
            action) or 64 (as likely as a card that can be played).
        positions: How many tiles planners consider for a card, 1 to 576.
        information: What planners see: `hidden` (what their seat sees) or `open` (everything).
        step_ticks: Ticks of 100 ms from one decision to the next, 1 to 100.
    """
    require_integer("reserve_arms", reserve_arms, 1, TILES)
    require_integer("positions", positions, 1, TILES)
    require_choice("information", information, INFORMATION)
    require_integer("step_ticks", step_ticks, 1, _MOST_STEP_TICKS)
    if not isinstance(cards, str):
        raise InvalidParameterError(f"cards is {cards!r}; expected the path of a card table.")
    table = load_cards(cards or None)
    chosen = read_deck(deck, table)
    return rule.game(
        "royale",
        version=_version(table),
        players=PLAYERS,
        max_actions=1 + HAND * TILES,
        config={
            "step_ticks": step_ticks,
            "positions": positions,
            "reserve_arms": reserve_arms,
            **card_fields(chosen, table),
        },
        max_turn=1,
        encodings=encodings([card.name for card in chosen]),
        models={"royale-script": "tactician.games.royale.scripted:policy"},
        omit=() if information == "hidden" else ("observe", "resample_hidden"),
        description="A card battle in real time: deploy troops and spells, destroy the other side's towers.",
    )


def _version(table: Mapping[str, Card]) -> str:
    """Return the version of the rules, with a mark of the card table where it is not the built-in one."""
    if table == load_cards():
        return VERSION
    digest = hashlib.sha256(repr(sorted(table.items())).encode()).hexdigest()
    return f"{VERSION}+cards-{digest[:8]}"
