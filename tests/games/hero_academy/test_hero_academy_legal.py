"""Which actions are listed, in what order, and what pruning leaves: the compiled rules against their slow twin."""

from __future__ import annotations

from typing import Any

import pytest
from hero_academy_boards import (
    CRYSTALS,
    Square,
    candidates,
    game,
    json_positions,
    legal,
    position,
    random_play,
    targets,
)
from hero_academy_twin import Twin, squares_between
from hypothesis import given, settings

from tactician.contract import State
from tactician.games.hero_academy import MAPS
from tactician.games.hero_academy.actions import DISCARD, KIND

END = ["E"]
OFFSETS = [(x, y) for x in range(-3, 4) for y in range(-3, 4) if 1 <= abs(x) + abs(y) <= 3]


def twin_of(state: State, map_name: str = "a") -> Twin:
    return Twin(state.to_json(), MAPS[map_name])


def assert_lists_agree(state: State, map_name: str = "a") -> None:
    """The legal list is the reference's and an early end of the turn; the candidates are its pruned part."""
    twin = twin_of(state, map_name)
    expected = twin.legal()
    assert legal(state) == (expected if expected == [END] else [*expected, END])
    assert candidates(state) == (twin.pruned() or [END])


# -- sight -----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("offset", OFFSETS)
def test_sight_is_blocked_by_exactly_the_squares_of_the_table(offset: Square) -> None:
    """An archer in the middle of a wide field, an enemy in reach, and another enemy anywhere around."""
    field = game(map=("d000000D", "c000000C", *["00000000"] * 6))
    archer, target = (3, 4), (3 + offset[0], 4 + offset[1])
    for blocker in [(x, y) for x in range(8) for y in range(8) if (x, y) not in (archer, target)]:
        state = position({archer: "A", target: "w", blocker: "k"}, of=field)
        assert (target in targets(state, "A", archer)) == (blocker not in squares_between(archer, target))


def test_the_table_of_sight_for_one_quarter() -> None:
    """Written out, so that the twin above is seen to be right."""
    assert squares_between((0, 0), (1, 0)) == squares_between((0, 0), (1, 1)) == []
    assert squares_between((0, 0), (2, 0)) == [(1, 0)]
    assert squares_between((0, 0), (3, 0)) == [(1, 0), (2, 0)]
    assert squares_between((0, 0), (0, 3)) == [(0, 1), (0, 2)]
    assert squares_between((0, 0), (2, 1)) == [(1, 0), (1, 1)]
    assert squares_between((0, 0), (1, 2)) == [(0, 1), (1, 1)]


# -- whole lists -----------------------------------------------------------------------------------------------


def test_the_whole_list_of_a_small_position_in_canonical_order() -> None:
    """Units by square, targets by square, then cards by kind; columns before rows."""
    state = position({(0, 0): "K", (2, 0): "k", (8, 2): "A"}, hand="HK", deck="W")
    assert legal(state) == [
        ["U", "M", 0, 0, 0, 1],
        ["U", "M", 0, 0, 0, 2],
        ["U", "M", 0, 0, 1, 0],
        ["U", "M", 0, 0, 1, 1],
        ["U", "M", 8, 2, 6, 2],
        ["U", "M", 8, 2, 7, 1],
        ["U", "M", 8, 2, 7, 2],
        ["U", "M", 8, 2, 7, 3],
        ["U", "M", 8, 2, 8, 1],
        ["U", "M", 8, 2, 8, 3],
        ["D", "K", 0, 4],
        ["X", "K"],
        ["D", "H", 0, 0],
        ["D", "H", 8, 2],
        ["X", "H"],
        ["E"],
    ]


@pytest.mark.parametrize("map_name", MAPS)
def test_lists_agree_with_the_twin_in_random_games(map_name: str) -> None:
    for seed in range(2):
        for state in random_play(game(map=map_name), seed):
            if not state.is_over():
                assert_lists_agree(state, map_name)


@settings(deadline=None, max_examples=200)
@given(data=json_positions(least_ap=0))
def test_lists_agree_with_the_twin_in_any_position(data: dict[str, Any]) -> None:
    assert_lists_agree(game().state_from_json(data))


@settings(deadline=None, max_examples=100)
@given(data=json_positions(rows=MAPS["a-tiny"], least_ap=0))
def test_lists_agree_with_the_twin_on_a_crowded_board(data: dict[str, Any]) -> None:
    assert_lists_agree(game(map="a-tiny").state_from_json(data), "a-tiny")


def test_lists_agree_with_the_twin_on_a_board_of_64_squares() -> None:
    rows = ("d00S000D", "00c00C00", "0P0000P0", "0000A000", "000A0000", "0P0000P0", "00c00C00", "d00S000D")
    for state in random_play(game(map=rows), seed=7, steps=250):
        twin = Twin(state.to_json(), rows)
        assert state.is_over() or legal(state) == ([END] if state.to_json()["ap"] == 0 else [*twin.legal(), END])


# -- single questions ------------------------------------------------------------------------------------------


def assert_is_legal_means_listed(state: State) -> None:
    listed = set(state.legal_actions())
    every_code = range(-70, (DISCARD + 2) * KIND)
    assert {action for action in every_code if state.is_legal(action)} == listed


def test_an_action_is_legal_exactly_if_it_is_listed() -> None:
    for state in list(random_play(game(), seed=11))[::60]:
        assert_is_legal_means_listed(state)
    assert_is_legal_means_listed(
        position({**CRYSTALS, (3, 2): "C", (4, 2): "k=0", (0, 0): "N=0"}, hand="KIPRD", deck="H")
    )


@settings(deadline=None, max_examples=10)
@given(data=json_positions(least_ap=0))
def test_an_action_is_legal_exactly_if_it_is_listed_in_any_position(data: dict[str, Any]) -> None:
    assert_is_legal_means_listed(game().state_from_json(data))


@pytest.mark.parametrize("action", [2**31, -(2**31) - 1, 10**30, 2**31 - 1, -1])
def test_numbers_far_outside_are_never_legal(action: int) -> None:
    assert not game().initial_state().is_legal(action)


def test_no_list_is_longer_than_declared() -> None:
    full = {(x, y): "N" for x in range(9) for y in range(5)}
    state = position(full, hand="KACWNIPRSDH", deck="K")
    assert len(legal(state)) <= state.game.max_actions
    assert_lists_agree(state)


# -- pruning ---------------------------------------------------------------------------------------------------


def test_swaps_of_cards_held_once_are_pruned() -> None:
    state = position({(3, 2): "K"}, hand="KKR", deck="H")
    assert ["X", "K"] in candidates(state)
    assert ["X", "R"] in legal(state)
    assert ["X", "R"] not in candidates(state)


def test_infernos_that_strike_nobody_are_pruned() -> None:
    state = position({(3, 2): "K", (3, 1): "A=0"}, hand="I")
    assert not [action for action in candidates(state) if action[:2] == ["D", "I"]]


def infernos(state: State) -> list[Square]:
    return [(action[2], action[3]) for action in candidates(state) if action[:2] == ["D", "I"]]


def test_of_infernos_that_strike_the_same_enemies_the_first_is_kept() -> None:
    assert infernos(position({(4, 2): "k"}, hand="I")) == [(3, 1)]


def test_infernos_that_strike_fewer_of_the_same_enemies_are_pruned() -> None:
    assert infernos(position({(3, 2): "k", (5, 2): "k=0"}, hand="I")) == [(4, 1)]


def test_infernos_that_strike_different_enemies_are_kept() -> None:
    in_a_row = position({(1, 2): "k", (3, 2): "x", (5, 2): "k"}, hand="I")
    assert infernos(in_a_row) == [(2, 1), (4, 1)]


def test_nothing_else_is_pruned() -> None:
    for state in random_play(game(), seed=5, steps=300):
        kept = candidates(state)
        gone = [action for action in legal(state) if action not in kept]
        assert all(action[0] in "EX" or action[:2] == ["D", "I"] for action in gone)


def test_as_printed_no_swap_is_pruned() -> None:
    """A kind is listed once, so that two swaps are never the same."""
    state = position({(3, 2): "K"}, hand="KKR", deck="H", of=game(swaps="paper"))
    assert [action for action in candidates(state) if action[0] == "X"] == [["X", "K"], ["X", "R"]]
    for now in random_play(game(preset="paper"), seed=5, steps=300):
        gone = [action for action in legal(now) if action not in candidates(now)]
        assert all(action[0] == "E" or action[:2] == ["D", "I"] for action in gone)


def test_pruning_can_be_switched_off() -> None:
    whole = game(prune=False)
    for state in random_play(whole, seed=3, steps=300):
        if not state.is_over():
            assert candidates(state) == (twin_of(state).legal() or [END])


# -- groups ----------------------------------------------------------------------------------------------------


def test_actions_of_one_unit_or_card_form_a_group() -> None:
    state = position({(3, 2): "N", (4, 2): "C=5", (5, 2): "k"}, hand="KKII", deck="H")
    groups: dict[int, set[tuple[Any, ...]]] = {}
    for action in state.legal_actions():
        named = state.game.action_to_json(action)
        owner = tuple(named[2:4]) if named[0] == "U" else tuple(named[1:2])
        groups.setdefault(state.action_group(action), set()).add(owner)
    assert sorted(groups.values(), key=str) == sorted([{(3, 2)}, {(4, 2)}, {("K",)}, {("I",)}, {()}], key=str)
