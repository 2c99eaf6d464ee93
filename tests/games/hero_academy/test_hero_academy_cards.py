"""What cards do: deploying, equipment, potions, infernos, card swaps, and how cards are drawn.

Sections 2, 5.2, 6.1, 6.6 and 8 of the rules.
"""

from __future__ import annotations

import pytest
from hero_academy_boards import (
    CARDS,
    CRYSTALS,
    at,
    attack,
    board_of,
    count,
    deck_of,
    end_turn,
    game,
    hand_of,
    legal,
    play,
    plays,
    position,
    swap_card,
)

from tactician.errors import IllegalActionError
from tactician.games.hero_academy import MAPS

STANDARD = "KKKAAACCCWWWNIIPPRRRSSDDDHHH"
SMALL = "KKAACCWWNIPRRSDDHH"
TINY = "KACWNIPRSDH"
SAFE = {**CRYSTALS, (3, 0): "K", (5, 0): "k"}
"""Nobody wins by ending a turn here."""

# -- deploying -------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("card", "KACWN")
def test_a_unit_card_puts_an_unhurt_unit_without_equipment_on_an_own_deploy_square(card: str) -> None:
    state = position({}, hand=card)
    assert plays(state, card) == [(0, 0), (0, 4)]
    after = play(state, card, (0, 4))
    assert board_of(after) == {(0, 4): card}
    assert hand_of(after, 1) == ""
    assert deck_of(after, 1) == ""


def test_player_two_deploys_on_the_right() -> None:
    state = position({}, hand="K", turn=2)
    assert plays(state, "K") == [(8, 0), (8, 4)]
    assert board_of(play(state, "K", (8, 0))) == {(8, 0): "k"}


def test_a_standing_unit_holds_its_deploy_square() -> None:
    assert plays(position({(0, 0): "W"}, hand="K"), "K") == [(0, 4)]


def test_deploying_over_an_own_fallen_unit_destroys_it() -> None:
    state = position({(0, 0): "W+RSDH=0"}, hand="K")
    assert board_of(play(state, "K", (0, 0))) == {(0, 0): "K"}


def test_a_deployed_unit_can_act_at_once() -> None:
    after = play(position({(1, 0): "k"}, hand="A"), "A", (0, 0))
    assert at(attack(after, (0, 0), (1, 0)), (1, 0)) == "k=880"


# -- equipment -------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("item", "RSDH")
def test_equipment_goes_to_own_standing_units_without_that_kind(item: str) -> None:
    board = {(1, 0): "K", (2, 0): f"W+{item}", (3, 0): "A=0", (4, 0): "X", (5, 0): "k", (6, 0): "N=5"}
    assert plays(position(board, hand=item), item) == [(1, 0), (6, 0)]


def test_a_unit_may_carry_one_of_each_kind() -> None:
    state = position({(1, 0): "A"}, hand="RSDH")
    for item in "HSRD":
        state = play(state, item, (1, 0))
    assert at(state, (1, 0)) == "A+RSDH"
    assert hand_of(state, 1) == ""


@pytest.mark.parametrize("armour", "DH")
@pytest.mark.parametrize(("unit", "most"), [("K", 1100), ("A", 880), ("C", 880), ("W", 880), ("N", 880)])
def test_armour_raises_the_maximum_by_a_tenth_of_the_base(armour: str, unit: str, most: int) -> None:
    dressed = play(position({(1, 0): unit}, hand=armour), armour, (1, 0))
    assert dressed.to_json()["units"] == [[1, 0, 1, unit, most, armour]]


@pytest.mark.parametrize(
    ("before", "after"), [(500, 550), (555, 610), (9, 9), (1, 1), (19, 20), (999, 1098), (1000, 1100)]
)
def test_armour_adds_ten_percent_of_the_current_hit_points_truncated(before: int, after: int) -> None:
    dressed = play(position({(1, 0): f"K={before}"}, hand="D"), "D", (1, 0))
    assert dressed.to_json()["units"] == [[1, 0, 1, "K", after, "D"]]


def test_the_second_armour_never_lifts_a_unit_above_its_maximum() -> None:
    dressed = play(position({(1, 0): "K+D"}, hand="H"), "H", (1, 0))
    assert dressed.to_json()["units"] == [[1, 0, 1, "K", 1200, "DH"]]  # not 1100 + 110


@pytest.mark.parametrize("item", "RS")
def test_weapons_add_no_hit_points(item: str) -> None:
    assert at(play(position({(1, 0): "W=100"}, hand=item), item, (1, 0)), (1, 0)) == f"W+{item}=100"


# -- potions ---------------------------------------------------------------------------------------------------


def test_a_potion_goes_to_own_hurt_units_fallen_ones_included() -> None:
    board = {(1, 0): "K", (2, 0): "W=799", (3, 0): "A=0", (4, 0): "X=5", (5, 0): "k=5", (6, 0): "N+D=800"}
    assert plays(position(board, hand="P"), "P") == [(2, 0), (3, 0), (6, 0)]


def test_a_potion_heals_a_standing_unit_by_1000() -> None:
    assert at(play(position({(1, 0): "K=1"}, hand="P"), "P", (1, 0)), (1, 0)) == "K"
    assert at(play(position({(1, 0): "K+DH=100"}, hand="P"), "P", (1, 0)), (1, 0)) == "K+DH=1100"


def test_a_potion_revives_a_fallen_unit_with_100_hit_points_and_its_equipment() -> None:
    after = play(position({(1, 0): "W+RSDH=0"}, hand="P"), "P", (1, 0))
    assert at(after, (1, 0)) == "W+RSDH=100"
    assert hand_of(after, 1) == ""


# -- infernos --------------------------------------------------------------------------------------------------


def test_an_inferno_may_strike_any_square() -> None:
    assert plays(position({}, hand="I"), "I") == [(x, y) for x in range(9) for y in range(5)]


def test_an_inferno_burns_enemies_on_nine_squares_and_spares_own_units() -> None:
    state = position(
        """
        . . . k . . . . .
        . . a a a . . . .
        . . a A a . . . .
        . . a a a x . . .
        . . . . . . . . .
        """,
        hand="I",
    )
    after = board_of(play(state, "I", (3, 2)))
    assert after[3, 2] == "A"
    assert after[3, 0] == "k"
    assert after[5, 3] == "x"
    assert [square for square, unit in after.items() if unit == "a=450"] == [
        (2, 1), (2, 2), (2, 3), (3, 1), (3, 3), (4, 1), (4, 2), (4, 3),
    ]  # fmt: skip


def test_an_inferno_at_the_edge_stays_on_the_board() -> None:
    state = position({(8, 1): "a", (7, 0): "a", (0, 1): "a", (6, 0): "a"}, hand="I")
    after = board_of(play(state, "I", (8, 0)))
    assert after == {(8, 1): "a=450", (7, 0): "a=450", (0, 1): "a", (6, 0): "a"}


@pytest.mark.parametrize(
    ("victim", "left"),
    [("k", 650), ("k+D", 750), ("w", 800 - 315), ("a+H", 880 - 280), ("w+H", 880 - 245), ("x", 4500 - 350)],
)
def test_an_inferno_is_magic(victim: str, left: int) -> None:
    after = play(position({(3, 0): victim}, hand="I"), "I", (3, 0))
    assert after.to_json()["units"][0][4] == left


def test_infernos_damage_is_subtracted_as_a_double_and_then_truncated() -> None:
    # 70 % of 350 is 244.99999999999997: rounded down first it would leave a wizard with a helm 636 of 880 hit points.
    assert 350.0 * ((100.0 - 30) / 100.0) < 245
    assert at(play(position({(3, 0): "w+H"}, hand="I"), "I", (3, 0)), (3, 0)) == "w+H=635"


def test_the_defense_square_is_no_shelter_from_an_inferno() -> None:
    assert at(play(position({(4, 0): "a"}, hand="I"), "I", (4, 0)), (4, 0)) == "a=450"


def test_an_inferno_knocks_down_standing_enemies() -> None:
    assert at(play(position({(3, 0): "a+R=350"}, hand="I"), "I", (4, 1)), (3, 0)) == "a+R=0"


def test_an_inferno_removes_fallen_enemies_but_not_own_ones() -> None:
    state = position({(3, 0): "a=0", (3, 1): "A=0"}, hand="I")
    assert board_of(play(state, "I", (3, 0))) == {(3, 1): "A=0"}


def test_an_inferno_profits_from_the_assault_square() -> None:
    state = position({(7, 3): "x", (7, 2): "a", (4, 4): "K"}, hand="I")
    assert board_of(play(state, "I", (7, 3))) == {(7, 3): "x=3850", (7, 2): "a=450", (4, 4): "K"}


def test_an_inferno_that_destroys_the_last_crystal_wins_at_once() -> None:
    state = position({(2, 1): "X", (7, 3): "x=350", (1, 0): "K", (6, 0): "k"}, hand="I", enemy_deck="K")
    over = play(state, "I", (7, 3))
    assert over.is_over()
    assert over.returns() == [1, -1]
    assert over.to_json()["ap"] == 4
    assert over.to_json()["turn"] == 1


# -- card swaps ------------------------------------------------------------------------------------------------


def test_a_swapped_card_goes_into_the_deck_and_nothing_is_drawn_yet() -> None:
    after = swap_card(position({}, hand="KKI", deck="H"), "K")
    assert hand_of(after, 1) == "KI"
    assert deck_of(after, 1) == "KH"
    assert after.to_json()["seeds"] == [0, 0]


def test_each_kind_of_card_in_hand_can_be_swapped_once_in_the_list() -> None:
    swaps = [action[1] for action in legal(position({}, hand="KKKISS", deck="H")) if action[0] == "X"]
    assert swaps == ["K", "I", "S"]


def test_no_card_is_swapped_into_an_empty_deck() -> None:
    state = position({}, hand="KKI", deck="")
    assert not [action for action in legal(state) if action[0] == "X"]
    with pytest.raises(IllegalActionError):
        swap_card(state, "K")


@pytest.mark.parametrize(("seed", "hand"), [(1, "KPPPPP"), (2, "PPPPPD"), (3, "PPPPPH")])
def test_a_swapped_card_is_drawn_from_like_any_other(seed: int, hand: str) -> None:
    # The seeds become 8, 9 and 10; the deck is then K, D, H, H.
    state = position(SAFE, hand="KPPPPP", deck="DHH", seeds=(seed, 0))
    assert hand_of(end_turn(swap_card(state, "K")), 1) == hand


def test_a_card_that_is_not_in_hand_cannot_be_played() -> None:
    with pytest.raises(IllegalActionError, match="deploy knight"):
        play(position({}, hand="A", deck="K"), "K", (0, 0))


def test_every_card_costs_one_action_point() -> None:
    state = position({(1, 0): "K=5"}, hand="AIPR", deck="K", ap=5)
    for step, after in enumerate([play(state, "A", (0, 0)), play(state, "I", (5, 2)), swap_card(state, "R")]):
        assert after.to_json()["ap"] == 4, step


# -- drawing ---------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("drawn", range(1, 7))
def test_the_rule_books_example_of_drawing(drawn: int) -> None:
    """Deck seed 123, all 28 cards: seeds 166, 222, 295, 390, 514, 675 and cards H, C, W, R, N, W."""
    filler = "P" * (6 - drawn)
    after = end_turn(position(SAFE, hand=filler, deck=STANDARD, seeds=(123, 0)))
    assert after.to_json()["hands"][0] == count(filler + "HCWRNW"[:drawn])
    assert after.to_json()["seeds"][0] == [166, 222, 295, 390, 514, 675][drawn - 1]


@pytest.mark.parametrize(
    ("seed", "following"),
    [(0, 7), (7, 16), (100, 137), (60_000, 78_007), (99_999, 130_005), (100_000, 130_007), (100_001, 10_000)],
)
def test_a_deck_seed_grows_until_it_passes_100000_and_is_then_cut_to_a_tenth(seed: int, following: int) -> None:
    after = end_turn(position(SAFE, hand="PPPPP", deck="KH", seeds=(seed, 0)))
    assert after.to_json()["seeds"][0] == following
    assert hand_of(after, 1) == ("KPPPPP" if following % 2 == 0 else "PPPPPH")


def test_a_full_hand_draws_nothing_and_leaves_the_seed_alone() -> None:
    after = end_turn(position(SAFE, hand="KKKKKK", deck="AAA", seeds=(5, 6)))
    assert hand_of(after, 1) == "KKKKKK"
    assert after.to_json()["seeds"] == [5, 6]


def test_an_empty_deck_leaves_the_hand_short() -> None:
    after = end_turn(position(SAFE, hand="K", deck="AC"))
    assert hand_of(after, 1) == "KAC"
    assert deck_of(after, 1) == ""


def test_the_player_who_is_next_draws_too() -> None:
    after = end_turn(position(SAFE, enemy_deck="AAAAAAAA"))
    assert hand_of(after, 2) == "AAAAAA"


def test_hands_have_the_size_the_game_was_made_with() -> None:
    after = end_turn(position(SAFE, hand="K", deck=STANDARD, of=game(hand_size=9)))
    assert len(hand_of(after, 1)) == 9


# -- the opening -----------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("deck", "cards"), [("standard", STANDARD), ("small", SMALL), ("tiny", TINY)])
def test_both_players_start_with_six_of_the_decks_cards_exactly_three_of_them_units(deck: str, cards: str) -> None:
    for seed in range(60):
        state = game(deck=deck).initial_state(seed)
        for player in (1, 2):
            hand = hand_of(state, player)
            assert sorted(hand + deck_of(state, player)) == sorted(cards)
            assert len(hand) == 6
            assert sum(card in "KACWN" for card in hand) == 3


def test_the_opening_hand_is_dealt_again_with_the_seed_where_it_stopped() -> None:
    """Seed 123 deals H, C, W, R, N, W at first: four units, so everything goes back and six more are drawn."""
    seed, redeals, hand = 123, 0, ""
    while sum(card in "KACWN" for card in hand) != 3:
        deck, hand, redeals = STANDARD, "", redeals + 1
        for _ in range(6):
            seed = int(seed * 0.1) if seed > 100000 else int(seed * 1.3 + 7)
            index = seed % len(deck)
            hand, deck = hand + deck[index], deck[:index] + deck[index + 1 :]
    state = game().initial_state(deck_seeds=[123, 5])
    assert redeals > 1
    assert state.to_json()["hands"][0] == count(hand)
    assert state.to_json()["seeds"][0] == seed


@pytest.mark.parametrize("map_name", MAPS)
def test_the_game_starts_with_crystals_only_and_three_action_points(map_name: str) -> None:
    rows = MAPS[map_name]
    start = game(map=map_name).initial_state(5).to_json()
    crystals = [(x, y) for x in range(len(rows[0])) for y in range(len(rows)) if rows[y][x] in "cC"]
    assert [(x, y) for x, y, *_ in start["units"]] == crystals
    assert all(unit[3:] == ["X", 4500, ""] for unit in start["units"])
    assert (start["turn"], start["player"], start["ap"], start["terminal"]) == (1, 1, 3, False)


def test_first_turn_points_and_decks_are_parameters() -> None:
    own = game(first_turn_points=1, deck=(6, 0, 0, 0, 0, 6, 0, 0, 0, 0, 0))
    state = own.initial_state(3)
    assert state.to_json()["ap"] == 1
    assert hand_of(state, 1) == "KKKIII"


def test_the_canonical_card_order_is_the_order_of_the_list() -> None:
    state = position({(1, 0): "K=5"}, hand=CARDS, deck="K")
    cards = [action[1] for action in legal(state) if action[0] == "X"]
    assert "".join(cards) == CARDS
