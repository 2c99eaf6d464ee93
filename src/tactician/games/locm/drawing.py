"""A position as a coloured terminal board and as a picture, both from a neutral description of it."""

from __future__ import annotations

from tactician.games.locm.drawing_scene import CardView, PlayerView, Scene
from tactician.games.locm.drawing_svg import scene_svg
from tactician.games.locm.drawing_text import scene_text

__all__ = ["CardView", "PlayerView", "Scene", "draw_svg", "draw_text"]


def draw_text(scene: Scene) -> str:
    """The position as rich markup: both players with their hands, and the lanes between them."""
    return scene_text(scene)


def draw_svg(scene: Scene) -> str:
    """The position as a stand-alone SVG document: the opponent above, the lanes, one's own cards below."""
    return scene_svg(scene)
