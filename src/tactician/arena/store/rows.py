"""A game record as a row of the table of games, and back.

Everything a row says is under its checksum: a byte that changed on the disk is found when the game is read, also where
SQLite itself would not notice.
"""

from __future__ import annotations

import json
import re
import zlib
from collections.abc import Mapping
from typing import Any

from tactician.arena.records import GameRecord

_CHECKED = (
    "key",
    "game",
    "seats",
    "budget",
    "seed",
    "round",
    "returns",
    "error",
    "error_seat",
    "ms",
    "game_version",
    "package_version",
    "finished",
    "options",
)


def to_row(record: GameRecord, finished: str) -> dict[str, Any]:
    """The columns of a finished game."""
    pairing = record.pairing
    turns = [
        {
            "seat": turn.seat,
            "actions": turn.actions,
            "ms": turn.ms,
            "evaluations": turn.evaluations,
            "iterations": turn.iterations,
        }
        for turn in record.turns
    ]
    row = {
        "key": pairing.key,
        "game": to_text(pairing.game),
        "seats": to_json(pairing.seats),
        "budget": to_text(pairing.budget),
        "seed": str(int(pairing.seed)),
        "round": int(pairing.round),
        "returns": to_json(record.returns),
        "error": None if record.error is None else to_text(record.error),
        "error_seat": None if record.error_seat is None else int(record.error_seat),
        "ms": float(record.ms),
        "turns": zlib.compress(to_json(turns).encode()),
        "game_version": to_text(record.game_version),
        "package_version": to_text(record.package_version),
        "finished": finished,
        "options": to_json(record.options),
    }
    return row | {"checksum": checksum(row)}


def from_row(row: Mapping[str, Any]) -> GameRecord:
    """The game a row tells of; a `ValueError` if the row is not what was written."""
    if not isinstance(row["turns"], bytes):
        raise ValueError("its turns are of the wrong type")
    if checksum(row) != row["checksum"]:
        raise ValueError("its checksum is wrong")
    try:
        turns = json.loads(zlib.decompress(row["turns"]))
    except zlib.error as error:
        raise ValueError(f"its turns can't be unpacked ({error})") from None
    return GameRecord.from_json(
        {
            "pairing": {
                "game": from_text(row["game"]),
                "seats": json.loads(row["seats"]),
                "budget": from_text(row["budget"]),
                "seed": int(row["seed"]),
                "round": row["round"],
            },
            "returns": json.loads(row["returns"]),
            "turns": turns,
            "ms": row["ms"],
            "game_version": from_text(row["game_version"]),
            "error": None if row["error"] is None else from_text(row["error"]),
            "error_seat": row["error_seat"],
            "package_version": from_text(row["package_version"]),
            "options": json.loads(row["options"]),
        }
    )


def checksum(row: Mapping[str, Any]) -> int:
    """CRC-32 of what a row says, its place in the tables left out."""
    return zlib.crc32(row["turns"], zlib.crc32(json.dumps([row[name] for name in _CHECKED]).encode()))


def to_json(value: object) -> str:
    """JSON that can be stored and written anywhere, readable in every script."""
    text = json.dumps(value, ensure_ascii=False, separators=(",", ":"), default=_plain)
    # Half a surrogate pair (from an undecodable file name) is not UTF-8; Python's escape for it is also JSON's.
    return text.encode("utf-8", "backslashreplace").decode()


def _plain(value: object) -> object:
    """NumPy's numbers and arrays as Python's."""
    if hasattr(value, "tolist"):
        return value.tolist()
    raise TypeError(f"{value!r} is not JSON")


_MARK = "␛"
_UNSTORABLE = re.compile(f"[\0\ud800-\udfff{_MARK}]")


def to_text(text: str) -> str:
    """Text as a column holds it: PostgreSQL refuses NUL, and no database takes half a surrogate pair."""
    return _UNSTORABLE.sub(lambda found: f"{_MARK}{ord(found[0]):04x}", text)


def from_text(text: str) -> str:
    """What `to_text` was given."""
    return re.sub(f"{_MARK}([0-9a-f]{{4}})", lambda found: chr(int(found[1], 16)), text)
