"""Animated files: every frame is in the file, shared lines once, and nothing can break out of the page."""

from __future__ import annotations

import json
import re
from typing import Any
from xml.etree import ElementTree

from tactician.drawing.animation import Frame, animated_picture, animation_page


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
    assert len(json.dumps(data_of(page))) < 3 * len(pictures[0])


def test_titles_captions_and_pictures_stay_inside_their_elements() -> None:
    nasty = "</script><script>alert(1)</script>"
    page = animation_page(f"<b>{nasty}", [Frame(f"<svg>{nasty}</svg>", nasty)])
    assert page.count("<script") == 3
    assert "<b>" not in page
    assert frames_of(page) == [f"<svg>{nasty}</svg>"]


def test_the_file_needs_nothing_from_elsewhere() -> None:
    page = animation_page("quiet", [Frame("<svg/>")])
    assert not re.search(r"https?://|src=|<link|import |@import|url\(", page.replace("http://www.w3.org/2000/svg", ""))


def test_values_turns_and_parts_are_in_the_file_where_there_are_any() -> None:
    turn = {"names": ["go"], "value": 0.5, "visits": 3}
    page = animation_page("g", [Frame("<svg/>"), Frame("<svg/>", "x", ["unit:1"], 0.25, [turn])], log=True)
    first, second = data_of(page)["frames"]
    assert first == {"runs": [[0, 1]], "caption": "", "log": True}
    assert second["parts"] == ["unit:1"]
    assert second["value"] == 0.25
    assert second["considered"] == [{"names": ["go"], "value": 0.5}]


def test_a_nonce_is_on_every_script_that_runs() -> None:
    page = animation_page("quiet", [Frame("<svg/>")], nonce="abc")
    assert page.count('<script nonce="abc">') == 2


def test_an_animated_picture_has_all_positions_and_what_they_share_once() -> None:
    space = "http://www.w3.org/2000/svg"
    ground = "\n".join(f'<rect x="{i}"/>' for i in range(200))
    pictures = [f'<svg xmlns="{space}">\n{ground}\n<g id="at-{i // 2}"><rect/></g>\n</svg>\n' for i in range(4)]
    root = ElementTree.fromstring(animated_picture(pictures, 2.0))
    assert len(root.findall(f"{{{space}}}rect")) == 200
    moving = root.findall(f"{{{space}}}g")
    assert [one[1].attrib["id"] for one in moving] == ["at-0", "at-1"]
    assert [one[0].attrib["keyTimes"] for one in moving] == ["0;0.5", "0;0.5"]
    assert [one[0].attrib["values"] for one in moving] == ["visible;hidden", "hidden;visible"]
    assert [one.attrib["visibility"] for one in moving] == ["visible", "hidden"]
    assert moving[0][0].attrib["dur"] == "2s"
