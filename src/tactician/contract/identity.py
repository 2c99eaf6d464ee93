"""Hashes of the front of a state, for rules that give a game's `key` or `digest`.

A game that leaves fields out of its identity declares them last; what is in front of them is hashed word by word.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from llvmlite import ir
from numba import njit, types
from numba.extending import intrinsic

from tactician.native.caching import kernel
from tactician.native.hashing import SEED_1, SEED_2, SEED_3, SEED_4, hash_pair, hash_words
from tactician.native.variants import interpreted_as

__all__ = ["SEED_1", "SEED_2", "SEED_3", "SEED_4", "hash_front", "hash_front_twice", "words_before"]


def words_before(state: np.dtype, field: str) -> int:
    """How many whole 64-bit words lie in front of a field; the field must begin at one."""
    assert state.fields is not None
    words, rest = divmod(state.fields[field][1], 8)
    if rest:
        raise ValueError(f"field {field!r} begins inside a 64-bit word; put an i8 or u8 field there")
    return words


@intrinsic
def _address_of(typingctx: Any, record: Any) -> Any:
    def codegen(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        return builder.ptrtoint(args[0], ir.IntType(64))

    return types.int64(record), codegen


@kernel
def _hash_at(address: Any, words: Any) -> Any:
    return hash_words(address, words)


@kernel
def _hash_pair_at(address: Any, words: Any) -> Any:
    return hash_pair(address, words)


@interpreted_as(lambda s, words: int(_hash_at(s._address, words)))
@njit(inline="always")
def hash_front(s: Any, words: Any) -> Any:
    """64 bits over the first words of a record."""
    return hash_words(_address_of(s), words)


@interpreted_as(lambda s, words: tuple(int(half) for half in _hash_pair_at(s._address, words)))
@njit(inline="always")
def hash_front_twice(s: Any, words: Any) -> Any:
    """128 bits over the first words of a record, as two words."""
    return hash_pair(_address_of(s), words)
