"""Announce compilation on stderr: it takes seconds, happens once, and must not look like a hang.

On a terminal the line is rewritten while it lasts and shows what is being compiled; elsewhere it has a beginning and
an end.
"""

from __future__ import annotations

import contextlib
import sys
import time
from collections.abc import Iterator

from tactician.native import messages
from tactician.native.caching import announcing

_BAR = 20
_line_open = False
"""Whether an announced compilation is running; what compiles inside it is not announced again."""


class CompileLine:
    """The line about one compilation, opened with its first sign of work."""

    def __init__(self, what: str, steps: int = 0) -> None:
        self._what = what
        self._steps = steps
        self._done = 0
        self._started = 0.0
        self._on_terminal = sys.stderr.isatty()

    @property
    def is_open(self) -> bool:
        """Whether anything was announced."""
        return self._started > 0

    def show(self, now: str, done: int | None = None) -> None:
        """Say what is being compiled, and how many steps of all are done."""
        global _line_open
        self._done = self._done if done is None else done
        if not self.is_open:
            if _line_open:
                return
            _line_open = True
            self._started = time.perf_counter()
            if not self._on_terminal:
                messages.write(f"tactician: compiling {self._what} (once, then cached) ... ")
        if self._on_terminal:
            bar = ""
            if self._steps:
                full = _BAR * self._done // self._steps
                bar = f"[{'#' * full}{'.' * (_BAR - full)}] {self._done}/{self._steps} "
            messages.write(f"\r\x1b[Ktactician: compiling (once, then cached) {bar}{now}")

    def close(self, outcome: str) -> None:
        """Say how it ended and how long it took."""
        global _line_open
        if not self.is_open:
            return
        _line_open = False
        spent = f"{time.perf_counter() - self._started:.1f} s"
        if self._on_terminal:
            messages.write(f"\r\x1b[Ktactician: compiling {self._what} (once, then cached) ... {outcome} in {spent}\n")
        else:
            messages.write(f"{outcome} in {spent}\n")


@contextlib.contextmanager
def compiling(what: str) -> Iterator[None]:
    """Write one line to stderr when the first function has to be compiled, and the time when all are."""
    line, outcome = CompileLine(what), "failed"
    try:
        with announcing(lambda name: line.show(f"{what}: {name.rpartition('.')[2]}")):
            yield
        outcome = "done"
    finally:
        line.close(outcome)
