"""Functions that other processes can import: some of them kill the process."""

from __future__ import annotations

import os
from pathlib import Path


def double(number: int) -> int:
    return 2 * number


def fail(number: int) -> int:
    raise ValueError(f"no {number}")


def die(number: int) -> int:
    os._exit(3)


def die_once(sign: str, number: int) -> int:
    """End the first process that calls it."""
    try:
        Path(sign).touch(exist_ok=False)
    except FileExistsError:
        return 2 * number
    os._exit(3)
