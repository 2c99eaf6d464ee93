"""A rule that does not return, seen from outside: real processes, because nothing inside them can go on."""

from __future__ import annotations

import itertools
import os
import signal
import subprocess
import sys
import threading
import time
from pathlib import Path

import pytest

from tactician.native.watchdog import STUCK_SECONDS, Watchdog, Watched

GAME = """
import numpy as np
from tactician import contract

Config = np.dtype([("unused", "i8")], align=True)
State = np.dtype([("player", "i1"), ("turns", "i2")], align=True)
rule = contract.rules(Config, State)

@rule.initial_state
def initial_state(g, s, rng):
    pass

@rule.legal_actions
def legal_actions(g, s, player, out):
    out[0], out[1] = 0, 1
    return 2

@rule.apply
def apply(g, s, action, rng):
    s.player = 1 - s.player
    s.turns += 1

@rule.current_player
def current_player(g, s):
    return s.player

@rule.is_over
def is_over(g, s):
    return s.turns == 200

@rule.returns
def returns(g, s, out):
    out[0] = out[1] = 0.0

@rule.evaluate
def evaluate(g, s, out):
    n = 0
    while s.turns > 2:
        n = (n + 1) % 7
    out[0], out[1] = n, -n

def game():
    return rule.game("stuck", max_actions=2, value_range=(-9, 9))
"""
LINE = 1 + GAME.splitlines().index("        n = (n + 1) % 7")


@pytest.fixture
def game_file(tmp_path: Path) -> str:
    path = tmp_path / "stuck.py"
    path.write_text(GAME)
    return f"{path}:game"


def command(game: str, *rest: str) -> list[str]:
    return [sys.executable, "-m", "tactician", "plan", game, "--planner", "mcts", "--budget", "5000its", *rest]


def environment(seconds: float) -> dict[str, str]:
    return {**os.environ, "TACTICIAN_STUCK_SECONDS": str(seconds), "TACTICIAN_QUIET": "1"}


def test_a_command_names_the_rule_that_does_not_return_and_ends(game_file: str) -> None:
    done = subprocess.run(command(game_file), env=environment(0.5), capture_output=True, text=True, timeout=300)
    assert done.returncode == 2
    assert "'stuck': rule 'evaluate' (stuck.py, line " in done.stderr
    assert "does not return; the state is <record player=1, turns=3>" in done.stderr
    assert int(done.stderr.partition("stuck.py, line ")[2].partition(")")[0]) in (LINE - 1, LINE)


def test_the_second_ctrl_c_ends_a_process_that_is_stuck(game_file: str) -> None:
    # Kernels are compiled before with another game: the rule is found to hang also while they are compiled.
    script = f"""
import tactician as tt
tt.planners.MCTS().on(tt.load_game("amazons:size=4"), seed=1)
game = tt.load_game({game_file!r})
tt.planners.MCTS().on(game, seed=1).plan(game.initial_state(seed=1), "5000its")
"""
    with subprocess.Popen(
        [sys.executable, "-c", script], env=environment(4.0), stderr=subprocess.PIPE, text=True
    ) as process:
        assert process.stderr is not None
        assert "press Ctrl-C twice to end the process" in process.stderr.readline()
        process.send_signal(signal.SIGINT)
        assert "a rule does not return; press Ctrl-C again" in process.stderr.readline()
        process.send_signal(signal.SIGINT)
        assert "second Ctrl-C" in process.stderr.readline()
        assert process.wait(60) == 130


def test_a_search_whose_time_is_up_is_stopped_from_the_thread() -> None:
    stopped = threading.Event()
    with Watchdog().watching(stopped.set, lambda: "", deadline=time.perf_counter()) as watched:
        assert stopped.wait(60)
        assert watched.finish()


def test_a_search_that_is_done_is_not_stopped_any_more() -> None:
    stopped = threading.Event()
    dog = Watchdog()
    with dog.watching(stopped.set, lambda: "", deadline=time.perf_counter() + 3600) as watched:
        assert not watched.finish()
        watched.look(time.perf_counter() + 7200)
        assert not stopped.is_set()


def test_time_in_which_the_whole_process_was_stopped_is_not_the_rules() -> None:
    """As after Ctrl-Z, when nobody looks for an hour: one second of it is counted."""
    watched = Watched(lambda: None, lambda: "", float("inf"), threading.Condition())
    resumed = watched.since + 3600
    reported_after = next(n / 4 for n in itertools.count() if watched.is_stuck(resumed + n / 4))
    assert reported_after == pytest.approx(STUCK_SECONDS - 1, abs=0.3)


def test_every_slice_has_the_whole_time() -> None:
    watched = Watched(lambda: None, lambda: "", float("inf"), threading.Condition())
    looks = [watched.since + second for second in range(1, 3 * int(STUCK_SECONDS))]
    for now in looks:
        watched.since = now - 0.5
        assert not watched.is_stuck(now)


def test_a_forked_process_has_a_watchdog_of_its_own() -> None:
    """Forked while the lock was held, as it may well be."""
    dog = Watchdog()
    with dog.watching(lambda: None, lambda: ""), dog._changed:
        child = os.fork()
        if child == 0:
            stopped = threading.Event()
            with dog.watching(stopped.set, lambda: "", deadline=time.perf_counter()):
                os._exit(0 if stopped.wait(60) else 1)
    assert os.waitpid(child, 0)[1] == 0
