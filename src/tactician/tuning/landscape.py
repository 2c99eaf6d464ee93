"""What a search knows: a bandit for every single parameter, for every pair, and for the whole point.

Each bandit has an arm for each combination of its parameters' values, so one evaluation teaches something about all
points that share values with it. All arms stand in flat arrays; the arm of a whole point is added when the point is
first visited, and arm 0 stands for all points that never were.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import combinations
from typing import Any

import numpy as np
from numpy.typing import NDArray

from tactician.tuning.space import Point, Space

_ROOM = 256
"""Points there is room for at first; it doubles when they are used up."""


@dataclass(frozen=True)
class Estimate:
    """A visited point and what the bandits estimate of it."""

    point: Point
    value: float
    """The mean of its arms' means over all bandits."""
    mean: float
    """The mean of its own evaluations alone."""
    visits: int

    def to_json(self) -> dict[str, Any]:
        """The estimate as a document."""
        return dict(vars(self))


@dataclass(frozen=True, eq=False)
class LandscapeTables:
    """What the bandits of singles and pairs have seen, for figures and files. Means need one evaluation, deviations
    two; where there are fewer they are NaN.
    """

    space: Space
    recommended: Point
    singles: tuple[tuple[NDArray[Any], NDArray[Any], NDArray[Any]], ...]
    """Evaluations, means and standard deviations of the values of each parameter."""
    pairs: dict[tuple[int, int], NDArray[Any]]
    """Means of the pairs of values of two parameters."""

    def to_json(self) -> dict[str, Any]:
        """The tables without the space and the recommended point, which stand beside them."""
        names = ("evaluations", "means", "deviations")
        return {
            "singles": [
                {name: _listed(numbers) for name, numbers in zip(names, single, strict=True)} for single in self.singles
            ],
            "pairs": [{"parameters": list(pair), "means": _listed(means)} for pair, means in self.pairs.items()],
        }

    @classmethod
    def from_json(cls, space: Space, recommended: Point, tables: dict[str, Any]) -> LandscapeTables:
        """Read what `to_json` wrote."""
        return cls(
            space,
            recommended,
            tuple(
                (_array(one["evaluations"]), _array(one["means"]), _array(one["deviations"]))
                for one in tables["singles"]
            ),
            {(one["parameters"][0], one["parameters"][1]): _array(one["means"]) for one in tables["pairs"]},
        )


def _listed(numbers: NDArray[Any]) -> Any:
    """Numbers for a JSON document, NaN as null."""
    found = numbers.astype(object)
    found[np.isnan(numbers)] = None
    return found.tolist()


def _array(listed: Any) -> NDArray[Any]:
    return np.array(listed, float)


class Landscape:
    """Counts and sums of every arm; a point is a row of places in the space's lists."""

    def __init__(self, space: Space) -> None:
        self.space = space
        count = len(space.names)
        self.tuples: tuple[tuple[int, ...], ...] = (
            *(group for size in (1, 2) if size < count for group in combinations(range(count), size)),
            tuple(range(count)),
        )
        """The parameters of each bandit: singles, pairs, and last the whole point."""
        small = self.tuples[:-1]
        self._strides = np.zeros((count, len(small)), np.intp)
        self._first = np.ones(len(small), np.intp)
        arms = 1
        for number, group in enumerate(small):
            self._first[number] = arms
            stride = 1
            for parameter in reversed(group):
                self._strides[parameter, number] = stride
                stride *= int(space.sizes[parameter])
            arms += stride
        self._whole: dict[tuple[int, ...], int] = {}
        self._small_arms = arms
        self.pulls = np.zeros(arms + _ROOM)
        """How often each arm was chosen, evaluations that are still running included."""
        self.counts = np.zeros(arms + _ROOM)
        self.sums = np.zeros(arms + _ROOM)
        self.squares = np.zeros(arms + _ROOM)
        self._arms_of = np.zeros((_ROOM, len(self.tuples)), np.intp)
        self._rows: list[tuple[int, ...]] = []
        self.chosen = 0
        """Points chosen so far."""
        self.evaluations = 0
        self._sum = 0.0

    @property
    def mean(self) -> float:
        """The mean of all evaluations."""
        return self._sum / self.evaluations if self.evaluations else 0.0

    def choose(self, row: tuple[int, ...]) -> None:
        """Count a point as visited although its value is not known yet."""
        if row not in self._whole:
            self._add(row)
        self.pulls[self._arms(row)] += 1
        self.chosen += 1

    def learn(self, row: tuple[int, ...], value: float) -> None:
        """Store the value of a chosen point in every bandit."""
        arms = self._arms(row)
        self.counts[arms] += 1
        self.sums[arms] += value
        self.squares[arms] += value * value
        self.evaluations += 1
        self._sum += value

    def ucb(self, points: NDArray[np.intp], exploration: float, epsilon: float) -> NDArray[np.float64]:
        """The upper confidence bound of each point, the mean over its arms.

        The paper leaves open what the mean of an arm without evaluations is. Ours is the mean of all evaluations: with
        0, whatever is new would look worse than anything known, and a small C would never leave its first points.
        """
        arms = self.arms(points)
        counts = self.counts[arms]
        means = np.where(counts > 0, self.sums[arms] / np.maximum(counts, 1), self.mean)
        bonus = np.sqrt(np.log(max(self.chosen, 1)) / (self.pulls[arms] + epsilon))
        return (means + exploration * bonus).mean(axis=1)

    def arms(self, points: NDArray[np.intp]) -> NDArray[np.intp]:
        """The arm of each bandit that each point stands for."""
        found = np.empty((len(points), len(self.tuples)), np.intp)
        found[:, :-1] = points @ self._strides + self._first
        found[:, -1] = [self._whole.get(row, 0) for row in map(tuple, points.tolist())]
        return found

    def best(self, most: int = 1) -> list[Estimate]:
        """The visited points with the highest aggregate means, best first; the longest known first among equals."""
        arms = self._arms_of[: len(self._rows)]
        visited = np.flatnonzero(self.counts[arms[:, -1]] > 0)
        arms = arms[visited]
        values = (self.sums[arms] / self.counts[arms]).mean(axis=1)
        order = np.argsort(-values, kind="stable")[:most]
        return [self._estimate(int(visited[place]), float(values[place])) for place in order]

    def table(self, group: tuple[int, ...]) -> tuple[NDArray[Any], NDArray[Any], NDArray[Any]]:
        """Evaluations, mean and standard deviation for every combination of one or two parameters' values.

        Means need one evaluation, deviations two; where there are fewer they are NaN.
        """
        shape = tuple(int(self.space.sizes[parameter]) for parameter in group)
        if len(self.space.names) == len(group):
            arms = self.arms(np.indices(shape).reshape(len(shape), -1).T)[:, -1]
        else:
            first = int(self._first[self.tuples.index(group)])
            arms = np.arange(first, first + int(np.prod(shape)))
        counts = self.counts[arms]
        with np.errstate(invalid="ignore", divide="ignore"):
            means = np.where(counts > 0, self.sums[arms] / counts, np.nan)
            spread = np.maximum(self.squares[arms] - counts * means**2, 0) / (counts - 1)
            deviations = np.where(counts > 1, np.sqrt(spread), np.nan)
        return counts.reshape(shape), means.reshape(shape), deviations.reshape(shape)

    def tables(self, recommended: Point) -> LandscapeTables:
        """All tables of singles and pairs."""
        count = len(self.space.names)
        return LandscapeTables(
            self.space,
            recommended,
            tuple(self.table((i,)) for i in range(count)),
            {(i, j): self.table((i, j))[1] for j in range(count) for i in range(j)},
        )

    def _estimate(self, number: int, value: float) -> Estimate:
        arm = self._arms_of[number, -1]
        mean = float(self.sums[arm] / self.counts[arm])
        return Estimate(self.space.point(self._rows[number]), value, mean, int(self.counts[arm]))

    def _arms(self, row: tuple[int, ...]) -> NDArray[np.intp]:
        return self._arms_of[self._whole[row] - self._small_arms]

    def _add(self, row: tuple[int, ...]) -> None:
        number = len(self._rows)
        if number == len(self._arms_of):
            self._arms_of = np.concatenate([self._arms_of, np.zeros_like(self._arms_of)])
            for name in ("pulls", "counts", "sums", "squares"):
                setattr(self, name, np.concatenate([getattr(self, name), np.zeros(number)]))
        self._whole[row] = self._small_arms + number
        self._rows.append(row)
        self._arms_of[number] = self.arms(np.array([row], np.intp))[0]
