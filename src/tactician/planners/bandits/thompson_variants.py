"""Thompson sampling with one thing changed, to find out what a paper's results depend on.

- `thompson-draws-lost`: a value counts as far as it is above 0, so that a draw is a loss;
- `thompson-draws-ignored`: a draw teaches nothing;
- `thompson-wide`: an arm is worth a Beta(wins + 2, losses + 2);
- `thompson-first`: of equal arms the first is taken in the end.
"""

from __future__ import annotations

from tactician.planners.bandits.base import Arm, Arms, Bandit, Stream
from tactician.planners.bandits.thompson import THOMPSON, beta, highest_mean, mean, select, update, visits

_WINS, _LOSSES = 0, 1
_WIDE = 2.0


def update_draws_lost(arm: Arm, value: float) -> None:
    """Only what is better than a draw is a fraction of a win."""
    won = max(0.0, value)
    arm[_WINS] += won
    arm[_LOSSES] += 1.0 - won


def update_draws_ignored(arm: Arm, value: float) -> None:
    """Only what is better than a draw is a win, only what is worse a loss."""
    arm[_WINS] += max(0.0, value)
    arm[_LOSSES] += max(0.0, -value)


def select_wide(arms: Arms, c: float, rng: Stream) -> int:
    """The arm with the best draw."""
    best, best_draw = 0, -1.0
    for i in range(arms.shape[0]):
        draw = beta(_WIDE + arms[i, _WINS], _WIDE + arms[i, _LOSSES], rng)
        if draw > best_draw:
            best, best_draw = i, draw
    return best


def first_mean(arms: Arms, rng: Stream) -> int:
    """The arm with the highest expected worth, the first of equals."""
    best, best_mean = 0, -1.0
    for i in range(arms.shape[0]):
        worth = (1.0 + arms[i, _WINS]) / (2.0 + arms[i, _WINS] + arms[i, _LOSSES])
        if worth > best_mean:
            best, best_mean = i, worth
    return best


VARIANTS = (
    Bandit("thompson-draws-lost", select, update_draws_lost, highest_mean, mean, visits, prior=THOMPSON.prior),
    Bandit("thompson-draws-ignored", select, update_draws_ignored, highest_mean, mean, visits, prior=THOMPSON.prior),
    Bandit("thompson-wide", select_wide, update, highest_mean, mean, visits, prior=THOMPSON.prior),
    Bandit("thompson-first", select, update, first_mean, mean, visits, prior=THOMPSON.prior),
)
