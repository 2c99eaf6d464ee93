"""Eight floats at once, for the short loops of a search that no compiler turns into vector instructions by itself.

Arrays are named by their address; every function reads or writes eight elements from there on, so arrays need room for
`LANES - 1` elements more than they hold. LLVM splits the vectors where a processor has narrower ones.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from llvmlite import ir
from numba import types
from numba.extending import intrinsic

from tactician.native.memory import Address

LANES = 8

if TYPE_CHECKING:

    def weigh_eight(out: Address, means: Address, roots: Address, scale: float, bonus: float, count: int) -> float:
        """Write scale * mean + bonus / root of the first `count` of eight elements, -inf for the rest; the highest."""

    def scale_eight(out: Address, means: Address, scale: float, count: int) -> float:
        """The same without the second term."""

    def equal_eight(values: Address, wanted: float) -> int:
        """A bit for each of eight elements that equals a number."""


_I64, _F64 = ir.IntType(64), ir.DoubleType()
_VECTOR = ir.VectorType(_F64, LANES)


def _load(builder: Any, place: Any) -> Any:
    return builder.load(builder.inttoptr(place, _VECTOR.as_pointer()), align=8)


def _splat(builder: Any, number: Any) -> Any:
    kind = ir.VectorType(number.type, LANES)
    first = builder.insert_element(ir.Constant(kind, ir.Undefined), number, ir.Constant(ir.IntType(32), 0))
    zeros = ir.Constant(ir.VectorType(ir.IntType(32), LANES), [0] * LANES)
    return builder.shuffle_vector(first, first, zeros)


def _store_and_reduce(builder: Any, out: Any, values: Any, count: Any) -> Any:
    """Store what belongs to the first `count` lanes and return the highest."""
    lanes = ir.Constant(ir.VectorType(_I64, LANES), list(range(LANES)))
    used = builder.icmp_signed("<", lanes, _splat(builder, count))
    nothing = ir.Constant(_VECTOR, [float("-inf")] * LANES)
    kept = builder.select(used, values, nothing)
    builder.store(kept, builder.inttoptr(out, _VECTOR.as_pointer()), align=8)
    kind = ir.FunctionType(_F64, [_VECTOR])
    reduce = builder.module.declare_intrinsic(f"llvm.vector.reduce.fmax.v{LANES}f64", fnty=kind)
    return builder.call(reduce, [kept], fastmath=("nnan", "nsz"))


if not TYPE_CHECKING:

    @intrinsic
    def weigh_eight(typingctx: Any, out: Any, means: Any, roots: Any, scale: Any, bonus: Any, count: Any) -> Any:
        """Write scale * mean + bonus / root of the first `count` of eight elements, -inf for the rest; the highest."""

        def codegen(context: Any, builder: Any, signature: Any, args: Any) -> Any:
            out, means, roots, scale, bonus, count = args
            scaled = builder.fmul(_splat(builder, scale), _load(builder, means))
            extra = builder.fdiv(_splat(builder, bonus), _load(builder, roots))
            return _store_and_reduce(builder, out, builder.fadd(scaled, extra), count)

        address, number = types.int64, types.float64
        return number(address, address, address, number, number, types.int64), codegen

    @intrinsic
    def scale_eight(typingctx: Any, out: Any, means: Any, scale: Any, count: Any) -> Any:
        """The same without the second term."""

        def codegen(context: Any, builder: Any, signature: Any, args: Any) -> Any:
            out, means, scale, count = args
            scaled = builder.fmul(_splat(builder, scale), _load(builder, means))
            return _store_and_reduce(builder, out, scaled, count)

        return types.float64(types.int64, types.int64, types.float64, types.int64), codegen

    @intrinsic
    def equal_eight(typingctx: Any, values: Any, wanted: Any) -> Any:
        """A bit for each of eight elements that equals a number."""

        def codegen(context: Any, builder: Any, signature: Any, args: Any) -> Any:
            same = builder.fcmp_ordered("==", _load(builder, args[0]), _splat(builder, args[1]))
            return builder.zext(builder.bitcast(same, ir.IntType(LANES)), _I64)

        return types.int64(types.int64, types.float64), codegen
