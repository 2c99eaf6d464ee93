"""Read descriptions out of the source: what stands below a field of a class, and what a function says of its arguments.

The command line and the tables of the documentation show these texts, so that a parameter is described once.
"""

from __future__ import annotations

import ast
import inspect
import re
import textwrap
from collections.abc import Callable
from itertools import pairwise
from typing import Any

_ARGUMENTS = re.compile(r"^Args:\n((?:[ \t]+.*\n?|\n)+)", re.MULTILINE)
_ENTRY = re.compile(r"^(\w+): (.*)$")


def summary(thing: Any) -> str:
    """The first paragraph of an object's docstring, on one line."""
    return " ".join((inspect.getdoc(thing) or "").partition("\n\n")[0].split())


def field_docs(kind: type) -> dict[str, str]:
    """The docstring below each field of a class, those of its base classes included."""
    found: dict[str, str] = {}
    for base in reversed(kind.__mro__[:-1]):
        found |= _own_field_docs(base)
    return found


def argument_docs(function: Callable[..., Any]) -> dict[str, str]:
    """What the section ``Args:`` of a function's docstring says of each argument."""
    section = _ARGUMENTS.search(inspect.getdoc(function) or "")
    found: dict[str, str] = {}
    name = ""
    for line in textwrap.dedent(section[1]).splitlines() if section else ():
        entry = _ENTRY.match(line)
        if entry:
            name = entry[1]
            found[name] = entry[2]
        elif name and line.strip():
            found[name] += f" {line.strip()}"
    return found


def _own_field_docs(kind: type) -> dict[str, str]:
    try:
        tree = ast.parse(textwrap.dedent(inspect.getsource(kind)))
    except (OSError, TypeError):  # a class without source, such as a built-in one
        return {}
    body = tree.body[0].body if isinstance(tree.body[0], ast.ClassDef) else []
    found: dict[str, str] = {}
    for statement, following in pairwise(body):
        if not isinstance(statement, ast.AnnAssign) or not isinstance(statement.target, ast.Name):
            continue
        if isinstance(following, ast.Expr) and isinstance(following.value, ast.Constant):
            found[statement.target.id] = " ".join(str(following.value.value).split())
    return found
