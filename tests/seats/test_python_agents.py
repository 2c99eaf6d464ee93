"""Agents of Python files have a seat in any game."""

from __future__ import annotations

import json
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from python_files import user_files
from slow_parameters import pairs_rest_slow
from typer.testing import CliRunner

from tactician.arena import Pairing, play, replay, tournament
from tactician.arena.agents import parse_agent
from tactician.cli.main import app
from tactician.contract.state import State
from tactician.errors import InvalidParameterError
from tactician.games.registry import load_game
from tactician.planners.registry import parse_planner
from tactician.seats.plan import Plan
from tactician.seats.python_agents import PythonAgent
from tactician.seats.seat import Seat as AnySeat

Seat = Callable[[str], str]

FILE = """
import json, pathlib
import numpy as np
from tactician.planners import OEP
from tactician.seats.plan import Plan


def first(state, player):
    assert player == state.current_player()
    return state.legal_actions()[0]


def whole_turn(state, player):
    actions = []
    while not state.is_over() and state.current_player() == player:
        actions.append(state.legal_actions()[-1])
        state.apply(actions[-1])
    return actions


def together(state, player):
    return np.int64(state.legal_actions(player)[0])


def tell(event):
    with pathlib.Path(__file__).with_name("told").open("a") as file:
        file.write(json.dumps(event) + "\\n")


class Careful:
    def __init__(self):
        tell("made")

    def seeded(self, seed):
        self.seed = seed

    def new_game(self):
        tell("new game")

    def prepare(self, game, seat, seed):
        tell(["prepare", game.name, seat, seed == self.seed])
        return {}

    def plan(self, state, budget, ply):
        tell([str(budget), ply])
        return Plan((state.legal_actions()[self.seed % len(state.legal_actions())],), 0.5)

    def end_game(self, returns):
        tell(returns)

    def close(self):
        tell("closed")


class Hopeless:
    def __init__(self):
        raise OSError("not today")


class Answers:
    def __init__(self, answer):
        self.answer = answer

    def plan(self, state, budget, ply):
        return self.answer


def make():
    return Careful()


def make_nothing():
    return None


def raises(state, player):
    raise ValueError("no idea")


def breaks(state, player):
    from tactician.errors import RuleFailureError
    raise RuleFailureError("rule 'apply' failed.")


ready = Careful()
nothing, text, truth, empty, nested = map(Answers, (None, "end", True, [], [[1], [2]]))
illegal = Answers(1_000_000)
after_the_end = Answers([1_000_000, 1])
planner = OEP(population=4)
number = 3
"""


@pytest.fixture
def seat(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Seat]:
    with user_files(tmp_path, {"mine.py": FILE}, monkeypatch):
        yield lambda name: f"python:{tmp_path / 'mine.py'}:{name}"


def told(folder: Path) -> list[Any]:
    """What the agent of the file was told, in order."""
    return [json.loads(line) for line in (folder / "told").read_text(encoding="utf-8").splitlines()]


# -- what can have a seat --------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("name", "game"),
    pairs_rest_slow(
        ["first", "whole_turn", "Careful", "make", "ready"],
        ["hero-academy:turn_limit=6", "amazons:size=6", "locm"],
        ["first"],
        ["amazons:size=6"],
    ),
)
def test_an_agent_of_a_file_plays_every_game_of_turns(game: str, name: str, seat: Seat) -> None:
    result = tournament(game, [seat(name), "random"], 2, "10evals")
    assert not result.errors
    for record in result.games():
        assert tuple(replay(record).returns()) == record.returns


def test_where_all_act_at_once_an_agent_is_told_its_seat(seat: Seat) -> None:
    result = tournament("pommerman:max_steps=12", [seat("together"), "mcs"], 4, "5its", form="gauntlet")
    assert not result.errors
    assert len(result.games()) == 4


def test_a_planner_of_a_file_plays_as_by_its_name(seat: Seat) -> None:
    game = load_game("hero-academy")
    state = game.initial_state(seed=3)
    ours = parse_agent(seat("planner")).on(game).seeded(7).plan(state, "60evals")
    assert ours.actions == parse_planner("oep:population=4").on(game).seeded(7).plan(state, "60evals").actions


def test_the_command_line_takes_one(seat: Seat) -> None:
    command = ["arena", "hero-academy:turn_limit=4", "random", "--agent", seat("first"), "--games", "2", "--json"]
    done = CliRunner().invoke(app, [*command, "--budget", "10evals"])
    assert done.exit_code == 0, done.output
    standings = json.loads(done.stdout)["standings"]
    assert {row["planner"] for row in standings} == {"random", seat("first")}


# -- what it is given, and when --------------------------------------------------------------------------------------


def test_a_class_makes_an_agent_for_every_game_and_it_is_told_what_happens(seat: Seat, tmp_path: Path) -> None:
    result = tournament("hero-academy:turn_limit=3", [seat("Careful"), "random"], 4, "10evals")
    events = told(tmp_path)
    assert events.count("made") == 4 + 1  # `ready` is made by the file, in one process for all games
    assert events.count("new game") == events.count("closed") == 4
    assert events[1:4] == ["made", "new game", ["prepare", "hero-academy", 0, True]]
    assert events[4] == ["10evals", 0]
    assert events[-2:] == [list(result.games()[-1].returns), "closed"]


def test_an_object_that_plays_on_is_never_closed(seat: Seat, tmp_path: Path) -> None:
    tournament("hero-academy:turn_limit=3", [seat("ready"), "random"], 2, "10evals")
    assert told(tmp_path).count("made") == 1
    assert "closed" not in told(tmp_path)


def test_the_file_is_never_run_in_our_own_process(seat: Seat) -> None:
    before = set(sys.modules)
    tournament("hero-academy:turn_limit=3", [seat("ready"), "random"], 2, "10evals")
    assert not [name for name in set(sys.modules) - before if name.startswith("tactician_user_")]


def test_it_may_play_with_the_state_it_is_given() -> None:
    """A copy: what an agent tries out does not happen."""

    def spoils(state: State, player: int) -> int:
        action = state.legal_actions()[0]
        state.apply(action)
        return action

    game = load_game("hero-academy")
    state = game.initial_state(seed=1)
    before = state.copy()
    assert PythonAgent(spoils).plan(state, "10evals").actions == (before.legal_actions()[0],)
    assert state == before


def test_it_sees_only_what_its_player_sees() -> None:
    seen: list[State] = []

    def looks(state: State, player: int) -> int:
        seen.append(state.copy())
        return state.legal_actions()[0]

    game = load_game("locm")
    other: AnySeat = parse_planner("random").on(game).seeded(1)
    play(Pairing("locm", ("a", "b"), "10evals", 5, 0), (PythonAgent(looks), other))
    assert seen
    assert all(state == state.observe(0) for state in seen)


def test_used_alone_it_answers_with_a_plan(seat: Seat) -> None:
    game = load_game("hero-academy")
    agent = parse_agent(seat("Careful")).on(game).seeded(2)
    state = game.initial_state(seed=1)
    plan = agent.plan(state, "10evals", ply=4)
    assert isinstance(plan, Plan)
    assert plan.value == 0.5
    assert plan.actions[0] in state.legal_actions()


# -- what it does wrong ----------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("name", "sentence"),
    [
        ("Hopeless", "raised OSError in making it (mine.py, line 57): 'not today'."),
        ("make_nothing", "is a NoneType; expected an object with a method plan, or a function."),
        ("raises", "raised ValueError in its turn (mine.py, line 77): 'no idea'."),
        ("nothing", "answered None; expected an action (an integer), several, or a Plan."),
        ("text", "answered 'end'; expected an action"),
        ("truth", "answered True; expected an action"),
        ("empty", "answered []; expected an action"),
        ("nested", "answered [[1], [2]]; expected an action"),
    ],
)
def test_whatever_goes_wrong_is_a_recorded_forfeit(name: str, sentence: str, seat: Seat) -> None:
    result = tournament("hero-academy:turn_limit=3", [seat(name), "random"], 2, "10evals")
    assert [record.error_seat for record in result.games()] == [0, 1]
    for record in result.errors:
        assert record.error is not None
        assert record.error.startswith(f"agent {seat(name)!r} ")
        assert sentence in record.error
    assert result.score(0, 1).score.losses == 2


@pytest.mark.parametrize("name", ["illegal", "after_the_end"])
def test_an_illegal_action_is_a_forfeit(name: str, seat: Seat) -> None:
    result = tournament("hero-academy:turn_limit=3", [seat(name), "random"], 2, "10evals")
    assert len(result.errors) == 2
    assert "1000000" in (result.errors[0].error or "")


def test_a_rule_that_fails_in_an_agents_hands_is_named_in_the_reason(seat: Seat) -> None:
    """Most often the agent has called it with an argument that makes no sense."""
    result = tournament("hero-academy:turn_limit=3", [seat("breaks"), "random"], 1, "10evals")
    assert "raised RuleFailureError in its turn (mine.py, line 82): \"rule 'apply' failed.\"" in str(
        result.errors[0].error
    )


def test_what_can_not_play_is_refused_at_once(seat: Seat) -> None:
    with pytest.raises(InvalidParameterError) as refused:
        tournament("hero-academy", [seat("number"), "random"], 1, "10evals")
    assert str(refused.value) == (
        f"agent {seat('number')!r} is 3; expected an object with a method plan, a function of a state and a seat, "
        "or what makes one of these."
    )


def test_where_all_act_at_once_it_needs_its_seat() -> None:
    game = load_game("pommerman")
    agent = PythonAgent(lambda state, player: 0)
    with pytest.raises(InvalidParameterError, match="seat is None; all act at once here, expected 0 to 3"):
        agent.plan(game.initial_state(seed=1), "10evals")
