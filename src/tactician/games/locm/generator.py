"""Generate the 120 cards of version 1.5 from a seed, and derive the seeds of a game from the referee's seed.

A card's mana cost is its budget. Its properties are bought one after the other, in an order that is shuffled for every
card; the rest of the budget becomes attack and defense.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import NamedTuple, TypeVar

from tactician.games.locm.cards import (
    ABILITY_LETTERS,
    EVERYWHERE,
    KIND_NAMES,
    SAME_LANE,
    TARGET,
    CardKind,
    CardType,
)
from tactician.games.locm.java_random import JavaRandom

T = TypeVar("T")

GENERATED_CARDS = 120


class DraftSeeds(NamedTuple):
    """The seeds of the three random streams of version 1.2."""

    draft: int
    shuffle_0: int
    shuffle_1: int


class ConstructedSeeds(NamedTuple):
    """The seeds of the four random streams of version 1.5."""

    cards: int
    choices: int
    """Without effect: all generated cards are offered, sorted."""
    shuffle_0: int
    shuffle_1: int


def draft_seeds(master: int) -> DraftSeeds:
    """Return the seeds of a game of version 1.2 from the referee's seed."""
    stream = JavaRandom(master)
    return DraftSeeds(stream.next_long(), stream.next_long(), stream.next_long())


def constructed_seeds(master: int) -> ConstructedSeeds:
    """Return the seeds of a game of version 1.5 from the referee's seed."""
    stream = JavaRandom(master)
    return ConstructedSeeds(stream.next_long(), stream.next_long(), stream.next_long(), stream.next_long())


def generate_cards(seed: int) -> tuple[CardType, ...]:
    """Return the 120 cards of a game of version 1.5, numbered from 0 by rising cost."""
    streams = _Streams(JavaRandom(seed))
    order = list(_PROPERTIES)
    made = sorted((_make_card(streams, order) for _ in range(GENERATED_CARDS)), key=lambda card: card.cost)
    return tuple(
        replace(card, number=number, name=f"{KIND_NAMES[card.kind]} {number}") for number, card in enumerate(made)
    )


# ----------------------------------------------------------------------------------------------------- options


class _Price(NamedTuple):
    """What is left of a budget: ``factor`` × budget - ``fee``."""

    factor: float = 1.0
    fee: int = 0


_FREE = _Price()
_KIND_WEIGHTS = ((CardKind.CREATURE, 0.4), (CardKind.GREEN, 0.2), (CardKind.RED, 0.2), (CardKind.BLUE, 0.2))
_COST_WEIGHTS = tuple((cost, 0.1) for cost in range(13))
_AREA_WEIGHTS = ((TARGET, 50.0), (SAME_LANE, 25.0), (EVERYWHERE, 25.0))
_AREA_PRICES = {TARGET: _FREE, SAME_LANE: _Price(factor=0.7), EVERYWHERE: _Price(factor=0.6)}
_KEYWORD_COUNT_WEIGHTS = ((0, 10.0), (1, 5.0), (2, 3.0), (3, 2.0), (4, 1.0), (5, 1.0), (6, 1.0))
_KEYWORD_WEIGHTS = tuple((bit, 1.0) for bit in range(len(ABILITY_LETTERS)))
_KEYWORD_PRICE = _Price(fee=1)
_DRAW_WEIGHTS = ((0, 100.0), (1, 50.0), (2, 25.0), (3, 25.0), (4, 5.0))
_DRAW_PRICES = {0: _FREE, 1: _FREE, 2: _Price(fee=1), 3: _Price(fee=1), 4: _Price(fee=2)}
_HEALTH_WEIGHTS = ((0, 100.0), (1, 50.0), (2, 25.0), (3, 25.0))
_HEALTH_PRICES = {0: _FREE, 1: _FREE, 2: _Price(fee=1), 3: _Price(fee=1)}
_PROPERTIES = ("area", "keywords", "draw", "own health", "enemy health")
_BASE_STAT, _STAT_SPREAD = 1, 2
"""Attack and defense are the rest of the budget + 1, plus a random share of 2."""


def _weighted(options: Sequence[tuple[T, float]], stream: JavaRandom) -> T:
    """Choose an option at random; as in the referee, options of small weight are scanned first."""
    options = sorted(options, key=lambda option: option[1])
    rest = stream.next_double() * math.fsum(weight for _, weight in options)
    for option, weight in options:
        rest -= weight
        if rest <= 0:
            return option
    return options[-1][0]


# -------------------------------------------------------------------------------------------------- one card


class _Streams:
    """One random stream for each decision, so that a change of one list of options affects no other decision."""

    def __init__(self, source: JavaRandom) -> None:
        def stream() -> JavaRandom:
            return JavaRandom(source.next_int())

        self.kind = stream()
        self.cost = stream()
        self.area = stream()
        self.order = stream()
        self.keyword_count = stream()
        self.keyword = stream()
        self.draw = stream()
        self.own_health = stream()
        self.enemy_health = stream()
        self.attack = stream()
        self.defense = stream()


@dataclass
class _Purse:
    """What is left of a card's budget."""

    budget: float

    def pays(self, price: _Price) -> bool:
        """Pay a price and return True, or return False if the budget is too small."""
        left = self.budget * price.factor - price.fee
        if left < 0:
            return False
        self.budget = left
        return True

    def buy(self, options: Sequence[tuple[int, float]], prices: Mapping[int, _Price], stream: JavaRandom) -> int:
        """Choose an option at random; return 0 if the budget is too small for it."""
        option = _weighted(options, stream)
        return option if self.pays(prices[option]) else 0


def _make_card(streams: _Streams, order: list[str]) -> CardType:
    kind = _weighted(_KIND_WEIGHTS, streams.kind)
    cost = _weighted(_COST_WEIGHTS, streams.cost)
    purse = _Purse(float(cost))
    area = abilities = draw = own_health = enemy_health = 0
    streams.order.shuffle(order)
    for prop in order:
        if prop == "area":
            area = purse.buy(_AREA_WEIGHTS, _AREA_PRICES, streams.area)
        elif prop == "keywords":
            abilities = _buy_keywords(kind, purse, streams)
        elif prop == "draw":
            draw = purse.buy(_DRAW_WEIGHTS, _DRAW_PRICES, streams.draw)
        elif prop == "own health":
            own_health = purse.buy(_HEALTH_WEIGHTS, _HEALTH_PRICES, streams.own_health)
        else:
            enemy_health = purse.buy(_HEALTH_WEIGHTS, _HEALTH_PRICES, streams.enemy_health)
    attack, defense = (
        max(0, int(purse.budget + _BASE_STAT + _STAT_SPREAD * stream.next_double()))
        for stream in (streams.attack, streams.defense)
    )
    if kind == CardKind.CREATURE:
        defense = max(1, defense)
    elif kind == CardKind.BLUE:
        attack = 0
    sign = -1 if kind in (CardKind.RED, CardKind.BLUE) else 1
    return CardType(
        number=0,
        name="",
        kind=kind,
        cost=cost,
        attack=sign * attack,
        defense=sign * defense,
        abilities=abilities,
        player_hp=own_health,
        enemy_hp=-enemy_health,
        card_draw=draw,
        area=area,
    )


def _buy_keywords(kind: CardKind, purse: _Purse, streams: _Streams) -> int:
    """Buy abilities until the budget is too small for one; return their mask. Blue items have none."""
    if kind == CardKind.BLUE:
        return 0
    mask = 0
    for _ in range(_weighted(_KEYWORD_COUNT_WEIGHTS, streams.keyword_count)):
        bit = _weighted([option for option in _KEYWORD_WEIGHTS if not mask >> option[0] & 1], streams.keyword)
        if not purse.pays(_KEYWORD_PRICE):
            break
        mask |= 1 << bit
    return mask
