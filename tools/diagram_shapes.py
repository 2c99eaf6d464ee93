"""Shapes of the diagrams of planners: a sheet to draw on, actions as squares, turns as rows of squares, trees.

One sign has one meaning in all diagrams: a square is an action, a row of squares a turn, a circle a state. Blue is
what is played or kept, orange what was changed, grey what is not used.
"""

from __future__ import annotations

from collections.abc import Sequence
from html import escape

INK, PALE, BLUE, ORANGE, GREEN = "#37474f", "#cfd8dc", "#1e88e5", "#fb8c00", "#43a047"
SIDE = 26
"""Side of an action's square."""
STEP = SIDE + 4
"""From one square of a row to the next."""


class Sheet:
    """A picture that grows shape by shape; origin at the top left."""

    def __init__(self, width: int, height: int, title: str) -> None:
        self.width, self.height, self.title = width, height, title
        self._parts: list[str] = []

    def line(
        self, x1: float, y1: float, x2: float, y2: float, colour: str = INK, width: float = 1.5, dashed: bool = False
    ) -> None:
        """A straight line."""
        dashes = ' stroke-dasharray="4 3"' if dashed else ""
        ends = f'x1="{x1:g}" y1="{y1:g}" x2="{x2:g}" y2="{y2:g}"'
        self._parts.append(f'<line {ends} stroke="{colour}" stroke-width="{width:g}"{dashes}/>')

    def arrow(self, x1: float, y1: float, x2: float, y2: float, colour: str = INK, dashed: bool = False) -> None:
        """A line with a head at its end."""
        length = max(((x2 - x1) ** 2 + (y2 - y1) ** 2) ** 0.5, 1e-9)
        dx, dy = (x2 - x1) / length, (y2 - y1) / length
        bx, by = x2 - 8 * dx, y2 - 8 * dy
        self.line(x1, y1, bx, by, colour, 1.5, dashed)
        corners = f"{x2:g},{y2:g} {bx - 4 * dy:g},{by + 4 * dx:g} {bx + 4 * dy:g},{by - 4 * dx:g}"
        self._parts.append(f'<polygon points="{corners}" fill="{colour}"/>')

    def wave(self, x: float, y: float, length: float, colour: str = INK) -> None:
        """Random play: a wavy line downwards."""
        count = max(int(length // 12), 1)
        piece = length / count
        path = f"M {x:g} {y:g}" + "".join(
            f" q {7 if i % 2 == 0 else -7} {piece / 2:g} 0 {piece:g}" for i in range(count)
        )
        self._parts.append(f'<path d="{path}" fill="none" stroke="{colour}" stroke-width="1.5"/>')

    def circle(self, x: float, y: float, radius: float = 9, fill: str = "white", edge: str = INK) -> None:
        """A state."""
        self._parts.append(
            f'<circle cx="{x:g}" cy="{y:g}" r="{radius:g}" fill="{fill}" stroke="{edge}" stroke-width="1.5"/>'
        )

    def box(self, x: float, y: float, width: float, height: float, fill: str = "white", edge: str = INK) -> None:
        """A rounded rectangle; x and y are its top left."""
        self._parts.append(
            f'<rect x="{x:g}" y="{y:g}" width="{width:g}" height="{height:g}" rx="4" fill="{fill}" stroke="{edge}" '
            'stroke-width="1.5"/>'
        )

    def text(
        self,
        x: float,
        y: float,
        text: str,
        anchor: str = "middle",
        colour: str = INK,
        size: int = 13,
        bold: bool = False,
    ) -> None:
        """Words; y is the base line."""
        weight = ' font-weight="bold"' if bold else ""
        self._parts.append(
            f'<text x="{x:g}" y="{y:g}" text-anchor="{anchor}" fill="{colour}" font-size="{size}"{weight}>'
            f"{escape(text)}</text>"
        )

    def action(self, x: float, y: float, letter: str, fill: str = "white", colour: str = INK) -> None:
        """An action: a square with a letter."""
        self.box(x, y, SIDE, SIDE, fill, colour)
        self.text(x + SIDE / 2, y + SIDE / 2 + 5, letter, colour=INK if fill in ("white", PALE) else "white")

    def turn(
        self, x: float, y: float, letters: Sequence[str], fills: Sequence[str] = (), value: float | None = None
    ) -> None:
        """A turn: a row of actions and, where it is known, its value as a bar behind it."""
        for i, letter in enumerate(letters):
            self.action(x + i * STEP, y, letter, fills[i] if i < len(fills) else "white")
        if value is not None:
            right = x + len(letters) * STEP + 4
            self.box(right, y + 6, 60, SIDE - 12, "white", PALE)
            self.box(right, y + 6, 60 * value, SIDE - 12, GREEN, GREEN)

    def bars(self, x: float, y: float, heights: Sequence[float], chosen: int, colour: str) -> None:
        """A bandit: an arm for each action, its height how good the action looks; y is the foot."""
        for i, height in enumerate(heights):
            self.box(x + 11 * i, y - 30 * height, 8, 30 * height, colour if i == chosen else PALE, colour)

    def svg(self) -> str:
        """The whole picture."""
        head = (
            f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {self.width} {self.height}" width="{self.width}" '
            f'height="{self.height}" font-family="sans-serif" role="img">'
        )
        ground = f'<rect width="{self.width}" height="{self.height}" rx="8" fill="white"/>'
        return "\n".join([head, f"<title>{escape(self.title)}</title>", ground, *self._parts, "</svg>\n"])
