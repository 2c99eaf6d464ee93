"""Rows of one table compared with each other: what changing one thing does to wins and losses.

Both shares and their intervals stand in the results, so nothing is played for it. Rows are treated as independent,
which makes the intervals somewhat too wide: both play the same starts.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from tactician.arena.seats import KINDS
from tactician.arena.statistics import MARGIN, Interval, difference_of
from tactician.experiments.report import MoreTable
from tactician.experiments.tally import UNDECIDED

MORE, FEWER, AS_MANY = "more", "fewer", "as many"
EFFECTS = (MORE, FEWER, AS_MANY, UNDECIDED)
_COMPARED = tuple(kind for kind in KINDS if kind != "draws")
_HEAD = ("row", "compared with", *(column for kind in _COMPARED for column in (f"{kind} (95 %)", f"result: {kind}")))


@dataclass(frozen=True)
class Contrast:
    """One row of a table minus another."""

    cell: str
    baseline: str
    changes: Mapping[str, float]
    """By how much each share differs, by its kind."""
    intervals: Mapping[str, Interval]
    """Where the true differences lie."""

    def effect(self, kind: str) -> str:
        """One of `EFFECTS`; *as many*: the whole interval contains 0 and lies within ±12 points."""
        low, high = self.intervals[kind]
        if low > 0 or high < 0:
            return MORE if low > 0 else FEWER
        return AS_MANY if low >= -MARGIN and high <= MARGIN else UNDECIDED


def contrasts(outcomes: Sequence[dict[str, Any]], baselines: Mapping[str, Sequence[str]]) -> list[Contrast]:
    """The rows that have been measured, each minus those it is to be compared with."""
    rows = {row["cell"]: row for row in outcomes}
    pairs = [(row, rows[name]) for row in outcomes for name in baselines.get(row["cell"], ()) if name in rows]
    return [
        Contrast(
            one["cell"],
            other["cell"],
            {kind: one[kind]["share"] - other[kind]["share"] for kind in _COMPARED},
            {kind: difference_of(*_measured(one[kind]), *_measured(other[kind])) for kind in _COMPARED},
        )
        for one, other in pairs
    ]


def contrasts_table(found: Sequence[Contrast]) -> tuple[MoreTable, ...]:
    """The comparisons as a table of a report; none if nothing is compared."""
    if not found:
        return ()
    rows = tuple((one.cell, one.baseline, *(part for kind in _COMPARED for part in _told(one, kind))) for one in found)
    return (MoreTable("Rows compared with each other, differences in points:", _HEAD, rows),)


def contrasts_sentence(found: Sequence[Contrast]) -> str:
    """How many comparisons came out how; empty if nothing is compared."""
    if not found:
        return ""
    parts = []
    for kind in _COMPARED:
        words = [one.effect(kind) for one in found]
        parts.append(f"{kind}: {', '.join(f'{word} in {words.count(word)}' for word in EFFECTS)}")
    return f"of {len(found)} comparisons of rows {'; '.join(parts)}"


def _measured(share: dict[str, Any]) -> tuple[float, Interval]:
    low, high = share["interval"]
    return share["share"], (low, high)


def _told(one: Contrast, kind: str) -> tuple[str, str]:
    points = [100 * value for value in (one.changes[kind], *one.intervals[kind])]
    return "{:+.1f} ({:+.1f} to {:+.1f})".format(*points).replace("-", "−"), one.effect(kind)
