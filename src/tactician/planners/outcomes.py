"""Tables of 64-bit keys that are emptied at once: the outcomes a search has seen, the states in its tree.

Open addressing; a slot holds a key and its value side by side, so a look-up costs one cache miss. Beside the value
stands the stamp of the search that entered it: a new search takes the next stamp, and all older entries are empty
slots. A table starts small, so that small searches stay in the cache, and doubles when half of it is taken until it
has its full size; then it takes no new keys and says so.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from tactician.native.caching import inlined, kernel
from tactician.native.memory import address, borrowed, int64, prefetch
from tactician.native.rows import Row, Rows, clear_rows, make_rows

MISSING = -1
FULL = -2
_SMALLEST = 1 << 12
_STAMPS = 2**32 - 1
_VALUE_BITS = np.uint64(32)
_VALUE = np.uint64(2**32 - 1)
_ONE = np.uint64(1)
_SLOT_BYTES = 16
KEY_BYTES = 2 * _SLOT_BYTES * 4 // 3
"""A key's share of a table that is three quarters full, and of the smaller ones it has grown out of."""


class Slot(Row):
    """One place of a key table."""

    key: np.uint64
    """The key."""
    stamped: np.uint64
    """The key's value in the low 32 bits, and above it the stamp of the search that entered it."""


class Occupancy(Row):
    """How much of a key table is taken."""

    stamp: int
    """The number of this search; a slot with another stamp is empty."""
    entries: int
    """Keys entered in this search."""
    may_grow: bool
    """Whether a bigger table may take the place of this one."""


class KeySlots(NamedTuple):
    """A key table at one size, as kernels see it."""

    slots: Rows[Slot]
    """[size] the slots; the size is a power of two."""
    occupancy: Rows[Occupancy]
    """[1] how many of them are taken."""


class KeyTable:
    """A key table that grows between slices of a search."""

    def __init__(self, entries: int) -> None:
        self._largest = 1 << max(12, (entries * 4 // 3).bit_length())
        self._sizes: dict[int, KeySlots] = {}
        self.keys = self._of_size(_SMALLEST)
        # Tables grow in the middle of a search; nothing must have to be compiled then.
        _move(_make_keys(1, False), _make_keys(1, False))

    def empty(self) -> None:
        """Forget all keys and return to the smallest size."""
        self.keys = self._of_size(_SMALLEST)

    def grow_if_crowded(self) -> bool:
        """Double the table if half of it is taken; whether it did. Cheap to ask."""
        size, occupancy = len(self.keys.slots), self.keys.occupancy[0]
        if 2 * occupancy.entries < size or not occupancy.may_grow:
            return False
        bigger = self._of_size(2 * size)
        _move(self.keys, bigger)
        self.keys = bigger
        return True

    @property
    def bytes(self) -> int:
        """The memory of all sizes together."""
        return sum(keys.slots.nbytes for keys in self._sizes.values())

    def _of_size(self, size: int) -> KeySlots:
        """An empty table; its memory is kept for the next search that needs this size."""
        if size not in self._sizes:
            self._sizes[size] = _make_keys(size, size < self._largest)
        keys = self._sizes[size]
        occupancy = keys.occupancy[0]
        stamp = occupancy.stamp + 1
        if stamp > _STAMPS:
            clear_rows(keys.slots)
            stamp = 1
        occupancy.stamp = stamp
        occupancy.entries = 0
        return keys


def _make_keys(size: int, may_grow: bool) -> KeySlots:
    keys = KeySlots(make_rows(Slot, size), make_rows(Occupancy))
    keys.occupancy[0].may_grow = may_grow
    return keys


@inlined
def find(keys: KeySlots, key: np.uint64) -> int:
    """The value of a key, or MISSING."""
    stamp = keys.occupancy[0].stamp
    mask = np.uint64(len(keys.slots) - 1)
    place = key & mask
    while int64(keys.slots[place].stamped >> _VALUE_BITS) == stamp:
        if keys.slots[place].key == key:
            return int64(keys.slots[place].stamped & _VALUE)
        place = (place + _ONE) & mask
    return int64(MISSING)


@inlined
def insert(keys: KeySlots, key: np.uint64, value: int) -> int:
    """The value a key has already, or MISSING if it was not there and now is, or FULL if there is no room for it."""
    occupancy = keys.occupancy[0]
    stamp = occupancy.stamp
    mask = np.uint64(len(keys.slots) - 1)
    place = key & mask
    while int64(keys.slots[place].stamped >> _VALUE_BITS) == stamp:
        if keys.slots[place].key == key:
            return int64(keys.slots[place].stamped & _VALUE)
        place = (place + _ONE) & mask
    if 4 * occupancy.entries >= 3 * len(keys.slots):
        return int64(FULL)
    slot = keys.slots[place]
    slot.key = key
    slot.stamped = np.uint64(stamp) << _VALUE_BITS | np.uint64(value)
    occupancy.entries += 1
    return int64(MISSING)


@inlined
def forget(keys: KeySlots) -> None:
    """Forget all keys; the table keeps its size."""
    occupancy = keys.occupancy[0]
    occupancy.stamp += 1
    occupancy.entries = 0


@inlined
def is_crowded(keys: KeySlots) -> bool:
    """Whether the table should grow first. A kernel that stops there does the same in slices of any length."""
    occupancy = keys.occupancy[0]
    return occupancy.may_grow and 2 * occupancy.entries >= len(keys.slots)


@inlined
def expect(keys: KeySlots, key: np.uint64) -> None:
    """Load a key's slot into the cache, for a look-up that will follow."""
    place = key & np.uint64(len(keys.slots) - 1)
    prefetch(address(keys.slots) + int64(place) * _SLOT_BYTES)


@kernel
def _move(old: KeySlots, new: KeySlots) -> None:
    """Enter all keys of this search into a bigger table."""
    old, new = borrowed(old), borrowed(new)
    stamp = old.occupancy[0].stamp
    for i in range(len(old.slots)):
        slot = old.slots[i]
        if int64(slot.stamped >> _VALUE_BITS) == stamp:
            insert(new, slot.key, int64(slot.stamped & _VALUE))
