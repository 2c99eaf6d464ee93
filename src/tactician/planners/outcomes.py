"""Tables of 64-bit keys that are emptied in no time: which outcomes were seen, which states are in the tree.

Open addressing; a slot is two words side by side, the key and the value, so a look-up costs one cache miss. Beside the
value stands the number of the search that wrote it: a new search counts on, and all older entries are as good as gone.
A table starts small, so that small searches stay in the cache, and doubles when it gets crowded until it has its full
size; then it takes no new keys, and says so.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from tactician.native.caching import inlined, kernel
from tactician.native.memory import address, prefetch

MISSING = -1
FULL = -2
_SMALLEST = 1 << 12
_STAMPS = 2**32 - 1
_VALUE_BITS = np.uint64(32)
_VALUE = np.uint64(2**32 - 1)


class Slots(NamedTuple):
    """The memory of a table at one size, a power of two."""

    words: Any
    state: Any
    """The stamp of this search, how many entries it has, and whether there is a bigger size."""


class KeyTable:
    """A table that grows between slices of a search."""

    def __init__(self, entries: int) -> None:
        self._largest = 1 << max(12, (entries * 4 // 3).bit_length())
        self._sizes: dict[int, Slots] = {}
        self.slots = self._of_size(_SMALLEST)
        # Tables grow in the middle of a search; nothing must have to be compiled then.
        _move(*(Slots(np.zeros((1, 2), np.uint64), np.ones(3, np.int64)) for _ in range(2)))

    def empty(self) -> None:
        """Forget everything and start small again."""
        self.slots = self._of_size(_SMALLEST)

    def grow_if_crowded(self) -> bool:
        """Double the table if half of it is taken, and say so; cheap to ask."""
        if not is_crowded.py_func(self.slots):  # type: ignore[attr-defined]
            return False
        bigger = self._of_size(2 * self.slots.words.shape[0])
        _move(self.slots, bigger)
        self.slots = bigger
        return True

    @property
    def bytes(self) -> int:
        """The memory of all sizes together."""
        return sum(slots.words.nbytes for slots in self._sizes.values())

    def _of_size(self, size: int) -> Slots:
        if size not in self._sizes:
            words: NDArray[np.uint64] = np.zeros((size, 2), np.uint64)
            self._sizes[size] = Slots(words, np.array([0, 0, size < self._largest], np.int64))
        slots = self._sizes[size]
        slots.state[0] += 1
        slots.state[1] = 0
        if slots.state[0] > _STAMPS:
            slots.words[:] = 0
            slots.state[0] = 1
        return slots


@inlined
def find(slots: Any, key: Any) -> Any:
    """The value of a key, or MISSING."""
    stamp = slots.state[0]
    mask = np.uint64(slots.words.shape[0] - 1)
    place = key & mask
    while np.int64(slots.words[place, 1] >> _VALUE_BITS) == stamp:
        if slots.words[place, 0] == key:
            return np.int64(slots.words[place, 1] & _VALUE)
        place = (place + np.uint64(1)) & mask
    return np.int64(MISSING)


@inlined
def insert(slots: Any, key: Any, value: Any) -> Any:
    """The value a key has already, or MISSING if it was not there and now is, or FULL if there is no room for it."""
    stamp = slots.state[0]
    mask = np.uint64(slots.words.shape[0] - 1)
    place = key & mask
    while np.int64(slots.words[place, 1] >> _VALUE_BITS) == stamp:
        if slots.words[place, 0] == key:
            return np.int64(slots.words[place, 1] & _VALUE)
        place = (place + np.uint64(1)) & mask
    if 4 * slots.state[1] >= 3 * slots.words.shape[0]:
        return np.int64(FULL)
    slots.words[place, 0] = key
    slots.words[place, 1] = np.uint64(stamp) << _VALUE_BITS | np.uint64(value)
    slots.state[1] += 1
    return np.int64(MISSING)


@inlined
def is_crowded(slots: Any) -> Any:
    """Whether the table should grow first. A kernel that stops there does the same in slices of any length."""
    return slots.state[2] != 0 and 2 * slots.state[1] >= slots.words.shape[0]


@inlined
def expect(slots: Any, key: Any) -> None:
    """Fetch a key's slot into the cache, for a look-up that will follow."""
    place = key & np.uint64(slots.words.shape[0] - 1)
    prefetch(address(slots.words) + np.int64(place) * 16)


@kernel
def _move(old: Any, new: Any) -> None:
    """Enter everything of this search into a bigger table."""
    for i in range(old.words.shape[0]):
        if np.int64(old.words[i, 1] >> _VALUE_BITS) == old.state[0]:
            insert(new, old.words[i, 0], old.words[i, 1] & _VALUE)
