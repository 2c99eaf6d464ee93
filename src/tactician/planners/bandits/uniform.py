"""The bandit `random`: arms are tried uniformly at random, and the one with the highest mean is chosen."""

from __future__ import annotations

from tactician.contract.random import below
from tactician.planners.bandits.base import Arms, Bandit, Stream
from tactician.planners.bandits.ucb1 import highest_mean, mean, update, visits


def select(arms: Arms, c: float, rng: Stream) -> int:
    """Any arm."""
    return below(rng, arms.shape[0])


RANDOM = Bandit("random", select, update, highest_mean, mean, visits)
