"""Tables of 64-bit keys that are emptied in no time: which outcomes were seen, which states are in the tree.

Open addressing in arrays. Every entry carries the number of the search that wrote it; a new search just counts on, and all
older entries are as good as gone. A full table stops taking new keys, and says so.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numba import njit

MISSING = -1
FULL = -2


class KeyTable(NamedTuple):
    """The arrays of one table; its size is a power of two."""

    keys: Any
    values: Any
    stamps: Any
    state: Any
    """The stamp of this search, and how many entries it has."""


def make_table(entries: int) -> KeyTable:
    """A table with room for at least so many keys at a comfortable load."""
    size = 1 << max(4, int(entries * 4 // 3).bit_length())
    return KeyTable(np.zeros(size, np.uint64), np.zeros(size, np.int32), np.zeros(size, np.int32), np.zeros(2, np.int64))


@njit
def empty(table: Any) -> None:
    """Forget everything."""
    table.state[0] += 1
    table.state[1] = 0
    if table.state[0] == 2**31 - 1:
        table.stamps[:] = 0
        table.state[0] = 1


@njit
def find(table: Any, key: Any) -> Any:
    """The value of a key, or MISSING."""
    mask = np.uint64(table.keys.shape[0] - 1)
    place = key & mask
    while table.stamps[place] == table.state[0]:
        if table.keys[place] == key:
            return np.int64(table.values[place])
        place = (place + np.uint64(1)) & mask
    return np.int64(MISSING)


@njit
def insert(table: Any, key: Any, value: Any) -> Any:
    """The value a key has already, or MISSING if it was not there and now is, or FULL if there is no room for it."""
    mask = np.uint64(table.keys.shape[0] - 1)
    place = key & mask
    while table.stamps[place] == table.state[0]:
        if table.keys[place] == key:
            return np.int64(table.values[place])
        place = (place + np.uint64(1)) & mask
    if 4 * table.state[1] >= 3 * table.keys.shape[0]:
        return np.int64(FULL)
    table.keys[place] = key
    table.values[place] = value
    table.stamps[place] = table.state[0]
    table.state[1] += 1
    return np.int64(MISSING)
