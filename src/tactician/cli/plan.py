"""The command that plans one turn and explains it."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import typer
from rich.markup import escape
from rich.table import Table
from rich.text import Text

from tactician.cli.games import JSON, POSITION_HELP, given_position
from tactician.cli.show import out, print_json

if TYPE_CHECKING:
    from tactician.contract.state import State
    from tactician.seats.plan import Plan


def register(app: typer.Typer) -> None:
    """Add the command."""
    app.command("plan", rich_help_panel="Planners")(plan)


def plan(
    game: str = typer.Argument(help="Game."),
    state: Path | None = typer.Option(None, help="JSON file with the position; without it, a start position."),
    position: str | None = typer.Option(None, help=POSITION_HELP),
    planner: str = typer.Option("emcts", help="Planner, as NAME or NAME:KEY=VALUE,..."),
    budget: str = typer.Option("200ms", help="Budget of the turn: 200ms, 2s, 500evals, 100its, ref:200ms."),
    seed: int = typer.Option(0, min=0, help="Seed of the start position and the search."),
    seat: int = typer.Option(0, min=0, help="Seat to plan for, where all players act at once."),
    as_json: bool = JSON,
) -> None:
    """Plan one turn and print the position before and after it, the plan and the best alternatives."""
    from tactician.games.registry import load_game
    from tactician.planners.registry import parse_planner
    from tactician.seats.budget import Budget

    chosen, thinking = parse_planner(planner), Budget.parse(budget)
    loaded = load_game(game)
    start = given_position(loaded, state, position, seed)
    agent = chosen.on(loaded, seed=seed)
    found = agent.plan(start, thinking, seat=seat if loaded.simultaneous else None)
    if as_json:
        document = found.to_json()
        document["game"], document["planner"], document["budget"] = game, str(chosen), str(thinking)
        document["turn"] = [loaded.action_to_json(action) for action in found.actions]
        print_json(document)
        return
    _show(start, found, str(chosen), str(thinking))


def _show(position: State, found: Plan, planner: str, budget: str) -> None:
    out.print("[bold]Before[/bold]")
    out.print(position.text(), highlight=False)
    if not position.game.simultaneous:
        out.print("\n[bold]After[/bold]")
        from tactician.seats.plan import position_after

        out.print(position_after(position, found.actions).text(), highlight=False)
    value = "" if found.value is None else f", value {_number(found.value)}"
    out.print(f"\n[bold]{escape(planner)}[/bold], {escape(budget)}{value}", highlight=False)
    for number, name in enumerate(found.names, 1):
        out.print(f"  {number}. {name}", markup=False, highlight=False)
    if found.alternatives:
        table = Table("value", "count", "turn (or its first action)", box=None, pad_edge=False)
        for row in found.alternatives:
            table.add_row(_number(row.value), f"{row.count:,}", Text("; ".join(map(str, row.names))))
        out.print("\n[bold]Best alternatives[/bold]")
        out.print(table)
    stats = found.stats
    out.print(
        f"\n{stats.evaluations:,} evaluations, {stats.iterations:,} iterations, {stats.sequences:,} sequences, "
        f"{stats.unique_outcomes:,} unique outcomes, branching {stats.branching:.1f}, "
        f"depth {stats.mean_depth:.2f} (max {stats.max_depth}), {stats.nodes:,} nodes, {stats.time_ms:.1f} ms",
        highlight=False,
    )


def _number(value: float) -> str:
    """Few digits of a large value, more of a small one."""
    return f"{value:,.1f}" if abs(value) >= 10 else f"{value:.3f}"
