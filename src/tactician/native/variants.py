"""Rebuild a rule interpreted or with bounds checks from the source of the compiled one.

A rule or helper is written once. `interpreted` rebuilds it without compilation, so that a debugger and a coverage
tool see it; `checked` rebuilds it with Numba's bounds checks. Both follow the function's globals and closures to every
compiled helper it reaches, in whatever module, and leave the originals alone.
"""

from __future__ import annotations

import dis
import types as python_types
from collections.abc import Callable
from typing import Any

import numpy as np
from numba import njit
from numba.core.dispatcher import Dispatcher

from tactician.native.records import NumberArray

_PLAIN: dict[int, Callable[..., Any]] = {}
_KEPT: list[Any] = []


def interpreted_as(plain: Callable[..., Any]) -> Callable[[Any], Any]:
    """Name the Python function that stands for a compiled primitive when rules are interpreted."""

    def register(primitive: Any) -> Any:
        _PLAIN[id(primitive)] = plain
        _KEPT.append(primitive)  # an id is only good while its object lives
        return primitive

    return register


def interpreted(function: Any) -> Callable[..., Any]:
    """The function as plain Python, with every compiled helper it reaches replaced likewise."""
    return _Rebuild(compile_with=None).function(function)


def checked(function: Any) -> Any:
    """The function as a dispatcher that raises `IndexError` where it leaves an array."""
    return _Rebuild(compile_with={"boundscheck": True}).function(function)


class _Rebuild:
    """Rebuilds a function over copies of its globals in which dispatchers are exchanged."""

    def __init__(self, compile_with: dict[str, Any] | None) -> None:
        self._options = compile_with
        self._done: dict[int, Any] = {}

    def function(self, function: Any) -> Any:
        source = function.py_func if isinstance(function, Dispatcher) else function
        if id(source) in self._done:
            return self._done[id(source)]
        scope: dict[str, Any] = dict(source.__globals__)
        rebuilt = python_types.FunctionType(
            source.__code__, scope, source.__name__, source.__defaults__, source.__closure__
        )
        rebuilt.__kwdefaults__ = source.__kwdefaults__
        rebuilt.__qualname__ = source.__qualname__
        rebuilt.__module__ = source.__module__
        rebuilt.__doc__ = source.__doc__
        result: Any = rebuilt
        if self._options is not None:
            result = njit(**self._options)(rebuilt)
        # Known before its globals are followed, so that helpers may call each other.
        self._done[id(source)] = result
        for name in names_used(source.__code__):
            if name in scope:
                scope[name] = self.value(scope[name])
        if source.__closure__:
            cells = tuple(python_types.CellType(self.value(c.cell_contents)) for c in source.__closure__)
            rebuilt = python_types.FunctionType(source.__code__, scope, source.__name__, source.__defaults__, cells)
            result = rebuilt if self._options is None else njit(**self._options)(rebuilt)
            self._done[id(source)] = result
        return result

    def value(self, value: Any) -> Any:
        """What stands for a global value in the rebuilt function."""
        if id(value) in _PLAIN:
            return _PLAIN[id(value)] if self._options is None else value
        if isinstance(value, Dispatcher):
            return self.function(value)
        if isinstance(value, np.generic) and self._options is None:
            return value.item()
        if isinstance(value, np.ndarray) and value.dtype.kind in "iufb" and self._options is None:
            return value.view(NumberArray)
        if isinstance(value, type) and issubclass(value, np.generic) and self._options is None:
            return _PYTHON_NUMBERS.get(value.__name__, value)
        if isinstance(value, python_types.ModuleType) and self._options is None:
            return _Namespace(self, value)
        if isinstance(value, python_types.ModuleType):
            return self._checked_module(value)
        return value

    def _checked_module(self, module: python_types.ModuleType) -> Any:
        """A module whose dispatchers are exchanged; Numba resolves attributes of real modules only."""
        if not any(isinstance(v, Dispatcher) and id(v) not in _PLAIN for v in vars(module).values()):
            return module
        if id(module) in self._done:
            return self._done[id(module)]
        copy = python_types.ModuleType(module.__name__)
        self._done[id(module)] = copy
        for name, value in vars(module).items():
            exchange = isinstance(value, Dispatcher) and id(value) not in _PLAIN
            setattr(copy, name, self.function(value) if exchange else value)
        return copy


class _Namespace:
    """Stands for a module in interpreted code and exchanges what is looked up in it."""

    def __init__(self, rebuild: _Rebuild, module: python_types.ModuleType) -> None:
        self._rebuild = rebuild
        self._module = module

    def __getattr__(self, name: str) -> Any:
        value = getattr(self._module, name)
        exchanged = _PYTHON_NUMBERS.get(name, value) if self._module is np else self._rebuild.value(value)
        setattr(self, name, exchanged)  # found without this function from now on; compiled code freezes it as well
        return exchanged


def _wrapped(bits: int, signed: bool) -> Callable[[Any], int]:
    """A NumPy integer type as it behaves in compiled code: it wraps, and mixes with Python integers."""
    size, half = 1 << bits, 1 << (bits - 1)
    mask = size - 1

    def convert(value: Any) -> int:
        number = int(value) & mask
        return number - size if signed and number >= half else number

    # NumPy asks whatever stands for a type for its dtype: np.zeros(4, np.int64) still works.
    convert.dtype = np.dtype(f"{'i' if signed else 'u'}{bits // 8}")  # type: ignore[attr-defined]
    return convert


# np.uint64(x) in interpreted rules gives a Python integer: NumPy scalars would warn on wrapping and promote
# differently from compiled code when they meet each other.
_PYTHON_NUMBERS: dict[str, Any] = {
    f"{'' if signed else 'u'}int{bits}": _wrapped(bits, signed) for bits in (8, 16, 32, 64) for signed in (True, False)
} | {"float64": float, "bool_": bool}


def recursive_calls(function: Any) -> list[Any]:
    """The functions along which a compiled function calls itself, the first one again at the end; [] if none does."""
    return _cycle(getattr(function, "py_func", function), [], set())


def _cycle(function: Any, path: list[Any], done: set[int]) -> list[Any]:
    if function in path:
        return [*path[path.index(function) :], function]
    if id(function) in done or not isinstance(function, python_types.FunctionType):
        return []
    done.add(id(function))
    for name in sorted(_globals_used(function.__code__)):
        value = function.__globals__.get(name)
        if isinstance(value, Dispatcher) and (found := _cycle(value.py_func, [*path, function], done)):
            return found
    return []


def _globals_used(code: python_types.CodeType) -> set[str]:
    """The names a code object looks up globally, without attributes of the same names."""
    return {step.argval for step in dis.get_instructions(code) if step.opname in ("LOAD_GLOBAL", "LOAD_NAME")}


def names_used(code: python_types.CodeType) -> set[str]:
    """Every name a code object and those inside it look up globally or as an attribute."""
    names = set(code.co_names)
    for constant in code.co_consts:
        if isinstance(constant, python_types.CodeType):
            names |= names_used(constant)
    return names
