"""Games as PettingZoo environments: its own API, seed and render tests, and what an agent sees."""

from __future__ import annotations

import warnings
from functools import cache
from typing import Any

import numpy as np
import pytest
from pettingzoo.test import api_test, parallel_api_test, parallel_seed_test, render_test, seed_test
from pettingzoo.utils.wrappers import TerminateIllegalWrapper

from tactician.adapters import pettingzoo as adapter
from tactician.contract import Game
from tactician.errors import IllegalActionError, InvalidParameterError
from tactician.games.registry import load_game

SEQUENTIAL = ["amazons:size=5", "hero-academy:information=hidden", "locm"]
TOGETHER = ["pommerman", "royale"]


@cache
def game_of(name: str) -> Game:
    return load_game(name)


@pytest.fixture(autouse=True)
def _quiet() -> Any:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        yield


@pytest.mark.parametrize("name", SEQUENTIAL)
def test_the_aec_tests_pass(name: str) -> None:
    api_test(adapter.aec(game_of(name)), num_cycles=60)
    seed_test(lambda: adapter.aec(game_of(name)), num_cycles=20)


@pytest.mark.parametrize("name", TOGETHER)
def test_the_parallel_tests_pass(name: str) -> None:
    parallel_api_test(adapter.parallel(game_of(name)), num_cycles=40)
    parallel_seed_test(lambda: adapter.parallel(game_of(name)), num_cycles=15)


def test_the_render_test_passes() -> None:
    def made(render_mode: str | None = None) -> Any:
        return adapter.aec(game_of("amazons:size=4"), render_mode=render_mode)

    render_test(made, custom_tests={"svg": lambda drawing: drawing.startswith("<svg")})


def test_a_game_is_played_to_its_end_with_masked_actions() -> None:
    env, random = adapter.aec(game_of("locm")), np.random.default_rng(4)
    env.reset(seed=2)
    results: dict[str, float] = {}
    for agent in env.agent_iter():
        observation, reward, over, _, info = env.last()
        if over:
            results[agent] = reward
            env.step(None)
            continue
        assert env.observation_space(agent).contains(observation)
        assert observation["action_mask"].tolist() == info["action_mask"].tolist()
        env.step(int(random.choice(np.flatnonzero(observation["action_mask"]))))
    assert sorted(results.values()) == [-1.0, 1.0]


def test_who_is_not_to_move_has_no_actions() -> None:
    env = adapter.aec(game_of("amazons:size=5"))
    env.reset(seed=1)
    assert env.observe("player_0")["action_mask"].any()
    assert not env.observe("player_1")["action_mask"].any()


def test_agents_see_what_their_seats_see() -> None:
    env = adapter.aec(game_of("hero-academy:information=hidden"))
    env.reset(seed=1)
    state = env._table.running()
    for seat, agent in enumerate(env.agents):
        told = env.observe(agent)["observation"]
        seen = state.observe(seat).record
        assert all(np.array_equal(told[name], seen[name]) for name in seen.dtype.names)
        assert any(not np.array_equal(told[name], state.record[name]) for name in seen.dtype.names)


def test_an_illegal_action_is_refused_or_loses_in_pettingzoos_wrapper() -> None:
    env = adapter.aec(game_of("amazons:size=5"))
    env.reset(seed=1)
    illegal = int(env.observe(env.agent_selection)["action_mask"].sum())
    with pytest.raises(IllegalActionError, match="expected 0 to"):
        env.step(illegal)
    wrapped = TerminateIllegalWrapper(env, illegal_reward=-1)
    wrapped.reset(seed=1)
    wrapped.step(illegal)
    assert wrapped.terminations == {"player_0": True, "player_1": True}
    assert wrapped.rewards["player_0"] == -1


def test_a_kind_that_does_not_suit_the_game_is_refused() -> None:
    with pytest.raises(InvalidParameterError, match=r"expected parallel\(\)"):
        adapter.aec(game_of("pommerman"))
    with pytest.raises(InvalidParameterError, match=r"expected aec\(\)"):
        adapter.parallel(game_of("locm"))


def test_a_step_before_a_reset_is_refused() -> None:
    with pytest.raises(InvalidParameterError, match=r"expected a call of reset\(\) first"):
        adapter.aec(game_of("locm")).step(0)


def test_everybody_has_to_act() -> None:
    env = adapter.parallel(game_of("pommerman"))
    env.reset(seed=1)
    with pytest.raises(InvalidParameterError, match="actions has none of 'player_3'"):
        env.step({"player_0": 0, "player_1": 0, "player_2": 0})
