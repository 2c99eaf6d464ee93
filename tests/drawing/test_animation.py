"""Animated files: every frame is in the file, shared lines once, and nothing can break out of the page."""

from __future__ import annotations

import json
import re
from typing import Any

from tactician.drawing.animation import Frame, animation_page


def data_of(page: str) -> dict[str, Any]:
    found = re.search(r'<script id="data" type="application/json">(.*?)</script>', page, re.DOTALL)
    assert found
    data: dict[str, Any] = json.loads(found[1])
    return data


def frames_of(page: str) -> list[str]:
    data = data_of(page)
    lines = data["lines"]
    return ["\n".join(line for a, n in f["runs"] for line in lines[a : a + n]) for f in data["frames"]]


def test_every_frame_can_be_put_together_again_and_lines_are_stored_once() -> None:
    ground = "\n".join(f'<rect x="{i}"/>' for i in range(500))
    pictures = [f'<svg>\n{ground}\n<g transform="translate({i} 0)"/>\n</svg>' for i in range(30)]
    page = animation_page("walk", [Frame(picture, f"step {i}") for i, picture in enumerate(pictures)], 5)
    assert frames_of(page) == pictures
    assert [frame["caption"] for frame in data_of(page)["frames"]][:2] == ["step 0", "step 1"]
    assert len(data_of(page)["lines"]) == 2 + 500 + 30
    assert data_of(page)["frames_a_second"] == 5
    assert len(page) < 3 * len(pictures[0])


def test_titles_captions_and_pictures_stay_inside_their_elements() -> None:
    nasty = "</script><script>alert(1)</script>"
    page = animation_page(f"<b>{nasty}", [Frame(f"<svg>{nasty}</svg>", nasty)])
    assert page.count("<script") == 2
    assert "<b>" not in page
    assert frames_of(page) == [f"<svg>{nasty}</svg>"]


def test_the_file_needs_nothing_from_elsewhere() -> None:
    page = animation_page("quiet", [Frame("<svg/>")])
    assert not re.search(r"https?://|src=|<link|import ", page)
