"""Scores of edges: what a tree search compares when it selects, kept side by side so that this is quick.

The mean and the root are computed when an edge is visited, which happens once on a path, instead of when it is
compared, which happens to every edge of every node on it.
"""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from tactician.contract.bits import lowest
from tactician.native.caching import inlined
from tactician.native.memory import address, int64
from tactician.native.vectors import LANES, equal_eight, scale_eight, weigh_eight


class Scores(NamedTuple):
    """What a selection looks at, for every edge of a tree."""

    mean: NDArray[np.float64]
    """[edges] the mean of the values backed up through an edge."""
    root: NDArray[np.float64]
    """[edges] the square root of its visits."""


SCORE_BYTES = 16
_FEW = 1024
_ROOTS_OF_LOGS = np.array([math.sqrt(2.0 * math.log(max(1, visits))) for visits in range(_FEW)])
"""What `exploration_bonus` needs a logarithm for, of the visits that most nodes have."""


def make_scores(edges: int) -> Scores:
    """Room for the scores of `edges` edges."""
    return Scores(np.zeros(edges + LANES), np.zeros(edges + LANES))


def bounds_room(edges: int) -> int:
    """How many numbers `best_bound` may write for so many edges."""
    return edges + LANES


@inlined
def set_score(scores: Scores, place: int, total: float, visits: int) -> None:
    """Set the score of an edge whose visits, at least one, brought the values `total`."""
    scores.mean[place] = total / visits
    scores.root[place] = math.sqrt(visits)


@inlined
def best_bound(scores: Scores, first: int, count: int, scale: float, bonus: float, bounds: NDArray[np.float64]) -> int:
    """The one of `count` edges from place `first` on with the highest upper confidence bound, the first of equals.

    `bounds` is room for a number each, of `bounds_room(count)`.
    """
    means, roots, out = address(scores.mean) + 8 * first, address(scores.root) + 8 * first, address(bounds)
    highest = -np.inf
    if bonus > 0.0:
        for i in range(0, count, LANES):
            at = 8 * i
            highest = max(highest, weigh_eight(out + at, means + at, roots + at, scale, bonus, count - i))
    else:
        for i in range(0, count, LANES):
            highest = max(highest, scale_eight(out + 8 * i, means + 8 * i, scale, count - i))
    for i in range(0, count, LANES):
        equal = equal_eight(out + 8 * i, highest)
        if equal != 0:
            return i + lowest(np.uint64(equal))
    return int64(0)


@inlined
def exploration_bonus(exploration: float, visits: int) -> float:
    """What UCT adds to the mean of an edge, before it is divided by the root of the edge's visits."""
    if exploration == 0.0:
        return 0.0
    if visits < _FEW:
        return 2.0 * exploration * _ROOTS_OF_LOGS[visits]
    return 2.0 * exploration * math.sqrt(2.0 * math.log(visits))
