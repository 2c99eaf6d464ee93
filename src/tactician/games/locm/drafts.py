"""Before the battle: the draft of version 1.2, the constructed decks of version 1.5, and shuffling.

Offers and shuffles come from the referee's random streams, so that a seed gives the same triplets and deck orders as
in the official referee. Which cards are picked is decided by ``strategies``.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from tactician.errors import InvalidParameterError, short
from tactician.games.locm import cards as card_tables
from tactician.games.locm.cards import DECK_SIZE, OFFERED, CardType
from tactician.games.locm.java_random import JavaRandom
from tactician.games.locm.strategies import CONSTRUCTIONS, STRATEGIES, Strategy, construct, strategy_named

__all__ = [
    "CONSTRUCTIONS",
    "STRATEGIES",
    "DeckCard",
    "Draft",
    "Picks",
    "Strategy",
    "construct",
    "constructed_deck",
    "draft_from_ids",
    "draft_from_seed",
    "drafted_deck",
    "instance_id",
    "play_draft",
    "shuffled",
    "strategy_named",
]

POOL_SIZE = 60
DRAFT_TURNS = DECK_SIZE
_ID_STEP = 2


@dataclass(frozen=True)
class Draft:
    """The cards that both players are offered."""

    pool: tuple[int, ...]
    """The card numbers that offers are drawn from, in the order drawn; empty if the triplets were given."""
    triplets: tuple[tuple[int, ...], ...]
    """Three card numbers for each of the 30 turns."""


class Picks(NamedTuple):
    """The cards that a player picked."""

    indices: tuple[int, ...]
    """The index (0, 1 or 2) picked in each turn."""
    numbers: tuple[int, ...]
    """The card numbers, in the order picked."""


class DeckCard(NamedTuple):
    """A copy of a card in a deck."""

    instance: int
    number: int


def draft_from_seed(seed: int, cards: Sequence[CardType] | None = None) -> Draft:
    """Return the draft of a seed, from the 160 cards or from the given ones."""
    table = card_tables.CARDS if cards is None else cards
    if len(table) < POOL_SIZE:
        raise InvalidParameterError(f"the card set has {len(table)} cards; expected at least {POOL_SIZE} for a draft.")
    stream = JavaRandom(seed)
    pool: list[int] = []
    for _ in range(POOL_SIZE):
        pool.append(_drawn_apart(stream, [card.number for card in table], pool))
    triplets = []
    for _ in range(DRAFT_TURNS):
        triplet: list[int] = []
        for _ in range(OFFERED):
            triplet.append(_drawn_apart(stream, pool, triplet))
        triplets.append(tuple(triplet))
    return Draft(tuple(pool), tuple(triplets))


def draft_from_ids(ids: str | Sequence[Sequence[int]], cards: Sequence[CardType] | None = None) -> Draft:
    """Return a draft with 30 given triplets, or with the referee's text such as ``1_2_3,4_5_6,…``."""
    table = card_tables.CARDS if cards is None else cards
    known = {card.number for card in table}
    rows: Sequence[Sequence[object]] = (
        [row.replace("_", " ").split() for row in ids.split(",")] if isinstance(ids, str) else ids
    )
    if len(rows) != DRAFT_TURNS:
        raise InvalidParameterError(f"predefined draft has {len(rows)} triplets; expected {DRAFT_TURNS}.")
    triplets = []
    for turn, row in enumerate(rows, 1):
        try:
            triplet = tuple(int(str(number)) for number in row)
        except ValueError:
            triplet = ()
        if len(triplet) != OFFERED or not known.issuperset(triplet):
            raise InvalidParameterError(
                f"predefined draft, turn {turn} is {short(list(row))}; expected {OFFERED} card numbers of the card set."
            )
        triplets.append(triplet)
    return Draft((), tuple(triplets))


def play_draft(
    draft: Draft,
    strategies: Sequence[Strategy],
    rng: np.random.Generator,
    cards: Sequence[CardType] | None = None,
) -> tuple[Picks, ...]:
    """Return the picks of each strategy, the first on seat 0; strategies don't see each other's picks."""
    by_number = {card.number: card for card in (card_tables.CARDS if cards is None else cards)}
    picks = []
    for seat, strategy in enumerate(strategies):
        indices: list[int] = []
        picked: list[CardType] = []
        for triplet in draft.triplets:
            offered = [by_number[number] for number in triplet]
            indices.append(strategy.pick(offered, picked, seat, rng))
            picked.append(offered[indices[-1]])
        picks.append(Picks(tuple(indices), tuple(card.number for card in picked)))
    return tuple(picks)


def picks_option(seat: int, numbers: Sequence[int]) -> dict[str, list[Sequence[int] | None]]:
    """The option of an initial state that says what one seat has picked; the other seat's picks are left open."""
    return {"picks": [numbers if number == seat else None for number in range(2)]}


def shuffled(numbers: Sequence[int], seed: int) -> tuple[int, ...]:
    """Return the cards in draw order: the first is on top."""
    deck = list(numbers)
    JavaRandom(seed).shuffle(deck)
    return tuple(deck)


def instance_id(position: int, seat: int) -> int:
    """Return the instance id (version 1.2) of the card at a position of the shuffled deck."""
    return _ID_STEP * position + seat + 1


def drafted_deck(numbers: Sequence[int], seat: int, seed: int) -> tuple[DeckCard, ...]:
    """Return the deck of version 1.2 in draw order: ids rise in draw order, odd for seat 0, even for seat 1."""
    order = enumerate(shuffled(numbers, seed))
    return tuple(DeckCard(instance_id(position, seat), number) for position, number in order)


def constructed_deck(numbers: Sequence[int], seat: int, seed: int) -> tuple[DeckCard, ...]:
    """Return the deck of version 1.5 in draw order: ids rise in the order of choosing, before shuffling.

    Every second id stays free for the copy of a creature with an area.
    """
    first = seat * _ID_STEP * DECK_SIZE
    deck = [DeckCard(first + _ID_STEP * place, number) for place, number in enumerate(numbers)]
    JavaRandom(seed).shuffle(deck)
    return tuple(deck)


def _drawn_apart(stream: JavaRandom, numbers: Sequence[int], taken: Sequence[int]) -> int:
    """Return a random number that is not in `taken`, drawing again until it is new."""
    while True:
        number = numbers[stream.next_int(len(numbers))]
        if number not in taken:
            return number
