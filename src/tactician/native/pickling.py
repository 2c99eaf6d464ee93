"""Pickle functions that standard pickle refuses: rules whose module holds the compiled form, lambdas, closures.

A function is looked up by module and name where it is unpickled; where it can't be found there, as in a file that was
loaded by its path, it is rebuilt from its code.
"""

from __future__ import annotations

import importlib
import sys
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from numba import cloudpickle


@dataclass(frozen=True)
class FunctionReference:
    """A function in a pickle."""

    module: str
    name: str
    code: bytes | None
    """The function itself, where its module can't be imported by name."""

    def load(self) -> Any:
        """The function, found or rebuilt."""
        found = _found(self.module, self.name, self.code is None)
        return cloudpickle.loads(self.code) if found is None and self.code is not None else found


def portable(value: Any) -> Any:
    """What stands for a value in a pickle: a reference for a function, the value itself for anything else."""
    if not callable(value) or isinstance(value, type):
        return value
    module, name = getattr(value, "__module__", "") or "", getattr(value, "__qualname__", "")
    found = _found(module, name, load=False)
    importable = found is value and module != "__main__" and not module.startswith("tactician_user_")
    return FunctionReference(module, name, None if importable else _by_value(value, sys.modules.get(module)))


def _by_value(function: Any, module: Any) -> bytes:
    """The function with its code and what it uses of its own module."""
    if module is None:
        return cloudpickle.dumps(function)
    cloudpickle.register_pickle_by_value(module)
    try:
        return cloudpickle.dumps(function)
    finally:
        cloudpickle.unregister_pickle_by_value(module)


def restored(value: Any) -> Any:
    """The value that `portable` stood for."""
    return value.load() if isinstance(value, FunctionReference) else value


def portable_fields(fields: dict[str, Any]) -> dict[str, Any]:
    """`portable` for every value."""
    return {name: portable(value) for name, value in fields.items()}


def restored_fields(fields: dict[str, Any]) -> dict[str, Any]:
    """`restored` for every value."""
    return {name: restored(value) for name, value in fields.items()}


def _found(module: str, name: str, load: bool) -> Callable[..., Any] | None:
    """The function of that name in a module, uncompiled; None if there is none."""
    if module not in sys.modules and not load:
        return None
    try:
        found: Any = importlib.import_module(module)
        for part in name.split("."):
            found = getattr(found, part)
    except (ImportError, AttributeError, ValueError):
        return None
    plain: Callable[..., Any] = getattr(found, "py_func", found)
    return plain
