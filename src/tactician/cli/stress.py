"""Commands that put the program under stress: deadlines under load, crash recovery."""

from __future__ import annotations

import typer
from rich.markup import escape
from rich.table import Table

from tactician.cli.games import JSON
from tactician.cli.show import out, print_json, progress

stress = typer.Typer(
    help="Stress tests: deadlines under load, crash recovery, many games at the board.", no_args_is_help=True
)


def register(app: typer.Typer) -> None:
    """Add the group of commands."""
    app.add_typer(stress, name="stress", rich_help_panel="Speed")


@stress.callback()
def _group() -> None:
    """Stress tests: deadlines under load, crash recovery, a crowded board."""


@stress.command()
def kill(
    kills: int = typer.Option(20, min=1, help="How many times to kill the tournament."),
    games: int = typer.Option(200, min=2, help="Games for each pair."),
    jobs: int = typer.Option(2, min=1, help="Number of processes to play in."),
    as_json: bool = JSON,
) -> None:
    """Kill a tournament at random moments, resume it, and verify that no game is lost or counted twice."""
    from tactician.stress import stress_kill

    with progress("killing") as on_progress:
        report = stress_kill(kills, games, jobs, on_progress)
    if as_json:
        print_json(report.to_json())
    else:
        out.print(report.sentence(), highlight=False)
    raise typer.Exit(0 if report.ok else 1)


@stress.command()
def deadlines(
    turns: int = typer.Option(1000, min=1, help="Number of turns to plan."),
    budget: float = typer.Option(50.0, min=1.0, help="Milliseconds for each turn."),
    planners: list[str] = typer.Option(
        None, "--planner", help="A planner to test; may be repeated. Without it, all planners that search."
    ),
    as_json: bool = JSON,
) -> None:
    """Plan turns on all cores at once and measure whether time budgets are kept."""
    from tactician.stress import stress_deadlines

    with progress("planning under load") as on_progress:
        report = stress_deadlines(turns, budget, planners, on_progress=on_progress)
    if as_json:
        print_json(report.to_json())
    else:
        table = Table("planner", "turns", "late p95", "late max", box=None, pad_edge=False)
        for name, late in report.late_ms.items():
            table.add_row(escape(name), str(len(late)), f"{report.quantile(name):.2f} ms", f"{max(late):.2f} ms")
        out.print(table)
        verdict = "kept" if report.ok else "not kept"
        out.print(
            f"{report.turns} turns of {report.budget_ms:g} ms in {report.processes} processes: deadlines {verdict}, "
            f"95 % within {report.quantile():.2f} ms (allowed {report.allowed_ms:g})",
            highlight=False,
        )
    raise typer.Exit(0 if report.ok else 1)


@stress.command()
def board(
    visitors: int = typer.Option(50, min=1, max=1000, help="Games at the same time."),
    seconds: float = typer.Option(30.0, min=1.0, help="How long they are played."),
    planner: str = typer.Option("oep", help="Planner that everybody plays against."),
    budget: str = typer.Option("500ms", help="Budget of the planner for one turn."),
    as_json: bool = JSON,
) -> None:
    """Let many people play at one board and measure how quickly pages are answered."""
    from tactician.stress import stress_board

    with progress("games at the board") as on_progress:
        report = stress_board(visitors, seconds, planner, budget, on_progress)
    if as_json:
        print_json(report.to_json())
    else:
        out.print(report.sentence(), highlight=False)
        for fault in report.faults[:10]:
            out.print(f"fault: {fault}", highlight=False, markup=False)
    raise typer.Exit(0 if report.ok else 1)


@stress.command()
def bot(
    games: int = typer.Option(1000, min=1, help="Number of games."),
    budget: str = typer.Option("5ms", help="Budget of a battle turn; 'usual' for the bot's own default."),
    planner: str | None = typer.Option(None, help="Planner, as NAME or NAME:KEY=VALUE,...; by default the bot's own."),
    way: str = typer.Option(
        "processes",
        "--bots",
        help="How bots are started: 'fresh' and asked at once, 'processes' that are loaded first, 'forks' of a loaded "
        "one, or 'in-process' (no pipes).",
    ),
    jobs: int | None = typer.Option(
        None, min=1, help="Number of games played at the same time; by default the number of cores."
    ),
    seed: int = typer.Option(0, min=0, help="Seed of the first game."),
    as_json: bool = JSON,
) -> None:
    """Play `tactician bot locm` against itself over pipes and measure whether the time limits are kept."""
    from tactician.stress import stress_bot

    with progress("games over pipes") as on_progress:
        report = stress_bot(games, None if budget == "usual" else budget, planner, way, jobs, seed, on_progress)
    if as_json:
        print_json(report.to_json())
    else:
        table = Table("phase", "slowest", "limit", box=None, pad_edge=False)
        for phase, slowest in report.slowest_ms.items():
            table.add_row(escape(phase), f"{slowest:.1f} ms", f"{report.limits_ms.get(phase, 0)} ms")
        out.print(table)
        if report.slowest_start_ms:
            out.print(f"slowest start of a process: {report.slowest_start_ms:.0f} ms", highlight=False)
        for fault in report.faults[:10]:
            out.print(f"fault: {fault}", highlight=False, markup=False)
        out.print(
            f"{report.games} games, {report.answers} answers in {report.seconds:g} s: {report.late} late, "
            f"{len(report.faults)} faults, {report.illegal} illegal actions",
            highlight=False,
        )
    raise typer.Exit(0 if report.ok else 1)
