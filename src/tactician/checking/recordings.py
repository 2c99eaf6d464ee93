"""Recorded games: finding the files, reading them safely, and counting where a game differs from them.

A recording is a JSON-lines file, gzipped or not. Its first line says the format and (some way or other) the kind; each
further line is a step. A game brings a `Replayer` that knows what a step of its kinds means; everything else is here.
"""

from __future__ import annotations

import gzip
import json
import zlib
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Protocol, TypeAlias

from tactician.errors import InvalidParameterError, InvalidStateError, RecordingError

_SUFFIXES = (".jsonl", ".jsonl.gz")

StepOutcome: TypeAlias = tuple[str, Any, Any] | None
"""None for a step that replays exactly, else the first thing that differs: its name, the recorded value, ours."""


@dataclass(frozen=True)
class Difference:
    """One place where the recording says something else than the game."""

    file: str
    step: int
    what: str
    recorded: Any
    ours: Any

    def __str__(self) -> str:
        return (
            f"{self.file}, step {self.step}: {self.what} differs\n"
            f"  recorded {_short(self.recorded)}\n  ours     {_short(self.ours)}"
        )


@dataclass
class ReplayReport:
    """What a replay found."""

    files: int = 0
    steps: int = 0
    differences: int = 0
    skipped: list[str] = field(default_factory=list)
    first: list[Difference] = field(default_factory=list)
    """The first difference of each file that has one."""

    @property
    def ok(self) -> bool:
        """Whether everything that could be replayed was equal."""
        return self.differences == 0

    def __str__(self) -> str:
        return f"{self.files} files, {self.steps} steps, {self.differences} differences, {len(self.skipped)} skipped"


class Replayer(Protocol):
    """What a game knows about its recordings."""

    formats: Sequence[Any]
    """What the first line of such a file may give as its format."""
    kinds: Sequence[str]
    """The kinds of files it can replay."""

    def kind(self, header: dict[str, Any]) -> str | None:
        """Which kind of file a first line begins; None if it doesn't say."""

    def replay(self, header: dict[str, Any], steps: Iterable[dict[str, Any]]) -> Iterator[StepOutcome]:
        """Compare each step with what the rules give."""


def replay(
    replayer: Replayer, paths: Sequence[Path], progress: Callable[[int, int], None] | None = None
) -> ReplayReport:
    """Replay all recordings under the paths; `progress` hears of each finished file."""
    files = find_recordings(paths)
    report = ReplayReport()
    for number, path in enumerate(files):
        _replay_file(replayer, path, report)
        if progress:
            progress(number + 1, len(files))
    return report


def _replay_file(replayer: Replayer, path: Path, report: ReplayReport) -> None:
    lines = read_lines(path)
    header = next(lines, None)
    if header is None:
        raise RecordingError(f"recording {path} is empty; expected a line that says its format and kind.")
    kind = replayer.kind(header) if isinstance(header, dict) else None
    if not isinstance(header, dict) or "format" not in header or kind is None:
        raise RecordingError(f"recording {path}, line 1 lacks 'format' or 'kind'; is it a recording?")
    if header["format"] not in replayer.formats:
        known = " or ".join(map(str, replayer.formats))
        raise RecordingError(f"recording {path} has format {header['format']!r}; expected {known}.")
    if kind not in replayer.kinds:
        report.skipped.append(f"{path}: kind {kind!r} (known: {', '.join(replayer.kinds)})")
        return
    report.files += 1
    found = False
    try:
        for step, outcome in enumerate(replayer.replay(header, _steps(path, lines))):
            report.steps += 1
            if outcome is not None:
                report.differences += 1
                if not found:
                    report.first.append(Difference(str(path), step, *outcome))
                found = True
    except (InvalidStateError, InvalidParameterError) as error:
        raise RecordingError(f"recording {path}: {error}") from error


def _steps(path: Path, lines: Iterator[Any]) -> Iterator[dict[str, Any]]:
    for number, line in enumerate(lines, 2):
        if not isinstance(line, dict):
            raise RecordingError(f"recording {path}, line {number} is {_short(line)}; expected an object.")
        yield line


def find_recordings(paths: Sequence[Path]) -> list[Path]:
    """The files themselves, and every recording inside the folders."""
    found: list[Path] = []
    for path in paths:
        if path.is_dir():
            inside = sorted(p for p in path.rglob("*") if p.name.endswith(_SUFFIXES) and p.is_file())
            if not inside:
                raise RecordingError(f"folder {path} holds no recordings; expected *.jsonl or *.jsonl.gz.")
            found += inside
        elif path.is_file():
            found.append(path)
        else:
            raise RecordingError(f"path {path} does not exist; expected a recording or a folder of them.")
    return found


def read_lines(path: Path) -> Iterator[Any]:
    """The JSON documents of a file, line by line; a file cut short or garbled is refused."""
    number = 0
    try:
        with (
            gzip.open(path, "rt", encoding="utf-8")
            if path.name.endswith(".gz")
            else path.open(encoding="utf-8") as file
        ):
            for line in file:
                number += 1
                yield json.loads(line)
    except (EOFError, gzip.BadGzipFile, zlib.error) as error:
        raise RecordingError(f"recording {path} is cut short or not gzip after line {number}: {error}.") from error
    except (OSError, UnicodeDecodeError) as error:
        raise RecordingError(f"recording {path} can't be read: {error}.") from error
    except (ValueError, RecursionError) as error:  # numbers too long and nesting too deep are no JSONDecodeError
        raise RecordingError(f"recording {path}, line {number} is not JSON: {error}.") from error


def _short(value: Any) -> str:
    text = json.dumps(value, separators=(",", ":")) if not isinstance(value, str) else value
    return text if len(text) <= 400 else f"{text[:397]}..."
