"""What positions and actions are thought to be worth, in each reading, against slow twins; and the weights by name."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest
from hero_academy_boards import (
    CRYSTALS,
    Board,
    attack,
    end_turn,
    game,
    heal,
    json_positions,
    legal,
    move,
    play,
    position,
    random_play,
    rating,
)
from hero_academy_twin import Twin
from hypothesis import given, settings

from tactician.contract import Game, State
from tactician.contract.weight_files import WEIGHTS_FORMAT, read_document, read_weights
from tactician.errors import InvalidParameterError, UnknownNameError
from tactician.games.hero_academy import MAPS, hero_academy, weights
from tactician.games.hero_academy.weights import FITTED_POINTS

READINGS = ("default", "reference", "paper")


def value(board: Board, evaluation: str = "default", of: Game | None = None, **cards: Any) -> float:
    """Of a position for player 1."""
    return position(board, of=of or game(evaluation=evaluation), **cards).evaluate()[0]


# -- the three readings against their twins --------------------------------------------------------------------


def expected_values(data: Mapping[str, Any], reading: str, map_name: str = "a") -> list[float]:
    twin = Twin(dict(data), MAPS[map_name])
    if reading == "paper":
        return [twin.value_as_printed(player) for player in (1, 2)]
    return [twin.value_as_coded(player, bug=reading == "reference") for player in (1, 2)]


@pytest.mark.parametrize(
    ("reading", "map_name"), [*((reading, "a") for reading in READINGS), ("default", "a-small"), ("paper", "a-tiny")]
)
def test_evaluations_agree_with_the_twin_in_random_games(reading: str, map_name: str) -> None:
    for seed in range(2):
        for state in random_play(game(evaluation=reading, map=map_name), seed):
            assert state.evaluate() == expected_values(state.to_json(), reading, map_name)


@settings(deadline=None, max_examples=150)
@given(data=json_positions())
def test_evaluations_agree_with_the_twin_in_any_position(data: dict[str, Any]) -> None:
    for reading in READINGS:
        state = game(evaluation=reading).state_from_json(data)
        assert state.evaluate() == expected_values(data, reading)


@pytest.mark.parametrize("reading", ["default", "paper"])
def test_what_one_player_gains_the_other_loses(reading: str) -> None:
    for state in random_play(game(evaluation=reading), seed=1):
        assert sum(state.evaluate()) == 0


def test_the_reference_charges_player_two_for_its_own_infernos() -> None:
    """As coded: the sum of both values is twice the difference of the spells."""
    state = position({}, hand="I", enemy_hand="II", of=game(evaluation="reference"))
    assert state.evaluate() == [-750, -750]
    assert position({}, hand="I", enemy_hand="II").evaluate() == [-750, 750]
    assert position({}, hand="I", enemy_hand="II", of=game(evaluation="paper")).evaluate() == [0, 0]


# -- the parts of a value, as coded ----------------------------------------------------------------------------


def test_a_standing_unit_is_worth_its_hit_points_and_twice_its_maximum() -> None:
    assert value({(3, 1): "A=300"}) == 300 + 2 * 800
    assert value({(2, 1): "X=4000"}) == 4000 + 2 * 4500
    assert value({(3, 1): "a=300"}) == -300 - 2 * 800


def test_a_fallen_unit_is_worth_its_maximum_once() -> None:
    assert value({(3, 1): "A+R=0"}) == 800 + 60
    assert value({(2, 2): "A=0"}) == 800  # nothing for the power square


def test_the_maximum_is_counted_without_armour() -> None:
    assert value({(3, 1): "K+D"}) == 1100 + 2 * 1000 + 2 * 60


def test_squares_are_worth_something_to_those_who_stand_on_them() -> None:
    assert value({(4, 4): "K"}) - value({(3, 1): "K"}) == 120
    assert value({(4, 0): "A"}) - value({(3, 1): "A"}) == 80
    assert value({(6, 2): "W"}) - value({(3, 1): "W"}) == 100
    assert value({(0, 0): "N"}) - value({(3, 1): "N"}) == -75
    assert value({(8, 4): "n"}) - value({(3, 1): "n"}) == 75


@pytest.mark.parametrize("pile", ["hand", "deck"])
def test_cards_of_units_and_infernos_count_wherever_they_are(pile: str) -> None:
    def worth(letters: str) -> float:
        return value({}, hand=letters if pile == "hand" else "", deck=letters if pile == "deck" else "")

    assert worth("K") == 1750
    assert worth("AC") == 2800
    assert worth("I") == 750
    assert worth("PRSDH") == 0


def test_in_print_a_fallen_unit_is_worth_nothing_and_its_square_the_opposite() -> None:
    assert value({(3, 1): "A+RSDH=0"}, "paper") == 0
    assert value({(2, 2): "A=0"}, "paper") == -120
    assert value({(0, 0): "A=0"}, "paper") == 75


def test_in_print_a_standing_unit_counts_twice_its_printed_equipment() -> None:
    assert value({(3, 1): "W+RS"}, "paper") == 800 + 2 * 800 + 2 * (40 + 50)
    assert value({(3, 1): "K+R"}, "paper") == 1000 + 2 * 1000 - 2 * 50


def test_in_print_a_unit_card_counts_like_a_unit_that_stands_unhurt() -> None:
    assert value({}, "paper", hand="K", deck="W") == 3000 + 2400


@pytest.mark.parametrize("reading", READINGS)
def test_a_finished_game_is_worth_60000_to_the_winner(reading: str) -> None:
    board = {**CRYSTALS, (3, 0): "K", (5, 0): "k"}
    start = position(board, of=game(evaluation=reading))
    for winner, values in [(1, [60000, -60000]), (2, [-60000, 60000]), (0, [0, 0])]:
        over = start.game.state_from_json({**start.to_json(), "terminal": True, "winner": winner})
        assert over.evaluate() == values
        assert over.returns() == [v / 60000 for v in values]


@pytest.mark.parametrize("reading", READINGS)
def test_values_of_played_games_stay_in_the_declared_range(reading: str) -> None:
    judged = game(evaluation=reading)
    low, high = judged.value_range
    assert (low, high) == (-60000, 60000)
    for seed in range(3):
        assert all(low <= v <= high for state in random_play(judged, seed) for v in state.evaluate())


def test_the_greatest_lead_that_the_papers_game_allows_is_in_the_declared_range() -> None:
    """A whole team on the board in the best places, well equipped, against one crystal about to break."""
    squares = [(x, y) for x in (3, 5) for y in range(5)] + [(4, 0), (4, 4), (6, 2)]
    team = ["A+RSDH", "W+RSDH", "A+RDH", "K", "K", "K", "C", "C", "C", "W", "A", "W", "N"]
    board = dict(zip(squares, team, strict=True)) | {(2, 1): "X", (1, 3): "X", (7, 3): "x=1"}
    for reading in READINGS:
        assert 50_000 < value(board, reading, hand="II") < 60_000


# -- weights ---------------------------------------------------------------------------------------------------

WEIGHT_SHOWN_BY = [
    # weight, a board or cards where it counts, how often
    ("hit_point", {(3, 1): "A=300"}, 300),
    ("standing", {(3, 1): "A=300"}, 800),
    ("standing_gear", {(3, 1): "A+R"}, 60),
    ("standing_square", {(2, 2): "A"}, 120),
    ("fallen", {(3, 1): "A+D=0"}, 800),
    ("fallen_gear", {(3, 1): "A+R=0"}, 60),
    ("fallen_square", {(2, 2): "A=0"}, 120),
    ("crystal", {(2, 1): "X"}, 4500),
    ("card", "K", 1000),
    ("inferno", "II", 2),
]


@pytest.mark.parametrize(("name", "where", "times"), WEIGHT_SHOWN_BY)
def test_each_general_weight_changes_what_it_says(name: str, where: str | Board, times: int) -> None:
    plain, heavier = game(), game().with_weights(**{name: game().weights[name] + 1})
    board, hand = ({}, where) if isinstance(where, str) else (where, "")
    assert value(board, of=heavier, hand=hand) - value(board, of=plain, hand=hand) == times


SQUARES = {"assault": (4, 4), "defense": (4, 0), "power": (2, 2), "deploy": (0, 0)}
GEAR = {"runemetal": "R", "scroll": "S", "dragonscale": "D", "shining_helm": "H"}
CLASSES = {"knight": "K", "archer": "A", "cleric": "C", "wizard": "W", "ninja": "N"}


@pytest.mark.parametrize("place", SQUARES)
@pytest.mark.parametrize("unit", CLASSES)
def test_each_weight_of_a_square_counts_for_its_class_there(unit: str, place: str) -> None:
    name = f"{unit}_on_{place}"
    heavier = game().with_weights(**{name: game().weights[name] + 7})
    for other, letter in CLASSES.items():
        for square in SQUARES.values():
            gain = value({square: letter}, of=heavier) - value({square: letter})
            assert gain == (7 if other == unit and square == SQUARES[place] else 0)


@pytest.mark.parametrize("gear", GEAR)
@pytest.mark.parametrize("unit", CLASSES)
def test_each_weight_of_equipment_counts_twice_for_its_class(unit: str, gear: str) -> None:
    name = f"{unit}_with_{gear}"
    heavier = game().with_weights(**{name: game().weights[name] + 7})
    for other, letter in CLASSES.items():
        for item in GEAR.values():
            gain = value({(3, 1): f"{letter}+{item}"}, of=heavier) - value({(3, 1): f"{letter}+{item}"})
            assert gain == (14 if other == unit and item == GEAR[gear] else 0)


def test_the_weight_of_a_win_sets_the_range() -> None:
    dear = game().with_weights(win=90000)
    assert dear.value_range == (-90000, 90000)
    won = position({(2, 1): "X", (6, 1): "x=1", (4, 1): "A", (8, 0): "k"}, of=dear)
    assert attack(won, (4, 1), (6, 1)).evaluate() == [90000, -90000]


def test_weights_are_named_after_what_they_weigh() -> None:
    names = set(game().weights)
    assert names == {
        *("win", "hit_point", "standing", "standing_gear", "standing_square", "fallen", "fallen_gear", "fallen_square"),
        *("crystal", "card", "inferno"),
        *(f"{unit}_on_{square}" for unit in CLASSES for square in SQUARES),
        *(f"{unit}_with_{gear}" for unit in CLASSES for gear in GEAR),
    }
    assert game().weights["archer_on_power"] == 120
    assert game(evaluation="paper").weights["card"] == 3


def test_weights_may_be_given_when_the_game_is_made() -> None:
    assert hero_academy(weights={"card": 2.5}) == game().with_weights(card=2.5)
    assert game().weights["card"] == 1.75


def test_unknown_and_senseless_weights_are_refused() -> None:
    with pytest.raises(UnknownNameError, match=r"'arhcer_on_power'; did you mean 'archer_on_power'\?"):
        game().with_weights(arhcer_on_power=1)
    for senseless in (float("nan"), float("inf")):
        with pytest.raises(InvalidParameterError, match=r"weight 'card'.*finite"):
            game().with_weights(card=senseless)


def hit_points_only(g: Any, s: Any, out: Any) -> None:
    out[0] = 0.0
    for square in range(45):
        out[0] += s.hp[square]
    out[1] = -out[0]


def test_another_evaluation_can_take_its_place() -> None:
    judged = game().interpreted().with_evaluation(hit_points_only, value_range=(-1e5, 1e5))
    state = position({(3, 1): "A=300", (4, 1): "k=50"}, of=judged)
    assert state.evaluate() == [350, -350]
    assert judged.value_range == (-1e5, 1e5)
    assert legal(state) == legal(position({(3, 1): "A=300", (4, 1): "k=50"}))


# -- ratings ---------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("reading", ["paper", "reference"])
def test_ratings_agree_with_the_twin_in_random_games(reading: str) -> None:
    for seed in range(3):
        for state in list(random_play(game(rating=reading), seed))[::3]:
            assert_ratings_agree(state, reading)


@settings(deadline=None, max_examples=100)
@given(data=json_positions(least_ap=0))
def test_ratings_agree_with_the_twin_in_any_position(data: dict[str, Any]) -> None:
    for reading in ("paper", "reference"):
        assert_ratings_agree(game(rating=reading).state_from_json(data), reading)


def assert_ratings_agree(state: State, reading: str) -> None:
    twin = Twin(state.to_json(), MAPS["a"])
    rate = twin.rating_as_printed if reading == "paper" else twin.rating_as_coded
    # Approximately, as 70 % of an inferno is not a whole number in binary.
    assert state.rate_actions(state.legal_actions()) == pytest.approx([rate(action) for action in legal(state)])


RATINGS = [
    # what, board, cards in hand, action, as printed, as coded
    ("swapping a card", {}, "K", ["X", "K"], 0, 0),
    ("deploying", {}, "K", ["D", "K", 0, 0], 200, 200),
    ("ending the turn early", {}, "", ["E"], 0, 0),
    ("a step", {(3, 1): "K"}, "", ["U", "M", 3, 1, 4, 1], 0, 0),
    ("a step onto a special square", {(3, 2): "K"}, "", ["U", "M", 3, 2, 2, 2], 30, 30),
    ("a step onto an own deploy square", {(1, 0): "K"}, "", ["U", "M", 1, 0, 0, 0], 30, 30),
    ("trampling an enemy", {(3, 1): "K", (4, 1): "k+D=0"}, "", ["U", "M", 3, 1, 4, 1], 2200, 2200),
    ("trampling a comrade", {(3, 1): "K", (4, 1): "K=0"}, "", ["U", "M", 3, 1, 4, 1], 0, 2000),
    ("changing places", {(3, 1): "N", (2, 2): "K"}, "", ["U", "S", 3, 1, 2, 2], 0, 0),
    ("an arrow", {(3, 1): "A", (5, 1): "k"}, "", ["U", "A", 3, 1, 5, 1], 240, 300),
    ("more damage than is left", {(3, 1): "A", (5, 1): "k=9"}, "", ["U", "A", 3, 1, 5, 1], 9, 300),
    ("an arrow at a crystal", {(3, 1): "A", (4, 4): "K", (5, 1): "x"}, "", ["U", "A", 3, 1, 5, 1], 600, 300),
    ("lightning", {(1, 0): "W", (2, 0): "a", (3, 0): "a", (4, 0): "a"}, "", ["U", "A", 1, 0, 2, 0], 462, 400),
    ("healing", {(3, 1): "C", (4, 1): "K=300"}, "", ["U", "H", 3, 1, 4, 1], 600, 700),
    ("healing a scratch", {(3, 1): "C", (4, 1): "K=990"}, "", ["U", "H", 3, 1, 4, 1], 10, 10),
    ("reviving", {(3, 1): "C", (4, 1): "K+RD=0"}, "", ["U", "H", 3, 1, 4, 1], 1500, 1400),
    ("a cleric's stomp", {(3, 1): "C", (4, 1): "w=0"}, "", ["U", "H", 3, 1, 4, 1], 1600, 1400),
    ("a potion for a hurt unit", {(3, 1): "K=900"}, "P", ["D", "P", 3, 1], 100, -200),
    ("a potion for a fallen unit", {(3, 1): "K+RD=0"}, "P", ["D", "P", 3, 1], 1500, 1500),
    ("equipment for an unhurt unit", {(3, 1): "A+R"}, "H", ["D", "H", 3, 1], 450, 450),
    ("equipment for a hurt unit", {(3, 1): "A=400"}, "H", ["D", "H", 3, 1], 150, 0),
    ("an inferno on nobody", {}, "I", ["D", "I", 3, 1], 0, -500),
    ("an inferno on three", {(3, 1): "k", (4, 1): "w=0", (4, 2): "x"}, "I", ["D", "I", 4, 1], 2300, 1700),
]


@pytest.mark.parametrize(("what", "board", "hand", "action", "printed", "coded"), RATINGS, ids=[r[0] for r in RATINGS])
def test_ratings_as_printed_and_as_coded(
    what: str, board: Board, hand: str, action: list[Any], printed: float, coded: float
) -> None:
    for reading, expected in [("paper", printed), ("reference", coded)]:
        assert rating(position(board, hand=hand, deck="H", of=game(rating=reading)), *action) == expected


@pytest.mark.parametrize("reading", ["paper", "reference"])
def test_ending_a_turn_without_points_is_rated_above_everything(reading: str) -> None:
    assert rating(position({}, ap=0, of=game(rating=reading)), "E") == 10000


def test_as_printed_is_the_default_rating() -> None:
    assert game() == game(rating="paper")
    assert game() != game(rating="reference")


# -- what planners make of it ----------------------------------------------------------------------------------


def test_reviving_trampling_and_equipping_pay() -> None:
    """The heuristic wants what the papers say it wants."""
    fallen = position({(3, 1): "C", (4, 1): "K=0", (5, 1): "w=0"})
    assert heal(fallen, (3, 1), (4, 1)).evaluate()[0] > fallen.evaluate()[0]
    assert heal(fallen, (3, 1), (5, 1)).evaluate()[0] > fallen.evaluate()[0]
    armed = position({(3, 1): "A"}, hand="R")
    assert play(armed, "R", (3, 1)).evaluate()[0] - armed.evaluate()[0] == 120
    assert move(armed, (3, 1), (2, 2)).evaluate()[0] - armed.evaluate()[0] == 120


def test_the_end_of_a_turn_costs_the_fallen() -> None:
    state = position({**CRYSTALS, (3, 1): "K=0", (3, 2): "K", (5, 1): "k"})
    assert end_turn(state).evaluate()[0] - state.evaluate()[0] == -1000


@pytest.mark.parametrize(("points", "nearest"), [(1, 10), (5, 10), (12, 10), (13, 15), (100, 15)])
def test_fitted_weights_are_those_of_the_nearest_number_of_action_points(points: int, nearest: int) -> None:
    fitted, plain = hero_academy(action_points=points, evaluation="fitted"), game()
    assert fitted.weights == hero_academy(action_points=nearest, evaluation="fitted").weights
    assert fitted.weights != plain.weights
    assert fitted.weights["hit_point"] == plain.weights["hit_point"], "it sets the scale"
    assert hero_academy(action_points=points).with_evaluation("fitted").weights == fitted.weights


@pytest.mark.parametrize("points", FITTED_POINTS)
def test_fitted_weights_are_added_without_rounding(points: int) -> None:
    """Else actions that only place units would have to be tried, and it would not be as quick as the usual one."""
    assert hero_academy(action_points=points, evaluation="fitted").config["exact_values"] == 1


@pytest.mark.parametrize("points", [5, 15])
def test_the_strongest_evaluation_is_the_fitted_one(points: int) -> None:
    strongest, fitted = (hero_academy(action_points=points, evaluation=name) for name in ("strongest", "fitted"))
    assert strongest.weights == fitted.weights != game().weights
    assert strongest.initial_state(seed=3).evaluate() == fitted.initial_state(seed=3).evaluate()


@pytest.mark.parametrize("points", FITTED_POINTS)
def test_files_of_fitted_weights_are_for_this_game_and_say_how_they_were_made(points: int) -> None:
    path = Path(weights.__file__).with_name(f"fitted_{points}.json")
    fitted = read_weights(path, "weights", WEIGHTS_FORMAT, game())
    assert hero_academy(action_points=points, evaluation="fitted").weights == {**game().weights, **fitted}
    assert read_document(path, "weights", WEIGHTS_FORMAT)["training"]["settings"]["game"].endswith(f"={points}")
