"""Learned evaluations beyond a weighted sum: a network with one layer of hidden units on the features of both sides.

Each unit sees both sides, its own and the other's. The network is asked twice, once for each side, and the difference
is added to the weighted sum: what is good for one side is as bad for the other by construction. All numbers stand in
the configuration, in a field of fixed size, so that every network of up to `MOST_UNITS` units runs with the same
machine code.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from tactician.errors import InvalidParameterError
from tactician.native.linked import linked

UNITS_FIELD, NETWORK_FIELD = "feature_units", "feature_network"
"""The fields of the configuration that hold how many units there are, and their numbers."""
MOST_UNITS = 32
_UNIT = ("own", "other", "bias", "out")


class FeatureNetwork(NamedTuple):
    """The hidden units; a network has at least one."""

    own: NDArray[np.float64]
    """[units, features] the weights of the features of the side that is judged ..."""
    other: NDArray[np.float64]
    """[units, features] ... and of the other side's."""
    bias: NDArray[np.float64]
    """[units] what is added to both; a unit passes on what is greater than 0."""
    out: NDArray[np.float64]
    """[units] what each is worth."""

    def odds(self, ours: NDArray[Any], theirs: NDArray[Any]) -> NDArray[np.float64]:
        """What the network adds to the logarithm of the odds; [positions, features] of both sides."""
        first = np.maximum(ours @ self.own.T + theirs @ self.other.T + self.bias, 0.0)
        second = np.maximum(theirs @ self.own.T + ours @ self.other.T + self.bias, 0.0)
        found: NDArray[np.float64] = (first - second) @ self.out
        return found

    def fields(self) -> dict[str, Any]:
        """What it sets in the configuration."""
        table = np.zeros((2 * self.own.shape[1] + 2, MOST_UNITS))
        table[:, : len(self.out)] = np.concatenate([self.own.T, self.other.T, self.bias[None], self.out[None]])
        return {UNITS_FIELD: len(self.out), NETWORK_FIELD: table}

    def to_json(self) -> list[dict[str, Any]]:
        """For a file: a unit after the other, its weights in the order of the features."""
        return [
            {"own": own.tolist(), "other": other.tolist(), "bias": float(bias), "out": float(out)}
            for own, other, bias, out in zip(*self, strict=True)
        ]


def network_fields(features: int) -> list[tuple[Any, ...]]:
    """The fields of a configuration that hold a network."""
    return [(UNITS_FIELD, "i8"), (NETWORK_FIELD, "f8", (2 * features + 2, MOST_UNITS))]


def no_network(features: int) -> dict[str, Any]:
    """What an evaluation without a network sets."""
    return {UNITS_FIELD: 0, NETWORK_FIELD: np.zeros((2 * features + 2, MOST_UNITS))}


def read_network(what: str, units: Any, features: int) -> FeatureNetwork | None:
    """The network of a file; None if it has none."""
    if units is None:
        return None
    if not isinstance(units, list) or not 1 <= len(units) <= MOST_UNITS:
        raise InvalidParameterError(f"{what} has a network that is no list of 1 to {MOST_UNITS} units.")
    for number, unit in enumerate(units, 1):
        if not (isinstance(unit, Mapping) and set(unit) == set(_UNIT) and _is_unit(unit, features)):
            raise InvalidParameterError(
                f"{what}, unit {number} of the network: expected own and other with {features} finite numbers each, "
                "bias and out."
            )
    return FeatureNetwork(*(np.array([unit[part] for unit in units], np.float64) for part in _UNIT))


def _is_unit(unit: Mapping[str, Any], features: int) -> bool:
    lists: Sequence[Any] = (unit["own"], unit["other"])
    if not all(isinstance(numbers, list) and len(numbers) == features for numbers in lists):
        return False
    every = [*unit["own"], *unit["other"], unit["bias"], unit["out"]]
    return all(isinstance(number, int | float) and math.isfinite(number) for number in every)


@linked
def network_odds(table: Any, units: Any, ours: Any, theirs: Any) -> Any:
    """What a network adds to the logarithm of the odds; features that neither side has cost nothing."""
    count = len(ours)
    first, second = np.empty(MOST_UNITS), np.empty(MOST_UNITS)
    for unit in range(units):
        first[unit] = table[2 * count, unit]
        second[unit] = table[2 * count, unit]
    for i in range(count):
        our, their = ours[i], theirs[i]
        if our != 0.0 or their != 0.0:
            for unit in range(units):
                own, other = table[i, unit], table[count + i, unit]
                first[unit] += own * our + other * their
                second[unit] += own * their + other * our
    odds = 0.0
    for unit in range(units):
        odds += table[2 * count + 1, unit] * (max(first[unit], 0.0) - max(second[unit], 0.0))
    return odds
