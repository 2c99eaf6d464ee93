"""The file a search is kept in: JSON lines, what is searched first and then an evaluation a line.

A line is on the disk before the search goes on. A kill can tear at most the last one, which is dropped and evaluated
again. Only one process at a time writes to a file.
"""

from __future__ import annotations

import contextlib
import json
import os
from pathlib import Path
from types import TracebackType
from typing import IO, Any

from tactician.errors import StoreError, TacticianError, short
from tactician.tuning.space import Point, Space

FORMAT = "tactician-tuning"
VERSION = 1


class Journal:
    """The evaluations of a search; without a path they are not kept."""

    def __init__(self, path: str | Path | None, header: dict[str, Any], space: Space) -> None:
        self.path = path
        self.entries: list[tuple[Point, float]] = []
        """What an earlier run left: points and their values, in order."""
        self._header = json.loads(json.dumps({FORMAT: VERSION, **header}))
        self._space = space
        self._file: IO[bytes] | None = None
        self._written = 0

    def __enter__(self) -> Journal:
        if self.path is None:
            return self
        try:
            Path(self.path).parent.mkdir(parents=True, exist_ok=True)
            self._file = open(self.path, "a+b")
            try:
                self._lock()
                self._take_up(self._file)
            except BaseException:
                self._file.close()
                raise
        except OSError as error:
            raise StoreError(f"journal {str(self.path)!r} can't be opened: {error.strerror}.") from error
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self._file is not None:
            self._file.close()

    def add(self, point: Point, value: float) -> None:
        """Keep one more evaluation."""
        self._write({"evaluation": self._written, "point": point, "value": value})
        self._written += 1

    def _write(self, document: Any) -> None:
        if self._file is None:
            return
        try:
            self._file.write(_line(document))
            self._file.flush()
            os.fsync(self._file.fileno())
        except OSError as error:
            raise StoreError(f"journal {str(self.path)!r} can't be written: {error.strerror}.") from error

    def _take_up(self, file: IO[bytes]) -> None:
        """Read what is there and cut off a torn end."""
        file.seek(0)
        content = file.read()
        whole = content[: content.rfind(b"\n") + 1]
        if not whole:
            # Nothing, or a header that was being written; anything else is somebody's file.
            if not _line(self._header).startswith(content):
                raise self._refusal()
            file.truncate(0)
            self._write(self._header)
            return
        lines = whole.splitlines()
        self._compare(lines[0])
        self.entries = [self._entry(number, line) for number, line in enumerate(lines[1:])]
        self._written = len(self.entries)
        file.truncate(len(whole))

    def _compare(self, line: bytes) -> None:
        try:
            there = json.loads(line)
        except ValueError:
            raise self._refusal() from None
        if not isinstance(there, dict) or FORMAT not in there:
            raise self._refusal()
        for name in {**self._header, **there}:
            theirs, ours = there.get(name), self._header.get(name)
            if name == "space" and isinstance(theirs, dict) and list(theirs) != list(ours):
                theirs, ours, name = list(theirs), list(ours), "parameters"
            if theirs != ours:
                raise StoreError(
                    f"journal {str(self.path)!r} is of another search, {_difference(name, theirs, ours)}; "
                    "name another file to begin a new one."
                )

    def _entry(self, number: int, line: bytes) -> tuple[Point, float]:
        try:
            entry = json.loads(line)
            point, value = entry["point"], float(entry["value"])
            self._space.row(point)
            if entry["evaluation"] != number or not 0 <= value <= 1:
                raise ValueError
        except (ValueError, TypeError, KeyError, AttributeError, TacticianError):
            raise StoreError(
                f"journal {str(self.path)!r}, line {number + 2}, is no evaluation of its search."
            ) from None
        return point, value

    def _lock(self) -> None:
        assert self._file is not None
        with contextlib.suppress(ImportError):  # no such locks on Windows
            import fcntl

            try:
                fcntl.flock(self._file, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except BlockingIOError:
                raise StoreError(f"journal {str(self.path)!r} is in use by another process.") from None

    def _refusal(self) -> StoreError:
        return StoreError(f"file {str(self.path)!r} is no journal of a search; name another.")


def _line(document: Any) -> bytes:
    return json.dumps(document, separators=(",", ":")).encode() + b"\n"


def _difference(name: str, theirs: Any, ours: Any) -> str:
    """Where two headers differ, as deep as they are alike."""
    if isinstance(theirs, dict) and isinstance(ours, dict):
        key = next(key for key in {**theirs, **ours} if theirs.get(key) != ours.get(key))
        return _difference(key, theirs.get(key), ours.get(key))
    return f"with {name} {short(theirs)} where this one has {short(ours)}"
