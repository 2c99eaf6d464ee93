"""Legends of Code and Magic: a deck, two lanes, as many actions a turn as the mana pays for."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tactician.importing import lazy_package

if TYPE_CHECKING:
    from tactician.games.locm.factory import VERSIONS, locm

__all__ = ["VERSIONS", "locm"]

lazy_package(
    __name__,
    {
        "VERSIONS": "tactician.games.locm.factory:VERSIONS",
        "locm": "tactician.games.locm.factory:locm",
    },
)
