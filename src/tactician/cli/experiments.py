"""Verbs about results: reproduce the papers, read a store."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import typer
from rich.markup import escape
from rich.table import Table

from tactician.cli.arena import CLUSTER_HELP, STORE_HELP
from tactician.cli.games import JSON
from tactician.cli.show import err, out, print_json, progress
from tactician.errors import InvalidParameterError
from tactician.files import require_writable_folder

if TYPE_CHECKING:
    from tactician.experiments import ExperimentReport

DEFAULT_STORE = "tactician-results.sqlite"


def register(app: typer.Typer) -> None:
    """Add the verbs."""
    app.command("reproduce", rich_help_panel="Results")(reproduce)
    app.command("results", rich_help_panel="Results")(results)


def reproduce(
    name: str | None = typer.Argument(None, help="The experiment; see --list."),
    listed: bool = typer.Option(False, "--list", help="List the experiments with estimates of their time."),
    games: int | None = typer.Option(None, min=1, help="Games per cell; the paper's number if not given."),
    budget: str | None = typer.Option(None, help="Budget instead of the paper's, e.g. ref:600ms or 200ms."),
    preset: str = typer.Option("both", help="Which reading of the paper, e.g. paper or reference; both: all."),
    only: list[str] = typer.Option(None, "--only", help="Only cells whose names begin with this; may be repeated."),
    extend: bool = typer.Option(
        False, "--extend", help="Play more games in every undecided cell, up to the paper's number."
    ),
    battles: int | None = typer.Option(None, min=1, help="Battles to train agents on; as in the paper if not given."),
    seed: int = typer.Option(0, min=0, help="Decides starts and searches."),
    jobs: int = typer.Option(1, min=1, help="Number of processes."),
    cluster: str | None = typer.Option(None, help=CLUSTER_HELP),
    store: str | None = typer.Option(None, "--out", help=STORE_HELP, show_default=DEFAULT_STORE),
    report: bool = typer.Option(
        False, "--report", help="Write the page of the results in --results, without playing; without NAME, all pages."
    ),
    results_folder: Path | None = typer.Option(
        None, "--results", help="Add what was measured to NAME.json in this folder.", show_default="results"
    ),
    write: Path | None = typer.Option(
        None, help="Write the report into this folder: Markdown, HTML, JSON, figures; with --report the page."
    ),
    as_json: bool = JSON,
) -> None:
    """Measure a paper's table or figure and print our results beside the printed ones. Run it again to resume."""
    from tactician.experiments import RunRequest, find_experiment

    if report:
        asked = {"--games": games, "--budget": budget, "--only": only, "--extend": extend, "--battles": battles}
        asked |= {"--seed": seed, "--cluster": cluster, "--out": store, "--json": as_json, "--list": listed}
        useless = " and ".join(flag for flag, value in asked.items() if value)
        if useless:
            raise InvalidParameterError(
                f"--report plays nothing and does not take {useless}; expected only --results and --write."
            )
        _write_pages(name, results_folder or Path("results"), write or Path("docs/reproduction"))
        return
    if listed or name is None:
        _list(as_json)
        return
    experiment = find_experiment(name)
    for what, folder in (("report folder", write), ("results folder", results_folder)):
        if folder is not None:
            require_writable_folder(what, folder)
    if store is None and "store" in experiment.options:
        store = DEFAULT_STORE
    with progress(name) as on_progress:

        def after(what: str, done: int, total: int) -> None:
            on_progress(what)
            on_progress(done, total)

        found = experiment.run(
            RunRequest(
                games=games,
                budget=budget,
                preset=preset,
                only=only or (),
                seed=seed,
                jobs=jobs,
                cluster=cluster,
                store=store,
                battles=battles,
                extend=extend,
                on_progress=after,
            )
        )
    if as_json:
        print_json(found.document)
    else:
        _show(found)
    written = [] if write is None else found.write(write)
    if results_folder is not None:
        from tactician.experiments.pages import add_results

        written.append(add_results(found.document, results_folder))
    for path in written:
        err.print(f"wrote {path}", highlight=False, markup=False)


def _write_pages(name: str | None, results_folder: Path, folder: Path) -> None:
    """Write pages from results that exist."""
    from tactician.experiments import find_experiment
    from tactician.experiments.pages import write_pages

    if name is not None:
        find_experiment(name)
    written = write_pages(results_folder, folder, name)
    for path in written:
        err.print(f"wrote {path}", highlight=False, markup=False)
    if not written:
        err.print("nothing has changed", highlight=False)


def _show(found: ExperimentReport) -> None:
    table = Table(*map(escape, found.head), box=None, pad_edge=False)
    for row in found.rows:
        table.add_row(*map(escape, row))
    for line in (f"{found.title} ({found.paper})", f"Claim: {found.claim}", found.summary):
        out.print(line, highlight=False, markup=False)
    out.print(table)
    for one in found.more:
        below = Table(*map(escape, one.head), box=None, pad_edge=False)
        for row in one.rows:
            below.add_row(*map(escape, row))
        out.print(one.title, highlight=False, markup=False)
        out.print(below)
    out.print(f"Verdict: {found.verdict}", highlight=False, markup=False)


def _list(as_json: bool) -> None:
    from tactician.experiments import experiment_list

    if as_json:
        print_json(experiment_list())
        return
    table = Table("experiment", "what", "cells", "size of a cell", "hours (estimate)", box=None, pad_edge=False)
    for row in experiment_list():
        hours = f"{row['hours']:.1f}" if row["hours"] >= 0.1 else "< 0.1"
        size = f"{row['games']} {row['unit']}"
        table.add_row(f"[bold]{escape(row['name'])}[/bold]", escape(row["title"]), str(row["cells"]), size, hours)
    out.print(table)
    err.print(
        "hours: estimates for one core of the machine they were measured on, all readings at the paper's size; "
        "--games and --budget make a run smaller",
        highlight=False,
    )


def results(
    store: str = typer.Argument(DEFAULT_STORE, help="An SQLite file or a database URL."),
    tournament: str | None = typer.Argument(None, help="Number of a tournament to show."),
    csv: Path | None = typer.Option(None, help="Write its games as a CSV file."),
    jsonl: Path | None = typer.Option(None, help="Write its games as JSON lines that can be replayed."),
    as_json: bool = JSON,
) -> None:
    """List the tournaments in a store, show one, or export its games."""
    from tactician.cli.results import check_places, export, list_tournaments, show

    if tournament is None:
        for option, path in (("--csv", csv), ("--jsonl", jsonl)):
            if path is not None:
                raise InvalidParameterError(
                    f"{option} writes one tournament's games; expected its number after the store, see "
                    "'tactician results STORE'."
                )
        list_tournaments(store, as_json)
        return
    check_places(store, csv, jsonl)
    if as_json or (csv is None and jsonl is None):
        show(store, tournament, as_json)
    export(store, tournament, csv, jsonl)
