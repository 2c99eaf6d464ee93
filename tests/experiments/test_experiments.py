"""The papers' experiments: what they play, what they compare with, how they are reported."""

from __future__ import annotations

import ast
import importlib
import json
import re
import subprocess
import sys
import xml.etree.ElementTree as ElementTree
from dataclasses import replace
from itertools import product
from pathlib import Path
from typing import Any

import pytest

import tactician.experiments
from tactician.arena import PairedScore, Score, open_store
from tactician.errors import InvalidParameterError, StoreError, UnknownNameError
from tactician.experiments import Experiment, RunRequest, all_experiments, experiment_list, pages, papers, reproduce
from tactician.experiments.claims import OPEN
from tactician.experiments.matches import MatchExperiment, PlayedCell, sequential_result
from tactician.experiments.papers import boney, justesen, montoliu
from tactician.experiments.provenance import code_of, merged
from tactician.experiments.report import ExperimentReport
from tactician.experiments.searches import SearchExperiment
from tactician.experiments.tally import relative_budget
from tactician.experiments.tunings import TuningExperiment
from tactician.planners import game_reading

EXPERIMENTS = all_experiments()
MATCHES = {name: one for name, one in EXPERIMENTS.items() if isinstance(one, MatchExperiment)}
TABLE1 = MATCHES["baier-table1"]
RESULTS = Path(__file__).parents[2] / "results"


def report_of(experiment: MatchExperiment, played: list[PlayedCell]) -> ExperimentReport:
    """The report of cells as if they had been played."""
    return experiment.report(json.loads(json.dumps(experiment.document(played))))


def scored(name: str, *found: tuple[str, PairedScore], preset: str = "paper") -> list[PlayedCell]:
    """Cells of an experiment as if they had been played."""
    cells = {cell.name: cell for cell in MATCHES[name].cells}
    return [PlayedCell(cells[cell], preset, cells[cell].budget, score) for cell, score in found]


def wins(percent: int, games: int) -> PairedScore:
    """Every start from both sides is won, or lost."""
    won = games * percent // 200
    return PairedScore((games // 2 - won, 0, 0, 0, won))


@pytest.mark.parametrize("experiment", MATCHES.values(), ids=lambda e: e.name)
def test_every_cell_can_be_played_in_every_reading(experiment: MatchExperiment) -> None:
    for cell, preset in product(experiment.cells, experiment.presets):
        if re.search("trained:|tuned:", f"{cell.planner} {cell.opponent}"):
            continue  # stands for what the experiment trains or tunes first
        plan = cell.plan(2, None, preset, 0)
        assert len(plan.pairings()) == 2
        assert f"preset={game_reading(preset)}" in plan.game or not plan.game.startswith("hero-academy")
        assert plan.agents[0] != plan.agents[1]


@pytest.mark.parametrize("experiment", EXPERIMENTS.values(), ids=lambda e: e.name)
def test_names_of_cells_are_unique_and_every_experiment_says_what_the_paper_claims(experiment: Experiment) -> None:
    assert len(set(experiment.cell_names)) == len(experiment.cell_names)
    assert experiment.claim.endswith((".", ".)"))
    assert experiment.paper
    assert experiment.hours > 0


@pytest.mark.parametrize("experiment", MATCHES.values(), ids=lambda e: e.name)
def test_a_cells_figures_are_fractions_and_an_axis_has_a_label(experiment: MatchExperiment) -> None:
    assert all(cell.paper is None or 0 <= cell.paper <= 1 for cell in experiment.cells)
    assert any(cell.parameter is not None for cell in experiment.cells) == bool(experiment.axis)


def test_equal_means_keep_their_own_spread() -> None:
    """The paper's deviations stand beside the cell, not beside the mean: two cells may have the same mean."""
    cell = montoliu.TABLE1.cells[0]
    twins = [replace(cell, name=name, paper=0.5, paper_spread=sd) for name, sd in (("a", 0.1), ("b", 0.2), ("c", None))]
    experiment = replace(montoliu.TABLE1, cells=tuple(twins), draw=None)
    played = [PlayedCell(twin, "paper", "5evals", wins(60, 20), 0, {"decks": {}, "sd": 0.05}) for twin in twins]
    report = report_of(experiment, played)
    assert report.head[-2:] == ("sd over decks", "paper's")
    assert [row[-2:] for row in report.rows] == [("5.0", "10.0"), ("5.0", "20.0"), ("5.0", "")]


def test_the_papers_figures_are_where_they_belong() -> None:
    table1 = {cell.name: cell.paper for cell in TABLE1.cells}
    assert len(table1) == 54
    assert table1["200 ms 5 AP v greedy-action"] == pytest.approx(0.876)
    assert table1["5000 ms 15 AP v greedy-oep"] == pytest.approx(0.613)
    table2 = {cell.name: cell.paper for cell in MATCHES["justesen-table2"].cells}
    assert len(table2) == 21 + 2
    assert (table2["mcts v greedy-turn"], table2["mcts v greedy-turn, by greedy-turn's row"]) == (0.22, 0.12)
    assert (table2["oep v greedy-action"], table2["oep v greedy-action, by greedy-action's row"]) == (0.90, 0.98)
    assert table2["oep v bridge-burning-mcts"] == pytest.approx(0.48)
    assert table2["non-exploring-mcts v mcts"] == 1.0
    assert {cell.game for cell in MATCHES["justesen-fig5"].cells if cell.parameter == 1} == {
        "hero-academy:action_points=1,turn_limit=500"
    }


def test_the_reading_decides_the_style_of_the_planners() -> None:
    cell = next(cell for cell in TABLE1.cells if cell.opponent == "oep")
    assert cell.plan(2, None, "baier", 0).agents == ("emcts:phases=20", "oep")
    assert cell.plan(2, None, "baier-root", 0).agents == ("emcts:phases=20,final=root", "oep")
    assert cell.plan(2, None, "reference", 0).agents == ("emcts", "oep:style=reference")


def test_phases_are_those_that_the_paper_prints() -> None:
    printed = {cell.budget: cell.plan(2, None, "baier", 0).agents[0] for cell in TABLE1.cells}
    assert printed == {
        "ref:200ms": "emcts:phases=20",
        "ref:1000ms": "emcts:phases=40",
        "ref:5000ms": "emcts:phases=100",
    }


def test_mixtures_are_played_as_they_are_named() -> None:
    cell = MATCHES["justesen-styles"].cells[1]
    plan = cell.plan(2, None, "reference", 0)
    assert plan.agents == ("mcts", "mcts:style=reference")
    assert plan.game.endswith("preset=reference")


def test_a_run_resumes_and_says_how_it_differs_in_size(tmp_path: Path) -> None:
    store = str(tmp_path / "games.sqlite")
    only = ["200 ms 5 AP v greedy-action"]
    seen: list[tuple[str, int, int]] = []
    request = RunRequest(games=2, budget="20evals", preset="baier", only=only, store=store)
    first = reproduce("baier-table1", request)
    again = reproduce("baier-table1", replace(request, on_progress=lambda *said: seen.append(said)))
    assert again.rows == first.rows
    assert seen == [("200 ms 5 AP v greedy-action (baier)", 2, 2)]
    assert "2 games a cell (the paper: 400); budget 20evals" in first.summary
    assert first.rows[0][-1] == "undecided"


def test_a_pair_printed_twice_is_played_once(tmp_path: Path) -> None:
    store = str(tmp_path / "games.sqlite")
    report = reproduce(
        "justesen-table2",
        RunRequest(games=1, budget="5its", preset="paper", only=["mcts v greedy-turn"], store=store),
    )
    assert [row[4] for row in report.rows] == [report.rows[0][4]] * 2
    assert [row[6] for row in report.rows] == ["22.0", "12.0"]
    assert len(report.rows) == 2
    with open_store(store) as kept:
        assert sum(tournament.games for tournament in kept.tournaments()) == 1


def test_the_difference_is_shown_beside_the_verdict() -> None:
    cell = next(cell for cell in TABLE1.cells if cell.paper == pytest.approx(0.653))
    far, near = PairedScore((8, 0, 7, 0, 5)), PairedScore((3, 0, 7, 0, 10))
    report = report_of(TABLE1, [PlayedCell(cell, "paper", "ref:200ms", score) for score in (far, near)])
    column = report.head.index("difference (95 %)")
    assert report.rows[0][column].startswith("−22.8* (")
    assert report.rows[1][column].startswith("+2.2 (")
    assert [row[column + 1 :] for row in report.rows] == [("differs", "undecided"), ("undecided", "undecided")]
    low, high = report.document["outcomes"][0]["difference"]
    assert low < -0.228 < high < 0


def test_games_that_stand_beside_two_figures_are_equally_many(tmp_path: Path) -> None:
    """The number that decides one figure may leave the other undecided: both get the larger number."""
    cell = next(cell for cell in TABLE1.cells if cell.name == "200 ms 5 AP v greedy-action")
    request = RunRequest(
        games=2, budget="5evals", preset="baier", extend=True, store=str(tmp_path / "games.sqlite")
    )  # fmt: skip
    few = replace(cell, name="decided", paper_games=6, paper=None, claim=0.0)
    more = replace(cell, name="undecided", paper_games=6, paper=0.5)
    rows = replace(TABLE1, cells=(few,)).measure(request)["outcomes"]
    assert [row["games"] for row in rows] == [2]
    rows = replace(TABLE1, cells=(few, more)).measure(request)["outcomes"]
    assert [row["games"] for row in rows] == [6, 6]
    assert rows[0]["pairs"] == rows[1]["pairs"]
    rows = replace(TABLE1, cells=(few, replace(more, opponent="random"))).measure(request)["outcomes"]
    assert [row["games"] for row in rows] == [2, 6], "another match"


@pytest.mark.parametrize("name", [name for name in pages.documents_in(RESULTS) if name in MATCHES])
def test_games_of_one_match_are_equally_many_in_the_results(name: str) -> None:
    matches: dict[object, set[int]] = {}
    for outcome in MATCHES[name].outcomes(pages.document_of(RESULTS, name)):
        matches.setdefault((outcome.preset, outcome.budget, outcome.cell.match), set()).add(outcome.games)
    assert [games for games in matches.values() if len(games) > 1] == []


def test_figures_at_the_ceiling_are_counted_apart() -> None:
    found = (
        ("200 ms 5 AP v greedy-oep", wins(60, 400)),  # 60.6 in the paper
        ("200 ms 15 AP v greedy-oep", wins(30, 400)),  # 65.3
        ("200 ms 15 AP v greedy-turn", wins(100, 400)),  # 100
        ("200 ms 10 AP v greedy-action", wins(60, 400)),  # 97.8
    )
    report = report_of(TABLE1, scored("baier-table1", *found))
    assert report.verdict == (
        "paper reading at the paper's budget: 1 of 2 figures off the ceiling reproduced, 1 differs, 1 with the same "
        "winner, 1 with the other winner (at the ceiling: 1 of 2 reproduced, 1 differs, 2 with the same winner)."
    )
    (told,) = TABLE1.tallies(report.document)
    assert (told.counts.total, told.ceiling.total) == (2, 2)
    (only,) = TABLE1.tallies(report_of(TABLE1, scored("baier-table1", *found[2:])).document)
    assert only.sentence() == (
        "paper reading at the paper's budget: at the ceiling 1 of 2 figures reproduced, 1 differs, 2 with the same "
        "winner"
    )


def test_changed_and_repeated_cells_are_shown_and_not_counted() -> None:
    cell = next(cell for cell in TABLE1.cells if cell.name == "200 ms 5 AP v greedy-oep")
    changed = replace(cell, name="changed on purpose", counted=False)
    experiment = replace(TABLE1, cells=(cell, changed))
    played = [PlayedCell(one, "reference", cell.budget, wins(60, 400)) for one in experiment.cells]
    report = report_of(experiment, played)
    assert [row[-2] for row in report.rows] == ["reproduced", "reproduced"]
    (told,) = experiment.tallies(report.document)
    assert told.counts.total == 1
    assert report.more == (), "nothing to pool"
    alone = report_of(replace(TABLE1, cells=(changed,)), played[1:])
    assert alone.verdict.startswith("ours minus the paper's: changed on purpose −0.6 (")


def test_real_time_beside_reference_work_is_not_counted() -> None:
    cell = next(cell for cell in TABLE1.cells if cell.name == "200 ms 5 AP v greedy-oep")
    played = [PlayedCell(cell, "reference", budget, wins(60, 400)) for budget in (cell.budget, "200ms")]
    report = report_of(TABLE1, played)
    assert len(report.rows) == 2
    assert [told.budget for told in TABLE1.tallies(report.document)] == ["the paper's"]


def test_ways_to_read_what_a_paper_leaves_open_are_counted_apart() -> None:
    cells = [cell for cell in montoliu.TABLE2.cells if cell.name.startswith("OEP(1s) v NoAI")]
    played = [PlayedCell(cell, "paper", cell.budget, wins(80, 400)) for cell in cells]
    told = replace(montoliu.TABLE2, draw=None).tallies(montoliu.TABLE2.document(played))
    assert [(one.reading, one.counts.total) for one in told] == [("stats", 1), ("rank", 1)]


def test_claims_are_not_called_figures() -> None:
    found = (("mcts 10 AP", wins(70, 400)), ("mcts 15 AP", wins(30, 400)), ("mcts 5 AP", wins(40, 400)))
    report = report_of(MATCHES["justesen-fig5"], scored("justesen-fig5", *found))
    assert report.verdict == "paper reading at the paper's budget: 1 of 2 claims confirmed, 1 contradicted."


@pytest.mark.parametrize(
    ("score", "verdict"),
    [
        (wins(50, 2000), "holds"),
        (wins(50, 20), "agrees"),
        (wins(70, 400), "contradicts"),
        (wins(30, 400), "contradicts"),
        (wins(54, 20_000), "contradicts"),
    ],
)
def test_no_difference_is_a_claim_that_a_win_of_either_side_contradicts(score: PairedScore, verdict: str) -> None:
    report = report_of(MATCHES["justesen-rollouts"], scored("justesen-rollouts", ("oep: evaluation v rollout", score)))
    assert report.rows[0][-1] == verdict
    assert report.rows[0][6] == "level"


@pytest.mark.parametrize(
    ("ours", "paper", "said"),
    [
        ("ref:6000ms", "ref:6000ms", "the paper's"),
        ("ref:600ms", "ref:6000ms", "1/10 of the paper's"),
        ("ref:20ms", "ref:6000ms", "1/300 of the paper's"),
        ("ref:60ms", "ref:6000ms", "1/100 of the paper's"),
        ("333evals", "1000evals", "1/3 of the paper's"),
        ("1500its", "1000its", "3/2 of the paper's"),
        ("707its", "1000its", "0.707 of the paper's"),
    ],
)
def test_a_budget_is_said_as_a_fraction_of_the_papers(ours: str, paper: str, said: str) -> None:
    assert relative_budget(ours, paper) == said


def test_differences_are_pooled_for_each_match() -> None:
    cells = [cell for cell in TABLE1.cells if cell.opponent == "oep"][:2]
    score = PairedScore((10, 5, 20, 25, 40))
    report = report_of(TABLE1, [PlayedCell(cell, "paper", cell.budget, score) for cell in cells])
    (pooled,) = report.more
    (row,) = pooled.rows
    mean = sum(score.rate - (cell.paper or 0) for cell in cells) / 2
    assert row[:4] == ("emcts v oep", "paper", "the paper's", "2")
    assert row[4].replace("−", "-").startswith(f"{100 * mean:+.1f} ± ")
    assert pooled.title in report.markdown()


def test_readings_are_pooled_apart_and_games_once() -> None:
    cells = [cell for cell in boney.TABLE7.cells if cell.pool == "FDTS v MCS"]
    score = wins(60, 40)
    report = report_of(boney.TABLE7, [PlayedCell(cell, "paper", cell.budget, score) for cell in cells])
    (pooled,) = report.more
    assert [row[:4] for row in pooled.rows] == [
        ("FDTS v MCS", f"paper, {reading}", "the paper's", "3") for reading in ("1 arm", "64 arms")
    ]
    table2 = MATCHES["justesen-table2"]
    twice = scored(table2.name, *((cell.name, score) for cell in table2.cells if cell.planner == "mcts"))
    assert len(twice) == 4
    rows = {row[0]: row for row in report_of(table2, twice).more[0].rows}
    mean = (0.6 - 1 + 0.6 - 0.485 + 0.6 - 0.22) / 3
    assert rows.keys() == {"all against mcts"}, "the others have one match each"
    assert rows["all against mcts"][3:] == ("3", rows["all against mcts"][4])
    assert rows["all against mcts"][4].replace("−", "-").startswith(f"{-100 * mean:+.1f} ± ")


def test_undecided_cells_are_extended_up_to_the_papers_number(tmp_path: Path) -> None:
    """By rule: whether ours is above or below the paper's figure plays no part in it."""
    request = RunRequest(
        games=2, budget="5evals", preset="baier", only=["200 ms 5 AP v greedy-action"], extend=True,
        store=str(tmp_path / "games.sqlite"),
    )  # fmt: skip
    cell = next(cell for cell in TABLE1.cells if cell.name == request.only[0])
    few = replace(TABLE1, cells=(replace(cell, paper_games=6, paper=0.5),))
    (row,) = few.measure(request)["outcomes"]
    assert row["games"] == 6
    (row,) = replace(few, cells=(replace(cell, paper_games=6, paper=None),)).measure(request)["outcomes"]
    assert row["games"] == 6, "who is stronger is not decided by so few games"
    (row,) = replace(few, cells=(replace(cell, paper_games=6, paper=None, claim="best"),)).measure(request)["outcomes"]
    assert row["games"] == 2, "one cell alone can't be the best"
    rivals = tuple(replace(cell, name=name, paper_games=6, paper=None, claim="best") for name in ("one", "other"))
    rows = replace(few, cells=rivals, size=6).measure(replace(request, only=[]))["outcomes"]
    assert [row["games"] for row in rows] == [6, 6], "the same planner twice: none can be told from the other"


@pytest.mark.parametrize(
    ("score", "result"),
    [
        (Score(15, 0, 0), "undecided"),
        (Score(17, 0, 0), "stronger"),
        (Score(0, 0, 17), "weaker"),
        (Score(100, 0, 100), "level"),
        (PairedScore((0, 0, 20, 0, 10)), "stronger"),
        (PairedScore((10, 0, 20, 0, 0)), "weaker"),
        (PairedScore((0, 0, 20, 0, 0), 20), "level"),
        (PairedScore(), "undecided"),
    ],
)
def test_without_a_figure_a_sequential_test_tells_who_is_stronger(score: Score | PairedScore, result: str) -> None:
    """50 against 60 %: a win counts log 1.2, a loss log 0.8, and log 19 decides."""
    assert sequential_result(score) == result


def test_games_with_decks_of_one_draft_are_one_observation() -> None:
    report = reproduce("montoliu-table2", RunRequest(games=240, budget="5evals", only=["NoAI v Random, stats"]))
    (outcome,) = report.document["outcomes"]
    low, high = outcome["interval"]
    assert 0.02 < high - low < 0.5
    assert "Games with decks of one draft are one observation" in report.summary


def test_a_report_is_written_in_every_form(tmp_path: Path) -> None:
    cells = [cell for cell in TABLE1.cells if cell.group == "200 ms" and cell.opponent == "oep"]
    outcomes = [
        PlayedCell(cell, "paper", "ref:200ms", PairedScore((10, 5, 20, 25, 40 + place), 20))
        for place, cell in enumerate(cells)
    ]
    report = report_of(TABLE1, outcomes)
    written = {path.name for path in report.write(tmp_path / "report")}
    assert written == {
        "baier-table1.md",
        "baier-table1.html",
        "baier-table1.json",
        "baier-table1-200ms-paper.png",
        "baier-table1-200ms-paper.svg",
    }
    markdown = (tmp_path / "report" / "baier-table1.md").read_text(encoding="utf-8")
    assert "| 200 ms 5 AP v oep | paper | ref:200ms | 200 |" in markdown
    assert "![baier-table1-200ms-paper](baier-table1-200ms-paper.svg)" in markdown
    document = json.loads((tmp_path / "report" / "baier-table1.json").read_text(encoding="utf-8"))
    assert report_of(TABLE1, outcomes).document == document
    page = (tmp_path / "report" / "baier-table1.html").read_text(encoding="utf-8")
    assert page.count("<svg") == 1
    ElementTree.parse(tmp_path / "report" / "baier-table1-200ms-paper.svg")


def test_a_report_that_can_not_be_finished_leaves_nothing_half_done(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    report = report_of(TABLE1, [])
    written = Path.write_bytes

    def full(path: Path, content: bytes) -> int:
        if ".html" in path.name:
            raise OSError(28, "No space left on device")
        return written(path, content)

    monkeypatch.setattr(Path, "write_bytes", full)
    with pytest.raises(InvalidParameterError, match=r"report folder .* can't be written: No space left on device"):
        report.write(tmp_path)
    assert list(tmp_path.iterdir()) == []


def test_a_claim_has_a_verdict_of_its_own() -> None:
    few, many = 40, 2000
    found = (
        ("mcts 10 AP", wins(60, many)),
        ("mcts 15 AP", wins(60, few)),
        ("mcts 20 AP", wins(50, few)),
        ("mcts 25 AP", wins(40, many)),
        ("mcts 5 AP", wins(40, many)),
    )
    report = report_of(MATCHES["justesen-fig5"], scored("justesen-fig5", *found))
    assert [row[-1] for row in report.rows] == ["holds", "agrees", "below", "contradicts", ""]
    assert [row[6] for row in report.rows] == ["≥ 55"] * 4 + [""]
    told = report.document["outcomes"]
    assert [row.get("verdict") for row in told] == ["holds", "agrees", "below", "contradicts", ""]
    assert [row.get("claim") for row in told] == [0.55] * 4 + [None]


def test_every_cell_of_figure_5_from_10_action_points_on_has_the_claim() -> None:
    for cell in MATCHES["justesen-fig5"].cells:
        assert cell.parameter is not None
        assert cell.claim == (0.55 if cell.parameter >= 10 else None)


def test_the_best_seeding_is_marked_and_compared_with_the_others() -> None:
    rates = {"1% greedy": 42, "10% greedy": 61, "20% greedy": 62, "50% greedy": 40}
    found = [(name, wins(rate, 400)) for name, rate in rates.items()]
    outcomes = scored("baier-seeding", *found) + scored(
        "baier-seeding", ("20% greedy", wins(50, 4)), preset="reference"
    )
    report = report_of(MATCHES["baier-seeding"], outcomes)
    assert [row[-1] for row in report.rows] == ["worse", OPEN, "best", "worse", ""]
    assert [row[6] for row in report.rows] == ["", "", "best", "", "best"]
    assert report.verdict == (
        "paper reading: 20% greedy is best; significantly worse: 1% greedy, 50% greedy; not told from the best: "
        "10% greedy (95 %, corrected for all pairs)."
    )


def test_table_2_is_drawn_as_a_cross_table_for_each_reading(tmp_path: Path) -> None:
    names = [cell.name for cell in MATCHES["justesen-table2"].cells]
    outcomes = [
        outcome
        for preset in ("paper", "reference")
        for outcome in scored("justesen-table2", *((name, wins(60, 20)) for name in names), preset=preset)
    ]
    report = report_of(MATCHES["justesen-table2"], outcomes)
    assert list(report.figures) == ["justesen-table2-paper", "justesen-table2-reference"]
    assert {"justesen-table2-paper.png", "justesen-table2-reference.svg"} <= {p.name for p in report.write(tmp_path)}
    few = report_of(MATCHES["justesen-table2"], scored("justesen-table2", ("oep v mcts", wins(60, 20))))
    (figure,) = few.figures.values()
    axes = figure.axes[0]
    assert [label.get_text() for label in (*axes.get_yticklabels(), *axes.get_xticklabels())] == ["OEP", "MCTS"]
    assert {"60*", "paper 98"} <= {text.get_text() for text in axes.texts}
    across = scored("justesen-table2", ("mcts v greedy-turn, by greedy-turn's row", wins(60, 20)))
    assert list(report_of(MATCHES["justesen-table2"], across).figures) == ["justesen-table2"], "a row, no cross-table"


def test_searches_resume_and_don_t_depend_on_the_number_of_processes(tmp_path: Path) -> None:
    def run(store: str | None, jobs: int = 1) -> tuple[object, list[int]]:
        seen: list[int] = []
        only = ["oep", "greedy-turn"]
        request = RunRequest(games=3, budget="20its", preset="paper", only=only, jobs=jobs, store=store)
        report = reproduce("justesen-search", replace(request, on_progress=lambda *said: seen.append(said[1])))
        return report.document, seen

    store = str(tmp_path / "games.sqlite")
    whole, seen = run(store)
    assert seen == [1, 2, 3, 4, 5, 6]
    journal = tmp_path / "games.sqlite.search.jsonl"
    lines = journal.read_text(encoding="utf-8").splitlines(keepends=True)
    assert len(lines) == 1 + 6
    journal.write_text("".join(lines[:5]) + lines[5][:30], encoding="utf-8")  # killed while it wrote
    assert run(store) == (whole, [5, 6])
    assert run(store) == (whole, [])
    assert run(None, jobs=2)[0] == whole


def test_a_journal_that_can_not_be_kept_is_refused(tmp_path: Path) -> None:
    request = RunRequest(games=1, budget="5its", preset="paper", only=["oep"])
    with pytest.raises(InvalidParameterError, match="expected a file"):
        reproduce("justesen-search", replace(request, store="postgresql://somebody:secret@host/games"))
    (tmp_path / "file").touch()
    with pytest.raises(StoreError, match="can't be opened: "):
        reproduce("justesen-search", replace(request, store=str(tmp_path / "file" / "games.sqlite")))


def test_what_searches_look_like_inside() -> None:
    report = reproduce("justesen-search", RunRequest(games=1, budget="40its", preset="paper"))
    assert [row[0] for row in report.rows] == list(justesen.SEARCH.cell_names)
    printed = {(row["planner"], row["figure"]): row["paper"] for row in report.document["rows"] if row["paper"]}
    assert printed == {(cell.planner, figure): n for cell in justesen.SEARCH.cells for figure, n in cell.paper.items()}
    assert printed["mcts", "unique_outcomes"] == 201
    assert "Means over 1 positions, budget 40its" in report.summary


def test_searches_can_be_looked_at_one_by_one() -> None:
    request = RunRequest(games=1, budget="40its", preset="paper", only=["oep", "greedy"])
    report = reproduce("justesen-search", request)
    assert [row[0] for row in report.rows] == ["greedy-turn", "oep", "greedy-oep"]


def test_the_list_names_every_experiment_with_an_estimate() -> None:
    listed = {row["name"]: row["hours"] for row in experiment_list()}
    assert set(listed) == set(EXPERIMENTS)
    table = EXPERIMENTS["justesen-table2"]
    readings, pairs, games = 2, 21, 100
    hours = readings * pairs * games * table.seconds / 3600
    assert listed["justesen-table2"] == pytest.approx(hours), "a pair printed twice is played once"


@pytest.mark.parametrize(
    ("name", "options", "useless"),
    [
        ("boney-fig4", {"store": "games.sqlite"}, "--out"),
        ("boney-fig4", {"jobs": 2, "cluster": "tcp://host:1"}, "--jobs and --cluster"),
        ("montoliu-fig3", {"only": ["nonsense"]}, "--only"),
        ("montoliu-actions", {"budget": "5evals"}, "--budget"),
        ("montoliu-actions", {"only": ["x"], "store": "games.sqlite", "jobs": 2}, "--only and --out and --jobs"),
        ("boney-fig4", {"store": "games.sqlite", "jobs": 2}, "--out and --jobs"),
    ],
)
def test_an_option_that_would_change_nothing_is_refused(name: str, options: dict[str, Any], useless: str) -> None:
    with pytest.raises(InvalidParameterError, match=f"experiment {name!r} does not take {useless}; expected only --"):
        reproduce(name, RunRequest(games=1, **options))


def test_a_reading_that_there_is_not_is_refused() -> None:
    with pytest.raises(UnknownNameError, match="unknown preset of 'boney-fig4': 'reference'"):
        reproduce("boney-fig4", RunRequest(games=1, preset="reference"))


def test_a_password_is_not_shown_where_a_file_is_expected() -> None:
    with pytest.raises(InvalidParameterError, match=r"expected a file\.$") as caught:
        reproduce("montoliu-fig3", RunRequest(games=1, store="postgresql://me:secret@host/games"))
    assert "secret" not in str(caught.value)


@pytest.mark.parametrize(
    ("name", "cell", "hint"),
    [
        ("baier-table1", "300 ms 5 AP", "the nearest of 54 are: 200 ms 5 AP v greedy-action; 200 ms 5 AP v"),
        ("justesen-search", "nonsense", "the nearest of 7 are: "),
        ("boney-fig4", "ftds", "there are: fdts; fdts:bandit=ucb1; simultaneous-mcts; "),
    ],
)
def test_a_cell_with_a_typo_is_answered_with_the_nearest_few(name: str, cell: str, hint: str) -> None:
    with pytest.raises(UnknownNameError) as caught:
        reproduce(name, RunRequest(games=1, budget="1its", only=[cell]))
    assert f"unknown cell of {name!r}: {cell!r}; {hint}" in str(caught.value)
    assert len(str(caught.value)) < 250


@pytest.mark.parametrize(
    ("name", "options", "sentence"),
    [
        ("baier-tabel1", {}, "unknown experiment 'baier-tabel1'; did you mean 'baier-table1'"),
        ("table1", {}, "unknown experiment 'table1'; "),
        ("baier-table1", {"preset": "papr"}, "unknown preset 'papr'; did you mean 'paper'"),
        ("baier-table1", {"only": ["300 ms"]}, "unknown cell of 'baier-table1': '300 ms'"),
    ],
)
def test_names_with_a_typo_are_refused(name: str, options: dict[str, Any], sentence: str) -> None:
    with pytest.raises(UnknownNameError, match=sentence):
        reproduce(name, RunRequest(games=2, **options))


def test_journals_of_experiments_have_names_of_their_own() -> None:
    kept = [one.journal for one in EXPERIMENTS.values() if isinstance(one, SearchExperiment | TuningExperiment)]
    assert len(set(kept)) == len(kept)
    assert {"fig3", "search"} <= set(kept), "journals that exist are found again"


def test_running_one_experiment_imports_no_other_papers_file() -> None:
    script = (
        "import sys; from tactician.experiments import find_experiment; find_experiment('baier-table1');"
        "print(*(name for name in sys.modules if name.startswith('tactician.experiments.papers.')))"
    )
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)
    assert done.stdout.split() == ["tactician.experiments.papers.baier"]


def test_a_file_in_papers_is_found_by_itself(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "somebody.py").write_text(TINY)
    monkeypatch.setattr(papers, "__path__", [*papers.__path__, str(tmp_path)])
    importlib.invalidate_caches()
    try:
        assert "somebody-small" in all_experiments()
        report = reproduce("somebody-small", RunRequest(games=2, budget="5evals"))
        assert report.rows[0][:4] == ("greedy v random", "paper", "5evals", "2")
        (tmp_path / "other.py").write_text(TINY)
        with pytest.raises(InvalidParameterError, match="'somebody-small' stands in other"):
            all_experiments()
    finally:
        for name in ("somebody", "other"):
            sys.modules.pop(f"tactician.experiments.papers.{name}", None)


TINY = """
from tactician.experiments.matches import Cell, MatchExperiment

EXPERIMENTS = (
    MatchExperiment(
        name="somebody-small",
        title="A small match",
        paper="Somebody 2030",
        claim="Greedy Action beats random play.",
        cells=(
            Cell(
                name="greedy v random",
                game="amazons:size=5",
                planner="greedy-action",
                opponent="random",
                budget="10evals",
                paper=0.9,
                paper_games=100,
            ),
        ),
        presets=("paper",),
        size=100,
        seconds=0.1,
    ),
)
"""


def test_nothing_generic_names_a_game_or_a_paper() -> None:
    folder = Path(tactician.experiments.__file__).parent
    names = ["hero", "academy", "locm", "pommerman", "amazons", "action points", "deck"]
    no_papers = ("__init__", "beyond", "hidden", "learned")
    names += [path.stem for path in (folder / "papers").glob("*.py") if path.stem not in no_papers]
    for path in folder.glob("*.py"):
        code = ast.unparse(_without_docstrings(ast.parse(path.read_text(encoding="utf-8")))).lower()
        assert [name for name in names if name in code] == [], path.name


def _without_docstrings(tree: ast.Module) -> ast.Module:
    for node in ast.walk(tree):
        if isinstance(getattr(node, "body", None), list):
            body: list[ast.stmt] = node.body  # type: ignore[attr-defined]
            kept = [one for one in body if not (isinstance(one, ast.Expr) and isinstance(one.value, ast.Constant))]
            node.body = kept or [ast.Pass()]  # type: ignore[attr-defined]
    return tree


# -- provenance ------------------------------------------------------------------------------------------------------


def test_results_name_the_command_the_code_and_the_machine() -> None:
    only = ["200 ms 5 AP v greedy-action", "200 ms 5 AP v oep"]
    report = reproduce("baier-table1", RunRequest(games=2, budget="5evals", preset="reference", only=only, seed=3))
    (run,) = report.document["runs"]
    assert run["command"] == (
        "tactician reproduce baier-table1 --games 2 --budget 5evals --preset reference "
        "--only '200 ms 5 AP v greedy-action' --only '200 ms 5 AP v oep' --seed 3"
    )
    assert (run["seed"], run["size"], run["version"]) == (3, "4 games", tactician.__version__)
    assert run["machine"]["processor"]
    assert run["commit"] is None or re.fullmatch("[0-9a-f]{40}", run["commit"])
    assert run["sources"] is None or re.fullmatch("[0-9a-f]{40}( with changes)?", run["sources"])
    assert [row["run"] for row in report.document["outcomes"]] == [0, 0]
    assert f"`{run['command']}`" in report.markdown()
    assert run["machine"]["processor"] in report.markdown()


def test_the_same_code_has_the_same_name_in_another_history(tmp_path: Path) -> None:
    def committed(repository: Path, message: str) -> Path:
        package = repository / "src" / "package"
        package.mkdir(parents=True)
        (package / "rules.py").write_text("LIMIT = 3\n")
        who = ["-c", "user.name=somebody", "-c", "user.email=somebody@example.org"]
        for arguments in (["init", "-q"], ["add", "-A"], [*who, "commit", "-q", "-m", message]):
            subprocess.run(["git", "-C", str(repository), *arguments], check=True)
        return package

    one, other = (committed(tmp_path / name, name) for name in ("one", "other"))
    assert code_of(one)["commit"] != code_of(other)["commit"]
    assert code_of(one)["sources"] == code_of(other)["sources"]
    (other / "rules.py").write_text("LIMIT = 4\n")
    assert code_of(other)["sources"] == f"{code_of(one)['sources']} with changes"
    assert code_of(tmp_path / "nowhere" / "src" / "package") == {"commit": None, "sources": None}


def test_results_of_two_runs_are_put_together(tmp_path: Path) -> None:
    """Rows that were measured again are replaced; runs without rows are forgotten."""
    request = RunRequest(games=2, budget="5evals", preset="reference")
    oep, greedy = "200 ms 5 AP v oep", "200 ms 5 AP v greedy-action"
    for only, games in (([oep, greedy], 2), ([oep], 4)):
        path = pages.add_results(reproduce("baier-table1", replace(request, only=only, games=games)).document, tmp_path)
    whole = json.loads(path.read_text(encoding="utf-8"))
    assert [(row["cell"], row["games"], row["run"]) for row in whole["outcomes"]] == [(greedy, 2, 0), (oep, 4, 1)]
    assert [run["size"] for run in whole["runs"]] == ["4 games", "4 games"]
    pages.add_results(reproduce("baier-table1", replace(request, only=[greedy], seed=1)).document, tmp_path)
    whole = json.loads(path.read_text(encoding="utf-8"))
    assert [row["run"] for row in whole["outcomes"]] == [1, 0]
    assert [run["seed"] for run in whole["runs"]] == [0, 1]
    with pytest.raises(InvalidParameterError, match="of experiment 'baier-table1'; expected 'baier-seeding'"):
        merged(whole, {"experiment": "baier-seeding", "outcomes": [], "runs": []})


def test_what_two_runs_trained_is_put_together() -> None:
    def told(name: str) -> dict[str, Any]:
        return {"experiment": "boney-table8", "outcomes": [], "runs": [], "training": {name: {"battles": 1}}}

    assert set(merged(told("dagger"), told("cloning"))["training"]) == {"dagger", "cloning"}


def test_what_was_not_recorded_is_said() -> None:
    document: dict[str, Any] = {
        "experiment": "baier-table1",
        "outcomes": [],
        "runs": [{"command": "tactician reproduce baier-table1", "size": "4 games", "reconstructed": True}],
    }
    page = TABLE1.report(document).markdown()
    assert "| `tactician reproduce baier-table1`* | not recorded | 4 games | not recorded |" in page
    assert "marked * are reconstructed" in page
    assert "†" not in page
    document["runs"][0] |= {"commit": 40 * "a", "commit_by_hand": True}
    page = TABLE1.report(document).markdown()
    assert f"| {12 * 'a'}† |" in page
    assert "a commit marked † was put in by hand" in page.replace("\n", " ")


def test_the_size_of_a_game_is_counted_and_compared(tmp_path: Path) -> None:
    store = str(tmp_path / "games.sqlite")
    request = RunRequest(games=2, preset="paper", only=["random", "emcts"], budget="3its", store=store)
    report = reproduce("justesen-size", request)
    rows = {(row["planner"], row["figure"]): row for row in report.document["rows"]}
    assert rows["random", "actions"]["ours"] > rows["random", "candidates"]["ours"] > 1
    assert rows["emcts", "mutations"]["ours"] == pytest.approx(rows["emcts", "candidates"]["ours"] - 1, rel=0.2)
    assert 1 < rows["random", "rounds"]["ours"] <= 100
    assert "of 3 estimates agree" in report.verdict
    assert "gives 10^1537, its last factor 10^112, where it prints 10^199.2" in report.verdict
    assert reproduce("justesen-size", request).document == report.document
