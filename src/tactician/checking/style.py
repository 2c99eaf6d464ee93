"""Looks at the source of rules for what compiles but is slow: lists, dictionaries and strings."""

from __future__ import annotations

import ast
import inspect
import textwrap
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from numba.core.dispatcher import Dispatcher

from tactician.contract.game import Game
from tactician.native.failures import is_the_authors
from tactician.native.variants import names_used

_SLOW_CALLS = {"list": "a list", "dict": "a dictionary", "set": "a set", "str": "a string"}
_SLOW_NODES: dict[type, str] = {
    ast.List: "a list",
    ast.ListComp: "a list",
    ast.Dict: "a dictionary",
    ast.DictComp: "a dictionary",
    ast.Set: "a set",
    ast.JoinedStr: "a string",
}


def slow_constructs(game: Game) -> list[str]:
    """A sentence for each rule or helper that builds lists, dictionaries or strings."""
    functions = game.backend.functions
    found: dict[str, None] = {}
    for rule, function in functions.items():
        for source in _reached(function, set()):
            for thing, place in _slow_in(source):
                found.setdefault(f"rule {rule!r} builds {thing} ({place}), which is many times slower than an array")
    return list(found)


def _reached(function: Any, seen: set[int]) -> Iterator[Any]:
    """A rule and the helpers it reaches, as plain functions of the author's."""
    source = function.py_func if isinstance(function, Dispatcher) else function
    if id(source) in seen or not inspect.isfunction(source):
        return
    seen.add(id(source))
    if is_the_authors(Path(source.__code__.co_filename)):
        yield source
    for name in names_used(source.__code__):
        value = source.__globals__.get(name)
        if isinstance(value, Dispatcher):
            yield from _reached(value, seen)


def _slow_in(function: Any) -> Iterator[tuple[str, str]]:
    try:
        lines, first = inspect.getsourcelines(function)
        tree = ast.parse(textwrap.dedent("".join(lines)))
    except (OSError, SyntaxError, TypeError):
        return
    name = Path(function.__code__.co_filename).name
    raised = {
        id(part) for node in ast.walk(tree) if isinstance(node, (ast.Raise, ast.Assert)) for part in ast.walk(node)
    }
    printed = {
        id(part)
        for node in ast.walk(tree)
        if isinstance(node, ast.Call) and getattr(node.func, "id", "") == "print"
        for part in ast.walk(node)
    }
    for node in ast.walk(tree):
        if id(node) in raised or id(node) in printed or isinstance(getattr(node, "ctx", None), ast.Store):
            continue
        thing = _SLOW_NODES.get(type(node))
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name):
            thing = _SLOW_CALLS.get(node.func.id)
        if thing:
            yield thing, f"{name}, line {first + getattr(node, 'lineno', 1) - 1}"


def _runs_rarely(node: ast.AST) -> bool:
    """Errors and prints: nobody minds their time."""
    prints = isinstance(node, ast.Call) and getattr(node.func, "id", "") == "print"
    return prints or isinstance(node, (ast.Raise, ast.Assert))
