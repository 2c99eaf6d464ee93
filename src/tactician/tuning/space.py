"""What is searched: a finite list of values for each named parameter.

A point is a mapping from names to values for people and evaluators, and a row of places in those lists for the search.
"""

from __future__ import annotations

import json
import math
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from tactician.errors import InvalidParameterError, UnknownNameError, short
from tactician.parameters import guess

Point = dict[str, Any]
"""A value for each parameter, by name."""

_WORDS = {"true": True, "false": False, "none": None}


class Space:
    """The values that each parameter may have.

    >>> Space({"w1": [0, 1, 2], "mutation": ["swap", "insert"]}).size
    6
    """

    def __init__(self, values: Mapping[str, Iterable[Any]]) -> None:
        if not isinstance(values, Mapping) or not values:
            raise InvalidParameterError(
                f"the space is {short(values)}; expected at least one parameter with its values."
            )
        self.values: dict[str, tuple[Any, ...]] = {name: _checked(name, listed) for name, listed in values.items()}
        self.names = tuple(self.values)
        self.sizes: NDArray[np.intp] = np.array([len(listed) for listed in self.values.values()], np.intp)
        if self.size == 1:
            raise InvalidParameterError("every parameter has one value only; there is nothing to tune.")

    @property
    def size(self) -> int:
        """How many points there are."""
        return math.prod(len(listed) for listed in self.values.values())

    def point(self, row: Sequence[int] | NDArray[np.intp]) -> Point:
        """The values at a row of places."""
        return {name: listed[place] for (name, listed), place in zip(self.values.items(), row, strict=True)}

    def row(self, point: Mapping[str, Any]) -> tuple[int, ...]:
        """The places of a point's values."""
        for name in point:
            if name not in self.values:
                raise UnknownNameError("parameter", name, self.names)
        try:
            return tuple(listed.index(point[name]) for name, listed in self.values.items())
        except (KeyError, ValueError):
            raise InvalidParameterError(f"{short(dict(point))} is not a point of the space.") from None

    def to_json(self) -> dict[str, list[Any]]:
        """The lists by name, as `Space` takes them."""
        return {name: list(listed) for name, listed in self.values.items()}

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Space) and json.dumps(self.to_json()) == json.dumps(other.to_json())

    def __hash__(self) -> int:
        return hash(json.dumps(self.to_json()))

    def __repr__(self) -> str:
        return f"Space({self.to_json()!r})"


def read_space(path: str | Path) -> dict[str, Any]:
    """The parameters of a JSON file: an object with a list of values for each name."""
    try:
        found = json.loads(Path(path).read_text(encoding="utf-8"), object_pairs_hook=_without_doubles)
    except OSError as error:
        raise InvalidParameterError(f"space file {str(path)!r} can't be read: {error.strerror}.") from error
    except ValueError as error:
        raise InvalidParameterError(f"space file {str(path)!r} is not JSON: {error}.") from error
    if not isinstance(found, dict):
        raise InvalidParameterError(f'space file {str(path)!r} holds {short(found)}; expected {{"name": [values]}}.')
    return found


def parse_parameter(text: str) -> tuple[str, list[Any]]:
    """Read 'name=value,value': numbers, true, false and none are what they say, anything else is text."""
    name, equals, listed = text.partition("=")
    if not equals or not name.strip():
        raise InvalidParameterError(f"parameter {text!r} can't be read; expected name=value,value.")
    if not listed.strip():
        raise InvalidParameterError(f"parameter {name.strip()!r} has no values; expected name=value,value.")
    return name.strip(), [guess(part.strip(), _WORDS) for part in listed.split(",")]


def _checked(name: object, listed: Any) -> tuple[Any, ...]:
    if not isinstance(name, str) or not name:
        raise InvalidParameterError(f"a parameter is called {name!r}; expected a name.")
    if isinstance(listed, str | Mapping) or not isinstance(listed, Iterable):
        raise InvalidParameterError(f"parameter {name!r} is {short(listed)}; expected a list of values.")
    values = tuple(value.item() if isinstance(value, np.generic) else value for value in listed)
    if not values:
        raise InvalidParameterError(f"parameter {name!r} has no values; expected at least one.")
    for number, value in enumerate(values):
        if not isinstance(value, int | float | str | None) or (isinstance(value, float) and not math.isfinite(value)):
            raise InvalidParameterError(f"parameter {name!r} has the value {short(value)}; expected a number or text.")
        if value == "":
            raise InvalidParameterError(f"parameter {name!r} has an empty value; expected a number or text.")
        if value in values[:number]:
            raise InvalidParameterError(f"parameter {name!r} has the value {value!r} twice; expected it once.")
    return values


def _without_doubles(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    names = [name for name, _ in pairs]
    for name in names:
        if names.count(name) > 1:
            raise ValueError(f"{name!r} stands there twice")
    return dict(pairs)
