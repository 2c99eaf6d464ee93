"""Games as Gymnasium environments: its own checks, what a seat sees, and many games at once."""

from __future__ import annotations

import subprocess
import sys
import warnings
from functools import cache
from typing import Any

import gymnasium
import numpy as np
import pytest
from gymnasium.utils.env_checker import check_env
from hypothesis import given, settings
from hypothesis import strategies as st
from planner_information import hands

from tactician.adapters import gymnasium as adapter
from tactician.contract import Game
from tactician.errors import IllegalActionError, InvalidParameterError, TacticianError
from tactician.games.registry import game_names, load_game

GAMES = ["amazons:size=5", "hero-academy:information=hidden", "locm", "pommerman", "royale"]
HIDDEN = ["hero-academy:information=hidden", "locm"]


@cache
def game_of(name: str) -> Game:
    return load_game(name)


def masked(random: np.random.Generator, info: dict[str, Any]) -> int:
    return int(random.choice(np.flatnonzero(info["action_mask"])))


@pytest.mark.parametrize("name", GAMES)
def test_gymnasiums_own_check_passes(name: str) -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        check_env(adapter.make(game_of(name), opponent="random"))


def test_the_check_passes_with_all_ways_of_rendering(capsys: pytest.CaptureFixture[str]) -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        env = gymnasium.make("tactician.adapters.gymnasium:tactician/amazons-v0", render_mode="ansi")
        check_env(env.unwrapped)
    env.reset(seed=1)
    assert "W" in str(env.render())


@pytest.mark.parametrize("name", ["amazons:size=5", "pommerman"])
def test_a_game_against_a_planner_ends_with_the_seats_result(name: str) -> None:
    opponent = "greedy-action" if name.startswith("amazons") else "random"
    env, random = adapter.make(game_of(name), opponent=opponent, seat=1), np.random.default_rng(3)
    _, info = env.reset(seed=5)
    over, reward = False, 0.0
    while not over:
        assert reward == 0.0
        observation, reward, over, truncated, info = env.step(masked(random, info))
        assert env.observation_space.contains(observation)
        assert not truncated
    assert env._state is not None
    assert reward == env._state.returns()[1] != 0.0
    with pytest.raises(InvalidParameterError, match="reset"):
        env.step(0)


@pytest.mark.parametrize("name", GAMES)
def test_equal_seeds_give_equal_games(name: str) -> None:
    seen = []
    for _ in range(2):
        env, random = adapter.make(game_of(name), opponent="random"), np.random.default_rng(1)
        observation, info = env.reset(seed=9)
        told = [observation]
        for _ in range(12):
            observation, _, over, _, info = env.step(masked(random, info))
            told.append(observation)
            if over:
                break
        seen.append(told)
    for one, other in zip(*seen, strict=True):
        assert all(np.array_equal(one[field], other[field]) for field in one)


@pytest.mark.parametrize("name", HIDDEN)
@settings(max_examples=20, deadline=None)
@given(seed=st.integers(0, 10**6), secret=st.integers(0, 10**6), steps=st.integers(0, 30))
def test_an_observation_tells_nothing_that_the_seat_can_not_see(name: str, seed: int, secret: int, steps: int) -> None:
    env, random = _against_random(name), np.random.default_rng(seed)
    observation, info = env.reset(seed=seed)
    for _ in range(steps):
        observation, _, over, _, info = env.step(masked(random, info))
        if over:
            return
    assert env._state is not None
    other = env._state.resample_hidden(env.seat, secret)
    again = env._observations.of(other, env.seat)
    assert all(np.array_equal(observation[field], again[field]) for field in observation)


@cache
def _against_random(name: str) -> adapter.GameEnv:
    return adapter.make(game_of(name), opponent="random")


def test_an_illegal_action_loses_or_is_refused() -> None:
    env = adapter.make(game_of("amazons:size=5"))
    _, info = env.reset(seed=1)
    illegal = len(info["codes"])
    _, reward, over, _, info = env.step(illegal)
    assert (reward, over, info["illegal"]) == (-1.0, True, True)
    strict = adapter.make(game_of("amazons:size=5"), illegal="refuse")
    before, _ = strict.reset(seed=1)
    with pytest.raises(IllegalActionError, match="expected 0 to"):
        strict.step(illegal)
    assert strict._state is not None
    assert all(np.array_equal(before[f], strict._observations.of(strict._state, 0)[f]) for f in before)


def test_actions_can_be_codes() -> None:
    env = adapter.make(game_of("pommerman"), codes=6)
    _, info = env.reset(seed=1)
    assert set(np.flatnonzero(info["action_mask"])) == set(info["codes"])
    assert env.action_masks().tolist() == (info["action_mask"] == 1).tolist()
    few = adapter.make(game_of("amazons:size=5"), codes=2)
    with pytest.raises(InvalidParameterError, match="expected codes below codes=2"):
        few.reset(seed=1)


def test_an_encoding_of_ones_own_takes_the_place_of_the_fields() -> None:
    env = adapter.make(hands(), encode=lambda state: np.array(state.to_json()[3], np.float32))
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        check_env(env)
    assert env.observation_space.shape == (2,)


def test_opponents_may_differ_from_seat_to_seat() -> None:
    env = adapter.make(
        game_of("pommerman"), opponent={0: "random", 2: "mcs:depth=2", 3: "random"}, seat=1, budget="5its"
    )
    _, info = env.reset(seed=2)
    env.step(masked(np.random.default_rng(0), info))
    env.close()


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        ({"seat": 2}, "seat is 2; expected 0 to 1"),
        ({"opponent": "opp"}, "did you mean 'oep'"),
        ({"opponent": {0: "random"}}, "expected one agent for all"),
        ({"budget": "fast"}, "fast"),
        ({"codes": 0}, "codes is 0"),
        ({"illegal": "ignore"}, "expected one of lose, refuse"),
        ({"render_mode": "rgb_array"}, "expected one of human, ansi, svg"),
    ],
)
def test_bad_arguments_are_refused_with_a_sentence(arguments: Any, said: str) -> None:
    with pytest.raises(TacticianError, match=said):
        adapter.make(game_of("amazons:size=5"), **arguments)


def test_a_game_of_plain_objects_needs_an_encoding() -> None:
    with pytest.raises(InvalidParameterError, match="expected encode=FUNCTION"):
        adapter.make(hands())
    with pytest.raises(InvalidParameterError, match="have no batches"):
        adapter.make_vector(hands(), 2)


@pytest.mark.parametrize("num_envs", [0, -1, 1.5])
def test_a_vector_has_at_least_one_environment(num_envs: Any) -> None:
    with pytest.raises(InvalidParameterError, match="expected a positive integer"):
        adapter.make_vector(game_of("amazons:size=5"), num_envs)


def test_every_built_in_game_is_registered() -> None:
    assert {f"tactician/{name}-v0" for name in game_names()} <= set(gymnasium.registry)


# -- many games at once ----------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", GAMES)
def test_a_vector_environment_shows_what_single_ones_show(name: str) -> None:
    game, count = game_of(name), 6
    together = adapter.make_vector(game, count, "random", starts=None)
    observations, info = together.reset(seed=40)
    assert together.observation_space.contains(observations)
    for row in range(count):
        single = adapter.make(game, "random")
        observation, about = single.reset(seed=40 + row)
        if game.initial_state(40 + row).current_player() in (0, -1):  # else the opponents draw from other streams
            assert all(np.array_equal(observations[field][row], observation[field]) for field in observation)
            assert info["action_mask"][row].tolist() == about["action_mask"].tolist()


@pytest.mark.parametrize("opponent", ["random", "greedy-action"])
def test_vector_games_run_on_and_start_anew(opponent: str) -> None:
    game, random = game_of("amazons:size=4"), np.random.default_rng(2)
    env = adapter.make_vector(game, 8, opponent, starts=4)
    _, info = env.reset(seed=3)
    ended, over = 0, np.zeros(8, bool)
    for _ in range(120):
        actions = np.array([masked(random, {"action_mask": mask}) if mask.any() else 0 for mask in info["action_mask"]])
        before = over
        _, rewards, over, truncated, info = env.step(actions)
        assert not truncated.any()
        assert not over[before].any(), "a game that was over has started anew"
        assert (np.abs(rewards[over]) == 1.0).all()
        assert (rewards[~over] == 0.0).all()
        ended += int(over.sum())
    assert ended > 20
    env.close()


def test_where_all_act_at_once_opponents_are_asked_for_every_step() -> None:
    env, random = adapter.make_vector(game_of("pommerman"), 4, "random"), np.random.default_rng(2)
    _, info = env.reset(seed=3)
    for _ in range(300):
        actions = np.array([masked(random, {"action_mask": mask}) if mask.any() else 0 for mask in info["action_mask"]])
        _, _, over, _, info = env.step(actions)
        if over.any():
            return
    pytest.fail("no game ended in 300 steps of random play")


def test_illegal_actions_of_a_vector_lose_where_they_are() -> None:
    env = adapter.make_vector(game_of("amazons:size=5"), 3)
    _, info = env.reset(seed=1)
    actions = np.array([0, int(info["count"][1]), 0])
    _, rewards, over, _, info = env.step(actions)
    assert (rewards.tolist(), over.tolist(), info["illegal"].tolist()) == (
        [0.0, -1.0, 0.0],
        [False, True, False],
        [False, True, False],
    )
    strict = adapter.make_vector(game_of("amazons:size=5"), 3, illegal="refuse")
    _, info = strict.reset(seed=1)
    words = strict._batch.words.copy()
    with pytest.raises(IllegalActionError, match="expected 0 to"):
        strict.step(np.array([0, int(info["count"][1]), 0]))
    assert np.array_equal(words, strict._batch.words)


def test_vector_actions_can_be_codes() -> None:
    env = adapter.make_vector(game_of("pommerman"), 5, codes=6)
    _, info = env.reset(seed=1)
    for mask, codes, count in zip(info["action_mask"], info["codes"], info["count"], strict=True):
        assert set(np.flatnonzero(mask)) == set(codes[:count])
    env.step(np.array([int(codes[0]) for codes in info["codes"]]))


def test_a_batch_is_played_until_a_player_may_act() -> None:
    batch = game_of("locm").batch(20, seed=4)
    batch.play_until(1)
    assert ((batch.current_players() == 1) | batch.over()).all()
    with pytest.raises(InvalidParameterError, match="expected 0 to 1"):
        batch.play_until(2)


# -- without the package ---------------------------------------------------------------------------------------------

WITHOUT = """
import sys
sys.modules["{package}"] = None
from tactician.errors import InvalidParameterError
try:
    import tactician.adapters.{module}
except InvalidParameterError as error:
    print(error)
"""


@pytest.mark.parametrize(
    ("module", "package", "extra"),
    [
        ("gymnasium", "gymnasium", "gymnasium"),
        ("pettingzoo", "pettingzoo", "pettingzoo"),
        ("openspiel", "pyspiel", "openspiel"),
    ],
)
def test_without_the_package_one_sentence_names_the_extra(module: str, package: str, extra: str) -> None:
    program = WITHOUT.format(package=package, module=module)
    said = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert said.stdout.count("\n") == 1
    assert f"{package}, which is not installed; expected: pip install 'tactician[{extra}]'" in said.stdout
