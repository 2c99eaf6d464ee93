"""Games out of a store, for other programs: CSV to reckon with, JSON lines with everything.

A file appears under its name only when it is complete.
"""

from __future__ import annotations

import csv
import os
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any, TextIO

from tactician.arena.records import GameRecord
from tactician.arena.store.rows import to_json
from tactician.errors import StoreError


def write_csv(games: Iterable[tuple[str, GameRecord]], seats: int, where: str | Path | TextIO) -> int:
    """One line a game, the n-th seat's agent and reward in columns of their own; returns how many games."""
    count = 0
    with _opened(where) as out:
        lines = csv.writer(out, lineterminator="\n")
        lines.writerow(
            ["key", "game", "budget", "seed", "round"]
            + [f"seat_{seat}" for seat in range(seats)]
            + [f"return_{seat}" for seat in range(seats)]
            + ["error", "error_seat", "turns", "ms", "game_version", "package_version", "finished", "options"]
        )
        for finished, record in games:
            pairing = record.pairing
            empty = [""] * (seats - len(pairing.seats))
            lines.writerow(
                (
                    *(pairing.key, pairing.game, pairing.budget, pairing.seed, pairing.round),
                    *(*pairing.seats, *empty),
                    *(*record.returns, *empty),
                    *(record.error, record.error_seat, len(record.turns), record.ms),
                    *(record.game_version, record.package_version, finished, to_json(record.options)),
                )
            )
            count += 1
    return count


def write_jsonl(games: Iterable[GameRecord], where: str | Path | TextIO, parameters: Mapping[str, Any]) -> int:
    """One document a game, as `GameRecord.to_json` makes it, with the parameters of each seat; returns how many."""
    count = 0
    with _opened(where) as out:
        for record in games:
            seats = [parameters.get(seat, {}) for seat in record.pairing.seats]
            out.write(to_json(record.to_json() | {"parameters": seats}) + "\n")
            count += 1
    return count


@contextmanager
def _opened(where: str | Path | TextIO) -> Iterator[TextIO]:
    if not isinstance(where, str | Path):
        yield where
        return
    target = Path(where).resolve()
    # A pipe or a device is written as it is; only an ordinary file can be put in place at the end.
    whole = not target.exists() or target.is_file()
    written = target.with_name(f".{target.name}.{os.getpid()}.part") if whole else target
    try:
        with open(written, "w", encoding="utf-8", errors="backslashreplace", newline="") as out:
            yield out
        if whole:
            os.replace(written, target)
    except OSError as error:
        raise StoreError(f"the export {str(where)!r} can't be written ({error.strerror or error}).") from error
    finally:
        if whole:
            written.unlink(missing_ok=True)
