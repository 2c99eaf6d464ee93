"""Working memory of one call, on the stack: gone when the function that asked for it returns.

What is asked for is not cleared: write before you read. Interpreted rules get lists, which are all zero.
"""

from __future__ import annotations

from typing import Any

from llvmlite import ir
from numba import types
from numba.core import cgutils
from numba.extending import intrinsic

from tactician.native.variants import interpreted_as


def _numbers(element: Any, bits: int) -> Any:
    @intrinsic(prefer_literal=True)
    def allot(typingctx: Any, size: Any) -> Any:
        if not isinstance(size, types.IntegerLiteral):
            return None
        count = size.literal_value

        def codegen(context: Any, builder: Any, signature: Any, args: Any) -> Any:
            return cgutils.alloca_once(builder, ir.IntType(bits), size=ir.Constant(ir.IntType(64), count))

        return types.CPointer(element)(size), codegen

    return allot


int32s = _numbers(types.int32, 32)
"""`int32s(n)`: room for n 32-bit integers; n is a constant."""
interpreted_as(lambda size: [0] * size)(int32s)

int16s = _numbers(types.int16, 16)
"""`int16s(n)`: room for n 16-bit integers; n is a constant."""
interpreted_as(lambda size: [0] * size)(int16s)
