"""Ours beside the paper's, for people: a table in the terminal, Markdown and HTML with figures."""

from __future__ import annotations

import io
import textwrap
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from html import escape
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from tactician.errors import InvalidParameterError
from tactician.files import json_text, reason, write_files

if TYPE_CHECKING:
    from matplotlib.figure import Figure

_WIDTH, _LINES = 120, 5
"""Of a line of prose in Markdown, and the lines of a paragraph."""
_CSS = (
    "body{font:15px sans-serif;margin:2em;max-width:70em}table{border-collapse:collapse}"
    "td,th{padding:.3em .7em;border-bottom:1px solid #ccc;text-align:left}svg{margin:1em 1em 0 0}"
)


class MoreTable(NamedTuple):
    """A further table of a report, below the main one."""

    title: str
    head: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]


@dataclass(frozen=True, kw_only=True)
class ExperimentReport:
    """An experiment that has been run, ready to be read."""

    name: str
    title: str
    paper: str
    claim: str
    verdict: str
    """What became of the claim, counted or measured."""
    summary: str
    """How it was run: games, budgets, what a reader of the table must know."""
    head: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]
    document: dict[str, Any]
    """The same as JSON."""
    figures: Mapping[str, Figure] = field(default_factory=dict)
    """By name."""
    more: tuple[MoreTable, ...] = ()
    runs: tuple[MoreTable, ...] = ()
    """The runs that measured it."""

    def markdown(self) -> str:
        """A Markdown page: claim, verdict, table; figures are linked as files beside it."""
        claim = _wrapped(f"**Claim** ({self.paper}): {self.claim}")
        parts = [f"# {self.name}: {self.title}", claim, *_verdict(self.verdict), _wrapped(self.summary)]
        parts += [markdown_table(self.head, self.rows)]
        for one in self.more:
            parts += [one.title, markdown_table(one.head, one.rows)]
        parts += [f"![{name}]({name}.svg)" for name in self.figures]
        for one in self.runs:
            parts += ["## How it was made", *map(_wrapped, (one.title,)), markdown_table(one.head, one.rows)]
        parts += [_wrapped(f"`tactician reproduce {self.name} --report` writes this page from `results/`.")]
        return "\n\n".join(parts) + "\n"

    def html(self) -> str:
        """A stand-alone page with the figures in it."""
        tables = _html_table(self.head, self.rows)
        tables += "".join(f"<p>{escape(one.title)}</p>{_html_table(one.head, one.rows)}" for one in self.more)
        made = "".join(f"<p>{escape(one.title)}</p>{_html_table(one.head, one.rows)}" for one in self.runs)
        return (
            f'<!doctype html><html lang="en"><meta charset="utf-8"><title>{escape(self.name)}</title>'
            f"<style>{_CSS}</style><h1>{escape(self.name)}: {escape(self.title)}</h1>"
            f"<p><b>Claim</b> ({escape(self.paper)}): {escape(self.claim)}</p>"
            f"<p><b>Verdict:</b> {escape(self.verdict)}</p><p>{escape(self.summary)}</p>"
            f"{tables}{''.join(_svg(f) for f in self.figures.values())}{made}</html>"
        )

    def write(self, folder: Path) -> list[Path]:
        """Write NAME.md, NAME.html, NAME.json and the figures into a folder."""
        from tactician.arena.figures import save

        try:
            folder.mkdir(parents=True, exist_ok=True)
            written: list[Path] = []
            for name, figure in self.figures.items():
                written += save(figure, folder / name)
            texts = {".md": self.markdown(), ".html": self.html(), ".json": json_text(self.document, indent=1) + "\n"}
            contents = {folder / f"{self.name}{suffix}": text.encode() for suffix, text in texts.items()}
            write_files(contents)
        except OSError as error:
            raise InvalidParameterError(f"report folder {str(folder)!r} can't be written: {reason(error)}.") from error
        return [*written, *contents]


def markdown_table(head: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    """A table in Markdown."""
    lines = ["| " + " | ".join(head) + " |", "|" + "---|" * len(head)]
    return "\n".join([*lines, *("| " + " | ".join(row) + " |" for row in rows)])


def difference_text(difference: float, interval: tuple[float, float]) -> str:
    """A difference of two rates in points with its 95 % interval; a star where that leaves out 0."""
    points = [100 * value for value in (difference, *interval)]
    star = "" if points[1] <= 0 <= points[2] else "*"
    return "{:+.1f}{} ({:+.1f} to {:+.1f})".format(points[0], star, *points[1:]).replace("-", "−")


def _html_table(head: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    top = "".join(f"<th>{escape(name)}</th>" for name in head)
    body = "".join("<tr>" + "".join(f"<td>{escape(v)}</td>" for v in row) + "</tr>" for row in rows)
    return f"<table><tr>{top}</tr>{body}</table>"


def _verdict(verdict: str) -> list[str]:
    """The verdict as a paragraph; a long one, of several readings and budgets, as a list."""
    paragraph = _wrapped(f"**Verdict:** {verdict}")
    if paragraph.count("\n") < _LINES:
        return [paragraph]
    items = (f"- {part}" for part in verdict.removesuffix(".").split("; "))
    return ["**Verdict:** one by one:", "\n".join(_wrapped(item, "  ") for item in items)]


def _wrapped(paragraph: str, indent: str = "") -> str:
    return textwrap.fill(paragraph, _WIDTH, subsequent_indent=indent, break_long_words=False, break_on_hyphens=False)


def _svg(figure: Figure) -> str:
    """A figure as SVG without the XML declaration, to stand inside a page."""
    buffer = io.StringIO()
    figure.savefig(buffer, format="svg")
    text = buffer.getvalue()
    return text[text.index("<svg") :]
