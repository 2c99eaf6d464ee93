"""Put the pictures of a game into one HTML file that plays them, without anything from elsewhere.

Pictures of one game have most lines in common. The file holds every different line once, and a frame as runs of lines.
While it plays, groups with the same `data-part` glide from where they were in the last frame to where they are.
"""

from __future__ import annotations

import json
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
from string import Template
from typing import Any
from xml.sax.saxutils import escape

_PAGE = Path(__file__).parent / "animation.html"


@dataclass(frozen=True)
class Frame:
    """One picture of an animation."""

    svg: str
    caption: str = ""
    """What is said below the picture."""


def animation_page(title: str, frames: Iterable[Frame], frames_a_second: float = 2.0) -> str:
    """Return an HTML document with controls to play, pause, step and jump."""
    lines: dict[str, int] = {}
    written: list[dict[str, Any]] = []
    for frame in frames:
        numbers = [lines.setdefault(line, len(lines)) for line in frame.svg.splitlines()]
        written.append({"runs": _runs(numbers), "caption": frame.caption})
    data = json.dumps(
        {"frames_a_second": frames_a_second, "lines": list(lines), "frames": written}, separators=(",", ":")
    )
    # Inside a script element nothing is unescaped, and only its closing tag must not appear.
    safe = data.replace("<", "\\u003c")
    return Template(_PAGE.read_text(encoding="utf-8")).substitute(title=escape(title), data=safe)


def _runs(numbers: list[int]) -> list[list[int]]:
    """Write a list of numbers as runs of consecutive ones: [first, count]."""
    runs: list[list[int]] = []
    for number in numbers:
        if runs and runs[-1][0] + runs[-1][1] == number:
            runs[-1][1] += 1
        else:
            runs.append([number, 1])
    return runs
