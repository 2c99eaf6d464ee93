"""Check the parameters that users give to a game's factory: each function returns the value or refuses it.

A refusal is an `InvalidParameterError` whose message names the parameter, its value and what was expected. Values read
from JSON documents are checked with `contract.reading`.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from tactician.errors import InvalidParameterError


def require_integer(name: str, value: Any, least: int, most: int) -> int:
    """Require an integer from `least` to `most`; True and False are not integers here."""
    if isinstance(value, bool) or not isinstance(value, int) or not least <= value <= most:
        raise InvalidParameterError(f"{name} is {value!r}; expected an integer from {least} to {most}.")
    return value


def require_boolean(name: str, value: Any) -> bool:
    """Require True or False."""
    if not isinstance(value, bool):
        raise InvalidParameterError(f"{name} is {value!r}; expected True or False.")
    return value


def require_choice(name: str, value: Any, allowed: Iterable[str]) -> str:
    """Require one of the allowed words."""
    words = tuple(allowed)
    if not isinstance(value, str) or value not in words:
        raise InvalidParameterError(f"{name} is {value!r}; expected one of {', '.join(words)}.")
    return value
