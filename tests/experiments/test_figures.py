"""Figures with a row for each cell of a table."""

from __future__ import annotations

import pytest

from tactician.experiments.figures import Comparison, comparison_figure


@pytest.mark.parametrize(
    "label", ["short", "a name of a cell that says the budget, the game, the planner and its opponent, all"]
)
def test_long_labels_leave_the_plot_its_width(label: str) -> None:
    figure = comparison_figure({"wins": [Comparison(label, 0.5, (0.4, 0.6), None)]})
    figure.draw_without_rendering()
    (axes,) = figure.axes
    assert axes.get_window_extent().width / figure.dpi > 1.5
