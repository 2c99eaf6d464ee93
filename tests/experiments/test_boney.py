"""The experiments on Pommerman and Royale: what is played, that it resumes, and what the report says."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from tactician.arena import TournamentPlan, open_store
from tactician.arena.seats import KINDS
from tactician.arena.statistics import size_verdict
from tactician.errors import UnknownNameError
from tactician.experiments import RunRequest, experiment_list, reproduce
from tactician.experiments.papers.boney import FDTS, FIG4, TABLE2, TABLE3, TABLE4, TABLE5, TABLE6, TABLE7
from tactician.experiments.shares import ShareCell

FIG4_PLANNERS = FIG4.cell_names


@pytest.mark.parametrize("column", {cell.name: cell for cell in (*TABLE2.cells, *TABLE3.cells, *FDTS.cells)}.values())
def test_every_column_can_be_played(column: ShareCell) -> None:
    plan = TournamentPlan(column.game, (column.planner, "rule-based"), 4, "1its", form="gauntlet")
    assert [pairing.seats.index(column.planner) for pairing in plan.pairings()] == [0, 1, 2, 3]
    assert "rules=paper,information=open" in column.game
    assert column.paper is not None
    assert 98 < sum(column.paper) < 100.5


def test_the_papers_figures_are_where_they_belong() -> None:
    table2 = {column.name: column.paper for column in TABLE2.cells}
    assert list(table2)[:7] == ["rule-based", "MCS UCB", "MCS TS", "MCTS UCB", "MCTS TS", "FDTS UCB", "FDTS TS"]
    assert table2["FDTS TS"] == (51.3, 29.0, 18.2)
    for name in ("MCS UCB", "MCTS UCB", "FDTS UCB"):
        assert table2[f"{name}, by value"] == table2[name], "the text's final choice, compared with the same figures"
    assert table2["rule-based"] == (19.2, 23.4, 57.4)
    assert {column.name: column.paper for column in TABLE3.cells}["MCTS TS, no rollouts"] == (17.8, 14.2, 68.0)


def test_explanations_of_fdts_change_one_thing_each() -> None:
    cells = FDTS.cells
    usual = cells[0]
    for cell in cells[1:]:
        assert (cell.planner != usual.planner) + (cell.game != usual.game) == 1, cell.name
        assert cell.paper == (51.3, 29.0, 18.2)
    assert len({(cell.planner, cell.game) for cell in cells}) == len(cells)


def test_keys_are_those_of_the_released_code() -> None:
    for column in (*TABLE2.cells, *TABLE3.cells):
        fdts = column.planner.startswith("fdts")
        assert column.game.endswith(",identity=reference" if fdts else ",identity=reference-items")


def test_a_table_resumes_and_reports_every_column(tmp_path: Path) -> None:
    store, only = str(tmp_path / "games.sqlite"), ["rule-based", "FDTS TS"]
    seen: list[tuple[str, int, int]] = []
    request = RunRequest(games=4, budget="3its", only=only, store=store)
    first = reproduce("boney-table2", request)
    again = reproduce("boney-table2", replace(request, on_progress=lambda *said: seen.append(said)))
    assert again.rows == first.rows
    assert again.document == first.document
    names = ["rule-based", "FDTS TS", "FDTS TS, exact keys"]
    assert seen == [(name, 4, 4) for name in names]
    assert [row[0] for row in first.rows] == names
    assert all(len(row) == len(first.head) for row in first.rows)
    assert all(row[1] == "4" for row in first.rows)
    assert "4 games a column (the paper: 400), 3its a decision" in first.summary
    for outcome in first.document["outcomes"]:
        assert sum(outcome[kind]["share"] for kind in KINDS) == pytest.approx(1)
        assert outcome["forfeits"] == 0
        for kind in KINDS:
            low, high = outcome[kind]["interval"]
            assert low <= outcome[kind]["share"] <= high
            assert size_verdict(tuple(outcome[kind]["difference"])) == "undecided"
    with open_store(store) as kept:
        assert len(kept.tournaments()) == 3
        assert {len(list(kept.games(number))) for number in (1, 2, 3)} == {4}


def test_more_games_go_on_with_those_that_are_there(tmp_path: Path) -> None:
    store, seen = str(tmp_path / "games.sqlite"), []
    request = RunRequest(games=1, budget="2its", only=["MCTS TS, no"], store=store)
    reproduce("boney-table3", request)
    report = reproduce("boney-table3", replace(request, games=2, on_progress=lambda *said: seen.append(said)))
    assert [done for _, done, _ in seen] == [1, 2]
    assert report.rows[0][:2] == ("MCTS TS, no rollouts", "2")


def test_reports_are_written(tmp_path: Path) -> None:
    report = reproduce("boney-table2", RunRequest(games=1, budget="1its", only=["rule-based"]))
    written = {path.name for path in report.write(tmp_path)}
    assert {"boney-table2.md", "boney-table2.json", "boney-table2.svg"} <= written
    assert "| rule-based | 1 |" in (tmp_path / "boney-table2.md").read_text(encoding="utf-8")


def test_the_figure_pools_ratios_of_every_planner(tmp_path: Path) -> None:
    report = reproduce("boney-fig4", RunRequest(games=1, budget="4its"))
    assert [row[0] for row in report.rows] == list(FIG4_PLANNERS)
    assert set(report.document["ratios"]) == set(FIG4_PLANNERS)
    for ratios in report.document["ratios"].values():
        assert len(ratios) == 20
        assert all(ratio is None or 0 <= ratio <= 1 for ratio in ratios), "None where no search got so deep"
    assert report.document["ratios"]["fdts"][0] > 0
    assert None not in report.document["ratios"]["fdts"], "every simulation goes to the full depth"
    assert {"boney-fig4.svg", "boney-fig4-steps.svg"} <= {path.name for path in report.write(tmp_path)}
    assert reproduce("boney-fig4", RunRequest(games=1, budget="4its")).document == report.document


def test_the_figure_can_be_of_some_planners() -> None:
    report = reproduce("boney-fig4", RunRequest(games=1, budget="2its", only=["fdts:"]))
    assert [row[0] for row in report.rows] == ["fdts:bandit=ucb1"]


def test_typos_and_the_list() -> None:
    with pytest.raises(UnknownNameError, match="unknown cell of 'boney-table2': 'FDTS TX'"):
        reproduce("boney-table2", RunRequest(games=1, budget="1its", only=["FDTS TX"]))
    listed = {row["name"]: row for row in experiment_list()}
    assert listed["boney-table2"]["cells"] == len(TABLE2.cells) == 11
    assert listed["boney-table3"]["cells"] == len(TABLE3.cells) == 4
    assert listed["boney-fig4"]["cells"] == len(FIG4_PLANNERS)


# -- Royale ------------------------------------------------------------------------------------------------------


def test_the_figures_of_the_royale_tables_are_where_they_belong() -> None:
    for experiment in (TABLE4, TABLE5, TABLE6, TABLE7):
        one, other = experiment.cells[: len(experiment.cells) // 2], experiment.cells[len(experiment.cells) // 2 :]
        assert [cell.name.removeprefix("1 arm: ") for cell in one] == [
            cell.name.removeprefix("64 arms: ") for cell in other
        ]
        assert all("reserve_arms=64" in cell.game for cell in other)
        assert all(cell.budget == "4its/action" and "information=open" in cell.game for cell in experiment.cells)
    printed = {cell.name: cell.paper for cell in (*TABLE4.cells, *TABLE5.cells, *TABLE6.cells, *TABLE7.cells)}
    assert printed["1 arm: TS v UCB"] == 0.64
    assert printed["1 arm: k = 25, c = 4"] == pytest.approx(0.907)
    assert printed["64 arms: FDTS v MCS"] == pytest.approx(0.803)
    assert printed["1 arm: k = 25, MCTS v MCS"] == pytest.approx(0.194)
    depth = next(cell for cell in TABLE7.cells if cell.name == "1 arm: k = 10, FDTS v MCS")
    assert (depth.planner, depth.opponent) == ("fdts:depth=10", "mcs:depth=10")


def test_draws_are_left_out_and_shown_beside_the_score(tmp_path: Path) -> None:
    """With a decision every ten seconds battles are quick to play, and some are drawn."""
    drawn = replace(
        TABLE6,
        cells=tuple(replace(cell, game=f"{cell.game},step_ticks=100") for cell in TABLE6.cells[:2]),
    )
    report = drawn.run(RunRequest(games=4, budget="1its", store=str(tmp_path / "games.sqlite")))
    for row, outcome in zip(report.rows, report.document["outcomes"], strict=True):
        assert len(row) == len(report.head)
        details = outcome["details"]
        assert outcome["games"] + details["draws"] == 4
        points = outcome["wins"] + details["draws"] / 2
        assert details["half_draws"] == pytest.approx(points / 4)
        assert outcome["draws"] == 0


def test_a_royale_table_resumes(tmp_path: Path) -> None:
    request = RunRequest(games=2, budget="1its", only=["1 arm: TS"], store=str(tmp_path / "games.sqlite"))
    seen: list[tuple[str, int, int]] = []
    first = reproduce("boney-table4", request)
    again = reproduce("boney-table4", replace(request, on_progress=lambda *said: seen.append(said)))
    assert again.document == first.document
    assert [row[0] for row in first.rows] == ["1 arm: TS v random", "1 arm: TS v UCB"]
    assert all(done == total == 2 for _, done, total in seen)


def test_further_runs_of_royale_have_names_of_their_own() -> None:
    names = [row["name"] for row in experiment_list()]
    assert {"royale-r7b", "royale-r8", "royale-r12", "royale-simulations", "royale-horizon"} <= set(names)
    found = reproduce("royale-r7b", RunRequest(games=2, budget="1its", only=["1 arm"]))
    assert [row[0] for row in found.rows] == [
        "1 arm: MCTS without rollouts v MCS",
        "1 arm: MCTS without rollouts v MCTS",
        "1 arm: FDTS v MCTS without rollouts",
    ]
    found = reproduce("royale-r8", RunRequest(games=1, budget="3its", only=["fdts:depth=50"]))
    assert len(found.document["ratios"]["fdts:depth=50"]) == 50
    assert found.head[-1] == "depth 50"


def test_habits_are_counted_for_every_agent() -> None:
    found = reproduce("royale-r12", RunRequest(games=1, budget="2its", only=["royale-script", "random"]))
    assert len(found.rows) == 2 * 5
    counts = found.document["counts"]
    assert all(0 <= taken <= occasions for habits in counts.values() for taken, occasions in habits.values())
    assert counts["royale-script"]["attack in the other lane"][1] > 0
    assert "support behind a tank: most often" in found.verdict
