"""Legends of Code and Magic: a deck, two lanes, as many actions a turn as the mana pays for.

The rules are those of the competition's referee in version 1.2; version 1.5 (constructed decks of generated cards,
areas, no runes) and the single lane of version 1.0 are configurations of the same code.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from tactician.contract.game import Game
from tactician.contract.requirements import require_choice, require_integer
from tactician.errors import InvalidParameterError
from tactician.games.locm.cards import CARDS, CardType, read_cards
from tactician.games.locm.generator import generate_cards
from tactician.games.locm.listing import MAX_ACTIONS
from tactician.games.locm.positions import BY_DRAFT, BY_PAPER
from tactician.games.locm.records import ACTS, FEATURES, UNKNOWN, card_fields
from tactician.games.locm.rules import rule
from tactician.games.locm.strategies import CONSTRUCTIONS, STRATEGIES
from tactician.games.locm.values import CARD_VALUES, values_of

__all__ = ["locm"]

VERSIONS = ("1.0", "1.2", "1.5")
_RULES_VERSION = "1"
_DECKS, _INFORMATION, _EVALUATIONS = ("draft", "paper"), ("hidden", "open"), ("paper", "relative")
_MOST_SEED = 2**63 - 1
_USUAL_DRAFT, _USUAL_CONSTRUCTION = "coac", "mana-curve"


def locm(
    version: str = "1.2",
    draft: str | None = None,
    decks: str = "draft",
    deck_seed: int = 0,
    cards: str | Path | Sequence[CardType] | None = None,
    card_seed: int = 0,
    information: str = "hidden",
    evaluation: str = "paper",
    card_value: str = "stats",
    weights: Mapping[str, float] | None = None,
) -> Game:
    """The battle of Legends of Code and Magic; the draft before it is played by strategies.

    `version`: '1.2' (two lanes), '1.0' (one lane) or '1.5' (constructed decks of cards generated from `card_seed`).
    `draft` is the strategy that picks both decks, or two as 'coac/random'. `decks`: 'draft', or 'paper' for the 600
    pairs of decks of Montoliu et al., made from `deck_seed`, of which the start's seed names one. `cards` is a card
    table of one's own. `information`: 'hidden' as in the competition, or 'open'. `evaluation`: 'paper' (the five
    features of a player's own side) or 'relative' (the difference of both sides). `card_value` says what a card is
    worth to the heuristic. `weights` changes weights of the five features by name.
    """
    version = str(version)  # a command line reads 1.2 as a number
    require_choice("version", version, VERSIONS)
    require_choice("decks", decks, _DECKS)
    require_choice("information", information, _INFORMATION)
    require_choice("evaluation", evaluation, _EVALUATIONS)
    require_choice("card_value", card_value, CARD_VALUES)
    require_integer("deck_seed", deck_seed, 0, _MOST_SEED)
    require_integer("card_seed", card_seed, -_MOST_SEED - 1, _MOST_SEED)
    modern = version == "1.5"
    if modern and decks == "paper":
        raise InvalidParameterError("decks is 'paper' with version '1.5'; those decks are of version 1.2.")
    if cards is not None and decks == "paper":
        raise InvalidParameterError("decks is 'paper' with cards of one's own; those decks are of the 160 cards.")
    table = _card_table(cards, modern, card_seed)
    game = rule.game(
        "locm",
        version=_RULES_VERSION,
        max_actions=MAX_ACTIONS,
        config={
            "lanes": 1 if version == "1.0" else 2,
            "lane_size": 6 if version == "1.0" else 3,
            "modern": modern,
            "hides": information == "hidden",
            "relative": evaluation == "relative",
            "deal": BY_PAPER if decks == "paper" else BY_DRAFT,
            "deck_seed": deck_seed,
            "strategies": _strategies(draft, CONSTRUCTIONS if modern else STRATEGIES),
            "weights": [1.0, -1.0, 1.0, 1.0, 1.0],
            **card_fields(table, values_of(card_value, table), modern),
        },
        zero_sum=evaluation == "relative",
        value_range=_value_range,
        weights=FEATURES,
        max_turn=ACTS,
        omit=() if information == "hidden" else ("observe", "resample_hidden"),
        description="A card battle on two lanes, decks drafted before.",
    )
    return game.with_weights(**weights) if weights else game


def _value_range(g: Any) -> tuple[float, float]:
    return -float(g.win), float(g.win)


def _card_table(cards: str | Path | Sequence[CardType] | None, modern: bool, seed: int) -> tuple[CardType, ...]:
    if cards is None:
        return generate_cards(seed) if modern else CARDS
    table = read_cards(cards) if isinstance(cards, (str, Path)) else tuple(cards)
    if not table:
        raise InvalidParameterError("cards is an empty table; expected at least one card.")
    least = 0 if modern else 1
    for card in table:
        if not least <= card.number < UNKNOWN:
            raise InvalidParameterError(f"card number is {card.number}; expected {least} to {UNKNOWN - 1}.")
        if card.area and not modern:
            raise InvalidParameterError(f"card {card.number} has an area; expected none before version '1.5'.")
    if len({card.number for card in table}) < len(table):
        raise InvalidParameterError("cards has a number twice; expected numbers that differ.")
    return table


def _strategies(draft: str | None, known: Mapping[str, Any]) -> list[int]:
    usual = _USUAL_DRAFT if _USUAL_DRAFT in known else _USUAL_CONSTRUCTION
    names = (usual if draft is None else str(draft)).split("/")
    if len(names) == 1:
        names *= 2
    if len(names) != 2 or any(name not in known for name in names):
        raise InvalidParameterError(f"draft is {draft!r}; expected one or two (as a/b) of {', '.join(known)}.")
    return [list(known).index(name) for name in names]
