"""What is compiled of Pommerman besides the rules."""

from __future__ import annotations

from tactician.games.pommerman.factory import pommerman
from tactician.games.pommerman.features import ENCODINGS
from tactician.games.pommerman.rule_based import RuleBased


def warm_up() -> None:
    """Compile the rule-based bot and the planes of its networks."""
    state = pommerman().initial_state()
    RuleBased().act(state, 0)
    for encoding in ENCODINGS:
        encoding.planes_of(state, 0)
