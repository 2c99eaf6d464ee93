"""Bandits: how a player chooses among actions in a state that a search comes back to.

A bandit of your own is a `Bandit` of a few functions; give it to a planner, or put it into `BANDITS` under a name.
"""

from __future__ import annotations

from tactician.errors import UnknownNameError
from tactician.planners.bandits.base import Bandit
from tactician.planners.bandits.regret_matching import REGRET_MATCHING, REGRET_MATCHING_MIXED
from tactician.planners.bandits.thompson import THOMPSON
from tactician.planners.bandits.thompson_variants import VARIANTS
from tactician.planners.bandits.ucb1 import UCB1, UCB1_VALUE
from tactician.planners.bandits.uniform import RANDOM

__all__ = ["BANDITS", "Bandit", "bandit_named"]

BANDITS: dict[str, Bandit] = {
    bandit.name: bandit
    for bandit in (UCB1, UCB1_VALUE, THOMPSON, *VARIANTS, RANDOM, REGRET_MATCHING, REGRET_MATCHING_MIXED)
}


def bandit_named(name: str) -> Bandit:
    """The bandit of that name."""
    if name not in BANDITS:
        raise UnknownNameError("bandit", name, BANDITS)
    return BANDITS[name]
