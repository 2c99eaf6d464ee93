"""`tactician results`: reading a store, also where nothing may be written."""

from __future__ import annotations

import csv
import json
import os
import shutil
import stat
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest
from commands import NIM, PLAIN_GAME, Command, commands
from sqlalchemy import text

from tactician.arena import TournamentPlan, open_store, run

AGENTS = ("random", "greedy-action", "greedy-turn")


@pytest.fixture
def command(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Command:
    return commands(monkeypatch, capsys)


@pytest.fixture
def store(tmp_path: Path) -> Path:
    """A tournament of three, with four games a pair."""
    file = tmp_path / "games.sqlite"
    with open_store(file) as kept:
        for games in (2, 4):
            run(TournamentPlan(NIM, AGENTS, games, "5evals"), kept)
    return file


def test_a_store_that_is_not_there_is_refused_and_not_made(command: Command, tmp_path: Path) -> None:
    for arguments in (("missing.db",), ("missing.db", 1), ("nowhere/missing.db",)):
        assert (
            "doesn't exist; expected a file in which games are kept."
            in command("results", tmp_path / arguments[0], *arguments[1:]).sentence()
        )
    (tmp_path / "empty.db").touch()
    assert "is empty; expected one in which games are kept." in command("results", tmp_path / "empty.db").sentence()
    assert [(file.name, file.stat().st_size) for file in tmp_path.iterdir()] == [("empty.db", 0)]


def test_games_are_counted_for_a_pair(command: Command, store: Path) -> None:
    document = command("results", store, 1, "--json").json()
    assert document["plan"]["games"] == 4
    assert [pair["games"] for pair in document["pairs"]] == [4, 4, 4]
    assert command("results", store, 1).out.startswith("12 games of ")


def test_a_file_and_a_document_are_both_written(command: Command, store: Path, tmp_path: Path) -> None:
    table, lines = tmp_path / "games.csv", tmp_path / "games.jsonl"
    result = command("results", store, 1, "--csv", table, "--jsonl", lines, "--json")
    assert result.code == 0
    assert result.json() == command("results", store, 1, "--json").json()
    assert len(list(csv.DictReader(table.open()))) == 12
    assert len([json.loads(line) for line in lines.read_text().splitlines()]) == 12
    assert command("results", store, 1, "--csv", table).out == ""


@pytest.mark.parametrize("option", ["--csv", "--jsonl"])
def test_outputs_never_replace_the_store(command: Command, store: Path, option: str) -> None:
    before = store.read_bytes()
    for same in (store, store.parent / "." / store.name):
        refusal = command("results", store, 1, option, same).sentence()
        assert "where the games are kept; expected another file" in refusal
    assert store.read_bytes() == before


def test_the_arena_never_writes_over_its_store(command: Command, tmp_path: Path) -> None:
    store = tmp_path / "games.png"
    for option in ("--csv", "--figure"):
        words = (
            "arena",
            NIM,
            "random",
            "greedy-action",
            "--games",
            2,
            "--budget",
            "2its",
            "--out",
            store,
            option,
            store,
        )
        assert "where the games are kept; expected another file" in command(*words).sentence()
    assert not store.exists()


def test_a_small_number_is_never_the_beginning_of_a_key(command: Command, store: Path) -> None:
    for number in range(3, 10):
        assert command("results", store, number).code != 0


@pytest.mark.parametrize("option", ["--csv", "--jsonl"])
def test_files_without_a_tournament_are_refused(command: Command, store: Path, tmp_path: Path, option: str) -> None:
    sentence = command("results", store, option, tmp_path / "y").sentence()
    assert sentence.startswith(f"{option} writes one tournament's games; expected its number")
    assert not (tmp_path / "y").exists()
    assert "there is no folder" in command("results", store, 1, option, tmp_path / "nowhere" / "y").sentence()


def test_reading_changes_nothing(command: Command, store: Path) -> None:
    before = store.read_bytes()
    assert command("results", store, "--json").json()[0]["games"] == 12
    assert command("results", store, 1).code == 0
    assert store.read_bytes() == before
    assert [file.name for file in store.parent.iterdir()] == [store.name]


@pytest.fixture
def shared() -> Iterator[Path]:
    """A folder that other users get to, which they don't to tmp_path."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        folder.chmod(0o777)
        yield folder
        folder.chmod(0o777)


SCRIPT = """if True:
    import os, sys
    from tactician.arena import open_store
    if os.geteuid() == 0:
        os.setuid(65534)
    with open_store(sys.argv[1], read_only=True) as store:
        for one in store.tournaments():
            print(one.id, one.games, len(list(store.games(one.id))))
"""


@pytest.mark.skipif(os.name != "posix", reason="permissions as on Unix")
@pytest.mark.parametrize("locked", ["folder", "file", "both"])
@pytest.mark.parametrize("name", ["games.sqlite", "odd ?#%20 ü.db"])
def test_a_store_is_read_where_nothing_may_be_written(store: Path, shared: Path, locked: str, name: str) -> None:
    file = shared / name
    shutil.copy(store, file)
    file.chmod(0o666 if locked == "folder" else 0o444)
    shared.chmod(0o777 if locked == "file" else 0o555)
    done = subprocess.run([sys.executable, "-c", SCRIPT, str(file)], capture_output=True, text=True, timeout=60)
    assert (done.stdout, done.stderr) == ("1 12 12\n", "")
    assert [one.name for one in shared.iterdir()] == [name]


@pytest.mark.skipif(os.name != "posix", reason="permissions as on Unix")
def test_games_that_another_process_is_adding_are_read_where_nothing_may_be_written(store: Path, shared: Path) -> None:
    file = shared / "games.sqlite"
    with open_store(store) as old:
        game = next(old.games(1))
    with open_store(file) as kept:
        kept.add(kept.tournament("k", {}), game)
        assert (shared / "games.sqlite-wal").stat().st_size > 0
        for one in shared.iterdir():
            one.chmod(stat.S_IRUSR | stat.S_IRGRP | stat.S_IROTH)
        shared.chmod(0o555)
        done = subprocess.run([sys.executable, "-c", SCRIPT, str(file)], capture_output=True, text=True, timeout=60)
        assert (done.stdout, done.stderr) == ("1 1 1\n", "")


def test_nothing_that_a_store_names_is_loaded(command: Command, tmp_path: Path) -> None:
    game, agent, ran = tmp_path / "game.py", tmp_path / "agent.py", tmp_path / "ran"
    game.write_text(PLAIN_GAME)
    agent.write_text("def first(state, seat):\n    return state.legal_actions()[0]\n")
    agents = ("random", f"python:{agent}:first")
    played = command(
        "arena", f"{game}:nim", *agents, "--games", 2, "--budget", "5evals", "--out", tmp_path / "games.db", "--json"
    ).json()
    for file in (game, agent):
        file.write_text(f"import pathlib\npathlib.Path({str(ran)!r}).touch()\n")
    script = [sys.executable, "-m", "tactician.cli.main", "results", str(tmp_path / "games.db")]
    exports = ["--csv", str(tmp_path / "games.csv"), "--jsonl", str(tmp_path / "games.jsonl")]
    for more in ([], ["1", "--json", *exports]):
        done = subprocess.run([*script, *more], capture_output=True, text=True, check=True)
    assert not ran.exists()
    assert json.loads(done.stdout) == played
    for file in (game, agent):
        file.unlink()
    assert command("results", tmp_path / "games.db", 1, "--json").json() == played


@pytest.mark.parametrize(
    ("game", "agents", "sides"),
    [
        (NIM, ("random", "greedy-action"), [0, 1]),
        ("pommerman:max_steps=4", ("mcs", "rule-based"), [0, 1, 2, 3]),
        ("pommerman:variant=team,max_steps=4", ("mcs", "rule-based"), [0, 1, 0, 1]),
    ],
)
def test_a_store_of_an_earlier_version_shows_its_sides_in_its_games(
    command: Command, tmp_path: Path, game: str, agents: tuple[str, str], sides: list[int]
) -> None:
    file = tmp_path / "games.db"
    with open_store(file) as kept:
        played = run(TournamentPlan(game, agents, 2, "2its"), kept).to_json()
        assert played["plan"]["sides"] == sides
        with kept._database.writing() as connection:
            described = played["plan"] | {}
            del described["sides"]
            connection.execute(text("UPDATE tournaments SET description = :d"), {"d": json.dumps(described)})
    assert command("results", file, 1, "--json").json() == json.loads(json.dumps(played))
