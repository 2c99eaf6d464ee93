"""Thompson sampling: draw what each arm may be worth from what is known of it, and take the best draw.

An arm is its wins and losses; its worth is a Beta(wins + 1, losses + 1). A value between -1 and 1 is a fraction of a
win, so a draw counts half.
"""

from __future__ import annotations

import math

from numba import njit

from tactician.contract.random import below, unit
from tactician.planners.bandits.base import Arm, Arms, Bandit, Stream

_WINS, _LOSSES = 0, 1
"""The two numbers of an arm."""
_LOG_4 = math.log(4.0)
_FEW = 5.0


def select(arms: Arms, c: float, rng: Stream) -> int:
    """The arm with the best draw; the untried ones share a draw, as the best of n uniform ones is u^(1/n)."""
    n = arms.shape[0]
    untried = 0
    best, best_draw = 0, -1.0
    for i in range(n):
        if arms[i, _WINS] == 0.0 and arms[i, _LOSSES] == 0.0:
            untried += 1
        else:
            draw = beta(1.0 + arms[i, _WINS], 1.0 + arms[i, _LOSSES], rng)
            if draw > best_draw:
                best, best_draw = i, draw
    if untried == 0:
        return best
    if untried < n:
        draw = unit(rng)
        if untried > 1:
            draw = draw ** (1.0 / untried)
        if draw <= best_draw:
            return best
    left = below(rng, untried)
    for i in range(n):
        if arms[i, _WINS] == 0.0 and arms[i, _LOSSES] == 0.0:
            if left == 0:
                return i
            left -= 1
    return best


@njit
def beta(a: float, b: float, rng: Stream) -> float:
    """A draw from Beta(a, b) for a and b of at least 1: by inversion where one of them is 1, else Cheng's method BB.

    Where all that an arm brought were draws, a and b are the same; as long as they are few, rejection is quicker.
    """
    if b == 1.0:
        return math.sqrt(unit(rng)) if a == 2.0 else unit(rng) ** (1.0 / a)
    if a == 1.0:
        return 1.0 - (math.sqrt(unit(rng)) if b == 2.0 else unit(rng) ** (1.0 / b))
    if a == b and a <= _FEW and 2.0 * a == math.floor(2.0 * a):
        return _symmetric(int(2.0 * a) - 2, rng)
    small, large = min(a, b), max(a, b)
    total = small + large
    slope = math.sqrt((total - 2.0) / (2.0 * small * large - total))
    gamma = small + 1.0 / slope
    while True:
        u1, u2 = unit(rng), unit(rng)
        if u1 == 0.0 or u2 == 0.0:
            continue
        v = slope * math.log(u1 / (1.0 - u1))
        w = small * math.exp(v)
        z = u1 * u1 * u2
        r = gamma * v - _LOG_4
        s = small + r - w
        if s + 2.609437912434100 >= 5.0 * z:
            break
        t = math.log(z)
        if s >= t or r + total * math.log(total / (large + w)) >= t:
            break
    return w / (large + w) if a == small else large / (large + w)


@njit
def _symmetric(n: int, rng: Stream) -> float:
    """A draw from Beta(1 + n/2, 1 + n/2): x is accepted with probability (1 - (2x - 1)²)^(n/2), by its square."""
    while True:
        x, accepted = unit(rng), unit(rng)
        height, power = 4.0 * x * (1.0 - x), 1.0
        for _ in range(n):
            power *= height
        if accepted * accepted <= power:
            return x


def update(arm: Arm, value: float) -> None:
    """A fraction of a win, the rest of a loss."""
    arm[_WINS] += 0.5 + 0.5 * value
    arm[_LOSSES] += 0.5 - 0.5 * value


def highest_mean(arms: Arms, rng: Stream) -> int:
    """The arm with the highest expected worth, ties at random."""
    best, best_mean, ties = 0, -1.0, 0
    for i in range(arms.shape[0]):
        mean = (1.0 + arms[i, _WINS]) / (2.0 + arms[i, _WINS] + arms[i, _LOSSES])
        if mean > best_mean:
            best, best_mean, ties = i, mean, 1
        elif mean == best_mean:
            ties += 1
            if below(rng, ties) == 0:
                best = i
    return best


def mean(wins: float, losses: float) -> float:
    """The expected worth, on the scale of values."""
    return 2 * (1 + wins) / (2 + wins + losses) - 1


def visits(wins: float, losses: float) -> float:
    """Every visit is a win and a loss that make one together."""
    return wins + losses


def prior(worth: float, weight: float) -> tuple[float, float]:
    """So many visits, divided into wins and losses."""
    return weight * (0.5 + 0.5 * worth), weight * (0.5 - 0.5 * worth)


THOMPSON = Bandit("thompson", select, update, highest_mean, mean, visits, prior=prior)
