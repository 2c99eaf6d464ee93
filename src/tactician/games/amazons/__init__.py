"""The Game of the Amazons, written in three ways: compiled records, plain Python objects, a C library.

The tutorial *Three ways to bring a game* explains them. All three have the same actions and the same JSON.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from tactician.importing import lazy_package

if TYPE_CHECKING:
    from tactician.games.amazons.library import build
    from tactician.games.amazons.library import from_library as amazons_from_library
    from tactician.games.amazons.plain import plain_amazons
    from tactician.games.amazons.records import amazons

__all__ = ["amazons", "amazons_from_library", "build", "plain_amazons"]

lazy_package(
    __name__,
    {
        "amazons": "tactician.games.amazons.records:amazons",
        "amazons_from_library": "tactician.games.amazons.library:from_library",
        "build": "tactician.games.amazons.library:build",
        "plain_amazons": "tactician.games.amazons.plain:plain_amazons",
    },
)
