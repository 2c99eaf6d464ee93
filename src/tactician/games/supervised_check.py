"""`check_game` in a process of its own: a rule that loops for ever or crashes the process is a finding, too.

The child notes in shared memory which rule it calls, in which game and step. If it is silent for too long, or dies, the
parent knows the rule. Where a compiled rule loops, a second child plays the same game interpreted, and its traceback
names the line.
"""

from __future__ import annotations

import json
import mmap
import os
import re
import signal
import struct
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import IO, Any

from tactician.checking.profile import GameProfile
from tactician.checking.report import CheckReport, Finding
from tactician.errors import InvalidGameError, InvalidParameterError, TacticianError
from tactician.native.failures import is_the_authors

SECONDS = 10.0
"""How long one call of a rule may take."""
_TRACEBACK_SECONDS = 60.0
"""How long a child may take to write its traceback; it is there at once unless the machine is very busy."""
_LOADING_SECONDS = 300.0
"""How long loading the game and compiling its rules may take."""
_NOTE = struct.Struct("<qqqd32s")
_SEED_BITS = 2**63 - 1
"""What a note has room for; of a larger seed it holds the end."""
"""Shared between parent and child: a counter, the game's seed, the step, the time, the rule."""
_FRAME = re.compile(r'File "(?P<file>[^"]+)", line (?P<line>\d+) in (?P<name>\S+)')

Progress = Callable[[int, int], None]


@dataclass(frozen=True)
class Call:
    """A call of a rule that has begun."""

    number: int
    seed: int
    step: int
    began: float
    rule: str

    @property
    def place(self) -> str:
        """Where it is, for messages."""
        return f"game seed {self.seed}, step {self.step}" if self.step >= 0 else f"game seed {self.seed}"


class Note:
    """The shared memory in which a child says what it is doing."""

    def __init__(self, path: Path) -> None:
        with path.open("r+b") as file:
            self._memory = mmap.mmap(file.fileno(), _NOTE.size)
        self._number = 0
        self._last = ("", 0, -1)

    @staticmethod
    def create(path: Path) -> Note:
        """A note that says nothing yet."""
        path.write_bytes(bytes(_NOTE.size))
        return Note(path)

    def write(self, rule: str, seed: int, step: int) -> None:
        """Say which rule is called next; an empty name: none."""
        self._number += 1
        self._last = (rule, seed, step)
        _NOTE.pack_into(self._memory, 0, self._number, seed & _SEED_BITS, step, time.monotonic(), rule.encode()[:32])

    def pause(self) -> None:
        """The rule that was called is being compiled: it has not begun."""
        _, seed, step = called = self._last
        self.write("", seed, step)
        self._last = called

    def resume(self) -> None:
        """It is compiled and begins."""
        self.write(*self._last)

    def read(self) -> Call:
        """What the child is doing."""
        number, seed, step, began, rule = _NOTE.unpack_from(self._memory, 0)
        return Call(number, seed, step, began, rule.rstrip(b"\0").decode(errors="replace"))


def check_supervised(
    spec: str,
    games: int = 20,
    seed: int = 0,
    seconds: float = SECONDS,
    progress: Progress | None = None,
) -> CheckReport:
    """Check the game that a name or a file stands for, in a child process; see `check_game`."""
    if not seconds > 0:
        raise InvalidParameterError(f"seconds is {seconds!r}; expected a positive number.")
    with tempfile.TemporaryDirectory(prefix="tactician-check-") as folder:
        child = _Child(spec, games, seed, Path(folder), interpreted=False)
        document = child.finish(seconds, progress)
        if "report" in document:
            return _report(document["report"])
        if "error" in document:
            raise _error(document["error"])
        line = child.line
        if document["fault"] == "silent" and not line and document["call"].rule:
            again = _Child(spec, 1, document["call"].seed, Path(folder), interpreted=True)
            again.finish(seconds, None)
            line = again.line
        return _fault_report(spec, document, line, seconds)


class _Child:
    """A running child: `python -m tactician.games.check_child`."""

    def __init__(self, spec: str, games: int, seed: int, folder: Path, interpreted: bool) -> None:
        self.line = ""
        """The author's line that ran when the child was killed."""
        path = folder / f"note-{int(interpreted)}"
        self._note = Note.create(path)
        request = {"spec": spec, "games": games, "seed": seed, "note": str(path), "interpreted": interpreted}
        request["parent"] = os.getpid()
        self._process = subprocess.Popen(
            [sys.executable, "-m", "tactician.games.check_child", json.dumps(request)],
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
            env={**os.environ, "PYTHONUNBUFFERED": "1"},
            start_new_session=True,
        )
        self._lines: list[dict[str, Any]] = []
        self._stderr: list[str] = []
        self._last_word = time.monotonic()
        self._readers = [
            threading.Thread(target=self._read_answers, args=(self._process.stdout,), daemon=True),
            threading.Thread(target=self._read_stderr, args=(self._process.stderr,), daemon=True),
        ]
        for reader in self._readers:
            reader.start()

    def finish(self, seconds: float, progress: Progress | None) -> dict[str, Any]:
        """Wait for the outcome: a report, an error, or a fault (silent, died) with the call it happened in."""
        shown = 0
        try:
            while self._process.poll() is None:
                time.sleep(0.02)
                for line in self._lines[shown:]:
                    shown += 1
                    if progress and "progress" in line:
                        progress(*line["progress"])
                call = self._note.read()
                if call.rule and time.monotonic() - call.began > seconds:
                    return self._silent(call)
                if not call.rule and time.monotonic() - max(self._last_word, call.began) > _LOADING_SECONDS:
                    return self._silent(call)
        finally:
            self._kill()
        outcome = [line for line in self._lines if "report" in line or "error" in line]
        if outcome:
            return outcome[-1]
        return {"fault": "died", "call": self._note.read(), "code": self._process.returncode}

    def _silent(self, call: Call) -> dict[str, Any]:
        """Ask the child for its traceback, which it writes even from inside a rule."""
        before = len(self._stderr)
        os.kill(self._process.pid, signal.SIGUSR1)
        deadline = time.monotonic() + _TRACEBACK_SECONDS
        while not any("most recent call first" in text for text in self._stderr[before:]):
            if time.monotonic() > deadline:
                break
            time.sleep(0.01)
        time.sleep(0.05)  # the frames follow their heading
        for text in self._stderr[before:]:
            frame = _FRAME.search(text)
            if frame and is_the_authors(Path(frame["file"])) and Path(frame["file"]).parent != Path(__file__).parent:
                self.line = f"{Path(frame['file']).name}, line {frame['line']}"
                break
        return {"fault": "silent", "call": call}

    def _kill(self) -> None:
        if self._process.poll() is None:
            os.killpg(self._process.pid, signal.SIGKILL)
        self._process.wait()
        for reader in self._readers:
            reader.join(1.0)

    def _read_answers(self, pipe: IO[str]) -> None:
        """Read JSON lines; what a rule prints is passed on to stderr."""
        for text in pipe:
            self._last_word = time.monotonic()
            if text.startswith('{"tactician": '):
                self._lines.append(json.loads(text)["tactician"])
            else:
                sys.stderr.write(text)

    def _read_stderr(self, pipe: IO[str]) -> None:
        for text in pipe:
            self._last_word = time.monotonic()
            self._stderr.append(text)
            del self._stderr[:-2000]
            if text.startswith("tactician: "):
                sys.stderr.write(text)


def _report(document: dict[str, Any]) -> CheckReport:
    known = {name: document[name] for name in ("game", "games", "actions", "unfinished")}
    findings = tuple(Finding(**finding) for finding in document["findings"])
    profile = None if document["profile"] is None else GameProfile(**document["profile"])
    return CheckReport(
        findings=findings,
        checks=tuple(document["checks"]),
        warnings=tuple(document["warnings"]),
        profile=profile,
        **known,
    )


def _error(document: dict[str, str]) -> TacticianError:
    kind = {"InvalidGameError": InvalidGameError}.get(document["kind"], InvalidParameterError)
    return kind(document["message"])


def _fault_report(spec: str, document: dict[str, Any], line: str, seconds: float) -> CheckReport:
    call: Call = document["call"]
    at = f", at {line}" if line else ""
    where = f" ({call.place})" if call.rule else ""
    what = f"rule {call.rule!r}" if call.rule else "loading the game"
    if document["fault"] == "silent":
        limit = seconds if call.rule else _LOADING_SECONDS
        finding = Finding("returns", f"{what} does not return within {limit:g} s{at}{where}.")
    else:
        finding = Finding("crashes", f"{what} ends the process ({_how(document['code'])}){where}.")
    return CheckReport(
        spec, (finding,), games=max(0, call.seed + 1), actions=max(0, call.step), checks=(finding.check,)
    )


def _how(code: int) -> str:
    if code < 0:
        return f"signal {signal.Signals(-code).name}"
    return f"exit code {code}"
