"""What the API reference shows: the public names of the public packages, each documented once where it is first listed.

mkdocstrings reads `::: path.of.an.object` in a page and puts the docstring there. The paths are those of the modules
that define the objects, because a package may have a function and a module of the same name (`contract.rules`).
"""

from __future__ import annotations

import ast
import importlib
import inspect
from pathlib import Path
from types import ModuleType
from typing import Any

PACKAGES = (
    "tactician.contract",
    "tactician.seats",
    "tactician.planners",
    "tactician.games",
    "tactician.checking",
    "tactician.arena",
    "tactician.tuning",
    "tactician.learning",
    "tactician.experiments",
)
"""The public packages; docs/api has a page for each."""


def api(package: str) -> str:
    """The part of a page that mkdocstrings replaces, then links to what another page documents."""
    elsewhere = {path for other in PACKAGES[: PACKAGES.index(package)] for path in documented(other).values()}
    names = documented(package)
    lines = [f"::: {path}\n" for path in names.values() if path not in elsewhere]
    if shared := [f"[`{name}`][{path}]" for name, path in names.items() if path in elsewhere]:
        lines.append(f"Also in this package: {', '.join(shared)}.\n")
    return "\n" + "\n".join(lines) + "\n"


def documented(package: str) -> dict[str, str]:
    """Every public name of a package with the path of its definition."""
    module = importlib.import_module(package)
    imported = _imports(module)
    return {name: _path(getattr(module, name), imported.get(name, f"{package}.{name}")) for name in module.__all__}


def _path(value: Any, imported: str) -> str:
    if isinstance(value, ModuleType):
        return value.__name__
    if inspect.isclass(value) or inspect.isfunction(value):
        return f"{value.__module__}.{value.__qualname__}"
    return imported  # constants and types do not know where they were defined


def _imports(module: ModuleType) -> dict[str, str]:
    tree = ast.parse(Path(str(module.__file__)).read_text(encoding="utf-8"))
    return {
        alias.asname or alias.name: f"{node.module}.{alias.name}"
        for node in ast.walk(tree)
        if isinstance(node, ast.ImportFrom) and node.module
        for alias in node.names
    }
