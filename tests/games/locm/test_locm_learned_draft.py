"""The draft that was learned: what a card adds to a deck, and the file that comes with the game."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Sequence

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tactician.errors import InvalidParameterError
from tactician.games.locm.cards import CARDS, DECK_SIZE, CardType
from tactician.games.locm.learned_draft import COUNTED, LearnedDraft, counts_of, learned_draft

BY_NUMBER = {card.number: card for card in CARDS}
decks = st.lists(st.sampled_from(CARDS), max_size=DECK_SIZE - 1)
offers = st.lists(st.sampled_from(CARDS), min_size=3, max_size=3)


def value(draft: LearnedDraft, deck: Sequence[CardType], seat: int) -> float:
    """What a deck is worth in the end, written out: its cards, and usual picks for those that are missing."""
    missing = DECK_SIZE - len(deck)
    total = sum(draft.worth[card.number][seat] for card in deck)
    for place, (crowding, usual) in enumerate(zip(draft.crowding, draft.usual, strict=True)):
        count = sum(counts_of(card)[place] for card in deck) + missing * usual
        total -= crowding * count**2
    return total


@given(picked=decks, offered=offers, seat=st.sampled_from((0, 1)))
def test_a_score_is_what_the_card_adds_to_the_deck_expected_in_the_end(
    picked: list[CardType], offered: list[CardType], seat: int
) -> None:
    draft = learned_draft()
    scores, values = draft.scores(offered, picked, seat), [value(draft, [*picked, card], seat) for card in offered]
    for one, other in zip(range(3), (1, 2, 0), strict=True):
        assert scores[one] - scores[other] == pytest.approx(values[one] - values[other], abs=1e-9)
    taken = draft.pick(offered, picked, seat, np.random.default_rng(0))
    assert scores[taken] == max(scores)


@given(st.sampled_from(CARDS))
def test_every_card_is_counted_once_among_the_kinds_and_by_its_cost(card: CardType) -> None:
    counts = dict(zip(COUNTED, counts_of(card), strict=True))
    assert counts.pop("mana") == card.cost
    assert counts.pop("creatures") == card.is_creature
    assert sum(counts.values()) == 1


def test_groups_are_named_by_what_they_hold() -> None:
    def group(number: int) -> str:
        return COUNTED[counts_of(BY_NUMBER[number]).index(1.0)]

    cheap_item, dear_item = (
        next(card.number for card in CARDS if not card.is_creature and (card.cost > 2) == dear)
        for dear in (False, True)
    )
    assert group(cheap_item) == "items up to cost 2"
    assert group(dear_item) == "items above cost 2"
    for cost, name in ((0, "cost 0-1"), (1, "cost 0-1"), (4, "cost 4"), (7, "cost 7+"), (12, "cost 7+")):
        assert group(next(card.number for card in CARDS if card.is_creature and card.cost == cost)) == name


def test_a_deck_that_has_plenty_of_a_kind_wants_less_of_it() -> None:
    three = next(card for card in CARDS if card.is_creature and card.cost == 3)
    five = next(card for card in CARDS if card.is_creature and card.cost == 5)
    crowding = [1.0 if name == "cost 3" else 0.0 for name in COUNTED]
    draft = LearnedDraft({card.number: (0.0, 0.0) for card in CARDS}, crowding, [0.0] * len(COUNTED))
    for have in (0, 1, 4):
        assert draft.scores([three, five], [three] * have, 0) == [-(2 * have + 1), 0.0]


def test_the_file_has_all_cards_and_is_written_as_it_was_read() -> None:
    draft = learned_draft()
    assert set(draft.worth) == set(BY_NUMBER)
    assert LearnedDraft.from_json(draft.to_json()) == draft
    cards = draft.usual[COUNTED.index("creatures")] + sum(
        draft.usual[COUNTED.index(name)] for name in COUNTED if name.startswith("items")
    )
    assert cards == pytest.approx(1, abs=1e-4)


def test_a_card_that_was_never_seen_is_refused() -> None:
    draft = LearnedDraft({}, [0.0] * len(COUNTED), [0.0] * len(COUNTED))
    with pytest.raises(InvalidParameterError, match=r"card 1 \(.*\) has no learned worth; expected one of the 160"):
        draft.scores([BY_NUMBER[1]], [], 0)


def test_a_pick_needs_no_numpy() -> None:
    """The bot answers the draft before anything heavy is loaded."""
    script = """
import sys
from tactician.games.locm.cards import CARDS
from tactician.games.locm.strategies import STRATEGIES
assert STRATEGIES["learned"].pick(CARDS[:3], CARDS[5:9], 1, None) in (0, 1, 2)
assert "numpy" not in sys.modules
"""
    subprocess.run([sys.executable, "-c", script], check=True)
