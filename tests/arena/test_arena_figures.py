"""Figures say what the results say, fit their page, and are written whole."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from matplotlib.figure import Figure

from tactician.arena.figures import COLUMN, cross_table_figure, curve_figure, percent, ratings_figure, save
from tactician.arena.ratings import rate_agents
from tactician.arena.statistics import PairedScore, Score, ScoreLike
from tactician.errors import InvalidParameterError

NAMES = ["Random", "Greedy Turn", "OEP"]
SCORES: dict[tuple[int, int], ScoreLike] = {
    (1, 0): Score(100, 0, 0),
    (2, 0): Score(99, 1, 0),
    (2, 1): Score(50, 5, 45),
}


def texts(figure: Figure) -> list[str]:
    """Every text of a figure as it will be drawn, ticks and legend included."""
    figure.canvas.draw()
    found: list[Any] = figure.findobj(lambda artist: hasattr(artist, "get_text"))
    return [artist.get_text() for artist in found if artist.get_visible() and artist.get_text()]


def outside(figure: Figure) -> list[str]:
    """The texts that the edge of the figure cuts."""
    figure.canvas.draw()
    width, height = figure.canvas.get_width_height()
    shown: list[Any] = figure.findobj(lambda artist: hasattr(artist, "get_text"))
    boxes = [(a.get_text(), a.get_window_extent()) for a in shown if a.get_visible() and a.get_text()]
    return [text for text, box in boxes if box.x0 < -1 or box.y0 < -1 or box.x1 > width + 1 or box.y1 > height + 1]


def test_a_cross_table_shows_rates_intervals_and_marks_from_both_sides() -> None:
    figure = cross_table_figure(NAMES, SCORES)
    found = texts(figure)
    for text in [*NAMES, "100", "96–100", "0", "0–4", ">99", "<1", "53", "47", "43–62", "38–57", "***"]:
        assert text in found
    assert found.count("***") == 4
    assert found.count("–") == 3  # nobody plays himself
    assert any("Row's win %" in text for text in found)
    assert not outside(figure)


def test_a_cross_table_of_seven_fits_a_column() -> None:
    names = ["Random", "Greedy Action", "Greedy Turn", "MCTS", "Non-exploring MCTS", "BB-MCTS", "OEP"]
    figure = cross_table_figure(names, {(row, column): Score(80, 0, 20) for row in range(7) for column in range(row)})
    assert figure.get_size_inches()[0] <= COLUMN + 0.02
    assert not outside(figure)


def test_a_cross_table_has_room_for_planners_with_parameters() -> None:
    names = ["oep:population=50,mutation_rate=0.2,survivors=0.5", "mcts:rollout=epsilon-greedy,c=0.7", "$x_1$"]
    figure = cross_table_figure(names, SCORES)
    assert not outside(figure)
    assert "$x_1$" in texts(figure)


def test_marks_can_account_for_the_number_of_matches() -> None:
    scores: dict[tuple[int, int], ScoreLike] = {
        (1, 0): Score(62, 0, 38),
        (2, 0): Score(50, 0, 50),
        (2, 1): Score(5, 0, 5),
    }
    plain, corrected = cross_table_figure(NAMES, scores), cross_table_figure(NAMES, scores, corrected=True)
    assert texts(plain).count("*") == 2
    assert texts(corrected).count("*") == 0
    assert any("Holm" in text for text in texts(corrected))


def test_a_cross_table_takes_pairs_and_leaves_unplayed_matches_open() -> None:
    found = texts(cross_table_figure(NAMES, {(0, 1): PairedScore((1, 0, 2, 0, 7)), (1, 2): Score()}))
    assert "80" in found
    assert "20" in found
    assert found.count("–") == 3 + 4


@pytest.mark.parametrize(
    "scores", [{(0, 0): Score(1, 0, 0)}, {(0, 3): Score(1, 0, 0)}, {(0, 1): Score(1, 0, 0), (1, 0): Score(0, 0, 1)}]
)
def test_impossible_matches_are_refused(scores: dict[tuple[int, int], ScoreLike]) -> None:
    with pytest.raises(InvalidParameterError, match="match"):
        cross_table_figure(NAMES, scores)


def test_a_ratings_figure_lists_agents_best_first() -> None:
    ratings = rate_agents(NAMES, SCORES)
    figure = ratings_figure(ratings)
    axes = figure.axes[0]
    assert [label.get_text() for label in axes.get_yticklabels()] == ["OEP", "Greedy Turn", "Random"]
    assert axes.get_ylim()[0] > axes.get_ylim()[1]
    assert f"{ratings.elo[2]:+.0f}" in texts(figure)
    assert f"−{-ratings.elo[0]:.0f}" in texts(figure)
    assert not outside(figure)


def test_a_curve_shows_every_opponent_with_error_bars_and_skips_missing_points() -> None:
    curves: dict[str, list[ScoreLike | None]] = {
        "BB-MCTS": [Score(30, 0, 70), Score(50, 0, 50), Score(70, 0, 30)],
        "MCTS": [Score(90, 0, 10), None, Score()],
    }
    figure = curve_figure([1, 5, 25], curves, "action points", "OEP's win %", reported={"MCTS": [0.8, None, 0.9]})
    found = texts(figure)
    for text in ["action points", "OEP's win %", "BB-MCTS", "MCTS", "as reported", "1", "5", "25", "50"]:
        assert text in found
    bars = figure.axes[0].containers
    assert [len(bar[0].get_ydata()) for bar in bars] == [3, 1]
    low, high = Score(30, 0, 70).interval()
    segment: Any = bars[0][2][0].get_segments()[0]
    assert segment[:, 1] == pytest.approx([100 * low, 100 * high])
    assert not outside(figure)


@pytest.mark.parametrize(
    ("values", "curves", "reported"),
    [
        ([], {"a": []}, None),
        ([1], {}, None),
        ([1, 2], {"a": [Score()]}, None),
        ([1], {"a": [Score()]}, {"b": [0.5]}),
        ([1], {str(n): [Score()] for n in range(8)}, None),
    ],
)
def test_curves_that_do_not_fit_are_refused(values: list[float], curves: Any, reported: Any) -> None:
    with pytest.raises(InvalidParameterError):
        curve_figure(values, curves, "x", reported=reported)


def test_a_figure_is_saved_as_png_and_svg_with_its_text(tmp_path: Path) -> None:
    png, svg = save(cross_table_figure(NAMES, SCORES), tmp_path / "new" / "table.2")
    assert (png.name, svg.name) == ("table.2.png", "table.2.svg")
    assert png.read_bytes().startswith(b"\x89PNG")
    words = "".join(ElementTree.parse(svg).getroot().itertext())
    assert "Greedy Turn" in words
    assert sorted(path.name for path in png.parent.iterdir()) == ["table.2.png", "table.2.svg"]


def test_a_suffix_is_taken_off_and_links_and_folders_in_the_way_are_respected(tmp_path: Path) -> None:
    figure = cross_table_figure(NAMES, SCORES)
    (tmp_path / "data").mkdir()
    (tmp_path / "table.svg").symlink_to(tmp_path / "data" / "kept.svg")
    assert [path.name for path in save(figure, tmp_path / "table.PNG")] == ["table.png", "table.svg"]
    assert (tmp_path / "table.svg").is_symlink()
    assert (tmp_path / "data" / "kept.svg").exists()
    (tmp_path / "taken.svg").mkdir()
    with pytest.raises(InvalidParameterError, match="can't be written: "):
        save(figure, tmp_path / "taken")
    assert not list(tmp_path.glob(".*"))


def test_the_same_results_give_the_same_files(tmp_path: Path) -> None:
    one, other = (save(cross_table_figure(NAMES, SCORES), tmp_path / name) for name in "ab")
    assert [path.read_bytes() for path in one] == [path.read_bytes() for path in other]


def test_a_figure_that_cannot_be_drawn_leaves_the_old_files(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    figure = ratings_figure(rate_agents(NAMES, SCORES))
    before = [path.read_bytes() for path in save(figure, tmp_path / "ratings")]
    draw = figure.savefig

    def fails_late(file: Any, **options: Any) -> None:
        if options["format"] == "svg":
            raise OSError("disk full")
        draw(file, **options)

    monkeypatch.setattr(figure, "savefig", fails_late)
    with pytest.raises(InvalidParameterError, match=r"figure '.*ratings.png' can't be written: disk full"):
        save(figure, tmp_path / "ratings")
    assert [(tmp_path / f"ratings.{suffix}").read_bytes() for suffix in ("png", "svg")] == before
    assert len(list(tmp_path.iterdir())) == 2


@given(st.integers(0, 2000), st.integers(1, 2000))
@example(199, 200)
@example(161, 200)
def test_percentages_of_both_sides_add_up(points: int, games: int) -> None:
    rate = min(points, games) / games
    one, other = percent(rate), percent(1 - rate)
    if one.isdigit():
        assert int(one) + int(other) == 100
        assert abs(int(one) - 100 * rate) <= 0.5 + 1e-6
    else:
        assert {one, other} == {"<1", ">99"}
    assert (one in ("0", "100")) == (rate in (0, 1))


def test_matplotlib_waits_for_the_first_figure_and_keeps_its_settings() -> None:
    program = """if True:
        import sys
        from tactician.arena.figures import cross_table_figure
        from tactician.arena.statistics import Score
        assert "matplotlib" not in sys.modules, "imported too early"
        import matplotlib
        def settings():  # asking for the backend would choose one
            return {name: matplotlib.rcParams[name] for name in matplotlib.rcParams if name != "backend"}
        before = settings()
        cross_table_figure(["a", "b"], {(0, 1): Score(1, 0, 0)})
        assert settings() == before, "settings changed"
        assert "matplotlib.pyplot" not in sys.modules, "pyplot imported"
    """
    subprocess.run([sys.executable, "-c", program], check=True)
