"""Verbs about playing planners against each other."""

from __future__ import annotations

from typing import Any

import typer
from rich.table import Table

from tactician.cli.games import JSON
from tactician.cli.show import err, out, print_json, progress


def register(app: typer.Typer) -> None:
    """Add the verbs."""
    app.command("arena", rich_help_panel="Planners")(arena)
    app.command("planners", rich_help_panel="Planners")(list_planners)
    app.command("demo", rich_help_panel="Planners")(demo)


def list_planners(as_json: bool = JSON) -> None:
    """List the planners with their parameters and defaults."""
    from dataclasses import fields

    from tactician.planners.registry import PLANNERS

    rows: list[dict[str, Any]] = [
        {
            "name": name,
            "parameters": {f.name: f.default for f in fields(kind)},
            "paper": kind.paper,
            "description": (kind.__doc__ or "").splitlines()[0],
        }
        for name, kind in PLANNERS.items()
    ]
    if as_json:
        print_json(rows)
        return
    table = Table("planner", "what it does", "parameters and defaults", "paper", box=None, pad_edge=False)
    for row in rows:
        shown = ", ".join(f"{key}={value}" for key, value in row["parameters"].items())
        table.add_row(f"[bold]{row['name']}[/bold]", row["description"], f"[dim]{shown}[/dim]", row["paper"])
    out.print(table)


def arena(
    game: str = typer.Argument(help="The game."),
    planners: list[str] = typer.Argument(help="Two or more planners: name or name:key=value,..."),
    games: int = typer.Option(20, min=1, help="Games a pair; each start is played from both sides."),
    budget: str = typer.Option("100ms", help="For one turn: 200ms, 2s, 500evals, 100its."),
    seed: int = typer.Option(0, min=0, help="Decides starts and searches."),
    as_json: bool = JSON,
) -> None:
    """Play planners against each other and print the cross-table."""
    _tournament(game, planners, games, budget, seed, as_json)


def demo() -> None:
    """Draw Hero Academy and play a small tournament on it."""
    from tactician.games import hero_academy

    out.print("[bold]Hero Academy[/bold], the first turn of player 1:\n")
    out.print(hero_academy().initial_state(seed=7).text(), highlight=False)
    out.print()
    _tournament("hero-academy", ["random", "greedy-action", "mcts", "oep", "emcts"], 4, "10ms", 1, False)


def _tournament(game: str, planners: list[str], games: int, budget: str, seed: int, as_json: bool) -> None:
    from tactician.arena import Tournament, round_robin
    from tactician.games.registry import load_game
    from tactician.planners.registry import parse_planner

    chosen = [parse_planner(spec) for spec in planners]
    loaded = load_game(game)
    total = games * len(chosen) * (len(chosen) - 1) // 2
    with progress(f"{loaded.name}, {budget} a turn", total) as heard:

        def after_game(result: Tournament) -> None:
            heard(len(result.games), total)

        result = round_robin(loaded, chosen, games, budget, seed, after_game)
    if as_json:
        print_json(result.to_json())
        return
    err.print(
        f"{total} games of {loaded.name}, {budget} a turn; row's win % with 95 % interval, draws as half:",
        highlight=False,
    )
    out.print(cross_table(result))


def cross_table(result: object) -> Table:
    """Everybody's win percentage against everybody, best first."""
    from tactician.arena import Tournament

    assert isinstance(result, Tournament)
    order = sorted(range(len(result.names)), key=lambda i: -result.total(i).rate)
    numbers = [str(number) for number in range(1, len(order) + 1)]
    table = Table("", "planner", "all", *numbers, box=None, pad_edge=False, padding=(0, 1, 0, 0))
    for number, row in zip(numbers, order, strict=True):
        cells = ["[dim]·[/dim]" if row == column else _cell(result.score(row, column)) for column in order]
        table.add_row(number, f"[bold]{result.names[row]}[/bold]", _cell(result.total(row), True), *cells)
    for column in table.columns[2:]:
        column.justify, column.no_wrap = "right", True
    return table


def _cell(score: object, with_interval: bool = False) -> str:
    """A win percentage, green or red where it differs significantly from a half."""
    from tactician.arena import Score

    assert isinstance(score, Score)
    low, high = score.interval()
    colour = "green" if low > 0.5 else "red" if high < 0.5 else "default"
    interval = f" [dim]({100 * low:.0f}–{100 * high:.0f})[/dim]" if with_interval else ""
    return f"[{colour}]{100 * score.rate:.0f}[/{colour}]{interval}"
