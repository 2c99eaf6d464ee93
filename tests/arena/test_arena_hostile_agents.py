"""Agents of files that misbehave in every way: each forfeits its games with a reason, and the tournament is played."""

from __future__ import annotations

import contextlib
import json
import os
import re
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from python_files import user_files

from tactician.arena import Pairing, agent_process, open_store, play, tournament
from tactician.arena.agent_process import AgentSeat, close_agents
from tactician.arena.agents import PythonSpec, parse_agent
from tactician.arena.match import game_named
from tactician.errors import ForeignAgentError, InvalidParameterError
from tactician.games.registry import load_game
from tactician.planners.registry import parse_planner
from tactician.seats.reaper import descendants
from tactician.tuning import NTBEA, MatchEvaluator, Space

NIM = f"{Path(__file__).parents[1] / 'support' / 'nim_rules.py'}:nim"

AGENTS = '''
import asyncio, ctypes, os, signal, subprocess, sys, threading, time
from tactician.planners import OEP
from tactician.seats import Plan, Statistics


class Good:
    """Plays, prints, and looks at its arguments."""

    def plan(self, state, budget, *, ply, seat):
        print("thinking", flush=True)
        sys.stdout.write("aloud\\n")
        os.write(1, b"really\\n")
        return state.legal_actions()[0]


class Does(Good):
    """Does something in a method."""

    where = "plan"

    def __init__(self):
        setattr(self, self.where, self.bad)

    def bad(self, *arguments, **named):
        raise NotImplementedError


class LoopsForEver(Does):
    def bad(self, *arguments, **named):
        while True:
            pass


class LoopsInsideC(Does):
    def bad(self, *arguments, **named):
        ctypes.PyDLL(None).sleep(100_000)  # holds the interpreter's lock


class IgnoresTerm(Does):
    def bad(self, *arguments, **named):
        signal.signal(signal.SIGTERM, signal.SIG_IGN)
        time.sleep(100_000)


class StopsItself(Does):
    def bad(self, *arguments, **named):
        os.kill(os.getpid(), signal.SIGSTOP)


class Exits(Does):
    def bad(self, *arguments, **named):
        sys.exit(0)


class ExitsAtTheEnd(Exits):
    where = "end_game"


class ExitsWhenClosed(Exits):
    where = "close"


class ExitsInPrepare(Exits):
    where = "prepare"


class EndsItsProcess(Does):
    def bad(self, *arguments, **named):
        os._exit(0)


class EndsItsProcessAtTheEnd(EndsItsProcess):
    where = "end_game"


class Crashes(Does):
    def bad(self, *arguments, **named):
        ctypes.string_at(0)


class Interrupts(Does):
    def bad(self, *arguments, **named):
        raise KeyboardInterrupt


class InterruptsTheArena(Does):
    def bad(self, *arguments, **named):
        os.kill(os.getpid(), signal.SIGINT)
        time.sleep(100_000)


class Cancels(Does):
    def bad(self, *arguments, **named):
        raise asyncio.CancelledError


class Nameless(BaseException):
    def __str__(self):
        raise ValueError


class RaisesItsOwn(Does):
    def bad(self, *arguments, **named):
        raise Nameless


class Says(Good):
    """Answers with a plan."""

    def plan(self, state, budget, *, ply, seat):
        return self.answer(state.legal_actions()[0])


class Interrupted(Says):
    def answer(self, action):
        return Plan((action,), None, stats=Statistics(interrupted=True))


class OddStatistics(Says):
    def answer(self, action):
        return Plan((action,), None, stats=Statistics(evaluations=object()))


class NoStatistics(Says):
    def answer(self, action):
        return Plan((action,), None, stats=None)


class OddValue(Says):
    def answer(self, action):
        return Plan((action,), "good")


class OddOptions(Good):
    def prepare(self, game, seat, seed):
        return {"left": {1, 2}}


class UnknownOptions(Good):
    def prepare(self, game, seat, seed):
        return {"cheat": True}


class LeavesThreads(Good):
    def plan(self, state, budget, *, ply, seat):
        threading.Thread(target=time.sleep, args=(100_000,), name="leaked").start()
        return state.legal_actions()[0]


class WrongArguments(Good):
    def plan(self, state, budget, *, ply, seat):
        return state.copy().legal_actions(player=[7])[0]


class UnknownAction(Good):
    def plan(self, state, budget, *, ply, seat):
        state.apply(10**30)


class WritesIntoTheConnection(Good):
    def plan(self, state, budget, *, ply, seat):
        for number in range(3, 100):
            if os.path.exists(f"/proc/self/fd/{number}"):
                if os.readlink(f"/proc/self/fd/{number}").startswith("socket:"):
                    os.write(number, b"x" * 100)
        return state.legal_actions()[0]


class ClosesEverything(Good):
    def plan(self, state, budget, *, ply, seat):
        os.closerange(0, 1000)
        time.sleep(100_000)


class StartsADaemon(Good):
    def plan(self, state, budget, *, ply, seat):
        subprocess.Popen(["sleep", "100000"], start_new_session=True)
        os._exit(5)


class Spoils(Good):
    """Changes what it is given, which is a copy."""

    def plan(self, state, budget, *, ply, seat):
        action = state.legal_actions()[0]
        state.apply(action)
        state.game._words[:] = 0
        return action


class Remembers:
    def __init__(self):
        self.games = 0

    def new_game(self):
        self.games += 1

    def plan(self, state, budget, *, ply, seat):
        return Plan((state.legal_actions()[0],), float(self.games))


remembers = Remembers()
planner = OEP(population=4)
'''

REASONS = {
    "LoopsForEver": r"gave no answer within 1 s in (prepare|plan)\.",
    "LoopsInsideC": r"gave no answer within 1 s in (prepare|plan)\.",
    "IgnoresTerm": r"gave no answer within 1 s in (prepare|plan)\.",
    "StopsItself": r"gave no answer within 1 s in (prepare|plan)\.",
    "Exits": r"raised SystemExit in plan \(mine.py, line \d+\): '0'\.",
    "ExitsAtTheEnd": r"raised SystemExit in end_game \(mine.py, line \d+\): '0'\.",
    "ExitsWhenClosed": r"raised SystemExit in close \(mine.py, line \d+\): '0'\.",
    "ExitsInPrepare": r"raised SystemExit in prepare \(mine.py, line \d+\): '0'\.",
    "EndsItsProcess": r"ended with code 0 in plan\.",
    "EndsItsProcessAtTheEnd": r"ended with code 0 in end_game\.",
    "Crashes": r"was killed by signal 11 \(SIGSEGV\) in plan\.",
    "Interrupts": r"raised KeyboardInterrupt in plan \(mine.py, line \d+\): ''\.",
    "InterruptsTheArena": r"raised KeyboardInterrupt in plan \(mine.py, line \d+\): ''\.",
    "Cancels": r"raised CancelledError in plan \(mine.py, line \d+\): ''\.",
    "RaisesItsOwn": r"raised Nameless in plan \(mine.py, line \d+\): '\?'\.",
    "Interrupted": r"returned a Plan that was interrupted\.",
    "OddStatistics": r"returned a Plan that can't be used: evaluations is <object .*>, expected a whole number\.",
    "NoStatistics": r"returned a Plan that can't be used: .*NoneType.*\.",
    "OddValue": r"returned a Plan that can't be used: the value is 'good', expected a number\.",
    "OddOptions": r"answered prepare with something that is not plain data \(set is not plain data\)\.",
    "UnknownOptions": r"unknown option of the start of 'nim': 'cheat'; there are: left\.",
    "LeavesThreads": r"left threads running after its game: leaked.*\.",
    "WrongArguments": r"raised TypeError in plan \(mine.py, line \d+\): .*",
    "UnknownAction": r"raised IllegalActionError in plan \(mine.py, line \d+\): .*",
    "WritesIntoTheConnection": r"wrote into its connection to the arena in plan\.",
    "ClosesEverything": r"closed its connection in plan\.",
    "StartsADaemon": r"ended with code 5 in plan\.",
}


@pytest.fixture
def file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    with user_files(tmp_path, {"mine.py": AGENTS}, monkeypatch):
        yield tmp_path / "mine.py"


def agent_of(spec: str) -> AgentSeat:
    """An agent of a file in a seat of Nim."""
    agent = parse_agent(spec).on(load_game(NIM), NIM)
    assert isinstance(agent, AgentSeat)
    return agent


def seat(file: Path, name: str) -> str:
    timeout = "[timeout=1]" if "within" in REASONS.get(name, "") else ""
    return f"python{timeout}:{file}:{name}"


SOME = ("Good", "LoopsForEver", "ExitsAtTheEnd", "EndsItsProcess", "Interrupts", "OddStatistics", "LeavesThreads")


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="looks at /proc")
@pytest.mark.parametrize(
    "names", [SOME, pytest.param(("Spoils", *sorted(REASONS.keys() - set(SOME))), marks=pytest.mark.slow)]
)
def test_every_kind_of_misbehaviour_is_a_forfeit_with_its_reason(names: tuple[str, ...], file: Path) -> None:
    tournament(NIM, ["random", "greedy-action"], 1, "10evals")  # opens what stays open, such as the watchdog's pipe
    before = set(descendants(os.getpid())), len(os.listdir("/proc/self/fd"))
    result = tournament(NIM, ["random", *(seat(file, name) for name in names)], 1, "10evals", form="gauntlet")
    assert len(result.games()) == len(names)
    unexpected = {}
    for record in result.games():
        _, spec = record.pairing.seats  # the random planner begins
        name = spec.rpartition(":")[2]
        reason = str(record.error).removeprefix(f"agent {spec!r} ")
        if not re.fullmatch(REASONS.get(name, "None"), reason):
            unexpected[name] = reason
        if name in REASONS:
            assert (record.error_seat, record.returns) == (1, (1.0, -1.0)), name
    assert not unexpected
    assert (set(descendants(os.getpid())), len(os.listdir("/proc/self/fd"))) == before


def test_workers_and_the_other_games_survive(file: Path) -> None:
    agents = [seat(file, name) for name in ("EndsItsProcess", "Crashes")]
    result = tournament(NIM, ["random", "greedy-action", *agents], 2, "10evals", jobs=2)
    assert {record.pairing.key: record.returns for record in result.games() if record.error is None} == {
        record.pairing.key: record.returns
        for record in tournament(NIM, ["random", "greedy-action"], 2, "10evals").games()
    }
    reasons = {str(record.error).rpartition("' ")[2] for record in result.errors}
    assert reasons == {"ended with code 0 in plan.", "was killed by signal 11 (SIGSEGV) in plan."}


def test_what_agents_print_is_not_part_of_the_results(file: Path, tmp_path: Path) -> None:
    command = [sys.executable, "-m", "tactician.cli.main", "arena", NIM, "random", seat(file, "Good"), "--json"]
    done = subprocess.run(
        [*command, "--games", "2", "--budget", "5evals", "--out", str(tmp_path / "games.sqlite")],
        capture_output=True,
        text=True,
        check=True,
    )
    assert json.loads(done.stdout)["errors"] == []
    assert done.stderr.count("thinking\n") == done.stderr.count("really\n") >= 2


def test_an_object_remembers_from_game_to_game_in_its_process(file: Path) -> None:
    game = load_game(NIM)
    agent = agent_of(seat(file, "remembers"))
    for number in (1, 2, 3):
        play(Pairing(NIM, ("a", "b"), "5evals", number, 0), (agent, parse_planner("random").on(game)))
    assert agent.seeded(1).plan(game.initial_state(), "5evals").value == 4.0
    assert agent.process.starts == 1


def test_a_process_that_died_is_replaced_in_the_next_game(file: Path) -> None:
    game = load_game(NIM)
    agent = agent_of(seat(file, "EndsItsProcess"))
    for number in (1, 2):
        record = play(Pairing(NIM, ("a", "b"), "5evals", number, 0), (agent, parse_planner("random").on(game)))
        assert record.error_seat == 0
        assert agent.process.starts == number


def test_processes_that_wait_make_room_for_others_unless_they_remember(
    file: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(agent_process, "MOST_PROCESSES", 2)
    agents = [agent_of(seat(file, name)) for name in ("remembers", "Good", "Spoils", "Exits")]
    for number, agent in enumerate(agents):
        agent.process.start()
        assert [one.process.runs for one in agents[: number + 1]] == [True, *[False] * (number - 1), True][: number + 1]
    close_agents()
    assert not any(agent.process.runs for agent in agents)


WORDS = """
from tactician.contract import plain


class Words:
    '''Actions are words, listed in another order at every turn.'''

    def initial_state(self, rng):
        return (0,)

    def legal_actions(self, state, player):
        words = ["ash", "birch", "cedar", "dogwood"]
        return words[len(state) % 4 :] + words[: len(state) % 4]

    def apply(self, state, action, rng):
        return (1 - state[0], action, *state[1:])

    def current_player(self, state):
        return state[0]

    def is_over(self, state):
        return len(state) == 9

    def returns(self, state):
        return [0.0, 0.0]

    def evaluate(self, state):
        return [0.0, 0.0]


game = plain(Words(), name="words", max_actions=4)


def cedar(state, seat):
    return state.action_named("cedar")
"""


def test_actions_that_are_objects_mean_the_same_in_both_processes(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Their codes are the order in which they turn up, which differs from process to process."""
    with user_files(tmp_path, {"words.py": WORDS}, monkeypatch):
        file = tmp_path / "words.py"
        result = tournament(f"{file}:game", ["random", f"python:{file}:cedar"], 2, "5evals")
    assert not result.errors
    for record in result.games():
        seat = record.pairing.seats.index(f"python:{file}:cedar")
        assert [turn.actions for turn in record.turns if turn.seat == seat] == [("cedar",)] * 4


def test_a_file_that_is_not_there_any_more_stops_the_tournament_and_counts_for_nobody(file: Path) -> None:
    game, agent = load_game(NIM), agent_of(seat(file, "Good"))
    file.unlink()
    with pytest.raises(InvalidParameterError, match="does not exist"):
        play(Pairing(NIM, ("a", "b"), "5evals", 1, 0), (parse_planner("random").on(game), agent))


def test_a_tuning_refuses_an_opponent_that_can_not_be_loaded(tmp_path: Path) -> None:
    (tmp_path / "mine.py").write_text("raise RuntimeError('no')\n", encoding="utf-8")
    evaluator = MatchEvaluator(NIM, "random", (f"python:{tmp_path / 'mine.py'}:Agent",), 2, "5evals")
    with pytest.raises(InvalidParameterError, match="raised RuntimeError: no"):
        NTBEA(Space({"planner.prune": [True, False]})).run(evaluator, 2)


SPY = """
import json, pathlib


class Spy:
    def prepare(self, game, seat, seed):
        self.seed = seed
        return {}

    def plan(self, state, budget, *, ply, seat):
        seen = {"seed": self.seed, "stream": state.stream.tolist(), "view": state == state.observe(seat)}
        with pathlib.Path(__file__).with_name("seen").open("a") as file:
            file.write(json.dumps(seen) + "\\n")
        return state.legal_actions()[0]
"""


def test_an_agent_is_given_its_own_seed_another_stream_and_its_view(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with user_files(tmp_path, {"spy.py": SPY}, monkeypatch):
        tournament("locm", [f"python:{tmp_path / 'spy.py'}:Spy", "random"], 2, "5its", seed=7)
    seen = [json.loads(line) for line in (tmp_path / "seen").read_text(encoding="utf-8").splitlines()]
    assert seen
    assert all(one["view"] for one in seen)
    assert not {one["seed"] for one in seen} & {7, 8}
    real = load_game("locm").initial_state(seed=7).stream.tolist()
    assert all(one["stream"] != real for one in seen)


def test_a_planner_of_a_file_is_not_shown_hidden_cards_and_plays_as_by_its_name(file: Path) -> None:
    pairing = Pairing("locm", ("a", "b"), "40evals", 3, 0)
    game = game_named("locm")
    opponent = parse_planner("random").on(game).seeded(5)
    ours = play(pairing, (parse_agent(seat(file, "planner")).on(game, "locm").seeded(4), opponent.seeded(5)))
    named = play(pairing, (parse_planner("oep:population=4").on(game).seeded(4), opponent.seeded(5)))
    assert [turn.actions for turn in ours.turns] == [turn.actions for turn in named.turns]


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("import sys\nsys.exit(3)\n", "raised SystemExit: 3."),
        ("raise KeyboardInterrupt\n", "raised KeyboardInterrupt: ."),
        ("import os\nos._exit(4)\n", "ended with code 4 in loading."),
    ],
)
def test_a_file_that_can_not_be_loaded_is_refused_before_the_first_game(text: str, reason: str, tmp_path: Path) -> None:
    (tmp_path / "mine.py").write_text(text, encoding="utf-8")
    with pytest.raises(InvalidParameterError, match=re.escape(reason)):
        tournament(
            NIM, ["random", f"python:{tmp_path / 'mine.py'}:Agent"], 2, "5evals", store=tmp_path / "games.sqlite"
        )
    with open_store(tmp_path / "games.sqlite") as store:
        assert not store.played(1)


def test_the_limit_of_a_turn_is_read_and_follows_the_budget() -> None:
    spec = parse_agent("python[timeout=2.5]:mine.py:Agent")
    assert spec == PythonSpec("mine.py", "Agent", 2.5)
    assert str(spec) == "python[timeout=2.5]:mine.py:Agent"
    limits = {
        (text, budget): agent_of(text).process.seconds_of(budget)
        for text in ("python:mine.py:A", "python[timeout=2]:mine.py:A")
        for budget in ("100evals", "300ms")
    }
    assert list(limits.values()) == [60.0, 5.3, 2.0, 2.3]
    with pytest.raises(
        InvalidParameterError, match="timeout of 'python' is '0'; expected a positive number of seconds"
    ):
        parse_agent("python[timeout=0]:mine.py:Agent")


ENDLESS = """
import pathlib, subprocess, sys

def endless(state, seat):
    subprocess.Popen(["sleep", "100000"], start_new_session=True)
    pathlib.Path(__file__).with_name("thinking").touch()
    while True:
        pass
"""


@pytest.mark.parametrize("jobs", [1, 2])
def test_ctrl_c_ends_an_endless_turn_with_all_it_has_started(jobs: int, tmp_path: Path) -> None:
    (tmp_path / "mine.py").write_text(ENDLESS, encoding="utf-8")
    command = [sys.executable, "-m", "tactician.cli.main", "arena", NIM, "random", f"python:{tmp_path}/mine.py:endless"]
    options = ["--games", "40", "--budget", "5evals", "--jobs", str(jobs)]
    with subprocess.Popen([*command, *options], stderr=subprocess.PIPE, text=True, start_new_session=True) as arena:
        while not (tmp_path / "thinking").exists():
            assert arena.poll() is None
            time.sleep(0.01)
        os.killpg(arena.pid, signal.SIGINT)  # as a terminal does
        _, said = arena.communicate(timeout=120)  # the pipe ends when no process holds it any more
    assert arena.returncode == 130
    assert said.splitlines()[-1] == "tactician: stopped."


@given(
    st.recursive(
        st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=5),
        lambda inner: (
            st.lists(inner, max_size=4)
            | st.dictionaries(
                st.sampled_from(["actions", "value", "alternatives", "stats", "nodes"]), inner, max_size=5
            )
        ),
        max_leaves=12,
    )
)
def test_whatever_a_process_answers_is_a_plan_or_a_reason(answer: Any) -> None:
    agent = agent_of("python:mine.py:Agent")
    state = load_game(NIM).initial_state()
    for document in (answer, {"actions": [1], "value": None, "alternatives": [], "stats": {}, "more": answer}):
        for name in ("actions", "value", "alternatives", "stats"):
            changed = document | {name: answer} if isinstance(document, dict) else document
            with contextlib.suppress(ForeignAgentError):
                plan = agent.read_plan(changed, state)
                assert all(type(action) is int for action in plan.actions)
                assert type(plan.stats.evaluations) is int
