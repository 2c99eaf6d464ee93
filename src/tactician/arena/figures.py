"""Figures for a paper: the cross table, the ratings, and win rates over a parameter.

Each function takes results and returns a Matplotlib `Figure` made for a column of text, in colours that survive colour
blindness and, by marker and brightness, a grey printer; `save` writes it as PNG and SVG. Matplotlib is imported when
the first figure is drawn, without a display and without touching the settings of anybody else's figures.
"""

from __future__ import annotations

import io
import math
import textwrap
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

from tactician.arena.ratings import Ratings
from tactician.arena.statistics import ScoreLike, holm, significance_mark
from tactician.errors import InvalidParameterError
from tactician.files import reason, require_writable, write_files

if TYPE_CHECKING:
    from matplotlib.figure import Figure

COLUMN = 3.5
"""The width of a column of text, in inches."""
CELL = 0.32
"""The side of a cross table's cell: seven of them and their names fit a column."""

COLOURS = ("#0072B2", "#D55E00", "#009E73", "#CC79A7", "#E69F00", "#56B4E9", "#000000")
"""Okabe and Ito's, which people of every colour vision can tell apart; the most distinct first."""
MARKERS = "osD^vPX"
GREY = "#666666"

STYLE: Any = {
    "font.family": "sans-serif",
    "font.sans-serif": ["DejaVu Sans"],  # comes with Matplotlib: the same figure on every machine
    "font.size": 8,
    "axes.labelsize": 8,
    "axes.linewidth": 0.6,
    "axes.spines.top": False,
    "axes.spines.right": False,
    "xtick.labelsize": 7,
    "ytick.labelsize": 7,
    "xtick.major.width": 0.6,
    "ytick.major.width": 0.6,
    "xtick.major.size": 3,
    "ytick.major.size": 3,
    "legend.fontsize": 7,
    "legend.frameon": False,
    "lines.linewidth": 1.2,
    "lines.markersize": 4,
    "text.parse_math": False,  # a name may hold any sign
    "figure.dpi": 150,
    "svg.fonttype": "none",  # text stays text: it can be searched and edited
    "svg.hashsalt": "tactician",  # otherwise ids are random and the same figure differs
}


def cross_table_figure(
    names: Sequence[str],
    scores: Mapping[tuple[int, int], ScoreLike],
    corrected: bool = False,
    mirrored: bool = True,
) -> Figure:
    """Every agent's win percentage against every other; `scores` holds the row's score against the column's.

    Each match stands in `scores` once.

    Cells show marks of significance against 50 %, the percentage and the 95 % interval. With `corrected` the marks
    account for the number of matches in the table (Holm's adjustment), so that a table of equals rarely has any.
    Without `mirrored`, as for one agent against copies of another, a cell says nothing about the one across the
    diagonal, and there are no marks: 50 % is not the expected share.
    """
    count = len(names)
    if count < 2:
        raise InvalidParameterError(f"{count} names given; a cross table needs at least 2.")
    played = {match: score for match, score in scores.items() if score.games}
    p_values = [score.p_value() for score in played.values()]
    marks = [significance_mark(p) if mirrored else "" for p in (holm(p_values) if corrected else p_values)]
    cells: dict[tuple[int, int], tuple[float, float, float, str]] = {}
    for ((row, column), score), mark in zip(played.items(), marks, strict=True):
        if not (0 <= row < count and 0 <= column < count) or row == column or (row, column) in cells:
            raise InvalidParameterError(f"match {(row, column)}: expected two different agents below {count}, once.")
        low, high = score.interval()
        cells[row, column] = score.rate, low, high, mark
        if mirrored:
            cells[column, row] = 1 - score.rate, 1 - high, 1 - low, mark

    import matplotlib

    adjusted = ", adjusted (Holm)" if corrected else ""
    note = f"Row's win % against column, 95 % interval.\n* p < 0.05, ** p < 0.01, *** p < 0.001{adjusted}."
    if not mirrored:
        note = "Row's win % against copies of column,\nfrom every seat, 95 % interval."
    with matplotlib.rc_context(STYLE):
        figure, axes = new_figure(COLUMN, COLUMN, layout=None)
        colours = matplotlib.colormaps["RdBu"]
        for row in range(count):
            axes.text(-0.15, row + 0.5, str(row + 1), ha="right", va="center_baseline", fontsize=7)
            for column in range(count):
                if (row, column) in cells:
                    # The ends of the map are too dark to tell apart.
                    _draw_cell(axes, row, column, colours(0.12 + 0.76 * cells[row, column][0]), *cells[row, column])
                else:
                    axes.text(column + 0.5, row + 0.5, "–", ha="center", va="center", color=GREY)
        for line in range(count + 1):
            axes.axhline(line, color="white", linewidth=1)
            axes.axvline(line, color="white", linewidth=1)
        axes.set(xlim=(0, count), ylim=(count, 0))
        axes.set_xticks([i + 0.5 for i in range(count)], [str(i) for i in range(1, count + 1)])
        axes.set_yticks([i + 0.5 for i in range(count)], [_wrapped(name) for name in names])
        axes.tick_params(axis="x", length=0, pad=1)
        axes.tick_params(axis="y", length=0, pad=13)
        axes.xaxis.tick_top()
        axes.spines[:].set_visible(False)
        explained = axes.text(count, count + 0.2, note, fontsize=6, color=GREY, ha="right", va="top")
        # Cells keep their size, and the figure is as large as cells, names and note need.
        widest = max(label.get_window_extent().width for label in axes.get_yticklabels()) / figure.dpi
        table, rim, foot, head = CELL * count, 0.02, 0.33, 0.17
        left = max(widest + 0.2, explained.get_window_extent().width / figure.dpi - table) + rim
        width, height = left + table + rim, foot + table + head
        figure.set_size_inches(width, height)
        axes.set_position((left / width, foot / height, table / width, table / height))
    return figure


def _draw_cell(axes: Any, row: int, column: int, face: Any, rate: float, low: float, high: float, mark: str) -> None:
    red, green, blue, _ = face
    dark = 0.299 * red + 0.587 * green + 0.114 * blue < 0.5
    style = {"ha": "center", "va": "center", "color": "white" if dark else "black"}
    middle = column + 0.5
    axes.fill_between([column, column + 1], row, row + 1, color=face, linewidth=0)
    axes.text(middle, row + 0.20, mark, fontsize=6, **style)
    axes.text(middle, row + 0.47, percent(rate), fontsize=7.5, **style)
    axes.text(middle, row + 0.78, f"{percent(low)}–{percent(high)}", fontsize=5, **style)


def ratings_figure(ratings: Ratings, label: str = "rating (Elo scale, 95 % interval)") -> Figure:
    """Every agent's rating with its interval, best on top."""
    import matplotlib

    order = ratings.ranking()
    with matplotlib.rc_context(STYLE):
        labels = [_wrapped(ratings.names[agent]) for agent in order]
        lines = max(label.count("\n") + 1 for label in labels)
        figure, axes = new_figure(COLUMN, max(0.2, 0.13 * lines + 0.04) * len(order) + 0.55)
        for place, agent in enumerate(order):
            low, high = ratings.interval(agent)
            axes.plot([low, high], [place, place], color=COLOURS[0], linewidth=1.2, solid_capstyle="butt")
            axes.plot(ratings.elo[agent], place, "o", color=COLOURS[0])
            number = f"{ratings.elo[agent]:+.0f}".replace("-", "−")
            beside = axes.get_yaxis_transform()
            axes.text(1.17, place, number, transform=beside, ha="right", va="center_baseline", fontsize=7)
        axes.axvline(0, color=GREY, linewidth=0.6, linestyle=(0, (2, 2)), zorder=0)
        axes.set_yticks(range(len(order)), labels)
        axes.set_ylim(len(order) - 0.5, -0.5)
        axes.tick_params(axis="y", length=0)
        axes.spines["left"].set_visible(False)
        axes.set_xlabel(label)
    return figure


def curve_figure(
    values: Sequence[float],
    curves: Mapping[str, Sequence[ScoreLike | None]],
    parameter: str,
    label: str = "win %",
    reported: Mapping[str, Sequence[float | None]] | None = None,
) -> Figure:
    """Win percentages over a parameter, a curve an opponent, with 95 % intervals as error bars.

    A missing point is None, or a score without games. `reported` rates, under the same names, are hollow and dotted.
    """
    if not values or not curves:
        raise InvalidParameterError("nothing to draw; expected at least one value and one curve.")
    if len(curves) > len(COLOURS):
        raise InvalidParameterError(f"{len(curves)} curves given; more than {len(COLOURS)} can't be told apart.")
    for name, points in [*curves.items(), *(reported or {}).items()]:
        if len(points) != len(values):
            raise InvalidParameterError(
                f"curve {name!r} has {len(points)} points; expected {len(values)}, one a value."
            )
        if name not in curves:
            raise InvalidParameterError(f"reported curve {name!r} is not among the curves drawn: {', '.join(curves)}.")

    import matplotlib

    span = (max(values) - min(values)) or 1
    with matplotlib.rc_context(STYLE):
        figure, axes = new_figure(COLUMN, 2.4)
        drawn: list[Any] = []
        hollow = {"marker": "o", "markerfacecolor": "white", "linestyle": ":", "linewidth": 0.8}
        axes.axhline(50, color=GREY, linewidth=0.6, linestyle=(0, (2, 2)), zorder=0)
        for number, (name, scores) in enumerate(curves.items()):
            # Curves stand a little apart, so that error bars at the same value don't hide each other.
            shift = 0.009 * span * (number - (len(curves) - 1) / 2)
            colour, marker = COLOURS[number], MARKERS[number]
            shown = [(x + shift, s.rate, *s.interval()) for x, s in zip(values, scores, strict=True) if s and s.games]
            bars = axes.errorbar(
                [x for x, *_ in shown],
                [100 * rate for _, rate, _, _ in shown],
                yerr=[
                    [100 * (rate - low) for _, rate, low, _ in shown],
                    [100 * (high - rate) for _, rate, _, high in shown],
                ],
                color=colour,
                marker=marker,
                elinewidth=0.8,
                capsize=1.5,
                label=name,
            )
            drawn.append(bars)
            theirs = [
                (x + shift, 100 * rate)
                for x, rate in zip(values, (reported or {}).get(name, ()), strict=False)
                if rate is not None
            ]
            if theirs:
                axes.plot(*zip(*theirs, strict=True), color=colour, zorder=1.5, **hollow | {"marker": marker})
        axes.set(xlabel=parameter, ylabel=label, ylim=(-4, 104), yticks=range(0, 101, 25))
        axes.set_xticks(values, [f"{value:g}" for value in values])
        if reported:
            drawn += axes.plot([], [], color=GREY, label="as reported", **hollow)
        columns = 2 if len(drawn) == 4 else 3
        figure.legend(handles=drawn, loc="outside upper center", ncols=columns, handlelength=1.6, columnspacing=1.2)
    return figure


def save(figure: Figure, path: str | Path) -> tuple[Path, Path]:
    """Write a figure as `path`.png and `path`.svg, each whole or not at all, and say where.

    Both are drawn and written beside the old files before either replaces its own in one step: a figure that can't be
    drawn or a full disk leaves what was there. A path that ends in .png or .svg already stands for both.
    """
    import matplotlib

    png, svg = files_of(path)
    contents: dict[Path, bytes] = {}
    try:
        with matplotlib.rc_context(STYLE):
            for target, options in ((png, {"dpi": 300}), (svg, {"metadata": {"Date": None}})):
                buffer = io.BytesIO()
                figure.savefig(buffer, format=target.suffix[1:], **options)
                contents[target] = buffer.getvalue()
        png.parent.mkdir(parents=True, exist_ok=True)
        write_files(contents)
    except OSError as error:
        raise InvalidParameterError(f"figure {str(png)!r} can't be written: {reason(error)}.") from error
    return png, svg


def files_of(path: str | Path) -> tuple[Path, Path]:
    """The two files that a figure is saved as."""
    path = Path(path)
    if not path.name:
        raise InvalidParameterError(f"figure is {str(path)!r}; expected the name of a file.")
    stem = path.with_suffix("") if path.suffix.lower() in (".png", ".svg") else path
    return stem.with_name(f"{stem.name}.png"), stem.with_name(f"{stem.name}.svg")


def require_writable_figure(path: str | Path) -> None:
    """Refuse a figure that can't be saved, as far as that is known before it is drawn."""
    for file in files_of(path):
        require_writable("figure", file, makes_folders=True)


def percent(rate: float) -> str:
    """A rate as a whole percentage; 0 and 100 only if it is exactly that, and what adds up to 1 adds up to 100."""
    if 0 < rate < 0.005 + 1e-9:
        return "<1"
    if 0.995 - 1e-9 < rate < 1:
        return ">99"
    lead = 100 * rate - 50
    return f"{50 + math.copysign(math.floor(abs(lead) + 0.5 + 1e-9), lead):.0f}"


def new_figure(
    width: float, height: float, layout: Literal["constrained"] | None = "constrained"
) -> tuple[Figure, Any]:
    """An empty figure that is not registered with pyplot, which would keep it alive, with one pair of axes."""
    from matplotlib.backends.backend_agg import FigureCanvasAgg
    from matplotlib.figure import Figure

    figure = Figure(figsize=(width, height), layout=layout)
    FigureCanvasAgg(figure)
    return figure, figure.add_subplot()


def _wrapped(name: str, width: int = 20) -> str:
    """A long name, such as that of a planner with parameters, on several lines."""
    lines = textwrap.wrap(name.replace(",", ", "), width, break_on_hyphens=False, break_long_words=False)
    return "\n".join(lines) or name
