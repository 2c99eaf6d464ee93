"""How planners grow: points are measured apart, kept, and not measured again."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tactician.bench import growth
from tactician.bench.growth import Measured, Point, measure_growth, measure_point, points
from tactician.bench.take import take
from tactician.checking import check_game
from tactician.errors import TacticianError


def test_every_axis_is_measured_from_the_smallest_to_the_largest() -> None:
    found = points(10_000_000)
    for axis, least, most in (
        ("budget", 1000, 10_000_000),
        ("action points", 5, 25),
        ("board", 4, 16),
        ("players", 2, 8),
    ):
        at = [point.at for point in found if point.axis == axis and point.planner == "mcts"]
        assert (min(at), max(at)) == (least, most)
    assert len({point.key for point in found}) == len(found)


def test_keys_name_no_folder() -> None:
    assert not any(str(Path(growth.__file__).parent) in point.key for point in points(1000))


@pytest.mark.parametrize("planner", ["mcts", "oep", "greedy-turn"])
def test_a_point_says_how_fast_a_search_was_and_what_it_took(planner: str) -> None:
    game = "amazons:size=4,queens=2"
    measured = measure_point(Point("board", 4, game, planner, "20its" if planner != "greedy-turn" else "20evals"))
    assert measured.rate > 0
    assert measured.memory_mb >= 0


def test_a_run_resumes_where_it_stopped(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    out, measured = tmp_path / "growth.json", list[str]()

    def measure(point: Point) -> Measured:
        if len(measured) == 3:
            raise KeyboardInterrupt
        measured.append(point.key)
        return Measured(1.0, "iterations/s", 2.0, 3)

    monkeypatch.setattr(growth, "_measure_apart", measure)
    with pytest.raises(KeyboardInterrupt):
        measure_growth(out, 1000)
    assert [row["key"] for row in json.loads(out.read_text())["points"]] == measured
    done, measured = measured, []
    with pytest.raises(KeyboardInterrupt):
        measure_growth(out, 1000)
    assert not set(done) & set(measured)


def test_a_point_that_can_not_be_measured_is_named() -> None:
    with pytest.raises(TacticianError, match=r"growth of board 99 .* can't be measured"):
        growth._measure_apart(Point("board", 99, "amazons:size=99", "mcts", "1its"))


@pytest.mark.parametrize("players", [2, 5])
def test_the_game_for_many_players_keeps_the_contract(players: int) -> None:
    report = check_game(take(players))
    assert report.ok, str(report)
