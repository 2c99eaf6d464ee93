"""Commands of the board: serve it, play in the terminal, analyse positions, export games."""

from __future__ import annotations

import sys
from pathlib import Path

import typer

from tactician.cli.show import err, out


def register(app: typer.Typer) -> None:
    """Add the commands."""
    app.command("serve", rich_help_panel="Board")(serve)
    app.command("play", rich_help_panel="Board")(play)
    app.command("analyse", rich_help_panel="Board")(analyse)
    app.command("export", rich_help_panel="Board")(export)


def serve(
    games: list[str] = typer.Argument(None, help="Games of your own to offer, as path/to/file.py:game."),
    agent: list[str] = typer.Option(
        None, help="Agent of your own to offer, as in the arena (follower:path=FILE, python:FILE.py:NAME); repeatable."
    ),
    host: str = typer.Option("127.0.0.1", help="Address to listen on; any but loopback requires an access token."),
    port: int = typer.Option(8377, min=0, max=65535, help="Port to listen on; 0 for any free one."),
    store: str | None = typer.Option(None, help="Results store for games and replays; without it, in memory."),
    study: bool = typer.Option(False, "--study", help="Run the user study: ask for skill, record every turn."),
    opponent: str = typer.Option("oep", help="Planner that the study is played against."),
    budget: str = typer.Option("6s", help="Budget of the study's planner for one turn."),
    longest: float = typer.Option(10.0, min=0.1, max=3600.0, help="Seconds that any search may take."),
    processes: int | None = typer.Option(None, min=1, help="Search processes; by default the number of cores."),
    ponder: bool = typer.Option(False, "--ponder", help="Let planners ponder: keep planning while a person thinks."),
    name: list[str] = typer.Option(None, help="Host name that leads to this server; may be repeated."),
    open_page: bool = typer.Option(False, "--open", help="Open the page in a browser."),
) -> None:
    """Open the board: a local page to play against planners, watch them and analyse positions."""
    from tactician.parameters import require_finite
    from tactician.web.serving import ServerOptions
    from tactician.web.serving import serve as start

    require_finite("longest", longest)
    options = ServerOptions(
        games=games or (),
        agents=agent or (),
        host=host,
        port=port,
        store=store,
        study=study,
        opponent=opponent,
        budget=budget,
        longest=max(longest, 6.0) if study else longest,
        processes=processes,
        ponder=ponder,
        names=name or (),
    )

    def ready(address: str) -> None:
        kept = f"games are kept in {store}" if store else "games are kept in memory (--store FILE keeps them)"
        out.print(f"The board is at {address}", highlight=False, markup=False, soft_wrap=True)
        err.print(f"{kept}; press Ctrl-C to stop.", highlight=False, markup=False)
        sys.stdout.flush()
        if open_page:
            import webbrowser

            webbrowser.open(address)

    start(options, ready)


def play(
    game: str = typer.Argument(help="Game."),
    against: str | None = typer.Option(
        None, help="Planner or agent in all other seats; by default emcts, or fdts if all act at once."
    ),
    budget: str = typer.Option("500ms", help="Budget of the planner for one turn."),
    seat: int = typer.Option(0, min=0, help="Your seat: 0 for player 1, 1 for player 2, and so on."),
    seed: int = typer.Option(0, min=0, help="Seed of the start and the searches."),
    ponder: bool = typer.Option(False, "--ponder", help="Let planners ponder: keep planning while you think."),
) -> None:
    """Play in the terminal: choose actions by number or by name; 'u' undoes, 'q' quits."""
    from tactician.web.terminal import play_in_terminal

    raise typer.Exit(play_in_terminal(game, against, budget, seat, seed, sys.stdin, out, ponder))


def analyse(
    quit_at_end: bool = typer.Option(False, "--quit-at-end", help="End at once when the input ends."),
) -> None:
    """Analyse positions: one JSON query per line on stdin, one answer per line on stdout while searching."""
    from tactician.web.analysis import analyse_lines

    analyse_lines(sys.stdin, sys.stdout, wait=not quit_at_end)


def export(
    page: Path = typer.Argument(help="HTML file to write; with .svg, an animated picture."),
    store: str = typer.Option(..., help="Results store that holds the game."),
    board: str | None = typer.Option(None, help="Id of the board that was played, or its first characters."),
    tournament: int | None = typer.Option(None, min=1, help="Tournament of the game; by default the latest."),
    key: str | None = typer.Option(None, help="Key of the game in the tournament, or its first characters."),
    speed: float = typer.Option(2.0, min=0.1, max=60.0, help="Positions a second."),
) -> None:
    """Write a game of a store as one HTML file that opens anywhere, or as an animated picture."""
    from tactician.files import require_ending, require_writable, write_files
    from tactician.parameters import require_finite
    from tactician.web.exporting import exported

    require_finite("speed", speed)
    ending = require_ending("file", page, ".html", ".svg")
    require_writable("file", page)
    content = exported(ending == ".svg", store, board, tournament, key, speed)
    write_files({page: content.encode()})
    out.print(f"wrote {page}", highlight=False, markup=False)
