"""Commands about games: list, draw and check them, and replay recorded games."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import typer
from rich.markup import escape
from rich.table import Table

from tactician.cli.show import err, out, print_json, progress
from tactician.errors import InvalidParameterError, TacticianError
from tactician.files import read_json, reason, shown, write_files

if TYPE_CHECKING:
    from tactician.contract.game import Game
    from tactician.contract.state import State

JSON = typer.Option(False, "--json", help="Print one JSON document on stdout and nothing else there.")

POSITION_HELP = "The position as text: actions from the start position as plans print them, 'NAME; NAME', or JSON."


def register(app: typer.Typer) -> None:
    """Add the commands."""
    app.command("games", rich_help_panel="Games")(list_games)
    app.command("new", rich_help_panel="Games")(new)
    app.command("draw", rich_help_panel="Games")(draw)
    app.command("check", rich_help_panel="Games")(check)
    app.command("stubs", rich_help_panel="Games")(stubs)
    app.command("conformance", rich_help_panel="Games")(conformance)


def list_games(as_json: bool = JSON) -> None:
    """List the games with their parameters and defaults."""
    from tactician.games.registry import game_names, game_parameters, load_game

    rows = []
    for name in game_names():
        try:
            game = load_game(name)
        except TacticianError as error:  # one broken package must not hide all other games
            err.print(f"{name} is left out: {error}", markup=False, highlight=False)
            continue
        parameters = {key: p.default for key, p in game_parameters(name).items()}
        rows.append({"name": name, "players": game.players, "description": game.description, "parameters": parameters})
    if as_json:
        print_json(rows)
        return
    table = Table("game", "players", "what it is", "parameters and defaults", box=None, pad_edge=False)
    for row in rows:
        shown = ", ".join(f"{key}={value}" for key, value in row["parameters"].items())
        about = escape(row["description"])
        table.add_row(f"[bold]{escape(row['name'])}[/bold]", str(row["players"]), about, f"[dim]{escape(shown)}[/dim]")
    out.print(table)


def new(
    name: str = typer.Argument(help="Name of the game, a lower-case Python name."),
    folder: Path | None = typer.Option(None, help="Folder to create; by default called like the game."),
) -> None:
    """Create a small working game with tests and a twin (slow reference rules), as a start for your own."""
    from tactician.scaffold import new_game

    for path in new_game(name, folder):
        out.print(f"wrote {path}", markup=False, highlight=False)
    game = f"{(folder or Path(name)) / name}.py:game"
    out.print(f"\nNow try: tactician check {game}", markup=False, highlight=False)
    out.print(f"         tactician arena {game} random mcts oep emcts --games 20", markup=False, highlight=False)


def draw(
    game: str = typer.Argument(help="Game."),
    state: Path | None = typer.Option(None, help="JSON file with the position; without it, a start position."),
    position: str | None = typer.Option(None, help=POSITION_HELP),
    seed: int = typer.Option(0, help="Seed of the start position."),
    svg: Path | None = typer.Option(None, help="Write an SVG picture to this file instead of printing."),
) -> None:
    """Draw a position in the terminal or as an SVG picture."""
    from tactician.games.registry import load_game

    shown_state = given_position(load_game(game), state, position, seed)
    if svg is None:
        out.print(shown_state.text(), highlight=False)
    else:
        write_text(svg, shown_state.svg())


def given_position(game: Game, state: Path | None, position: str | None, seed: int) -> State:
    """The position of a file, of a text, or the start position."""
    if state is not None and position is not None:
        raise InvalidParameterError("both --state and --position are given; expected one of them.")
    if state is not None:
        return game.state_from_json(read_json(state))
    return game.position(position or "", seed)


def stubs(
    game: str = typer.Argument(help="Game whose rules are written on records, e.g. path/to/file.py:game."),
    file: Path | None = typer.Option(None, "--out", help="Write this Python file instead of printing."),
) -> None:
    """Print classes for the records of a game, so that editors complete the fields of `g` and `s` in rules."""
    from tactician.contract.stubs import record_stubs
    from tactician.games.registry import load_game

    text = record_stubs(load_game(game))
    if file is None:
        out.print(text, markup=False, highlight=False, end="", soft_wrap=True)
    else:
        write_text(file, text)


def check(
    game: str = typer.Argument(help="Game, e.g. path/to/file.py:game."),
    games: int = typer.Option(20, min=1, help="Number of random games to play."),
    seed: int = typer.Option(0, min=0, help="Seed of the random games."),
    seconds: float = typer.Option(10.0, help="Seconds that one call of a rule may take."),
    as_json: bool = JSON,
) -> None:
    """Find mistakes in a game's rules by playing random games with bounds checks."""
    from tactician.games.supervised_check import check_supervised

    with progress(f"checking {game}") as on_progress:
        report = check_supervised(game, games, seed, seconds, on_progress)
    if as_json:
        print_json(report.to_json())
    else:
        out.print(str(report), markup=False, highlight=False)
    raise typer.Exit(0 if report.ok else 1)


def conformance(
    game: str = typer.Argument(help="Game that was recorded."),
    paths: list[Path] = typer.Argument(help="Recordings (*.jsonl, *.jsonl.gz), or folders of them."),
    as_json: bool = JSON,
) -> None:
    """Replay recorded games of another engine and report the first difference of each."""
    from tactician.checking.recordings import replay
    from tactician.games.registry import load_replayer
    from tactician.native.announce import compiling

    with compiling(f"the rules of {game}"), progress(f"replaying {game}") as on_progress:
        report = replay(load_replayer(game), paths, on_progress)
    if as_json:
        print_json(
            {
                "files": report.files,
                "steps": report.steps,
                "differences": report.differences,
                "skipped": report.skipped,
                "first": [vars(difference) for difference in report.first],
            }
        )
    else:
        for skipped in report.skipped:
            out.print(f"skipped {skipped}", markup=False, highlight=False)
        for difference in report.first:
            out.print(str(difference), markup=False, highlight=False)
        out.print(str(report), markup=False, highlight=False)
    raise typer.Exit(0 if report.ok else 1)


def write_text(path: Path, text: str) -> None:
    """Write a file whole or not at all; a pipe or a device as it is."""
    try:
        write_files({path: text.encode("utf-8", "backslashreplace")})
    except OSError as error:
        raise InvalidParameterError(f"file {shown(path)} can't be written: {reason(error)}.") from error
    err.print(f"wrote {path}", highlight=False, markup=False)
