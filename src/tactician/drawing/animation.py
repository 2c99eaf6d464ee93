"""Put the pictures of a game into one HTML file that plays them, without anything from elsewhere.

Pictures of one game have most lines in common. The file holds every different line once, and a frame as runs of lines.
While it plays, groups with the same `data-part` glide from where they were in the last frame to where they are.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from string import Template
from typing import Any
from xml.sax.saxutils import escape

_FOLDER = Path(__file__).parent


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
        title=escape(title),
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

    Lines that all pictures share, such as the board under the pieces, are in it once.
    """
    documents = [picture.splitlines() for picture in pictures]
    shared = _shared_head(documents)
    duration = len(documents) / frames_a_second
    frames = []
    for number, lines in enumerate(documents):
        body = "\n".join(lines[shared:]).rpartition("</svg>")[0]
        begin, end = number / len(documents), (number + 1) / len(documents)
        times, values = [0.0, begin, end], ["hidden", "visible", "hidden"]
        if number == 0:
            times, values = times[1:], values[1:]
        if number == len(documents) - 1:
            times, values = times[:-1], values[:-1]
        animation = (
            f'<animate attributeName="visibility" dur="{duration:g}s" repeatCount="indefinite" calcMode="discrete" '
            f'keyTimes="{";".join(f"{time:.6g}" for time in times)}" values="{";".join(values)}"/>'
        )
        frames.append(f'<g visibility="{"visible" if number == 0 else "hidden"}">{animation}{body}</g>')
    return "\n".join([*documents[0][:shared], *frames, "</svg>\n"])


def _shared_head(documents: Sequence[Sequence[str]]) -> int:
    """How many lines from the beginning all documents share, up to where their elements are closed."""
    least = min(map(len, documents)) - 1
    same = next((i for i in range(least) if any(lines[i] != documents[0][i] for lines in documents)), least)
    depth, closed = 0, 1
    for number, line in enumerate(documents[0][:same]):
        depth += len(re.findall(r"<[a-zA-Z]", line)) - len(re.findall(r"/>|</", line))
        if depth == 1:
            closed = number + 1
    return closed


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
