"""Check what is read from JSON documents: each function returns the value or refuses it.

A refusal is an `InvalidStateError` whose message names the field, its value and what was expected. Parameters given in
Python are checked with `contract.requirements`.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from tactician.errors import InvalidStateError, short


def require_fields(what: str, data: Any, needed: Sequence[str], allowed: Sequence[str] = ()) -> None:
    """Require an object that has every field of `needed` and no others, except those of `allowed`."""
    if not isinstance(data, dict):
        raise InvalidStateError(f"{what} is {short(data)}; expected an object with {', '.join(needed)}.")
    for name in needed:
        required_field(what, data, name)
    for name in data:
        if name not in needed and name not in allowed:
            raise InvalidStateError(f"{what} has an unknown field {name!r}; expected {', '.join(needed)}.")


def required_field(what: str, data: dict[str, Any], name: str) -> Any:
    """Return the value of a field that an object must have."""
    if name not in data:
        raise InvalidStateError(f"{what} lacks the field {name!r}.")
    return data[name]


def integer(name: str, value: Any, least: int, most: int) -> int:
    """Require an integer from `least` to `most`; true and false are not integers here."""
    if type(value) is not int or not least <= value <= most:
        raise InvalidStateError(f"{name} is {short(value)}; expected an integer from {least} to {most}.")
    return value


def boolean(name: str, value: Any) -> bool:
    """Require true or false."""
    if not isinstance(value, bool):
        raise InvalidStateError(f"{name} is {short(value)}; expected true or false.")
    return value


def choice(name: str, value: Any, allowed: Sequence[str]) -> str:
    """Require one of the allowed words."""
    if not isinstance(value, str) or value not in allowed:
        raise InvalidStateError(f"{name} is {short(value)}; expected one of {', '.join(allowed)}.")
    return value


def sequence(name: str, value: Any, least: int, most: int) -> list[Any]:
    """Require a list of `least` to `most` entries."""
    if isinstance(value, list) and least <= len(value) <= most:
        return value
    found = f"is {short(value)}"
    if isinstance(value, list):
        found = "has 1 entry" if len(value) == 1 else f"has {len(value)} entries"
    size = str(least) if least == most else f"{least} to {most}"
    raise InvalidStateError(f"{name} {found}; expected a list of {size}.")


def entry(name: str, value: Any, parts: Sequence[str]) -> list[Any]:
    """Require a list with one value for each of `parts`, the names that the message gives."""
    if not isinstance(value, list) or len(value) != len(parts):
        raise InvalidStateError(f"{name} is {short(value)}; expected [{', '.join(parts)}].")
    return value
