"""Hash a record's fields a word at a time, in rules that identify states by the part of them that is in use."""

from __future__ import annotations

from typing import Any

import numpy as np
from numba import njit

from tactician.native.hashing import SEED_2
from tactician.native.memory import address, load_u64
from tactician.native.variants import interpreted_as


def _python_word(field: Any, index: int) -> int:
    return int.from_bytes(bytes(field._memory)[8 * index : 8 * index + 8], "little")


@interpreted_as(_python_word)
@njit(inline="always")
def word_of(field: Any, index: Any) -> Any:
    """Eight bytes of an array field of a record, the index-th such."""
    return load_u64(address(field), index)


@njit(inline="always")
def stirred(hashed: Any, word: Any) -> Any:
    """A hash with one more word in it; also right where rules are interpreted."""
    product = np.uint64((hashed ^ word) * SEED_2)
    return product ^ (product >> np.uint64(32))
