"""Parameters as a command line writes them: ``key=value,key=value``.

Games, planners, programs, weights and search spaces are all written this way. This module splits the text and reads the
values; who asks for them says in a message what was expected.
"""

from __future__ import annotations

import contextlib
import math
import types
import typing
from collections.abc import Mapping
from typing import Any

from tactician.errors import InvalidParameterError


def require_finite(name: str, value: float) -> None:
    """Refuse NaN and infinity, which pass comparisons with bounds."""
    if not math.isfinite(value):
        raise InvalidParameterError(f"{name} is {value}; expected a finite number.")


_BOOLEANS = {"true": True, "false": False, "1": True, "0": False, "yes": True, "no": False}
_NONE: Mapping[str, Any] = {"none": None}


def split_pairs(text: str, separator: str = ",") -> list[tuple[str, str | None]]:
    """The keys and values in their order; None as the value of a key without ``=``."""
    pairs = []
    for part in split(text, separator):
        key, equals, value = part.partition("=")
        pairs.append((key, value if equals else None))
    return pairs


def split(text: str, separator: str = ",") -> list[str]:
    """The parts of a text, empty ones left out; a separator inside brackets does not count."""
    parts, depth = [""], 0
    for letter in text:
        depth += {"(": 1, ")": -1}.get(letter, 0)
        if letter == separator and depth == 0:
            parts.append("")
        else:
            parts[-1] += letter
    return [part for part in parts if part]


def bracketed(value: Any) -> str:
    """A value as a command line writes it: what has parameters of its own goes into brackets."""
    text = str(value)
    return f"({text})" if "," in text or ":" in text else text


def read_like(text: str, default: Any) -> Any:
    """A value of the default's type; of any type if the default is None. ValueError if the text is not of that type."""
    if default is None:
        return guess(text)
    for kind in (bool, int, float):
        if isinstance(default, kind):
            return read_as(text, kind)
    return text


def read_as(text: str, hint: Any) -> Any:
    """A value of a type or of the first type of a union that fits; ValueError if none does."""
    for option in options_of(hint):
        with contextlib.suppress(ValueError):
            return _read(text, option)
    raise ValueError(text)


def options_of(hint: Any) -> tuple[Any, ...]:
    """The types of a union, or the type itself."""
    union = isinstance(hint, types.UnionType) or typing.get_origin(hint) is typing.Union
    return typing.get_args(hint) if union else (hint,)


def guess(text: str, words: Mapping[str, Any] = _NONE) -> Any:
    """The value of a parameter of unknown type: one of the words, a number, or else the text itself."""
    if text.lower() in words:
        return words[text.lower()]
    for kind in (int, float):
        with contextlib.suppress(ValueError):
            return kind(text)
    return text


def parse_weights(text: str) -> dict[str, float]:
    """The numbers of ``name=number;name=number``."""
    weights: dict[str, float] = {}
    for name, number in split_pairs(text, ";"):
        try:
            value = float(number or "")
        except ValueError:
            value = math.nan
        if not name.strip().isidentifier() or not math.isfinite(value):
            raise InvalidParameterError(f"weights are {text!r}; expected name=number;name=number.")
        weights[name.strip()] = value
    return weights


def _read(text: str, kind: Any) -> Any:
    if kind is bool:
        if text.lower() not in _BOOLEANS:
            raise ValueError(text)
        return _BOOLEANS[text.lower()]
    if kind in (int, float):
        return kind(text)
    if text.startswith("(") and text.endswith(")"):
        text = text[1:-1]
    if kind is str or typing.get_origin(kind) is typing.Literal:
        return text
    if kind is type(None) and text.lower() in ("none", ""):
        return None
    raise ValueError(text)
