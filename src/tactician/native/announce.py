"""Announce compilation on stderr: it takes seconds, happens once, and must not look like a hang."""

from __future__ import annotations

import contextlib
import time
from collections.abc import Iterator

from tactician.native import messages
from tactician.native.caching import announcing

_line_open = False
"""Whether an announced compilation is running; what compiles inside it is not announced again."""


@contextlib.contextmanager
def compiling(what: str) -> Iterator[None]:
    """Write one line to stderr when the first function has to be compiled, and the time when all are."""
    global _line_open
    started, outcome = 0.0, "failed"

    def listener(_name: str) -> None:
        global _line_open
        nonlocal started
        if not started and not _line_open:
            _line_open = True
            started = time.perf_counter()
            messages.write(f"tactician: compiling {what} (once, then cached) ... ")

    try:
        with announcing(listener):
            yield
        outcome = "done"
    finally:
        if started:
            _line_open = False
            messages.write(f"{outcome} in {time.perf_counter() - started:.1f} s\n")
