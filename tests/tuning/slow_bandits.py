"""NTBEA's bandits in the plainest way: a list of evaluations, looked through for every question."""

from __future__ import annotations

import math
from itertools import combinations

Row = tuple[int, ...]


class SlowBandits:
    """The slow twin of `Landscape`."""

    def __init__(self, parameters: int) -> None:
        sizes = sorted({1, 2, parameters} - {size for size in (1, 2) if size > parameters})
        self.groups = [group for size in sizes for group in combinations(range(parameters), size)]
        self.chosen: list[Row] = []
        self.learnt: list[tuple[Row, float]] = []

    def values(self, group: tuple[int, ...], row: Row) -> list[float]:
        """The evaluations that share the values of some parameters with a row."""
        return [value for other, value in self.learnt if all(other[i] == row[i] for i in group)]

    def pulls(self, group: tuple[int, ...], row: Row) -> int:
        return sum(all(other[i] == row[i] for i in group) for other in self.chosen)

    def mean(self, group: tuple[int, ...], row: Row) -> float:
        found = self.values(group, row) or [value for _, value in self.learnt] or [0.0]
        return sum(found) / len(found)

    def ucb(self, row: Row, c: float, epsilon: float) -> float:
        arms = [
            self.mean(group, row) + c * math.sqrt(math.log(len(self.chosen)) / (self.pulls(group, row) + epsilon))
            for group in self.groups
        ]
        return sum(arms) / len(arms)

    def value(self, row: Row) -> float:
        return sum(self.mean(group, row) for group in self.groups) / len(self.groups)

    def visited(self) -> list[Row]:
        return list(dict.fromkeys(row for row, _ in self.learnt))
