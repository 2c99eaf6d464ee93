"""Draw a position of Royale for a terminal and as SVG."""

from __future__ import annotations

from tactician.games.royale.drawing_scene import read_scene
from tactician.games.royale.drawing_svg import scene_svg
from tactician.games.royale.drawing_text import scene_text
from tactician.games.royale.positions import to_json
from tactician.native.records import FieldRecord


def draw_text(g: FieldRecord, s: FieldRecord) -> str:
    """Return rich markup that is readable without colours: the arena, and beside it players, towers and troops."""
    return scene_text(read_scene(g, to_json(g, s)))


def draw_svg(g: FieldRecord, s: FieldRecord) -> str:
    """Return a stand-alone SVG document: the clock, the arena, and each player's elixir and cards."""
    return scene_svg(read_scene(g, to_json(g, s)))
