"""The Game of the Amazons, written in three ways: compiled records, plain Python objects, a C library.

The tutorial *Three ways to bring a game* explains them. All three have the same actions and the same JSON.
"""

from tactician.games.amazons.library import build
from tactician.games.amazons.library import from_library as amazons_from_library
from tactician.games.amazons.plain import plain_amazons
from tactician.games.amazons.records import amazons

__all__ = ["amazons", "amazons_from_library", "build", "plain_amazons"]
