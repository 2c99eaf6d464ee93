"""Evaluators that other processes can import."""

from __future__ import annotations

import os
import signal
import time
from pathlib import Path
from typing import Any

import numpy as np

from tactician.tuning import Space

SPACE = Space({"a": range(4), "b": [0.5, -1.0, 2.0], "c": ["swap", "insert"], "d": range(5)})


def noisy(point: dict[str, Any], seed: int) -> float:
    """Best at a=3, b=2.0, c=insert, d=4."""
    worth = (point["a"] / 3 + (point["b"] + 1) / 3 + (point["c"] == "insert") + point["d"] / 4) / 4
    return float(np.random.default_rng(seed).binomial(12, 0.1 + 0.8 * worth)) / 12


def uneven(point: dict[str, Any], seed: int) -> float:
    """The same, ready in another order than asked for."""
    time.sleep(0.03 * (seed % 3))
    return noisy(point, seed)


def slow(point: dict[str, Any], seed: int) -> float:
    """The same, slow enough to be killed in the middle."""
    time.sleep(0.01)
    return noisy(point, seed)


class Deadly:
    """The same, in workers of which the first dies."""

    def __init__(self, sign: Path) -> None:
        self.sign = sign

    def __call__(self, point: dict[str, Any], seed: int) -> float:
        try:
            self.sign.touch(exist_ok=False)
        except FileExistsError:
            return noisy(point, seed)
        os.kill(os.getpid(), signal.SIGKILL)
        raise AssertionError


def always_deadly(point: dict[str, Any], seed: int) -> float:
    """Ends every worker."""
    os.kill(os.getpid(), signal.SIGKILL)
    raise AssertionError
