"""Hero Academy: two teams of heroes, several actions a turn, crystals to destroy.

The rules are those of the open-source engine that the papers used, including its quirks: games recorded from it replay
exactly (see `conformance`). Whatever an experiment varies is a parameter of `hero_academy`.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from tactician.contract.features import LEARNED, shipped_evaluation
from tactician.contract.game import Game
from tactician.contract.info import STRONGEST, Evaluation
from tactician.contract.requirements import require_boolean, require_choice, require_integer
from tactician.errors import InvalidParameterError
from tactician.games.hero_academy import cards
from tactician.games.hero_academy.features import RATING_WEIGHTS
from tactician.games.hero_academy.listing import NOT_PRUNED, PRUNED_SWAPS
from tactician.games.hero_academy.maps import MAPS, map_rows
from tactician.games.hero_academy.positions import MAX_TURN
from tactician.games.hero_academy.records import board_fields, unit_fields
from tactician.games.hero_academy.rules import rule
from tactician.games.hero_academy.side_features import NAMES
from tactician.games.hero_academy.weights import FITTED, READINGS, WEIGHTS, fitted_fields, value_range, weight_fields
from tactician.parameters import parse_weights

__all__ = ["MAPS", "hero_academy"]

VERSION = "1"
_LEARNED_FILE = Path(__file__).with_name("evaluation.json")
MAX_ACTION_POINTS = 100
MAX_HAND = 30
MAX_DECK = 120
_RATINGS = ("paper", "reference")
_DRAWS = ("deterministic", "shuffled")
_INFORMATION = ("open", "hidden")


def hero_academy(
    action_points: int = 5,
    first_turn_points: int = 3,
    turn_limit: int = 100,
    map: str | Path | Sequence[str] = "a",
    deck: str | Sequence[int] = "standard",
    hand_size: int = cards.HAND_SIZE,
    draws: str = "deterministic",
    information: str = "open",
    evaluation: str = "default",
    rating: str = "paper",
    prune: bool = True,
    swaps: str = "reference",
    weights: Mapping[str, float] | str | None = None,
    preset: str | None = None,
) -> Game:
    """Make a game of Hero Academy; the defaults are the papers' settings.

    Args:
        action_points: Action points of a turn, 1 to 100.
        first_turn_points: Action points of the first turn of the game, 1 to 100.
        turn_limit: Turns of both players together, 1 to 30000; then the game is a draw.
        map: The board: a name; in commands also a text file, in Python also rows of text.
        deck: The deck of both players: a name; in Python also a count for each card.
        hand_size: The size up to which a hand is refilled, 1 to 30.
        draws: How cards are drawn: `deterministic` (a function of each deck's seed, as in the papers) or
            `shuffled`.
        information: What players see: `open`, or `hidden` (neither the opponent's hand nor the next cards).
        evaluation: Which evaluation: `default`, `reference` (as coded, with its bug), `paper` (as printed),
            `fitted` (the terms of `default` with weights fitted to self-play with 10 or 15 action points, the
            nearest to those of the game), which is also the `strongest`, or `learned` (from self-play with five action
            points).
        rating: Which rating of actions: `paper` or `reference`.
        prune: Remove needless card swaps and infernos from the candidate actions.
        swaps: Which card swaps are needless: `reference` (of kinds held once, as coded) or `paper` (none: the same
            kind is never listed twice).
        weights: Weights of the evaluation by name; as a text `card=0.25;standing=1`.
        preset: Sets `evaluation`, `rating`, `prune` and `swaps` together: `paper` (as printed) or `reference`
            (as coded).
    """
    if preset is not None:
        require_choice("preset", preset, _RATINGS)
        evaluation, rating, prune, swaps = preset, preset, True, preset
    require_integer("action_points", action_points, 1, MAX_ACTION_POINTS)
    require_integer("first_turn_points", first_turn_points, 1, MAX_ACTION_POINTS)
    require_integer("turn_limit", turn_limit, 1, MAX_TURN)
    require_integer("hand_size", hand_size, 1, MAX_HAND)
    require_choice("draws", draws, _DRAWS)
    require_choice("information", information, _INFORMATION)
    require_choice("evaluation", evaluation, (*READINGS, FITTED, LEARNED, STRONGEST))
    fitted = Evaluation(fitted_fields(action_points), weights=WEIGHTS)
    require_choice("rating", rating, _RATINGS)
    require_boolean("prune", prune)
    require_choice("swaps", swaps, _RATINGS)
    if isinstance(weights, str):
        weights = parse_weights(weights)
    if not isinstance(weights, Mapping | None):
        raise InvalidParameterError(f"weights are {weights!r}; expected a mapping from names to numbers.")
    rows = map_rows(map)
    squares = len(rows) * len(rows[0])
    game = rule.game(
        "hero-academy",
        version=VERSION,
        max_actions=_longest_list(squares),
        config={
            "action_points": action_points,
            "first_turn_points": first_turn_points,
            "turn_limit": turn_limit,
            "hand_size": hand_size,
            "prune": PRUNED_SWAPS[swaps] if prune else NOT_PRUNED,
            "random_draws": draws == "shuffled",
            "hidden_hands": information == "hidden",
            "coded_ratings": rating == "reference",
            "deck": _deck(deck),
            **board_fields(rows),
            **unit_fields(),
            **(weight_fields(evaluation) if evaluation in READINGS else weight_fields(READINGS[0])),
        },
        value_range=value_range,
        weights=WEIGHTS,
        evaluations={
            **{name: Evaluation(weight_fields(name), weights=WEIGHTS) for name in READINGS},
            FITTED: fitted,
            LEARNED: shipped_evaluation(_LEARNED_FILE, NAMES, weight_fields(READINGS[0])),
            STRONGEST: fitted,
        },
        rating_weights=RATING_WEIGHTS,
        features=NAMES,
        max_turn=lambda g: int(max(g.action_points, g.first_turn_points)) + 1,
        omit=() if information == "hidden" else ("observe", "resample_hidden"),
        description="Two teams of heroes, several actions a turn, crystals to destroy.",
    )
    game = game if evaluation in READINGS else game.with_evaluation(evaluation)
    return game.with_weights(**weights) if weights else game


def _longest_list(squares: int) -> int:
    """Bound the length of any list: each unit to each other square, each card on each square or swapped, the end."""
    return squares * (squares - 1) + cards.KINDS * (squares + 1) + 1


def _deck(deck: str | Sequence[int]) -> tuple[int, ...]:
    if isinstance(deck, str):
        return cards.DECKS[require_choice("deck", deck, cards.DECKS)]
    counts: tuple[Any, ...] = tuple(deck) if isinstance(deck, Sequence) else ()
    if len(counts) != cards.KINDS or not all(type(n) is int and 0 <= n <= cards.MAX_COPIES for n in counts):
        raise InvalidParameterError(f"deck is {deck!r}; expected {cards.KINDS} counts from 0 to {cards.MAX_COPIES}.")
    if sum(counts) > MAX_DECK:
        raise InvalidParameterError(f"deck has {sum(counts)} cards; expected at most {MAX_DECK}.")
    return counts
