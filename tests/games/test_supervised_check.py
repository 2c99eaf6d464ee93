"""A rule that never returns or ends the process is a finding of `tactician check`, with rule, line and seed."""

from __future__ import annotations

from pathlib import Path

import pytest

from tactician.errors import InvalidGameError, InvalidParameterError
from tactician.games.supervised_check import check_supervised

GAME = """
import ctypes, os
import numpy as np
from tactician import contract

Config = np.dtype([("unused", "i8")], align=True)
State = np.dtype([("player", "i1"), ("left", "i2")], align=True)


def initial_state(g, s, rng):
    s.left = 6
def loops_at_the_start(g, s, rng):
    while s.left == 0:
        pass
def exits(g, s, rng):
    os._exit(3)
def crashes(g, s, rng):
    ctypes.string_at(0)
def legal_actions(g, s, player, out):
    out[0] = 0
    return 1
def apply(g, s, action, rng):
    s.left -= 1
    s.player = 1 - s.player
def current_player(g, s):
    return s.player
def is_over(g, s):
    return s.left == 0
def returns(g, s, out):
    out[0], out[1] = 1.0, -1.0
def evaluate(g, s, out):
    out[0], out[1] = s.left, -s.left
def loops(g, s, out):
    n = 0
    while s.left < 4:
        n += 1
        if n == 7:
            n = 0
    out[0], out[1] = n, -n


def make(**bad):
    rule = contract.rules(Config, State)
    for function in (initial_state, legal_actions, apply, current_player, is_over, returns, evaluate):
        getattr(rule, function.__name__)(bad.get(function.__name__, function))
    return rule.game("countdown", max_actions=1, value_range=(-9, 9))


def good(): return make()
def looping(): return make(evaluate=loops)
def looping_start(): return make(initial_state=loops_at_the_start)
def exiting(): return make(initial_state=exits)
def crashing(): return make(initial_state=crashes)
"""


@pytest.fixture(scope="module")
def game(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("games") / "countdown.py"
    path.write_text(GAME)
    return path


def line_of(text: str) -> int:
    return GAME[: GAME.index(text)].count("\n") + 1


def test_a_good_game_is_checked_as_in_this_process(game: Path) -> None:
    done: list[tuple[int, int]] = []
    report = check_supervised(f"{game}:good", games=2, progress=lambda *at: done.append(at))
    assert report.ok, report
    assert (report.game, report.games, report.actions) == ("countdown", 2, 12)
    assert done[-1] == (4, 4)


def test_a_rule_that_never_returns_is_named_with_its_line_and_the_game(game: Path) -> None:
    (finding,) = check_supervised(f"{game}:looping", games=1, seconds=3).findings
    lines = {line_of(text) for text in ("while s.left < 4", "n += 1", "if n == 7", "n = 0\n    out")}
    assert finding.check == "returns"
    assert "rule 'evaluate' does not return within 3 s, at countdown.py, line " in finding.message
    assert "(game seed 0, step " in finding.message
    assert int(finding.message.partition("line ")[2].split()[0]) in lines


def test_a_start_that_never_returns_is_named_too(game: Path) -> None:
    (finding,) = check_supervised(f"{game}:looping_start", games=1, seconds=2).findings
    line = line_of("while s.left == 0")
    assert finding.message.startswith("rule 'initial_state' does not return within 2 s, at countdown.py, line ")
    assert f"line {line}" in finding.message or f"line {line + 1}" in finding.message


@pytest.mark.parametrize(("kind", "how"), [("exiting", "exit code 3"), ("crashing", "signal SIGSEGV")])
def test_a_game_that_ends_the_process_is_a_finding(game: Path, kind: str, how: str) -> None:
    (finding,) = check_supervised(f"{game}:{kind}", games=1, seconds=120).findings
    assert finding.check == "crashes"
    assert finding.message == f"rule 'initial_state' ends the process ({how}) (game seed 0)."


def test_what_can_not_be_loaded_is_refused(game: Path) -> None:
    with pytest.raises(InvalidGameError, match="does not exist"):
        check_supervised("no-such-file.py:game")
    with pytest.raises(InvalidParameterError, match="seconds is 0; expected a positive number"):
        check_supervised(f"{game}:good", seconds=0)
