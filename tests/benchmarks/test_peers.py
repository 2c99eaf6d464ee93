"""The page beside peers shows what the results file holds, and rows compare what belongs together."""

from __future__ import annotations

import importlib.util
import json
import sys
from pathlib import Path
from typing import Any

import pytest

from tactician.bench import Figure, figures

FOLDER = Path(__file__).parents[2] / "benchmarks"


@pytest.fixture(scope="module")
def peers() -> Any:
    sys.path.insert(0, str(FOLDER))
    try:
        spec = importlib.util.spec_from_file_location("peers", FOLDER / "peers.py")
        assert spec is not None
        assert spec.loader is not None
        module = importlib.util.module_from_spec(spec)
        sys.modules["peers"] = module
        spec.loader.exec_module(module)
    finally:
        sys.path.remove(str(FOLDER))
    return module


def test_the_page_shows_the_results(peers: Any) -> None:
    text = peers.PAGE.read_text(encoding="utf-8")
    assert peers.page(text, json.loads(peers.RESULTS.read_text(encoding="utf-8"))) == text


def test_every_engine_that_a_game_is_compared_with_has_a_name(peers: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    measured = [
        Figure("hero-academy", "copy", 11_186_000.0, "copies/s", "start"),
        Figure("hero-academy", "state_bytes", 400.0, "bytes"),
        Figure("calibration", "calibration", 1.0, "draws/s"),
    ]
    monkeypatch.setattr(peers, "run_bench", lambda _games, _report: figures.BenchReport({}, tuple(measured)))
    (row,) = peers.engine_rows(["hero-academy"], lambda _text: None)
    assert (row.work, row.peer) == ("hero-academy: copy, start", "Hero Academy's engine, Java 17")
    assert row.ratio == 2.0
    assert row.dated


def test_a_longer_search_of_connect_four_is_compared_too(peers: Any) -> None:
    found = peers.with_long_searches(peers.openspiel_mcts.subjects())
    assert [subject.simulations for subject in found if subject.name == "connect_four"] == [20_000, 20_000, 200_000]
