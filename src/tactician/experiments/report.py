"""Ours beside the paper's, for people: a table in the terminal, Markdown and HTML with figures."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from html import escape
from pathlib import Path
from typing import Any

from tactician.arena.statistics import ScoreLike
from tactician.errors import InvalidParameterError
from tactician.experiments.base import Experiment, Outcome
from tactician.experiments.claims import BestOf, claim_of, verdicts_of
from tactician.experiments.search import FIGURES, NAME, TITLE, Row
from tactician.files import reason, write_files

_HEAD = ("cell", "preset", "budget", "games", "ours", "95 % interval", "paper", "difference (95 %)", "verdict")


@dataclass(frozen=True)
class ExperimentReport:
    """An experiment that has been run, ready to be read."""

    name: str
    summary: str
    head: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]
    document: dict[str, Any]
    """The same as JSON."""
    figures: Mapping[str, Any] = field(default_factory=dict)
    """Matplotlib figures by name."""

    def markdown(self) -> str:
        """A Markdown section; figures are linked as files beside it."""
        lines = [f"## {self.name}", "", self.summary, ""]
        lines += ["| " + " | ".join(self.head) + " |", "|" + "---|" * len(self.head)]
        lines += ["| " + " | ".join(row) + " |" for row in self.rows]
        lines += [f"\n![{name}]({name}.svg)" for name in self.figures]
        return "\n".join(lines) + "\n"

    def html(self) -> str:
        """A stand-alone page with the figures in it."""
        head = "".join(f"<th>{escape(name)}</th>" for name in self.head)
        body = "".join("<tr>" + "".join(f"<td>{escape(v)}</td>" for v in row) + "</tr>" for row in self.rows)
        return (
            f'<!doctype html><html lang="en"><meta charset="utf-8"><title>{escape(self.name)}</title>'
            "<style>body{font:15px sans-serif;margin:2em;max-width:70em}table{border-collapse:collapse}"
            "td,th{padding:.3em .7em;border-bottom:1px solid #ccc;text-align:left}svg{margin:1em 1em 0 0}</style>"
            f"<h1>{escape(self.name)}</h1><p>{escape(self.summary)}</p>"
            f"<table><tr>{head}</tr>{body}</table>{''.join(_svg(f) for f in self.figures.values())}</html>"
        )

    def write(self, folder: Path) -> list[Path]:
        """Write NAME.md, NAME.html, NAME.json and the figures into a folder."""
        from tactician.arena.figures import save

        try:
            folder.mkdir(parents=True, exist_ok=True)
            written: list[Path] = []
            for name, figure in self.figures.items():
                written += save(figure, folder / name)
            texts = {".md": self.markdown(), ".html": self.html(), ".json": json.dumps(self.document, indent=1) + "\n"}
            contents = {folder / f"{self.name}{suffix}": text.encode() for suffix, text in texts.items()}
            write_files(contents)
        except OSError as error:
            raise InvalidParameterError(f"report folder {str(folder)!r} can't be written: {reason(error)}.") from error
        return [*written, *contents]


def _svg(figure: Any) -> str:
    """A figure as SVG without the XML declaration, to stand inside a page."""
    import io

    buffer = io.StringIO()
    figure.savefig(buffer, format="svg")
    text = buffer.getvalue()
    return text[text.index("<svg") :]


def matches_report(experiment: Experiment, outcomes: Sequence[Outcome]) -> ExperimentReport:
    """The report of an experiment made of matches."""
    verdicts = verdicts_of(experiment, outcomes)
    claims = [claim_of(experiment, outcome) for outcome in outcomes]
    rows = tuple(
        (
            outcome.cell.name,
            outcome.preset,
            outcome.budget,
            str(outcome.score.games),
            f"{100 * outcome.score.rate:.1f}",
            "{:.1f}–{:.1f}".format(*(100 * bound for bound in outcome.score.interval())),
            _paper(outcome, claim.get("claim")),
            _difference(outcome),
            verdict,
            *_spread(experiment, outcome),
        )
        for outcome, claim, verdict in zip(outcomes, claims, verdicts, strict=True)
    )
    told = [
        outcome.to_json() | claim | {"verdict": verdict}
        for outcome, claim, verdict in zip(outcomes, claims, verdicts, strict=True)
    ]
    document = {"experiment": experiment.name, "outcomes": told}
    figures = _curves(experiment, outcomes)
    if experiment.figures:
        figures |= experiment.figures(experiment, outcomes)
    return ExperimentReport(experiment.name, _summary(experiment, outcomes), _head(outcomes), rows, document, figures)


def _paper(outcome: Outcome, claim: float | str | None) -> str:
    """The paper's figure, or what it claims without one."""
    if isinstance(claim, float):
        return f"≥ {100 * claim:g}"
    return claim or ("" if outcome.cell.paper is None else f"{100 * outcome.cell.paper:.1f}")


def _difference(outcome: Outcome) -> str:
    """Ours minus the paper's in points; a star where its interval leaves out 0."""
    if outcome.difference is None:
        return ""
    points = [100 * value for value in outcome.difference]
    star = "" if points[1] <= 0 <= points[2] else "*"
    return "{:+.1f}{} ({:+.1f} to {:+.1f})".format(points[0], star, *points[1:]).replace("-", "−")


def _head(outcomes: Sequence[Outcome]) -> tuple[str, ...]:
    return (*_HEAD, "sd over decks", "paper's") if any("sd" in outcome.details for outcome in outcomes) else _HEAD


def _spread(experiment: Experiment, outcome: Outcome) -> tuple[str, ...]:
    if "sd" not in outcome.details:
        return ()
    paper = experiment.paper_spread.get(outcome.cell.paper or 0.0)
    return f"{100 * outcome.details['sd']:.1f}", "" if paper is None else f"{100 * paper:.1f}"


def _summary(experiment: Experiment, outcomes: Sequence[Outcome]) -> str:
    games = sorted({outcome.score.games for outcome in outcomes})
    budgets = sorted({outcome.budget for outcome in outcomes})
    count = f"{games[0]}" if len(games) == 1 else f"{games[0]} to {games[-1]}" if games else "no"
    said = f"{experiment.title}. {count} games a cell (the paper: {experiment.games}); budget {', '.join(budgets)}."
    forfeits = sum(outcome.forfeits for outcome in outcomes)
    if forfeits:
        said += f" {forfeits} games were forfeited."
    found = experiment.conclusion(outcomes) if isinstance(experiment, BestOf) else ""
    return " ".join(filter(None, (said, experiment.note, found)))


def _curves(experiment: Experiment, outcomes: Sequence[Outcome]) -> dict[str, Any]:
    """A figure for each reading and group of cells that has a parameter: win % over it, a curve an opponent."""
    from tactician.arena.figures import curve_figure

    figures = {}
    groups = sorted({(o.preset, o.cell.group, o.budget) for o in outcomes if o.cell.parameter is not None})
    for preset, group, budget in groups:
        chosen = [o for o in outcomes if (o.preset, o.cell.group, o.budget) == (preset, group, budget)]
        values = sorted({o.cell.parameter for o in chosen if o.cell.parameter is not None})
        opponents = list(dict.fromkeys(o.cell.opponent for o in chosen))
        curves: dict[str, list[ScoreLike | None]] = {name: [None] * len(values) for name in opponents}
        for o in chosen:
            assert o.cell.parameter is not None
            curves[o.cell.opponent][values.index(o.cell.parameter)] = o.score
        usual = budget == chosen[0].cell.budget
        parts = (experiment.name, group.replace(" ", ""), preset, "" if usual else budget.replace(":", "-"))
        name = "-".join(filter(None, parts))
        figures[name] = curve_figure(values, curves, "action points", f"{chosen[0].cell.planner} wins (%)")
    return figures


def search_report(rows: Sequence[Row], budget: str, positions: int) -> ExperimentReport:
    """The report of what searches look like inside."""
    keys = list(dict.fromkeys((row.planner, row.preset) for row in rows))
    found = {(row.planner, row.preset, row.figure): row for row in rows}

    def cell(planner: str, preset: str, figure: str) -> str:
        row = found[planner, preset, figure]
        digits = 2 if row.ours < 100 else 0
        paper = "" if row.paper is None else f" (paper {row.paper:,g})"
        return f"{row.ours:,.{digits}f}{paper}"

    table = tuple((planner, preset, *(cell(planner, preset, f) for f in FIGURES)) for planner, preset in keys)
    summary = f"{TITLE}. Means over {positions} positions, budget {budget}."
    return ExperimentReport(
        NAME,
        summary,
        ("planner", "preset", *(figure.replace("_", " ") for figure in FIGURES)),
        table,
        {"experiment": NAME, "budget": budget, "positions": positions, "rows": [row.to_json() for row in rows]},
    )
