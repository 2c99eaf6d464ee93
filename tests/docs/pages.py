"""Reading the documentation: pages, code blocks, tables, links."""

from __future__ import annotations

import importlib.util
import re
from dataclasses import dataclass
from pathlib import Path
from types import ModuleType

ROOT = Path(__file__).parents[2]
_FENCE = re.compile(r"^```(\w*)[^\n]*\n(.*?)^```$", re.DOTALL | re.MULTILINE)
_LINK = re.compile(r"\[[^\]]*\]\(([^)\s]+)\)")
_SOURCE = re.compile(r'<\w+ src="([^"]+)"')


@dataclass(frozen=True)
class Block:
    """A fenced block and the line of the page its code begins at."""

    language: str
    code: str
    line: int


@dataclass(frozen=True)
class Page:
    """One Markdown file."""

    path: Path

    @property
    def name(self) -> str:
        return self.path.relative_to(ROOT).as_posix()

    @property
    def text(self) -> str:
        return self.path.read_text(encoding="utf-8")

    def blocks(self, language: str) -> list[Block]:
        found = (Block(m[1], m[2], self.text.count("\n", 0, m.start(2)) + 1) for m in _FENCE.finditer(self.text))
        return [block for block in found if block.language == language]

    @property
    def prose(self) -> str:
        return _FENCE.sub("", self.text)

    def links(self) -> list[str]:
        """Where links and images point to, those to other sites left out."""
        found = [*_LINK.findall(self.prose), *_SOURCE.findall(self.prose)]
        return [target for target in found if not re.match(r"\w+:", target)]

    def anchors(self) -> set[str]:
        """The names of the headings, as links to them write it."""
        headings = re.findall(r"^#+ (.+)$", self.prose, re.MULTILINE)
        return {re.sub(r"\s+", "-", re.sub(r"[^\w\s-]", "", heading).strip().lower()) for heading in headings}

    def section(self, heading: str) -> str:
        """What stands under a heading, up to the next one."""
        return self.prose.partition(f"# {heading}\n")[2].partition("\n#")[0]

    def table(self, first_column: str, heading: str | None = None) -> list[list[str]]:
        """The rows of the table whose first column has this name."""
        text = self.prose if heading is None else self.section(heading)
        return self._tables(first_column, text)[0][1:]

    def tables(self, first_column: str) -> list[list[dict[str, str]]]:
        """All tables whose first column has this name; a row is a mapping from columns to cells."""
        return [
            [dict(zip(header, row, strict=True)) for row in rows]
            for header, *rows in self._tables(first_column, self.prose)
        ]

    def _tables(self, first_column: str, text: str) -> list[list[list[str]]]:
        found = re.findall(rf"^(\| {re.escape(first_column)} \|.*\n)\|[-|]+\n((?:\|.*\n?)+)", text, re.MULTILINE)
        assert found, f"{self.name} has no table that begins with {first_column!r}"
        return [
            [[cell.strip() for cell in row.strip("|").split("|")] for row in (header + body).splitlines()]
            for header, body in found
        ]


DOCS = [Page(path) for path in sorted((ROOT / "docs").rglob("*.md"))]
TOP = [Page(ROOT / name) for name in ("README.md", "CONTRIBUTING.md", "CHANGELOG.md")]


def tool(name: str) -> ModuleType:
    """A script of tools/ as a module."""
    specification = importlib.util.spec_from_file_location(name, ROOT / "tools" / f"{name}.py")
    assert specification is not None
    assert specification.loader is not None
    module = importlib.util.module_from_spec(specification)
    specification.loader.exec_module(module)
    return module


def page(name: str) -> Page:
    return Page(ROOT / "docs" / name)
