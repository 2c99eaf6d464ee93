"""Draw a position of Pommerman for a terminal and as SVG."""

from __future__ import annotations

from tactician.games.pommerman.drawing_scene import read_scene
from tactician.games.pommerman.drawing_svg import scene_svg
from tactician.games.pommerman.drawing_text import scene_text
from tactician.games.pommerman.positions import to_json
from tactician.native.records import FieldRecord


def draw_text(g: FieldRecord, s: FieldRecord) -> str:
    """Return rich markup that is readable without colours: the board, a line for each agent, and the step."""
    return scene_text(read_scene(g, to_json(g, s)))


def draw_svg(g: FieldRecord, s: FieldRecord) -> str:
    """Return a stand-alone SVG document: step, board, and a card for each agent."""
    return scene_svg(read_scene(g, to_json(g, s)))
