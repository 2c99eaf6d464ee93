"""Chance and hidden information: what a player sees, the worlds it may imagine, and where draws come from."""

from __future__ import annotations

from collections import Counter
from typing import Any

import pytest
from hero_academy_boards import CRYSTALS, Board, count, deck_of, end_turn, game, hand_of, legal, position, random_play

from tactician.contract import Game, State

BOARD = {**CRYSTALS, (3, 0): "K+RS=5", (5, 0): "k", (4, 2): "W=0"}


def hidden() -> Game:
    return game(information="hidden")


def seen_from_the_left(
    enemy_hand: str, enemy_deck: str, seeds: tuple[int, int] = (11, 22), board: Board = BOARD, deck: str = "AAH"
) -> State:
    return position(
        board, hand="KKI", deck=deck, enemy_hand=enemy_hand, enemy_deck=enemy_deck, seeds=seeds, of=hidden()
    )


# -- what a player sees ----------------------------------------------------------------------------------------


def test_an_observation_hides_the_other_hand_in_the_deck_and_all_deck_seeds() -> None:
    view = seen_from_the_left("WWP", "NII").observe(0).to_json()
    assert view["hands"] == [count("KKI"), count("")]
    assert view["decks"] == [count("AAH"), count("WWNIIP")]
    assert view["hidden"] == [0, 3]
    assert view["seeds"] == [0, 0]


def test_an_observation_shows_the_board_the_turn_and_the_own_hand() -> None:
    state = seen_from_the_left("WWP", "NII")
    view, true = state.observe(0).to_json(), state.to_json()
    for field in ("turn", "player", "ap", "terminal", "winner", "units"):
        assert view[field] == true[field]
    assert view["hands"][0] == true["hands"][0]


def test_player_two_sees_its_own_hand_and_not_player_ones() -> None:
    view = seen_from_the_left("WWP", "NII").observe(1).to_json()
    assert view["hands"] == [count(""), count("WWP")]
    assert view["decks"] == [count("KKIAAH"), count("NII")]
    assert view["hidden"] == [3, 0]


def test_positions_that_differ_only_in_what_is_hidden_look_the_same() -> None:
    one, other = seen_from_the_left("WWP", "NII"), seen_from_the_left("NIP", "WWI", seeds=(5, 999))
    assert one != other
    assert one.observe(0) == other.observe(0)
    assert one.observe(0).key() == other.observe(0).key()
    assert one.observe(1) != other.observe(1)


@pytest.mark.parametrize(
    "different",
    [
        seen_from_the_left("WW", "NIIP"),  # the size of the hand is public
        seen_from_the_left("WWP", "NIII"),  # so are all the cards together
        seen_from_the_left("WWP", "NII", deck="AAR"),
        seen_from_the_left("WWP", "NII", board={**BOARD, (4, 3): "k"}),
    ],
    ids=["hand size", "card totals", "own deck", "board"],
)
def test_positions_that_differ_in_what_is_seen_look_different(different: State) -> None:
    assert seen_from_the_left("WWP", "NII").observe(0) != different.observe(0)


def test_looking_changes_nothing() -> None:
    state = seen_from_the_left("WWP", "NII")
    before = state.copy()
    state.observe(0)
    state.resample_hidden(0, seed=1)
    assert state == before


def test_the_player_to_move_can_do_the_same_and_judges_the_same_in_its_view() -> None:
    """The evaluation counts hand and deck together, so hiding changes nothing about it."""
    for state in list(random_play(hidden(), seed=2))[::20]:
        if not state.is_over():
            view = state.observe(state.current_player())
            assert legal(view) == legal(state)
            assert view.evaluate() == state.evaluate()


def test_an_observation_can_be_written_down_and_read_back() -> None:
    view = seen_from_the_left("WWP", "NII").observe(0)
    assert hidden().state_from_json(view.to_json()) == view


def test_an_observation_of_an_observation_is_the_same() -> None:
    view = seen_from_the_left("WWP", "NII").observe(0)
    assert view.observe(0) == view


def test_with_open_information_nothing_is_hidden() -> None:
    state = position(BOARD, hand="KKI", enemy_hand="WWP", seeds=(3, 4))
    assert not game().hides_information
    assert hidden().hides_information
    assert state.observe(0) == state.observe(1) == state


# -- worlds that fit -------------------------------------------------------------------------------------------


@pytest.mark.parametrize("viewer", [0, 1])
def test_imagined_worlds_fit_what_the_player_sees(viewer: int) -> None:
    other = 1 - viewer
    for state in list(random_play(hidden(), seed=4))[::25]:
        true = state.to_json()
        for seed in range(5):
            world = state.resample_hidden(viewer, seed).to_json()
            assert "hidden" not in world
            assert world["units"] == true["units"]
            assert world["hands"][viewer] == true["hands"][viewer]
            assert world["decks"][viewer] == true["decks"][viewer]
            assert sum(world["hands"][other]) == sum(true["hands"][other])
            assert all_cards(world, other) == all_cards(true, other)
            assert all(0 <= s < 1000 for s in world["seeds"])


def all_cards(data: dict[str, Any], player: int) -> list[int]:
    return [hand + deck for hand, deck in zip(data["hands"][player], data["decks"][player], strict=True)]


def test_an_imagined_world_looks_like_the_true_one() -> None:
    state = seen_from_the_left("WWP", "NII")
    for seed in range(20):
        assert state.resample_hidden(0, seed).observe(0) == state.observe(0)


def test_the_same_seed_imagines_the_same_world_whatever_is_hidden() -> None:
    one, other = seen_from_the_left("WWP", "NII"), seen_from_the_left("NIP", "WWI", seeds=(5, 999))
    for seed in range(10):
        assert one.resample_hidden(0, seed) == other.resample_hidden(0, seed)


def test_every_hand_of_the_right_size_is_imagined_as_often_as_it_is_likely() -> None:
    """Two cards of W, W, N, I: with six pairs of equal chance WW comes once, WN twice, WI twice, NI once."""
    state = seen_from_the_left("WW", "NI")
    hands = Counter(hand_of(state.resample_hidden(0, seed), 2) for seed in range(1200))
    assert set(hands) == {"WW", "WN", "WI", "NI"}
    for hand, expected in {"WW": 200, "WN": 400, "WI": 400, "NI": 200}.items():
        assert abs(hands[hand] - expected) < 80  # more than four standard deviations


def test_the_own_next_cards_are_a_guess_too() -> None:
    board = {**CRYSTALS, (3, 0): "K", (5, 0): "k"}
    state = position(board, hand="PPPPP", deck="KACWN", enemy_hand="K", of=hidden())
    drawn = {hand_of(end_turn(state.resample_hidden(0, seed)), 1) for seed in range(60)}
    assert len(drawn) == 5


# -- where draws come from -------------------------------------------------------------------------------------


def play_out(state: State, limit: int = 400) -> list[dict[str, Any]]:
    """Always the first candidate; what is left to chance is the draws."""
    found = []
    for _ in range(limit):
        if state.is_over():
            break
        state.apply(state.candidate_actions()[0])
        found.append(state.to_json())
    return found


@pytest.mark.parametrize("draws", ["deterministic", "shuffled"])
def test_the_same_seed_gives_the_same_game(draws: str) -> None:
    one, other = (game(draws=draws).initial_state(8) for _ in range(2))
    assert one == other
    assert play_out(one) == play_out(other)


@pytest.mark.parametrize("draws", ["deterministic", "shuffled"])
def test_another_seed_gives_another_game(draws: str) -> None:
    starts = [game(draws=draws).initial_state(seed) for seed in range(20)]
    assert len({str(state.to_json()["hands"]) for state in starts}) > 15


def test_deterministic_draws_ignore_the_stream() -> None:
    state = game().initial_state(8)
    assert play_out(state.reseeded(1)) == play_out(state.reseeded(2)) == play_out(state.copy())


def test_deterministic_draws_come_from_the_deck_seeds_alone() -> None:
    one, other = (game().initial_state(seed, deck_seeds=[17, 18]) for seed in (1, 2))
    assert one == other
    assert play_out(one) == play_out(other)


def test_shuffled_draws_come_from_the_stream_and_leave_the_deck_seeds_alone() -> None:
    state = game(draws="shuffled").initial_state(8)
    futures = [play_out(state.reseeded(seed)) for seed in range(4)]
    assert all(futures[0] != future for future in futures[1:])
    assert futures[0][-1]["seeds"] == state.to_json()["seeds"]


def test_a_copy_draws_the_same_cards() -> None:
    state = game(draws="shuffled").initial_state(8)
    assert play_out(state.copy()) == play_out(state.copy())


def test_shuffled_draws_take_every_card_of_the_deck_as_often() -> None:
    state = position({**CRYSTALS, (3, 0): "K", (5, 0): "k"}, hand="PPPPP", deck="KKAI", of=game(draws="shuffled"))
    drawn = Counter(hand_of(end_turn(state.reseeded(seed)), 1).replace("P", "") for seed in range(1200))
    assert set(drawn) == {"K", "A", "I"}
    for card, expected in {"K": 600, "A": 300, "I": 300}.items():
        assert abs(drawn[card] - expected) < 80


def test_shuffled_openings_have_three_units_too() -> None:
    for seed in range(30):
        state = game(draws="shuffled").initial_state(seed)
        for player in (1, 2):
            assert sum(card in "KACWN" for card in hand_of(state, player)) == 3
            assert len(hand_of(state, player) + deck_of(state, player)) == 28
