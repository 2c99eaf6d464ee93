"""How a tuning is kept in a journal: what is searched in the header, then an evaluation a line."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from tactician.arena.journal import Journal, JournalKind
from tactician.tuning.space import Point, Space

TUNING = JournalKind("tuning", "an evaluation of its search", old_mark="tactician-tuning", old_header=True)

Evaluation = tuple[Point, float]
"""A point and its value."""


def open_journal(path: str | Path | None, identity: dict[str, Any], space: Space) -> Journal[Evaluation]:
    """The journal of a search; its entries are points and their values, in the order in which points were chosen."""

    def decode(number: int, document: dict[str, Any]) -> Evaluation:
        point, value = document["point"], float(document["value"])
        space.row(point)
        if document["evaluation"] != number or not 0 <= value <= 1:
            raise ValueError
        return point, value

    return Journal(path, TUNING, identity, decode)


def entry_of(number: int, point: Point, value: float) -> dict[str, Any]:
    """An evaluation as an entry."""
    return {"evaluation": number, "point": point, "value": value}
