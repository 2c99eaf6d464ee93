"""Hero Academy: two teams, five action points a turn, crystals to defend."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tactician.importing import lazy_package

if TYPE_CHECKING:
    from tactician.games.hero_academy.factory import hero_academy
    from tactician.games.hero_academy.maps import MAPS

__all__ = ["MAPS", "hero_academy"]

lazy_package(
    __name__,
    {
        "MAPS": "tactician.games.hero_academy.maps:MAPS",
        "hero_academy": "tactician.games.hero_academy.factory:hero_academy",
    },
)
