"""Import by name: references (``package.module:name``), names that a package imports on first use, Python files.

References let one module name another without importing it. They stand in entries of games, in the tables of packages
and in the entry points of installed packages.
"""

from __future__ import annotations

import hashlib
import importlib
import importlib.util
import sys
from collections.abc import Callable, Iterable, Mapping
from pathlib import Path
from types import ModuleType
from typing import Any

from tactician.errors import InvalidParameterError, TacticianError, UnknownNameError, short

_SHOWN = 200
"""Characters of a path in a message."""


def resolve(reference: str) -> Any:
    """Import what ``package.module:name`` or ``package.module`` stands for."""
    module, _, name = reference.partition(":")
    found = importlib.import_module(module)
    for part in filter(None, name.split(".")):
        found = getattr(found, part)
    return found


def missing_extra(purpose: str, package: str, extra: str) -> InvalidParameterError:
    """What to raise where an optional dependency is not installed: a sentence that names the extra."""
    return InvalidParameterError(
        f"{purpose} needs {package}, which is not installed; expected: pip install 'tactician[{extra}]'."
    )


def lazy_package(
    package: str,
    names: Mapping[str, str],
    find: Callable[[str], str | None] = lambda _name: None,
    more: Callable[[], Iterable[str]] = tuple,
) -> None:
    """Let a package import its public names when they are first used; call it in the package's ``__init__``.

    `names` has the reference of each name. `find` gives the reference of a name that is not among them, or None, and
    `more` lists the names that `find` knows. A name may also be that of a submodule: `contract.rules` is a function of
    the module `contract.rules`, whether or not that module has been imported.
    """
    module = sys.modules[package]
    module.__class__ = _LazyPackage
    vars(module).update(_names=dict(names), _find=find, _more=more)


class _LazyPackage(ModuleType):
    """A package that looks up its names in a table."""

    _names: dict[str, str]
    _find: Callable[[str], str | None]
    _more: Callable[[], Iterable[str]]

    def __getattr__(self, name: str) -> Any:
        submodule = sys.modules.get(f"{self.__name__}.{name}")
        if name.startswith("_"):
            reference = None
        else:
            reference = self._names.get(name) or self._find(name)
        if reference is None and submodule is None:
            raise AttributeError(f"module {self.__name__!r} has no attribute {name!r}")
        value = submodule if reference is None else resolve(reference)
        vars(self)[name] = value
        return value

    def __setattr__(self, name: str, value: Any) -> None:
        # Importing a submodule binds it in its package. Its name may mean something else there: `__getattr__` decides.
        if not (isinstance(value, ModuleType) and value.__name__ == f"{self.__name__}.{name}"):
            super().__setattr__(name, value)

    def __dir__(self) -> list[str]:
        return sorted({*vars(self).get("__all__", ()), *self._names, *self._more()})


def object_in_file(
    path: Path, name: str, kind: str, is_one: Callable[[Any], bool], error_kind: type[TacticianError]
) -> Any:
    """An object of a Python file, which may import its neighbours; `is_one` tells what may have been meant."""
    try:
        exists = path.is_file()
    except (OSError, ValueError):  # what can't be a path: too long, or with a null byte
        exists = False
    if not exists:
        raise error_kind(f"{kind} file {short(str(path), _SHOWN)} does not exist.")
    if not name:
        raise error_kind(f"{kind} file {str(path)!r} is named without an object; expected {path}:{kind}.")
    module = _module_of(path, kind, error_kind)
    if not hasattr(module, name):
        meant = [key for key, value in vars(module).items() if is_one(value)]
        raise UnknownNameError(f"object in {str(path)!r}:", name, meant)
    return getattr(module, name)


def _module_of(path: Path, kind: str, error_kind: type[TacticianError]) -> ModuleType:
    """A Python file as a module, run once in a process."""
    folder = str(path.resolve().parent)
    if folder not in sys.path:
        sys.path.append(folder)
    # A name of its own for each path: two files called game.py are two modules.
    module_name = f"tactician_user_{hashlib.sha256(str(path.resolve()).encode()).hexdigest()[:12]}_{path.stem}"
    if module_name in sys.modules:
        return sys.modules[module_name]
    specification = importlib.util.spec_from_file_location(module_name, path)
    assert specification is not None
    assert specification.loader is not None
    module = importlib.util.module_from_spec(specification)
    sys.modules[module_name] = module
    try:
        specification.loader.exec_module(module)
    except TacticianError:
        del sys.modules[module_name]
        raise
    except KeyboardInterrupt:
        del sys.modules[module_name]
        raise
    except BaseException as error:  # a file that ends the process, or raises a class of its own
        del sys.modules[module_name]
        line, text = _line_in(error, path), " ".join(str(error).split())
        raise error_kind(f"{kind} file {str(path)!r}{line} raised {type(error).__name__}: {text}.") from error
    return module


def _line_in(error: BaseException, path: Path) -> str:
    """The line of a file that an exception passed through."""
    if isinstance(error, SyntaxError) and Path(error.filename or "").name == path.name:
        return f", line {error.lineno},"
    trace, line = error.__traceback__, ""
    while trace is not None:
        if Path(trace.tb_frame.f_code.co_filename).name == path.name:
            line = f", line {trace.tb_lineno},"
        trace = trace.tb_next
    return line
