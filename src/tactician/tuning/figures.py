"""Figures of a search: how its recommendation evolved, and what the bandits of singles and pairs have seen.

They are drawn as those of the arena are, in its style; `tactician.arena.figures.save` writes them.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from tactician.arena.figures import COLOURS, COLUMN, GREY, STYLE
from tactician.errors import InvalidParameterError
from tactician.tuning.landscape import LandscapeTables
from tactician.tuning.ntbea import Recommendation
from tactician.tuning.space import Space

if TYPE_CHECKING:
    from matplotlib.figure import Figure

PAGE = 7.2
"""The width of a page of two columns, in inches."""
_LONG = 7
"""Values of a parameter that are all written at an axis; of more, every second or third."""


def evolution_figure(
    space: Space, history: Sequence[Recommendation], reported: Mapping[str, Any] | None = None
) -> Figure:
    """The recommended value of every parameter over the evaluations, a panel each (the paper's figure 3).

    `reported` values, what a paper settled on, are dashed lines.
    """
    if not history:
        raise InvalidParameterError("nothing to draw; expected at least one recommendation.")
    import matplotlib

    with matplotlib.rc_context(STYLE):
        count = len(space.names)
        figure = _figure(COLUMN, 0.62 * count + (0.7 if reported else 0.45))
        panels: Any = figure.subplots(count, 1, sharex=True, squeeze=False)[:, 0]
        at = [entry.evaluations for entry in history]
        handles: list[Any] = []
        for axes, (name, values) in zip(panels, space.values.items(), strict=True):
            places = [values.index(entry.best.point[name]) for entry in history]
            # What is recommended holds until the next look.
            ours = axes.step([*at, at[-1] * 1.02], [*places, places[-1]], where="post", color=COLOURS[0], label="ours")
            axes.plot(at[-1], places[-1], "o", color=COLOURS[0 if reported else 1], clip_on=False, zorder=3)
            if reported and reported.get(name) in values:
                place = values.index(reported[name])
                theirs = axes.axhline(place, color=COLOURS[1], linestyle="--", label="paper, in the end")
                handles = [*ours, theirs]
            axes.set_ylim(-0.4, len(values) - 0.6)
            _ticks(axes.yaxis, values, most=4)
            axes.set_ylabel(name, rotation=0, ha="right", va="center")
            axes.grid(axis="y", which="both", color="#DDDDDD", linewidth=0.4)
            axes.set_axisbelow(True)
        panels[-1].set_xlim(0, at[-1] * 1.02)
        panels[-1].set_xlabel("evaluations")
        if reported:
            figure.legend(handles=handles, loc="outside upper center", ncols=2)
        figure.align_ylabels()
    return figure


def landscape_figure(tables: LandscapeTables) -> Figure:
    """Mean value of every single value on the diagonal, with 95 % intervals, and of every pair of values below it."""
    import matplotlib

    space, count = tables.space, len(tables.space.names)
    best = space.row(tables.recommended)
    colours = list(tables.pairs.values()) or [means for _, means, _ in tables.singles]
    means = np.concatenate([found.ravel() for found in colours])
    low, high = float(np.nanmin(means)), float(np.nanmax(means))
    bars = [_half_widths(*single) for single in tables.singles]
    ends = [single[1] + sign * bar for single, bar in zip(tables.singles, bars, strict=True) for sign in (-1, 1)]
    reach = float(np.nanmin(np.concatenate(ends))), float(np.nanmax(np.concatenate(ends)))
    with matplotlib.rc_context(STYLE | {"xtick.labelsize": 6, "ytick.labelsize": 6}):
        side = min(PAGE, max(COLUMN, 1.35 * count))
        figure = _figure(side, side)
        grid: Any = figure.subplots(count, count, squeeze=False)
        image = None
        for row in range(count):
            for column in range(count):
                axes = grid[row, column]
                if column > row:
                    axes.set_visible(False)
                elif column == row:
                    _single(axes, tables.singles[row][1], bars[row], best[row], reach)
                else:
                    image = _pair(axes, tables.pairs[column, row], (best[column], best[row]), low, high)
                _label(axes, space, row, column)
        grid[0, 0].set_ylabel("mean value, 95 %", fontsize=7)
        grid[0, 0].yaxis.set_label_position("right")
        if image is not None:
            # In the empty corner, outside of the layout.
            bar = figure.colorbar(image, cax=figure.add_axes((0.61, 0.95, 0.33, 0.015)), orientation="horizontal")
            bar.set_label("mean value of a pair\n(frame: recommended)", fontsize=7)
            bar.ax.spines[:].set_visible(False)
            bar.ax.tick_params(length=2)
            bar.ax.locator_params(axis="x", nbins=4)
            bar.outline.set_visible(False)
    return figure


def _half_widths(counts: Any, means: Any, deviations: Any) -> Any:
    """Half the 95 % interval of each mean; 0 where there is one evaluation only."""
    from scipy.stats import t

    with np.errstate(invalid="ignore", divide="ignore"):
        widths = t.ppf(0.975, np.maximum(counts - 1, 1)) * deviations / np.sqrt(counts)
    return np.where(np.isnan(means), np.nan, np.nan_to_num(widths))


def _single(axes: Any, means: Any, bars: Any, best: int, reach: tuple[float, float]) -> None:
    style = {"fmt": "o", "color": COLOURS[0], "elinewidth": 0.8, "capsize": 1.5, "markersize": 2.5}
    axes.errorbar(np.arange(len(means)), means, yerr=bars, **style)
    axes.plot(best, means[best], "o", color=COLOURS[1], markersize=4, zorder=3)
    rim = 0.06 * (reach[1] - reach[0]) or 0.01
    axes.set(xlim=(-0.5, len(means) - 0.5), ylim=(reach[0] - rim, reach[1] + rim))
    axes.yaxis.tick_right()
    axes.spines["left"].set_visible(False)
    axes.spines["right"].set_visible(True)
    axes.locator_params(axis="y", nbins=5)


def _pair(axes: Any, means: Any, best: tuple[int, int], low: float, high: float) -> Any:
    # The first parameter of a pair runs to the right, the second upwards.
    image = axes.imshow(means.T, origin="lower", aspect="auto", cmap="viridis", vmin=low, vmax=high)
    axes.plot(*best, "s", markersize=5, markerfacecolor="none", markeredgecolor="white", markeredgewidth=2.2)
    axes.plot(*best, "s", markersize=5, markerfacecolor="none", markeredgecolor=COLOURS[1], markeredgewidth=1.1)
    axes.spines[:].set_visible(False)
    return image


def _label(axes: Any, space: Space, row: int, column: int) -> None:
    names, values = space.names, tuple(space.values.values())
    _ticks(axes.xaxis, values[column], most=_LONG)
    if column != row:
        _ticks(axes.yaxis, values[row], most=_LONG)
    if row == len(names) - 1:
        axes.set_xlabel(names[column])
    else:
        axes.tick_params(axis="x", labelbottom=False)
    if column == 0 and row > 0:
        axes.set_ylabel(names[row])
    elif column != row:
        axes.tick_params(axis="y", labelleft=False)
    if column == row:
        axes.set_title(names[row], fontsize=7, color=GREY, pad=2)


def _ticks(axis: Any, values: Sequence[Any], most: int) -> None:
    """Write all values, or as many as fit, the first and the last among them; the others are short strokes."""
    last = len(values) - 1
    step = next((step for step in range(1, last + 1) if last % step == 0 and last // step < most), 1)
    axis.set_ticks(range(0, len(values), step), [_short(value) for value in values[::step]])
    if step > 1:
        axis.set_ticks(range(len(values)), minor=True)


def _short(value: Any) -> str:
    if isinstance(value, str):
        return value if len(value) <= 9 else value[:8] + "…"
    return (f"{value:g}" if isinstance(value, float) else str(value)).replace("-", "−")


def _figure(width: float, height: float) -> Figure:
    """An empty figure that is not registered with pyplot."""
    from matplotlib.backends.backend_agg import FigureCanvasAgg
    from matplotlib.figure import Figure

    figure = Figure(figsize=(width, height), layout="constrained")
    FigureCanvasAgg(figure)
    return figure
