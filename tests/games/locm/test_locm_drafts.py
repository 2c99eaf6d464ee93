"""Drafts, draft strategies and decks."""

from __future__ import annotations

import gzip
import json
from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tactician.errors import InvalidParameterError, UnknownNameError
from tactician.games.locm.cards import CARDS, Ability, CardType, draft_scores
from tactician.games.locm.decks import SetGame, paper_decks, read_deck, sets, write_deck
from tactician.games.locm.drafts import (
    CONSTRUCTIONS,
    STRATEGIES,
    construct,
    constructed_deck,
    draft_from_ids,
    draft_from_seed,
    drafted_deck,
    play_draft,
    shuffled,
    strategy_named,
)
from tactician.games.locm.generator import generate_cards
from tactician.games.locm.strategies import PAPER_STRATEGIES, WantedGroups, group

RECORDED = Path(__file__).parents[2] / "conformance" / "locm"
BY_NUMBER = {card.number: card for card in CARDS}


def config_of(path: Path) -> Any:
    with gzip.open(path, "rt", encoding="utf-8") as file:
        return json.loads(file.readline())


def some(*numbers: int) -> list[CardType]:
    return [BY_NUMBER[number] for number in numbers]


def picked_by(name: str, offered: Sequence[int], picked: Sequence[int] = (), seat: int = 0, seed: int = 1) -> int:
    """The number of the card that a strategy takes."""
    index = strategy_named(name).pick(some(*offered), some(*picked), seat, np.random.default_rng(seed))
    return offered[index]


def creature(cost: int, guard: bool = False, skip: int = 0) -> int:
    """The number of a creature of that cost."""
    found = [c for c in CARDS if c.is_creature and c.cost == cost and c.has(Ability.GUARD) == guard]
    return found[skip].number


# -- the referee's draft ---------------------------------------------------------------------------------------


@pytest.mark.parametrize("path", sorted(RECORDED.glob("locm12_*.gz")), ids=lambda path: path.name[:10])
def test_a_draft_seed_and_shuffle_seeds_give_the_recorded_game(path: Path) -> None:
    config = config_of(path)
    seeds = {name: int(value) for name, value in config["seeds"].items()}
    draft = draft_from_seed(seeds["draftChoicesSeed"])
    assert list(draft.pool) == config["pool"]
    assert [list(triplet) for triplet in draft.triplets] == config["draft"]
    for seat, picked in enumerate(config["picked"]):
        deck = drafted_deck(picked, seat, seeds[f"shufflePlayer{seat}Seed"])
        assert [card.number for card in deck] == config["decks"][seat]
        assert [card.instance for card in deck] == list(range(seat + 1, 61, 2))


@pytest.mark.parametrize("path", sorted((RECORDED / "v15").glob("*.gz")), ids=lambda path: path.name[:10])
def test_constructed_decks_are_shuffled_as_recorded(path: Path) -> None:
    config = config_of(path)
    for seat, line in enumerate(config["choices"]):
        chosen = [int(piece.split()[1]) for piece in line.split(";")]
        deck = constructed_deck(chosen, seat, int(config["seeds"][f"shufflePlayer{seat}Seed"]))
        assert [list(card) for card in deck] == config["decks"][seat]


def test_predefined_triplets_are_used_as_given() -> None:
    rows = [[1, 1, 2]] * 30
    assert draft_from_ids(rows).triplets == ((1, 1, 2),) * 30
    assert draft_from_ids(",".join(["1_1_2"] * 30)) == draft_from_ids(rows)


@pytest.mark.parametrize(
    ("ids", "message"),
    [
        ([[1, 2, 3]] * 29, "has 29 triplets; expected 30"),
        ([[1, 2, 3]] * 29 + [[1, 2]], "turn 30 is .*expected 3 card numbers"),
        ([[1, 2, 161]] * 30, "turn 1 is .*expected 3 card numbers of the card set"),
        (",".join(["1_2_x"] * 30), "turn 1 is .*expected 3 card numbers"),
    ],
)
def test_bad_predefined_triplets_are_refused(ids: Any, message: str) -> None:
    with pytest.raises(InvalidParameterError, match=message):
        draft_from_ids(ids)


def test_a_small_card_set_makes_no_draft() -> None:
    with pytest.raises(InvalidParameterError, match="has 59 cards; expected at least 60"):
        draft_from_seed(1, CARDS[:59])


@settings(max_examples=20)
@given(st.integers(-(2**63), 2**63 - 1))
def test_triplets_are_distinct_and_from_the_pool(seed: int) -> None:
    draft = draft_from_seed(seed)
    assert len(set(draft.pool)) == 60
    assert len(draft.triplets) == 30
    assert all(len(set(triplet)) == 3 and set(triplet) <= set(draft.pool) for triplet in draft.triplets)


# -- strategies ------------------------------------------------------------------------------------------------


def test_coac_takes_the_best_rank_of_its_seat() -> None:
    assert picked_by("coac", (143, 68, 7)) == 68
    differing = [n for n, score in draft_scores().items() if score.coac_first != score.coac_second]
    pairs = [(a, b) for a in differing for b in differing if a < b]
    choices = {(pair, seat): picked_by("coac", (*pair, 140), seat=seat) for pair in pairs for seat in (0, 1)}
    assert any(choices[pair, 0] != choices[pair, 1] for pair in pairs)


def test_uji2_weighs_by_what_a_group_lacks() -> None:
    cheap, guard, dear = creature(1), creature(4, guard=True), creature(9)
    strategy = WantedGroups()
    assert strategy.weights(some(cheap, guard, dear), []) == [5, 3 + 6, 2]
    assert strategy.weights(some(cheap, guard, dear), some(dear, dear, dear, cheap)) == [4, 9, 0]
    blue = 160
    taken = Counter(picked_by("uji2", (dear, blue, cheap), [dear, dear, blue, blue], seed=seed) for seed in range(30))
    assert taken == {cheap: 30}
    full = Counter(picked_by("uji2", (dear, 159, blue), [dear, dear, blue, blue], seed=seed) for seed in range(60))
    assert len(full) == 3


def test_uji2_picks_in_proportion() -> None:
    offered = (creature(1), creature(4), creature(9))
    counts = Counter(picked_by("uji2", offered, seed=seed) for seed in range(2000))
    assert [counts[number] / 2000 for number in offered] == pytest.approx([0.5, 0.3, 0.2], abs=0.04)


def test_uji1_loves_151_refuses_green_and_blue_and_slips_on_red() -> None:
    guard, red, other_red, dear = creature(5, guard=True), 145, 146, creature(7)
    assert picked_by("uji1", (guard, 151, 117)) == 151
    assert picked_by("uji1", (117, 160, guard)) == guard
    assert picked_by("uji1", (117, 118, 160)) == 117
    # Reds already picked don't count against red, dear creatures do.
    assert picked_by("uji1", (creature(4), red, 160), [other_red] * 3 + [creature(4)]) == red
    assert picked_by("uji1", (creature(4), red, 160), [dear] * 3) == creature(4)


def test_combined_prefers_the_emptiest_group_and_breaks_ties_by_rank() -> None:
    same = (creature(2), creature(2, skip=1), creature(2, skip=2))
    assert picked_by("combined", same) == picked_by("coac", same)
    one, two, three = creature(1), creature(2), creature(3)
    assert picked_by("combined", (one, two, three), [one, one, two]) == three


def test_combined_overlooks_a_lone_emptier_group() -> None:
    twos = (creature(2), creature(2, skip=1))
    best = picked_by("coac", (*twos, twos[0]))
    assert picked_by("combined", (*twos, creature(5)), [creature(2)]) == best


def test_combined_ranks_as_first_player_on_both_seats() -> None:
    triplets = draft_from_seed(3).triplets
    for triplet in triplets:
        assert picked_by("combined", triplet, seat=0) == picked_by("combined", triplet, seat=1)


def test_baselines() -> None:
    guard = creature(3, guard=True)
    assert picked_by("baseline1", (guard, 1, 2)) == guard
    assert picked_by("baseline1", (1, 2, guard)) == guard
    assert picked_by("baseline1", (1, 2, 3)) == 1
    assert picked_by("max-attack", (144, 1, 116)) == 116
    assert picked_by("max-attack", (144, 145, 160)) == 144
    assert picked_by("closet", (110, 116, 1)) == 116
    assert picked_by("closet-ported", (1, 110, 2)) == 110
    assert len({picked_by("random", (1, 2, 3), seed=seed) for seed in range(30)}) == 3


def test_the_mana_curve_turns_away_from_a_cost_it_has_enough_of() -> None:
    offered = (creature(2, skip=2), creature(4, skip=2), creature(6, skip=2))
    first = picked_by("mana-curve", offered)
    assert picked_by("mana-curve", offered, [first] * 12) != first


@pytest.mark.parametrize("name", STRATEGIES)
@settings(max_examples=5, deadline=None)
@given(seed=st.integers(0, 2**32 - 1))
def test_every_strategy_drafts_a_deck_and_a_seed_determines_it(name: str, seed: int) -> None:
    draft = draft_from_seed(seed)
    strategies = [STRATEGIES[name]] * 2
    picks = play_draft(draft, strategies, np.random.default_rng(seed))
    assert picks == play_draft(draft, strategies, np.random.default_rng(seed))
    for player in picks:
        offered = zip(draft.triplets, player.indices, strict=True)
        assert player.numbers == tuple(triplet[index] for triplet, index in offered)
        assert len(player.numbers) == 30


def test_an_unknown_strategy_is_refused_by_name() -> None:
    with pytest.raises(UnknownNameError, match=r"unknown draft strategy 'coak'; did you mean 'coac'\?"):
        strategy_named("coak")


def test_a_card_without_a_score_is_refused() -> None:
    with pytest.raises(InvalidParameterError, match=r"card 0 \(.*\) has no draft score"):
        strategy_named("coac").pick(generate_cards(1)[:3], [], 0, np.random.default_rng(0))


def test_groups_follow_cost_and_kind() -> None:
    assert [group(BY_NUMBER[creature(cost)]) for cost in (0, 1, 2, 6, 7, 9)] == [0, 0, 1, 5, 6, 6]
    assert [group(card) for card in some(117, 141, 160)] == [7, 8, 9]


# -- constructed decks -----------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", CONSTRUCTIONS)
def test_a_constructed_deck_has_30_cards_and_two_of_a_kind_at_most(name: str) -> None:
    for seed in range(3):
        cards = generate_cards(seed)
        deck = construct(cards, name, np.random.default_rng(seed))
        assert len(deck) == 30
        assert max(Counter(deck).values()) <= 2
        assert set(deck) <= {card.number for card in cards}
        assert deck == construct(cards, name, np.random.default_rng(seed))


def test_constructions_follow_their_names() -> None:
    cards = generate_cards(7)
    by_attack = sorted((card.attack for card in cards if card.is_creature for _ in range(2)), reverse=True)[:30]
    assert [cards[n].attack for n in construct(cards, "max-attack", np.random.default_rng(0))] == by_attack
    costs = [cards[n].cost for n in construct(cards, "mana-curve", np.random.default_rng(0))]
    assert sum(cost <= 4 for cost in costs) >= 10
    with pytest.raises(UnknownNameError, match="unknown deck construction 'coac'"):
        construct(cards, "coac", np.random.default_rng(0))
    with pytest.raises(InvalidParameterError, match="has 14 cards; expected at least 15"):
        construct(cards[:14], "random", np.random.default_rng(0))


# -- the paper's decks -----------------------------------------------------------------------------------------


def test_the_paper_has_300_decks_in_ten_orders_of_thirty() -> None:
    decks = paper_decks(5)
    assert (len(decks), {len(draft) for draft in decks}, {len(deck) for draft in decks for deck in draft}) == (
        10,
        {3},
        {10},
    )
    for draft in decks:
        for orders in draft:
            assert len({tuple(sorted(deck)) for deck in orders}) == 1
            assert len(set(orders)) == 10
            assert all(len(deck) == 30 for deck in orders)
    assert decks == paper_decks(5)
    assert decks != paper_decks(6)
    assert [[orders[:2] for orders in draft] for draft in decks[:3]] == [list(d) for d in paper_decks(5, 3, 2)]


def test_the_three_decks_of_a_draft_come_from_one_pool() -> None:
    for draft in paper_decks(2, drafts=3, orders=1):
        assert len({number for orders in draft for number in orders[0]}) <= 60
    assert PAPER_STRATEGIES == ("coac", "uji2", "combined")


def test_a_set_pairs_every_two_decks_both_ways_with_both_programs_first() -> None:
    whole = sets()
    assert len(whole) == 100
    assert sum(map(len, whole)) == 1200
    for games in whole:
        assert len({(game.draft, game.order) for game in games}) == 1
        assert len(set(games)) == 12
        assert all(game.first_deck != game.second_deck for game in games)
        for program in (0, 1):
            assert Counter(game.deck_of(program) for game in games) == {0: 4, 1: 4, 2: 4}
            assert sum(game.first_program == program for game in games) == 6


def test_a_game_of_a_set_knows_its_decks() -> None:
    decks = paper_decks(1, 2, 2)
    game = SetGame(draft=1, order=0, first_deck=2, second_deck=0, first_program=1)
    assert game.decks(decks) == (decks[1][2][0], decks[1][0][0])
    assert (game.deck_of(0), game.deck_of(1)) == (0, 2)


def test_no_drafts_make_no_decks() -> None:
    with pytest.raises(InvalidParameterError, match="0 drafts with 10 orders"):
        paper_decks(1, 0)


# -- deck files ------------------------------------------------------------------------------------------------


@given(st.lists(st.integers(1, 160), min_size=30, max_size=30))
@settings(max_examples=20)
def test_a_written_deck_reads_back(tmp_path_factory: pytest.TempPathFactory, deck: list[int]) -> None:
    path = tmp_path_factory.mktemp("deck") / "deck.json"
    write_deck(path, deck)
    assert read_deck(path) == tuple(deck)


def test_a_deck_may_have_a_number_a_line(tmp_path: Path) -> None:
    path = tmp_path / "deck.txt"
    path.write_text("# mine\n" + "\n".join(f"{n}  # card" for n in range(1, 31)) + "\n\n", encoding="utf-8")
    assert read_deck(path) == tuple(range(1, 31))
    cards = generate_cards(1)
    path.write_text(json.dumps([0, *range(29)]), encoding="utf-8")
    assert read_deck(path, cards) == (0, *range(29))


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (json.dumps([1] * 29), "has 29 cards; expected 30"),
        ("1\n" * 31, "has 31 cards; expected 30"),
        ("", "has 0 cards; expected 30"),
        (json.dumps([1] * 29 + [161]), "has card number 161; expected numbers from 1 to 160"),
        (json.dumps([1] * 29 + [0]), "has card number 0; expected numbers from 1 to 160"),
        (json.dumps([1] * 29 + ["2"]), "has '2'; expected 30 card numbers"),
        (json.dumps([1] * 29 + [2.0]), "has 2.0; expected 30 card numbers"),
        (json.dumps([1] * 29 + [True]), "has True; expected 30 card numbers"),
        ("1\n" * 29 + "two\n", "has 'two'; expected 30 card numbers"),
        ('{"deck": [1]}', "expected a list of 30 card numbers"),
        ("[1, 2", "is not valid JSON"),
        ("[" * 100000, "is not valid JSON"),
    ],
)
def test_a_bad_deck_file_is_refused_with_one_sentence(tmp_path: Path, text: str, message: str) -> None:
    path = tmp_path / "deck"
    path.write_text(text, encoding="utf-8")
    with pytest.raises(InvalidParameterError, match=message) as caught:
        read_deck(path)
    assert str(caught.value).startswith(f"deck file {str(path)!r}")
    assert "\n" not in str(caught.value)


def test_a_missing_deck_file_is_refused(tmp_path: Path) -> None:
    with pytest.raises(InvalidParameterError, match="can't be read"):
        read_deck(tmp_path / "none")
    with pytest.raises(InvalidParameterError, match="can't be written"):
        write_deck(tmp_path / "none" / "deck", [1] * 30)


def test_a_shuffle_does_not_touch_what_it_was_given() -> None:
    numbers = list(range(30))
    assert sorted(shuffled(numbers, 9)) == numbers == list(range(30))
