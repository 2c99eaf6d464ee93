"""Commands about speed: measure it, and compile ahead of time."""

from __future__ import annotations

import typer
from rich.table import Table

from tactician.cli.games import JSON
from tactician.cli.show import out, print_json, progress


def register(app: typer.Typer) -> None:
    """Add the commands."""
    app.command("bench", rich_help_panel="Speed")(bench)
    app.command("warmup", rich_help_panel="Speed")(warmup)


def bench(
    games: list[str] = typer.Argument(None, help="Games to measure, or 'planners'; everything if none is given."),
    as_json: bool = JSON,
) -> None:
    """Measure the speed of every layer of a game, or of every planner."""
    from tactician.bench import reference_of, run_bench
    from tactician.bench.figures import PLANNERS
    from tactician.games.registry import GAMES

    with progress("measuring") as on_progress:
        report = run_bench(games or [*GAMES, PLANNERS], on_progress)
    if as_json:
        print_json(report.to_json())
        return
    machine = report.machine
    out.print(f"{machine['processor']}, Python {machine['python']}, Numba {machine['numba']}", highlight=False)
    table = Table("figure", "value", "unit", "× reference", box=None, pad_edge=False)
    game = ""
    for figure in report.figures:
        if figure.game != game:
            game = figure.game
            table.add_row(f"[bold]{game}[/bold]", "", "", "")
        reference = reference_of(figure)
        ratio = f"{figure.value / reference:.1f}" if reference else ""
        value = f"{figure.value:,.0f}" if figure.value >= 10 else f"{figure.value:.2f}"
        position = f" [dim]{figure.position}[/dim]" if figure.position else ""
        table.add_row(f"  {figure.name}{position}", value, figure.unit, ratio)
    for column in (1, 3):
        table.columns[column].justify = "right"
    out.print(table)


def warmup() -> None:
    """Compile everything that comes with the package now, so that later commands start at once."""
    from tactician.warmup import warm_everything

    with progress("compiling") as on_progress:
        seconds = warm_everything(on_progress)
    out.print(f"everything is compiled and cached ({seconds:.1f} s)", highlight=False)
