"""What commands print with: consoles, JSON, progress."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from rich.console import Console, Group
from rich.live import Live
from rich.progress import BarColumn, MofNCompleteColumn, Progress, SpinnerColumn, TextColumn, TimeRemainingColumn

_WIDE = 1000
"""In a pipe or a file a table takes the width it needs; 80 columns would cut names short."""

out = Console(soft_wrap=True, width=None if sys.stdout.isatty() else _WIDE)
"""For results."""
err = Console(stderr=True)
"""For progress and everything else that is not a result."""


def print_json(document: Any) -> None:
    """One JSON document on stdout and nothing else."""
    sys.stdout.write(json.dumps(document, indent=2) + "\n")


@contextmanager
def progress(what: str, total: int | None = None) -> Iterator[Any]:
    """A bar on stderr that goes away when done; call the given function with (done, total) or a text."""
    columns = [
        SpinnerColumn(),
        TextColumn("{task.description}"),
        BarColumn(),
        MofNCompleteColumn(),
        TimeRemainingColumn(),
    ]
    with Progress(*columns, console=err, transient=True, disable=not err.is_terminal) as bar:
        task = bar.add_task(what, total=total)

        def heard(done: int | str, of: int | None = None) -> None:
            if isinstance(done, str):
                bar.update(task, description=done)
            else:
                bar.update(task, completed=done, total=of)

        yield heard


@contextmanager
def live(what: str, table: Any) -> Iterator[Any]:
    """A bar with games done, rate and time left over the standings; call the given function with a tournament."""
    columns = [TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn()]
    bar = Progress(*columns, TextColumn("{task.fields[rate]}"), console=err)
    task = bar.add_task(what, total=None, rate="")
    if not err.is_terminal:
        yield lambda _result: None
        return
    with Live(bar, console=err, transient=True, refresh_per_second=4) as view:

        def heard(result: Any) -> None:
            bar.update(task, completed=len(result.records), total=result.total)
            speed = bar.tasks[0].finished_speed or bar.tasks[0].speed
            bar.update(task, rate=f"{speed:.1f} games/s" if speed else "")
            view.update(Group(bar, table(result)))

        yield heard
