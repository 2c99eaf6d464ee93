"""Start positions, the JSON form, and what is refused."""

from __future__ import annotations

import json
from collections import Counter
from typing import Any

import pytest
from pommerman_boards import bomb, described, game, position

from tactician.errors import InvalidStateError

BOARDS = 150
FIXED_WOOD = {(r, c) for j in (4, 5, 6) for r, c in ((1, j), (j, 1), (9, j), (j, 9))}
CORNERS = [(1, 1), (9, 1), (9, 9), (1, 9)]
BREATHING_ROOM = {(1, 2), (1, 3), (2, 1), (3, 1), (9, 8), (9, 7), (8, 9), (7, 9)} | {
    (1, 8), (1, 7), (8, 1), (7, 1), (2, 9), (3, 9), (9, 2), (9, 3)
}  # fmt: skip


@pytest.fixture(scope="module")
def starts() -> list[dict[str, Any]]:
    return [game().initial_state(seed).to_json() for seed in range(BOARDS)]


def cells(start: dict[str, Any]) -> dict[tuple[int, int], int]:
    return {(r, c): int(digit, 16) for r, row in enumerate(start["board"]) for c, digit in enumerate(row)}


# -- start positions ---------------------------------------------------------------------------------------------


def test_every_board_has_the_same_numbers_of_everything(starts: list[dict[str, Any]]) -> None:
    for start in starts:
        assert Counter(cells(start).values()) == {0: 45, 1: 36, 2: 36, 10: 1, 11: 1, 12: 1, 13: 1}
        assert len(start["items"]) == 20
        assert all(cells(start)[r, c] == 2 and kind in (6, 7, 8) for r, c, kind in start["items"])


def test_agents_start_in_the_corners_with_one_weak_bomb(starts: list[dict[str, Any]]) -> None:
    assert starts[0]["agents"] == [[*corner, 1, 1, 2, 0] for corner in CORNERS]
    for start in starts:
        assert [cells(start)[corner] for corner in CORNERS] == [10, 11, 12, 13]


def test_walls_mirror_each_other_and_leave_the_diagonal_and_the_corners_free(starts: list[dict[str, Any]]) -> None:
    for start in starts:
        board = cells(start)
        assert all(board[r, c] == board[c, r] for r, c in board if max(board[r, c], board[c, r]) < 10)
        assert all(board[i, i] in (0, 10, 12) for i in range(11))
        assert all(board[cell] == 0 for cell in BREATHING_ROOM)
        assert all(board[cell] == 2 for cell in FIXED_WOOD)


def test_at_most_four_passages_are_out_of_reach(starts: list[dict[str, Any]]) -> None:
    for start in starts:
        board = cells(start)
        seen, todo = {(9, 9)}, [(9, 9)]
        while todo:
            r, c = todo.pop()
            for near in ((r - 1, c), (r + 1, c), (r, c - 1), (r, c + 1)):
                if near not in seen and board.get(near, 1) != 1:
                    seen.add(near)
                    todo.append(near)
        assert sum(value == 0 and cell not in seen for cell, value in board.items()) <= 4


def test_all_pairs_of_cells_and_all_kinds_of_items_are_about_equally_likely(starts: list[dict[str, Any]]) -> None:
    rigid = Counter(cell for start in starts for cell, value in cells(start).items() if value == 1)
    assert len(rigid) == 80
    assert all(0.3 < count / BOARDS < 0.6 for count in rigid.values())
    kinds = Counter(kind for start in starts for *_, kind in start["items"])
    assert all(abs(count / (20 * BOARDS) - 1 / 3) < 0.05 for count in kinds.values())
    hidden = Counter((r, c) for start in starts for r, c, _ in start["items"] if (r, c) in FIXED_WOOD)
    assert all(0.38 < hidden[cell] / BOARDS < 0.73 for cell in FIXED_WOOD)


def test_seeds_decide_the_board() -> None:
    assert game().initial_state(7) == game().initial_state(7)
    assert game().initial_state(7) != game().initial_state(8)


def test_a_state_is_well_below_two_kilobytes() -> None:
    assert game().state_bytes <= 1400


# -- JSON --------------------------------------------------------------------------------------------------------


def test_a_position_survives_json() -> None:
    data = described(
        "A.=b\n.#.B\nC..k",
        bombs=[bomb(5, 5, life=4, strength=7, owner=2, rolling="left"), bomb(0, 0)],
        flames=[[7, 7, 1], [7, 7, 0], [3, 3, 2]],
        items=[[0, 2, 6]],
        ammo={"A": 0, "B": 10},
        kick="C",
        t=99,
    )
    assert json.loads(json.dumps(game().state_from_json(data).to_json())) == data


def test_actions_have_a_json_form() -> None:
    assert [game().action_to_json(action) for action in range(6)] == list(range(6))
    radio = game(variant="radio")
    assert radio.action_to_json(radio.action_from_json([3, 8, 1])) == [3, 8, 1]
    assert radio.action_to_json(radio.action_from_json(4)) == [4, 0, 0]


@pytest.mark.parametrize("action", [6, -1, "up", None, True, 1.0, [1, 0, 0]])
def test_actions_outside_the_six_are_refused(action: Any) -> None:
    with pytest.raises(InvalidStateError, match=r"action is .*; expected an integer from 0 to 5\."):
        game().action_from_json(action)


@pytest.mark.parametrize(
    ("action", "sentence"),
    [
        ([6, 1, 1], "from 0 to 5"),
        ([1, 9, 1], "word of action .* is 9; expected an integer from 0 to 8"),
        ([1, 2], "expected .move, word, word."),
    ],
)
def test_radio_actions_are_checked_too(action: Any, sentence: str) -> None:
    with pytest.raises(InvalidStateError, match=sentence):
        game(variant="radio").action_from_json(action)


WRONG: list[tuple[dict[str, Any], str]] = [
    ({"board": ["0" * 11] * 10}, "board is 10 rows; expected 11 rows of 11 cells."),
    ({"board": ["0" * 8] * 8}, "board is 8 rows; expected 11 rows of 11 cells."),
    ({"board": ["0" * 11] * 10 + ["0" * 12]}, "board row 10 has 12 cells; expected 11 hexadecimal digits."),
    ({"board": 3}, "board is 3; expected 11 rows of 11 cells."),
    ({"board": ["a0bx0000000"] + ["0" * 11] * 10}, "board cell (0, 3) is 'x'; expected a value of this variant."),
    ({"board": ["a0b50000000"] + ["0" * 11] * 10}, "board cell (0, 3) is '5'; expected a value of this variant."),
    ({"board": ["a0000000000"] + ["0" * 11] * 10}, "agents[1] is at (0, 2) but the board shows it nowhere."),
    ({"board": ["a0bb0000000"] + ["0" * 11] * 10}, "agents[1] is at (0, 2) but the board shows it (0, 2), (0, 3)."),
    ({"board": ["a0bc0000000"] + ["0" * 11] * 10}, "agents[2] is nowhere but the board shows it (0, 3)."),
    ({"t": 801}, "t is 801; expected an integer from 0 to 800."),
    ({"t": True}, "t is True; expected an integer from 0 to 800."),
    ({"agents": []}, "agents has 0 entries; expected a list of 4."),
    (
        {"agents": [[0, 0, 1, 1, 2]] * 4},
        "agents[0] is [0, 0, 1, 1, 2]; expected [row, column, alive, ammo, blast, kick].",
    ),
    ({"agents": [[0, 11, 1, 1, 2, 0]] * 4}, "agents[0] column is 11; expected an integer from 0 to 10."),
    ({"agents": [[-1, -1, 1, 1, 2, 0]] * 4}, "agents[0] row is -1; expected an integer from 0 to 10."),
    ({"agents": [[0, 0, 1, -1, 2, 0]] * 4}, "agents[0] ammo is -1; expected an integer from 0 to 99."),
    ({"agents": [[0, 0, 1, 1, 11, 0]] * 4}, "agents[0] blast is 11; expected an integer from 0 to 10."),
    ({"agents": [[0, 0, 1, 1, 2, 2]] * 4}, "agents[0] kick is 2; expected an integer from 0 to 1."),
    ({"bombs": [[5, 5, 9, 2, 0, 0]]}, "bombs[0] is at (5, 5) but the board shows no bomb there."),
    ({"bombs": [[0, 0, 0, 2, 0, 0]]}, "bombs[0] life is 0; expected an integer from 1 to 10."),
    ({"bombs": [[0, 0, 9, 2, 4, 0]]}, "bombs[0] owner is 4; expected an integer from -1 to 3."),
    ({"bombs": [[0, 0, 9, 2, 0, 5]]}, "bombs[0] direction is 5; expected an integer from 0 to 4."),
    ({"bombs": [[0, 0]]}, "bombs[0] is [0, 0]; expected [row, column, life, strength, owner, direction]."),
    ({"bombs": [[0, 0, 9, 2, 0, 0]] * 65}, "bombs has 65 entries; expected a list of 0 to 64."),
    ({"flames": [[5, 5, 1]]}, "flames[0] is at (5, 5) but the board shows no flames there."),
    ({"flames": [[5, 5]]}, "flames[0] is [5, 5]; expected [row, column, life]."),
    ({"flames": None}, "flames is None; expected a list of 0 to 363."),
    ({"items": [[5, 5, 5]]}, "items[0] kind is 5; expected an integer from 6 to 8."),
    ({"items": [[5, 5, 6], [5, 5, 7]]}, "items[1] is at (5, 5), where another item is hidden already."),
    ({"messages": [[0, 0]] * 4}, "state has messages in a variant without radio; expected no such field."),
    ({"winner": 1}, "state has an unknown field 'winner'; expected t, board, agents, bombs, flames, items."),
]


@pytest.mark.parametrize(("change", "sentence"), WRONG)
def test_what_is_no_position_is_refused_in_one_sentence(change: dict[str, Any], sentence: str) -> None:
    with pytest.raises(InvalidStateError) as refusal:
        game().state_from_json({**described("A.B"), **change})
    assert str(refusal.value) == sentence


def test_what_is_missing_is_named() -> None:
    with pytest.raises(InvalidStateError, match="state is 5; expected an object with t, board"):
        game().state_from_json(5)
    data = described("A.B")
    for name in list(data):
        with pytest.raises(InvalidStateError, match=f"state lacks the field '{name}'"):
            game().state_from_json({key: entry for key, entry in data.items() if key != name})


def test_players_walled_off_from_each_other_are_refused() -> None:
    with pytest.raises(InvalidStateError, match=r"player at \(0, 2\) can't be reached by the one at \(0, 0\)"):
        position("A#B\n##.")
    position("A=B\n##.")  # wood can be blown up


def test_messages_are_read_where_there_is_a_radio() -> None:
    radio, data = game(variant="radio"), described("A.B")
    assert radio.state_from_json({**data, "messages": [[1, 8]] * 4}).to_json()["messages"] == [[1, 8]] * 4
    for wrong in ([[1, 9]] * 4, [[1]] * 4, [[1, 2]]):
        with pytest.raises(InvalidStateError, match="messages"):
            radio.state_from_json({**data, "messages": wrong})
