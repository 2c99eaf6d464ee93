"""What commands print with: consoles, JSON, progress."""

from __future__ import annotations

import io
import os
import re
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any, TextIO

from rich.console import Console, Group
from rich.live import Live
from rich.progress import BarColumn, MofNCompleteColumn, Progress, SpinnerColumn, TextColumn, TimeRemainingColumn

from tactician.files import json_text

_WIDE = 1000
"""In a pipe or a file a table takes the width it needs; 80 columns would cut names short."""

for _stream in (sys.stdout, sys.stderr):
    if isinstance(_stream, io.TextIOWrapper):
        _stream.reconfigure(errors="backslashreplace")  # a file's name may not be text

# Names stand in what is printed: ':x:' in one must not become a picture.
out = Console(soft_wrap=True, width=None if sys.stdout.isatty() else _WIDE, emoji=False)
"""For results."""
err = Console(stderr=True, soft_wrap=not sys.stderr.isatty(), emoji=False)
"""For progress and everything else that is not a result; in a pipe or a file a line stays one line."""

_REBUILD_S = 1 / 3
"""The least time between two updates of the standings."""
_SHARE = 0.05
"""The largest share of the time that updates may take."""


_document: TextIO | None = None
"""The real stdout, where only a JSON document may go."""


def keep_stdout_for_json() -> None:
    """Send what rules and agents print to stderr, compiled or not, so that stdout has the document alone."""
    global _document
    try:
        if sys.stdout.fileno() != 1:
            return
    except (OSError, ValueError, AttributeError):  # not a file: somebody has replaced it and knows why
        return
    sys.stdout.flush()
    _document = os.fdopen(os.dup(1), "w", encoding="utf-8")
    os.dup2(2, 1)


def print_json(document: Any) -> None:
    """One JSON document on stdout and nothing else; numbers that JSON does not have are null."""
    target = _document or sys.stdout
    target.write(json_text(document, indent=2) + "\n")
    target.flush()


def without_password(text: str) -> str:
    """A command or a URL as it may be shown."""
    text = re.sub(r"(://[^:/@\s]*):[^@\s]*@", r"\1:***@", text)
    return re.sub(r"([?&]password=)[^&\s]*", r"\1***", text) if "://" in text else text


@contextmanager
def progress(what: str, total: int | None = None) -> Iterator[Any]:
    """A progress bar on stderr, removed when done; call the yielded function with (done, total) or a text."""
    columns = [
        SpinnerColumn(),
        TextColumn("{task.description}", markup=False),
        BarColumn(),
        MofNCompleteColumn(),
        TimeRemainingColumn(),
    ]
    if not err.is_terminal:  # a disabled bar of Rich before 14.3 writes an empty line
        yield lambda done, of=None: None
        return
    with Progress(*columns, console=err, transient=True) as bar:
        task = bar.add_task(what, total=total)

        def on_progress(done: int | str, of: int | None = None) -> None:
            if isinstance(done, str):
                bar.update(task, description=done)
            else:
                bar.update(task, completed=done, total=of)

        yield on_progress


@contextmanager
def live(what: str, table: Any) -> Iterator[Any]:
    """A progress bar with rate and time left over the standings; call the yielded function with a tournament."""
    columns = [TextColumn("{task.description}", markup=False), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn()]
    bar = Progress(*columns, TextColumn("{task.fields[rate]}"), console=err)
    task = bar.add_task(what, total=None, rate="")
    if not err.is_terminal:
        yield lambda _result: None
        return
    with Live(bar, console=err, transient=True, refresh_per_second=4) as view:
        latest: Any = None
        due = 0.0

        def show() -> None:
            nonlocal latest, due
            began = time.monotonic()
            view.update(Group(bar, table(latest)))
            latest = None
            ended = time.monotonic()
            due = ended + max(_REBUILD_S, (ended - began) / _SHARE)

        def on_progress(result: Any) -> None:
            nonlocal latest
            # The store may hold more games than were asked for.
            bar.update(task, completed=min(len(result.records), result.total), total=result.total)
            speed = bar.tasks[0].finished_speed or bar.tasks[0].speed
            bar.update(task, rate=f"{speed:.1f} games/s" if speed else "")
            latest = result
            if time.monotonic() >= due:
                show()

        yield on_progress
        if latest is not None:
            show()
