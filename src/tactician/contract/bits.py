"""Sets of small numbers as 64-bit words, for rules on small boards.

Call them from a rule with `uint64` values; iterate with ``while b: i = lowest(b); b = without_lowest(b)``.
Each is one or two machine instructions when compiled and plain Python when interpreted.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from llvmlite import ir
from numba import njit, types
from numba.core import cgutils
from numba.extending import intrinsic

from tactician.native.variants import interpreted_as

_MASK = (1 << 64) - 1


def _unary(name: str, extra: tuple[int, ...] = ()) -> Any:
    @intrinsic
    def operate(typingctx: Any, word: Any) -> Any:
        def codegen(context: Any, builder: Any, signature: Any, args: Any) -> Any:
            word_type = ir.IntType(64)
            flags = [ir.Constant(ir.IntType(1), flag) for flag in extra]
            kind = ir.FunctionType(word_type, [word_type] + [ir.IntType(1)] * len(extra))
            function = builder.module.declare_intrinsic(name, [word_type], kind)
            return builder.call(function, [args[0], *flags])

        return types.int64(types.uint64), codegen

    return operate


# The flag says that a zero word gives an undefined result, which spares a branch.
_trailing_zeros = _unary("llvm.cttz", (1,))
_leading_zeros = _unary("llvm.ctlz", (1,))
_population = _unary("llvm.ctpop")


_SLOW_DEPOSIT = ("znver1", "znver2")
"""Processors that have the instruction but take hundreds of cycles for it."""


def _has_quick_deposit(context: Any) -> bool:
    triple, processor, features = context.codegen().magic_tuple()
    return "x86_64" in triple and "+bmi2" in features.split(",") and processor not in _SLOW_DEPOSIT


@intrinsic
def _deposits_quickly(typingctx: Any) -> Any:
    """Whether the processor has an instruction that spreads bits over the members of a set."""

    def codegen(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        return ir.Constant(ir.IntType(1), int(_has_quick_deposit(context)))

    return types.boolean(), codegen


@intrinsic
def _deposit(typingctx: Any, bits: Any, members: Any) -> Any:
    """That instruction: bit i of the result's members is bit i of `bits`. Only where there is one."""

    def codegen(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        if not _has_quick_deposit(context):
            return args[0]
        word = ir.IntType(64)
        kind = ir.FunctionType(word, [word, word])
        function = cgutils.get_or_insert_function(builder.module, kind, "llvm.x86.bmi.pdep.64")
        return builder.call(function, args)

    return types.uint64(types.uint64, types.uint64), codegen


@interpreted_as(lambda word: (int(word) & -int(word)).bit_length() - 1)
@njit(inline="always")
def lowest(word: Any) -> Any:
    """The smallest member of a set that is not empty."""
    return _trailing_zeros(word)


@interpreted_as(lambda word: int(word).bit_length() - 1)
@njit(inline="always")
def highest(word: Any) -> Any:
    """The largest member of a set that is not empty."""
    return 63 - _leading_zeros(word)


@interpreted_as(lambda word: int(word).bit_count())
@njit(inline="always")
def count(word: Any) -> Any:
    """How many members a set has."""
    return _population(word)


@interpreted_as(lambda word: int(word) & (int(word) - 1))
@njit(inline="always")
def without_lowest(word: Any) -> Any:
    """The set less its smallest member."""
    return word & (word - np.uint64(1))


def _python_nth(word: Any, n: Any) -> int:
    left = int(word)
    for _ in range(n):
        left &= left - 1
    return (left & -left).bit_length() - 1


@interpreted_as(_python_nth)
@njit(inline="always")
def nth(word: Any, n: Any) -> Any:
    """The member of a set that has n smaller ones; there must be one."""
    if _deposits_quickly():
        return _trailing_zeros(_deposit(np.uint64(1) << np.uint64(n), word))
    left = word
    for _ in range(n):
        left = left & (left - np.uint64(1))
    return _trailing_zeros(left)


@interpreted_as(lambda index: 1 << int(index))
@njit(inline="always")
def single(index: Any) -> Any:
    """The set that holds one number."""
    return np.uint64(1) << np.uint64(index)


@interpreted_as(lambda word, index: (int(word) >> int(index)) & 1)
@njit(inline="always")
def has(word: Any, index: Any) -> Any:
    """1 if the set holds the number, else 0."""
    return np.int64((word >> np.uint64(index)) & np.uint64(1))


@interpreted_as(lambda word: ~int(word) & _MASK)
@njit(inline="always")
def complement(word: Any) -> Any:
    """Every number from 0 to 63 that the set does not hold."""
    return ~word
