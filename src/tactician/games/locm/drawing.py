"""Draw a position of Legends of Code and Magic for a terminal and as SVG."""

from __future__ import annotations

from tactician.games.locm.drawing_scene import CardView, LocmScene, PlayerView
from tactician.games.locm.drawing_svg import scene_svg
from tactician.games.locm.drawing_text import scene_text

__all__ = ["CardView", "LocmScene", "PlayerView", "draw_svg", "draw_text"]


def draw_text(scene: LocmScene) -> str:
    """Return rich markup: both players with their hands, and the lanes between them."""
    return scene_text(scene)


def draw_svg(scene: LocmScene) -> str:
    """Return a stand-alone SVG document: the upper player, the lanes, the lower player."""
    return scene_svg(scene)
