"""Games from a shared library: the rules in C (or anything with a C interface) behind `tactician.h`.

The library exports the rules as functions named ``tactician_<rule>``. The records stay NumPy's: an aligned dtype is
the C struct field by field, so set-up, JSON and drawings are written in Python as for any other game.
"""

from __future__ import annotations

import ctypes
from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any, ClassVar

import numpy as np

from tactician.contract.game import Game
from tactician.contract.info import GameInfo
from tactician.contract.presentation import Presentation
from tactician.contract.rules import require_max_actions, require_rules, require_weights, weight_places
from tactician.errors import InvalidGameError
from tactician.native import abi
from tactician.native.records import require_plain_data, with_error_cell
from tactician.native.tables import Table

HEADER = Path(__file__).with_name("tactician.h")
"""The C header a library is written against."""


def library(
    path: str | Path,
    config: np.dtype,
    state: np.dtype,
    presentation: Presentation,
    *,
    name: str,
    max_actions: int,
    values: Mapping[str, Any] | None = None,
    players: int = 2,
    version: str = "1",
    zero_sum: bool = True,
    value_range: tuple[float, float] | Callable[[Any], tuple[float, float]] = (-1.0, 1.0),
    weights: Mapping[str, tuple[Any, ...]] | Iterable[str] = (),
    errors: Mapping[int, str] | None = None,
    description: str = "",
    sides: Sequence[int] = (),
) -> Game:
    """A game whose rules a shared library exports; `values` fills the configuration, the rest as in `Rules.game`."""
    layout = with_error_cell(require_plain_data(config, "Config", str(path)))
    backend = LibraryBackend(str(path), layout, require_plain_data(state, "State", str(path)), name)
    backend.verify()
    require_max_actions(name, max_actions, Path(path).name)
    info = GameInfo(
        name,
        version,
        players,
        max_actions,
        zero_sum,
        value_range,
        weight_places(weights, layout, f"{name!r} ({Path(path).name})"),
        dict(errors or {}),
        description,
        sides=tuple(sides),
    )
    game = Game(info, backend, presentation, dict(values or {}))
    require_weights(game, Path(path).name)
    return game


def _is_c_function(thing: Any) -> bool:
    """Whether ctypes could hand out the address of it."""
    try:
        return bool(ctypes.cast(thing, ctypes.c_void_p).value)
    except (ctypes.ArgumentError, TypeError):
        return False


@dataclass(frozen=True)
class LibraryBackend:
    """Rules at the addresses a dynamic library gives."""

    path: str
    config: np.dtype
    state: np.dtype
    name: str
    exchanged: tuple[tuple[str, Any], ...] = ()
    mode: str = "library"
    learned: ClassVar[bool] = False

    @cached_property
    def loaded(self) -> ctypes.CDLL:
        """The library in memory."""
        try:
            return ctypes.CDLL(str(Path(self.path).resolve()))
        except OSError as error:
            raise InvalidGameError(f"library {self.path!r} of game {self.name!r} can't be loaded: {error}.") from error

    def verify(self) -> None:
        """Refuse a library of another ABI version, with other record sizes, or without a required rule."""
        expected = {
            "tactician_abi_version": abi.ABI_VERSION,
            "tactician_config_bytes": self.config.itemsize,
            "tactician_state_bytes": self.state.itemsize,
        }
        for symbol, value in expected.items():
            try:
                function = getattr(self.loaded, symbol)
            except AttributeError:
                raise InvalidGameError(
                    f"library {self.path!r} lacks {symbol}(); put TACTICIAN_GAME(Config, State) into its source."
                ) from None
            function.restype = ctypes.c_int64
            if function() != value:
                raise InvalidGameError(
                    f"library {self.path!r}: {symbol}() gives {function()}; expected {value} for game {self.name!r}."
                )
        require_rules(self.name, self.rule_names, Path(self.path).name)

    def __reduce__(self) -> tuple[Any, ...]:
        return LibraryBackend, (self.path, self.config, self.state, self.name, self.exchanged, self.mode)

    @property
    def rule_names(self) -> frozenset[str]:
        """Which rules the library exports."""
        exported = {rule.name for rule in abi.RULES if hasattr(self.loaded, f"tactician_{rule.name}")}
        others = {name for name, _ in self.exchanged}
        return frozenset({name for name in exported if others.isdisjoint(abi.REPEATS.get(name, ()))} | others)

    @cached_property
    def table(self) -> Table:
        """The addresses of the exported functions."""
        exchanged = dict(self.exchanged)
        symbols = {name: getattr(self.loaded, f"tactician_{name}") for name in self.rule_names - set(exchanged)}
        symbols |= {name: self._function(function) for name, function in exchanged.items()}
        addresses = {name: ctypes.cast(symbol, ctypes.c_void_p).value or 0 for name, symbol in symbols.items()}
        return Table(addresses, (self.loaded, symbols))

    def _function(self, function: Any) -> Any:
        return getattr(self.loaded, function) if isinstance(function, str) else function

    @property
    def functions(self) -> Mapping[str, Callable[..., Any]]:
        """The rules are not Python functions."""
        return {}

    @property
    def handles(self) -> None:
        """A state is its record."""

    def source(self, name: str) -> None:
        """The library's sources are not known."""

    def scope(self) -> AbstractContextManager[None]:
        """A search allocates nothing."""
        return nullcontext()

    def in_mode(self, mode: str) -> LibraryBackend:
        """A library runs in one way only."""
        if mode == self.mode:
            return self
        raise InvalidGameError(f"game {self.name!r} comes from a library and can't be {mode}.")

    def with_rule(self, rule: abi.Rule, function: Any) -> LibraryBackend:
        """The same game with one rule exchanged: the name of an exported function, or a ctypes function."""
        if isinstance(function, str) and not hasattr(self.loaded, function):
            raise InvalidGameError(
                f"library {self.path!r} exports no function {function!r} for the rule {rule.name!r}."
            )
        if not isinstance(function, str) and not _is_c_function(function):
            raise InvalidGameError(
                f"rule {rule.name!r} of {self.name!r} is {function!r}; "
                "expected the name of a function that the library exports, or a ctypes function."
            )
        return LibraryBackend(self.path, self.config, self.state, self.name, (*self.exchanged, (rule.name, function)))

    def with_learned(self, learned: bool) -> LibraryBackend:
        """A library's configuration has no place for weights of features."""
        raise InvalidGameError(f"game {self.name!r} comes from a library; its evaluation can't be learned.")
