"""Function tables: the rules of one game as addresses, however the game was written.

`compiled_table` compiles rule functions on records; `python_table` wraps Python functions on addresses (interpreted
rules, rules with bounds checks, games of plain objects). A game from a shared library has its addresses already.
"""

from __future__ import annotations

import ctypes
import inspect
import warnings
from collections.abc import Callable, Iterable, Mapping
from pathlib import Path
from typing import Any

import numpy as np
from numba import from_dtype, types
from numpy.typing import NDArray

from tactician.errors import InvalidGameError
from tactician.native import abi, failures
from tactician.native.announce import compiling
from tactician.native.c_functions import CFunction
from tactician.native.caching import SourceCache
from tactician.native.compile_errors import gist
from tactician.native.records import Buffer, array_at, record_class
from tactician.native.variants import checked, interpreted, recursive_calls


class Table:
    """The addresses of a game's rules, 0 where an optional one is absent, and ways to call them from Python."""

    def __init__(
        self, addresses: Mapping[str, int], keep: Any = None, later: Mapping[str, Callable[[], CFunction]] | None = None
    ) -> None:
        """`later` compiles rules that not everybody wants; until then they have no address."""
        self._addresses = np.array([addresses.get(rule.name, 0) for rule in abi.RULES], np.int64)
        self._functions: dict[str, Callable[..., Any]] = {
            name: abi.CTYPES[name](address) for name, address in addresses.items() if address
        }
        self._later = dict(later or {})
        self._keep = [keep]  # functions behind the addresses must outlive the table

    @property
    def addresses(self) -> NDArray[np.int64]:
        """The addresses of all rules that kernels call; some may have to be compiled."""
        return self.addresses_with(abi.KERNELS_ON_DEMAND)

    def addresses_with(self, wanted: Iterable[str]) -> NDArray[np.int64]:
        """The addresses of the rules, with at least the `wanted` ones of those that are compiled when asked for."""
        for name in wanted:
            if name in self._later:
                self.function(name)
        return self._addresses

    def function(self, name: str) -> Callable[..., Any]:
        """A rule as a function of addresses; may have to be compiled."""
        if name not in self._functions:
            compiled = self._later[name]()
            self._keep.append(compiled)
            self._functions[name] = abi.CTYPES[name](compiled.address or 0)
            if name not in abi.NEVER_IN_KERNELS:
                self._addresses[abi.INDEX[name]] = compiled.address or 0
        return self._functions[name]

    def complete(self) -> None:
        """Compile also what nobody has called."""
        for name in self._later:
            self.function(name)


def compiled_table(functions: Mapping[str, Callable[..., Any]], config: np.dtype, state: np.dtype) -> Table:
    """Compile every rule that all want to a C function, or load it from the cache; the others when asked for."""

    def compiler(name: str) -> Callable[[], CFunction]:
        def compiled() -> CFunction:
            with compiling(f"the rule {name}"):
                return compile_rule(name, functions[name], config, state)

        return compiled

    compiled: dict[str, Any] = {
        name: compile_rule(name, function, config, state)
        for name, function in functions.items()
        if name not in abi.COMPILED_WHEN_ASKED_FOR
    }
    later = {name: compiler(name) for name in functions if name in abi.COMPILED_WHEN_ASKED_FOR}
    return Table({name: function.address for name, function in compiled.items()}, compiled, later)


def compile_rule(name: str, function: Callable[..., Any], config: np.dtype, state: np.dtype) -> CFunction:
    """Compile one rule to a C function, or load it from the cache."""
    rule = abi.RULE_BY_NAME[name]
    kinds = {
        abi.Kind.CONFIG: from_dtype(config),
        abi.Kind.STATE: from_dtype(state),
        abi.Kind.INT: types.int64,
        abi.Kind.ACTIONS: types.CPointer(types.int32),
        abi.Kind.VALUES: types.CPointer(types.float64),
        abi.Kind.STREAM: types.CPointer(types.uint64),
    }
    result = (types.uint64 if name == "key" else types.int64) if rule.returns else types.void
    signature = result(*[kinds[kind] for _, kind in rule.parameters])
    compiled = CFunction(function, signature, "rule", lambda: require_no_recursion(name, function))
    # Warnings of a compilation that fails would only stand before what is wrong.
    with warnings.catch_warnings(record=True) as warned:
        try:
            compiled.compile()
        except InvalidGameError:
            raise
        except Exception as error:  # Numba lets its own errors and plain ones (an unknown field: KeyError) out
            raise InvalidGameError(f"rule {where(name, function)} does not compile: {gist(error)}") from error
    for warning in warned:
        warnings.warn_explicit(warning.message, warning.category, warning.filename, warning.lineno)
    return compiled


def require_no_recursion(name: str, function: Callable[..., Any]) -> None:
    """Refuse helpers that call themselves: their machine code can't be loaded from the cache."""
    cycle = recursive_calls(function)
    if cycle:
        code = cycle[0].__code__
        place = f"{Path(code.co_filename).name}, line {code.co_firstlineno}"
        through = ", ".join(f"{step.__name__!r}" for step in cycle[1:-1])
        how = f" through {through}" if through else ""
        raise InvalidGameError(
            f"rule {where(name, function)} reaches {cycle[0].__name__!r} ({place}), which calls itself{how}; "
            "compiled rules can't recurse, so write a loop."
        )


def where(name: str, function: Callable[..., Any]) -> str:
    """A rule's name with the file and line it is defined at."""
    source = inspect.unwrap(function)
    code = getattr(source, "__code__", None)
    if code is None:
        return repr(name)
    return f"{name!r} ({Path(code.co_filename).name}, line {code.co_firstlineno})"


def interpreted_table(
    functions: Mapping[str, Callable[..., Any]], config: np.dtype, state: np.dtype, sizes: Sizes
) -> Table:
    """The rules as plain Python on `Record`s: what a debugger and a coverage tool can see."""
    plain = {name: interpreted(function) for name, function in functions.items()}
    return _record_table(plain, _InterpretedArguments(config, state, sizes))


def checked_table(
    functions: Mapping[str, Callable[..., Any]], config: np.dtype, state: np.dtype, sizes: Sizes
) -> Table:
    """The rules compiled with bounds checks, called so that what they raise is seen."""
    bounded = {}
    for name, function in functions.items():
        bounded[name] = checked(function)
        bounded[name]._cache = SourceCache(bounded[name].py_func, "checked")
    return _record_table(bounded, _CheckedArguments(config, state, sizes))


class Sizes:
    """How long the buffers are that rules write to."""

    def __init__(self, players: int, max_actions: int, features: int = 0) -> None:
        self.players = players
        self.max_actions = max_actions
        self.features = features

    def of(self, rule: str, kind: abi.Kind) -> int:
        """The length of the buffer a rule gets for a parameter of some kind."""
        if kind is abi.Kind.STREAM:
            return 4
        if kind is abi.Kind.ACTIONS:
            return self.players if rule == "apply_joint" else self.max_actions
        if rule == "features":
            return self.features
        return self.max_actions if rule in ("rate_actions", "evaluate_after") else self.players


_ELEMENT = {abi.Kind.ACTIONS: "i4", abi.Kind.VALUES: "f8", abi.Kind.STREAM: "u8"}


class _InterpretedArguments:
    """Turns the integers that cross the border into what interpreted rules expect.

    Views are raw windows on memory, so one made for an address stays good for whatever lies there later.
    """

    def __init__(self, config: np.dtype, state: np.dtype, sizes: Sizes) -> None:
        self._config, self._state, self._sizes = config, state, sizes
        self._views: dict[tuple[abi.Kind, int], dict[int, Any]] = {}

    def maker(self, rule: str, kind: abi.Kind) -> Callable[[int], Any]:
        """A function that turns a number into what a rule expects for a parameter of some kind."""
        if kind is abi.Kind.INT:
            return _itself
        size = 0 if kind in (abi.Kind.CONFIG, abi.Kind.STATE) else self._sizes.of(rule, kind)
        views = self._views.setdefault((kind, size), {})

        def make(number: int) -> Any:
            view = views.get(number)
            if view is None:
                if len(views) > 10_000:
                    views.clear()
                view = views[number] = self._fresh(rule, kind, number, size)
            return view

        return make

    def _fresh(self, rule: str, kind: abi.Kind, number: int, size: int) -> Any:
        if kind is abi.Kind.CONFIG:
            return record_class(self._config)(number)
        if kind is abi.Kind.STATE:
            return record_class(self._state)(number)
        return Buffer(np.dtype(_ELEMENT[kind]), number, size, f"the buffer of {rule!r}")


def _itself(number: int) -> int:
    return number


class _CheckedArguments(_InterpretedArguments):
    """The same for compiled rules with bounds checks: NumPy records and arrays."""

    def _fresh(self, rule: str, kind: abi.Kind, number: int, size: int) -> Any:
        if kind in (abi.Kind.CONFIG, abi.Kind.STATE):
            dtype = self._config if kind is abi.Kind.CONFIG else self._state
            memory = (ctypes.c_char * dtype.itemsize).from_address(number)
            return array_at(memory, np.dtype((np.record, dtype)))[0]
        element = np.dtype(_ELEMENT[kind])
        memory = (ctypes.c_char * (size * element.itemsize)).from_address(number)
        return array_at(memory, element)


def _record_table(functions: Mapping[str, Callable[..., Any]], arguments: _InterpretedArguments) -> Table:
    def adapt(name: str, function: Callable[..., Any]) -> Callable[..., Any]:
        makers = [arguments.maker(name, kind) for _, kind in abi.RULE_BY_NAME[name].parameters]

        def on_addresses(*numbers: int) -> Any:
            return function(*[make(number) for make, number in zip(makers, numbers, strict=True)])

        return on_addresses

    return python_table({name: adapt(name, function) for name, function in functions.items()})


def python_table(functions: Mapping[str, Callable[..., Any]]) -> Table:
    """C callbacks around Python functions on addresses; an exception stops the search and reaches the caller."""
    callbacks = {name: abi.CTYPES[name](_guarded(name, function)) for name, function in functions.items()}
    addresses = {name: ctypes.cast(c, ctypes.c_void_p).value or 0 for name, c in callbacks.items()}
    return Table(addresses, callbacks)


def _guarded(name: str, function: Callable[..., Any]) -> Callable[..., Any]:
    returns = abi.RULE_BY_NAME[name].returns
    # Once something failed the answers no longer matter, but loops must end: the game is over.
    fallback = (1 if name == "is_over" else 0) if returns else None

    def callback(config: int, *numbers: int) -> Any:
        if ctypes.c_int64.from_address(config).value != abi.NO_ERROR:
            return fallback
        try:
            answer = function(config, *numbers)
            return _as_int64(answer) if returns else None
        except BaseException as failure:  # everything crosses, Ctrl-C included
            failures.keep(config, failure)
            return fallback

    return callback


def _as_int64(answer: Any) -> int:
    if answer is None:
        raise TypeError("returns nothing; a `return` is missing")
    number = int(answer) & 0xFFFF_FFFF_FFFF_FFFF
    return number - (1 << 64) if number >> 63 else number
