"""Integer arithmetic as the rules mean it: division truncates toward zero, and square roots are rounded down."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
from llvmlite import ir
from numba import njit, types
from numba.extending import intrinsic

from tactician.native.variants import interpreted_as


@intrinsic
def _truncated(typingctx: Any, dividend: Any, divisor: Any) -> Any:
    def codegen(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        # The processor divides 32-bit numbers much faster.
        narrow = ir.IntType(32)
        dividend, divisor = (builder.trunc(arg, narrow) for arg in args)
        return builder.sext(builder.sdiv(dividend, divisor), ir.IntType(64))

    return types.int64(types.int64, types.int64), codegen


@interpreted_as(
    lambda dividend, divisor: abs(dividend) // abs(divisor) * (1 if (dividend < 0) == (divisor < 0) else -1)
)
@njit(inline="always")
def quotient(dividend: Any, divisor: Any) -> Any:
    """The quotient of two 32-bit integers, rounded toward zero; the divisor is not 0.

    The bounds of the card table keep every product that is divided within 32 bits.
    """
    return _truncated(dividend, divisor)


@interpreted_as(lambda value: math.isqrt(value))
@njit(inline="always")
def root(value: Any) -> Any:
    """The square root of an integer from 0 to 2⁵⁰, rounded down.

    The processor's square root is correctly rounded, and roots of integers of that size that are not whole are farther
    from a whole number than it can be wrong: the result is exact everywhere.
    """
    return np.int64(math.sqrt(np.float64(value)))


@interpreted_as(lambda value: value)
@njit(inline="always")
def narrow(value: Any) -> Any:
    """A number that fits as a 32-bit integer, so that sixteen of them are compared at once."""
    return np.int32(value)
