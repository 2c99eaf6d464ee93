"""Verbs about results: reproduce the papers, look into a store."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import typer
from rich.table import Table

from tactician.cli.arena import STORE_HELP
from tactician.cli.games import JSON, write_text
from tactician.cli.show import err, out, print_json, progress

if TYPE_CHECKING:
    from tactician.arena import Tournament
    from tactician.experiments import Cell

DEFAULT_STORE = "tactician-results.sqlite"


def register(app: typer.Typer) -> None:
    """Add the verbs."""
    app.command("reproduce", rich_help_panel="Results")(reproduce)
    app.command("results", rich_help_panel="Results")(results)


def reproduce(
    name: str | None = typer.Argument(None, help="The experiment; see --list."),
    listed: bool = typer.Option(False, "--list", help="List the experiments with an estimate of their time here."),
    games: int | None = typer.Option(None, min=1, help="Games a cell; the paper's number if not given."),
    budget: str | None = typer.Option(None, help="Instead of the paper's: e.g. ref:600ms or 200ms."),
    preset: str = typer.Option("both", help="Which reading of the paper: paper, reference or both."),
    only: list[str] = typer.Option(None, "--only", help="Only cells whose names begin so; may be repeated."),
    seed: int = typer.Option(0, min=0, help="Decides starts and searches."),
    jobs: int = typer.Option(1, min=1, help="Processes to play in."),
    cluster: str | None = typer.Option(None, help="Address of a Dask scheduler to play on instead."),
    store: str = typer.Option(DEFAULT_STORE, "--out", help=STORE_HELP),
    report: Path | None = typer.Option(None, help="Write the report as REPORT.md, REPORT.html and REPORT.json."),
    as_json: bool = JSON,
) -> None:
    """Run a paper's table or figure and print ours beside the paper's; the same command again goes on."""
    from tactician.arena.store import open_store
    from tactician.experiments import EXPERIMENTS, find_experiment, run_experiment
    from tactician.experiments.report import html, markdown, rows, summary

    if listed or name is None:
        _list(list(EXPERIMENTS.values()), as_json)
        return
    experiment = find_experiment(name)
    with progress(experiment.name) as heard:

        def after_game(cell: Cell, reading: str, result: Tournament) -> None:
            heard(f"{cell.name} ({reading})")
            heard(len(result.records), result.total)

        outcomes = run_experiment(
            experiment,
            open_store(store),
            games,
            budget,
            preset,
            only or (),
            seed,
            jobs,
            cluster,
            after_game,
        )
    document = {"experiment": experiment.name, "outcomes": [outcome.to_json() for outcome in outcomes]}
    if report is not None:
        import json

        write_text(report.with_suffix(".md"), markdown(experiment, outcomes))
        write_text(report.with_suffix(".html"), html(experiment, outcomes))
        write_text(report.with_suffix(".json"), json.dumps(document, indent=2) + "\n")
    if as_json:
        print_json(document)
        return
    table = Table("cell", "preset", "budget", "games", "ours", "95 %", "paper", "verdict", box=None, pad_edge=False)
    for row in rows(outcomes):
        table.add_row(*row)
    out.print(summary(experiment, outcomes), highlight=False)
    out.print(table)


def _list(experiments: list, as_json: bool) -> None:
    shown = [
        {
            "name": experiment.name,
            "title": experiment.title,
            "cells": len(experiment.cells),
            "games": experiment.games,
            "hours": 2 * len(experiment.cells) * experiment.games * experiment.seconds_a_game / 3600,
        }
        for experiment in experiments
    ]
    if as_json:
        print_json(shown)
        return
    table = Table("experiment", "what", "cells", "games", "hours", box=None, pad_edge=False)
    for row in shown:
        table.add_row(
            f"[bold]{row['name']}[/bold]", row["title"], str(row["cells"]), str(row["games"]), f"{row['hours']:.1f}"
        )
    out.print(table)
    err.print(
        "hours: both readings at the paper's size, on one core; --games and --budget make it smaller", highlight=False
    )


def results(
    store: str = typer.Argument(DEFAULT_STORE, help="An SQLite file or a database URL."),
    tournament: str | None = typer.Argument(None, help="Number of a tournament to show."),
    csv: Path | None = typer.Option(None, help="Write its games as a CSV file."),
    jsonl: Path | None = typer.Option(None, help="Write its games as JSON lines, each to be replayed."),
    as_json: bool = JSON,
) -> None:
    """List the tournaments in a store, show one, or export its games."""
    from tactician.cli.results import export, list_tournaments, show

    if tournament is None:
        list_tournaments(store, as_json)
    elif csv is not None or jsonl is not None:
        export(store, tournament, csv, jsonl)
    else:
        show(store, tournament, as_json)
