"""Scores of edges: what a tree search compares when it selects, kept side by side so that this is quick.

The mean and the root are computed when an edge is visited, which happens once on a path, instead of when it is
compared, which happens to every edge of every node on it.
"""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from tactician.native.caching import inlined, inlined_arithmetic
from tactician.native.memory import int64


class Scores(NamedTuple):
    """What a selection looks at, for every edge of a tree."""

    mean: NDArray[np.float64]
    """[edges] the mean of the values backed up through an edge."""
    root: NDArray[np.float64]
    """[edges] the square root of its visits."""


SCORE_BYTES = 16


def make_scores(edges: int) -> Scores:
    """Room for the scores of `edges` edges."""
    return Scores(np.zeros(edges), np.zeros(edges))


@inlined
def set_score(scores: Scores, place: int, total: float, visits: int) -> None:
    """Set the score of an edge whose visits, at least one, brought the values `total`."""
    scores.mean[place] = total / visits
    scores.root[place] = math.sqrt(visits)


@inlined_arithmetic
def best_bound(scores: Scores, first: int, count: int, scale: float, bonus: float, bounds: NDArray[np.float64]) -> int:
    """The one of `count` edges from place `first` on with the highest upper confidence bound, the first of equals.

    `bounds` is room for a number each.
    """
    # Several short loops, because the processor works on several edges at once in each of them.
    if bonus > 0.0:
        for i in range(count):
            place = np.uint64(first + i)
            bounds[i] = scale * scores.mean[place] + bonus / scores.root[place]
    else:
        for i in range(count):
            bounds[i] = scale * scores.mean[np.uint64(first + i)]
    highest = -np.inf
    for i in range(count):
        if bounds[i] > highest:
            highest = bounds[i]
    for i in range(count):
        if bounds[i] == highest:
            return int64(i)
    return int64(0)


@inlined
def exploration_bonus(exploration: float, visits: int) -> float:
    """What UCT adds to the mean of an edge, before it is divided by the root of the edge's visits."""
    return 2.0 * exploration * math.sqrt(2.0 * math.log(max(1, visits)))
