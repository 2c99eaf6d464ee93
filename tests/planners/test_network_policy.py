"""A follower's network in simulations: as a model of the others, and for all where nothing is known yet."""

from __future__ import annotations

import numpy as np
import pytest
from follower_files import random_follower

from tactician.arena.sources import content_digest, sources_of
from tactician.contract.random import stream
from tactician.errors import InvalidParameterError, TacticianError
from tactician.games.pommerman.agents import FOLLOWER
from tactician.games.registry import load_game
from tactician.planners.network_policy import NetworkPolicy
from tactician.planners.registry import parse_planner
from tactician.planners.simultaneous import SimultaneousPlanner
from tactician.planners.simultaneous_agent import SimultaneousAgent

GAME = "pommerman:rules=paper,identity=reference,information=open"
SEATS = range(4)


def planner_of(text: str) -> SimultaneousPlanner:
    planner = parse_planner(text)
    assert isinstance(planner, SimultaneousPlanner)
    return planner


def agent_of(text: str) -> SimultaneousAgent:
    return planner_of(text).on(load_game(GAME), seed=3)


@pytest.fixture(scope="module")
def choices(tmp_path_factory: pytest.TempPathFactory) -> str:
    path = tmp_path_factory.mktemp("policy") / "choices.safetensors"
    return str(random_follower(load_game(GAME), path, 3, target="choice"))


@pytest.fixture(scope="module")
def values(tmp_path_factory: pytest.TempPathFactory) -> str:
    path = tmp_path_factory.mktemp("policy") / "values.safetensors"
    return str(random_follower(load_game(GAME), path, 3, target="values"))


def test_the_policy_draws_legal_actions_as_often_as_it_says(choices: str) -> None:
    game = load_game(GAME)
    policy = NetworkPolicy(game, choices)
    state = game.initial_state(1)
    actions, likely = policy.probabilities(state, 0)
    assert set(actions) <= set(state.legal_actions(0))
    assert likely.sum() == pytest.approx(1)
    words, rng = state.words, stream(5)
    drawn = [policy.act(0, words.ctypes.data, 0, rng.ctypes.data) for _ in range(600)]
    for action, chance in zip(actions, likely, strict=True):
        assert drawn.count(action) == pytest.approx(600 * chance, abs=5 * np.sqrt(600 * chance * (1 - chance)) + 1)


def test_of_values_the_better_action_is_likelier(values: str) -> None:
    game = load_game(GAME)
    policy = NetworkPolicy(game, values)
    state = game.initial_state(1)
    actions, likely = policy.probabilities(state, 2)
    ratings = policy.follower.ratings(state, 2)
    assert [actions[i] for i in np.argsort(-likely)] == sorted(actions, key=lambda action: -ratings[action])


@pytest.mark.parametrize("search", ["fdts:depth=3", "mcs:depth=3", "simultaneous-mcts:depth=3"])
@pytest.mark.parametrize("option", ["opponents", "rollout_policy"])
def test_every_search_takes_a_followers_file(search: str, option: str, choices: str) -> None:
    game = load_game(GAME)
    plans = [agent_of(f"{search},{option}={choices}").plan(game.initial_state(1), "20its", seat=1) for _ in range(2)]
    assert plans[0].actions == plans[1].actions
    assert plans[0].stats.iterations == 20
    assert game.initial_state(1).is_legal(plans[0].actions[0], 1)


def test_as_a_model_the_network_leaves_the_others_without_bandits(choices: str) -> None:
    game = load_game(GAME)
    agent = agent_of(f"fdts:depth=2,opponents={choices}")
    agent.plan(game.initial_state(1), "15its", seat=1)
    visits = [sum(n for _, _, n in agent.estimates(seat)) for seat in SEATS]
    assert visits == [0, 15, 0, 0]


def test_where_nothing_is_known_all_follow_the_policy() -> None:
    """Each first visit of a state is the policy's; the bandits learn from it as from any other."""
    game = load_game(GAME)
    agent = agent_of("fdts:depth=2,rollout_policy=rule-based")
    state = game.initial_state(1)
    agent.plan(state, "1its", seat=1)
    tried = {seat: [action for action, _, n in agent.estimates(seat) if n > 0] for seat in SEATS}
    expected = game.with_policy("rule-based").initial_state(1)
    for seat in SEATS:
        assert len(tried[seat]) == 1
        assert tried[seat][0] in {expected.expected_action(seat, seed) for seed in range(40)}


def test_one_model_serves_both_options(choices: str) -> None:
    both = planner_of(f"fdts:opponents={choices},rollout_policy={choices}")
    assert both.policy_file(load_game(GAME)) == choices
    with pytest.raises(InvalidParameterError, match="expected one model for both"):
        parse_planner(f"fdts:opponents=rule-based,rollout_policy={choices}")
    with pytest.raises(InvalidParameterError, match="rollout_policy"):
        parse_planner("fdts:rollout_policy=bandit")


def test_a_file_that_is_not_there_is_refused() -> None:
    with pytest.raises(TacticianError, match=r"nowhere\.safetensors"):
        parse_planner("fdts:rollout_policy=nowhere.safetensors").on(load_game(GAME))


def test_a_follower_of_another_game_is_refused(choices: str) -> None:
    with pytest.raises(TacticianError, match="royale"):
        parse_planner(f"fdts:opponents={choices}").on(load_game("royale:information=open"))


@pytest.mark.parametrize(
    "options",
    [
        "fdts:depth=2,opponents={}",
        "mcs:depth=2,rollout_policy={}",
        "fdts:depth=2,opponents={0},rollout_policy={0}",
        "rhea:depth=2,opponents={}",
    ],
)
def test_the_follower_of_the_package_has_a_name(options: str) -> None:
    game = load_game(GAME)
    named, by_path = (parse_planner(options.format(name)).on(game, seed=3) for name in ("follower", str(FOLLOWER)))
    state = game.initial_state(1)
    plans = [agent.plan(state, "15its", seat=1) for agent in (named, by_path)]
    assert plans[0].actions == plans[1].actions
    assert plans[0].alternatives == plans[1].alternatives


def test_a_game_without_a_follower_says_what_models_it_has() -> None:
    with pytest.raises(TacticianError, match="follower"):
        parse_planner("fdts:opponents=follower").on(load_game("royale:information=open"))


def test_results_depend_on_the_weights_of_a_model_that_is_a_follower() -> None:
    agents = ["fdts:opponents=follower", "fdts:opponents=rule-based"]
    assert sources_of(GAME, agents) == {agents[0]: content_digest(FOLLOWER)}


def test_a_follower_is_no_rule_of_the_game() -> None:
    with pytest.raises(InvalidParameterError, match="opponents=follower"):
        load_game(GAME).with_policy("follower")
