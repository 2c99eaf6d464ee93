"""Decks for matches without a draft: the paper's 300 ordered decks with their sets of twelve games, and deck files."""

from __future__ import annotations

import itertools
import json
import re
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from tactician.errors import InvalidParameterError, short
from tactician.games.locm import cards as card_tables
from tactician.games.locm.cards import DECK_SIZE, CardType
from tactician.games.locm.drafts import draft_from_seed, play_draft, shuffled
from tactician.games.locm.strategies import PAPER_STRATEGIES, strategy_named

Deck = tuple[int, ...]
"""Card numbers in draw order."""
PaperDecks = tuple[tuple[tuple[Deck, ...], ...], ...]
"""Decks by draft, strategy and order."""

DRAFTS = 10
ORDERS = 10


def paper_decks(seed: int, drafts: int = DRAFTS, orders: int = ORDERS) -> PaperDecks:
    """Return ``decks[d][i][o]``: draft d, picked by the paper's strategy i, in shuffled order o.

    The strategies pick as the first player. Draft d does not depend on the number of drafts and orders.
    """
    if drafts < 1 or orders < 1:
        raise InvalidParameterError(f"{drafts} drafts with {orders} orders; expected at least one of each.")
    return tuple(_decks_of_draft(np.random.SeedSequence((seed, number)), orders) for number in range(drafts))


@dataclass(frozen=True)
class SetGame:
    """One of the twelve games of a set; the programs that play are numbered 0 and 1."""

    draft: int
    order: int
    first_deck: int
    """The strategy (0 to 2) that picked the first player's deck."""
    second_deck: int
    first_program: int
    """The program on the first seat."""

    def decks(self, decks: PaperDecks) -> tuple[Deck, Deck]:
        """Return the decks of the first and the second player."""
        drafted = decks[self.draft]
        return drafted[self.first_deck][self.order], drafted[self.second_deck][self.order]

    def deck_of(self, program: int) -> int:
        """Return the strategy that picked a program's deck."""
        return self.first_deck if program == self.first_program else self.second_deck


def sets(drafts: int = DRAFTS, orders: int = ORDERS) -> tuple[tuple[SetGame, ...], ...]:
    """Return the sets of a match, draft by draft and order by order.

    A set is the six ordered pairs of different decks, each played with either program as first player.
    """
    pairs = list(itertools.permutations(range(len(PAPER_STRATEGIES)), 2))
    return tuple(
        tuple(SetGame(draft, order, first, second, program) for first, second in pairs for program in (0, 1))
        for draft in range(drafts)
        for order in range(orders)
    )


def read_deck(path: str | Path, cards: Sequence[CardType] | None = None) -> Deck:
    """Read a deck from a file: a JSON list, or one card number on each line (``#`` starts a comment)."""
    name = f"deck file {str(path)!r}"
    try:
        text = Path(path).read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        raise InvalidParameterError(f"{name} can't be read: {error}.") from None
    entries = _json_entries(text, name) if text.lstrip().startswith(("[", "{", '"')) else _line_entries(text)
    table = card_tables.CARDS if cards is None else cards
    known = {card.number for card in table}
    numbers = []
    for entry in entries:
        if not isinstance(entry, int) or isinstance(entry, bool):
            raise InvalidParameterError(f"{name} has {short(entry)}; expected {DECK_SIZE} card numbers.")
        if entry not in known:
            raise InvalidParameterError(
                f"{name} has card number {entry}; expected numbers from {min(known)} to {max(known)} of the card set."
            )
        numbers.append(entry)
    if len(numbers) != DECK_SIZE:
        raise InvalidParameterError(f"{name} has {len(numbers)} cards; expected {DECK_SIZE}.")
    return tuple(numbers)


def write_deck(path: str | Path, deck: Sequence[int]) -> None:
    """Write a deck as a JSON list, which ``read_deck`` reads."""
    try:
        Path(path).write_text(json.dumps([int(number) for number in deck]) + "\n", encoding="utf-8")
    except OSError as error:
        raise InvalidParameterError(f"deck file {str(path)!r} can't be written: {error}.") from None


def _decks_of_draft(source: np.random.SeedSequence, orders: int) -> tuple[tuple[Deck, ...], ...]:
    draft_source, *deck_sources = source.spawn(1 + len(PAPER_STRATEGIES))
    draft = draft_from_seed(_java_seeds(draft_source, 1)[0])
    decks = []
    for name, deck_source in zip(PAPER_STRATEGIES, deck_sources, strict=True):
        pick_source, shuffle_source = deck_source.spawn(2)
        (picks,) = play_draft(draft, [strategy_named(name)], np.random.default_rng(pick_source))
        decks.append(tuple(shuffled(picks.numbers, seed) for seed in _java_seeds(shuffle_source, orders)))
    return tuple(decks)


def _java_seeds(source: np.random.SeedSequence, count: int) -> list[int]:
    return [int(word) for word in source.generate_state(count, np.uint64)]


def _json_entries(text: str, name: str) -> Sequence[object]:
    try:
        entries = json.loads(text)
    except (ValueError, RecursionError) as error:
        raise InvalidParameterError(f"{name} is not valid JSON: {error}.") from None
    if not isinstance(entries, list):
        raise InvalidParameterError(f"{name} has {short(entries)}; expected a list of {DECK_SIZE} card numbers.")
    return entries


def _line_entries(text: str) -> Sequence[object]:
    words = (line.partition("#")[0].strip() for line in text.splitlines())
    return [int(word) if _NUMBER.fullmatch(word) else word for word in words if word]


_NUMBER = re.compile(r"[+-]?[0-9]{1,9}")
