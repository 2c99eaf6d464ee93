"""The built-in games, as functions that make them: ``tt.games.hero_academy(action_points=10)``.

A game is imported when its function is first used. The function of every game in `registry.GAMES` is found by its name;
those listed here are also known to type checkers.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from tactician.importing import lazy_package

if TYPE_CHECKING:
    from tactician.games.amazons import amazons, amazons_from_library, plain_amazons
    from tactician.games.hero_academy import hero_academy
    from tactician.games.locm import locm
    from tactician.games.pommerman import pommerman
    from tactician.games.registry import game_names, load_game
    from tactician.games.royale import royale

__all__ = [
    "amazons",
    "amazons_from_library",
    "game_names",
    "hero_academy",
    "load_game",
    "locm",
    "plain_amazons",
    "pommerman",
    "royale",
]


def _factories() -> dict[str, str]:
    """The references of the functions that make the built-in games, by the functions' names."""
    from tactician.games.registry import GAMES, entry_of

    return {factory.rpartition(":")[2]: factory for factory in (entry_of(name).factory for name in GAMES)}


def _factory(name: str) -> str | None:
    from tactician.games.registry import GAMES, entry_of

    own = name.replace("_", "-")
    if own in GAMES and entry_of(own).factory.endswith(f":{name}"):
        return entry_of(own).factory  # the usual case, which imports no other game's entry
    return _factories().get(name)


lazy_package(
    __name__,
    {
        "amazons_from_library": "tactician.games.amazons.library:from_library",
        "game_names": "tactician.games.registry:game_names",
        "load_game": "tactician.games.registry:load_game",
        "registry": "tactician.games.registry",
    },
    find=_factory,
    more=_factories,
)
