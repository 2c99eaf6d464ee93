"""The random stream of the official referee: Java's 48-bit linear congruential generator."""

from __future__ import annotations

from collections.abc import MutableSequence
from typing import TypeVar

from tactician.errors import InvalidParameterError

T = TypeVar("T")

_MULTIPLIER = 0x5DEECE66D
_INCREMENT = 0xB
_STATE_BITS = 48
_MASK = (1 << _STATE_BITS) - 1


class JavaRandom:
    """A stream with a 64-bit seed, of which 48 bits are used."""

    def __init__(self, seed: int) -> None:
        self._state = (seed ^ _MULTIPLIER) & _MASK

    def next(self, bits: int) -> int:
        """Return the next ``bits`` random bits (1 to 32) as a signed 32-bit number."""
        self._state = (self._state * _MULTIPLIER + _INCREMENT) & _MASK
        return _signed(self._state >> (_STATE_BITS - bits), 32)

    def next_int(self, bound: int | None = None) -> int:
        """Return a number from 0 to ``bound`` - 1, or any signed 32-bit number without a bound."""
        if bound is None:
            return self.next(32)
        if not 0 < bound < 1 << 31:
            raise InvalidParameterError(f"bound is {bound}; expected 1 to {(1 << 31) - 1}.")
        drawn = self.next(31)
        if bound & (bound - 1) == 0:
            return (bound * drawn) >> 31
        while drawn - drawn % bound + (bound - 1) >= 1 << 31:  # the last, incomplete run of remainders
            drawn = self.next(31)
        return drawn % bound

    def next_long(self) -> int:
        """Return a signed 64-bit number."""
        high = self.next(32)
        return _signed((high << 32) + self.next(32), 64)

    def next_double(self) -> float:
        """Return a number in [0, 1) with 53 random bits."""
        high = self.next(26)
        return ((high << 27) + self.next(27)) * 2.0**-53

    def shuffle(self, items: MutableSequence[T]) -> None:
        """Shuffle in place, from the end to the beginning."""
        for size in range(len(items), 1, -1):
            other = self.next_int(size)
            items[size - 1], items[other] = items[other], items[size - 1]


def _signed(value: int, bits: int) -> int:
    value &= (1 << bits) - 1
    return value - (1 << bits) if value >> (bits - 1) else value
