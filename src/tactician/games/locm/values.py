"""The value of a card in the heuristic. The paper mentions "the value of a card" without defining it.

``stats`` is attack + defense (for items too), as simple bots use it; OEP does better against NoAI with it. ``rank`` is
the card's place in the ranking of the paper's first draft strategy, from 10 for the best card down to just above 0 for
the worst, so that a good creature is worth about as much as a good attack; a card that is not one of the 160 is valued
by its numbers.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace

from tactician.games.locm.cards import CARDS, CardType, draft_scores
from tactician.games.locm.strategies import card_value

BEST = 10.0
_BY_NUMBER = {card.number: card for card in CARDS}
_LEAST, _AVERAGE = 0.1, 3.0
"""The least value of an unranked card, and the value of one whose numbers are worth exactly its cost."""


def _by_rank(card: CardType, seat: int = 0) -> float:
    if not _is_ranked(card):
        return _by_numbers(card)
    score = draft_scores()[card.number]
    rank = score.coac_second if seat else score.coac_first
    return BEST * (len(draft_scores()) + 1 - rank) / len(draft_scores())


def _is_ranked(card: CardType) -> bool:
    """Return whether a card is one of the 160; generated cards share their numbers but nothing else."""
    known = _BY_NUMBER.get(card.number)
    return known is not None and replace(card, name=known.name) == known


def _by_numbers(card: CardType) -> float:
    """Value an unranked card by its numbers, on about the same scale."""
    return max(_LEAST, min(BEST, _AVERAGE + card_value(card)))


def _by_stats(card: CardType) -> float:
    return float(abs(card.attack) + abs(card.defense))


CARD_VALUES: dict[str, Callable[[CardType], float]] = {"stats": _by_stats, "rank": _by_rank}


def values_of(reading: str, cards: Sequence[CardType]) -> list[float]:
    """Return the value of each card in one reading."""
    return [CARD_VALUES[reading](card) for card in cards]


def qualities(cards: Sequence[CardType]) -> list[list[float]]:
    """Return how good each card is in a deck of each seat, from 1 (best) down to 0."""
    return [[_by_rank(card, seat) / BEST for card in cards] for seat in range(2)]
