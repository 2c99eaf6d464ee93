"""Priors: bandits begin with what a follower expects, and what they report is what they found themselves."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from follower_files import random_follower

from tactician.errors import InvalidParameterError
from tactician.followers.seat import follower_from
from tactician.games.registry import load_game
from tactician.planners import FDTS
from tactician.planners.bandits import BANDITS, Bandit
from tactician.planners.registry import parse_planner

GAME = "pommerman:rules=paper,identity=reference,information=open"


@pytest.fixture(scope="module")
def follower(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return random_follower(load_game(GAME), tmp_path_factory.mktemp("priors") / "f.safetensors", 3, target="values")


def test_with_a_heavy_prior_everybody_does_what_the_follower_would_do(follower: Path) -> None:
    game = load_game(GAME)
    state = game.initial_state(1)
    agent = FDTS(depth=3, priors=str(follower), prior_weight=1e6).on(game, seed=4, full_information=True)
    plans = agent.plan_all(state, "20its")
    network = follower_from(game, follower)
    for seat in range(4):
        chances = 1 / (1 + np.exp(-network.ratings(state, seat).astype(float)))
        best = max(chances[action] for action in network.encoding.options(state, seat))
        assert chances[plans[seat].actions[0]] == pytest.approx(best, abs=1e-4)


def test_visits_count_simulations_only(follower: Path) -> None:
    game = load_game(GAME)
    agent = FDTS(depth=3, priors=str(follower), prior_weight=50.0).on(game, seed=4, full_information=True)
    agent.plan_all(game.initial_state(1), "30its")
    for seat in range(4):
        estimates = agent.estimates(seat)
        assert sum(visits for _, _, visits in estimates) == pytest.approx(30, abs=0.01)
        assert all(visits == 0 or visits > 0.9 for _, _, visits in estimates)


def test_an_arm_that_was_not_tried_is_worth_what_the_follower_expects(follower: Path) -> None:
    game = load_game(GAME)
    state = game.initial_state(2)
    agent = FDTS(depth=2, priors=str(follower), prior_weight=1000.0).on(game, full_information=True)
    agent.plan_all(state, "1its")
    network = follower_from(game, follower)
    chances = 1 / (1 + np.exp(-network.ratings(state, 0).astype(float)))
    for action, value, visits in agent.estimates(0):
        if visits == 0:
            assert value == pytest.approx(2 * chances[action] - 1, abs=0.01)


def test_a_state_that_is_planned_in_again_is_not_primed_again(follower: Path) -> None:
    game = load_game(GAME)
    state = game.initial_state(1)
    agent = FDTS(depth=3, priors=str(follower), prior_weight=10.0).on(game, full_information=True)
    agent.plan_all(state, "20its", ply=0)
    agent.plan_all(state, "20its", ply=1)
    assert sum(visits for _, _, visits in agent.estimates(0)) == pytest.approx(40, abs=0.05)


@pytest.mark.parametrize("workers", [1, 2])
def test_workers_share_the_prior_instead_of_adding_theirs(follower: Path, workers: int) -> None:
    game = load_game(GAME)
    planner = FDTS(depth=3, priors=str(follower), prior_weight=100.0, workers=workers)
    agent = planner.on(game, full_information=True)
    agent.plan_all(game.initial_state(1), "40its")
    assert sum(visits for _, _, visits in agent.estimates(1)) == pytest.approx(40, abs=0.1)


def test_without_priors_plans_are_what_they_were(follower: Path) -> None:
    game = load_game(GAME)
    state = game.initial_state(5)
    plain = FDTS(depth=3).on(game, seed=2, full_information=True).plan_all(state, "40its")
    weightless = FDTS(depth=3, prior_weight=9.0).on(game, seed=2, full_information=True).plan_all(state, "40its")
    assert [plan.actions for plan in plain] == [plan.actions for plan in weightless]


@pytest.mark.parametrize("bandit", [bandit for bandit in BANDITS.values() if bandit.prior is not None])
def test_a_prior_has_the_mean_and_the_visits_that_it_is_given(bandit: Bandit) -> None:
    assert bandit.prior is not None
    for worth in (-0.8, 0.0, 0.5):
        numbers = bandit.prior(worth, 2000.0)
        assert bandit.mean(*numbers) == pytest.approx(worth, abs=0.001)
        assert bandit.visits(*numbers) == pytest.approx(2000.0)


def test_a_follower_of_choices_is_refused(tmp_path: Path) -> None:
    game = load_game(GAME)
    path = random_follower(game, tmp_path / "f.safetensors", target="choice")
    with pytest.raises(InvalidParameterError, match="priors need a follower trained with target=values"):
        FDTS(priors=str(path)).on(game)


def test_a_bandit_without_priors_is_refused(follower: Path) -> None:
    with pytest.raises(InvalidParameterError, match="bandit 'random' has no prior"):
        FDTS(bandit="random", priors=str(follower)).on(load_game(GAME))


def test_a_file_that_is_not_there_is_refused() -> None:
    with pytest.raises(InvalidParameterError, match="follower 'nowhere' can't be read"):
        parse_planner("fdts:priors=nowhere").on(load_game(GAME))
