"""Read and write files: what is read is bounded, what is written is whole or not there.

Whether a file can be written is known before hours are spent on its content.
"""

from __future__ import annotations

import contextlib
import errno
import json
import math
import os
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from tactician.errors import InvalidParameterError, InvalidStateError

MAX_DOCUMENT = 1 << 26
"""The most bytes of a file that is read whole; /dev/zero has no end."""


def read_text(what: str, path: Path, most: int = MAX_DOCUMENT) -> str:
    """The text of a file of at most `most` bytes; `what` is what messages call it."""
    try:
        with path.open("rb") as file:
            content = file.read(most + 1)
        if len(content) <= most:
            return content.decode("utf-8")
    except OSError as error:
        raise InvalidParameterError(f"{what} {shown(path)} can't be read: {reason(error)}.") from error
    except ValueError as error:  # a null byte in the path, or not UTF-8
        raise InvalidParameterError(f"{what} {shown(path)} can't be read: {error}.") from error
    raise InvalidParameterError(f"{what} {shown(path)} is too large; expected at most {most:,} bytes.")


def read_json(path: Path, what: str = "file") -> Any:
    """The JSON document of a file."""
    return parse_json(read_text(what, path), f"{what} {shown(path)}")


def parse_json(text: str, what: str) -> Any:
    """A JSON document; `what` is where it came from."""
    try:
        return json.loads(text)
    except RecursionError:
        raise InvalidStateError(f"{what} is nested too deeply; expected a document of a few levels.") from None
    except ValueError as error:  # also an integer of too many digits
        raise InvalidStateError(f"{what} is not JSON: {error}.") from error


def shown(path: str | Path) -> str:
    """A path as a message shows it: quoted, and cut in the middle where it is long."""
    text = str(path)
    return repr(text if len(text) <= _SHOWN else f"{text[: _SHOWN // 2]}...{text[-_SHOWN // 2 :]}")


_SHOWN = 200
"""Characters of a path in a message."""


def is_file(path: Path) -> bool:
    """Whether a path is that of a file; False for what can't be a path at all, as one with a null byte."""
    with contextlib.suppress(OSError, ValueError):
        return path.is_file()
    return False


def is_folder(path: Path) -> bool:
    """Whether a path is that of a folder; False for what can't be a path at all."""
    with contextlib.suppress(OSError, ValueError):
        return path.is_dir()
    return False


def write_files(contents: Mapping[Path, bytes]) -> None:
    """Write files, all of them beside their places before the first is put there in one step.

    Links are followed. A pipe or a device is written as it is: only an ordinary file may be replaced.
    """
    targets = {_real(path): content for path, content in contents.items()}
    parts: dict[Path, Path] = {}
    try:
        for target, content in targets.items():
            if _is_replaceable(target):
                parts[target] = target.with_name(f".{target.name}.{os.getpid()}.part")
                parts[target].write_bytes(content)
        for target, part in parts.items():
            part.replace(target)
        for target, content in targets.items():
            if target not in parts:
                target.write_bytes(content)
    finally:
        for part in parts.values():
            with contextlib.suppress(OSError):
                part.unlink(missing_ok=True)


def json_text(document: Any, indent: int | None = None) -> str:
    """A document as JSON that every reader takes: NaN and infinities, which JSON does not have, become null."""
    return json.dumps(_without_nan(document), indent=indent, allow_nan=False)


def _without_nan(value: Any) -> Any:
    if isinstance(value, float):
        return value if math.isfinite(value) else None
    if isinstance(value, Mapping):
        return {key: _without_nan(one) for key, one in value.items()}
    if isinstance(value, (list, tuple)):
        return [_without_nan(one) for one in value]
    return value


def require_writable(what: str, path: Path, makes_folders: bool = False) -> None:
    """Refuse a path that can't be written, as far as that can be told before it is."""
    try:
        why = _obstacle(_real(path), makes_folders)
    except OSError as error:
        why = reason(error)
    if why:
        raise InvalidParameterError(f"{what} {shown(path)} can't be written: {why}.")


def require_ending(what: str, path: Path, *endings: str) -> str:
    """The ending of a file's name in small letters; refuses one that promises another kind of file, but not none."""
    ending = path.suffix.lower()
    if ending and ending not in endings:
        raise InvalidParameterError(f"{what} is {shown(path)}; expected a name that ends in {' or '.join(endings)}.")
    return ending


def require_other_file(what: str, path: Path, *kept: str | Path | None) -> None:
    """Refuse to write over a file that the same command reads or keeps games in."""
    for other in kept:
        if other is not None and "://" not in str(other) and _is_same(path, Path(other)):
            raise InvalidParameterError(f"{what} is {shown(path)}, where the games are kept; expected another file.")


def _is_same(one: Path, other: Path) -> bool:
    try:
        return _real(one) == _real(other)
    except OSError:
        return False


def require_writable_folder(what: str, path: Path) -> None:
    """Refuse a folder that can't be made or written into, as far as that can be told before."""
    if is_folder(path):
        require_writable(what, path / "file")
    elif is_file(path):
        raise InvalidParameterError(f"{what} {shown(path)} can't be written: it is not a folder.")
    else:
        require_writable(what, path, makes_folders=True)


def reason(error: OSError) -> str:
    """Why something could not be written, without the names of files that are ours alone."""
    return (error.strerror or str(error)).rstrip(".")


def _real(path: Path) -> Path:
    """Where a path leads, links followed."""
    try:
        return Path(os.path.realpath(path))
    except ValueError as error:
        raise OSError(errno.EINVAL, str(error)) from error


def _is_replaceable(target: Path) -> bool:
    return target.is_file() or not target.exists()


def _obstacle(target: Path, makes_folders: bool) -> str | None:
    if target.is_dir():
        return "it is a folder"
    folder = target.parent
    if not _is_replaceable(target):
        folder = target
    else:
        while makes_folders and not folder.exists():
            folder = folder.parent
        if not folder.exists():
            return f"there is no folder {str(folder)!r}"
        if not folder.is_dir():
            return f"{str(folder)!r} is not a folder"
    return None if os.access(folder, os.W_OK) else f"there is no permission to write {str(folder)!r}"
