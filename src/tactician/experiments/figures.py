"""Figures of the experiments that the arena has no figure for; the paper's values stand beside ours."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from tactician.arena.figures import CELL, COLOURS, COLUMN, GREY, MARKERS, STYLE, new_figure, percent

if TYPE_CHECKING:
    from matplotlib.figure import Figure

_HOLLOW: Any = {"marker": "D", "markerfacecolor": "none", "color": COLOURS[1], "linestyle": "none", "markersize": 4.5}
"""How a paper's value is marked."""


_DECADES = 30
"""From this ratio on, numbers are drawn on a logarithmic axis."""


@dataclass(frozen=True)
class Comparison:
    """A rate of ours with its 95 % interval, and the paper's."""

    label: str
    ours: float
    interval: tuple[float, float]
    paper: float | None
    difference: tuple[float, float] | None = None
    """The 95 % interval of ours minus the paper's."""
    at_least: float | None = None
    """What the paper claims at least, where it prints no rate."""


_CHARACTER = 0.06
"""Inches that a character of a label takes, with some to spare."""


def comparison_figure(panels: Mapping[str, Sequence[Comparison]]) -> Figure:
    """Rates with intervals beside the paper's, a row each; a panel for each kind of rate, with the same rows."""
    rows = next(iter(panels.values()))
    with _style():
        labels = max(COLUMN, _CHARACTER * max((len(one.label) for one in rows), default=0))
        figure, first = new_figure(labels + 1.75 * len(panels), 0.21 * len(rows) + 0.85)
        first.remove()
        every: Any = figure.subplots(1, len(panels), sharey=True, squeeze=False)[0]
        handles: dict[str, Any] = {}
        for axes, (kind, compared) in zip(every, panels.items(), strict=True):
            for place, one in enumerate(compared):
                low, high = one.interval
                axes.plot([100 * low, 100 * high], [place, place], color=COLOURS[0], linewidth=1.0)
                handles["ours"] = axes.plot(100 * one.ours, place, "o", color=COLOURS[0], label="ours, 95 % interval")[
                    0
                ]
                if one.paper is not None:
                    handles["paper"] = axes.plot(100 * one.paper, place, zorder=3, label="paper", **_HOLLOW)[0]
                if one.at_least is not None:
                    style = _HOLLOW | {"marker": ">"}
                    handles["claim"] = axes.plot(100 * one.at_least, place, zorder=3, label="paper: at least", **style)[
                        0
                    ]
            if len(panels) == 1 and kind == "wins":
                axes.axvline(50, color=GREY, linewidth=0.6, linestyle=(0, (2, 2)), zorder=0)
            axes.set_xlabel(f"{kind} (%)")
            axes.set_xlim(-3, 103)
            axes.tick_params(axis="y", length=0)
            axes.grid(axis="x", color="#DDDDDD", linewidth=0.4)
            axes.set_axisbelow(True)
        every[0].set_yticks(range(len(rows)), [one.label for one in rows])
        every[0].set_ylim(len(rows) - 0.5, -0.5)
        figure.legend(handles=list(handles.values()), loc="outside upper right", ncols=len(handles) or 1)
    return figure


@dataclass(frozen=True)
class Quantity:
    """A number of ours in each reading, and the paper's if it has one."""

    label: str
    ours: Mapping[str, float]
    paper: float | None = None
    kind: str = "number"
    """What it counts: numbers of one kind share a panel, whose axis says so."""


_READINGS = {"paper": "printed reading", "reference": "coded reading"}
"""What readings are called in a legend where 'paper' stands for the paper's own numbers."""


def quantities_figure(quantities: Sequence[Quantity]) -> Figure:
    """Numbers beside the paper's, a row each, a panel a kind; logarithmic if they are of very different sizes."""
    panels = {one.kind: [other for other in quantities if other.kind == one.kind] for one in quantities}
    sizes = [len(panel) for panel in panels.values()]
    with _style():
        figure, first = new_figure(2 * COLUMN, 0.24 * sum(sizes) + 0.45 + 0.4 * len(sizes))
        first.remove()
        every: Any = figure.subplots(len(sizes), 1, squeeze=False, height_ratios=sizes)[:, 0]
        handles: dict[str, Any] = {}
        for axes, (kind, panel) in zip(every, panels.items(), strict=True):
            handles |= _draw_quantities(axes, panel)
            axes.set_xlabel(kind)
        figure.legend(handles=list(handles.values()), loc="outside upper right", ncols=len(handles))
    return figure


def _draw_quantities(axes: Any, quantities: Sequence[Quantity]) -> dict[str, Any]:
    """One panel; what it draws, for the legend."""
    handles: dict[str, Any] = {}
    for place, one in enumerate(quantities):
        for number, (reading, value) in enumerate(one.ours.items()):
            colour = (COLOURS[0], COLOURS[2])[number % 2]
            label = f"ours, {_READINGS.get(reading, reading)}" if len(one.ours) > 1 else "ours"
            handles[reading] = axes.plot(value, place, MARKERS[number], color=colour, label=label)[0]
        if one.paper is not None:
            handles["the paper's"] = axes.plot(one.paper, place, zorder=3, label="paper", **_HOLLOW)[0]
    shown = [value for one in quantities for value in (*one.ours.values(), one.paper) if value is not None]
    if max(shown) > _DECADES * max(1.0, min(shown)):
        axes.set_xscale("log")
        axes.xaxis.set_minor_formatter(lambda _value, _place: "")
    else:
        axes.set_xlim(left=0)
    axes.xaxis.set_major_formatter(lambda value, _place: f"{value:,.0f}" if value >= 1 else f"{value:g}")
    axes.set_yticks(range(len(quantities)), [one.label for one in quantities])
    axes.set_ylim(len(quantities) - 0.5, -0.5)
    axes.tick_params(axis="y", length=0)
    axes.grid(axis="x", color="#DDDDDD", linewidth=0.4)
    axes.set_axisbelow(True)
    return handles


@dataclass(frozen=True)
class CurvePoint:
    """A point of a curve: ours with its 95 % interval, and the paper's figure or what it claims at least."""

    at: float
    ours: float
    interval: tuple[float, float]
    paper: float | None = None
    at_least: float | None = None


def curves_figure(curves: Mapping[str, Sequence[CurvePoint]], xlabel: str, ylabel: str) -> Figure:
    """Win percentages over a parameter, a panel a curve, with 95 % intervals and the paper's values."""
    columns = min(3, len(curves))
    rows = -(-len(curves) // columns)
    with _style():
        figure, first = new_figure(0.75 + 2.05 * columns, 0.75 + 1.5 * rows)
        first.remove()
        panels: Any = figure.subplots(rows, columns, sharex=True, sharey=True, squeeze=False)
        handles: dict[str, Any] = {}
        for number, (name, points) in enumerate(curves.items()):
            axes = panels[divmod(number, columns)]
            handles |= _draw_curve(axes, sorted(points, key=lambda point: point.at))
            axes.set_title(name, fontsize=8)
        for axes in panels.flat[len(curves) :]:
            axes.set_visible(False)
        every = sorted({point.at for points in curves.values() for point in points})
        panels[0, 0].set_xticks(every, [f"{value:g}" for value in every])
        panels[0, 0].set(ylim=(-4, 104), yticks=range(0, 101, 25))
        figure.supxlabel(xlabel, fontsize=8)
        figure.supylabel(ylabel, fontsize=8)
        figure.legend(handles=list(handles.values()), loc="outside upper right", ncols=len(handles))
    return figure


def _draw_curve(axes: Any, points: Sequence[CurvePoint]) -> dict[str, Any]:
    """One curve; what it draws, for the legend."""
    at = [point.at for point in points]
    ours = np.array([point.ours for point in points])
    bounds = np.array([point.interval for point in points]).T
    axes.axhline(50, color=GREY, linewidth=0.6, linestyle=(0, (2, 2)), zorder=0)
    bars = 100 * np.maximum(0, np.stack([ours - bounds[0], bounds[1] - ours]))
    style: Any = {"color": COLOURS[0], "marker": "o", "elinewidth": 0.8, "capsize": 1.5}
    handles = {"ours": axes.errorbar(at, 100 * ours, yerr=bars, label="ours, 95 % interval", **style)}
    printed = [(point.at, 100 * point.paper) for point in points if point.paper is not None]
    if printed:
        style = _HOLLOW | {"linestyle": ":", "linewidth": 0.9}
        handles["paper"] = axes.plot(*zip(*printed, strict=True), zorder=3, label="paper", **style)[0]
    claimed = [(point.at, 100 * point.at_least) for point in points if point.at_least is not None]
    if claimed:
        style = {"color": COLOURS[1], "linestyle": (0, (4, 2)), "linewidth": 1.2}
        handles["claim"] = axes.plot(*zip(*claimed, strict=True), label="paper: at least", **style)[0]
    return handles


def paper_cross_table_figure(names: Sequence[str], cells: Mapping[tuple[int, int], Comparison]) -> Figure:
    """The row's win percentage against the column's, ours above the paper's; half of the table, a match once.

    Colours show ours. A star marks a difference from the paper whose 95 % interval leaves out 0.
    """
    import matplotlib

    count, side = len(names), 1.5 * CELL
    with _style():
        figure, axes = new_figure(COLUMN, COLUMN, layout=None)
        colours = matplotlib.colormaps["RdBu"]
        for (row, column), one in cells.items():
            # The ends of the map are too dark to tell apart.
            _draw_compared(axes, row, column, colours(0.12 + 0.76 * one.ours), one)
        for row in range(1, count):
            axes.plot([0, row], [row, row], color="white", linewidth=1)
            axes.plot([row, row], [row, count], color="white", linewidth=1)
        axes.set(xlim=(0, count - 1), ylim=(count, 1))
        axes.set_xticks([i + 0.5 for i in range(count - 1)], names[:-1], rotation=40, ha="left")
        axes.set_yticks([i + 0.5 for i in range(1, count)], names[1:])
        axes.tick_params(length=0, pad=2)
        axes.xaxis.tick_top()
        axes.spines[:].set_visible(False)
        note = (
            "Row's win % against column: ours,\n95 % interval, the paper's below.\n* differs from the paper's (95 %)."
        )
        axes.text(count - 1, 1.1, note, fontsize=6.5, color=GREY, ha="right", va="top")
        table, rim = side * (count - 1), 0.05
        left = rim + max(label.get_window_extent().width for label in axes.get_yticklabels()) / figure.dpi + 0.05
        above = [label.get_window_extent() for label in axes.get_xticklabels()]
        top = rim + max(box.height for box in above) / figure.dpi + 0.05
        # A slanted name begins over the middle of its column and may end beside the table.
        ends = [side * (place + 0.5) + box.width / figure.dpi for place, box in enumerate(above)]
        right = rim + max(0.0, max(ends) - table)
        width, height = left + table + right, top + table + rim
        figure.set_size_inches(width, height)
        axes.set_position((left / width, rim / height, table / width, table / height))
    return figure


def _draw_compared(axes: Any, row: int, column: int, face: Any, one: Comparison) -> None:
    red, green, blue, _ = face
    dark = 0.299 * red + 0.587 * green + 0.114 * blue < 0.5
    style = {"ha": "center", "va": "center", "color": "white" if dark else "black"}
    middle = column + 0.5
    low, high = one.interval
    star = "*" if one.difference and not one.difference[0] <= 0 <= one.difference[1] else ""
    axes.fill_between([column, column + 1], row, row + 1, color=face, linewidth=0)
    axes.text(middle, row + 0.23, f"{percent(one.ours)}{star}", fontsize=7.5, fontweight="bold", **style)
    axes.text(middle, row + 0.51, f"{100 * low:.0f}–{100 * high:.0f}", fontsize=5, **style)
    if one.paper is not None:
        axes.text(middle, row + 0.79, f"paper {100 * one.paper:g}", fontsize=5.5, **style)


def rates_by_group_figure(
    rates: Mapping[str, Mapping[str, float]], papers: Mapping[str, float], group: str, ylabel: str
) -> Figure:
    """Win rates in groups of games: a row of points for each planner, its mean as a line, the paper's mean dashed."""
    with _style():
        figure, axes = new_figure(2 * COLUMN, 2.4)
        for number, (name, by_group) in enumerate(rates.items()):
            colour, marker = COLOURS[number % len(COLOURS)], MARKERS[number % len(MARKERS)]
            values = [100 * rate for rate in by_group.values()]
            mean = float(np.mean(values))
            axes.plot(range(len(values)), values, marker, color=colour, label=name)
            axes.axhline(mean, color=colour, linewidth=0.8, label=f"mean {mean:.1f}")
            if name in papers:
                paper = 100 * papers[name]
                axes.axhline(paper, color=colour, linewidth=0.9, linestyle=(0, (4, 2)), label=f"paper's mean {paper:g}")
        groups = list(next(iter(rates.values())))
        axes.set_xticks(range(len(groups)), groups, rotation=90)
        axes.set(xlabel=group, ylabel=ylabel)
        figure.legend(loc="outside upper center", ncols=max(1, len(rates)))
    return figure


def histogram_figure(
    counts: Sequence[int], xlabel: str, paper_range: tuple[int, int], paper_peaks: Sequence[int] = ()
) -> Figure:
    """How often each number occurred, with the paper's range and peaks."""
    with _style():
        figure, axes = new_figure(COLUMN, 2.3)
        total = max(1, sum(counts))
        low, high = paper_range
        axes.axvspan(low - 0.5, high + 0.5, color="#EEEEEE", zorder=0, label=f"paper's range, {low} to {high}")
        shares = [100 * count / total for count in counts]
        axes.bar(range(len(counts)), shares, color=COLOURS[0], width=0.9, label="ours")
        for number, peak in enumerate(paper_peaks):
            label = f"paper's peaks, near {' and '.join(map(str, paper_peaks))}" if number == 0 else None
            axes.axvline(peak, color=COLOURS[1], linestyle=(0, (4, 2)), linewidth=1.0, label=label)
        axes.set_xlabel(xlabel)
        axes.set_ylabel("turns (%)")
        figure.legend(loc="outside upper center", ncols=2)
    return figure


def revisit_figure(ratios: Mapping[str, Sequence[float | None]]) -> Figure:
    """The share of states that a search knew already, by depth; None where no state was reached."""
    with _style():
        figure, axes = new_figure(COLUMN, 2.6)
        for number, (name, values) in enumerate(ratios.items()):
            colour, marker = COLOURS[number % len(COLOURS)], MARKERS[number % len(MARKERS)]
            shares = np.array(values, float)
            axes.plot(range(1, len(shares) + 1), shares, marker + "-", color=colour, label=name, markersize=3)
        axes.set_xlabel("depth")
        axes.set_xticks(range(0, 21, 5))
        axes.set_ylabel("share of states known")
        axes.set_ylim(0, 1.02)
        figure.legend(loc="outside upper center", ncols=2)
    return figure


def revisits_over_game_figure(ratios: Mapping[str, Mapping[int, Sequence[float | None]]], every: int) -> Figure:
    """The same over the steps of a game, a point `every` steps, a panel for each depth; a gap where no game got."""
    with _style():
        depths = list(next(iter(ratios.values())))
        figure, first = new_figure(2 * COLUMN, 2.2)
        first.remove()
        panels = figure.subplots(1, len(depths), sharey=True)
        for axes, depth in zip(panels, depths, strict=True):
            for number, (name, by_depth) in enumerate(ratios.items()):
                label = name if depth == depths[0] else None
                shares = np.array(by_depth[depth], float)
                steps = every * np.arange(len(shares))
                axes.plot(steps, shares, color=COLOURS[number % len(COLOURS)], label=label, linewidth=0.9)
            axes.set_title(f"depth {depth}", fontsize=8)
            axes.set_xlabel("step of the game")
            axes.set_ylim(0, 1.02)
        panels[0].set_ylabel("share of states known")
        figure.legend(loc="outside upper center", ncols=4)
    return figure


def _style() -> AbstractContextManager[None]:
    import matplotlib

    return matplotlib.rc_context(STYLE)


def training_figure(curves: Mapping[str, Sequence[Mapping[str, Any]]]) -> Figure:
    """Loss, agreement with the teacher and wins against the fixed opponent over battles, a curve a trained agent."""
    panels = (("loss", "loss"), ("agreement", "agreement with the teacher (%)"), ("strength", "games won (%)"))
    with _style():
        figure, first = new_figure(COLUMN + 1.75 * len(panels), 1.9)
        first.remove()
        every: Any = figure.subplots(1, len(panels), sharex=True, squeeze=False)[0]
        for axes, (key, label) in zip(every, panels, strict=True):
            for number, (name, points) in enumerate(curves.items()):
                known = [
                    (point["battles"], _of_training(key, point[key])) for point in points if point[key] is not None
                ]
                if known:
                    axes.plot(*zip(*known, strict=True), color=COLOURS[number], linewidth=1.0, label=name)
            axes.set_xlabel("battles")
            axes.set_ylabel(label)
            axes.grid(color="#DDDDDD", linewidth=0.4)
            axes.set_axisbelow(True)
        handles = {handle.get_label(): handle for axes in every for handle in axes.get_lines()}
        figure.legend(handles=list(handles.values()), loc="outside upper right", ncols=len(handles) or 1)
    return figure


def _of_training(key: str, value: Any) -> float:
    if key == "strength":
        return 100 * value[0] / sum(value)
    return float(value) if key == "loss" else 100 * float(value)
