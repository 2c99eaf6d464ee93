"""Regret matching: an action is played in proportion to how much more it would have earned than what was played.

Only the played action's value is known, so what it would have earned is estimated: a value counts for its action as
often as the action was unlikely to be played (Hart and Mas-Colell 2001). The frequencies of two such players in a
zero-sum game approach an equilibrium as the simulations grow and the exploration shrinks.
"""

from __future__ import annotations

from numba import njit

from tactician.contract.random import below, unit
from tactician.planners.bandits.base import Arms, Bandit, Stream
from tactician.planners.bandits.ucb1 import most_visits

_TOTAL, _VISITS, _EARNED = 0, 1, 2
"""The numbers of an arm: the sum of its values, their number, and what it would have earned if always played."""
_LEAST = 1e-3
"""No value counts for more than a thousand. It matters only without exploration, where a state is met twice in one
simulation and the first visit's value makes the second visit's action one that is never played."""


def select(arms: Arms, c: float, rng: Stream) -> int:
    """Any arm with probability c, else one in proportion to its regret."""
    n = arms.shape[0]
    if unit(rng) < c:
        return below(rng, n)
    earned, regrets = sums(arms)
    if regrets <= 0.0:
        return below(rng, n)
    left = unit(rng) * regrets
    last = 0
    for i in range(n):
        regret = arms[i, _EARNED] - earned
        if regret > 0.0:
            last = i
            left -= regret
            if left < 0.0:
                return i
    return last


@njit
def sums(arms: Arms) -> tuple[float, float]:
    """What was really earned, and the sum of all positive regrets."""
    earned = 0.0
    for i in range(arms.shape[0]):
        earned += arms[i, _TOTAL]
    regrets = 0.0
    for i in range(arms.shape[0]):
        regrets += max(0.0, arms[i, _EARNED] - earned)
    return earned, regrets


def update(arms: Arms, chosen: int, c: float, value: float) -> None:
    """One more value, which stands for all the times that the arm is not played."""
    n = arms.shape[0]
    earned, regrets = sums(arms)
    share = 1.0 / n
    if regrets > 0.0:
        mixed = min(1.0, c)
        share = mixed / n + (1.0 - mixed) * max(0.0, arms[chosen, _EARNED] - earned) / regrets
    arms[chosen, _EARNED] += value / max(_LEAST, share)
    arms[chosen, _TOTAL] += value
    arms[chosen, _VISITS] += 1.0


def as_often(arms: Arms, rng: Stream) -> int:
    """An arm drawn in proportion to how often it was played: the average play."""
    total = 0.0
    for i in range(arms.shape[0]):
        total += arms[i, _VISITS]
    left = unit(rng) * total
    last = 0
    for i in range(arms.shape[0]):
        if arms[i, _VISITS] > 0.0:
            last = i
            left -= arms[i, _VISITS]
            if left < 0.0:
                return i
    return last if total > 0.0 else below(rng, arms.shape[0])


def mean(total: float, visits: float, earned: float) -> float:
    """The mean value when it was played."""
    return total / visits if visits else 0.0


def visits(total: float, visits: float, earned: float) -> float:
    """How often it was played."""
    return visits


REGRET_MATCHING = Bandit(
    "regret-matching", select, update, most_visits, mean, visits, exploration=0.1, numbers=3, joint_update=True
)
REGRET_MATCHING_MIXED = Bandit(
    "regret-matching-mixed", select, update, as_often, mean, visits, exploration=0.1, numbers=3, joint_update=True
)
