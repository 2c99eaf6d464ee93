"""UCB1: the mean value and a bonus for what has been tried little. An arm is the sum of its values and their number."""

from __future__ import annotations

import math

from tactician.contract.random import below
from tactician.planners.bandits.base import Arm, Arms, Bandit, Stream

_TOTAL, _VISITS = 0, 1
"""The two numbers of an arm."""


def select(arms: Arms, c: float, rng: Stream) -> int:
    """Untried arms first, at random; then mean + c·sqrt(ln N / n), ties at random."""
    total, untried = 0.0, 0
    for i in range(arms.shape[0]):
        total += arms[i, _VISITS]
        untried += int(arms[i, _VISITS] == 0.0)
    if untried > 0:
        left = below(rng, untried)
        for i in range(arms.shape[0]):
            if arms[i, _VISITS] == 0.0:
                if left == 0:
                    return i
                left -= 1
    bonus = c * math.sqrt(math.log(total))
    best, best_bound, ties = 0, -math.inf, 0
    for i in range(arms.shape[0]):
        bound = arms[i, _TOTAL] / arms[i, _VISITS] + bonus / math.sqrt(arms[i, _VISITS])
        if bound > best_bound:
            best, best_bound, ties = i, bound, 1
        elif bound == best_bound:
            ties += 1
            if below(rng, ties) == 0:
                best = i
    return best


def update(arm: Arm, value: float) -> None:
    """One more value."""
    arm[_TOTAL] += value
    arm[_VISITS] += 1.0


def most_visits(arms: Arms, rng: Stream) -> int:
    """The arm tried most, ties at random."""
    best, most, ties = 0, -1.0, 0
    for i in range(arms.shape[0]):
        if arms[i, _VISITS] > most:
            best, most, ties = i, arms[i, _VISITS], 1
        elif arms[i, _VISITS] == most:
            ties += 1
            if below(rng, ties) == 0:
                best = i
    return best


def highest_mean(arms: Arms, rng: Stream) -> int:
    """The arm with the highest mean value, ties at random; one that was never tried is the last resort."""
    best, best_mean, ties = 0, -math.inf, 0
    for i in range(arms.shape[0]):
        mean = arms[i, _TOTAL] / arms[i, _VISITS] if arms[i, _VISITS] > 0.0 else -2.0
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


def prior(worth: float, weight: float) -> tuple[float, float]:
    """So many visits with that mean."""
    return weight * worth, weight


UCB1 = Bandit("ucb1", select, update, most_visits, mean, visits, exploration=2.0, prior=prior)
"""The released code's reading: in the end the arm tried most."""
UCB1_VALUE = Bandit("ucb1-value", select, update, highest_mean, mean, visits, exploration=2.0, prior=prior)
"""The paper's text: in the end the arm with the highest value."""
