"""`royale`: makes the game from its parameters."""

from __future__ import annotations

from tactician.contract.game import Game
from tactician.games.royale.actions import CODES
from tactician.games.royale.arena import HAND, TICKS_A_STEP, TILES
from tactician.games.royale.cards import load_cards, read_deck, DEFAULT_DECK
from tactician.games.royale.rules import rule
from tactician.games.royale.tables import card_fields


def royale(deck=DEFAULT_DECK, cards=None, reserve_arms=1, positions=64, step_ticks=5) -> Game:
    table = load_cards(cards)
    return rule.game(
        "royale",
        max_actions=1 + HAND * TILES,
        config={"step_ticks": step_ticks, "positions": positions, "reserve_arms": reserve_arms, **card_fields(read_deck(deck, table), table)},
        max_turn=1,
    )
