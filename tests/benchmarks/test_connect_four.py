"""Connect Four of the benchmarks is a sound game and the same as OpenSpiel's, move for move."""

from __future__ import annotations

import random
from pathlib import Path
from typing import Any

import pytest

from tactician import State, check_game, load_game
from tactician.errors import IllegalActionError, InvalidStateError
from tactician.planners import MCTS

COLUMNS, ROWS, LINES = 7, 6, 69
EMPTY = "." * COLUMNS
game = load_game(f"{Path(__file__).parents[2]}/benchmarks/connect_four.py:game")


def test_the_game_passes_its_check() -> None:
    report = check_game(game, games=10)
    assert report.ok, report


def test_the_game_is_openspiels_move_for_move() -> None:
    pyspiel = pytest.importorskip("pyspiel")
    theirs_is, results = pyspiel.load_game("connect_four"), set()
    for seed in range(400):
        chance, ours, theirs = random.Random(seed), game.initial_state(), theirs_is.new_initial_state()
        while not theirs.is_terminal():
            assert not ours.is_over()
            assert ours.current_player() == theirs.current_player()
            assert ours.legal_actions() == theirs.legal_actions()
            assert str(ours) == str(theirs).strip()
            action = chance.choice(ours.legal_actions())
            ours.apply(action)
            theirs.apply_action(action)
        assert ours.is_over()
        assert ours.returns() == theirs.returns()
        assert str(ours) == str(theirs).strip()
        results.add(ours.returns()[0])
    assert results == {-1.0, 0.0, 1.0}


@pytest.mark.parametrize("seed", range(20))
def test_the_winner_is_who_a_plain_search_for_lines_finds(seed: int) -> None:
    state, chance = game.initial_state(), random.Random(seed)
    while not state.is_over():
        assert winner_of(rows_of(state)) is None
        state.apply(chance.choice(state.legal_actions()))
    assert state.returns()[0] == {None: 0.0, "x": 1.0, "o": -1.0}[winner_of(rows_of(state))]


@pytest.mark.parametrize(
    "moves",
    ["3030303", "0011223", "01122323363", "65544343303"],
    ids=["upright", "level", "rising", "falling"],
)
def test_four_in_a_row_win(moves: str) -> None:
    assert not played(moves[:-1]).is_over()
    state = played(moves)
    assert state.is_over()
    assert state.returns() == [1.0, -1.0]


def test_a_full_board_without_a_line_is_a_draw() -> None:
    state = played("330254564223355224331121550404466660106011")
    assert state.is_over()
    assert state.returns() == [0.0, 0.0]


def test_a_full_column_takes_no_disc() -> None:
    state = played("000000")
    assert state.legal_actions() == [1, 2, 3, 4, 5, 6]
    with pytest.raises(IllegalActionError, match="column 1"):
        state.apply(0)


@pytest.mark.parametrize("seed", range(5))
def test_the_evaluation_counts_lines_that_are_still_open(seed: int) -> None:
    assert len(lines_of([EMPTY] * ROWS)) == LINES
    state, chance = game.initial_state(), random.Random(seed)
    while not state.is_over():
        lines = lines_of(rows_of(state))
        first, second = (sum(set(line) <= {".", disc} for line in lines) for disc in "xo")
        assert state.evaluate()[0] == pytest.approx((first - second) / LINES)
        state.apply(chance.choice(state.legal_actions()))


@pytest.mark.parametrize(
    "rows",
    [
        None,
        [EMPTY] * 5,
        [*[EMPTY] * 5, "......"],
        [*[EMPTY] * 5, "....z.."],
        [*[EMPTY] * 4, "x......", EMPTY],
        [*[EMPTY] * 5, "xx....."],
        [*[EMPTY] * 5, "o......"],
        [*[EMPTY] * 4, "ooo....", "xxxxo.."],
        [*[EMPTY] * 4, "oooo...", "xxxx..."],
    ],
    ids=["none", "rows", "columns", "letter", "floating", "too many", "wrong start", "after the end", "two winners"],
)
def test_boards_that_can_not_come_about_are_refused(rows: Any) -> None:
    with pytest.raises(InvalidStateError, match="board"):
        game.state_from_json({"board": rows})


def test_mcts_wins_where_it_can_and_defends_where_it_must() -> None:
    agent = MCTS(epsilon=0.0, rollout_turns=-1, memory_mb=8).on(game)
    assert agent.plan(played("001122"), "2000its").actions == (3,)
    assert agent.plan(played("60616"), "2000its").actions == (6,)


def played(moves: str) -> State:
    """The state after some columns, from the start."""
    state = game.initial_state()
    for column in moves:
        state.apply(int(column))
    return state


def rows_of(state: State) -> list[str]:
    return str(state).split("\n")


def lines_of(rows: list[str]) -> list[str]:
    """All lines of four squares, as text."""
    lines = []
    for row in range(ROWS):
        for column in range(COLUMNS):
            for down, right in ((0, 1), (1, 0), (1, 1), (1, -1)):
                squares = [(row + i * down, column + i * right) for i in range(4)]
                if all(0 <= r < ROWS and 0 <= c < COLUMNS for r, c in squares):
                    lines.append("".join(rows[r][c] for r, c in squares))
    return lines


def winner_of(rows: list[str]) -> str | None:
    """Whose discs fill a line of four."""
    lines = lines_of(rows)
    return next((disc for disc in "xo" if disc * 4 in lines), None)
