"""`tactician arena`, `stronger` and `demo`: where their files go, and what they print."""

from __future__ import annotations

import io
import os
import re
import sys
import threading
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from commands import NIM, Command, commands
from rich.console import Console

from tactician.arena import figures
from tactician.cli import show

MATCH = ("arena", NIM, "random", "greedy-action", "--games", 2, "--budget", "5evals")


@pytest.fixture
def command(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Command:
    return commands(monkeypatch, capsys)


@pytest.fixture
def no_games(monkeypatch: pytest.MonkeyPatch) -> None:
    """Nothing may be played."""

    def played(*_arguments: object, **_options: object) -> None:
        raise AssertionError("a game was played")

    # The package has a function of the module's name.
    monkeypatch.setattr(sys.modules["tactician.arena.tournament"], "play_all", played)


# -- where files go --------------------------------------------------------------------------------------------


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="pipes with names")
@pytest.mark.parametrize("arguments", [(*MATCH, "--csv"), ("draw", NIM, "--svg")])
def test_a_pipe_is_written_and_stays_a_pipe(command: Command, tmp_path: Path, arguments: tuple[object, ...]) -> None:
    pipe, read = tmp_path / "pipe", []
    os.mkfifo(pipe)
    reader = threading.Thread(target=lambda: read.append(pipe.read_text()), daemon=True)
    reader.start()
    assert command(*arguments, pipe).code == 0
    assert pipe.is_fifo()
    reader.join(10)
    assert read
    assert read[0].startswith(("planner,opponent", "<svg"))
    assert [one.name for one in tmp_path.iterdir()] == ["pipe"]


@pytest.mark.parametrize("arguments", [(*MATCH, "--csv"), ("draw", NIM, "--svg")])
def test_a_link_stays_and_what_it_leads_to_is_written(
    command: Command, tmp_path: Path, arguments: tuple[object, ...]
) -> None:
    (tmp_path / "data").mkdir()
    (tmp_path / "data" / "file").write_text("old")
    (tmp_path / "link").symlink_to(tmp_path / "data" / "file")
    (tmp_path / "new").symlink_to(tmp_path / "data" / "other")
    for name, target in (("link", "file"), ("new", "other")):
        assert command(*arguments, tmp_path / name).code == 0
        assert (tmp_path / name).is_symlink()
        assert (tmp_path / "data" / target).read_text().startswith(("planner,opponent", "<svg"))
    assert sorted(one.name for one in tmp_path.rglob("*")) == ["data", "file", "link", "new", "other"]


@pytest.mark.usefixtures("no_games")
@pytest.mark.parametrize(
    ("option", "path", "why"),
    [
        ("--csv", "nofolder/x.csv", "there is no folder"),
        ("--csv", "file/x.csv", "is no folder"),
        ("--csv", "folder", "it is a folder"),
        ("--figure", "file/table", "is no folder"),
        ("--figure", "file/new/table", "is no folder"),
        ("--figure", "folder/taken", "it is a folder"),
    ],
)
def test_what_cannot_be_written_is_refused_before_the_first_game(
    command: Command, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, option: str, path: str, why: str
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("file").write_text("in the way")
    Path("folder/taken.png").mkdir(parents=True)
    sentence = command(*MATCH, option, path).sentence()
    assert "can't be written: " in sentence
    assert why in sentence


@pytest.mark.usefixtures("no_games")
@pytest.mark.parametrize("verb", [(*MATCH, "--csv", "x.csv"), (*MATCH, "--figure", "new/table"), ("demo",)])
def test_a_folder_without_permission_is_refused_before_the_first_game(
    command: Command, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, verb: tuple[object, ...]
) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(os, "access", lambda *_arguments, **_options: False)  # root may write anywhere
    assert f"can't be written: there is no permission to write {str(tmp_path)!r}." in command(*verb).sentence()


@pytest.mark.parametrize("name", ["table", "table.png", "table.SVG"])
def test_a_figure_has_one_suffix_and_its_folder_is_made(command: Command, tmp_path: Path, name: str) -> None:
    assert command(*MATCH, "--figure", tmp_path / "new" / name).code == 0
    assert sorted(one.name for one in (tmp_path / "new").iterdir()) == ["table.png", "table.svg"]


def test_the_table_is_printed_also_where_the_figure_fails(
    command: Command, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(*_arguments: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(figures, "write_files", full)
    result = command(*MATCH, "--figure", tmp_path / "table")
    assert result.code == 2
    assert "greedy-action" in result.out
    assert result.err == f"tactician: figure '{tmp_path}/table.png' can't be written: No space left on device.\n"


# -- what is printed -------------------------------------------------------------------------------------------


def test_a_test_that_runs_out_of_games_is_undecided(command: Command) -> None:
    ask = ("stronger", NIM, "random", "random", "--games", 4, "--budget", "5evals")
    result = command(*ask)
    assert result.code == 0
    assert "\nundecided after 4 games: log-likelihood ratio " in result.out
    assert "go on" not in result.out
    document = command(*ask, "--json").json()
    assert (document["decision"], document["undecided"]) == ("go on", True)


def test_forfeits_for_the_same_reason_are_one_line(command: Command, tmp_path: Path) -> None:
    agent = tmp_path / "agent.py"
    agent.write_text(
        "class Quitter:\n"
        "    def plan(self, *more):\n"
        "        raise RuntimeError('I had enough of ' + 'this game and ' * 12 + 'go.')\n"
        "quitter = Quitter()\n"
    )
    result = command("arena", NIM, "random", f"python:{agent}:quitter", "--games", 6, "--budget", "5evals")
    assert result.code == 0
    (line,) = result.err.splitlines()
    assert line.startswith("forfeits of python:")
    assert ": 6 games: " in line
    assert "I had enough of this game" in line
    assert re.search(r" \(first in game [0-9a-f]{24}\)$", line)


def test_the_header_counts_the_games_of_the_table(command: Command, tmp_path: Path) -> None:
    kept = ("--out", tmp_path / "games.sqlite")
    assert command("arena", NIM, "random", "random", "--games", 6, "--budget", "5evals", *kept).code == 0
    again = command("arena", NIM, "random", "random", "--games", 2, "--budget", "5evals", *kept)
    assert again.out.startswith("2 games of ")


def test_a_password_is_not_shown_when_a_run_is_stopped(command: Command, monkeypatch: pytest.MonkeyPatch) -> None:
    def interrupted(*_arguments: object, **_options: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr("tactician.cli.main.app", interrupted)
    for out in (
        ("--out", "postgresql://me:se/cret@host/games"),
        ("--out=postgresql://me:secret@host:5432/games?sslmode=require",),
        ("--out", "postgresql://host/games?user=me&password=secret&sslmode=require"),
    ):
        result = command("arena", NIM, "oep", "mcts:epsilon=0.5", *out)
        assert result.code == 130
        assert "secret" not in result.err
        assert "cret@" not in result.err
        assert "***" in result.err
        assert "Resume with: tactician arena " in result.err
        assert "mcts:epsilon=0.5" in result.err


# -- the live view ---------------------------------------------------------------------------------------------


class Played:
    """As much of a tournament as the view looks at."""

    total = 1000

    def __init__(self) -> None:
        self.records: list[int] = []


@pytest.mark.parametrize("cost", [0.0, 0.02])
def test_the_standings_are_rebuilt_a_few_times_a_second_and_at_the_end(
    monkeypatch: pytest.MonkeyPatch, cost: float
) -> None:
    monkeypatch.setattr(show, "err", Console(file=io.StringIO(), force_terminal=True))
    result, seen = Played(), []

    now = 0.0
    monkeypatch.setattr(show, "time", SimpleNamespace(monotonic=lambda: now))

    def table(played: Any) -> str:
        nonlocal now
        now += cost
        seen.append(len(played.records))
        return "standings"

    with show.live("games", table) as on_progress:
        while now < 0.9:
            result.records.append(0)
            on_progress(result)
            now += 0.001
    assert 2 <= len(seen) <= (5 if cost == 0 else 4)
    assert seen[-1] == len(result.records)


def test_the_view_does_not_look_again_when_a_run_is_stopped(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(show, "err", Console(file=io.StringIO(), force_terminal=True))
    result, seen = Played(), []

    def table(played: Any) -> str:
        seen.append(played)
        return "standings"

    def stopped() -> None:
        with show.live("games", table) as on_progress:
            on_progress(result)
            on_progress(result)
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        stopped()
    assert seen == [result]
