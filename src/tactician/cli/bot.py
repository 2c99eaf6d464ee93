"""Commands that play in competitions: bots that speak a referee's protocol."""

from __future__ import annotations

import contextlib
import functools
import gc
import json
import os
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

import typer

from tactician.errors import InvalidParameterError

if TYPE_CHECKING:
    from tactician.adapters.locm_process import Player
    from tactician.adapters.locm_start import Answer

bot = typer.Typer(help="Bots that speak a competition's protocol on stdin and stdout.", no_args_is_help=True)
_INTERRUPTED = 130


def register(app: typer.Typer) -> None:
    """Add the group of commands."""
    app.add_typer(bot, name="bot", rich_help_panel="Planners")


@bot.callback()
def _group() -> None:
    """Bots that speak a competition's protocol on stdin and stdout."""


@bot.command()
def locm(
    planner: str | None = typer.Option(
        None, help="Planner, as NAME or NAME:KEY=VALUE,...; by default reply with evaluation=learned-network."
    ),
    draft: str | None = typer.Option(None, help="Draft strategy; by default learned, and mana-curve in version 1.5."),
    budget: str | None = typer.Option(
        None, help="Budget of a battle turn; by default 150ms, 500ms for the first, 60ms in version 1.0."
    ),
    game: list[str] | None = typer.Option(
        None, metavar="KEY=VALUE", help="Parameter of the game, such as evaluation=relative; may be repeated."
    ),
    version: str = typer.Option("1.2", help="Version of the protocol: 1.0, 1.2 or 1.5."),
    seed: int = typer.Option(0, min=0, help="Seed of searches and random picks."),
    log: Path | None = typer.Option(
        None, help="Write the input, the decisions and their times to this file, as JSON lines."
    ),
    ponder: bool = typer.Option(False, "--ponder", help="Ponder: keep planning while the opponent thinks."),
    ready: bool = typer.Option(False, "--ready", help="Print 'ready' on stderr once everything is loaded."),
) -> None:
    """Play one game of Legends of Code and Magic: read the referee's blocks from stdin, write answers to stdout."""
    from tactician.adapters.locm_process import play

    answers = sys.stdout
    # Nothing but answers may come out there, whatever a library prints.
    with contextlib.redirect_stdout(sys.stderr), _opened(log) as on_progress:
        load = functools.partial(_load, planner, draft, budget, version, seed, game or [], ponder, ready)
        try:
            if hasattr(sys.stdin, "reconfigure"):
                sys.stdin.reconfigure(errors="replace")
            play(load, version, draft, seed, sys.stdin, answers, on_progress)
        except KeyboardInterrupt:
            sys.exit(_INTERRUPTED)
        except BrokenPipeError:
            # The referee has seen enough; what Python would still flush has nowhere to go.
            os.dup2(os.open(os.devnull, os.O_WRONLY), answers.fileno())
        finally:
            gc.unfreeze()
            gc.enable()


def _load(
    planner: str | None,
    draft: str | None,
    budget: str | None,
    version: str,
    seed: int,
    game: list[str],
    ponder: bool,
    ready: bool,
) -> Player:
    """Load and compile the player, while the draft may be on already."""
    from tactician.adapters.locm_player import LocmPlayer
    from tactician.native.announce import compiling

    # All that is loaded stays. A collection would make a pick or a turn wait.
    gc.disable()
    with compiling("the bot"):
        player = LocmPlayer(planner, draft, budget, version, seed, _parameters(game), ponder)
    gc.freeze()
    if ready:
        sys.stderr.write("ready\n")
        sys.stderr.flush()
    return player


def _parameters(pairs: list[str]) -> dict[str, Any]:
    """The parameters of the game that the options give."""
    from tactician.errors import UnknownNameError
    from tactician.games.registry import game_parameters
    from tactician.parameters import guess

    given: dict[str, Any] = {}
    known = [name for name in game_parameters("locm") if name not in ("version", "cards")]
    for pair in pairs:
        key, separator, value = pair.partition("=")
        if not separator:
            raise InvalidParameterError(f"game parameter is {pair!r}; expected KEY=VALUE.")
        if key not in known:
            raise UnknownNameError("game parameter", key, known)
        given[key] = guess(value, {"true": True, "false": False})
    return given


@contextlib.contextmanager
def _opened(log: Path | None) -> Iterator[Callable[[Answer], None] | None]:
    """A function that writes each decision to the log, or None without a log."""
    if log is None:
        yield None
        return
    with contextlib.ExitStack() as stack:
        try:
            file = stack.enter_context(open(log, "w", encoding="utf-8"))
        except OSError as error:
            raise InvalidParameterError(f"log {str(log)!r} can't be written: {error.strerror or error}.") from error

        def write(answer: Answer) -> None:
            line = {"phase": answer.phase, "in": answer.lines, "out": answer.text, "ms": round(answer.ms, 3)}
            file.write(json.dumps(line) + "\n")
            file.flush()

        yield write
