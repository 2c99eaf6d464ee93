"""The learned evaluations that come with games."""

from __future__ import annotations

import importlib
from pathlib import Path

import pytest

from tactician.contract.features import LEARNED, read_evaluation, read_training
from tactician.errors import InvalidParameterError
from tactician.games import load_game
from tactician.planners.registry import parse_planner

GAMES = {"hero-academy": "hero_academy", "locm": "locm", "amazons": "amazons"}
FILES = [
    *((name, LEARNED, "evaluation.json") for name in GAMES),
    ("locm", "learned-bot", "evaluation_bot.json"),
    ("locm", "learned-network", "evaluation_network.json"),
]


def file_of(name: str, file: str) -> Path:
    package = importlib.import_module(f"tactician.games.{GAMES[name]}")
    assert package.__file__ is not None
    return Path(package.__file__).with_name(file)


@pytest.mark.parametrize(("name", "evaluation", "file"), FILES)
def test_the_file_belongs_to_the_game_and_tells_how_it_was_made(name: str, evaluation: str, file: str) -> None:
    game = load_game(name)
    path = file_of(name, file)
    weights, network = read_evaluation(game, path)
    judged = game.with_evaluation(evaluation)
    assert judged.weights == weights
    assert judged.config["feature_units"] == (0 if network is None else len(network.out))
    training = read_training(path)
    assert training["settings"]["game"].partition(":")[0] == name
    assert training["loss"] < training["usual_loss"]


@pytest.mark.parametrize(("name", "evaluation"), [(name, evaluation) for name, evaluation, _ in FILES])
def test_a_side_that_has_more_is_thought_to_win(name: str, evaluation: str) -> None:
    game = load_game(name)
    learned = game.with_evaluation(evaluation)
    state = game.initial_state(seed=4)
    agreed = seen = 0
    while not state.is_over() and seen < 300:
        state.apply(state.candidate_actions(seed=seen)[seen % len(state.candidate_actions(seed=seen))])
        value = state.in_game(learned).evaluate()
        assert -1 <= value[0] <= 1
        assert value[1] == -value[0]
        usual = state.evaluate()
        agreed += (usual[0] - usual[1]) * value[0] > 0
        seen += 1
    assert seen > 20
    assert agreed > 0.5 * seen


def test_a_game_can_be_made_with_its_learned_evaluation() -> None:
    for name in GAMES:
        made = load_game(f"{name}:evaluation=learned")
        assert made.weights == load_game(name).with_evaluation(LEARNED).weights
        assert made.value_range == (-1.0, 1.0)


def test_the_strongest_evaluation_of_amazons_is_the_usual_one_however_the_game_was_made() -> None:
    usual = load_game("amazons")
    for text in ("amazons:evaluation=strongest", "amazons:evaluation=learned"):
        strongest = load_game(text).with_evaluation("strongest")
        assert strongest.weights == usual.weights
        assert strongest.value_range == usual.value_range


def test_a_planner_with_an_evaluation_plans_as_in_the_game_that_has_it() -> None:
    game, learned = load_game("amazons:size=6"), load_game("amazons:size=6,evaluation=learned")
    plans = [
        parse_planner(planner).on(one, seed=1).plan(one.initial_state(), "300evals")
        for planner, one in (("oep:evaluation=learned", game), ("oep", learned), ("oep", game))
    ]
    assert plans[0].actions == plans[1].actions
    assert plans[0].value == plans[1].value
    assert plans[0].value != plans[2].value


def test_an_evaluation_that_amazons_does_not_have_is_refused() -> None:
    with pytest.raises(InvalidParameterError, match="evaluation is 'learnt'; expected one of"):
        load_game("amazons:evaluation=learnt")
