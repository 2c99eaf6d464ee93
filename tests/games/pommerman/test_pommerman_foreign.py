"""Agents written for the official Pommerman environment, as players of our arena."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from pommerman_stand_in import RandomAgent, game, walked
from python_files import user_files

from tactician.adapters.pommerman_official import OfficialAgent
from tactician.arena import Pairing, play, replay, tournament
from tactician.arena.agents import parse_agent
from tactician.errors import ForeignAgentError, InvalidParameterError, TacticianError, UnknownNameError
from tactician.games.pommerman.foreign import (
    ActionSpace,
    ForeignAgent,
    Item,
    official_observation,
)
from tactician.games.pommerman.observations import observation
from tactician.games.registry import load_game

Seat = Callable[[str], str]

FILE = """
import random


class Wanderer:
    made = 0

    def __init__(self):
        type(self).made += 1

    def act(self, obs, action_space):
        return random.Random(obs["step_count"]).randrange(5)


class Sampler:
    def act(self, obs, action_space):
        return action_space.sample()


class Raises:
    def act(self, obs, action_space):
        raise KeyError(obs["step_count"])


class Wrong:
    def act(self, obs, action_space):
        return action_space.n


class Shy:
    def __init__(self):
        raise OSError("not today")


class Mute:
    pass


def make():
    return Sampler()


ready = Sampler()
number = 3
"""


@pytest.fixture
def seat(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Seat]:
    with user_files(tmp_path, {"mine.py": FILE}, monkeypatch):
        yield lambda name: f"python:{tmp_path / 'mine.py'}:{name}"


class Spy:
    """Keeps what it was told."""

    def __init__(self, answer: Any = 0) -> None:
        self.answer, self.seen, self.told = answer, [], []  # type: ignore[var-annotated]

    def init_agent(self, id: int, game_type: Any) -> None:
        self.told.append((id, game_type.name))

    def act(self, obs: Any, action_space: Any) -> Any:
        self.seen.append(obs)
        return self.answer

    def episode_end(self, reward: float) -> None:
        self.told.append(reward)

    def shutdown(self) -> None:
        self.told.append("shutdown")


def against_random(agent: Any, where: int = 0, variant: str = "ffa", seed: int = 1) -> Any:
    players: list[Any] = [ForeignAgent(RandomAgent).seeded(seed + other) for other in range(4)]
    players[where] = agent
    name = f"pommerman:variant={variant},max_steps=40"
    return play(Pairing(name, ("a", "b", "c", "d"), "10its", seed, 0), tuple(players))


# -- what it is given ------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("variant", ["ffa", "team", "team-full", "radio"])
def test_a_view_gives_the_observation_of_the_state(variant: str) -> None:
    """The arena shows agents only what they see."""
    for state in walked(variant, 4, 0.3, 60)[::6]:
        for seat in range(4):
            full, view = observation(state, seat), observation(state.observe(seat), seat)
            assert full.keys() == view.keys()
            assert all(np.array_equal(full[name], view[name]) for name in full)


def test_an_observation_has_the_environments_types() -> None:
    seen = official_observation(walked("team", 4, 0.3, 20)[-1], 1)
    assert seen["board"].dtype == np.uint8
    for name in ("bomb_blast_strength", "bomb_life", "bomb_moving_direction", "flame_life"):
        assert seen[name].dtype == np.float64
        assert seen[name].shape == (11, 11)
    assert seen["teammate"] is Item["Agent3"]
    assert [enemy.value for enemy in seen["enemies"]] == [10, 12, 9]
    assert type(seen["ammo"]) is int
    assert seen["can_kick"] is False
    assert seen["position"] == tuple(seen["position"])


def test_it_is_told_its_seat_and_its_reward() -> None:
    spy = Spy()
    record = against_random(ForeignAgent(spy), 2)
    assert record.error is None
    assert spy.told == [(2, "FFA"), record.returns[2]]
    assert [seen["step_count"] for seen in spy.seen] == list(range(len(spy.seen)))
    assert tuple(replay(record).returns()) == record.returns
    made: list[Spy] = []

    def make() -> Spy:
        made.append(Spy())
        return made[-1]

    agent = ForeignAgent(make)
    for seed in (1, 2):
        against_random(agent, 1, "radio", seed)
    assert [spy.told[0] for spy in made] == [(1, "TeamRadio")] * 2
    assert all(spy.told[-1] == "shutdown" for spy in made)


def test_action_spaces() -> None:
    plain, radio = ActionSpace(False, 1), ActionSpace(True, 1)
    assert plain.n == radio.n == 6
    assert {plain.sample() for _ in range(100)} == set(range(6))
    assert all(radio.sample() in radio for _ in range(20))
    assert all(answer in plain for answer in (0, 5, np.int64(3), Item(2)))
    assert not any(answer in plain for answer in (6, -1, True, 1.0, "1", None, [1], [1, 2, 3]))
    assert [1, 8, 0] in radio
    assert np.array([1, 2, 3]) in radio
    assert not any(answer in radio for answer in ([1, 9, 0], [6, 1, 1], [1, 2], [1, None, 2]))


def test_our_own_agent_comes_back_through_both_adapters() -> None:
    ours = ForeignAgent(OfficialAgent(budget="20its"))
    wins = sum(against_random(ours, seed % 4, "team", seed).returns[seed % 4] > 0 for seed in range(3))
    assert wins >= 2


# -- what goes wrong -------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("answer", "variant", "sentence"),
    [
        (6, "ffa", "agent 'Spy' answered 6; expected an integer from 0 to 5."),
        (-1, "ffa", "agent 'Spy' answered -1; expected an integer from 0 to 5."),
        (None, "team", "agent 'Spy' answered None; expected an integer from 0 to 5."),
        ([1, 2, 3], "team", "agent 'Spy' answered [1, 2, 3]; expected an integer from 0 to 5."),
        ([1, 2, 9], "radio", "agent 'Spy' answered [1, 2, 9]; expected [0 to 5, word, word]."),
    ],
)
def test_an_answer_that_is_no_action_is_a_forfeit(answer: Any, variant: str, sentence: str) -> None:
    record = against_random(ForeignAgent(Spy(answer)), 3, variant)
    assert record.error == sentence
    assert record.error_seat == 3
    assert record.returns == ((1 / 3, 1 / 3, 1 / 3, -1.0) if variant == "ffa" else (1.0, -1.0, 1.0, -1.0))


def test_what_is_no_agent() -> None:
    with pytest.raises(InvalidParameterError, match="agent 'int' is 3; expected an object with a method act"):
        ForeignAgent(3)
    with pytest.raises(InvalidParameterError, match="agent 'Spy' plays 'pommerman'; given 'amazons'"):
        ForeignAgent(Spy(), load_game("amazons"))
    with pytest.raises(InvalidParameterError, match="seat is None; all act at once here"):
        ForeignAgent(Spy()).plan(game().initial_state(seed=1), "1its")
    with pytest.raises(ForeignAgentError, match="agent 'dict' is a dict without a method act; expected one"):
        ForeignAgent(dict).plan(game().initial_state(seed=1), "1its", seat=0)


# -- seats -----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", ["Wanderer", "make", "ready"])
def test_a_seat_is_a_class_a_function_or_an_object_of_a_file(seat: Seat, name: str) -> None:
    spec = seat(name)
    assert str(parse_agent(spec)) == spec
    assert parse_agent(f"{spec}#2") == parse_agent(spec)
    result = tournament("pommerman:max_steps=20", [spec, "rule-based"], 2, "5its", form="gauntlet")
    assert not result.errors
    for record in result.games():
        assert tuple(replay(record).returns()) == record.returns


@pytest.mark.parametrize(
    ("name", "sentence"),
    [
        ("Raises", "raised KeyError in act (mine.py, line "),
        ("Wrong", "answered 6; expected an integer from 0 to 5."),
        ("Shy", "raised OSError in making it (mine.py, line 32): 'not today'."),
        ("Mute", "is a Mute without a method act; expected one."),
    ],
)
def test_failures_are_recorded_and_the_tournament_goes_on(seat: Seat, name: str, sentence: str) -> None:
    result = tournament("pommerman:max_steps=20", [seat(name), "rule-based"], 4, "5its", form="gauntlet")
    assert len(result.errors) == len(result.games()) == 4
    for number, record in enumerate(result.games()):
        assert record.error_seat == number
        assert record.returns[number] == -1
        assert record.error is not None
        assert record.error.startswith(f"agent {seat(name)!r} ")
        assert sentence in record.error
    assert result.seats_score(0, 1).score.losses == 4


@pytest.mark.parametrize(
    ("spec", "sentence"),
    [
        ("python", "agent is 'python'; expected python:PATH.py:NAME."),
        ("python:", "agent is 'python:'; expected python:PATH.py:NAME."),
        ("python:mine.py", "agent is 'python:mine.py'; expected python:PATH.py:NAME."),
        ("python:mine.py:a b", "agent is 'python:mine.py:a b'; expected python:PATH.py:NAME."),
        ("python:.py:x", "agent is 'python:.py:x'; expected python:PATH.py:NAME."),
    ],
)
def test_seats_that_can_not_be_read(spec: str, sentence: str) -> None:
    with pytest.raises(InvalidParameterError) as refused:
        parse_agent(spec)
    assert str(refused.value) == sentence


def test_seats_that_can_not_be_taken(seat: Seat, tmp_path: Path) -> None:
    def refusal(spec: str, kind: type[TacticianError] = InvalidParameterError, of: str = "pommerman") -> str:
        with pytest.raises(kind) as refused:
            tournament(of, [spec, "rule-based"], 1, "1its")
        assert "\n" not in str(refused.value)
        assert refused.value.exit_code == 2
        return str(refused.value)

    assert "agent file 'no-such.py' does not exist." in refusal("python:no-such.py:Agent")
    assert "did you mean 'Wanderer'?" in refusal(seat("Wandrer"), UnknownNameError)
    assert "is 3; expected an object with a method act, or what makes one." in refusal(seat("number"))
    (tmp_path / "broken.py").write_text("x = (1\n", encoding="utf-8")
    assert "broken.py', line 1, raised SyntaxError" in refusal(f"python:{tmp_path / 'broken.py'}:Agent")


def test_a_class_makes_an_agent_for_every_game(seat: Seat) -> None:
    result = tournament("pommerman:max_steps=5", [seat("Wanderer"), "rule-based"], 4, "1its", form="gauntlet")
    (module,) = [m for name, m in sys.modules.items() if name.startswith("tactician_user_") and hasattr(m, "Wanderer")]
    assert module.Wanderer.made == len(result.records) == 4
