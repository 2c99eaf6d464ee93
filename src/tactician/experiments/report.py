"""Ours beside the paper's, for people: a table in the terminal, Markdown and HTML."""

from __future__ import annotations

from collections.abc import Sequence
from html import escape

from tactician.experiments.base import Experiment, Outcome

_HEAD = ("cell", "preset", "budget", "games", "ours", "95 % interval", "paper", "verdict")


def rows(outcomes: Sequence[Outcome]) -> list[tuple[str, ...]]:
    """A row a cell: percentages, interval, verdict."""
    return [
        (
            outcome.cell.name,
            outcome.preset,
            outcome.budget,
            str(outcome.score.games),
            f"{100 * outcome.score.rate:.1f}",
            "{:.1f}–{:.1f}".format(*(100 * bound for bound in outcome.score.interval())),
            "" if outcome.cell.paper is None else f"{100 * outcome.cell.paper:.1f}",
            outcome.verdict,
        )
        for outcome in outcomes
    ]


def summary(experiment: Experiment, outcomes: Sequence[Outcome]) -> str:
    """What was run and how it differs in size from the paper."""
    games = sorted({outcome.score.games for outcome in outcomes})
    budgets = sorted({outcome.budget for outcome in outcomes})
    count = f"{games[0]}" if len(games) == 1 else f"{games[0]} to {games[-1]}" if games else "no"
    said = f"{experiment.title}. {count} games a cell (the paper: {experiment.games}); budget {', '.join(budgets)}."
    forfeits = sum(outcome.forfeits for outcome in outcomes)
    if forfeits:
        said += f" {forfeits} games were forfeited."
    return f"{said} {experiment.note}".strip()


def markdown(experiment: Experiment, outcomes: Sequence[Outcome]) -> str:
    """The report as a Markdown section."""
    lines = [f"## {experiment.name}", "", summary(experiment, outcomes), ""]
    lines += ["| " + " | ".join(_HEAD) + " |", "|" + "---|" * len(_HEAD)]
    lines += ["| " + " | ".join(row) + " |" for row in rows(outcomes)]
    return "\n".join(lines) + "\n"


def html(experiment: Experiment, outcomes: Sequence[Outcome], figures: Sequence[str] = ()) -> str:
    """The report as a stand-alone page; `figures` are SVG documents."""
    head = "".join(f"<th>{escape(name)}</th>" for name in _HEAD)
    body = "".join("<tr>" + "".join(f"<td>{escape(value)}</td>" for value in row) + "</tr>" for row in rows(outcomes))
    return (
        f'<!doctype html><html lang="en"><meta charset="utf-8"><title>{escape(experiment.name)}</title>'
        "<style>body{font:15px sans-serif;margin:2em;max-width:70em}table{border-collapse:collapse}"
        "td,th{padding:.3em .7em;border-bottom:1px solid #ccc;text-align:left}</style>"
        f"<h1>{escape(experiment.name)}</h1><p>{escape(summary(experiment, outcomes))}</p>"
        f"<table><tr>{head}</tr>{body}</table>{''.join(figures)}</html>"
    )
