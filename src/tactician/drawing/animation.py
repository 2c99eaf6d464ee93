"""Put the pictures of a game into one HTML file that plays them, without anything from elsewhere.

Pictures of one game have most lines in common. The file holds every different line once, and a frame as runs of lines.
While it plays, groups with the same `data-part` glide from where they were in the last frame to where they are.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from html import escape
from pathlib import Path
from string import Template
from typing import Any
from xml.etree import ElementTree

_FOLDER = Path(__file__).parent
_NAMESPACE = "http://www.w3.org/2000/svg"


@dataclass(frozen=True)
class Frame:
    """One picture of an animation."""

    svg: str
    caption: str = ""
    """What is said below the picture."""
    parts: Sequence[str] = ()
    """What the action before it pointed at."""
    value: float | None = None
    """What the position is worth to the first player."""
    considered: Sequence[Mapping[str, Any]] = ()
    """The turns that a planner considered here: `names` and `value` of each."""


def animation_page(
    title: str, frames: Iterable[Frame], frames_a_second: float = 2.0, *, log: bool = False, nonce: str = ""
) -> str:
    """Return an HTML document with controls to play, pause, step and jump; `log`: with a list of all captions.

    `nonce` is what a server's content security policy asks of scripts.
    """
    shown = list(frames)
    pictures = packed(frame.svg for frame in shown)
    written = [_written(frame, runs, log) for runs, frame in zip(pictures["frames"], shown, strict=True)]
    document = {"frames_a_second": frames_a_second, "lines": pictures["lines"], "frames": written}
    # Inside a script element nothing is unescaped, and only its closing tag must not appear.
    data = json.dumps(document, separators=(",", ":")).replace("<", "\\u003c")
    return Template(_text("animation.html")).substitute(
        title=escape(title, quote=False),
        data=data,
        theme=_text("theme.css"),
        morph=_text("morph.js"),
        nonce=f' nonce="{nonce}"' if nonce else "",
    )


def _written(frame: Frame, runs: list[list[int]], log: bool) -> dict[str, Any]:
    """A frame as the page reads it, without what is empty."""
    written: dict[str, Any] = {"runs": runs, "caption": frame.caption}
    if log:
        written["log"] = True
    if frame.parts:
        written["parts"] = list(frame.parts)
    if frame.value is not None:
        written["value"] = frame.value
    if frame.considered:
        written["considered"] = [{"names": turn["names"], "value": turn["value"]} for turn in frame.considered]
    return written


def _text(name: str) -> str:
    return (_FOLDER / name).read_text(encoding="utf-8")


def animated_picture(pictures: Sequence[str], frames_a_second: float = 2.0) -> str:
    """Return one SVG document that shows pictures one after the other, over and over, without any script.

    Elements that several pictures have at the same place of the document are in it once.
    """
    roots = [ElementTree.fromstring(picture) for picture in pictures]
    places = max(map(len, roots))
    shown: dict[tuple[int, str], list[int]] = {}
    for frame, root in enumerate(roots):
        for place, child in enumerate(root):
            shown.setdefault((place, _markup(child)), []).append(frame)
    parts = [
        _timed(markup, frames, len(roots), len(roots) / frames_a_second)
        for wanted in range(places)
        for (place, markup), frames in shown.items()
        if place == wanted
    ]
    attributes = "".join(f' {name}="{escape(value, quote=False)}"' for name, value in roots[0].attrib.items())
    return "\n".join([f'<svg xmlns="{_NAMESPACE}"{attributes}>', *parts, "</svg>\n"])


def _timed(markup: str, frames: list[int], count: int, seconds: float) -> str:
    """An element that is visible in some frames only."""
    if len(frames) == count or markup.startswith(("<defs", "<title")):
        return markup
    visible = set(frames)
    changes = [frame for frame in range(count) if frame == 0 or (frame in visible) != (frame - 1 in visible)]
    times = ";".join(f"{frame / count:.5g}" for frame in changes)
    values = ";".join("visible" if frame in visible else "hidden" for frame in changes)
    first = "visible" if 0 in visible else "hidden"
    animation = (
        f'<animate attributeName="visibility" dur="{seconds:g}s" repeatCount="indefinite" calcMode="discrete" '
        f'keyTimes="{times}" values="{values}"/>'
    )
    return f'<g visibility="{first}">{animation}{markup}</g>'


def _markup(element: ElementTree.Element) -> str:
    ElementTree.register_namespace("", _NAMESPACE)
    return ElementTree.tostring(element, encoding="unicode").strip().replace(f' xmlns="{_NAMESPACE}"', "")


def packed(pictures: Iterable[str]) -> dict[str, list[Any]]:
    """Pictures as a table of all different lines, and for each picture the runs of lines it consists of."""
    lines: dict[str, int] = {}
    frames = [_runs([lines.setdefault(line, len(lines)) for line in svg.splitlines()]) for svg in pictures]
    return {"lines": list(lines), "frames": frames}


def _runs(numbers: list[int]) -> list[list[int]]:
    """Write a list of numbers as runs of consecutive ones: [first, count]."""
    runs: list[list[int]] = []
    for number in numbers:
        if runs and runs[-1][0] + runs[-1][1] == number:
            runs[-1][1] += 1
        else:
            runs.append([number, 1])
    return runs
