"""Files of the compile cache: whole, one's own, and never loaded again once they have ended a process.

An entry is machine code, so it is only trusted if nobody else can have written it: the file and its folder belong to
the user and are not writable by others. A checksum in front of the content finds damage. While an entry is being
loaded, its name stands in a file of the process; if that process dies there, the next one removes the entry.
"""

from __future__ import annotations

import contextlib
import hashlib
import os
import stat
import tempfile
from collections.abc import Iterator
from pathlib import Path

from tactician.native import messages

FORMAT = "4"
"""Of the files; part of the folder's name, so that another format is another folder."""
MAGIC = b"tactician compiled code 4\n"
_DIGEST = hashlib.sha256().digest_size
_OTHERS_MAY_WRITE = stat.S_IWGRP | stat.S_IWOTH
_LOADING = "loading-"

_looked_at: set[Path] = set()
"""Folders whose traces of crashed processes have been looked at."""
_refused: set[Path] = set()
"""Folders that can't be trusted, once it has been said."""


class DamagedEntryError(Exception):
    """The content of an entry is not what was written."""


def read(path: Path) -> bytes:
    """The content of an entry; raises if it is absent, damaged or could be somebody else's."""
    _require_own_folder(path.parent)
    _remove_what_crashed(path.parent)
    with path.open("rb") as file:
        if not _is_own(os.fstat(file.fileno())):
            raise DamagedEntryError(f"{path.name} may have been written by somebody else")
        data = file.read()
    head = len(MAGIC) + _DIGEST
    content = data[head:]
    if data[: len(MAGIC)] != MAGIC or hashlib.sha256(content).digest() != data[len(MAGIC) : head]:
        raise DamagedEntryError(f"{path.name} is damaged")
    return content


def write(path: Path, content: bytes) -> None:
    """Put an entry into place in one step, once it is safely on the disk."""
    path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    _require_own_folder(path.parent)
    handle, name = tempfile.mkstemp(dir=path.parent, prefix=".writing-")
    try:
        with os.fdopen(handle, "wb") as file:
            file.write(MAGIC + hashlib.sha256(content).digest() + content)
            file.flush()
            os.fsync(file.fileno())
        os.replace(name, path)
    except BaseException:
        with contextlib.suppress(OSError):
            os.unlink(name)
        raise


@contextlib.contextmanager
def loading(path: Path) -> Iterator[None]:
    """Around the loading of an entry: if the process dies inside, the entry is not used again."""
    trace = path.parent / f"{_LOADING}{os.getpid()}"
    try:
        trace.write_text(path.name, encoding="utf-8")
    except OSError:  # a folder that can only be read
        yield
        return
    try:
        yield
    finally:
        with contextlib.suppress(OSError):
            trace.unlink()


def _remove_what_crashed(folder: Path) -> None:
    """Remove the entries that processes were loading when they died; looked at once in a process."""
    if folder in _looked_at:
        return
    _looked_at.add(folder)
    for trace in folder.glob(f"{_LOADING}*"):
        number = trace.name.removeprefix(_LOADING)
        if number.isdigit() and not _is_running(int(number)):
            with contextlib.suppress(OSError):
                name = trace.read_text(encoding="utf-8")
                trace.unlink()
                if name and Path(name).name == name:
                    (folder / name).unlink(missing_ok=True)


def _is_running(process: int) -> bool:
    try:
        os.kill(process, 0)
    except ProcessLookupError:
        return False
    except OSError:  # somebody else's
        return True
    return True


def _require_own_folder(folder: Path) -> None:
    """Refuse a folder that others can write to: they could put machine code there."""
    if _is_own(folder.stat()):
        return
    if folder not in _refused:
        _refused.add(folder)
        messages.write(f"tactician: the cache folder {folder} can be written by others and is not used.\n")
    raise DamagedEntryError("the folder can be written by others")


def _is_own(status: os.stat_result) -> bool:
    if os.name != "posix":
        return True
    return status.st_uid in (os.getuid(), 0) and not status.st_mode & _OTHERS_MAY_WRITE
