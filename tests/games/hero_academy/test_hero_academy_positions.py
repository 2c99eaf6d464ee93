"""Positions, actions, maps and parameters that come from outside: read back unchanged, or refused with a sentence."""

from __future__ import annotations

import json
import math
import re
from pathlib import Path
from typing import Any

import pytest
from hero_academy_boards import count, game, json_positions, legal, position, random_play
from hypothesis import given, settings

from tactician.errors import InvalidParameterError, InvalidStateError, UnknownNameError
from tactician.games.hero_academy import MAPS, hero_academy

HUGE = 10**30

# -- positions -------------------------------------------------------------------------------------------------


@settings(deadline=None, max_examples=150)
@given(data=json_positions(least_ap=0))
def test_any_position_is_read_and_written_unchanged(data: dict[str, Any]) -> None:
    assert game().state_from_json(data).to_json() == data


@pytest.mark.parametrize("map_name", MAPS)
def test_every_state_of_a_game_survives_a_trip_through_json(map_name: str) -> None:
    for state in random_play(game(map=map_name), seed=6):
        again = game(map=map_name).state_from_json(json.loads(json.dumps(state.to_json())))
        assert again == state
        assert again.key() == state.key()


def test_finished_games_are_read_with_their_winner() -> None:
    data = position({(2, 1): "X"}).to_json() | {"terminal": True, "winner": 2}
    state = game().state_from_json(data)
    assert state.is_over()
    assert state.returns() == [-1, 1]
    assert state.to_json() == data


def test_units_may_be_written_in_any_order_and_equipment_too() -> None:
    data = position({(2, 1): "X", (3, 0): "K+RH"}).to_json()
    shuffled = {**data, "units": [[3, 0, 1, "K", 1100, "HR"], [2, 1, 1, "X", 4500, ""]]}
    assert game().state_from_json(shuffled).to_json() == data


def counts_with(index: int, value: Any) -> list[Any]:
    return [value if i == index else 0 for i in range(11)]


NO_CARDS = [0] * 11
KNIGHT = [3, 0, 1, "K", 1000, ""]
BAD_POSITIONS = [
    # field, bad value, what the refusal says
    ("turn", 0, "turn is 0; expected an integer from 1"),
    ("turn", -3, "turn is -3"),
    ("turn", "1", "turn is '1'"),
    ("turn", 1.0, "turn is 1.0"),
    ("turn", True, "turn is True"),
    ("turn", None, "turn is None"),
    ("turn", math.nan, "turn is nan"),
    ("turn", HUGE, "turn is 1000"),
    ("player", 3, "player is 3; expected an integer from 1 to 2"),
    ("player", 0, "player is 0"),
    ("player", 2, "player is 2 in turn 1; expected 1 on odd turns, 2 on even"),
    ("ap", -1, "ap is -1; expected an integer from 0 to 5"),
    ("ap", 6, "ap is 6; expected an integer from 0 to 5"),
    ("ap", math.inf, "ap is inf"),
    ("ap", HUGE, "ap is 1000"),
    ("terminal", 0, "terminal is 0; expected true or false"),
    ("terminal", "false", "terminal is 'false'"),
    ("winner", 1, "winner is 1 although terminal is false; expected null"),
    ("units", {}, "units is {}; expected a list"),
    ("units", None, "units is None"),
    ("units", [5], "units[0] is 5; expected [x, y, owner, class, hp, equipment]"),
    ("units", [KNIGHT, KNIGHT[:5]], "units[1] is [3, 0, 1, 'K', 1000]; expected [x, y"),
    ("units", [[9, 0, 1, "K", 1000, ""]], "units[0] x is 9; expected an integer from 0 to 8"),
    ("units", [[3, 5, 1, "K", 1000, ""]], "units[0] y is 5; expected an integer from 0 to 4"),
    ("units", [[3, -1, 1, "K", 1000, ""]], "units[0] y is -1"),
    ("units", [[0.0, 0, 1, "K", 1000, ""]], "units[0] x is 0.0"),
    ("units", [[HUGE, 0, 1, "K", 1000, ""]], "units[0] x is 1000"),
    ("units", [[3, 0, 0, "K", 1000, ""]], "units[0] owner is 0; expected an integer from 1 to 2"),
    ("units", [[3, 0, True, "K", 1000, ""]], "units[0] owner is True"),
    ("units", [[3, 0, 1, "Z", 1000, ""]], "units[0] has the class 'Z'; expected one of KACWNX"),
    ("units", [[3, 0, 1, "k", 1000, ""]], "units[0] has the class 'k'"),
    ("units", [[3, 0, 1, "", 1000, ""]], "units[0] has the class ''"),
    ("units", [[3, 0, 1, "KA", 1000, ""]], "units[0] has the class 'KA'"),
    ("units", [[3, 0, 1, 0, 1000, ""]], "units[0] has the class 0"),
    ("units", [[3, 0, 1, "K", 1001, ""]], "units[0] hp of a knight is 1001; expected an integer from 0 to 1000"),
    ("units", [[3, 0, 1, "W", 881, "DR"]], "units[0] hp of a wizard is 881; expected an integer from 0 to 880"),
    ("units", [[3, 0, 1, "K", -1, ""]], "units[0] hp of a knight is -1"),
    ("units", [[3, 0, 1, "K", 1.5, ""]], "units[0] hp of a knight is 1.5"),
    ("units", [[3, 0, 1, "K", math.nan, ""]], "units[0] hp of a knight is nan"),
    ("units", [[3, 0, 1, "K", HUGE, ""]], "units[0] hp of a knight is 1000"),
    ("units", [[3, 0, 1, "X", 0, ""]], "units[0] hp of a crystal is 0; expected an integer from 1 to 4500"),
    ("units", [[3, 0, 1, "X", 4501, ""]], "units[0] hp of a crystal is 4501"),
    ("units", [[3, 0, 1, "X", 4500, "R"]], "units[0] is a crystal with the equipment 'R'; expected none"),
    ("units", [[3, 0, 1, "K", 1000, "Q"]], "units[0] has the equipment 'Q'; expected some of RSDH, once each"),
    ("units", [[3, 0, 1, "K", 1000, "RR"]], "units[0] has the equipment 'RR'"),
    ("units", [[3, 0, 1, "K", 1000, None]], "units[0] has the equipment None"),
    ("units", [KNIGHT, [3, 0, 2, "W", 5, ""]], "units[1] stands on (3, 0), where another unit stands already"),
    ("hands", [NO_CARDS], "hands has 1 entry; expected a list of 2"),
    ("hands", None, "hands is None; expected a list of 2"),
    ("hands", [NO_CARDS, NO_CARDS, NO_CARDS], "hands has 3 entries"),
    ("hands", [NO_CARDS, [0] * 10], "hands[1] has 10 entries; expected a list of 11"),
    ("hands", [counts_with(2, -1), NO_CARDS], "hands[0][2] is -1; expected an integer from 0 to 99"),
    ("hands", [counts_with(2, 100), NO_CARDS], "hands[0][2] is 100"),
    ("hands", [NO_CARDS, counts_with(10, 1.0)], "hands[1][10] is 1.0"),
    ("hands", [NO_CARDS, counts_with(0, HUGE)], "hands[1][0] is 1000"),
    ("decks", [NO_CARDS, counts_with(0, None)], "decks[1][0] is None"),
    ("decks", [[99, 99, 99] + [0] * 8, NO_CARDS], "have 297 cards, 99 of a kind; expected at most 255, 99 of a kind"),
    ("decks", "none", "decks is 'none'"),
    ("seeds", [1], "seeds has 1 entry; expected a list of 2"),
    ("seeds", [1, -1], "seeds[1] is -1; expected an integer from 0 to 2147483647"),
    ("seeds", [2**31, 1], "seeds[0] is 2147483648"),
    ("seeds", [0.5, 1], "seeds[0] is 0.5"),
    ("hidden", [0, 1], "hidden is [0, 1] in a game with open information"),
    ("hidden", 3, "hidden is 3; expected a list of 2"),
    ("weather", "fine", "state has an unknown field 'weather'"),
]


@pytest.mark.parametrize(("field", "value", "sentence"), BAD_POSITIONS)
def test_a_bad_field_is_refused_by_name(field: str, value: Any, sentence: str) -> None:
    data = position({}).to_json() | {field: value}
    with pytest.raises(InvalidStateError, match=re.escape(sentence)):
        game().state_from_json(data)


def test_no_more_cards_can_be_hidden_than_a_deck_holds() -> None:
    data = position({}).to_json() | {"hidden": [0, 1]}
    with pytest.raises(InvalidStateError, match=re.escape("hidden[1] is 1; expected an integer from 0 to 0")):
        hero_academy(information="hidden").state_from_json(data)


@pytest.mark.parametrize("winner", [None, 3, -1, True, "1"])
def test_a_finished_game_needs_a_winner_or_a_draw(winner: Any) -> None:
    with pytest.raises(InvalidStateError, match=re.escape(f"winner is {winner!r}; expected an integer from 0 to 2")):
        game().state_from_json(position({}).to_json() | {"terminal": True, "winner": winner})


@pytest.mark.parametrize("field", position({}).to_json())
def test_a_missing_field_is_refused_by_name(field: str) -> None:
    data = {name: value for name, value in position({}).to_json().items() if name != field}
    with pytest.raises(InvalidStateError, match=f"state lacks the field '{field}'"):
        game().state_from_json(data)


@pytest.mark.parametrize("data", [None, 5, [], "state", [1, 2]])
def test_what_is_not_an_object_is_no_position(data: Any) -> None:
    with pytest.raises(InvalidStateError, match="expected an object with turn, player, ap"):
        game().state_from_json(data)


def test_refusals_stay_short_however_long_the_bad_value_is() -> None:
    with pytest.raises(InvalidStateError) as refusal:
        game().state_from_json(position({}).to_json() | {"turn": "x" * 100_000})
    assert len(str(refusal.value)) < 200


def test_squares_and_points_are_judged_by_the_games_own_map_and_points() -> None:
    small = game(map="a-tiny", action_points=2, first_turn_points=4)
    assert small.state_from_json(position({(4, 2): "k"}, ap=4).to_json()).to_json()["ap"] == 4
    with pytest.raises(InvalidStateError, match=r"units\[0\] x is 5; expected an integer from 0 to 4"):
        small.state_from_json(position({(5, 2): "k"}, ap=4).to_json())
    with pytest.raises(InvalidStateError, match="ap is 5; expected an integer from 0 to 4"):
        small.state_from_json(position({}, ap=5).to_json())


# -- actions ---------------------------------------------------------------------------------------------------


def test_actions_survive_a_trip_through_json() -> None:
    for state in random_play(game(), seed=9, steps=200):
        for action in state.legal_actions():
            assert game().action_from_json(json.loads(json.dumps(game().action_to_json(action)))) == action


def test_actions_have_names_that_people_understand() -> None:
    state = position({(3, 2): "C", (4, 2): "k=0", (4, 3): "K=5", (3, 1): "N", (5, 2): "w"}, hand="KIPR", deck="H")
    names = {tuple(game().action_to_json(a)): state.action_name(a) for a in state.legal_actions()}
    assert names["E",] == "end turn"
    assert names["X", "R"] == "swap the runemetal card"
    assert names["D", "K", 0, 4] == "deploy knight on (0,4)"
    assert names["D", "I", 5, 2] == "inferno on (5,2)"
    assert names["D", "P", 4, 3] == "revive potion for knight on (4,3)"
    assert names["U", "M", 3, 2, 2, 2] == "cleric (3,2) moves to (2,2)"
    assert names["U", "H", 3, 2, 4, 3] == "cleric (3,2) heals knight (4,3)"
    assert names["U", "A", 3, 2, 5, 2] == "cleric (3,2) attacks wizard (5,2)"
    assert names["U", "S", 3, 1, 4, 3] == "ninja (3,1) changes places with knight (4,3)"
    assert len(set(names.values())) == len(legal(state))


BAD_ACTIONS: list[tuple[Any, str]] = [
    (None, "action is None; expected"),
    (5, "action is 5"),
    ("E", "action is 'E'"),
    ([], "action is []"),
    (["E", 1], "action is ['E', 1]"),
    (["X"], "action is ['X']"),
    (["X", "Q"], "has the card 'Q'; expected one of KACWNIPRSDH"),
    (["X", "KA"], "has the card 'KA'"),
    (["X", ""], "has the card ''"),
    (["X", 1], "has the card 1"),
    (["D", "K", 9, 0], "has the square (9, 0); expected 0..8, 0..4"),
    (["D", "K", 0, -1], "has the square (0, -1)"),
    (["D", "K", 0.0, 1], "has the square (0.0, 1)"),
    (["D", "K", True, 1], "has the square (True, 1)"),
    (["D", "K", 0, HUGE], "has the square (0, 1000"),
    (["U", "Q", 0, 0, 1, 1], "action is ['U', 'Q'"),
    (["U", ["M"], 0, 0, 1, 1], "action is ['U', ['M']"),
    (["U", "M", 0, 0, 1], "action is ['U', 'M', 0, 0, 1]"),
    (["U", "M", 0, 0, 1, 5], "has the square (1, 5)"),
]


@pytest.mark.parametrize(("action", "sentence"), BAD_ACTIONS)
def test_a_bad_action_is_refused_with_what_is_wrong_with_it(action: Any, sentence: str) -> None:
    with pytest.raises(InvalidStateError, match=re.escape(sentence)):
        game().action_from_json(action)


# -- maps ------------------------------------------------------------------------------------------------------

TINY = "d0S0P\nc0A0C\nP0S0D\n"


def test_the_papers_map_is_the_default() -> None:
    assert game() == game(map="a") == game(map=MAPS["a"])
    assert list(MAPS) == ["a", "a-small", "a-tiny"]


def test_a_map_may_be_text_rows_or_a_file_with_comments_and_dots(tmp_path: Path) -> None:
    file = tmp_path / "small.map"
    file.write_text("# deploy in opposite corners\n\n  d.S.P\n  c.A.C\n\n# one more row\n  P.S.D\n", encoding="utf-8")
    tiny = game(map="a-tiny")
    for source in (
        TINY,
        TINY.split(),
        tuple(TINY.split()),
        file,
        str(file),
        TINY.replace("0", "."),
        TINY.replace("\n", "\r\n"),
    ):
        assert hero_academy(map=source) == tiny


BAD_MAPS: list[tuple[Any, str]] = [
    ("b", "map 'b' is neither one of a, a-small, a-tiny nor a readable file"),
    ("", "map '' is neither one of"),
    ("nowhere/no.map", "map 'nowhere/no.map' is neither"),
    ("a\0b", "is neither one of"),
    (Path("no.map"), "map 'no.map' is neither"),
    (Path(), "map '.' is neither"),
    (None, "map is None; expected a name, a file or a list of rows"),
    (5, "map is 5; expected"),
    ({"rows": 1}, "map is {'rows': 1}; expected"),
    ([], "map has no rows; expected lines of the letters"),
    ("\n\n", "map has no rows"),
    ("# nothing\n# here\n", "map has no rows"),
    (["d0D", None], "map: row 2 is None; expected letters of"),
    (["", ""], "map: row 1 is ''"),
    (["d00D", "c0C"], "map: row 2 has 3 squares; expected 4 as in row 1"),
    (["d0D", "c#C"], "map: row 2 has '#'; expected letters of dDcCSAP0."),
    (["d0D", "c C"], "map: row 2 has ' '"),
    (["d0D", "xyz"], "map: row 2 has 'x'"),
    (["d0D", "00C"], "map has no crystal of player 1; expected at least one 'c'"),
    (["d0D", "c00"], "map has no crystal of player 2; expected at least one 'C'"),
    (["00D", "c0C"], "map has no deploy square of player 1; expected at least one 'd'"),
    (["d00", "c0C"], "map has no deploy square of player 2; expected at least one 'D'"),
    (["d0000000D", *["c0000000C"] * 7], "map has 9×8 squares; expected at most 64"),
    (["dc" + "0" * 61 + "CD"], "map has 65×1 squares"),
]


@pytest.mark.parametrize(("source", "sentence"), BAD_MAPS)
def test_a_bad_map_is_refused_with_what_is_wrong_with_it(source: Any, sentence: str) -> None:
    with pytest.raises(InvalidParameterError, match=re.escape(sentence)):
        hero_academy(map=source)


def test_a_bad_map_file_is_named_in_the_refusal(tmp_path: Path) -> None:
    file = tmp_path / "bad.map"
    file.write_text("d0D\nc0X\n", encoding="utf-8")
    with pytest.raises(InvalidParameterError, match=re.escape(f"map {str(file)!r}: row 2 has 'X'")):
        hero_academy(map=file)
    file.write_bytes(b"\xff\xfe\x00d")
    with pytest.raises(InvalidParameterError, match="nor a readable file"):
        hero_academy(map=file)


@pytest.mark.parametrize("rows", [["dc" + "0" * 60 + "CD"], [*"dc00000CD"], ["dcCD"]])
def test_a_board_may_have_any_shape_up_to_64_squares(rows: list[str]) -> None:
    for state in random_play(hero_academy(map=rows), seed=1, steps=120):
        assert state.is_over() or legal(state)


# -- parameters ------------------------------------------------------------------------------------------------

BAD_PARAMETERS: list[tuple[str, Any, str]] = [
    ("action_points", 0, "action_points is 0; expected an integer from 1 to 100"),
    ("action_points", 101, "action_points is 101"),
    ("action_points", 5.0, "action_points is 5.0"),
    ("action_points", "5", "action_points is '5'"),
    ("action_points", True, "action_points is True"),
    ("action_points", math.nan, "action_points is nan"),
    ("action_points", HUGE, "action_points is 1000"),
    ("first_turn_points", 0, "first_turn_points is 0; expected an integer from 1 to 100"),
    ("first_turn_points", None, "first_turn_points is None"),
    ("turn_limit", 0, "turn_limit is 0; expected an integer from 1 to 30000"),
    ("turn_limit", 30_001, "turn_limit is 30001"),
    ("hand_size", 0, "hand_size is 0; expected an integer from 1 to 30"),
    ("hand_size", 31, "hand_size is 31"),
    ("hand_size", 2, "no opening hand of 2 cards of this deck has exactly 3 unit cards"),
    ("deck", "huge", "deck is 'huge'; expected one of standard, small, tiny"),
    ("deck", None, "deck is None; expected 11 counts from 0 to 99"),
    ("deck", 5, "deck is 5"),
    ("deck", [1] * 10, "deck is [1, 1, 1, 1, 1, 1, 1, 1, 1, 1]; expected 11 counts from 0 to 99"),
    ("deck", [1.5] * 11, "deck is [1.5"),
    ("deck", [True] * 11, "deck is [True"),
    ("deck", [-1] * 11, "deck is [-1"),
    ("deck", [100] + [0] * 10, "deck is [100"),
    ("deck", [20] * 11, "deck has 220 cards; expected at most 120"),
    ("deck", [0] * 11, "no opening hand of 6 cards of this deck has exactly 3 unit cards"),
    ("draws", "random", "draws is 'random'; expected one of deterministic, shuffled"),
    ("information", "secret", "information is 'secret'; expected one of open, hidden"),
    ("evaluation", "best", "evaluation is 'best'; expected one of default, reference, paper"),
    ("evaluation", None, "evaluation is None"),
    ("rating", "default", "rating is 'default'; expected one of paper, reference"),
    ("prune", "no", "prune is 'no'; expected True or False"),
    ("swaps", "none", "swaps is 'none'; expected one of paper, reference"),
    ("weights", ["win"], "weights are ['win']; expected a mapping from names to numbers"),
]


@pytest.mark.parametrize(("name", "value", "sentence"), BAD_PARAMETERS)
def test_a_bad_parameter_is_refused_by_name(name: str, value: Any, sentence: str) -> None:
    with pytest.raises(InvalidParameterError, match=re.escape(sentence)):
        hero_academy(**{name: value})


def test_an_unknown_weight_is_refused_by_name() -> None:
    with pytest.raises(UnknownNameError, match="'luck'"):
        hero_academy(weights={"luck": 1})


@pytest.mark.parametrize("seeds", [5, [1], [1, 2, 3], ["1", "2"], [1.0, 2.0], [-1, 2], [2**31, 1], [True, False]])
def test_bad_deck_seeds_are_refused(seeds: Any) -> None:
    with pytest.raises(InvalidParameterError, match=r"deck_seeds are .*; expected two integers from 0 to 2147483647"):
        game().initial_state(deck_seeds=seeds)


def test_unknown_options_of_the_start_are_refused() -> None:
    with pytest.raises(UnknownNameError, match="option of the start of 'hero-academy': 'hands'"):
        game().initial_state(hands=[count("K")])


def test_large_parameters_work() -> None:
    large = hero_academy(
        action_points=100, first_turn_points=100, turn_limit=30_000, deck=(30, 0, 0, 0, 0, 60, 0, 0, 0, 0, 30)
    )
    state = large.initial_state(1)
    for _ in range(100):
        assert not state.is_over()
        state.apply(state.legal_actions()[0])
    assert state.to_json()["ap"] == 0
    assert state.legal_actions() == [0]


def test_games_are_equal_if_their_parameters_are() -> None:
    assert hero_academy() == hero_academy()
    assert hash(hero_academy()) == hash(hero_academy())
    assert hero_academy() != hero_academy(turn_limit=200)
    assert hero_academy() != hero_academy(information="hidden")
