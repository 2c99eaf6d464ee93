"""Pommerman: four bombers on a board of walls, all acting at once."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tactician.importing import lazy_package

if TYPE_CHECKING:
    from tactician.games.pommerman.factory import VARIANTS, pommerman

__all__ = ["VARIANTS", "pommerman"]

lazy_package(
    __name__,
    {
        "VARIANTS": "tactician.games.pommerman.factory:VARIANTS",
        "pommerman": "tactician.games.pommerman.factory:pommerman",
    },
)
