"""Learned ratings: weights are fitted to turns, written, read and used by planners; the usual ratings stay."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from tactician.arena.agents import parse_agent
from tactician.checking.actions import ratings_are_weighted_sums
from tactician.checking.visit import Visit
from tactician.contract.game import Game
from tactician.contract.ratings import ActionFeatures, read_ratings, write_ratings
from tactician.errors import InvalidParameterError, UnknownNameError
from tactician.games.hero_academy import hero_academy
from tactician.games.hero_academy.features import NAMES
from tactician.games.hero_academy.records import RATING_FEATURES
from tactician.games.registry import load_game
from tactician.learning.ratings import Decision, RatingsTraining, fitted, train_ratings
from tactician.native import abi

GAME = "hero-academy:map=a-tiny,deck=tiny,turn_limit=12"


def test_every_feature_has_a_place_in_the_configuration() -> None:
    assert len(NAMES) == RATING_FEATURES == len(set(NAMES))


def test_without_rating_weights_the_ratings_are_the_papers() -> None:
    game = hero_academy()
    state = game.initial_state(1)
    actions = state.legal_actions()
    again = game.with_ratings(damage=1.0).with_ratings()
    other = again.state_from_json(state.to_json())
    assert other.rate_actions(actions) == state.rate_actions(actions)


def test_a_paper_rating_is_one_of_the_features() -> None:
    game = hero_academy()
    state = game.initial_state(3)
    actions = [action for action in state.legal_actions() if action != 0]
    rated = ActionFeatures(game).of(state, actions)[:, NAMES.index("paper_rating")]
    assert rated * 1000 == pytest.approx(state.rate_actions(actions))


def test_weights_find_the_feature_that_decides() -> None:
    rng = np.random.default_rng(1)
    decisions = []
    for _ in range(300):
        features = rng.normal(size=(6, 3))
        decisions.append(Decision(features, np.arange(6) == np.argmax(features[:, 1])))
    weights = fitted(decisions, penalty=1.0)
    assert weights[1] > 2
    assert abs(weights[0]) < weights[1] / 5
    assert abs(weights[2]) < weights[1] / 5


def test_any_action_of_the_rest_of_the_turn_is_a_good_one() -> None:
    features = np.array([[1.0, 0.0], [0.0, 1.0], [0.0, 0.0]])
    weights = fitted([Decision(features, np.array([True, True, False]))] * 50, penalty=0.1)
    assert weights[0] > 0.5
    assert weights[1] == pytest.approx(weights[0], abs=0.01)


def test_ratings_are_learned_written_and_used(tmp_path: Path) -> None:
    out = tmp_path / "ratings.json"
    settings = RatingsTraining(game=GAME, teacher="greedy-action", budget="2000evals", games=3)
    result = train_ratings(settings, out)
    assert train_ratings(settings, tmp_path / "again.json") == result
    assert 0 <= result.agreement <= 1
    assert result.mean_rank >= 1
    game = load_game(GAME)
    assert read_ratings(game, out) == result.weights
    state = game.initial_state(2)
    agent = parse_agent(f"greedy-action:ratings={out}").on(game)
    options = state.candidate_actions()
    ratings = ActionFeatures(game).of(state, options) @ np.array(list(result.weights.values()))
    assert agent.plan(state, "1evals").actions[0] == options[int(np.argmax(ratings))]


def squared(g: Any, s: Any, actions: Any, n: Any, out: Any) -> None:
    for i in range(n):
        out[i] = g.rating_weights[0] ** 2


def test_ratings_that_are_not_a_weighted_sum_are_found() -> None:
    good = hero_academy().interpreted()
    backend = good.backend.with_rule(abi.RULE_BY_NAME["rate_actions"], squared)
    bad = Game(good.info, backend, good.presentation, good.config_words())
    for game, sentence in ((good, None), (bad, "its rating weights alone sum to")):
        visit = Visit(game, 0, 0, game.initial_state(1), game.config_words())
        problem = ratings_are_weighted_sums(visit)
        assert (problem is None) if sentence is None else (problem is not None and sentence in problem)


def test_ratings_of_another_game_are_refused(tmp_path: Path) -> None:
    path = tmp_path / "r.json"
    write_ratings(path, hero_academy(), {"damage": 1.0}, {})
    with pytest.raises(InvalidParameterError, match="was learned for 'hero-academy' version 1; expected 'amazons'"):
        parse_agent(f"mcts:ratings={path}").on(load_game("amazons"))


@pytest.mark.parametrize(
    ("content", "sentence"),
    [
        ("{", "r.json"),
        ("[]", "is not a file of the format"),
        (
            json.dumps(
                {"format": "tactician-ratings/1", "game": "hero-academy", "version": "1", "weights": {"a": "b"}}
            ),
            "has weights that are not numbers",
        ),
    ],
)
def test_damaged_files_are_refused(tmp_path: Path, content: str, sentence: str) -> None:
    path = tmp_path / "r.json"
    path.write_text(content)
    with pytest.raises(InvalidParameterError, match=sentence):
        parse_agent(f"mcts:ratings={path}").on(hero_academy())


def test_unknown_rating_weights_are_refused() -> None:
    with pytest.raises(UnknownNameError, match="rating weight of 'hero-academy'"):
        hero_academy().with_ratings(luck=1.0)


def test_a_game_without_rating_weights_is_refused(tmp_path: Path) -> None:
    with pytest.raises(InvalidParameterError, match="game 'amazons' has no rating weights"):
        train_ratings(RatingsTraining(game="amazons", games=2), tmp_path / "r.json")
