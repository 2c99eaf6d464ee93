"""Helpers and constants that rules of the tests reach from another module, by name and as attributes."""

from __future__ import annotations

import enum
from typing import Any

import numpy as np

from tactician import contract

SCALE = np.int8(100)
MASK = np.uint64(0xFFFF_0000_0000_00FF)
TABLE = np.array([3, 1, 4, 1, 5], np.int8)


class Kind(enum.IntEnum):
    PAWN = 1
    KING = 9


@contract.helper
def scaled(value: Any) -> Any:
    return inner(value) * SCALE


@contract.helper
def inner(value: Any) -> Any:
    return value + Kind.KING


@contract.inline_helper
def looked_up(index: Any) -> Any:
    return TABLE[index]
