"""Small questions that every game asks of a JSON document it reads, each with one clear sentence for an answer."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from tactician.errors import InvalidStateError, short


def require_fields(what: str, data: Any, needed: Sequence[str], allowed: Sequence[str] = ()) -> None:
    """Refuse what is no object with these fields; `allowed` ones may be there besides."""
    if not isinstance(data, dict):
        raise InvalidStateError(f"{what} is {short(data)}; expected an object with {', '.join(needed)}.")
    for name in needed:
        if name not in data:
            raise InvalidStateError(f"{what} lacks the field {name!r}.")
    for name in data:
        if name not in needed and name not in allowed:
            raise InvalidStateError(f"{what} has an unknown field {name!r}; expected {', '.join(needed)}.")


def integer(name: str, value: Any, least: int, most: int) -> int:
    """An integer in a range; true and false are none."""
    if type(value) is not int or not least <= value <= most:
        raise InvalidStateError(f"{name} is {short(value)}; expected an integer from {least} to {most}.")
    return value
