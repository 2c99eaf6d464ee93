"""A game record as a row of the table of games, and back.

Everything a row says is under its checksum: a byte that changed on the disk is found when the game is read, also where
SQLite itself would not notice.
"""

from __future__ import annotations

import json
import math
import re
import zlib
from collections.abc import Mapping
from typing import Any

from tactician.arena.records import EVERYBODY, GameRecord
from tactician.errors import short

MAX_TURNS_BYTES = 1 << 28
"""Bytes of a game's turns, unpacked."""
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
    try:
        if checksum(row) != row["checksum"]:
            raise ValueError("its checksum is wrong")
        document = {
            "pairing": {
                "game": from_text(row["game"]),
                "seats": json.loads(row["seats"]),
                "budget": from_text(row["budget"]),
                "seed": int(row["seed"]),
                "round": row["round"],
            },
            "returns": json.loads(row["returns"]),
            "turns": json.loads(_unpacked(row["turns"])),
            "ms": row["ms"],
            "game_version": from_text(row["game_version"]),
            "error": None if row["error"] is None else from_text(row["error"]),
            "error_seat": row["error_seat"],
            "package_version": from_text(row["package_version"]),
            "options": json.loads(row["options"]),
        }
        require_record(document)
        record = GameRecord.from_json(document)
    except (TypeError, KeyError, AttributeError, RecursionError, OverflowError) as error:
        raise ValueError(f"it has another form: {type(error).__name__}") from None
    if record.pairing.key != row["key"]:
        raise ValueError("it is not the game that its key names")
    return record


def require_record(document: Mapping[str, Any]) -> None:
    """Raise `ValueError` unless a document has the form of a record; a checksum does not say who wrote it."""
    pairing, seats = document["pairing"], document["pairing"]["seats"]
    _require("seats", seats, _is_list(seats, str) and len(seats) > 0)
    returns = document["returns"]
    _require("returns", returns, _is_list(returns, int, float) and len(returns) == len(seats))
    _require("returns", returns, all(map(math.isfinite, returns)))
    for name in ("game", "budget"):
        _require(name, pairing[name], isinstance(pairing[name], str))
    _require("seed", pairing["seed"], _is_whole(pairing["seed"]))
    _require("round", pairing["round"], _is_whole(pairing["round"]) and pairing["round"] >= 0)
    for name in ("game_version", "package_version"):
        _require(name, document[name], isinstance(document[name], str))
    ms, error, loser = document["ms"], document["error"], document["error_seat"]
    _require("ms", ms, isinstance(ms, (int, float)) and math.isfinite(ms))
    _require("error", error, error is None or isinstance(error, str))
    _require("error_seat", loser, loser is None or (_is_whole(loser) and 0 <= loser < len(seats)))
    _require("options", document["options"], isinstance(document["options"], dict))
    _require("turns", document["turns"], _is_list(document["turns"], dict))
    for turn in document["turns"]:
        _require_turn(turn, len(seats))


def _require_turn(turn: dict[str, Any], seats: int) -> None:
    _require("a turn", turn, turn.keys() == {"seat", "actions", "ms", "evaluations", "iterations"})
    seat, ms = turn["seat"], turn["ms"]
    _require("the seat of a turn", seat, _is_whole(seat) and EVERYBODY <= seat < seats)
    _require("the time of a turn", ms, isinstance(ms, (int, float)) and math.isfinite(ms))
    _require("a turn", turn, isinstance(turn["actions"], list))
    _require("a turn", turn, _is_whole(turn["evaluations"]) and _is_whole(turn["iterations"]))


def _require(name: str, value: object, is_right: bool) -> None:
    if not is_right:
        raise ValueError(f"{name} is {short(value)}")


def _is_whole(value: object) -> bool:
    return isinstance(value, int) and not isinstance(value, bool)


def _is_list(value: object, *kinds: type) -> bool:
    return isinstance(value, list) and all(isinstance(one, kinds) and not isinstance(one, bool) for one in value)


def _unpacked(packed: bytes) -> bytes:
    """The bytes that were compressed, if they are not more than any game has."""
    try:
        unpacking = zlib.decompressobj()
        data = unpacking.decompress(packed, MAX_TURNS_BYTES)
    except zlib.error as error:
        raise ValueError(f"its turns can't be unpacked ({error})") from None
    if not unpacking.eof:
        raise ValueError("its turns can't be unpacked (they are cut off, or too long)")
    return data


def checksum(row: Mapping[str, Any]) -> int:
    """CRC-32 of what a row says, its place in the tables left out."""
    if not isinstance(row["turns"], bytes):
        raise ValueError("its turns are of the wrong type")
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
