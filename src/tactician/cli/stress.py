"""Verbs that put the program under stress: what only a clock or a kill can show."""

from __future__ import annotations

import typer
from rich.table import Table

from tactician.cli.games import JSON
from tactician.cli.show import out, print_json, progress

stress = typer.Typer(help="What only a clock or a kill can show.", no_args_is_help=True)


def register(app: typer.Typer) -> None:
    """Add the group of verbs."""
    app.add_typer(stress, name="stress", rich_help_panel="Speed")


@stress.callback()
def _group() -> None:
    """What only a clock or a kill can show."""


@stress.command()
def kill(
    kills: int = typer.Option(20, min=1, help="How often to kill the tournament."),
    games: int = typer.Option(200, min=2, help="Games a pair."),
    jobs: int = typer.Option(2, min=1, help="Processes the tournament plays in."),
    as_json: bool = JSON,
) -> None:
    """Kill a tournament again and again at random moments, and see that no game is lost or counted twice."""
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
    turns: int = typer.Option(1000, min=1, help="How many turns to plan."),
    budget: float = typer.Option(50.0, min=1.0, help="Milliseconds a turn."),
    planners: list[str] = typer.Option(None, "--planner", help="Which planners; all that search if none is named."),
    as_json: bool = JSON,
) -> None:
    """Plan turns on all cores at once and see whether time budgets are kept."""
    from tactician.stress import stress_deadlines

    with progress("planning under load") as on_progress:
        report = stress_deadlines(turns, budget, planners, on_progress=on_progress)
    if as_json:
        print_json(report.to_json())
    else:
        table = Table("planner", "turns", "late p95", "late max", box=None, pad_edge=False)
        for name, late in report.late_ms.items():
            table.add_row(name, str(len(late)), f"{report.quantile(name):.2f} ms", f"{max(late):.2f} ms")
        out.print(table)
        verdict = "kept" if report.ok else "not kept"
        out.print(
            f"{report.turns} turns of {report.budget_ms:g} ms in {report.processes} processes: deadlines {verdict}, "
            f"95 % within {report.quantile():.2f} ms (allowed {report.allowed_ms:g})",
            highlight=False,
        )
    raise typer.Exit(0 if report.ok else 1)


@stress.command()
def bot(
    games: int = typer.Option(1000, min=1, help="How many games."),
    budget: str = typer.Option("5ms", help="For a battle turn; 'usual' for what the bot takes by itself."),
    planner: str = typer.Option("permutation-oep", help="The planner: name or name:key=value,..."),
    way: str = typer.Option("processes", "--bots", help="A fresh process each (processes), forks, or in-process."),
    jobs: int | None = typer.Option(None, min=1, help="Games side by side; as many as there are cores if not given."),
    seed: int = typer.Option(0, min=0, help="The first of the games' seeds."),
    as_json: bool = JSON,
) -> None:
    """Play `tactician bot locm` against itself over pipes and see whether the competition's time limits are kept."""
    from tactician.stress import stress_bot

    with progress("games over pipes") as on_progress:
        report = stress_bot(games, None if budget == "usual" else budget, planner, way, jobs, seed, on_progress)
    if as_json:
        print_json(report.to_json())
    else:
        table = Table("phase", "slowest", "limit", box=None, pad_edge=False)
        for phase, slowest in report.slowest_ms.items():
            table.add_row(phase, f"{slowest:.1f} ms", f"{report.limits_ms.get(phase, 0)} ms")
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
