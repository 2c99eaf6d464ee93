"""Rules that break their promise, seen from the command line: one sentence, a code, no traceback, no crash."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import time
from pathlib import Path

import pytest
from slow_parameters import rest_slow

FILE = Path(__file__).parents[1] / "support" / "wrong_rules.py"
STATE = "; the state is <record "
CHECK = "Run 'tactician check', which names the rule and the line."
GAMES = [
    ("with_wrong_player", "rule 'current_player' returns 6; expected 0 to 1" + STATE, 1),
    ("with_empty_list", "rule 'legal_actions' lists no action of player 1 although the game is not over" + STATE, 1),
    ("with_nan", "rule 'evaluate' writes [nan, 0.0]; expected finite numbers" + STATE, 1),
    ("with_exception", "raises ValueError: not twice" + STATE, 1),
    ("with_overflow", "wrote outside a state; memory may be corrupted, so the run stops. " + CHECK, 1),
    ("with_crash", "a rule of the game read or wrote outside its memory, so the run ends. " + CHECK, 2),
]


def run(*arguments: str, stuck_seconds: str = "600") -> subprocess.CompletedProcess[str]:
    """Run a command; while rules are compiled it may look stuck, so only tests of loops are impatient."""
    environment = {name: value for name, value in os.environ.items() if name != "PYTHONFAULTHANDLER"}
    environment |= {"TACTICIAN_QUIET": "1", "TACTICIAN_STUCK_SECONDS": stuck_seconds}
    command = [sys.executable, "-m", "tactician", *arguments]
    return subprocess.run(command, capture_output=True, text=True, env=environment, timeout=600, check=False)


@pytest.mark.parametrize(("game", "sentence", "code"), GAMES)
def test_planning_names_what_is_wrong(game: str, sentence: str, code: int) -> None:
    done = run("plan", f"{FILE}:{game}", "--planner", "mcts", "--budget", "500its")
    assert (done.returncode, len(done.stderr.splitlines())) == (code, 1)
    assert sentence in done.stderr


@pytest.mark.parametrize(
    ("game", "sentence"),
    [
        ("with_late_crash", "a rule of the game read or wrote outside its memory, so the run ends. " + CHECK),
        ("with_late_loop", "rule 'evaluate' (wrong_rules.py, line "),
    ],
)
def test_a_rule_that_ends_a_worker_ends_the_tournament(game: str, sentence: str) -> None:
    done = run(
        "arena", f"{FILE}:{game}", "random", "greedy-action", "--games", "4", "--budget", "50evals", "--jobs", "2",
        stuck_seconds="1",
    )  # fmt: skip
    assert done.returncode == 1
    assert sentence in done.stderr
    assert done.stderr.splitlines()[-1] == (
        "tactician: a rule of the game crashed a worker process (see the message above); the run stops."
    )


@pytest.mark.parametrize(
    "words",
    [
        ["plan", "{}", "--budget", "20its"],
        ["arena", "{}", "random", "greedy-action", "--games", "2", "--budget", "5its"],
    ],
    ids=["plan", "arena"],
)
def test_what_a_rule_prints_never_stands_in_a_json_document(words: list[str]) -> None:
    done = run(*(word.format(f"{FILE}:with_print") for word in words), "--json")
    assert done.returncode == 0
    assert json.loads(done.stdout)
    assert "0\n" in done.stderr


@pytest.mark.slow
def test_a_check_whose_process_is_killed_leaves_nothing_running(tmp_path: Path) -> None:
    words = [sys.executable, "-m", "tactician", "check", f"{FILE}:with_endless_returns", "--seconds", "600"]
    check = subprocess.Popen(words, env={**os.environ, "TMPDIR": str(tmp_path)}, stderr=subprocess.DEVNULL)
    while not list(tmp_path.glob("tactician-check-*/note-0")):
        time.sleep(0.1)
    children = subprocess.run(["ps", "-o", "pid=", "--ppid", str(check.pid)], capture_output=True, text=True).stdout
    assert children.split()
    check.kill()
    check.wait()
    while any(Path(f"/proc/{pid}").exists() for pid in children.split()):
        time.sleep(0.1)
    assert not list(tmp_path.glob("tactician-check-*"))


@pytest.mark.parametrize(
    "command",
    [["arena", "{}", "random", "random", "--games", "2"], ["animate", "{}", "random", "random", "--out", "game.html"]],
    ids=["arena", "animate"],
)
def test_a_rule_that_never_returns_outside_a_search_is_named_too(command: list[str], tmp_path: Path) -> None:
    game = f"{FILE}:with_endless_returns"
    words = [word.format(game).replace("game.html", str(tmp_path / "game.html")) for word in command]
    done = run(*words, "--budget", "1its", stuck_seconds="1")
    assert done.returncode == 2
    assert "rule 'returns' (wrong_rules.py, line " in done.stderr
    assert "does not return" in done.stderr
    assert not (tmp_path / "game.html").exists()


@pytest.mark.parametrize(("game", "sentence", "code"), rest_slow(GAMES, GAMES[-3:]))
def test_the_arena_names_what_is_wrong_instead_of_counting_forfeits(game: str, sentence: str, code: int) -> None:
    done = run("arena", f"{FILE}:{game}", "random", "greedy-action", "--games", "4", "--budget", "50evals")
    assert done.returncode == code
    assert sentence in done.stderr.splitlines()[-1]
    assert "Traceback" not in done.stderr
