"""Hashes over the words of a state: the identity of states in games that define none of their own."""

from __future__ import annotations

import numpy as np
from numba import njit
from numpy.typing import NDArray

from tactician.native.caching import kernel
from tactician.native.linked import linked_raw
from tactician.native.memory import Address, address, load_u64

# Odd constants with well-mixed bits; each strand of a hash starts from another.
SEED_1, SEED_2 = np.uint64(0x9E3779B97F4A7C15), np.uint64(0xD6E8FEB86659FD93)
SEED_3, SEED_4 = np.uint64(0xA0761D6478BD642F), np.uint64(0xE7037ED1A0B428DB)


@kernel
def hash_state(words: NDArray[np.uint64]) -> np.uint64:
    """The fallback of the rule `key`: a hash over a state's words."""
    return hash_words(address(words), words.shape[0])


@kernel
def hash_state_twice(words: NDArray[np.uint64], out: NDArray[np.uint64]) -> None:
    """The fallback of the rule `digest`."""
    out[0], out[1] = hash_pair(address(words), words.shape[0])


@linked_raw
def hash_words(s: Address, words: int) -> np.uint64:
    """A 64-bit hash of some words at an address; in four strands, as each multiplication waits for the last."""
    a, b, c, d = SEED_1, SEED_2, SEED_3, SEED_4
    i = 0
    while i + 3 < words:
        a = mixed(a, load_u64(s, i))
        b = mixed(b, load_u64(s, i + 1))
        c = mixed(c, load_u64(s, i + 2))
        d = mixed(d, load_u64(s, i + 3))
        i += 4
    while i < words:
        a = mixed(a, load_u64(s, i))
        i += 1
    return mixed(mixed(mixed(a, b), c), d)


@njit(inline="always")
def mixed(h: np.uint64, word: np.uint64) -> np.uint64:
    """A hash with one more word stirred in."""
    h = (h ^ word) * SEED_2
    return h ^ (h >> np.uint64(32))


@linked_raw
def hash_pair(s: Address, words: int) -> tuple[np.uint64, np.uint64]:
    """Two independent 64-bit hashes of some words at an address."""
    a, b, c, d = SEED_1, SEED_2, SEED_3, SEED_4
    i = 0
    while i + 1 < words:
        one, other = load_u64(s, i), load_u64(s, i + 1)
        a, b = mixed(a, one), mixed(b, other)
        c, d = mixed(c, other), mixed(d, one)
        i += 2
    if i < words:
        a, c = mixed(a, load_u64(s, i)), mixed(c, load_u64(s, i))
    return mixed(a, b), mixed(c, d)
