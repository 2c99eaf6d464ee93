"""Draw a position of Hero Academy for a terminal and as SVG.

Both drawings depend only on the map's rows and the position's canonical JSON form, so recorded games can be drawn
without the rules.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from tactician.games.hero_academy.drawing_scene import read_scene
from tactician.games.hero_academy.drawing_text import scene_text


def draw_text(rows: Sequence[str], position: Mapping[str, Any]) -> str:
    """Return rich markup: the board, each player's hand, deck and crystals, and who is to move.

    Player 1's units are written ``K>`` and player 2's ``<K``, so the board is readable without colours.
    """
    return scene_text(read_scene(rows, position))


def draw_svg(rows: Sequence[str], position: Mapping[str, Any]) -> str:
    """Return a stand-alone SVG document: status, board, both hands and a legend, from top to bottom."""
    from tactician.games.hero_academy.drawing_svg import scene_svg  # plans are mostly drawn as text

    return scene_svg(read_scene(rows, position))
