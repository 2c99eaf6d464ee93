"""The cross-table of a tournament as plain text, which is what `print(tournament)` shows."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from tactician.arena.seats import KINDS

if TYPE_CHECKING:
    from tactician.arena.statistics import ScoreLike
    from tactician.arena.tournament import Tournament


def cross_table_text(result: Tournament) -> str:
    """Every agent's win percentage against every other, best first; with more than two sides a line a pair."""
    rows = _pairs(result) if result.rotates else _everybody(result)
    games = sum((result.seats_score if result.rotates else result.score)(*pair).games for pair in result.plan.pairs)
    return "\n".join([*_aligned(rows), f"{games} games"])


def _everybody(result: Tournament) -> list[list[str]]:
    order = sorted(range(len(result.names)), key=lambda i: (-result.standing(i).rate, i))
    numbers = [str(number) for number in range(1, len(order) + 1)]
    rows = [["", "planner", "all (95 %)", *numbers]]
    scores: dict[tuple[int, int], ScoreLike] = {}
    for one, other in result.plan.pairs:
        score = result.score(one, other)
        scores[one, other], scores[other, one] = score, score.reversed()
    for number, row in zip(numbers, order, strict=True):
        cells = [_percent(scores[row, column]) if (row, column) in scores else "·" for column in order]
        rows.append([number, result.names[row], _with_interval(result.standing(row)), *cells])
    return rows


def _pairs(result: Tournament) -> list[list[str]]:
    rows = [["planner", "against", "games", *(f"{kind} (95 %)" for kind in KINDS)]]
    for one, other in result.plan.pairs:
        score = result.seats_score(one, other)
        shares = [_with_interval(score.share(kind)) for kind in KINDS]
        rows.append([result.names[one], f"{result.plan.seats - 1} × {result.names[other]}", str(score.games), *shares])
    return rows


def _percent(score: ScoreLike) -> str:
    return f"{100 * score.rate:.0f}" if score.games else ""


def _with_interval(score: ScoreLike) -> str:
    if not score.games:
        return ""
    low, high = score.interval()
    return f"{100 * score.rate:.0f} ({100 * low:.0f}–{100 * high:.0f})"


def _aligned(rows: Sequence[Sequence[str]]) -> list[str]:
    """Columns of equal width: names to the left, numbers to the right."""
    widths = [max(len(row[column]) for row in rows) for column in range(len(rows[0]))]
    names = {rows[0].index(title) for title in ("planner", "against") if title in rows[0]}
    return [
        "  ".join(
            cell.ljust(width) if column in names else cell.rjust(width)
            for column, (cell, width) in enumerate(zip(row, widths, strict=True))
        ).rstrip()
        for row in rows
    ]
