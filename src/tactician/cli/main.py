"""The command line. Each command is a function; an error becomes one sentence and an exit code."""

from __future__ import annotations

import os
import shlex
import sys
from typing import Any

import typer

from tactician._version import __version__
from tactician.cli import animate, arena, bench, board, bot, experiments, games, plan, stress, train, tune
from tactician.cli.show import keep_stdout_for_json, without_password
from tactician.errors import TacticianError, short
from tactician.files import shown
from tactician.native.crashes import explain_crashes
from tactician.native.watchdog import WATCHDOG

app = typer.Typer(
    name="tactician",
    help="Plan in games whose turns are made of many actions.\n\n"
    "GAME is a name that [bold]tactician games[/bold] lists, with or without parameters "
    "([dim]hero-academy:action_points=10[/dim]), or a game of your own: [dim]path/to/file.py:game[/dim].",
    no_args_is_help=True,
    rich_markup_mode="rich",
    pretty_exceptions_enable=False,
    add_completion=False,
    context_settings={"help_option_names": ["-h", "--help"]},
)


def _version(value: bool) -> None:
    if value:
        typer.echo(f"tactician {__version__}")
        raise typer.Exit


@app.callback()
def main(
    version: bool = typer.Option(False, "--version", callback=_version, is_eager=True, help="Print the version."),
) -> None:
    """Options before any command."""


for module in (games, animate, board, plan, arena, bot, tune, train, experiments, bench, stress):
    module.register(app)


_INTERRUPTED = 130
# What Typer raises for bad usage; its home has moved between versions, its name has not.
_UsageError: Any = next(kind for kind in typer.BadParameter.__mro__ if kind.__name__ == "UsageError")


def _bad_usage(error: Any) -> str:
    """The sentence, and where to read more."""
    command = error.ctx.command_path if error.ctx is not None else "tactician"
    sentence = " ".join(error.format_message().split()).rstrip(".")
    return f"{sentence[:1].lower()}{sentence[1:]}; see '{command} --help'."


def run() -> None:
    """The entry point: 0 done, 1 a difference or a failure, 2 bad usage or bad input, each in one sentence."""
    # Kernels need no linear algebra, and starting NumPy's threads for it costs an eighth of a warm start.
    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
    explain_crashes()
    WATCHDOG.ends_process = True
    for argument in sys.argv[1:]:
        if "\0" in argument:  # no shell passes one on, but a caller of this function may; no path or name has one
            typer.echo(f"tactician: argument {short(argument)} has a null byte; expected none.", err=True)
            sys.exit(2)
    if "--json" in sys.argv:
        keep_stdout_for_json()
    try:
        left = app(standalone_mode=False)
        if left == _INTERRUPTED:
            raise KeyboardInterrupt
        sys.exit(left if isinstance(left, int) else 0)
    except _UsageError as error:
        if type(error).__name__ == "NoArgsIsHelpError":
            error.show()
        else:
            typer.echo(f"tactician: {_bad_usage(error)}", err=True)
        sys.exit(2)
    except TacticianError as error:
        typer.echo(f"tactician: {error}", err=True)
        sys.exit(error.exit_code)
    except (KeyboardInterrupt, typer.Abort):
        resumes = "reproduce" in sys.argv or any(part.partition("=")[0] == "--out" for part in sys.argv)
        again = f" Resume with: {shlex.join(map(without_password, sys.argv))}" if resumes else ""
        typer.echo(f"tactician: stopped.{again}", err=True)
        sys.exit(_INTERRUPTED)
    except BrokenPipeError:
        sys.exit(1)
    except OSError as error:  # what nobody expected of a file or a process: a full disk, a path that can't be one
        where = "" if error.filename is None else f" ({shown(str(error.filename))})"
        typer.echo(f"tactician: {(error.strerror or str(error)).rstrip('.').lower()}{where}.", err=True)
        sys.exit(1)
    except MemoryError:
        typer.echo("tactician: there is not enough memory for this.", err=True)
        sys.exit(1)


if __name__ == "__main__":
    run()
