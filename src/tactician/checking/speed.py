"""How fast a game is: figures, how a rate is measured, and what a game adds to its benchmark.

`tactician bench` measures every game's rules in the same way. A game with more to measure (positions of its own, whole
games with a draft, the figures of another engine) says so with a `GameBenchmark`, named in its entry.
"""

from __future__ import annotations

import statistics
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any, Protocol

from tactician.contract.game import Game
from tactician.contract.state import State
from tactician.seats.seat import Seat

ROUNDS = 7
SECONDS_A_ROUND = 0.12


@dataclass(frozen=True)
class Figure:
    """One measured number."""

    game: str
    name: str
    value: float
    unit: str
    position: str | None = None


class Bench(Protocol):
    """What a game measures itself with: planners by name, and a place to report progress."""

    def on_progress(self, what: str) -> None:
        """Say what is being measured."""

    def seat(self, planner: str, game: Game, seed: int) -> Seat:
        """A planner, written as on the command line, on a game."""


@dataclass(frozen=True, kw_only=True)
class GameBenchmark:
    """What is measured of a game besides its rules at a start."""

    positions: Callable[[Game], dict[str, State]] | None = None
    """The positions the rules are measured at, by name; the first is where playouts start. None: one start."""
    figures: Callable[[Bench], list[Figure]] | None = None
    """Further figures."""
    reference: Mapping[tuple[str, str | None], float] = field(default_factory=dict)
    """Another engine's values by the name and the position of a figure, to compare with."""


def rate(work: Callable[[int], Any]) -> float:
    """How many times a second of CPU time `work(n)` does its thing: the median of several rounds."""
    work(1)
    n, spent = 1, 0.0
    while spent < SECONDS_A_ROUND / 4:
        n *= 2
        spent = cpu_time(work, n)
    n = max(1, round(n * SECONDS_A_ROUND / spent))
    return statistics.median(n / cpu_time(work, n) for _ in range(ROUNDS))


def cpu_time(work: Callable[[int], Any], n: int) -> float:
    """Seconds of CPU time that `work(n)` takes."""
    before = time.thread_time()
    work(n)
    return max(time.thread_time() - before, 1e-9)
