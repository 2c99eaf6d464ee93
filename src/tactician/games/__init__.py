"""The games that come with tactician, as functions that make them: ``tt.games.hero_academy(action_points=10)``."""

from tactician.games.amazons import amazons, amazons_from_library, plain_amazons
from tactician.games.hero_academy import hero_academy
from tactician.games.locm import locm
from tactician.games.pommerman import pommerman
from tactician.games.registry import game_names, load_game

__all__ = [
    "amazons",
    "amazons_from_library",
    "game_names",
    "hero_academy",
    "load_game",
    "locm",
    "plain_amazons",
    "pommerman",
]
