"""The comparison with OpenSpiel compares equal work."""

from __future__ import annotations

import importlib
import json
from pathlib import Path
from typing import Any

import pytest

from tactician import Budget

pyspiel = pytest.importorskip("pyspiel")


@pytest.fixture
def script(monkeypatch: pytest.MonkeyPatch) -> Any:
    monkeypatch.syspath_prepend(Path(__file__).parents[2] / "benchmarks")
    return importlib.import_module("openspiel_mcts")


def test_both_sides_search_the_same_position(script: Any) -> None:
    for subject in script.subjects():
        ours, theirs = subject.ours(), subject.theirs(pyspiel)
        assert ours.current_player() == theirs.current_player()
        assert sorted(ours.legal_actions()) == sorted(theirs.legal_actions())


def test_both_sides_do_the_same_number_of_simulations(script: Any) -> None:
    for subject in script.subjects():
        root = script.their_bot(subject, pyspiel).mcts_search(subject.theirs(pyspiel))
        assert root.explore_count == subject.simulations
        plan = script.our_agent(subject).plan(subject.ours(), Budget(iterations=subject.simulations))
        assert plan.stats.sequences == root.explore_count


def test_the_exploration_constants_mean_the_same(script: Any) -> None:
    # Ours: mean in [0, 1] + 2C sqrt(2 ln n / m). Theirs: mean in [-1, 1] + c sqrt(ln n / m), twice as wide.
    assert pytest.approx(2 * 2 * script.EXPLORATION * 2**0.5) == script.UCT_C


def test_a_comparison_is_printed_as_json(
    script: Any, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    first = script.subjects()[0]
    monkeypatch.setattr(script, "subjects", lambda: [first])
    script.main(["--json", "--seconds", "0.01"])
    (row,) = json.loads(capsys.readouterr().out)
    assert row["rounds"] >= 3
    assert row["ratio"] == pytest.approx(row["ours"] / row["openspiel"])
