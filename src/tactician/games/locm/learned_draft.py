"""A draft learned from self-play: each card has a worth for each seat, and a deck that has plenty of a kind wants less.

A deck is worth the sum of its cards minus the squares of its counts: creatures of each cost, items, mana in all. So
every further card of a kind adds less than the last. A pick is scored by what it adds to the deck that is expected in
the end: the cards that are there, and usual picks for the rest. ``tools/learn_draft.py`` finds the numbers.

Nothing here needs NumPy: the bot drafts before it is loaded.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING

from tactician.errors import InvalidParameterError
from tactician.games.locm.cards import DECK_SIZE, CardType

if TYPE_CHECKING:
    import numpy as np

COUNTED = (
    *("cost 0-1", "cost 2", "cost 3", "cost 4", "cost 5", "cost 6", "cost 7+"),
    *("items up to cost 2", "items above cost 2", "mana", "creatures"),
)
"""What is counted in a deck: creatures of each cost, items, the cost of all cards, all creatures."""
_COSTS, _CHEAP_ITEM = 7, 2
FILE = Path(__file__).parent / "draft_learned.json"


def counts_of(card: CardType) -> list[float]:
    """What a card adds to each of the counts."""
    counts = [0.0] * len(COUNTED)
    if card.is_creature:
        counts[min(max(card.cost, 1), _COSTS) - 1] = 1.0
    else:
        counts[_COSTS + (card.cost > _CHEAP_ITEM)] = 1.0
    counts[-2:] = float(card.cost), float(card.is_creature)
    return counts


@dataclass(frozen=True)
class LearnedDraft:
    """Picks the card that adds most to the deck expected in the end."""

    worth: Mapping[int, Sequence[float]]
    """What each card is worth for each seat, by card number; one unit is a logit of winning."""
    crowding: Sequence[float]
    """What the square of each count takes off a deck."""
    usual: Sequence[float]
    """How much a pick adds to each count in the mean."""

    def scores(self, offered: Sequence[CardType], picked: Sequence[CardType], seat: int) -> list[float]:
        """What each offered card would add."""
        to_come = DECK_SIZE - 1 - len(picked)
        expected = [to_come * usual for usual in self.usual]
        for card in picked:
            expected = [one + more for one, more in zip(expected, counts_of(card), strict=True)]
        return [self._worth(card, seat) - self._crowded(card, expected) for card in offered]

    def pick(self, offered: Sequence[CardType], picked: Sequence[CardType], seat: int, rng: np.random.Generator) -> int:
        """Return the index of the card with the highest score, the first of equals."""
        scores = self.scores(offered, picked, seat)
        return scores.index(max(scores))

    def _worth(self, card: CardType, seat: int) -> float:
        if card.number not in self.worth:
            raise InvalidParameterError(
                f"card {card.number} ({card.name}) has no learned worth; expected one of the 160, or another strategy."
            )
        return self.worth[card.number][seat]

    def _crowded(self, card: CardType, expected: Sequence[float]) -> float:
        """What the squares of the counts grow by."""
        added = zip(self.crowding, expected, counts_of(card), strict=True)
        return sum(weight * more * (2 * count + more) for weight, count, more in added)

    def to_json(self) -> str:
        """The numbers as a file."""
        rounded = {number: [round(one, 4) for one in worth] for number, worth in self.worth.items()}
        named = {
            name: dict(zip(COUNTED, (round(one, 6) for one in values), strict=True))
            for name, values in (("crowding", self.crowding), ("usual", self.usual))
        }
        rows = ",\n".join(f'  "{number}": {json.dumps(worth)}' for number, worth in rounded.items())
        head = ",\n".join(f' "{name}": {json.dumps(values)}' for name, values in named.items())
        return f'{{\n{head},\n "worth": {{\n{rows}\n }}\n}}\n'

    @staticmethod
    def from_json(text: str) -> LearnedDraft:
        """Read what `to_json` wrote."""
        data = json.loads(text)
        counted = {name: [float(data[name][kind]) for kind in COUNTED] for name in ("crowding", "usual")}
        return LearnedDraft({int(number): worth for number, worth in data["worth"].items()}, **counted)


@cache
def learned_draft() -> LearnedDraft:
    """The draft that comes with the game."""
    return LearnedDraft.from_json(FILE.read_text(encoding="utf-8"))


class Learned:
    """The draft that comes with the game; its file is read at the first pick."""

    def pick(self, offered: Sequence[CardType], picked: Sequence[CardType], seat: int, rng: np.random.Generator) -> int:
        """Return the index of the card that adds most to the deck."""
        return learned_draft().pick(offered, picked, seat, rng)
