"""Python files of a user's, as the arena finds them."""

from __future__ import annotations

import sys
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path

import pytest


@contextmanager
def user_files(folder: Path, files: Mapping[str, str], monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Write the files; in the end nothing of them is left in the interpreter."""
    monkeypatch.setattr(sys, "path", [*sys.path])
    before = set(sys.modules)
    for name, text in files.items():
        (folder / name).write_text(text, encoding="utf-8")
    try:
        yield
    finally:
        stems = tuple(Path(name).stem for name in files)
        for name in set(sys.modules) - before:
            if name.startswith(("tactician_user_", *stems)):
                del sys.modules[name]
