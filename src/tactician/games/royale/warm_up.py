"""What is compiled of Royale besides the rules."""

from __future__ import annotations

from tactician.games.royale.factory import royale
from tactician.games.royale.random_play import RandomBattles


def warm_up() -> None:
    """Compile whole random battles and the planes of its networks."""
    game = royale()
    RandomBattles(game, starts=1).play(1)
    game.encoding().planes_of(game.initial_state(), 0)
