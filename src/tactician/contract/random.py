"""The random stream that rules and planners draw from: xoshiro256++ in four 64-bit words.

A stream is nothing but its words, so it can be copied, stored and handed across the C border as a pointer. Seeds come
from `numpy.random.SeedSequence`. The true game draws from one stream and each search from another, so no planner can
look into the future through it. `tactician.h` holds the same functions for games written in C.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import numpy as np
from numba import njit
from numpy.typing import NDArray

from tactician.native.variants import interpreted_as

WORDS = 4
_MASK = (1 << 64) - 1


def stream(seed: int | Iterable[int]) -> NDArray[np.uint64]:
    """A fresh stream; equal seeds (an integer or several) give equal streams."""
    entropy = [int(part) for part in seed] if isinstance(seed, Iterable) else int(seed)
    words: Any = np.random.SeedSequence(entropy).generate_state(WORDS, np.uint64)
    return words


def python_next(rng: Any) -> int:
    """`next_word` in plain Python, for interpreted rules and plain games."""
    s0, s1, s2, s3 = (int(rng[i]) for i in range(4))
    total = (s0 + s3) & _MASK
    result = (((total << 23) | (total >> 41)) + s0) & _MASK
    s2 ^= s0
    s3 ^= s1
    rng[1] = s1 ^ s2
    rng[0] = s0 ^ s3
    rng[2] = s2 ^ ((s1 << 17) & _MASK)
    rng[3] = ((s3 << 45) | (s3 >> 19)) & _MASK
    return result


@interpreted_as(python_next)
@njit(inline="always")
def next_word(rng: Any) -> Any:
    """64 uniform bits."""
    s0, s1, s2, s3 = rng[0], rng[1], rng[2], rng[3]
    total = s0 + s3
    result = ((total << np.uint64(23)) | (total >> np.uint64(41))) + s0
    s2 ^= s0
    s3 ^= s1
    rng[1] = s1 ^ s2
    rng[0] = s0 ^ s3
    rng[2] = s2 ^ (s1 << np.uint64(17))
    rng[3] = (s3 << np.uint64(45)) | (s3 >> np.uint64(19))
    return result


def python_below(rng: Any, n: Any) -> int:
    """`below` in plain Python."""
    return ((python_next(rng) >> 32) * int(n)) >> 32


@interpreted_as(python_below)
@njit(inline="always")
def below(rng: Any, n: Any) -> Any:
    """A uniform integer in 0..n-1, for n up to 2³² (its bias is below n/2³²)."""
    return np.int64(((next_word(rng) >> np.uint64(32)) * np.uint64(n)) >> np.uint64(32))


@interpreted_as(lambda rng: (python_next(rng) >> 11) * 2.0**-53)
@njit(inline="always")
def unit(rng: Any) -> Any:
    """A uniform number in [0, 1)."""
    return np.float64(next_word(rng) >> np.uint64(11)) * 2.0**-53
