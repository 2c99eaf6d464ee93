"""Figures of experiments made of matches: win percentages over a parameter, or cell by cell beside the paper's."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from tactician.experiments.figures import Comparison, CurvePoint, comparison_figure, curves_figure
from tactician.experiments.matches import Outcome

if TYPE_CHECKING:
    from matplotlib.figure import Figure


def curves(name: str, axis: str, outcomes: Sequence[Outcome]) -> dict[str, Figure]:
    """A figure for each reading and group of cells that has a parameter: win % over it, a panel an opponent."""
    figures = {}
    groups = sorted({(o.preset, o.cell.group, o.budget) for o in outcomes if o.cell.parameter is not None})
    for preset, group, budget in groups:
        chosen = [o for o in outcomes if (o.preset, o.cell.group, o.budget) == (preset, group, budget)]
        found: dict[str, list[CurvePoint]] = {}
        for o in chosen:
            assert o.cell.parameter is not None
            at_least = o.cell.claim if isinstance(o.cell.claim, float) else None
            point = CurvePoint(o.cell.parameter, o.score, o.bounds, o.cell.paper, at_least)
            found.setdefault(o.cell.opponent, []).append(point)
        figure = figure_name(name, group.replace(" ", ""), preset, unusual_budget(chosen[0]))
        figures[figure] = curves_figure(found, axis, f"{chosen[0].cell.planner} wins (%)")
    return figures


def comparisons(name: str, outcomes: Sequence[Outcome]) -> dict[str, Figure]:
    """One figure of all cells, ours beside the paper's; readings and budgets are named where there are several."""
    if not outcomes:
        return {}
    readings, budgets = {o.preset for o in outcomes}, {unusual_budget(o) for o in outcomes}

    def label(outcome: Outcome) -> str:
        told = [outcome.preset] if len(readings) > 1 else []
        told += [outcome.budget] if len(budgets) > 1 else []
        return outcome.cell.name + (f" ({', '.join(told)})" if told else "")

    rows = [Comparison(label(o), o.score, o.bounds, o.cell.paper, o.difference, claim_of(o)) for o in outcomes]
    return {name: comparison_figure({"wins": rows})}


def claim_of(outcome: Outcome) -> float | None:
    """The rate that the paper claims at least."""
    return outcome.cell.claim if isinstance(outcome.cell.claim, float) else None


def figure_name(*parts: str) -> str:
    """A figure's name from the parts that are not empty."""
    return "-".join(filter(None, parts))


def unusual_budget(outcome: Outcome) -> str:
    """The budget as part of a figure's name, where it is not the paper's."""
    return "" if outcome.budget == outcome.cell.budget else outcome.budget.replace(":", "-")
