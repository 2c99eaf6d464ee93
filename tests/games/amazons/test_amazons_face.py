"""What people and files see: parameters, JSON, names, drawings."""

from __future__ import annotations

import json
import random
import xml.etree.ElementTree as ElementTree
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from rich.text import Text

from tactician.contract import Game, State
from tactician.errors import InvalidGameError, InvalidParameterError, InvalidStateError, UnknownNameError
from tactician.games.amazons import amazons, library, plain_amazons
from tactician.games.amazons.records import State as StateRecord

FACTORIES = [amazons, plain_amazons]


def some_states(game: Game, seed: int, steps: int = 10_000) -> list[State]:
    chance, state = random.Random(seed), game.initial_state()
    states = [state.copy()]
    while not state.is_over() and len(states) <= steps:
        state.apply(chance.choice(state.legal_actions()))
        states.append(state.copy())
    return states


# -- start positions and parameters --------------------------------------------------------------------------


def test_the_standard_start_is_the_well_known_one() -> None:
    game = amazons()
    start = game.initial_state()
    assert start.to_json() == {
        "board": [
            "...B..B...",
            "..........",
            "..........",
            "B........B",
            "..........",
            "..........",
            "W........W",
            "..........",
            "..........",
            "...W..W...",
        ],
        "player": "white",
        "phase": "choose",
        "chosen": None,
    }
    assert {game.action_to_json(a) for a in start.legal_actions()} == {"d1", "g1", "a4", "j4"}


@pytest.mark.parametrize("size", range(3, 17))
def test_starts_look_the_same_from_both_sides(size: int) -> None:
    for queens in (1, 2, 4) if size > 3 else (1, 2):
        board = "".join(amazons(size, queens).initial_state().to_json()["board"])
        assert board.count("W") == queens
        assert board[::-1].translate(str.maketrans("WB", "BW")) == board


def test_a_state_is_48_bytes_on_any_board() -> None:
    assert StateRecord.itemsize == 48
    assert amazons(16).state_bytes == amazons(3).state_bytes == 48


@pytest.mark.parametrize("make", FACTORIES)
@pytest.mark.parametrize("size", [2, 17, 0, -1, 10.0, "10", True, None])
def test_a_bad_size_is_refused_by_name_and_range(make: Callable[..., Game], size: Any) -> None:
    with pytest.raises(InvalidParameterError, match=r"size .* expected an integer from 3 to 16\."):
        make(size)


@pytest.mark.parametrize("make", FACTORIES)
@pytest.mark.parametrize(("size", "queens"), [(10, 0), (10, 3), (10, 5), (3, 4), (6, 2.0), (6, True), (6, "4")])
def test_a_bad_number_of_queens_is_refused(make: Callable[..., Game], size: int, queens: Any) -> None:
    with pytest.raises(InvalidParameterError, match=r"queens .* expected 1"):
        make(size, queens)


@pytest.mark.parametrize("make", FACTORIES)
def test_a_start_may_be_given_as_text_or_rows(make: Callable[..., Game]) -> None:
    game = make(4, 1)
    text = """
        ...B
        .xx.
        .xx.
        W...
    """
    rows = ["...B", ".xx.", ".xx.", "W..."]
    assert game.initial_state(start=text) == game.initial_state(start=rows)
    assert game.initial_state(start=rows).to_json()["board"] == rows


@pytest.mark.parametrize("make", FACTORIES)
@pytest.mark.parametrize(
    ("start", "words"),
    [
        (["...B", "....", "W..."], "start has 3 rows; expected 4 rows of 4 letters"),
        ("...B .... .... W..", "start has 3 letters in row 4"),
        ("...B ..Q. .... W...", "start has the letter 'Q' in row 2"),
        ("...B .... .... WW..", "start has the letter 'W' 2 times; expected 1"),
        (7, "start is 7; expected 4 rows"),
        ([["B", "."], "", "", ""], "start is "),
    ],
)
def test_a_bad_start_is_refused_by_field(make: Callable[..., Game], start: Any, words: str) -> None:
    with pytest.raises(InvalidStateError, match=words):
        make(4, 1).initial_state(start=start)


@pytest.mark.parametrize("make", FACTORIES)
def test_an_unknown_start_option_is_refused(make: Callable[..., Game]) -> None:
    with pytest.raises(UnknownNameError, match="handicap"):
        make(4).initial_state(handicap=1)


# -- JSON ----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("make", FACTORIES)
@pytest.mark.parametrize(("size", "queens"), [(3, 1), (6, 2), (10, 4), (16, 4)])
def test_states_survive_the_round_trip_through_json(make: Callable[..., Game], size: int, queens: int) -> None:
    game = make(size, queens)
    for state in some_states(game, seed=size, steps=120):
        text = json.dumps(state.to_json())
        assert game.state_from_json(json.loads(text)) == state


@settings(deadline=None, max_examples=25)
@given(seed=st.integers(0, 2**32), steps=st.integers(0, 60))
def test_a_state_of_one_version_is_a_state_of_the_other(seed: int, steps: int) -> None:
    fast, slow = amazons(6), plain_amazons(6)
    state = some_states(fast, seed, steps)[-1]
    twin = slow.state_from_json(state.to_json())
    assert fast.state_from_json(twin.to_json()) == state
    assert twin.legal_actions() == state.legal_actions()


def test_actions_are_squares_by_name() -> None:
    game = amazons(16, 4)
    assert [game.action_to_json(a) for a in (0, 15, 240, 255)] == ["a16", "p16", "a1", "p1"]
    assert all(game.action_from_json(game.action_to_json(a)) == a for a in range(256))


@pytest.mark.parametrize("make", FACTORIES)
@pytest.mark.parametrize("data", ["z9", "a0", "a11", "k1", "", "a01", "A1", 3, None, ["a1"], {}])
def test_a_bad_square_is_refused(make: Callable[..., Game], data: Any) -> None:
    with pytest.raises(InvalidStateError, match=r"action is .*; expected a square from 'a1' to 'j10'\."):
        make().action_from_json(data)


@pytest.mark.parametrize("action", [-1, 100])
def test_a_code_outside_the_board_has_no_name(action: int) -> None:
    with pytest.raises(InvalidStateError, match="from 0 to 99"):
        amazons().action_to_json(action)


GOOD = {"board": ["B.x", "...", "x.W"], "player": "white", "phase": "move", "chosen": "c1"}


@pytest.mark.parametrize("make", FACTORIES)
@pytest.mark.parametrize(
    ("change", "words"),
    [
        ({"board": ["B.x", "..."]}, "board has 2 rows; expected 3 rows of 3 letters"),
        ({"board": ["B.x", "....", "x.W"]}, "board has 4 letters in row 2"),
        ({"board": ["B.x", ".?.", "x.W"]}, r"board has the letter '\?' in row 2"),
        ({"board": ["B.x", "...", "x.x"]}, "board has the letter 'W' 0 times; expected 1"),
        ({"board": ["B.x", ".B.", "x.W"]}, "board has the letter 'B' 2 times; expected 1"),
        ({"board": "B.x...x.W"}, "board is 'B.x...x.W'"),
        ({"board": None}, "board is None"),
        ({"board": [1, 2, 3]}, "board is "),
        ({"player": "red"}, "player is 'red'; expected one of white, black"),
        ({"player": 0}, "player is 0"),
        ({"player": ["white"]}, "player is "),
        ({"phase": "think"}, "phase is 'think'; expected one of choose, move, shoot"),
        ({"phase": "choose"}, "chosen is 'c1'; expected null"),
        ({"chosen": None}, "chosen is None; expected a square"),
        ({"chosen": "d1"}, "chosen is 'd1'; expected a square from 'a1' to 'c3'"),
        ({"chosen": "a3"}, "chosen is 'a3', where no queen of white stands"),
        ({"board": ["B.x", ".xx", ".xW"]}, "chosen is 'c1', a queen that can't move"),
        ({"turn": 3}, "unknown field 'turn'"),
    ],
)
def test_a_bad_state_is_refused_by_field(make: Callable[..., Game], change: dict[str, Any], words: str) -> None:
    game = make(3, 1)
    assert game.state_from_json(GOOD).to_json() == GOOD
    with pytest.raises(InvalidStateError, match=words):
        game.state_from_json({**GOOD, **change})


@pytest.mark.parametrize("make", FACTORIES)
@pytest.mark.parametrize("field", list(GOOD))
def test_a_missing_field_is_named(make: Callable[..., Game], field: str) -> None:
    with pytest.raises(InvalidStateError, match=f"lacks the field '{field}'"):
        make(3, 1).state_from_json({name: value for name, value in GOOD.items() if name != field})


@pytest.mark.parametrize("make", FACTORIES)
@pytest.mark.parametrize("data", [None, 3, "x", [], [GOOD]])
def test_a_state_must_be_an_object(make: Callable[..., Game], data: Any) -> None:
    with pytest.raises(InvalidStateError, match="expected an object with board, player, phase, chosen"):
        make(3, 1).state_from_json(data)


# -- drawings ------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("make", "size"), [(amazons, 3), (amazons, 10), (amazons, 16), (plain_amazons, 6)])
def test_drawings_are_well_formed(make: Callable[..., Game], size: int) -> None:
    for state in some_states(make(size), seed=1, steps=40):
        root = ElementTree.fromstring(state.svg())
        assert root.tag.endswith("svg")
        text = Text.from_markup(state.text()).plain
        assert len(text.splitlines()) == size + 2
        rows = [line[3:].replace(" ", "").replace("+", ".") for line in text.splitlines()[:size]]
        assert rows == state.to_json()["board"]


def test_the_drawing_shows_queens_arrows_the_chosen_one_and_where_she_can_go() -> None:
    game = amazons(3, 1)
    state = game.state_from_json(GOOD)
    assert str(state).splitlines() == [" 3 B . x", " 2 . + +", " 1 x + W", "   a b c", "White moves the queen on c1"]
    svg = state.svg()
    assert svg.count('data-part="queen:') == 2
    assert svg.count('data-part="square:') == 9
    assert svg.count('<g fill="none"') == 2  # burnt squares
    assert svg.count('r="7"') == 3  # a dot for each square in reach
    assert "White moves the queen on c1" in svg


def test_the_drawing_says_who_has_lost() -> None:
    state = amazons(3, 1).initial_state(start="Wx. xx. ..B")
    assert "White can't move and has lost" in str(state)


# -- the library ---------------------------------------------------------------------------------------------


def test_the_c_source_is_part_of_the_package_and_under_100_lines() -> None:
    assert library.SOURCE.parent == Path(library.__file__).parent
    assert len(library.SOURCE.read_text().splitlines()) < 100


def test_a_library_game_checks_its_parameters_and_its_file(library_path: Path, tmp_path: Path) -> None:
    with pytest.raises(InvalidParameterError, match="size is 2"):
        library.from_library(library_path, size=2)
    with pytest.raises(InvalidGameError, match="can't be loaded"):
        library.from_library(tmp_path / "nothing.so")


def test_weights_reach_the_library(library_path: Path) -> None:
    game = library.from_library(library_path, 3, 1).with_weights(mobility=2, liberty=0)
    assert game.initial_state(start="W.. ..x .xB").evaluate() == [8.0, -8.0]


def test_building_without_a_compiler_is_one_clear_sentence(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    with pytest.raises(
        InvalidGameError, match=r"no C compiler found to build amazons\.c; expected one of cc, gcc, clang\."
    ):
        library.build(tmp_path)


def test_a_compiler_that_fails_is_reported(library_path: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    broken = tmp_path / "broken.c"
    broken.write_text("this is not C\n")
    monkeypatch.setattr(library, "SOURCE", broken)
    with pytest.raises(InvalidGameError, match=r"can't build amazons\.c: .*error"):
        library.build(tmp_path)
    assert [path.name for path in tmp_path.iterdir()] == ["broken.c"]
