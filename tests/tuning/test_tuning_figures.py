"""Figures of a search show its values, its intervals and its recommendation."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import numpy as np
import pytest
from tuning_functions import SPACE, noisy

from tactician.arena.figures import save
from tactician.errors import InvalidParameterError
from tactician.tuning import NTBEA, LandscapeTables, Space
from tactician.tuning.figures import evolution_figure, landscape_figure


def test_the_evolution_has_a_panel_for_each_parameter() -> None:
    tuning = NTBEA(SPACE, seed=1, every=10).run(noisy, 45)
    figure = evolution_figure(SPACE, tuning.evolution())
    assert [axes.get_ylabel() for axes in figure.axes] == list(SPACE.names)
    for axes, (name, values) in zip(figure.axes, SPACE.values.items(), strict=True):
        at, places = (np.asarray(data)[:-1].tolist() for data in axes.lines[0].get_data())
        assert at == [10, 20, 30, 40, 45]
        shown = [values[int(place)] for place in places]
        assert shown == [entry.best.point[name] for entry in tuning.evolution()]


def test_the_landscape_has_means_on_its_diagonal_and_pairs_below() -> None:
    tuning = NTBEA(SPACE, seed=1).run(noisy, 60)
    figure = landscape_figure(tuning.tables())
    grid = np.array(figure.axes[:16], dtype=object).reshape(4, 4)
    for row in range(4):
        for column in range(4):
            axes: Any = grid[row, column]
            assert axes.get_visible() == (column <= row)
            if column == row:
                means = axes.lines[0].get_ydata()
                assert means == pytest.approx(tuning.landscape.table((row,))[1], nan_ok=True)
            elif column < row:
                drawn = np.ma.filled(axes.images[0].get_array(), np.nan).T
                assert drawn == pytest.approx(tuning.landscape.table((column, row))[1], nan_ok=True)


def test_reported_values_are_drawn_beside_ours() -> None:
    tuning = NTBEA(SPACE, seed=1, every=10).run(noisy, 20)
    figure = evolution_figure(SPACE, tuning.evolution(), {"a": 2, "c": "insert", "d": 99})
    lines = [[line for line in axes.lines if line.get_linestyle() == "--"] for axes in figure.axes]
    assert [len(of_panel) for of_panel in lines] == [1, 0, 1, 0], "a value outside of the space has no place"
    assert np.asarray(lines[0][0].get_ydata()).tolist() == [2, 2]


def test_the_tables_of_a_landscape_are_read_back_from_a_document() -> None:
    tuning = NTBEA(SPACE, seed=1).run(noisy, 20)
    document = json.loads(json.dumps(tuning.tables().to_json()))
    again = LandscapeTables.from_json(SPACE, tuning.recommendation.point, document)
    for ours, theirs in zip(again.singles, tuning.tables().singles, strict=True):
        for one, other in zip(ours, theirs, strict=True):
            assert one == pytest.approx(other, nan_ok=True)
    assert again.pairs.keys() == tuning.tables().pairs.keys()
    for pair, means in again.pairs.items():
        assert means == pytest.approx(tuning.tables().pairs[pair], nan_ok=True)


@pytest.mark.parametrize(
    "space",
    [Space({"planner.mutation": ["swap", "insert"]}), Space({"w1": [-1, 0.5], "w2": range(12)})],
    ids=["one", "two"],
)
def test_small_spaces_are_drawn_and_written(space: Space, tmp_path: Path) -> None:
    tuning = NTBEA(space, seed=1).run(lambda _point, seed: seed % 13 / 12, 6)
    for figure in (evolution_figure(space, tuning.evolution()), landscape_figure(tuning.tables())):
        png, svg = save(figure, tmp_path / "figure")
        assert png.read_bytes().startswith(b"\x89PNG")
        assert all(name in "".join(ElementTree.parse(svg).getroot().itertext()) for name in space.names)


def test_nothing_can_not_be_drawn() -> None:
    with pytest.raises(InvalidParameterError, match="nothing to draw"):
        evolution_figure(SPACE, [])
    with pytest.raises(InvalidParameterError, match="nothing to recommend"):
        landscape_figure(NTBEA(SPACE).begin().tables())
