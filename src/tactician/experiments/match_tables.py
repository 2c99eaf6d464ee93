"""Tables of experiments made of matches: a row a cell, and differences from the paper pooled over cells."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, NamedTuple

from tactician.experiments.report import MoreTable, difference_text
from tactician.experiments.tally import relative_budget

if TYPE_CHECKING:
    from tactician.experiments.matches import Cell, Outcome

_POOLED_HEAD = ("cells of", "reading", "budget", "cells", "mean difference (95 %)")


def outcome_row(outcome: Outcome, has_paper: bool, has_claims: bool) -> tuple[str, ...]:
    """The row of a cell in one reading at one budget."""
    spread: tuple[str, ...] = ()
    if "sd" in outcome.details:
        paper = outcome.cell.paper_spread
        spread = f"{100 * outcome.details['sd']:.1f}", "" if paper is None else f"{100 * paper:.1f}"
    if "draws" in outcome.details:
        spread += (str(outcome.details["draws"]), f"{100 * outcome.details['half_draws']:.1f}")
    played = (
        outcome.budget,
        str(outcome.games),
        f"{100 * outcome.score:.1f}",
        "{:.1f}–{:.1f}".format(*(100 * bound for bound in outcome.bounds)),
    )
    if not has_paper:
        return (outcome.cell.name, *played, outcome.result, *spread)
    return (
        outcome.cell.name,
        outcome.preset,
        *played,
        _paper(outcome.cell),
        _difference(outcome),
        *((outcome.claim_verdict,) if has_claims else (outcome.size, outcome.winner)),
        *spread,
    )


def differences_sentence(outcomes: Sequence[Outcome]) -> str:
    """The differences from a paper's figure one by one, for an experiment whose cells don't count as its figures."""
    told = [f"{outcome.cell.name} {_difference(outcome)}" for outcome in outcomes if outcome.difference is not None]
    return f"ours minus the paper's: {', '.join(told)}"


class _Difference(NamedTuple):
    """Ours minus the paper's, from one agent's side, and half of its interval."""

    pool: str
    points: float
    half: float


def pooled_table(outcomes: Sequence[Outcome], all_pairs: bool) -> tuple[MoreTable, ...]:
    """The mean difference from the paper's figures over the cells of a match or pool, in each reading and budget.

    Cells of one group are independent: readings are kept apart, and games that stand beside two figures count once.
    """
    groups: dict[tuple[str, str, str], list[_Difference]] = {}
    for outcome in _each_once(outcomes):
        reading = ", ".join(filter(None, (outcome.preset, outcome.cell.reading)))
        budget = relative_budget(outcome.budget, outcome.cell.budget)
        for found in _differences(outcome, all_pairs):
            groups.setdefault((reading, budget, found.pool), []).append(found)
    rows = []
    for (reading, budget, pool), found_in in groups.items():
        if len(found_in) > 1:
            mean = sum(one.points for one in found_in) / len(found_in)
            spread = math.hypot(*(one.half for one in found_in)) / len(found_in)
            pooled = f"{100 * mean:+.1f} ± {100 * spread:.1f}".replace("-", "−")
            rows.append((pool, reading, budget, str(len(found_in)), pooled))
    if not rows:
        return ()
    return (MoreTable("The difference from the paper's figures, pooled over cells:", _POOLED_HEAD, tuple(rows)),)


def _each_once(outcomes: Sequence[Outcome]) -> Iterator[Outcome]:
    """The rows that are compared with a figure of the paper; of those with the same games the first."""
    seen = set()
    for outcome in outcomes:
        played = outcome.preset, outcome.budget, outcome.cell.match
        if outcome.counted and outcome.difference is not None and played not in seen:
            seen.add(played)
            yield outcome


def _differences(outcome: Outcome, all_pairs: bool) -> Iterator[_Difference]:
    cell = outcome.cell
    assert outcome.difference is not None
    low, high = outcome.difference
    points, half = outcome.score - (cell.paper or 0.0), (high - low) / 2
    if all_pairs:
        yield _Difference(f"all against {cell.opponent}", points, half)
        yield _Difference(f"all against {cell.planner}", -points, half)
    else:
        yield _Difference(cell.pool or f"{cell.planner} v {cell.opponent}", points, half)


def _paper(cell: Cell) -> str:
    """The paper's figure, or what it claims without one."""
    if isinstance(cell.claim, float):
        return f"≥ {100 * cell.claim:g}"
    return cell.claim or ("" if cell.paper is None else f"{100 * cell.paper:.1f}")


def _difference(outcome: Outcome) -> str:
    """Ours minus the paper's in points; a star where its interval leaves out 0."""
    if outcome.difference is None or outcome.cell.paper is None:
        return ""
    return difference_text(outcome.score - outcome.cell.paper, outcome.difference)
