"""Pause Python's garbage collector while Numba compiles.

A compilation makes millions of objects and little garbage; looking through them again and again takes a fifth of its
time. Between two compilations the collector runs as usual.
"""

from __future__ import annotations

import gc
from typing import Any

from numba.core import event


class _Pause(event.Listener):  # type: ignore[misc]
    """Pauses the collector while somebody has, or waits for, Numba's compiler lock."""

    def __init__(self) -> None:
        self._compilations = 0
        self._was_on = False

    def on_start(self, event: Any) -> None:
        """Part of Numba's interface."""
        if self._compilations == 0:
            self._was_on = gc.isenabled()
            gc.disable()
        self._compilations += 1

    def on_end(self, event: Any) -> None:
        """Part of Numba's interface."""
        self._compilations -= 1
        if self._compilations == 0 and self._was_on:
            gc.enable()


def pause_while_compiling() -> None:
    """Pause the collector whenever Numba compiles, in this process."""
    event.register("numba:compiler_lock", _Pause())
