"""Legends of Code and Magic: a card game on two lanes, with as many actions a turn as the mana pays for.

The rules are those of version 1.2 of the competition's referee; version 1.5 (constructed decks of generated cards,
areas, no runes) and version 1.0 (one lane) are configurations of the same code.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cache
from pathlib import Path
from typing import Any

from tactician.contract.features import LEARNED, shipped_evaluation
from tactician.contract.game import Game
from tactician.contract.info import STRONGEST, Evaluation
from tactician.contract.requirements import require_choice, require_integer
from tactician.errors import InvalidParameterError
from tactician.games.locm.cards import CARDS, CardType, read_cards, require_card
from tactician.games.locm.generator import generate_cards
from tactician.games.locm.listing import MAX_ACTIONS
from tactician.games.locm.positions import BY_DRAFT, BY_PAPER
from tactician.games.locm.records import ACTS, BOARD, BOARD_FEATURES, FEATURES, LANES, UNKNOWN, card_fields
from tactician.games.locm.rules import rule
from tactician.games.locm.side_features import NAMES
from tactician.games.locm.strategies import CONSTRUCTIONS, STRATEGIES
from tactician.games.locm.values import CARD_VALUES, qualities, values_of
from tactician.native.records import FieldRecord
from tactician.parameters import parse_weights

__all__ = ["locm"]

VERSIONS = ("1.0", "1.2", "1.5")
_RULES_VERSION = "1"
_DECKS, _INFORMATION, _GUESSES = ("draft", "paper"), ("hidden", "open"), ("uniform", "ranked")
_MOST_SEED = 2**63 - 1
_DEFAULT_DRAFT, _DEFAULT_CONSTRUCTION = "coac", "mana-curve"


def _evaluation(relative: bool, by_board: bool) -> Evaluation:
    field, features = ("board_weights", BOARD_FEATURES) if by_board else ("weights", FEATURES)
    return Evaluation(
        config={
            "relative": relative,
            "by_board": by_board,
            "weights": list(FEATURES.values()),
            "board_weights": list(BOARD_FEATURES.values()),
        },
        zero_sum=relative,
        weights={name: (field, place) for place, name in enumerate(features)},
    )


_EVALUATIONS = {
    "paper": _evaluation(relative=False, by_board=False),
    "relative": _evaluation(relative=True, by_board=False),
    "board": _evaluation(relative=True, by_board=True),
}
_LEARNED_BOT = "learned-bot"
"""Learned from games of the competition bot, with more features than the first one."""
_LEARNED_NETWORK = "learned-network"
"""The same features and a network on them."""
_LEARNED_FILES = {
    LEARNED: Path(__file__).with_name("evaluation.json"),
    _LEARNED_BOT: Path(__file__).with_name("evaluation_bot.json"),
    _LEARNED_NETWORK: Path(__file__).with_name("evaluation_network.json"),
    STRONGEST: Path(__file__).with_name("evaluation_network.json"),
}


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
    guesses: str = "uniform",
    weights: Mapping[str, float] | str | None = None,
) -> Game:
    """Make a battle of Legends of Code and Magic; strategies play the draft before it.

    Args:
        version: The rules: `1.0` (one lane), `1.2` (two lanes) or `1.5` (constructed decks of generated
            cards).
        draft: The strategy that picks both decks; in commands and in Python also two strategies as `coac/random`.
        decks: Where decks come from: a `draft` for each start, or the 600 pairs of decks of the `paper`.
        deck_seed: The seed of the paper's decks, from 0.
        cards: A table of cards of your own: a file or a list, with the columns of the built-in one.
        card_seed: The seed of the cards of version 1.5.
        information: What players see: `hidden` as in the competition, or `open`.
        evaluation: Which evaluation: `paper` (features of a player's own side), `relative` (the difference
            of both sides), `board` (what both sides have on the table now), `learned` (from self-play),
            `learned-bot` (from games of the competition bot, with more features) or `learned-network` (the same
            features and a small network on them), which is also the `strongest`.
        card_value: The value of a card in the heuristic: `stats` (attack and defense) or `rank` (its place in
            a draft order).
        guesses: How the opponent's hidden cards are guessed from what was offered in the draft: `uniform`, or
            `ranked`: better cards were picked more often, the more so the more the cards that were seen say so.
        weights: Weights of the five features by name; as a text `threat=-5;board=3`.
    """
    version = str(version)  # the command line parses 1.2 as a number
    require_choice("version", version, VERSIONS)
    require_choice("decks", decks, _DECKS)
    require_choice("information", information, _INFORMATION)
    require_choice("evaluation", evaluation, (*_EVALUATIONS, *_LEARNED_FILES))
    usual = _EVALUATIONS["board" if evaluation in _LEARNED_FILES else evaluation]
    require_choice("card_value", card_value, CARD_VALUES)
    require_choice("guesses", guesses, _GUESSES)
    require_integer("deck_seed", deck_seed, 0, _MOST_SEED)
    require_integer("card_seed", card_seed, -_MOST_SEED - 1, _MOST_SEED)
    modern = version == "1.5"
    if modern and decks == "paper":
        raise InvalidParameterError("decks is 'paper' with version '1.5'; expected '1.2' or '1.0'.")
    if cards is not None and decks == "paper":
        raise InvalidParameterError("decks is 'paper' with a table of cards; expected the built-in cards.")
    if isinstance(weights, str):
        weights = parse_weights(weights)
    table = _card_table(cards, modern, card_seed)
    game = rule.game(
        "locm",
        version=_RULES_VERSION,
        max_actions=MAX_ACTIONS,
        config={
            "lanes": 1 if version == "1.0" else LANES,
            "lane_size": BOARD if version == "1.0" else BOARD // LANES,
            "modern": modern,
            "hides": information == "hidden",
            "deal": BY_PAPER if decks == "paper" else BY_DRAFT,
            "deck_seed": deck_seed,
            "strategies": _strategies(draft, CONSTRUCTIONS if modern else STRATEGIES),
            **usual.config,
            "ranked": guesses == "ranked",
            **card_fields(table, values_of(card_value, table), qualities(table), modern),
        },
        zero_sum=usual.zero_sum,
        value_range=_value_range,
        weights=usual.weights,
        evaluations={
            **_EVALUATIONS,
            **{name: _learned(path) for name, path in _LEARNED_FILES.items()},
        },
        features=NAMES,
        max_turn=ACTS,
        omit=() if information == "hidden" else ("observe", "resample_hidden"),
        description="A card battle on two lanes, decks drafted before.",
    )
    game = game.with_evaluation(evaluation) if evaluation in _LEARNED_FILES else game
    return game.with_weights(**weights) if weights else game


@cache
def _learned(path: Path) -> Evaluation:
    return shipped_evaluation(path, NAMES, _EVALUATIONS["board"].config)


def _value_range(g: FieldRecord) -> tuple[float, float]:
    return -float(g.win), float(g.win)


def _card_table(cards: str | Path | Sequence[CardType] | None, modern: bool, seed: int) -> tuple[CardType, ...]:
    if cards is None:
        return generate_cards(seed) if modern else CARDS
    table = read_cards(cards) if isinstance(cards, (str, Path)) else tuple(cards)
    if not table:
        raise InvalidParameterError("cards is an empty table; expected at least one card.")
    least = 0 if modern else 1
    for card in table:
        require_card(card)
        if not least <= card.number < UNKNOWN:
            raise InvalidParameterError(f"card number is {card.number}; expected {least} to {UNKNOWN - 1}.")
        if card.area and not modern:
            raise InvalidParameterError(f"card {card.number} has an area; expected none before version '1.5'.")
    if len({card.number for card in table}) < len(table):
        raise InvalidParameterError("cards has the same number twice; expected different numbers.")
    return table


def _strategies(draft: str | None, known: Mapping[str, Any]) -> list[int]:
    default = _DEFAULT_DRAFT if _DEFAULT_DRAFT in known else _DEFAULT_CONSTRUCTION
    names = (default if draft is None else str(draft)).split("/")
    if len(names) == 1:
        names *= 2
    if len(names) != 2 or any(name not in known for name in names):
        raise InvalidParameterError(f"draft is {draft!r}; expected one or two (as a/b) of {', '.join(known)}.")
    return [list(known).index(name) for name in names]
