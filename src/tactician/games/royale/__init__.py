"""Royale: a card battle of two players in real time, with simultaneous moves and hidden hands."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tactician.importing import lazy_package

if TYPE_CHECKING:
    from tactician.games.royale.factory import royale

__all__ = ["royale"]

lazy_package(__name__, {"royale": "tactician.games.royale.factory:royale"})
