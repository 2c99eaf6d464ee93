"""What is compiled of Pommerman besides the rules."""

from __future__ import annotations

from tactician.games.pommerman.factory import pommerman
from tactician.games.pommerman.features import planes
from tactician.games.pommerman.rule_based import RuleBased


def warm_up() -> None:
    """Compile the rule-based bot and the feature planes."""
    state = pommerman().initial_state()
    RuleBased().act(state, 0)
    planes(state, 0)
