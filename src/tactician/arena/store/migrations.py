"""From one version of the tables to the next. What a step does never changes, so it uses nothing that may."""

from __future__ import annotations

import json
import zlib
from typing import Any

from sqlalchemy import Connection, text

_BATCH = 500
_CHECKED_1 = (
    *("key", "game", "seats", "budget", "seed", "round", "returns", "error", "error_seat", "ms", "game_version"),
    *("package_version", "finished"),
)
_CHECKED_2 = (*_CHECKED_1, "options")


def add_options(connection: Connection) -> None:
    """Version 2: what the seats decided before the start, under the checksum like everything else."""
    connection.execute(text("ALTER TABLE games ADD COLUMN options TEXT NOT NULL DEFAULT '{}'"))
    last = 0
    while True:
        batch = connection.execute(
            text(f"SELECT * FROM games WHERE id > :last ORDER BY id LIMIT {_BATCH}"), {"last": last}
        )
        rows: list[dict[str, Any]] = [dict(row) for row in batch.mappings()]
        # A game that was damaged before keeps its wrong checksum: it must not pass for a good one.
        sound = [row for row in rows if _checksum(row, _CHECKED_1) == row["checksum"]]
        if sound:
            connection.execute(
                text("UPDATE games SET checksum = :checksum WHERE id = :id"),
                [{"id": row["id"], "checksum": _checksum(row, _CHECKED_2)} for row in sound],
            )
        if len(rows) < _BATCH:
            return
        last = rows[-1]["id"]


def _checksum(row: dict[str, Any], checked: tuple[str, ...]) -> int | None:
    if not isinstance(row["turns"], bytes):
        return None
    return zlib.crc32(row["turns"], zlib.crc32(json.dumps([row[name] for name in checked]).encode()))
