"""The three versions of the rules agree with each other, with brute force and with OpenSpiel."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tactician.contract import Game, State
from tactician.errors import IllegalActionError
from tactician.games.amazons import amazons, plain_amazons

BOARDS = [(3, 1), (4, 4), (5, 2), (6, 4), (10, 4), (16, 4)]


@pytest.mark.parametrize(("size", "queens"), BOARDS)
def test_three_versions_agree_move_for_move(three_games: Callable[..., list[Game]], size: int, queens: int) -> None:
    for seed in range(1 if size > 6 else 4):
        play_together(three_games(size, queens), random.Random(seed))


@settings(deadline=None, max_examples=25)
@given(board=st.sampled_from(BOARDS[:4]), chance=st.randoms(use_true_random=False))
def test_three_versions_agree_whatever_is_played(
    three_games: Callable[..., list[Game]], board: tuple[int, int], chance: random.Random
) -> None:
    play_together(three_games(*board), chance)


@pytest.mark.parametrize(("size", "queens"), [(3, 1), (5, 2), (6, 4), (16, 4)])
def test_interpreted_and_bounds_checked_rules_agree_with_the_compiled_ones(size: int, queens: int) -> None:
    game = amazons(size, queens)
    play_together([game, game.interpreted(), game.checked()], random.Random(size), limit=60)


def play_together(games: list[Game], chance: random.Random, limit: int = 10_000) -> None:
    states = [game.initial_state() for game in games]
    low, high = games[0].value_range
    assert all(game.value_range == (low, high) for game in games)
    for _ in range(limit):
        assert_all_equal(state.to_json() for state in states)
        assert_all_equal(state.is_over() for state in states)
        assert_all_equal(state.current_player() for state in states)
        assert_all_equal(state.evaluate() for state in states)
        assert low <= states[0].evaluate()[0] <= high
        assert sum(states[0].evaluate()) == 0
        if states[0].is_over():
            break
        assert_all_equal(state.legal_actions() for state in states)
        actions = states[0].legal_actions()
        assert 1 <= len(actions) <= games[0].max_actions
        assert len(set(actions)) == len(actions)
        action = chance.choice(actions)
        assert_all_equal(state.action_name(action) for state in states)
        for state in states:
            state.apply(action)
    if states[0].is_over():
        assert_all_equal(state.returns() for state in states)
        assert states[0].returns()[states[0].current_player()] == -1


def assert_all_equal(values: Iterator[Any]) -> None:
    first, *others = values
    for other in others:
        assert other == first


@pytest.mark.parametrize(("size", "queens"), [(3, 1), (5, 2), (6, 4), (10, 4)])
def test_is_legal_says_what_the_list_says(size: int, queens: int) -> None:
    state, chance = amazons(size, queens).initial_state(), random.Random(size)
    while not state.is_over():
        actions = state.legal_actions()
        assert [a for a in range(-3, size**2 + 3) if state.is_legal(a)] == sorted(actions)
        state.apply(chance.choice(actions))


def test_equal_positions_are_equal_states_however_they_came_about() -> None:
    game = amazons(10)
    one, two = game.initial_state(), game.initial_state()
    for name in ("d1", "d4", "d2", "a7", "a6", "a8", "g1", "g4", "g2"):
        one.apply(game.action_from_json(name))
    for name in ("g1", "g4", "g2", "a7", "a6", "a8", "d1", "d4", "d2"):
        two.apply(game.action_from_json(name))
    assert one == two
    assert one.key() == two.key()
    assert game.state_from_json(one.to_json()) == one


def test_all_three_pass_the_check_of_games(three_games: Callable[..., list[Game]]) -> None:
    from tactician.checking.check import check_game

    for game in three_games(5, 2):
        report = check_game(game, games=5)
        assert report.ok, report


# -- turns counted by brute force ----------------------------------------------------------------------------


def brute_force_turns(board: dict[tuple[int, int], str], letter: str) -> list[dict[tuple[int, int], str]]:
    """Every board after one whole turn, straight from the rule book."""
    boards = []
    for origin in [place for place, what in board.items() if what == letter]:
        lifted = {**board, origin: "."}
        for target in brute_force_lines(lifted, origin):
            moved = {**lifted, target: letter}
            boards += [{**moved, arrow: "x"} for arrow in brute_force_lines(moved, target)]
    return boards


def brute_force_lines(board: dict[tuple[int, int], str], origin: tuple[int, int]) -> list[tuple[int, int]]:
    found = []
    for place in board:
        down, right = place[0] - origin[0], place[1] - origin[1]
        steps = max(abs(down), abs(right))
        if steps and (down == 0 or right == 0 or abs(down) == abs(right)):
            way = [(origin[0] + down * i // steps, origin[1] + right * i // steps) for i in range(1, steps + 1)]
            if all(board[square] == "." for square in way):
                found.append(place)
    return found


def turns(state: State) -> list[State]:
    """Every state after one whole turn, by the game's own rules."""
    states = [state]
    for _ in range(3):
        states = [before.copy().apply(action) for before in states for action in before.legal_actions()]
    return states


def as_dict(state: State) -> dict[tuple[int, int], str]:
    rows = state.to_json()["board"]
    return {(r, c): letter for r, row in enumerate(rows) for c, letter in enumerate(row)}


@pytest.mark.parametrize(("size", "queens"), [(3, 1), (3, 2), (4, 2), (4, 4), (5, 2), (6, 4)])
@pytest.mark.parametrize("make", [amazons, plain_amazons])
def test_turns_from_the_start_are_those_of_brute_force(make: Callable[..., Game], size: int, queens: int) -> None:
    start = make(size, queens).initial_state()
    after_one = turns(start)
    expected = brute_force_turns(as_dict(start), "W")
    assert sorted(map(str, map(as_dict, after_one))) == sorted(map(str, expected))


@pytest.mark.parametrize(("size", "queens"), [(3, 1), (3, 2), (4, 2)])
def test_two_turns_are_as_many_as_brute_force_finds(size: int, queens: int) -> None:
    start = amazons(size, queens).initial_state()
    found = sum(len(turns(state)) for state in turns(start))
    expected = brute_force_turns(as_dict(start), "W")
    assert found == sum(len(brute_force_turns(board, "B")) for board in expected)


def test_white_has_2176_first_turns_on_the_standard_board() -> None:
    assert len(turns(amazons().initial_state())) == 2176


# -- the rules one by one ------------------------------------------------------------------------------------


def test_a_turn_is_choose_move_shoot() -> None:
    game = amazons()
    state = game.initial_state()
    names = []
    for square in ("d1", "d7", "g7"):
        action = game.action_from_json(square)
        names.append(state.action_name(action))
        assert state.current_player() == 0
        state.apply(action)
    assert names == ["choose d1", "move to d7", "shoot g7"]
    assert state.current_player() == 1
    assert state.to_json()["board"][3] == "B..W..x..B"


def test_only_queens_that_can_move_may_be_chosen() -> None:
    game = amazons(4, 2)
    state = game.initial_state(start=["Wx..", "xx..", ".B.B", "..W."])
    assert [game.action_to_json(a) for a in state.legal_actions()] == ["c1"]
    with pytest.raises(IllegalActionError, match="choose a4"):
        state.apply(0)


def test_an_arrow_may_burn_the_square_the_queen_came_from() -> None:
    game = amazons(3, 1)
    state = game.initial_state(start="W.x xxx Bx.")
    for name in ("a3", "b3", "a3"):
        state.apply(game.action_from_json(name))
    assert state.to_json()["board"] == ["xWx", "xxx", "Bx."]
    assert state.is_over()
    assert state.returns() == [1.0, -1.0]


@pytest.mark.parametrize("make", [amazons, plain_amazons])
def test_a_player_shut_in_at_the_start_has_lost(make: Callable[..., Game]) -> None:
    state = make(3, 1).initial_state(start="Wx. xx. ..B")
    assert state.is_over()
    assert state.legal_actions() == []
    assert state.returns() == [-1.0, 1.0]


def test_evaluation_counts_reachable_and_neighbouring_squares() -> None:
    game = amazons(3, 1)
    state = game.initial_state(start="W.. ..x .xB")
    # White reaches b3, c3, a2, a1 and b2, of which b3, a2 and b2 are beside it; Black reaches b2, also beside it.
    assert state.evaluate() == [5 - 1 + 0.5 * (3 - 1), -5.0]
    weighted = game.with_weights(mobility=2, liberty=0)
    assert weighted.state_from_json(state.to_json()).evaluate() == [8.0, -8.0]
    assert weighted.value_range == (-16.0, 16.0)


@pytest.mark.parametrize(("mobility", "liberty"), [(1, 0), (-1, 0), (0.5, -3)])
def test_value_range_holds_for_a_queen_with_the_whole_board_to_herself(mobility: float, liberty: float) -> None:
    game = amazons(5, 1).with_weights(mobility=mobility, liberty=liberty)
    state = game.initial_state(start="Bx... xx... ..W.. ..... .....")
    low, high = game.value_range
    assert (low, high) == (-(abs(mobility) * 16 + abs(liberty) * 8), -low)
    # Two of the sixteen squares in line are lost to the arrow at b4 and to Black behind it.
    assert state.evaluate()[0] == mobility * 14 + liberty * 7
    assert low <= state.evaluate()[0] <= high


def test_ratings_prefer_air_for_queens_and_arrows_close_to_the_enemy() -> None:
    game = amazons(6, 1)
    state = game.initial_state(start="B..... ...... ...... ...... ...... W.....")
    state.apply(game.action_from_json("a1"))
    actions = [game.action_from_json(name) for name in ("b1", "b2", "a5")]
    assert state.rate_actions(actions) == [4.0, 7.0, 4.0]
    state.apply(actions[1])
    arrows = [game.action_from_json(name) for name in ("b6", "b4", "f6")]
    assert state.rate_actions(arrows) == [-1.0, -2.0, -5.0]


def test_actions_of_one_turn_belong_to_the_chosen_queen() -> None:
    game = amazons()
    state = game.initial_state()
    assert [state.action_group(action) for action in state.legal_actions()] == [0, 1, 2, 3]
    state.apply(game.action_from_json("d1"))
    assert {state.action_group(action) for action in state.legal_actions()} == {2}


# -- OpenSpiel -----------------------------------------------------------------------------------------------


@pytest.mark.parametrize("size", [6, 8, 10])
def test_games_are_those_of_openspiel(size: int) -> None:
    pyspiel = pytest.importorskip("pyspiel")
    theirs_is = pyspiel.load_game(f"amazons(board_size={size})")
    game = amazons(size)
    for seed in range(4):
        chance = random.Random(seed)
        ours, theirs = game.initial_state(), theirs_is.new_initial_state()
        while True:
            assert board_without_lifted_queen(ours) == str(theirs).translate(str.maketrans("XO#", "WBx")).split()
            assert ours.is_over() == theirs.is_terminal()
            if ours.is_over():
                break
            assert ours.current_player() == theirs.current_player()
            assert sorted(ours.legal_actions()) == sorted(theirs.legal_actions())
            action = chance.choice(ours.legal_actions())
            ours.apply(action)
            theirs.apply_action(action)
        assert ours.returns() == theirs.returns()


def board_without_lifted_queen(state: State) -> list[str]:
    """The rows as OpenSpiel has them: a chosen queen is in the air until she is put down."""
    data = state.to_json()
    if data["phase"] != "move":
        return list(data["board"])
    square = state.game.action_from_json(data["chosen"])
    letters = "".join(data["board"])
    size = len(data["board"])
    letters = letters[:square] + "." + letters[square + 1 :]
    return [letters[i : i + size] for i in range(0, size**2, size)]
