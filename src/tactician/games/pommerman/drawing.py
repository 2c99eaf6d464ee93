"""A position of Pommerman as a coloured terminal board and as a picture."""

from __future__ import annotations

from typing import Any

from tactician.games.pommerman.drawing_scene import read_scene
from tactician.games.pommerman.drawing_svg import scene_svg
from tactician.games.pommerman.drawing_text import scene_text
from tactician.games.pommerman.positions import to_json


def draw_text(g: Any, s: Any) -> str:
    """The board as rich markup, then a line for each agent and the step; it reads without colours too."""
    return scene_text(read_scene(g, to_json(g, s)))


def draw_svg(g: Any, s: Any) -> str:
    """The position as a stand-alone SVG document: step, board, and a card for each agent."""
    return scene_svg(read_scene(g, to_json(g, s)))
