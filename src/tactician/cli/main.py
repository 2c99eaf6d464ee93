"""The command line. Each verb is a function of its own module; errors become one sentence and an exit code."""

from __future__ import annotations

import sys

import typer

from tactician._version import __version__
from tactician.cli import arena, bench, experiments, games, plan, stress
from tactician.errors import TacticianError

app = typer.Typer(
    name="tactician",
    help="Plan in games whose turns are made of many actions.\n\n"
    "GAME is a name from [bold]tactician games[/bold], a name with parameters "
    "([dim]hero-academy:action_points=10[/dim]), or your own as [dim]path/to/file.py:game[/dim].",
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


for module in (games, plan, arena, experiments, bench, stress):
    module.register(app)


def run() -> None:
    """The entry point: 0 done, 1 a difference or a failure, 2 bad usage or bad input."""
    try:
        app()
    except TacticianError as error:
        typer.echo(f"tactician: {error}", err=True)
        sys.exit(error.exit_code)
    except KeyboardInterrupt:
        typer.echo("tactician: stopped.", err=True)
        sys.exit(130)
    except BrokenPipeError:
        sys.exit(1)


if __name__ == "__main__":
    run()
