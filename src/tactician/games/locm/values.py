"""What a card is worth to the heuristic. The paper speaks of 'the value of a card' and doesn't say what it is.

``stats`` reads it off the numbers of the card (attack + defense, for items too), as simple bots do; OEP does better
against NoAI with it. ``rank`` is the ranking of the paper's first draft strategy, from 10 for the best card down to
just above 0 for the worst, so that a good creature weighs like a good blow; cards that are none of the 160 are measured
by our own yardstick.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace

from tactician.games.locm.cards import CARDS, CardType, draft_scores
from tactician.games.locm.strategies import card_value

BEST = 10.0


def _by_rank(card: CardType) -> float:
    if not _is_ranked(card):
        return _by_yardstick(card)
    return BEST * (len(draft_scores()) + 1 - draft_scores()[card.number].coac_first) / len(draft_scores())


def _is_ranked(card: CardType) -> bool:
    """Whether it is the very card that was ranked: generated cards have the same numbers and nothing else of it."""
    return any(replace(card, name=known.name) == known for known in CARDS if known.number == card.number)


def _by_yardstick(card: CardType) -> float:
    """Our own yardstick for cards nobody has ranked, on about the same scale."""
    return max(0.1, min(BEST, 3.0 + card_value(card)))


def _by_stats(card: CardType) -> float:
    return float(abs(card.attack) + abs(card.defense))


CARD_VALUES: dict[str, Callable[[CardType], float]] = {"stats": _by_stats, "rank": _by_rank}


def values_of(reading: str, cards: Sequence[CardType]) -> list[float]:
    """The value of every card of a table in one reading."""
    return [CARD_VALUES[reading](card) for card in cards]
