"""The command that writes a game as an animated file."""

from __future__ import annotations

from pathlib import Path

import typer

from tactician.cli.games import write_text
from tactician.cli.show import err
from tactician.errors import InvalidParameterError
from tactician.files import require_ending, require_writable
from tactician.parameters import require_finite


def register(app: typer.Typer) -> None:
    """Add the command."""
    app.command("animate", rich_help_panel="Games")(animate)


def animate(
    source: str = typer.Argument(help="Game to play, or a file of recorded games (*.jsonl) from 'results --jsonl'."),
    agents: list[str] = typer.Argument(None, help="Who plays, an agent for each seat; not for a recorded game."),
    out: Path = typer.Option(..., "--out", help="HTML file to write."),
    budget: str = typer.Option("100its", help="For one turn: 200ms, 2s, 500evals, 100its, 4its/action, ref:200ms."),
    seed: int = typer.Option(0, min=0, help="Decides the start and the searches."),
    number: int = typer.Option(0, min=0, help="Which game of a file, counted from 0."),
    speed: float = typer.Option(2.0, min=0.1, max=60.0, help="Frames a second."),
) -> None:
    """Write a replay as one HTML file: of a game that is played now, or of a recorded one."""
    from tactician.arena.animation import animated, read_record
    from tactician.arena.match import play
    from tactician.arena.records import Pairing
    from tactician.arena.schedule import as_names
    from tactician.games.registry import load_game
    from tactician.seats.budget import Budget

    require_finite("speed", speed)
    require_ending("file", out, ".html")
    require_writable("file", out)
    if source.endswith((".jsonl", ".jsonl.gz")):
        if agents:
            raise InvalidParameterError(f"agents are {' '.join(agents)!r}; expected none for a recorded game.")
        record = read_record(Path(source), number)
    else:
        players = load_game(source).players
        if len(agents or ()) != players:
            raise InvalidParameterError(f"{len(agents or ())} agents given; expected {players}, one for each seat.")
        Budget.parse(budget)
        record = play(Pairing(source, as_names(agents), budget, seed, 0))
    write_text(out, animated(record, speed))
    if record.error is not None:
        who = "" if record.error_seat is None else f"player {record.error_seat + 1} "
        err.print(f"{who}forfeited the game: {record.error}", highlight=False, markup=False)
        raise typer.Exit(1)
