"""What is compiled of Royale besides the rules."""

from __future__ import annotations

from tactician.games.royale.factory import royale
from tactician.games.royale.random_play import RandomBattles


def warm_up() -> None:
    """Compile whole random battles."""
    RandomBattles(royale(), starts=1).play(1)
