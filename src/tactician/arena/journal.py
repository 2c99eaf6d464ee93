"""A journal: the results of a long computation, one JSON document a line, appended as they are found.

Tunings keep their evaluations in one, experiments their searches. A line is on the disk before the computation
continues, so a kill can tear at most the last one, which is dropped and computed again. Every line ends with a checksum
of what stands before it, so that a damaged file is found and never read as other results. One process at a time writes
to a file.

Games are kept in the arena's store instead (`tactician.arena.store`). The two remain apart because they promise
different things: several processes add games to one store at the same time, and games are queried, exported and
deleted by tournament, which is a database's work; a tuning is an ordered sequence that is only valid as a whole, for
one search, and its journal can be read and copied without any tool.

Journals of version 1, which had no checksums, are read too; lines added to them have one.
"""

from __future__ import annotations

import contextlib
import errno
import json
import os
import re
import stat
import zlib
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from types import TracebackType
from typing import Any, BinaryIO, Generic, TypeVar

from tactician.errors import StoreError, TacticianError, short

FORMAT = "tactician-journal"
VERSION = 2
_CHECKSUM = re.compile(rb',"crc32":"([0-9a-f]{8})"\}$')

Entry = TypeVar("Entry")


@dataclass(frozen=True)
class JournalKind:
    """What a journal's entries are, and how its files of version 1 looked."""

    name: str
    """Written into the header: `tuning`, `search`."""
    entry: str
    """What messages call an entry."""
    old_mark: str
    """A key in the first line by which a file of version 1 is recognised."""
    old_header: bool
    """Whether that line was a header; otherwise it was the first entry, and torn lines could stand anywhere."""


class Journal(Generic[Entry]):
    """The entries of one computation; without a path nothing is kept.

    `identity` is what the entries depend on: a file whose header has another one is refused. `decode` gets an entry's
    number and its document and returns what `entries` holds; it raises if the document is not such an entry.
    """

    def __init__(
        self,
        path: str | Path | None,
        kind: JournalKind,
        identity: Mapping[str, Any],
        decode: Callable[[int, dict[str, Any]], Entry],
    ) -> None:
        self.path = path
        self.entries: list[Entry] = []
        """What an earlier run left, in order."""
        self._kind, self._decode = kind, decode
        self._identity: dict[str, Any] = json.loads(json.dumps(identity))
        self._file: BinaryIO | None = None
        self._size = 0

    def __enter__(self) -> Journal[Entry]:
        if self.path is None:
            return self
        try:
            Path(self.path).parent.mkdir(parents=True, exist_ok=True)
            # Without a buffer: what could not be written must not be tried again when the file is closed.
            self._file = open(self.path, "a+b", buffering=0)
            try:
                self._lock()
                self._load(self._file)
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

    def add(self, document: Mapping[str, Any]) -> None:
        """Keep one more entry; it is on the disk when this returns."""
        if self._file is None:
            return
        line = line_of(document)
        try:
            if self._file.write(line) != len(line):
                raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
            os.fsync(self._file.fileno())
        except OSError as error:
            with contextlib.suppress(OSError):
                self._file.truncate(self._size)
            raise StoreError(f"journal {str(self.path)!r} can't be written: {error.strerror}.") from error
        self._size += len(line)

    def _load(self, file: BinaryIO) -> None:
        """Read what is there and cut off a torn last line."""
        if not stat.S_ISREG(os.fstat(file.fileno()).st_mode):
            raise StoreError(f"journal {str(self.path)!r} is not an ordinary file; name another.")
        file.seek(0)
        content = file.read()
        self._size = content.rfind(b"\n") + 1
        header = {FORMAT: VERSION, "kind": self._kind.name, **self._identity}
        if not self._size:
            # Nothing, or a header that was being written; anything else is somebody's file.
            if not line_of(header).startswith(content) and not self._is_old_tear(content):
                raise self._refusal()
            file.truncate(0)
            self.add(header)
            return
        first, *rest = content[: self._size - 1].split(b"\n")
        old = self._check_header(first)
        if old and not self._kind.old_header:
            self._read([first, *rest], 1, old)
        else:
            self._read(rest, 2, old)
        file.truncate(self._size)

    def _is_old_tear(self, content: bytes) -> bool:
        """Whether this is the beginning of the first line of a file of version 1."""
        old = b'{"' + self._kind.old_mark.encode() + b'":'
        return content.startswith(old) or old.startswith(content)

    def _check_header(self, line: bytes) -> bool:
        """Refuse what is not a journal of this computation; whether it is of version 1."""
        try:
            found = json.loads(line)
        except ValueError:
            raise self._refusal() from None
        if isinstance(found, dict) and self._kind.old_mark in found:
            if self._kind.old_header:
                self._compare({name: value for name, value in found.items() if name != self._kind.old_mark})
            return True
        if not isinstance(found, dict) or FORMAT not in found:
            raise self._refusal()
        if found[FORMAT] != VERSION:
            raise StoreError(
                f"journal {str(self.path)!r} is of version {short(found[FORMAT])}; expected {VERSION} or older."
            )
        header = self._document(1, line, checked=True)
        if header.get("kind") != self._kind.name:
            raise self._refusal()
        self._compare({name: value for name, value in header.items() if name not in (FORMAT, "kind")})
        return False

    def _compare(self, theirs: dict[str, Any]) -> None:
        for name in {**self._identity, **theirs}:
            if _differ(theirs.get(name), self._identity.get(name)):
                raise StoreError(
                    f"journal {str(self.path)!r} is of another {self._kind.name}, "
                    f"{_difference(name, theirs.get(name), self._identity.get(name))}; "
                    "name another file to begin a new one."
                )

    def _read(self, lines: list[bytes], first: int, old: bool) -> None:
        for number, line in enumerate(lines, first):
            try:
                self.entries.append(self._entry(number, line, old))
            except StoreError:
                # Searches of version 1 went on behind a torn line; what it held is searched again.
                if not old or self._kind.old_header:
                    raise

    def _entry(self, number: int, line: bytes, old: bool) -> Entry:
        document = self._document(number, line, checked=not old)
        try:
            return self._decode(len(self.entries), document)
        except (ValueError, TypeError, KeyError, AttributeError, TacticianError):
            raise StoreError(f"journal {str(self.path)!r}, line {number}, is not {self._kind.entry}.") from None

    def _document(self, number: int, line: bytes, checked: bool) -> dict[str, Any]:
        """A line's document without its checksum; lines of version 1 need none."""
        found = _CHECKSUM.search(line)
        body = line if found is None else line[: found.start()] + b"}"
        if (found is None and checked) or (found is not None and _crc(body) != found[1]):
            raise StoreError(
                f"journal {str(self.path)!r} is damaged in line {number} (its checksum is wrong); restore a copy, or "
                "delete that line and all after it to compute them again."
            )
        try:
            document = json.loads(body)
        except ValueError:
            document = None
        if not isinstance(document, dict):
            raise StoreError(f"journal {str(self.path)!r}, line {number}, is not {self._kind.entry}.")
        return document

    def _lock(self) -> None:
        assert self._file is not None
        with contextlib.suppress(ImportError):  # Windows has no such locks
            import fcntl

            try:
                fcntl.flock(self._file, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except BlockingIOError:
                raise StoreError(f"journal {str(self.path)!r} is in use by another process.") from None

    def _refusal(self) -> StoreError:
        return StoreError(f"file {str(self.path)!r} is not a journal of a {self._kind.name}; name another.")


def line_of(document: Mapping[str, Any]) -> bytes:
    """A document as a line of a journal, its checksum last."""
    body = json.dumps(document, separators=(",", ":")).encode()
    return body[:-1] + b',"crc32":"' + _crc(body) + b'"}\n'


def _crc(body: bytes) -> bytes:
    return f"{zlib.crc32(body):08x}".encode()


def _differ(theirs: Any, ours: Any) -> bool:
    """Whether two parts of an identity differ; the order of keys counts, because a search can depend on it."""
    if isinstance(theirs, dict) and isinstance(ours, dict):
        return list(theirs) != list(ours) or any(_differ(theirs[key], ours[key]) for key in ours)
    return bool(theirs != ours)


def _difference(name: str, theirs: Any, ours: Any) -> str:
    """Where two identities differ, as deep as they are alike."""
    if isinstance(theirs, dict) and isinstance(ours, dict):
        for key in theirs:
            if key in ours and _differ(theirs[key], ours[key]):
                return _difference(key, theirs[key], ours[key])
        theirs, ours = list(theirs), list(ours)
    return f"with {name} {short(theirs)} where this one has {short(ours)}"
