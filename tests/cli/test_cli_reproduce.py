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


def test_a_page_is_written_from_results_without_playing(command: Command, tmp_path: Path) -> None:
    results, folder = tmp_path / "results", tmp_path / "pages"
    assert command(*SMALL, "--budget", "5evals", "--results", results).code == 0
    kept = (results / "baier-table1.json").read_bytes()
    os.remove("tactician-results.sqlite")
    told = command("reproduce", "baier-table1", "--report", "--results", results, "--write", folder)
    assert told.code == 0
    assert (folder / "baier-table1.md").read_text(encoding="utf-8").count("| 200 ms 5 AP v greedy-action |") == 1
    assert (folder / "baier-table1-200ms-baier-5evals.svg").exists()
    again = command("reproduce", "baier-table1", "--report", "--results", results, "--write", folder)
    assert "nothing has changed" in again.err
    assert (results / "baier-table1.json").read_bytes() == kept
    assert os.listdir() == [], "no game was played"


def test_reports_of_results_that_are_not_there_are_refused(command: Command, tmp_path: Path) -> None:
    assert (
        "results 'results/baier-table1.json' can't be read: "
        in command("reproduce", "baier-table1", "--report").sentence()
    )
    (tmp_path / "baier-table1.json").write_text("{}")
    assert (
        "are not of experiment 'baier-table1'"
        in command("reproduce", "baier-table1", "--report", "--results", tmp_path).sentence()
    )
    assert command("reproduce", "baier-table1", "--report", "--games", 3, "--extend").sentence() == (
        "--report plays nothing and does not take --games and --extend; expected only --results and --write."
    )
    assert os.listdir() == []
