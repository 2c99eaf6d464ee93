"""Commands about speed: measure it, and compile ahead of time."""

from __future__ import annotations

from pathlib import Path

import typer
from rich.markup import escape
from rich.table import Table

from tactician.cli.games import JSON
from tactician.cli.show import out, print_json, progress
from tactician.errors import InvalidParameterError
from tactician.files import require_writable


def register(app: typer.Typer) -> None:
    """Add the commands."""
    app.command("bench", rich_help_panel="Speed")(bench)
    app.command("warmup", rich_help_panel="Speed")(warmup)


def bench(
    games: list[str] = typer.Argument(
        None, help="Games to measure, 'planners' or 'growth'; all games and planners if none is given."
    ),
    keep: Path | None = typer.Option(None, "--out", help="JSON file for the points of 'growth'; run again to resume."),
    most: int = typer.Option(10_000_000, "--most", min=1000, help="Largest budget of 'growth', in iterations."),
    as_json: bool = JSON,
) -> None:
    """Measure the speed of every layer of a game, of every planner, or how speed and memory scale."""
    if games == ["growth"]:
        _growth(keep, most, as_json)
        return
    if keep is not None:
        raise InvalidParameterError("--out belongs to 'tactician bench growth'; expected no games and no planners.")
    from tactician.bench import reference_of, run_bench
    from tactician.bench.figures import PLANNERS
    from tactician.games.registry import GAMES

    with progress("measuring") as on_progress:
        report = run_bench(games or [*GAMES, PLANNERS], on_progress)
    if as_json:
        print_json(report.to_json())
        return
    machine = report.machine
    about = f"{machine['processor']}, Python {machine['python']}, Numba {machine['numba']}"
    out.print(about, highlight=False, markup=False)
    table = Table("figure", "value", "unit", "× reference", box=None, pad_edge=False)
    game = ""
    for figure in report.figures:
        if figure.game != game:
            game = figure.game
            table.add_row(f"[bold]{escape(game)}[/bold]", "", "", "")
        reference = reference_of(figure)
        ratio = f"{figure.value / reference:.1f}" if reference else ""
        value = f"{figure.value:,.0f}" if figure.value >= 10 else f"{figure.value:.2f}"
        position = f" [dim]{escape(figure.position)}[/dim]" if figure.position else ""
        table.add_row(f"  {escape(figure.name)}{position}", value, escape(figure.unit), ratio)
    for column in (1, 3):
        table.columns[column].justify = "right"
    out.print(table)


def _growth(keep: Path | None, most: int, as_json: bool) -> None:
    from tactician.bench.growth import measure_growth

    if keep is not None:
        require_writable("--out", keep)
    with progress("measuring") as on_progress:
        document = measure_growth(keep, most, on_progress)
    if as_json:
        print_json(document)
        return
    table = Table("axis", "at", "game", "planner", "value", "unit", "MB", box=None, pad_edge=False)
    for row in sorted(document["points"], key=lambda row: (row["axis"], row["game"].partition(":")[0], row["planner"])):
        names = [escape(row[name]) for name in ("game", "planner")]
        table.add_row(
            row["axis"], f"{row['at']:,}", *names, f"{row['rate']:,.0f}", row["unit"], f"{row['memory_mb']:,.0f}"
        )
    for column in (1, 4, 6):
        table.columns[column].justify = "right"
    out.print(table)


def warmup() -> None:
    """Compile everything that comes with the package now, so that later commands start at once."""
    from tactician.warmup import warm_everything

    with progress("compiling") as on_progress:
        seconds = warm_everything(on_progress)
    out.print(f"everything is compiled and cached ({seconds:.1f} s)", highlight=False)
