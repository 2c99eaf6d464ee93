"""`tactician reproduce`: what it refuses before it plays, and what it prints."""

from __future__ import annotations

import os
from pathlib import Path

import pytest
from commands import Command, commands

SMALL = ("reproduce", "baier-table1", "--only", "200 ms 5 AP v greedy-action", "--preset", "baier", "--games", 2)


@pytest.fixture
def command(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], tmp_path_factory: pytest.TempPathFactory
) -> Command:
    monkeypatch.chdir(tmp_path_factory.mktemp("here"))
    return commands(monkeypatch, capsys)


def test_options_without_a_use_are_refused(command: Command) -> None:
    assert command("reproduce", "montoliu-actions", "--jobs", 2, "--out", "x.db").sentence() == (
        "experiment 'montoliu-actions' does not take --out and --jobs; expected only --games, --seed, --write."
    )
    assert "does not take --out; " in command("reproduce", "boney-fig4", "--out", "x.db").sentence()
    assert (
        "unknown cell of 'justesen-search': 'nonsense'"
        in command("reproduce", "justesen-search", "--only", "nonsense").sentence()
    )
    assert os.listdir() == []


def test_games_are_kept_also_where_no_store_is_named(command: Command) -> None:
    assert command(*SMALL, "--budget", "5evals").code == 0
    assert os.listdir() == ["tactician-results.sqlite"]
    result = command("reproduce", "justesen-search", "--games", 1, "--budget", "5its", "--only", "oep")
    assert result.code == 0
    assert sorted(os.listdir()) == ["tactician-results.sqlite", "tactician-results.sqlite.search.jsonl"]


def test_a_report_folder_that_can_not_be_is_refused_before_the_first_game(command: Command, tmp_path: Path) -> None:
    (tmp_path / "file").write_text("in the way")
    for folder in (tmp_path / "file", tmp_path / "file" / "report"):
        assert f"report folder '{folder}' can't be written: " in command(*SMALL, "--write", folder).sentence()
    assert os.listdir() == []
    result = command(*SMALL, "--budget", "5evals", "--write", tmp_path / "new" / "report")
    assert result.code == 0
    assert "200 ms 5 AP v greedy-action" in result.out
    assert (tmp_path / "new" / "report" / "baier-table1.md").exists()


def test_the_list_says_that_hours_are_estimates(command: Command) -> None:
    result = command("reproduce", "--list")
    assert "hours (estimate)" in result.out
    assert "estimates for one core of the machine they were measured on" in result.err
