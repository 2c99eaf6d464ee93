"""Command lines put together at random: each does its work or is refused in one sentence."""

from __future__ import annotations

import json
import random
from collections import Counter
from collections.abc import Callable
from functools import partial
from pathlib import Path

import pytest
from commands import commands

from tactician.games.registry import load_game

COMMANDS = 2400
CHECKS = 3
"""`check` starts a process of its own, so only a few of the command lines have it."""

GAMES = (
    "amazons:size=4",
    "amazons:size=4,queens=1",
    "hero-academy:action_points=2,turn_limit=4",
    "locm",
    "pommerman:max_steps=5",
    "amazons-plain:size=4",
)
BAD_GAMES = (
    "",
    ":",
    "chess",
    "amazons:size=0",
    "amazons:size=99999999999999999999",
    "amazons:size",
    "amazons:size=4,size=5",
    "amazons:=4",
    "hero-academy:hand_size=30",
    "hero-academy:map=/",
    "hero-academy:map=/dev/null",
    "hero-academy:deck=1",
    "locm:version=9",
    "locm:cards=/dev/null",
    "locm:weights=1",
    "pommerman:max_steps=0",
    "pommerman:variant=\x00",
    "[/bold]",
    "missing.py:game",
    "/dev/null.py:game",
    f"{'x' * 5000}",
    "amazons:size=" + "9" * 5000,
    "ünïcode:größe=4",
)
PLANNERS = (
    "random",
    "greedy-action",
    "mcts",
    "oep",
    "emcts:depth=2",
    "mcs",
    "bridge-burning-mcts",
    "information-set-mcts",
    "clairvoyant:planner=oep",
)
BAD_PLANNERS = (
    "",
    "mcts:",
    "mcts:exploration",
    "mcts:exploration=nan",
    "mcts:exploration=1e400",
    "mcts:memory_mb=-1",
    "mcts:memory_mb=1048576",
    "mcts:budget=9223372036854775808its",
    "mcts:weights=;",
    "determinized:inner=(determinized)",
    "determinized:inner=((",
    "determinized:planner=information-set-mcts",
    "clairvoyant:planner=(clairvoyant)",
    "clairvoyant:planner=((",
    "information-set-mcts:exploration=nan",
    "information-set-mcts:memory_mb=1048577",
    "oep:population=0",
    "exec:",
    "exec:/does/not/exist",
    "missing.py:Agent",
    "[red]",
    "\x00",
    "x" * 5000,
)
BUDGETS = ("5its", "9evals", "1ms", "ref:1ms")
BAD_BUDGETS = ("", "its", "-1its", "0its", "1.5its", "nanms", "9223372036854775808its", "9" * 5000 + "evals", "1e9its")
NUMBERS = ("0", "1", "2")
BAD_NUMBERS = ("", "-1", "x", "1.5", "nan", "inf", "9" * 30, "-" + "9" * 30, "0x10", "1e3", "½")


@pytest.mark.slow
def test_a_command_line_does_its_work_or_is_refused_in_one_sentence(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    command, chance, codes = commands(monkeypatch, capsys), random.Random(3), Counter[int]()
    monkeypatch.chdir(tmp_path)
    paths = _paths(tmp_path)
    for number in range(COMMANDS):
        arguments = _check(chance) if number < CHECKS else _arguments(chance, paths)
        shown = " ".join(repr(argument[:80]) for argument in arguments)
        try:
            ran = command(*arguments)
        except BaseException as error:
            raise AssertionError(f"command line {number}: {shown}") from error
        assert ran.code in (0, 1, 2), shown
        assert "Traceback" not in ran.err, shown
        if ran.code == 2:
            last = ran.err.splitlines()[-1]
            assert last.startswith("tactician: "), (shown, ran.err)
            assert len(ran.err) < 12_000, shown
        codes[ran.code] += 1
    print(f"\n{COMMANDS} command lines; exit codes {dict(codes)}")
    assert codes[0] > COMMANDS / 20
    assert codes[2] > COMMANDS / 4


def _paths(folder: Path) -> tuple[str, ...]:
    """Files and folders that exist, that don't, and that can't be."""
    (folder / "folder").mkdir()
    for name, content in {
        "empty.json": "",
        "list.json": "[1, 2]",
        "deep.json": "[" * 50_000,
        "digits.json": "9" * 5000,
        "nan.json": '{"turn": NaN}',
        "space.json": '{"planner.exploration": [1, 2]}',
        "state.json": json.dumps(load_game("amazons:size=4").initial_state(1).to_json()),
        "hero.json": json.dumps(load_game("hero-academy").initial_state(1).to_json()),
        "lines.jsonl": '{"format": 1, "kind": "game"}\n{}\n',
        "other.db": "not a database",
    }.items():
        (folder / name).write_text(content)
    names = [path.name for path in sorted(folder.iterdir())]
    return (*names, "missing", "folder/new", "/dev/null", "/dev/full", "/dev/zero", "", "a\0b", "y" * 5000, "[/x]")


def _check(chance: random.Random) -> list[str]:
    return ["check", chance.choice(GAMES), "--games", "1"]


def _arguments(chance: random.Random, paths: tuple[str, ...]) -> list[str]:
    def mostly(good: tuple[str, ...], bad: tuple[str, ...], share: float = 0.15) -> str:
        return chance.choice(bad if chance.random() < share else good)

    def options(**choices: Callable[[], str]) -> list[str]:
        given = chance.sample(sorted(choices), chance.randint(0, min(3, len(choices))))
        return [part for name in given for part in (f"--{name}", choices[name]())]

    game = partial(mostly, GAMES, BAD_GAMES)
    planner = partial(mostly, PLANNERS, BAD_PLANNERS)
    budget = partial(mostly, BUDGETS, BAD_BUDGETS)
    number = partial(mostly, NUMBERS, BAD_NUMBERS, 0.25)
    path = partial(chance.choice, paths)
    match chance.randrange(9):
        case 0 | 1:
            return ["draw", game(), *options(state=path, seed=number, svg=path, position=path)]
        case 2 | 3:
            chosen = options(state=path, seed=number, seat=number, position=path)
            return ["plan", game(), "--planner", planner(), "--budget", budget(), *chosen]
        case 4:
            return ["conformance", chance.choice(("locm", "pommerman", "hero-academy", "chess", "")), path()]
        case 5:
            fixed = ["--games", mostly(("2",), BAD_NUMBERS[:6]), "--budget", budget()]
            return ["arena", game(), planner(), planner(), *fixed, *options(seed=number, csv=path, out=path)]
        case 6:
            tried = options(seed=number, neighbours=number, mutation=number, out=path, space=path, exploration=number)
            parameter = mostly(("planner.exploration=1,2", "planner.prune=true,false"), ("", "=", "a", "planner.x=1"))
            fixed = ["--evaluations", "2", "--games", "2", "--budget", "3its", "--param", parameter]
            return ["tune", chance.choice(GAMES[:2]), planner(), "--opponent", "random", *fixed, *tried]
        case 7:
            return ["results", path(), *options(csv=path, jsonl=path)]
        case _:
            verb = chance.choice(("games", "planners", "new", "draw", "nothing", "--version", "-h", "arena"))
            return [verb, *chance.sample(["--json", "--bogus", path(), number(), "-h"], chance.randint(0, 2))]
