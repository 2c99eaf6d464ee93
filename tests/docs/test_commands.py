"""Every shell command of README and documentation runs: none is left out, see `shell.Kind`."""

from __future__ import annotations

import io
import json
import os
import re
import shutil
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest
from commands import Command, commands
from pages import DOCS, ROOT, TOP, Page, page
from shell import Kind, ShellCommand, shell_commands, smaller

from tactician.arena import Pairing, open_store, play
from tactician.arena.store.boards import BoardStore

COMMANDS = shell_commands()
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]


def of(*kinds: Kind) -> list[ShellCommand]:
    return [command for command in COMMANDS if command.kind in kinds]


def repeated() -> set[ShellCommand]:
    """Commands that read and write no files and that an earlier page has already, made small in the same way."""
    seen: set[tuple[str, ...]] = set()
    found = set()
    for command in of(Kind.RUN, Kind.SLOW):
        words = tuple(smaller(command))
        alone = command.verb in ("plan", "arena", "play") and not re.search(
            r"\.\w+:|--out|--state|=\S+\.", command.text
        )
        if alone and words in seen:
            found.add(command)
        seen.add(words)
    return found


REPEATED = repeated()
PAGES = {command.page.name: command.page for command in of(Kind.RUN, Kind.SLOW)}
QUICK = [one for name, one in PAGES.items() if any(command.page.name == name for command in of(Kind.RUN))]
LONG = [one for name, one in PAGES.items() if any(command.page.name == name for command in of(Kind.SLOW))]


@pytest.fixture(scope="module")
def files(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The files that pages take for granted: games, agents, stores, a position."""
    folder = tmp_path_factory.mktemp("files")
    orchard = page("tutorials/your-own-game.md").blocks("python")[0].code
    with_function = f"{orchard}\n\n{page('tutorials/your-own-game.md').blocks('text')[0].code}"
    for name in ("orchard.py", "my_game.py"):
        (folder / name).write_text(with_function, encoding="utf-8")
    patient = _block("arena/agents.md", "class Patient")
    wanderer = _block("adapters/pommerman.md", "class Wanderer").partition("class Wanderer")[2].partition("\n\n")[0]
    (folder / "mine.py").write_text(f"{patient}\n\nclass MyAgent{wanderer}\n", encoding="utf-8")
    bot = folder / "mybot"
    bot.write_text(f'#!/bin/sh\nexec "{sys.executable}" -m tactician bot locm --budget 2its\n', encoding="utf-8")
    bot.chmod(0o755)
    _recorded(folder)
    return folder


def _block(name: str, part: str) -> str:
    """The Python block of a page that has this in it."""
    return next(block.code for block in page(name).blocks("python") if part in block.code)


def _recorded(folder: Path) -> None:
    """A store with a game that can be exported, the same game as a line, a position, a follower."""
    pairing = Pairing("amazons:size=4", ("random", "greedy-action"), "1its", 1, 0)
    record = play(pairing)
    with open_store(folder / "games.db") as store:
        store.add(store.tournament("small", {"game": pairing.game}), record)
    boards = BoardStore(folder / "games.db")
    setup = {"game": "amazons", "title": "amazons", "seats": ["person", "person"], "budget": "1s", "seed": 1}
    boards.add("3f2a" * 4, "owner", {**setup, "parameters": {}, "study": None, "start": None, "open": False})
    boards.append([("3f2a" * 4, 0, {"type": "action", "seat": 0, "codes": [93], "actions": ["d1"]})])
    boards.close()
    line = json.dumps(record.to_json())
    (folder / "games.jsonl").write_text(f"{line}\n" * 4, encoding="utf-8")
    from tactician.games import hero_academy

    position = hero_academy().initial_state(seed=7).to_json()
    (folder / "position.json").write_text(json.dumps(position), encoding="utf-8")
    shutil.copy(ROOT / "src/tactician/games/pommerman/follower.safetensors", folder / "mine.safetensors")
    shutil.copy(ROOT / "results/boney-table11-follower.safetensors", folder / "royale.safetensors")
    (folder / "results" / "speed").mkdir(parents=True)
    for results in (ROOT / "results").glob("beyond-*.json"):
        shutil.copy(results, folder / "results")
    _studied(folder / "study.db")


def _studied(store: Path) -> None:
    """A game of the study that was begun."""
    boards = BoardStore(store)
    study = {"skill": "expert", "opponent": "oep"}
    setup = {"game": "amazons:size=4", "seats": ["person", "oep"], "seed": 1, "study": study}
    boards.add("4e1b" * 4, "owner", setup)
    boards.close()


@pytest.fixture
def shell(files: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Command:
    """Runs a command in a folder of its own, which has the files that pages take for granted."""
    folder = tmp_path / "shell"
    shutil.copytree(files, folder)
    monkeypatch.chdir(folder)
    monkeypatch.setenv("PATH", f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}")  # tactician's
    return commands(monkeypatch, capsys)


def run_page(shell: Command, one: Page, kind: Kind, monkeypatch: pytest.MonkeyPatch) -> None:
    for command in COMMANDS:
        makes_files = command.verb == "new"  # for the commands after it, of any kind
        if command.page != one or (command.kind is not kind and not makes_files) or command in REPEATED:
            continue
        typed = command.typed or _typed(command)
        monkeypatch.setattr(sys, "stdin", io.StringIO(typed))
        result = shell(*smaller(command))
        # A game that was given up; whether deadlines are kept depends on how busy the machine is.
        expected = {"play": (1,), "stress": (0, 1)}.get(command.verb, (0,))
        assert result.code in expected, f"{command}\n{result.err}"


def _typed(command: ShellCommand) -> str:
    if command.verb == "play":
        return "q\n"
    if command.verb == "analyse":
        lines = [line for block in command.page.blocks("console") for line in block.code.splitlines()]
        (query,) = (line for line in lines if line.startswith("{"))
        return query.replace('"2s"', '"20its"') + "\n"
    return ""


@pytest.mark.parametrize("one", QUICK, ids=lambda one: one.name)
def test_commands_run_in_order(one: Page, shell: Command, monkeypatch: pytest.MonkeyPatch) -> None:
    run_page(shell, one, Kind.RUN, monkeypatch)


@pytest.mark.slow
@pytest.mark.parametrize("one", LONG, ids=lambda one: one.name)
def test_long_commands_run_in_order(one: Page, shell: Command, monkeypatch: pytest.MonkeyPatch) -> None:
    run_page(shell, one, Kind.SLOW, monkeypatch)


@pytest.mark.slow
@pytest.mark.parametrize("command", {c.text: c for c in of(Kind.SERVER)}.values(), ids=str)
def test_servers_answer_until_they_are_stopped(command: ShellCommand, files: Path) -> None:
    words = [word for word in command.words[1:] if word != "--open"]
    started = [sys.executable, "-m", "tactician", *words, "--port", "0"]
    process = subprocess.Popen(started, cwd=files, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    try:
        assert process.stdout is not None
        assert any("http://" in line for line in process.stdout)
    finally:
        process.terminate()
        process.wait(timeout=60)


@pytest.mark.parametrize("command", {c.text: c for c in of(Kind.MAKE)}.values(), ids=str)
def test_targets_of_make_exist(command: ShellCommand) -> None:
    dry = subprocess.run(["make", "--dry-run", *command.words[1:]], cwd=ROOT, capture_output=True, text=True)
    assert dry.returncode == 0, dry.stderr


@pytest.mark.parametrize("command", {c.text: c for c in of(Kind.INSTALL)}.values(), ids=str)
def test_extras_that_are_installed_exist(command: ShellCommand) -> None:
    for word in command.words[2:]:
        if found := re.fullmatch(r"tactician\[(.+)\]", word):
            assert set(found[1].split(",")) <= set(PROJECT["optional-dependencies"])


@pytest.mark.slow
@pytest.mark.parametrize("command", {c.text: c for c in of(Kind.SCRIPT)}.values(), ids=str)
def test_programs_of_the_repository_run(command: ShellCommand, tmp_path: Path) -> None:
    """In a copy, because some of them write pages; what measures does so for as short as it can."""
    copy = tmp_path / "copy"
    for name in ("tools", "benchmarks", "docs", "results", "README.md", "pyproject.toml"):
        source = ROOT / name
        shutil.copytree(source, copy / name) if source.is_dir() else shutil.copy(source, copy / name)
    words = [word for word in command.words[1:] if word not in ("--write", "--jax", "path/to/python")]
    assert (copy / words[0]).is_file(), f"{command}: there is no such program"
    short = {"openspiel_mcts.py": ["--seconds", "0.1"], "peers.py": ["--seconds", "0.1", "--games"]}
    short |= {"ntbea_functions.py": ["--repetitions", "1", "--optuna-repetitions", "1"]}
    short |= {"play_strength.py": ["--games", "2", *([] if "hero-academy-reply" in words else ["locm-500"])]}
    short |= {"learn_draft.py": ["--games", "2", "--rounds", "2", "--starts", "2"]}
    more = short.get(Path(words[0]).name, [])
    environment = {**os.environ, "PYTHONPATH": str(ROOT / "src")}
    done = subprocess.run(
        [sys.executable, *words, *more], cwd=copy, capture_output=True, text=True, env=environment, check=False
    )
    # The comparison with OpenSpiel fails below its bar, and a tenth of a second is too short to be sure of it.
    assert done.returncode in ((0, 1) if "openspiel_mcts" in words[0] else (0,)), done.stderr


def test_pre_commit_has_a_configuration() -> None:
    assert of(Kind.HOOKS)
    assert (ROOT / ".pre-commit-config.yaml").is_file()
    assert any(tool.startswith("pre-commit") for tool in PROJECT["optional-dependencies"]["dev"])


def test_every_fenced_block_has_a_kind_that_is_tested() -> None:
    """Python runs, commands run, tables of TOML parse, C is the source itself; text is not a program."""
    known = {"python", "console", "text", "toml", "c", "json"}
    for one in [*TOP, *DOCS]:
        for language in re.findall(r"^ *```(\w*)[^\n]*\n.*?^ *```$", one.text, re.DOTALL | re.MULTILINE):
            assert language in known, f"{one.name} has a block of {language!r}"
        for block in one.blocks("toml"):
            tomllib.loads(block.code)
        for block in one.blocks("json"):
            json.loads(block.code)
