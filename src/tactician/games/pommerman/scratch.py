"""Zeroed working memory on the stack, freed when the calling function returns; and reading a field in 64-bit words."""

from __future__ import annotations

from typing import Any

from llvmlite import ir
from numba import njit, types
from numba.core import cgutils
from numba.extending import intrinsic

from tactician.native.memory import address, load_u64
from tactician.native.variants import interpreted_as


def _stack(element: Any, bits: int) -> Any:
    @intrinsic(prefer_literal=True)
    def allot(typingctx: Any, size: Any) -> Any:
        if not isinstance(size, types.IntegerLiteral):
            return None
        count = size.literal_value

        def codegen(context: Any, builder: Any, signature: Any, args: Any) -> Any:
            kind = ir.IntType(bits)
            memory = cgutils.alloca_once(builder, kind, size=ir.Constant(ir.IntType(64), count))
            cgutils.memset(builder, memory, ir.Constant(ir.IntType(64), count * bits // 8), 0)
            return memory

        return types.CPointer(element)(size), codegen

    return allot


small_numbers = _stack(types.uint8, 8)
"""`small_numbers(n)` allocates n bytes; n must be a constant."""
interpreted_as(bytearray)(small_numbers)

bit_words = _stack(types.uint64, 64)
"""`bit_words(n)` allocates n 64-bit words; n must be a constant."""
interpreted_as(lambda size: [0] * size)(bit_words)


def _python_word(field: Any, index: int) -> int:
    return int.from_bytes(bytes(field._memory)[8 * index : 8 * index + 8], "little")


@interpreted_as(_python_word)
@njit(inline="always")
def word(field: Any, index: Any) -> Any:
    """Return word `index` of an array field of a record, eight bytes each."""
    return load_u64(address(field), index)
