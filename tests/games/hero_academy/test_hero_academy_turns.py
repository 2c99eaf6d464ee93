"""How turns pass and games end: action points, the end of a turn, winning and drawing.

Sections 3, 5 and 7 of the rules.
"""

from __future__ import annotations

from typing import Any

import pytest
from hero_academy_boards import (
    CRYSTALS,
    attack,
    board_of,
    candidates,
    end_turn,
    game,
    hand_of,
    heal,
    legal,
    move,
    play,
    position,
)

from tactician.contract import State
from tactician.errors import IllegalActionError

BOTH = {**CRYSTALS, (3, 0): "K", (5, 0): "k"}
"""Nobody is in danger."""

# -- action points ---------------------------------------------------------------------------------------------


def test_every_action_costs_one_point_and_the_turn_goes_on() -> None:
    after = move(position(BOTH, ap=5), (3, 0), (3, 1))
    assert (after.to_json()["ap"], after.to_json()["player"]) == (4, 1)


def test_without_action_points_the_turn_must_be_ended() -> None:
    state = position(BOTH, hand="KAIP", deck="K", ap=0)
    assert legal(state) == [["E"]]
    assert candidates(state) == [["E"]]
    with pytest.raises(IllegalActionError):
        move(state, (3, 0), (3, 1))


def test_a_turn_may_be_ended_early_but_planners_are_not_offered_that() -> None:
    state = position(BOTH, ap=3)
    assert legal(state)[-1] == ["E"]
    assert ["E"] not in candidates(state)
    assert end_turn(state).to_json()["player"] == 2


def test_where_nothing_can_be_done_only_the_end_of_the_turn_is_left() -> None:
    state = position({**CRYSTALS, (5, 0): "k"}, enemy_deck="K", hand="R")
    assert legal(state) == [["E"]]
    assert candidates(state) == [["E"]]


def test_where_pruning_leaves_nothing_only_the_end_of_the_turn_is_a_candidate() -> None:
    state = position({(2, 1): "X"}, hand="IR", deck="K")
    assert len(legal(state)) == 45 + 2 + 1
    assert candidates(state) == [["E"]]


@pytest.mark.parametrize(("points", "first"), [(5, 3), (1, 1), (25, 3), (100, 100)])
def test_the_first_turn_has_its_own_number_of_points(points: int, first: int) -> None:
    state = game(action_points=points, first_turn_points=first).initial_state(1)
    assert state.to_json()["ap"] == first
    assert end_turn(state).to_json()["ap"] == points
    assert end_turn(end_turn(state)).to_json()["ap"] == points


def test_unused_points_are_lost() -> None:
    assert end_turn(end_turn(position(BOTH, ap=4))).to_json()["ap"] == 5


# -- the end of a turn -----------------------------------------------------------------------------------------


def test_player_one_moves_on_odd_turns_and_player_two_on_even_ones() -> None:
    state = position(BOTH)
    for turn in range(1, 9):
        assert state.to_json()["turn"] == turn
        assert state.to_json()["player"] == 2 - turn % 2
        assert state.current_player() == (turn - 1) % 2
        state = end_turn(state)


def test_own_fallen_units_vanish_at_the_end_of_the_turn_and_the_enemys_stay() -> None:
    state = position({**BOTH, (4, 2): "W=0", (4, 3): "w=0"})
    assert board_of(end_turn(state)) == {**BOTH, (4, 3): "w=0"}


def test_a_unit_can_be_revived_in_its_owners_next_turn_only() -> None:
    struck = end_turn(attack(position({**BOTH, (3, 2): "A", (5, 2): "w=5"}), (3, 2), (5, 2)))
    assert board_of(struck)[5, 2] == "w=0"
    assert (5, 2) not in board_of(end_turn(struck))


def test_hands_are_filled_when_the_turn_ends_and_not_before() -> None:
    state = position(BOTH, hand="K", deck="AAAAAAA", ap=1)
    deployed = play(state, "K", (0, 0))
    assert hand_of(deployed, 1) == ""
    assert hand_of(end_turn(deployed), 1) == "AAAAAA"


# -- winning by crystals ---------------------------------------------------------------------------------------


def test_destroying_the_last_crystal_wins_at_once() -> None:
    state = position({(2, 1): "X", (6, 1): "x=5", (4, 1): "A", (8, 0): "k"}, ap=3)
    over = attack(state, (4, 1), (6, 1))
    json = over.to_json()
    assert over.is_over()
    assert over.returns() == [1, -1]
    assert (json["terminal"], json["winner"], json["ap"], json["turn"], json["player"]) == (True, 1, 2, 1, 1)


def test_player_two_wins_the_same_way() -> None:
    over = attack(position({(2, 1): "X=5", (6, 1): "x", (4, 1): "a", (0, 0): "K"}, turn=2), (4, 1), (2, 1))
    assert over.returns() == [-1, 1]


def test_a_crystal_left_keeps_its_owner_in_the_game() -> None:
    state = position({**CRYSTALS, (6, 1): "x=5", (4, 1): "A", (8, 0): "k"})
    assert not attack(state, (4, 1), (6, 1)).is_over()


def test_no_action_follows_a_finished_game() -> None:
    over = attack(position({(2, 1): "X", (6, 1): "x=5", (4, 1): "A", (8, 0): "k"}), (4, 1), (6, 1))
    assert over.legal_actions() == over.candidate_actions() == []
    with pytest.raises(IllegalActionError, match="over"):
        end_turn(over)


def test_ending_a_turn_against_an_enemy_without_crystals_wins() -> None:
    over = end_turn(position({(2, 1): "X", (3, 0): "K", (5, 0): "k"}))
    assert over.returns() == [1, -1]


def test_only_the_opponents_crystals_are_counted_at_the_end_of_a_turn() -> None:
    assert not end_turn(position({(6, 1): "x", (3, 0): "K", (5, 0): "k"})).is_over()


# -- winning by units ------------------------------------------------------------------------------------------


def last_enemy_fallen(**changes: Any) -> State:
    return position({**CRYSTALS, (3, 2): "K", (4, 2): "w=0"}, **changes)


def test_stomping_the_last_enemy_unit_wins_only_at_the_end_of_the_turn() -> None:
    stomped = move(last_enemy_fallen(), (3, 2), (4, 2))
    assert not stomped.is_over()
    assert stomped.to_json()["ap"] == 4
    over = end_turn(stomped)
    assert over.is_over()
    assert over.returns() == [1, -1]


def test_a_clerics_stomp_wins_at_the_end_of_the_turn_too() -> None:
    stomped = heal(position({**CRYSTALS, (3, 2): "C", (4, 2): "w=0"}), (3, 2), (4, 2))
    assert not stomped.is_over()
    assert end_turn(stomped).returns() == [1, -1]


def test_burning_the_last_enemy_unit_wins_only_at_the_end_of_the_turn() -> None:
    burnt = play(last_enemy_fallen(hand="I"), "I", (4, 2))
    assert not burnt.is_over()
    assert end_turn(burnt).returns() == [1, -1]


def test_knocking_down_the_last_enemy_unit_does_not_win() -> None:
    struck = attack(position({**CRYSTALS, (3, 2): "A", (5, 2): "w=5"}), (3, 2), (5, 2))
    assert not struck.is_over()
    assert not end_turn(struck).is_over()


def test_fallen_units_count_as_units() -> None:
    assert not end_turn(last_enemy_fallen()).is_over()


@pytest.mark.parametrize("where", ["enemy_hand", "enemy_deck"])
@pytest.mark.parametrize("card", "KACWN")
def test_a_unit_card_in_hand_or_deck_keeps_a_player_alive(where: str, card: str) -> None:
    stomped = move(last_enemy_fallen(**{where: card}), (3, 2), (4, 2))
    assert not end_turn(stomped).is_over()


def test_other_cards_keep_nobody_alive() -> None:
    stomped = move(last_enemy_fallen(enemy_hand="IPRSDH", enemy_deck="IPRSDH"), (3, 2), (4, 2))
    assert end_turn(stomped).is_over()


def test_a_player_whose_last_unit_vanishes_at_the_own_end_of_turn_loses() -> None:
    over = end_turn(position({**CRYSTALS, (3, 2): "K=0", (4, 2): "w"}))
    assert over.returns() == [-1, 1]


def test_when_the_game_ends_with_the_turn_nothing_else_changes() -> None:
    stomped = move(last_enemy_fallen(hand="K", deck="AAAAAAAA", ap=3), (3, 2), (4, 2))
    before, after = stomped.to_json(), end_turn(stomped).to_json()
    assert after == {**before, "terminal": True, "winner": 1}


def test_nobody_wins_if_neither_has_units() -> None:
    over = end_turn(position(CRYSTALS))
    assert over.is_over()
    assert over.returns() == [0, 0]


def test_nobody_wins_if_one_has_no_crystals_and_the_other_no_units() -> None:
    over = end_turn(position({(2, 1): "X", (5, 0): "k"}))
    assert over.is_over()
    assert over.to_json()["winner"] == 0


def test_a_crystal_off_the_start_squares_keeps_nobody_alive() -> None:
    """No game gets there, but positions can be written down."""
    board = {(2, 1): "X=5", (4, 1): "a", (0, 0): "K"}
    assert attack(position({**board, (6, 1): "x"}, turn=2), (4, 1), (2, 1)).to_json()["winner"] == 2
    assert attack(position({**board, (5, 4): "x"}, turn=2), (4, 1), (2, 1)).to_json()["winner"] == 0


# -- the turn limit --------------------------------------------------------------------------------------------


def test_the_end_of_the_last_turn_is_a_draw() -> None:
    almost, last = position(BOTH, turn=99), position(BOTH, turn=100)
    assert not end_turn(almost).is_over()
    over = end_turn(last)
    assert over.is_over()
    assert over.returns() == [0, 0]
    assert over.to_json()["turn"] == 100


def test_at_the_turn_limit_nobody_wins_even_with_the_last_crystal_gone() -> None:
    board = {(2, 1): "X=5", (6, 1): "x", (4, 1): "a", (0, 0): "K"}
    over = attack(position(board, turn=100), (4, 1), (2, 1))
    assert over.is_over()
    assert over.to_json()["winner"] == 0
    earlier = attack(position(board, turn=98), (4, 1), (2, 1))
    assert earlier.to_json()["winner"] == 2


def test_at_the_turn_limit_nobody_wins_even_with_the_last_unit_gone() -> None:
    last = position({**CRYSTALS, (5, 2): "k", (4, 2): "W=0"}, turn=100)
    assert end_turn(move(last, (5, 2), (4, 2))).to_json()["winner"] == 0
    earlier = position({**CRYSTALS, (5, 2): "k", (4, 2): "W=0"}, turn=98)
    assert end_turn(move(earlier, (5, 2), (4, 2))).to_json()["winner"] == 2


def test_the_turn_limit_counts_the_turns_of_both_players() -> None:
    state = position(BOTH, of=game(turn_limit=7))
    for _ in range(6):
        state = end_turn(state)
        assert not state.is_over()
    assert end_turn(state).is_over()
