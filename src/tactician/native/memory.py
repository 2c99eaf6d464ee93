"""Compiled access to addresses: call a rule, copy a state, look into a buffer.

Everything here is a Numba intrinsic of a few machine instructions, for use inside kernels. Records and buffers are
named by their address as an ``int64``: that is what crosses the border for every game, whatever it is written in.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, TypeAlias, TypeVar

import numpy as np
from llvmlite import ir
from numba import types
from numba.core import cgutils
from numba.extending import intrinsic
from numpy.typing import NDArray

from tactician.native.rows import Rows

Address: TypeAlias = int
"""Where something lies in memory: a state, a configuration, the first element of an array."""

_I64 = ir.IntType(64)
_T = TypeVar("_T")


if TYPE_CHECKING:

    def int64(value: Any) -> int:
        """A number as the 64-bit integer that kernels count in; to the type checker it is an `int` like any other."""

    def address(array: NDArray[Any] | Rows[Any]) -> Address:
        """The address of a contiguous array's first element."""

    def borrowed(thing: _T) -> _T:
        """The same arrays (alone or in a tuple) without a share in their ownership."""

    def copy_bytes(target: Address, source: Address, count: int) -> None:
        """Copy `count` bytes between two addresses that don't overlap."""

    def prefetch(place: Address) -> None:
        """Start loading what lies at an address into the cache."""

    def load_i64(base: Address, index: int) -> int:
        """The 64-bit integer at a position of an array at an address."""

    def load_u64(base: Address, index: int) -> np.uint64:
        """The 64-bit word at a position of an array at an address."""

    def load_i32(base: Address, index: int) -> int:
        """The 32-bit integer at a position of an array at an address."""

    def load_f64(base: Address, index: int) -> float:
        """The 64-bit float at a position of an array at an address."""

    def ask2(function: Address, a: int, b: int) -> int:
        """Call the function at an address and return its result: `ask2(function, g, s)`."""

    def ask3(function: Address, a: int, b: int, c: int) -> int:
        """Call the function at an address and return its result: `ask3(function, g, s, action)`."""

    def ask4(function: Address, a: int, b: int, c: int, d: int) -> int:
        """Call the function at an address and return its result: `ask4(function, g, s, player, out)`."""

    def ask5(function: Address, a: int, b: int, c: int, d: int, e: int) -> int:
        """Call the function at an address and return its result: `ask5(function, g, s, player, out, rng)`."""

    def do3(function: Address, a: int, b: int, c: int) -> None:
        """Call the function at an address, which returns nothing: `do3(function, g, s, out)`."""

    def do4(function: Address, a: int, b: int, c: int, d: int) -> None:
        """Call the function at an address, which returns nothing: `do4(function, g, s, action, rng)`."""

    def do5(function: Address, a: int, b: int, c: int, d: int, e: int) -> None:
        """Call the function at an address, which returns nothing: `do5(function, g, s, actions, n, out)`."""


def _disowned(context: Any, builder: Any, kind: Any, value: Any) -> Any:
    if isinstance(kind, types.Array):
        view = context.make_array(kind)(context, builder, value)
        view.meminfo = cgutils.get_null_value(view.meminfo.type)
        view.parent = cgutils.get_null_value(view.parent.type)
        return view._getvalue()
    if isinstance(kind, types.BaseTuple):
        for i, part in enumerate(kind):
            element = _disowned(context, builder, part, builder.extract_value(value, i))
            value = builder.insert_value(value, element, i)
    return value


def _caller(arity: int, returns: bool) -> Any:
    """An intrinsic that calls the function at an address with `arity` integers."""
    result = types.int64 if returns else types.void

    def codegen(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        kind = ir.FunctionType(_I64 if returns else ir.VoidType(), [_I64] * arity)
        value = builder.call(builder.inttoptr(args[0], kind.as_pointer()), args[1:])
        return value if returns else context.get_dummy_value()

    if arity == 2:

        @intrinsic
        def call(typingctx: Any, function: Any, a: Any, b: Any) -> Any:
            return result(*[types.int64] * 3), codegen

    elif arity == 3:

        @intrinsic
        def call(typingctx: Any, function: Any, a: Any, b: Any, c: Any) -> Any:
            return result(*[types.int64] * 4), codegen

    elif arity == 4:

        @intrinsic
        def call(typingctx: Any, function: Any, a: Any, b: Any, c: Any, d: Any) -> Any:
            return result(*[types.int64] * 5), codegen

    else:

        @intrinsic
        def call(typingctx: Any, function: Any, a: Any, b: Any, c: Any, d: Any, e: Any) -> Any:
            return result(*[types.int64] * 6), codegen

    return call


def _loader(kind: Any, width: int, pointee: Any) -> Any:
    @intrinsic
    def load(typingctx: Any, base: Any, index: Any) -> Any:
        def codegen(context: Any, builder: Any, signature: Any, args: Any) -> Any:
            place = builder.add(args[0], builder.mul(args[1], ir.Constant(_I64, width)))
            return builder.load(builder.inttoptr(place, pointee.as_pointer()))

        return kind(types.int64, types.int64), codegen

    return load


if not TYPE_CHECKING:
    int64 = np.int64

    @intrinsic
    def address(typingctx: Any, array: Any) -> Any:
        """The address of a contiguous array's first element."""

        def codegen(context: Any, builder: Any, signature: Any, args: Any) -> Any:
            view = context.make_array(signature.args[0])(context, builder, args[0])
            return builder.ptrtoint(view.data, _I64)

        return types.int64(array), codegen

    @intrinsic
    def borrowed(typingctx: Any, thing: Any) -> Any:
        """The same arrays (alone or in a tuple) without a share in their ownership.

        Numba counts references whenever an array is handed on, with an atomic instruction each. What a kernel was given
        stays alive while it runs, so it does not have to.
        """

        def codegen(context: Any, builder: Any, signature: Any, args: Any) -> Any:
            return _disowned(context, builder, signature.args[0], args[0])

        return thing(thing), codegen

    @intrinsic
    def copy_bytes(typingctx: Any, target: Any, source: Any, count: Any) -> Any:
        """Copy `count` bytes between two addresses that don't overlap."""

        def codegen(context: Any, builder: Any, signature: Any, args: Any) -> Any:
            to, origin = (builder.inttoptr(arg, cgutils.voidptr_t) for arg in args[:2])
            cgutils.raw_memcpy(builder, to, origin, args[2], 1)
            return context.get_dummy_value()

        return types.void(types.int64, types.int64, types.int64), codegen

    @intrinsic
    def prefetch(typingctx: Any, place: Any) -> Any:
        """Start loading what lies at an address into the cache."""

        def codegen(context: Any, builder: Any, signature: Any, args: Any) -> Any:
            flag = ir.IntType(32)
            kind = ir.FunctionType(ir.VoidType(), [cgutils.voidptr_t, flag, flag, flag])
            function = cgutils.get_or_insert_function(builder.module, kind, "llvm.prefetch.p0")
            for_writing, keep, data = ir.Constant(flag, 1), ir.Constant(flag, 3), ir.Constant(flag, 1)
            builder.call(function, [builder.inttoptr(args[0], cgutils.voidptr_t), for_writing, keep, data])
            return context.get_dummy_value()

        return types.void(types.int64), codegen

    ask2, ask3, ask4, ask5 = (_caller(arity, True) for arity in (2, 3, 4, 5))
    do3, do4, do5 = (_caller(arity, False) for arity in (3, 4, 5))
    load_i64 = _loader(types.int64, 8, ir.IntType(64))
    load_u64 = _loader(types.uint64, 8, ir.IntType(64))
    load_i32 = _loader(types.int32, 4, ir.IntType(32))
    load_f64 = _loader(types.float64, 8, ir.DoubleType())
