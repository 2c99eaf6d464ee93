"""What a player sees of a battle, and the worlds it may imagine behind that."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from locm_boards import a_reached_state, attack, end_turn, game, hidden, position, random_play, side, summon

from tactician.contract import Game, State
from tactician.planners import parse_planner

VIEWERS = pytest.mark.parametrize("viewer", [0, 1])


def games() -> list[Game]:
    versions = [hidden(), hidden(draft="random"), hidden(version="1.5"), hidden(version="1.0")]
    return [*versions, hidden(guesses="ranked")]


GAMES = pytest.mark.parametrize("of", games(), ids=["1.2", "random decks", "1.5", "1.0", "ranked guesses"])


def secret(
    enemy_hand: Sequence[int] = (5, 6),
    enemy_deck: Sequence[int] = (7, 8, 9),
    deck: Sequence[int] = (10, 11, 12),
    **fields: Any,
) -> State:
    """A position of which the first player knows only his own cards."""
    return position(
        "L 2/2", "R 3/3", hand=[1, 2], enemy_hand=enemy_hand, enemy_deck=enemy_deck, deck=deck, of=hidden(), **fields
    )


# -- what a player sees ----------------------------------------------------------------------------------------


def test_a_view_hides_the_other_hand_both_deck_orders_and_the_other_mana() -> None:
    state = secret(turn=11, enemy_mana=3)  # the second player is to move; the first one looks
    view = state.observe(1).to_json()
    assert [n for _, n in view["players"][0]["hand"]] == [None, None]
    assert view["decks"][0][-3:] == [None, None, None]
    assert (view["players"][0]["mana"], view["players"][0]["bonus"]) == (0, 0)
    assert view["decks"][1][-3:] == [10, 11, 12]


def test_the_own_deck_is_known_but_not_its_order() -> None:
    one, other = secret(deck=(10, 11, 12)), secret(deck=(12, 10, 11))
    assert one != other
    assert one.observe(0) == other.observe(0)


def test_a_view_shows_boards_health_and_what_has_been_played() -> None:
    state = summon(secret(), 0)
    view, true = state.observe(1).to_json(), state.to_json()
    for field in ("turn", "cur", "winner"):
        assert view[field] == true[field]
    for field in ("hp", "rune", "max_mana", "next_draw", "deck_n", "board", "acts"):
        assert [p[field] for p in view["players"]] == [p[field] for p in true["players"]]
    assert view["decks"][0][0] == 3, "the card of the creature in play"
    assert view["decks"][0][1] == 1, "the card that was summoned"
    assert [i for i, _ in view["players"][0]["hand"]] == [5], "ids tell places in the deck"


@pytest.mark.parametrize(
    "other",
    [
        secret(enemy_hand=(9, 7)),
        secret(enemy_deck=(60, 61, 62)),
        secret(deck=(11, 12, 10)),
        secret(enemy_mana=0),
        secret(enemy_bonus=1),
        secret(enemy_hand=(9, 9), enemy_deck=(8, 8, 8), deck=(12, 11, 10), enemy_mana=1, enemy_bonus=1),
    ],
    ids=["hand", "deck", "own order", "mana", "bonus", "all"],
)
def test_positions_that_differ_only_in_what_is_hidden_look_the_same(other: State) -> None:
    assert secret() != other
    assert secret().observe(0) == other.observe(0)
    for seed in range(5):
        assert secret().resample_hidden(0, seed) == other.resample_hidden(0, seed)


@pytest.mark.parametrize(
    "other",
    [
        secret(enemy_hand=(5, 6, 7)),
        secret(enemy_deck=(7, 8)),
        secret(deck=(10, 11, 13)),
        secret(enemy_hp=29),
        secret(enemy_max_mana=4),
    ],
    ids=["hand size", "deck size", "own deck", "health", "max mana"],
)
def test_positions_that_differ_in_what_is_seen_look_different(other: State) -> None:
    assert secret().observe(0) != other.observe(0)


def test_in_version_1_5_nobody_knows_in_which_order_the_other_drew() -> None:
    """Ids follow the order of choosing, so that the place a played card came from stays unknown."""
    of = hidden(version="1.5")
    state = a_reached_state(of, seed=3, steps=40)
    data = state.to_json()
    other = 1 - data["cur"]
    drawn = data["decks"][other][: 30 - data["players"][other]["deck_n"]]
    in_hand = data["players"][other]["hand"]
    played = [pair for pair in drawn if pair not in in_hand]
    assert len(played) > 1
    view = state.observe(1 - other).to_json()
    assert view["decks"][other] == sorted(played) + [[None, None]] * (30 - len(played))
    assert view["players"][other]["hand"] == [[None, None]] * len(in_hand)


@GAMES
@VIEWERS
def test_a_view_seen_again_is_the_same_and_can_be_written_down(of: Game, viewer: int) -> None:
    for state in list(random_play(of, seed=1))[::15]:
        view = state.observe(viewer)
        assert view.observe(viewer) == view
        again = of.state_from_json(view.to_json())
        assert again == view


@GAMES
def test_the_player_to_move_can_do_the_same_in_its_view_and_judges_it_the_same(of: Game) -> None:
    for state in list(random_play(of, seed=2))[::15]:
        if not state.is_over():
            view = state.observe(state.current_player())
            assert view.legal_actions() == state.legal_actions()
            assert view.possible_actions() == state.possible_actions()
            assert view.evaluate()[state.current_player()] == state.evaluate()[state.current_player()]


def test_looking_changes_nothing() -> None:
    state = secret()
    before = state.copy()
    state.observe(0)
    state.resample_hidden(1, seed=3)
    assert state == before


def test_with_open_information_nothing_is_hidden() -> None:
    assert not game().hides_information
    assert hidden().hides_information
    state = game().initial_state(1)
    assert state.observe(0) == state.observe(1) == state


# -- worlds that fit -------------------------------------------------------------------------------------------


@GAMES
@VIEWERS
def test_an_imagined_world_looks_like_the_true_one(of: Game, viewer: int) -> None:
    for state in list(random_play(of, seed=7))[::12]:
        for seed in range(3):
            world = state.resample_hidden(viewer, seed)
            assert world.observe(viewer) == state.observe(viewer)
            assert "None" not in str(world.to_json())


def offers_for(deck: Sequence[int], draft: Sequence[Sequence[int]]) -> bool:
    """Whether a deck can be picked from the offers, one card from each: a matching, by the textbook."""
    offer_of: dict[int, int] = {}

    def place(card: int, tried: set[int]) -> bool:
        for offer, cards in enumerate(draft):
            if deck[card] in cards and offer not in tried:
                tried.add(offer)
                if offer not in offer_of or place(offer_of[offer], tried):
                    offer_of[offer] = card
                    return True
        return False

    return all(place(card, set()) for card in range(len(deck)))


def test_the_matching_of_this_test_tells_decks_apart() -> None:
    draft = [[1, 2, 3], [1, 4, 5], [4, 6, 7]]
    assert offers_for([1, 4, 1][:2], draft)
    assert offers_for([1, 1, 4], draft)
    assert not offers_for([1, 1, 5], draft)
    assert not offers_for([2, 3], draft)


@settings(deadline=None, max_examples=25)
@given(deal=st.integers(0, 2**32), steps=st.integers(0, 300), viewer=st.integers(0, 1), seed=st.integers(0, 2**32))
def test_imagined_decks_could_have_been_drafted(deal: int, steps: int, viewer: int, seed: int) -> None:
    """Version 1.2: both were offered the same cards, so the other's deck has one of each offer."""
    state = a_reached_state(hidden(draft="random"), deal, steps)
    data, world = state.to_json(), state.resample_hidden(viewer, seed).to_json()
    assert world["draft"] == data["draft"]
    assert offers_for(world["decks"][1 - viewer], data["draft"])
    assert Counter(world["decks"][viewer]) == Counter(data["decks"][viewer])
    drawn = 30 - data["players"][viewer]["deck_n"]
    assert world["decks"][viewer][:drawn] == data["decks"][viewer][:drawn]


def test_seen_cards_that_fit_in_one_way_only_are_fitted() -> None:
    """Both 1s were played: they must have come from the first two offers, and the 2 from the third."""
    draft = [[1, 1, 1], [1, 2, 2], [2, 3, 4], *[[5, 6, 7]] * 27]
    state = position("L #1, R #1, L #2", deck=[5] * 27, turn=10, of=hidden(), draft=draft)
    for seed in range(20):
        world = state.resample_hidden(1, seed).to_json()
        assert offers_for(world["decks"][0], draft)
        assert set(world["decks"][0][3:]) <= {5, 6, 7}


def test_without_known_offers_any_card_may_be_there() -> None:
    state = hidden().initial_state(decks=[[3] * 30] * 2)
    seen = {number for seed in range(40) for number in state.resample_hidden(0, seed).to_json()["decks"][1]}
    assert len(seen) > 140
    assert seen <= set(range(1, 161))


@settings(deadline=None, max_examples=25)
@given(deal=st.integers(0, 2**32), steps=st.integers(0, 200), viewer=st.integers(0, 1), seed=st.integers(0, 2**32))
def test_imagined_constructed_decks_have_the_right_ids_and_at_most_two_copies(
    deal: int, steps: int, viewer: int, seed: int
) -> None:
    state = a_reached_state(hidden(version="1.5", draft="random"), deal, steps)
    data, world = state.to_json(), state.resample_hidden(viewer, seed).to_json()
    other = 1 - viewer
    assert sorted(i for i, _ in world["decks"][other]) == list(range(60 * other, 60 * other + 60, 2))
    assert max(Counter(number for _, number in world["decks"][other]).values()) <= 2
    assert sorted(world["decks"][viewer]) == sorted(data["decks"][viewer])


def test_a_table_of_ones_own_with_gaps_is_guessed_without_them() -> None:
    from tactician.games.locm.cards import CARDS

    of = hidden(cards=tuple(card for card in CARDS if card.number % 2))
    state = of.initial_state(seed=1)
    for seed in range(5):
        assert all(number % 2 for number in state.resample_hidden(0, seed).to_json()["decks"][1])
    unknown = of.initial_state(decks=[[3] * 30] * 2)
    for seed in range(5):
        assert all(number % 2 for number in unknown.resample_hidden(0, seed).to_json()["decks"][1])


def test_a_deck_with_more_copies_than_allowed_still_has_worlds() -> None:
    from locm_boards import card

    of = hidden(version="1.5", cards=tuple(card(number) for number in range(15)))
    state = of.initial_state(decks=[[number % 15 for number in range(30)], [3] * 30])
    while len(side(state, 1)["board"]) < 6 and state.to_json()["turn"] < 20:
        legal = state.legal_actions()
        state.apply(legal[0])
    world = state.resample_hidden(0, seed=1)
    assert world.observe(0) == state.observe(0)


def test_other_seeds_imagine_other_worlds() -> None:
    for of in games():
        state = of.initial_state(seed=4)
        worlds = {str(state.resample_hidden(0, seed).to_json()["decks"]) for seed in range(20)}
        assert len(worlds) == 20


@GAMES
@VIEWERS
def test_mana_and_bonus_are_guessed_right_in_games_from_the_start(of: Game, viewer: int) -> None:
    """They are hidden, but what a player spent is known and the rest follows."""
    other = 1 - viewer
    for seed in range(4):
        for state in list(random_play(of, seed, hurry=0.02))[:: 3 + seed]:
            world, true = side(state.resample_hidden(viewer, 1), other), side(state, other)
            assert (world["mana"], world["bonus"]) == (true["mana"], true["bonus"]), state.to_json()["turn"]


def test_the_bonus_is_guessed_right_through_a_game_of_passing() -> None:
    state = hidden().initial_state(seed=2)
    while not state.is_over():
        for viewer in (0, 1):
            assert side(state.resample_hidden(viewer, 1), 1 - viewer)["bonus"] == side(state, 1 - viewer)["bonus"]
        state = end_turn(state)


# -- planners --------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("spec", ["oep:population=10", "permutation-oep", "greedy-action"])
def test_a_planner_plans_the_same_turn_whatever_is_hidden(spec: str) -> None:
    others = [
        secret(enemy_hand=(9, 7)),
        secret(enemy_hand=(9, 9), enemy_deck=(8, 8, 8), deck=(12, 11, 10), enemy_mana=1, enemy_bonus=1),
    ]
    planner = parse_planner(spec)
    for seed in range(3):
        plans = [planner.on(hidden(), seed=seed).plan(state, "60evals").actions for state in (secret(), *others)]
        assert plans[0] == plans[1] == plans[2]
        assert plans[0][-1] == 0


def test_a_plan_made_on_a_guess_can_be_played_in_the_true_game() -> None:
    state = a_reached_state(hidden(), seed=9, steps=60)
    plan = parse_planner("permutation-oep").on(hidden(), seed=1).plan(state, "60evals")
    player = state.current_player()
    for action in plan.actions:
        state.apply(action)
    assert state.is_over() or state.current_player() != player


def test_an_attack_reveals_nothing_of_the_hand() -> None:
    after = attack(secret(), 0)
    assert after.observe(1) == attack(secret(deck=(12, 11, 10)), 0).observe(1)
