"""The tutorial *Your own game in 60 lines* runs as it is printed."""

from __future__ import annotations

import importlib
import random
import re
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from tactician.contract import Game

PAGE = Path(__file__).parents[2] / "docs" / "tutorials" / "your-own-game.md"
BLOCKS: list[str] = re.findall(r"^```python\n(.*?)^```$", PAGE.read_text(encoding="utf-8"), re.DOTALL | re.MULTILINE)


@pytest.fixture
def orchard(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Game]:
    (tmp_path / "orchard.py").write_text(BLOCKS[0], encoding="utf-8")
    monkeypatch.syspath_prepend(tmp_path)
    yield importlib.import_module("orchard").game
    sys.modules.pop("orchard")


def test_the_game_has_at_most_60_lines() -> None:
    assert len(BLOCKS[0].splitlines()) <= 60


def test_random_games_end_and_give_out_all_points(orchard: Game) -> None:
    chance = random.Random(1)
    results = set()
    for seed in range(30):
        state = orchard.initial_state(seed)
        while not state.is_over():
            low, high = orchard.value_range
            assert low <= state.evaluate()[0] <= high
            state.apply(chance.choice(state.legal_actions()))
        points = state.to_json()["points"]
        assert sum(points) == sum(state.to_json()["worth"])
        lead = points[0] - points[1]
        assert state.returns() == [float((lead > 0) - (lead < 0)), float((lead < 0) - (lead > 0))]
        results.add(state.returns()[0])
    assert {-1.0, 1.0} <= results


def test_the_game_passes_its_check(orchard: Game) -> None:
    from tactician.checking.check import check_game

    assert check_game(orchard).ok


def test_every_other_block_of_the_page_runs(orchard: Game) -> None:
    scope: dict[str, object] = {"__name__": "__main__"}  # as in a notebook
    assert len(BLOCKS) > 4
    for number, block in enumerate(BLOCKS[1:], 2):
        exec(compile(block, f"block {number} of {PAGE.name}", "exec"), scope)
