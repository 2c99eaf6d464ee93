"""Writing what a command leaves behind: whole or not at all, and known to be possible before hours are spent on it."""

from __future__ import annotations

import contextlib
import json
import math
import os
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from tactician.errors import InvalidParameterError


def write_files(contents: Mapping[Path, bytes]) -> None:
    """Write files, all of them beside their places before the first is put there in one step.

    Links are followed. A pipe or a device is written as it is: only an ordinary file may be replaced.
    """
    targets = {Path(os.path.realpath(path)): content for path, content in contents.items()}
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
        why = _obstacle(Path(os.path.realpath(path)), makes_folders)
    except OSError as error:
        why = reason(error)
    if why:
        raise InvalidParameterError(f"{what} {str(path)!r} can't be written: {why}.")


def require_writable_folder(what: str, path: Path) -> None:
    """Refuse a folder that can't be made or written into, as far as that can be told before."""
    if path.is_dir():
        require_writable(what, path / "file")
    elif path.exists():
        raise InvalidParameterError(f"{what} {str(path)!r} can't be written: it is no folder.")
    else:
        require_writable(what, path, makes_folders=True)


def reason(error: OSError) -> str:
    """Why something could not be written, without the names of files that are ours alone."""
    return (error.strerror or str(error)).rstrip(".")


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
            return f"{str(folder)!r} is no folder"
    return None if os.access(folder, os.W_OK) else f"there is no permission to write {str(folder)!r}"
