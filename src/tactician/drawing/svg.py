"""Build SVG documents as text: elements, icons and the document around them.

Every function returns markup. Attributes are keyword arguments: underscores become hyphens (`stroke_width=2`), a
trailing underscore is dropped (`class_="card"`) and None leaves the attribute out. Numbers have at most six digits.
"""

from __future__ import annotations

import html
from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass, field
from typing import Literal, TypeAlias

FONT = "Helvetica, Arial, sans-serif"
WHITE = "#ffffff"
PLAYER_COLOURS = ("#1f62b5", "#cf3a24")
"""The first and the second player's colour in games of two."""

Attribute: TypeAlias = str | float | None


def document(
    title: str, width: float, height: float, parts: Iterable[str], *, definitions: str, font: str = FONT
) -> str:
    """Return a stand-alone document: its title, the definitions that parts refer to, then the parts."""
    lines = [
        opening_tag(width, height, font),
        f"<title>{escape(title)}</title>",
        f"<defs>\n{definitions}\n</defs>",
        *parts,
        "</svg>\n",
    ]
    return "\n".join(lines)


def opening_tag(width: float, height: float, font: str) -> str:
    """Return the tag that opens a document."""
    attributes = _attributes(
        viewBox=f"0 0 {width:g} {height:g}", width=width, height=height, role="img", font_family=font
    )
    return f'<svg xmlns="http://www.w3.org/2000/svg"{attributes}>'


def element(tag: str, content: str | None = None, /, **attributes: Attribute) -> str:
    """Return any element; `content` is markup, None for an element without content."""
    opening = f"<{tag}{_attributes(**attributes)}"
    return f"{opening}/>" if content is None else f"{opening}>{content}</{tag}>"


def group(name: str, x: float, y: float, parts: Iterable[str], **attributes: Attribute) -> str:
    """Return a group of class `name` whose parts are moved by (x, y)."""
    inner = "\n".join(parts)
    return element("g", f"\n{inner}\n", class_=name, transform=f"translate({x:g} {y:g})", **attributes)


def rect(x: float, y: float, width: float, height: float, fill: str, **attributes: Attribute) -> str:
    """Return a rectangle."""
    return element("rect", x=x, y=y, width=width, height=height, fill=fill, **attributes)


def circle(x: float, y: float, radius: float, fill: str, **attributes: Attribute) -> str:
    """Return a circle around (x, y)."""
    return element("circle", cx=x, cy=y, r=radius, fill=fill, **attributes)


def path(commands: str, **attributes: Attribute) -> str:
    """Return a path; `commands` is its outline."""
    return element("path", d=commands, **attributes)


def label(
    x: float,
    y: float,
    size: float,
    text: object,
    fill: str,
    *,
    anchor: Literal["middle", "end"] | None = None,
    bold: bool = False,
    **attributes: Attribute,
) -> str:
    """Return one line of text that begins at (x, y), or has its middle or end there."""
    weight = "bold" if bold else None
    return element(
        "text", escape(text), x=x, y=y, font_size=size, fill=fill, text_anchor=anchor, font_weight=weight, **attributes
    )


def escape(text: object) -> str:
    """Return text that may stand between tags; what can't be printed becomes a question mark."""
    return html.escape("".join(letter if letter.isprintable() else "?" for letter in str(text)), quote=False)


@dataclass(frozen=True)
class IconSet:
    """Icons that share a square grid: a document defines them once as symbols and refers to them by id."""

    prefix: str
    """Begins every id, so that icons of two games can stand in one page."""
    grid: int
    """Side of the grid that every icon is drawn on."""
    shapes: Mapping[str, str]
    """The elements of each icon, by its name."""
    style: Mapping[str, Attribute] = field(default_factory=dict)
    """Attributes of a group around every icon's elements; empty for no group."""

    def symbols(self, names: Collection[str] | None = None) -> str:
        """Return the definitions of the named icons, or of all."""
        return "\n".join(self._symbol(name) for name in self.shapes if names is None or name in names)

    def use(self, name: str, x: float, y: float, size: float, **attributes: Attribute) -> str:
        """Return an icon with its upper left corner at (x, y)."""
        return element("use", href=f"#{self.id_of(name)}", x=x, y=y, width=size, height=size, **attributes)

    def id_of(self, name: str) -> str:
        """Return the id of an icon's definition."""
        return f"{self.prefix}-{name}"

    def _symbol(self, name: str) -> str:
        shapes = element("g", self.shapes[name], **self.style) if self.style else self.shapes[name]
        return element("symbol", shapes, id=self.id_of(name), viewBox=f"0 0 {self.grid} {self.grid}")


def _attributes(**attributes: Attribute) -> str:
    written = []
    for name, value in attributes.items():
        if value is not None:
            text = value if isinstance(value, str) else f"{value:g}"
            written.append(f' {name.removesuffix("_").replace("_", "-")}="{text}"')
    return "".join(written)
