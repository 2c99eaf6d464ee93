"""Say when something compiles: it takes seconds, happens once, and must not look like a hang."""

from __future__ import annotations

import contextlib
import os
import sys
import time
from collections.abc import Iterator

from tactician.contract.caching import announcing


@contextlib.contextmanager
def compiling(what: str) -> Iterator[None]:
    """Write one line to stderr when the first function has to be compiled, and the time when all are."""
    started = 0.0

    def listener(_name: str) -> None:
        nonlocal started
        if not started:
            started = time.perf_counter()
            _write(f"tactician: compiling {what} (once, then cached) ... ")

    with announcing(listener):
        yield
    if started:
        _write(f"done in {time.perf_counter() - started:.1f} s\n")


def _write(text: str) -> None:
    if os.environ.get("TACTICIAN_QUIET", "") in ("", "0"):
        sys.stderr.write(text)
        sys.stderr.flush()
