"""Compile everything once: the rules of the built-in games, what entries of games add, the kernels of all planners.

Byte code is written as well, even where Python was told not to (`PYTHONDONTWRITEBYTECODE`): without it every start
parses NumPy and Numba again, which takes longer than a referee waits for a bot's answer.
"""

from __future__ import annotations

import contextlib
import importlib.util
import os
import py_compile
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

_VARIABLE = "PYTHONDONTWRITEBYTECODE"


def warm_everything(on_progress: Callable[..., Any] | None = None) -> float:
    """Compile what is not in the cache; returns the seconds it took."""
    began = time.perf_counter()
    with _imports_write_byte_code():
        from tactician.arena.ahead import all_parts, compile_ahead
        from tactician.games.registry import GAMES

        compile_ahead(all_parts(list(GAMES)), on_progress=on_progress)
    write_byte_code()
    return time.perf_counter() - began


def write_byte_code() -> int:
    """Write the byte code of this package and of all that is imported, where it is missing; returns of how many files.

    Files whose folder is not writable, or that are no source files, are passed over.
    """
    imported = {getattr(module, "__file__", None) for module in list(sys.modules.values())}
    package = {str(path) for path in Path(__file__).parent.rglob("*.py")}
    written = 0
    for name in sorted(package | {file for file in imported if file and file.endswith(".py")}):
        cached = Path(importlib.util.cache_from_source(name))
        if not cached.exists():
            with contextlib.suppress(OSError, SyntaxError):
                py_compile.compile(name, doraise=False, quiet=2)
            written += cached.exists()
    return written


@contextlib.contextmanager
def _imports_write_byte_code() -> Iterator[None]:
    """Imports of this process and of those that it starts write byte code."""
    told, variable = sys.dont_write_bytecode, os.environ.pop(_VARIABLE, None)
    sys.dont_write_bytecode = False
    try:
        yield
    finally:
        sys.dont_write_bytecode = told
        if variable is not None:
            os.environ[_VARIABLE] = variable
