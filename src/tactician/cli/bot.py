"""Verbs that play in other people's games: bots for competitions."""

from __future__ import annotations

import contextlib
import gc
import json
import os
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import IO, TYPE_CHECKING

import typer

from tactician.errors import InvalidParameterError

if TYPE_CHECKING:
    from tactician.adapters.locm_player import Answer

bot = typer.Typer(help="Bots that speak a competition's protocol on stdin and stdout.", no_args_is_help=True)
_INTERRUPTED = 130


def register(app: typer.Typer) -> None:
    """Add the group of verbs."""
    app.add_typer(bot, name="bot", rich_help_panel="Planners")


@bot.callback()
def _group() -> None:
    """Bots that speak a competition's protocol on stdin and stdout."""


@bot.command()
def locm(
    planner: str = typer.Option("permutation-oep", help="The planner: name or name:key=value,..."),
    draft: str | None = typer.Option(None, help="The draft strategy; coac if not given, in version 1.5 mana-curve."),
    budget: str | None = typer.Option(
        None, help="For a battle turn; if not given 150ms, the first 500ms, in version 1.0 60ms."
    ),
    version: str = typer.Option("1.2", help="Of the protocol: 1.0, 1.2 or 1.5."),
    seed: int = typer.Option(0, min=0, help="Decides searches and random picks."),
    log: Path | None = typer.Option(None, help="Write what was read, decided, and how long it took, as JSON lines."),
    ready: bool = typer.Option(False, "--ready", help="Say 'ready' on stderr when the first block can come."),
) -> None:
    """Play one game of Legends of Code and Magic in the competition: blocks on stdin, answers on stdout."""
    from tactician.adapters.locm_player import LocmPlayer, serve
    from tactician.native.announce import compiling

    answers = sys.stdout
    # Nothing but answers may come out there, whatever a library prints.
    with contextlib.redirect_stdout(sys.stderr), _opened(log) as on_progress:
        try:
            with compiling("the bot"):
                player = LocmPlayer(planner, draft, budget, version, seed)
            if hasattr(sys.stdin, "reconfigure"):
                sys.stdin.reconfigure(errors="replace")
            # What is there stays there; looking for garbage would only cost time in the middle of a turn.
            gc.collect()
            gc.freeze()
            gc.disable()
            if ready:
                sys.stderr.write("ready\n")
                sys.stderr.flush()
            serve(player, sys.stdin.readline, _writer(answers), on_progress)
        except KeyboardInterrupt:
            sys.exit(_INTERRUPTED)
        except BrokenPipeError:
            # The referee has seen enough; what Python would still flush has nowhere to go.
            os.dup2(os.open(os.devnull, os.O_WRONLY), answers.fileno())
        finally:
            gc.unfreeze()
            gc.enable()


def _writer(out: IO[str]) -> Callable[[str], None]:
    def write(text: str) -> None:
        out.write(text)
        out.flush()

    return write


@contextlib.contextmanager
def _opened(log: Path | None) -> Iterator[Callable[[Answer], None] | None]:
    """What hears of every decision and writes it down, if that is wanted."""
    if log is None:
        yield None
        return
    with contextlib.ExitStack() as stack:
        try:
            file = stack.enter_context(open(log, "w", encoding="utf-8"))
        except OSError as error:
            raise InvalidParameterError(f"log {str(log)!r} can't be written: {error.strerror or error}.") from error

        def on_progress(answer: Answer) -> None:
            decision = {"phase": answer.phase, "in": answer.lines, "out": answer.text, "ms": round(answer.ms, 3)}
            file.write(json.dumps(decision) + "\n")
            file.flush()

        yield on_progress
