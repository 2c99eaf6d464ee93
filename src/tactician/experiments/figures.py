"""Figures of the experiments that the arena has no figure for."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from contextlib import AbstractContextManager
from typing import TYPE_CHECKING

import numpy as np

from tactician.arena.figures import COLOURS, COLUMN, MARKERS, STYLE, new_figure

if TYPE_CHECKING:
    from matplotlib.figure import Figure


def deck_figure(rates: Mapping[str, Mapping[str, float]], title: str) -> Figure:
    """Win rate with each deck: a row of points for each planner, its mean as a line."""
    with _style():
        figure, axes = new_figure(2 * COLUMN, 2.2)
        for number, (name, by_deck) in enumerate(rates.items()):
            colour, marker = COLOURS[number % len(COLOURS)], MARKERS[number % len(MARKERS)]
            values = [100 * rate for rate in by_deck.values()]
            axes.plot(range(len(values)), values, marker, color=colour, label=name)
            axes.axhline(float(np.mean(values)), color=colour, linewidth=0.8)
        decks = list(next(iter(rates.values()))) if rates else []
        axes.set_xticks(range(len(decks)), decks, rotation=90)
        axes.set_xlabel("deck (draft.strategy)")
        axes.set_ylabel(f"wins (%) {title}")
        axes.legend(loc="lower left", bbox_to_anchor=(0, 1), ncols=3)
    return figure


def histogram_figure(counts: Sequence[int], xlabel: str) -> Figure:
    """How often each number occurred."""
    with _style():
        figure, axes = new_figure(COLUMN, 2.0)
        total = max(1, sum(counts))
        axes.bar(range(len(counts)), [100 * count / total for count in counts], color=COLOURS[0], width=0.9)
        axes.set_xlabel(xlabel)
        axes.set_ylabel("turns (%)")
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


def revisits_over_game_figure(ratios: Mapping[str, Mapping[int, Sequence[float]]]) -> Figure:
    """The same over the steps of a game, a panel for each depth; where no game got that far there is no line."""
    with _style():
        depths = list(next(iter(ratios.values())))
        figure, first = new_figure(2 * COLUMN, 2.2)
        first.remove()
        panels = figure.subplots(1, len(depths), sharey=True)
        for axes, depth in zip(panels, depths, strict=True):
            for number, (name, by_depth) in enumerate(ratios.items()):
                label = name if depth == depths[0] else None
                axes.plot(by_depth[depth], color=COLOURS[number % len(COLOURS)], label=label, linewidth=0.9)
            axes.set_title(f"depth {depth}", fontsize=8)
            axes.set_xlabel("step of the game")
            axes.set_ylim(0, 1.02)
        panels[0].set_ylabel("share of states known")
        figure.legend(loc="outside upper center", ncols=4)
    return figure


def _style() -> AbstractContextManager[None]:
    import matplotlib

    return matplotlib.rc_context(STYLE)
