"""Compile everything once: the rules of the built-in games, what entries of games add, the kernels of all planners."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Any


def warm_everything(on_progress: Callable[..., Any] | None = None) -> float:
    """Compile what is not in the cache; returns the seconds it took."""
    from tactician.arena.ahead import all_parts, compile_ahead
    from tactician.games.registry import GAMES

    began = time.perf_counter()
    compile_ahead(all_parts(list(GAMES)), on_progress=on_progress)
    return time.perf_counter() - began
