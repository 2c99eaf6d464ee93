"""Measured strength: results are what the tool would play, tables read them rightly."""

from __future__ import annotations

import json
from pathlib import Path

import make_strength_figure
import measure_costs
import measure_games
import play_strength
import pytest
import strength_tables
from play_strength import TOURNAMENTS

from tactician.arena.schedule import as_names


@pytest.mark.parametrize("name", strength_tables.played(parts=True))
def test_a_committed_result_is_that_of_its_tournament(name: str) -> None:
    plan, one = strength_tables.tournament(name)["plan"], TOURNAMENTS[name]
    assert (plan["game"], plan["budget"], plan["games"]) == (one.game, one.budget, one.games)
    assert tuple(plan["agents"]) == as_names(one.agents)
    assert strength_tables.tournament(name)["errors"] == []


def test_parts_of_tournaments_have_the_same_games() -> None:
    for one in TOURNAMENTS.values():
        if one.part_of:
            whole = TOURNAMENTS[one.part_of]
            assert set(one.agents) < set(whole.agents)
            assert (one.game, one.budget, one.games) == (whole.game, whole.budget, whole.games)


def test_a_tournament_is_played_and_written(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    small = {
        "whole": play_strength.Measured("amazons:size=4", ("random", "greedy-action", "no-ai"), "1its", 2),
        "part": play_strength.Measured("amazons:size=4", ("random", "greedy-action"), "1its", 2, part_of="whole"),
    }
    monkeypatch.setattr(play_strength, "TOURNAMENTS", small)
    monkeypatch.setattr(play_strength, "FOLDER", tmp_path)
    play_strength.main(["--store", str(tmp_path / "games.sqlite")])
    whole, part = (json.loads((tmp_path / f"{name}.json").read_text(encoding="utf-8")) for name in small)
    assert [pair["games"] for pair in whole["pairs"]] == [2, 2, 2]
    assert part["pairs"][0]["wins"] == whole["pairs"][0]["wins"]
    assert "wrote results/strength/part.json" in capsys.readouterr().err
    (tmp_path / "part.json").unlink()
    play_strength.main(["part", "--store", str(tmp_path / "games.sqlite"), "--games", "2"])
    assert "greedy-action" in capsys.readouterr().out
    assert not (tmp_path / "part.json").exists()


def test_an_unknown_tournament_is_refused(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as left:
        play_strength.main(["chess", "--store", "none.sqlite"])
    assert left.value.code == 2
    assert "there is no tournament 'chess'" in capsys.readouterr().err


def test_the_name_of_an_agent_is_shown_without_shared_weights() -> None:
    for agent in ("mcts", "mcts:epsilon=0.0,rollout_turns=-1"):
        assert strength_tables.shown(as_names([play_strength.blind(agent)])[0]) == agent


def test_side_by_side_are_planners_that_played_everywhere_and_the_best_is_bold() -> None:
    header, rows = strength_tables.comparison_rows("hero-academy-2000-searchers", "amazons-6-searchers")
    assert len(header) == 3
    assert {row[0].strip("`") for row in rows} == set(play_strength.SEARCHERS)
    for column in (1, 2):
        assert sum(row[column].startswith("**") for row in rows) == 1


def test_turns_of_a_game_are_counted() -> None:
    found = measure_games.measured("amazons:size=4", "greedy-action", number=2)
    assert 1 < found["candidates"] <= found["most_candidates"] <= 16
    assert 0 < found["decisions_a_turn"] <= 3


def test_every_planner_is_measured_at_the_same_positions(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(measure_costs, "EVERYBODY", ("random", "greedy-action"))
    monkeypatch.setattr(measure_costs, "PLAYOUTS", "mcts:memory_mb=1")
    assert len(measure_costs.positions("amazons:size=4", 3)) > 1
    found = measure_costs.costs("amazons:size=4", "5its", 3, rounds=1)
    assert set(found) == {"random", "greedy-action", "mcts:memory_mb=1"}
    assert all(spent >= 0 for spent in found.values())


def test_the_figure_shows_the_results() -> None:
    drawn = make_strength_figure.figure()
    (axes,) = drawn.axes
    assert [text.get_text() for text in axes.get_legend().get_texts()] == list(make_strength_figure.SHOWN)
    labels = [label.get_text() for label in axes.get_xticklabels()]
    committed = make_strength_figure.FIGURE.read_text(encoding="utf-8")
    # Versions of Matplotlib place things differently; what is written is the same.
    for label in (*labels, *make_strength_figure.SHOWN):
        assert all(part in committed for part in label.splitlines()), "run tools/make_strength_figure.py"


def test_evaluations_are_divided_by_the_candidates_of_a_turn() -> None:
    sizes = json.loads((play_strength.FOLDER / "games.json").read_text(encoding="utf-8"))["hero-academy"]
    expected = 200 / (sizes["candidates"] * sizes["decisions_a_turn"])
    assert strength_tables.evaluations_for_each_candidate("hero-academy-200") == pytest.approx(expected)
    rows = strength_tables.coverage_rows("hero-academy-2000-searchers", "hero-academy-200")
    assert [row[1] for row in rows] == ["200 evaluations", "2,000 evaluations"]
