"""Recorded games: finding the files, reading them safely, and counting where a game differs from them.

A recording is a JSON-lines file, gzipped or not. Its first line says the format and (some way or other) the kind; each
further line is a step. A game brings a `Replayer` that knows what a step of its kinds means; everything else is here.

A step that compares frequencies of random decisions gives a p-value instead of a verdict. The verdicts are made at the
end of the run, with a level that holds for all of its comparisons together.
"""

from __future__ import annotations

import gzip
import json
import zlib
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Protocol, TypeAlias

from tactician.errors import InvalidParameterError, InvalidStateError, RecordingError, short
from tactician.files import is_file, is_folder, shown

MAX_LINE = 1 << 26
"""The most bytes of a line; a longer one is refused before it is read whole."""
CHANCE_LEVEL = 0.001
"""The probability that a run reports any difference of frequencies although all distributions are equal, at most."""
_SUFFIXES = (".jsonl", ".jsonl.gz")
_SHOWN = 400
"""Characters of a value in a report."""


@dataclass(frozen=True)
class Frequencies:
    """Two histograms of random decisions that a step compares, and how likely a difference as large as theirs is."""

    what: str
    recorded: Any
    ours: Any
    p_value: float


StepOutcome: TypeAlias = tuple[str, Any, Any] | Frequencies | None
"""What a step gives: None if it replays exactly; the first thing that differs (its name, the recorded value, ours);
or frequencies to be judged at the end of the run."""


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
    """Replay all recordings under the paths; `progress` is called after each file with the files done and in all.

    Frequencies differ where their p-value is below `CHANCE_LEVEL` divided by the number of comparisons of the run
    (Bonferroni), so that the whole run has that level.
    """
    files = find_recordings(paths)
    report = ReplayReport()
    found: list[Difference] = []
    compared: list[tuple[str, int, Frequencies]] = []
    for number, path in enumerate(files):
        for step, outcome in _outcomes(replayer, path, report):
            if isinstance(outcome, Frequencies):
                compared.append((str(path), step, outcome))
            elif outcome is not None:
                found.append(Difference(str(path), step, *outcome))
        if progress:
            progress(number + 1, len(files))
    for file, step, pair in compared:
        if pair.p_value < CHANCE_LEVEL / len(compared):
            found.append(Difference(file, step, pair.what, pair.recorded, pair.ours))
    report.differences = len(found)
    first: dict[str, Difference] = {}
    for one in sorted(found, key=lambda one: one.step):
        first.setdefault(one.file, one)
    report.first = [first[str(path)] for path in dict.fromkeys(files) if str(path) in first]
    return report


def _outcomes(replayer: Replayer, path: Path, report: ReplayReport) -> Iterator[tuple[int, StepOutcome]]:
    """Replay a file: the number of each step and its outcome; files and steps are counted in the report."""
    lines = read_lines(path)
    header = next(lines, None)
    if header is None:
        raise RecordingError(f"recording {path} is empty; expected a line that says its format and kind.")
    kind = replayer.kind(header) if isinstance(header, dict) else None
    if not isinstance(header, dict) or "format" not in header or not isinstance(kind, str):
        raise RecordingError(f"recording {path}, line 1 lacks 'format' or 'kind'; is it a recording?")
    if header["format"] not in replayer.formats:
        known = " or ".join(map(str, replayer.formats))
        raise RecordingError(f"recording {path} has format {short(header['format'])}; expected {known}.")
    if kind not in replayer.kinds:
        report.skipped.append(f"{path}: kind {short(kind)} (known: {', '.join(replayer.kinds)})")
        return
    report.files += 1
    try:
        for step, outcome in enumerate(replayer.replay(header, _steps(path, lines))):
            report.steps += 1
            yield step, outcome
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
        if is_folder(path):
            inside = sorted(p for p in path.rglob("*") if p.name.endswith(_SUFFIXES) and p.is_file())
            if not inside:
                raise RecordingError(f"folder {path} holds no recordings; expected *.jsonl or *.jsonl.gz.")
            found += inside
        elif is_file(path):
            found.append(path)
        else:
            raise RecordingError(f"path {shown(path)} does not exist; expected a recording or a folder of them.")
    return found


def read_lines(path: Path, most: int = MAX_LINE) -> Iterator[Any]:
    """The JSON documents of a file, line by line; a file cut short or garbled is refused, as are longer lines."""
    number = 0
    try:
        with gzip.open(path, "rb") if path.name.endswith(".gz") else path.open("rb") as file:
            while line := file.readline(most + 1):
                number += 1
                if len(line) > most:
                    raise RecordingError(f"recording {path}, line {number} has more than {most:,} bytes.")
                yield json.loads(line.decode("utf-8"))
    except (EOFError, gzip.BadGzipFile, zlib.error) as error:
        raise RecordingError(f"recording {path} is cut short or not gzip after line {number}: {error}.") from error
    except (OSError, UnicodeDecodeError) as error:
        raise RecordingError(f"recording {path} can't be read: {error}.") from error
    except (ValueError, RecursionError) as error:  # numbers too long and nesting too deep are not JSONDecodeErrors
        raise RecordingError(f"recording {path}, line {number} is not JSON: {error}.") from error


def _short(value: Any) -> str:
    try:
        text = value if isinstance(value, str) else json.dumps(value, separators=(",", ":"))
    except (RecursionError, TypeError, ValueError):
        return short(value, _SHOWN)
    return text if len(text) <= _SHOWN else f"{text[: _SHOWN - 3]}..."
