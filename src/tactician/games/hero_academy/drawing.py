"""A position of Hero Academy as a coloured terminal board and as a picture.

Both drawings are pure functions of the map's rows and the position's canonical JSON form, so that a recorded
game can be drawn without the rules.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from tactician.games.hero_academy.drawing_scene import read_scene
from tactician.games.hero_academy.drawing_svg import scene_svg
from tactician.games.hero_academy.drawing_text import scene_text


def draw_text(rows: Sequence[str], position: Mapping[str, Any]) -> str:
    """The position as rich markup: the board, then each player's hand, deck and crystals, then who is to move.

    Player 1's units are written ``K>`` and player 2's ``<K``, so the board reads without colours too.
    """
    return scene_text(read_scene(rows, position))


def draw_svg(rows: Sequence[str], position: Mapping[str, Any]) -> str:
    """The position as a stand-alone SVG document: status, board, both hands and a legend, top to bottom."""
    return scene_svg(read_scene(rows, position))
