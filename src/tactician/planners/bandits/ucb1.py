"""UCB1: the mean value and a bonus for what has been tried little. An arm is the sum of its values and their number."""

from __future__ import annotations

import math
from typing import Any

from tactician.contract.random import below
from tactician.planners.bandits.base import Bandit


def select(arms: Any, c: Any, rng: Any) -> int:
    """Untried arms first, at random; then mean + c·sqrt(ln N / n), ties at random."""
    total, untried = 0.0, 0
    for i in range(arms.shape[0]):
        total += arms[i, 1]
        untried += int(arms[i, 1] == 0.0)
    if untried > 0:
        left = below(rng, untried)
        for i in range(arms.shape[0]):
            if arms[i, 1] == 0.0:
                if left == 0:
                    return i
                left -= 1
    bonus = c * math.sqrt(math.log(total))
    best, best_bound, ties = 0, -math.inf, 0
    for i in range(arms.shape[0]):
        bound = arms[i, 0] / arms[i, 1] + bonus / math.sqrt(arms[i, 1])
        if bound > best_bound:
            best, best_bound, ties = i, bound, 1
        elif bound == best_bound:
            ties += 1
            if below(rng, ties) == 0:
                best = i
    return best


def update(arm: Any, value: Any) -> None:
    """One more value."""
    arm[0] += value
    arm[1] += 1.0


def most_visits(arms: Any, rng: Any) -> int:
    """The arm tried most, ties at random."""
    best, most, ties = 0, -1.0, 0
    for i in range(arms.shape[0]):
        if arms[i, 1] > most:
            best, most, ties = i, arms[i, 1], 1
        elif arms[i, 1] == most:
            ties += 1
            if below(rng, ties) == 0:
                best = i
    return best


def highest_mean(arms: Any, rng: Any) -> int:
    """The arm with the highest mean value, ties at random; one that was never tried is the last resort."""
    best, best_mean, ties = 0, -math.inf, 0
    for i in range(arms.shape[0]):
        mean = arms[i, 0] / arms[i, 1] if arms[i, 1] > 0.0 else -2.0
        if mean > best_mean:
            best, best_mean, ties = i, mean, 1
        elif mean == best_mean:
            ties += 1
            if below(rng, ties) == 0:
                best = i
    return best


def mean(total: float, visits: float) -> float:
    """The mean value."""
    return total / visits if visits else 0.0


def visits(total: float, visits: float) -> float:
    """Kept as the second number."""
    return visits


UCB1 = Bandit("ucb1", select, update, most_visits, mean, visits, exploration=2.0)
"""The released code's reading: in the end the arm tried most."""
UCB1_VALUE = Bandit("ucb1-value", select, update, highest_mean, mean, visits, exploration=2.0)
"""The paper's text: in the end the arm with the highest value."""
