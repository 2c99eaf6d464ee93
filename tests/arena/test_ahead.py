"""Compile ahead of a tournament, on several cores."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from tactician.arena import ahead
from tactician.arena.ahead import Part, all_parts, compile_ahead, game_part, planner_part
from tactician.games.registry import GAMES
from tactician.planners import EMCTS, MCTS, OEP, Random
from tactician.planners.registry import PLANNERS, parse_planner


def test_everything_that_comes_with_the_package_is_a_part() -> None:
    names = {(part.kind, part.name) for part in all_parts(list(GAMES))}
    assert {("game", name) for name in GAMES} <= names
    assert {("planner", name) for name in PLANNERS} <= names


def test_parameters_of_a_planner_stay_except_what_belongs_to_one_game() -> None:
    part = planner_part(MCTS(exploration=0.5, weights="mobility=2", budget="5its"))
    assert part.name == "mcts:exploration=0.5"


@pytest.mark.parametrize("outer", ["reply", "auto", "determinized", "clairvoyant"])
def test_a_planner_inside_another_is_compiled_without_what_belongs_to_one_game(outer: str) -> None:
    part = planner_part(parse_planner(f"{outer}:planner=(oep:evaluation=board,population=50)"))
    assert part.name == str(parse_planner(f"{outer}:planner=(oep:population=50)"))


def test_a_family_is_compiled_by_one_process() -> None:
    parts = [game_part("amazons"), *(planner_part(kind()) for kind in (OEP, MCTS, EMCTS))]
    lanes = ahead._shared_out(parts, 2)
    assert len(lanes) == 2
    assert sorted(str(part) for lane in lanes for part in lane) == sorted(map(str, parts))
    (together,) = [lane for lane in lanes if any(part.name == "oep" for part in lane)]
    assert any(part.name == "emcts" for part in together)


def test_little_work_stays_in_one_process() -> None:
    assert len(ahead._shared_out([Part("bandit", "a", "a", 1.0), Part("bandit", "b", "b", 1.0)], 8)) == 1


_SCRIPT = """
from tactician.arena.ahead import compile_ahead, Part
parts = [Part("hashes", "", "hashes", 9.0), Part("bandit", "ucb1", "bandits", 9.0)]
told = []
print(len(compile_ahead(parts, processes=2, on_progress=lambda *what: told.append(what))), (2, 2) in told)
print(len(compile_ahead(parts, processes=2)))
"""


def test_what_other_processes_compiled_is_loaded(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TACTICIAN_CACHE_DIR", str(tmp_path))
    done = subprocess.run([sys.executable, "-c", _SCRIPT], capture_output=True, text=True, timeout=300)
    assert done.stdout.splitlines() == ["2 True", "0"], done.stderr
    assert len(list(tmp_path.rglob("hash_state*.nbc"))) == 2


def test_a_part_that_is_not_cached_is_not_compiled_by_the_look(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TACTICIAN_CACHE_DIR", str(tmp_path))
    # In a process that has nothing in memory yet.
    program = (
        "from tactician.arena import ahead\n"
        "from tactician.planners import Random\n"
        "print(ahead._is_cached(ahead.planner_part(Random())))"
    )
    looked = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert looked.stdout == "False\n"
    assert not list(tmp_path.rglob("*.nbc"))


def test_nothing_is_done_where_everything_is_cached(capsys: pytest.CaptureFixture[str]) -> None:
    compile_ahead([planner_part(Random())])
    capsys.readouterr()
    assert compile_ahead([planner_part(Random())]) == []
    assert capsys.readouterr().err == ""


def test_there_is_always_a_core_to_compile_on(monkeypatch: pytest.MonkeyPatch) -> None:
    cores = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count()
    assert 1 <= ahead.free_cores() <= (cores or 1)
    monkeypatch.setattr(ahead, "_others_running", lambda: 1000)
    assert ahead.free_cores() == 1
    monkeypatch.setattr(ahead, "_others_running", lambda: 0)
    assert ahead.free_cores() == cores
