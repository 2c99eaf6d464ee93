"""Draft strategies of version 1.2 and deck constructions of version 1.5.

A strategy picks one of the offered cards, given its earlier picks. ``STRATEGIES`` has them by name: ``coac``, ``uji2``
and ``combined`` are those of the paper, ``learned`` is the bot's, the rest are baselines.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Protocol

from tactician.errors import InvalidParameterError, UnknownNameError
from tactician.games.locm.cards import DECK_SIZE, MOST_COPIES, Ability, CardKind, CardType, DraftScore, draft_scores
from tactician.games.locm.learned_draft import Learned

if TYPE_CHECKING:
    import numpy as np


class Strategy(Protocol):
    """Picks one of the offered cards each turn."""

    def pick(self, offered: Sequence[CardType], picked: Sequence[CardType], seat: int, rng: np.random.Generator) -> int:
        """Return the index of the card to take, given the earlier picks."""
        ...


def strategy_named(name: str) -> Strategy:
    """Return the strategy of a name."""
    if name not in STRATEGIES:
        raise UnknownNameError("draft strategy", name, STRATEGIES)
    return STRATEGIES[name]


def construct(cards: Sequence[CardType], strategy: str, rng: np.random.Generator) -> list[int]:
    """Return a deck of 30 card numbers, at most two copies of a card, in the order chosen."""
    if strategy not in CONSTRUCTIONS:
        raise UnknownNameError("deck construction", strategy, CONSTRUCTIONS)
    if len(cards) * MOST_COPIES < DECK_SIZE:
        least = DECK_SIZE // MOST_COPIES
        raise InvalidParameterError(f"the card set has {len(cards)} cards; expected at least {least} for a deck.")
    scores = CONSTRUCTIONS[strategy]
    left = {card.number: MOST_COPIES for card in cards}
    chosen: list[CardType] = []
    while len(chosen) < DECK_SIZE:
        allowed = [card for card in cards if left[card.number]]
        best = _first_best(scores(allowed, chosen, rng))
        chosen.append(allowed[best])
        left[allowed[best].number] -= 1
    return [card.number for card in chosen]


# ----------------------------------------------------------------------------------------- the value of a card

_ABILITY_WORTH = (0.5, 1.0, 1.0, 1.0, 3.0, 2.0)
_ITEM_ABILITY_SHARE = 0.3
"""Abilities on items count less: the target may already have the ability, or may not have it to lose."""
_MOST_WORTH = 8
"""More attack or defense than this counts no more: creatures rarely have more to lose."""
_HP_WORTH, _DRAW_WORTH, _MANA_WORTH = 0.5, 2.0, 1.5
_AREA_WORTH = (1.0, 1.4, 1.6)


def card_value(card: CardType) -> float:
    """Return what a card's numbers are worth above its cost, by a formula of our own with round numbers.

    A point of attack or defense counts 1 (with the sign that helps the player, at most 8), an ability by how often it
    decides a fight, a drawn card 2, a point of health 0.5, a point of mana -1.5; an area multiplies the sum.
    """
    sign = -1 if card.kind in (CardKind.RED, CardKind.BLUE) else 1
    abilities = sum(worth for ability, worth in zip(Ability, _ABILITY_WORTH, strict=True) if card.has(ability))
    if not card.is_creature:
        abilities *= _ITEM_ABILITY_SHARE
    stats = min(_MOST_WORTH, sign * card.attack) + min(_MOST_WORTH, sign * card.defense)
    effects = _HP_WORTH * (card.player_hp - card.enemy_hp) + _DRAW_WORTH * card.card_draw
    return (stats + abilities + effects) * _AREA_WORTH[card.area] - _MANA_WORTH * card.cost


def _score(card: CardType) -> DraftScore:
    if card.number not in draft_scores():
        raise InvalidParameterError(
            f"card {card.number} ({card.name}) has no draft score; expected a card of the 160, or another strategy."
        )
    return draft_scores()[card.number]


def coac_rank(card: CardType, seat: int) -> int:
    """Return the card's rank in the list of the CEC 2019 winner; 1 is best."""
    return _score(card).coac_second if seat else _score(card).coac_first


# --------------------------------------------------------------------------------------------------- strategies


@dataclass(frozen=True)
class HighestScore:
    """Picks the card with the highest score, the first of equals."""

    score: Callable[[CardType, Sequence[CardType], int], float]

    def pick(self, offered: Sequence[CardType], picked: Sequence[CardType], seat: int, rng: np.random.Generator) -> int:
        """Return the index of the card with the highest score."""
        return _first_best([self.score(card, picked, seat) for card in offered])


class RandomPick:
    """Picks any card with equal probability."""

    def pick(self, offered: Sequence[CardType], picked: Sequence[CardType], seat: int, rng: np.random.Generator) -> int:
        """Return a random index."""
        return int(rng.integers(len(offered)))


@dataclass(frozen=True)
class WantedGroups:
    """The strategy of the CEC 2019 runner-up (``uji2``): random, weighted by how much each card's group lacks."""

    wanted: tuple[int, ...] = (5, 4, 4, 3, 3, 3, 2, 2, 2, 2)
    """Wanted cards of each group: creatures of cost 0-1, 2, …, 6, 7+, then green, red and blue items."""

    def weights(self, offered: Sequence[CardType], picked: Sequence[CardType]) -> list[int]:
        """Return the weight of each card; Guards have a large bonus."""
        have = Counter(group(card) for card in picked)
        lacking = (self.wanted[group(card)] - have[group(card)] + _guard_bonus(card) for card in offered)
        return [max(0, weight) for weight in lacking]

    def pick(self, offered: Sequence[CardType], picked: Sequence[CardType], seat: int, rng: np.random.Generator) -> int:
        """Return an index with probability proportional to its weight; uniform if no group lacks a card."""
        weights = self.weights(offered, picked)
        if not any(weights):
            return int(rng.integers(len(offered)))
        threshold = int(rng.integers(sum(weights)))
        for index, weight in enumerate(weights):
            threshold -= weight
            if threshold < 0:
                return index
        raise AssertionError("a threshold below the sum of the weights falls into one of them")


@dataclass(frozen=True)
class Combined:
    """The paper's third strategy: fill the groups evenly; the first strategy's ranking breaks ties."""

    wanted: tuple[int, ...] = (5, 4, 4, 3, 3, 3, 2, 2, 2, 1)

    def pick(self, offered: Sequence[CardType], picked: Sequence[CardType], seat: int, rng: np.random.Generator) -> int:
        """Return the index of the card of the emptiest group.

        If two groups are equally full, the better ranked of their cards is taken even if the third card's group is
        emptier, as in the original. The ranking is always that of the first player.
        """
        have = Counter(group(card) for card in picked)
        fullness = [have[group(card)] / self.wanted[group(card)] for card in offered]
        tied = [index for index, full in enumerate(fullness) if fullness.count(full) > 1]
        if not tied:
            return fullness.index(min(fullness))
        return min(tied, key=lambda index: coac_rank(offered[index], seat=0))


CREATURE_GROUPS = 7


def group(card: CardType) -> int:
    """Return the group of a card: creatures of cost 0-1, 2, …, 6, 7+ (0 to 6), green (7), red (8), blue (9) items."""
    if card.is_creature:
        return curve_group(card)
    return CREATURE_GROUPS - 1 + card.kind


def curve_group(card: CardType) -> int:
    """Return the group of a card's cost: 0-1, 2, …, 6, 7+."""
    return min(max(card.cost, 1), CREATURE_GROUPS) - 1


def _guard_bonus(card: CardType) -> int:
    return _GUARD_BONUS if card.is_creature and card.has(Ability.GUARD) else 0


_GUARD_BONUS = 6
_UJI1_WANTED = (5, 5, 3, 3, 3, 4, 4)
_UJI1_WANTED_RED = 3
_UJI1_FAVOURITE, _UJI1_FAVOURITE_SCORE, _UJI1_REFUSED = 151, 100, -100


def _uji1_score(card: CardType, picked: Sequence[CardType], seat: int) -> float:
    """Score a card by ``uji1``, the deterministic version of ``uji2``."""
    if card.number == _UJI1_FAVOURITE:
        return _UJI1_FAVOURITE_SCORE
    if card.kind in (CardKind.GREEN, CardKind.BLUE):
        return _UJI1_REFUSED
    have = Counter(group(other) for other in picked)
    if card.kind == CardKind.RED:
        # The original subtracts the number of expensive creatures here instead of that of red items.
        return _UJI1_WANTED_RED - have[CREATURE_GROUPS - 1]
    return _UJI1_WANTED[group(card)] - have[group(card)] + _guard_bonus(card)


CURVE = (3, 6, 6, 5, 4, 3, 3)
"""Wanted cards of cost 0-1, 2, …, 6, 7+ in a deck."""


def _curve_scores(cards: Sequence[CardType], picked: Sequence[CardType]) -> list[float]:
    """Score cards by how many cards of their cost are missing, plus their value."""
    have = Counter(curve_group(card) for card in picked)
    return [CURVE[curve_group(card)] - have[curve_group(card)] + card_value(card) for card in cards]


def _attack_score(card: CardType) -> float:
    return card.attack if card.is_creature else -1


class FirstGuard:
    """The draft of the referee's example bot: the first Guard creature after the first card, else the first card."""

    def pick(self, offered: Sequence[CardType], picked: Sequence[CardType], seat: int, rng: np.random.Generator) -> int:
        """Return 1 or 2 for a Guard there, else 0."""
        guards = (index for index, card in enumerate(offered) if index and _guard_bonus(card))
        return next(guards, 0)


STRATEGIES: Mapping[str, Strategy] = {
    "coac": HighestScore(lambda card, picked, seat: -coac_rank(card, seat)),
    "uji2": WantedGroups(),
    "combined": Combined(),
    "uji1": HighestScore(_uji1_score),
    "random": RandomPick(),
    "mana-curve": HighestScore(lambda card, picked, seat: _curve_scores([card], picked)[0]),
    "closet": HighestScore(lambda card, picked, seat: _score(card).closet),
    "closet-ported": HighestScore(lambda card, picked, seat: _score(card).closet_ported),
    "icebox": HighestScore(lambda card, picked, seat: _score(card).icebox),
    "max-attack": HighestScore(lambda card, picked, seat: _attack_score(card)),
    "baseline1": FirstGuard(),
    "learned": Learned(),
}
PAPER_STRATEGIES = ("coac", "uji2", "combined")
"""The paper's strategies 1, 2 and 3."""

CONSTRUCTIONS: Mapping[str, Callable[[Sequence[CardType], Sequence[CardType], np.random.Generator], list[float]]] = {
    "random": lambda cards, chosen, rng: [rng.random() for _ in cards],
    "mana-curve": lambda cards, chosen, rng: _curve_scores(cards, chosen),
    "max-attack": lambda cards, chosen, rng: [_attack_score(card) for card in cards],
    "value": lambda cards, chosen, rng: [card_value(card) for card in cards],
}
"""Scores of the cards that may be added to a deck, given the cards chosen so far."""


def _first_best(scores: Sequence[float]) -> int:
    return max(range(len(scores)), key=scores.__getitem__)
