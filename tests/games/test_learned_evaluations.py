"""The learned evaluations that come with games."""

from __future__ import annotations

import importlib
from pathlib import Path

import pytest

from tactician.contract.features import LEARNED, read_evaluation, read_training
from tactician.games import load_game

GAMES = {"hero-academy": "hero_academy", "locm": "locm", "amazons": "amazons"}


def file_of(name: str) -> Path:
    package = importlib.import_module(f"tactician.games.{GAMES[name]}")
    assert package.__file__ is not None
    return Path(package.__file__).with_name("evaluation.json")


@pytest.mark.parametrize("name", GAMES)
def test_the_file_belongs_to_the_game_and_tells_how_it_was_made(name: str) -> None:
    game = load_game(name)
    weights = read_evaluation(game, file_of(name))
    assert game.with_evaluation(LEARNED).weights == weights
    training = read_training(file_of(name))
    assert training["settings"]["game"].partition(":")[0] == name
    assert training["loss"] < training["usual_loss"]


@pytest.mark.parametrize("name", GAMES)
def test_a_side_that_has_more_is_thought_to_win(name: str) -> None:
    game = load_game(name)
    learned = game.with_evaluation(LEARNED)
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
    for name in ("hero-academy", "locm"):
        made = load_game(f"{name}:evaluation=learned")
        assert made.weights == load_game(name).with_evaluation(LEARNED).weights
        assert made.value_range == (-1.0, 1.0)
