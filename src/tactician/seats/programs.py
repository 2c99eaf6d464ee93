"""Programs that we start: each under a reaper (`tactician.seats.reaper`), so that all of it ends when we want it to.

A program ends with everything it has started when it is closed, and also when our own process is killed.
"""

from __future__ import annotations

import contextlib
import errno
import os
import select
import signal
import subprocess
import sys
import time
from collections.abc import Mapping, Sequence
from typing import IO, Any

from tactician.errors import InvalidParameterError
from tactician.seats import reaper

_START_S = 60.0
"""How long the reaper may take to start a program, on a machine that is very busy."""
_KILL_S = 15.0
"""How long the reaper may take to end it; then we kill what we see from here."""
_SIGNALS = {int(number): number.name for number in signal.Signals}


class Program:
    """A running program and all it has started; raises `OSError` if it can't be started. `close` it."""

    def __init__(
        self,
        command: Sequence[str],
        *,
        stdin: int = subprocess.DEVNULL,
        stdout: Any = None,
        stderr: int | None = None,
        pass_fds: Sequence[int] = (),
        env: Mapping[str, str] | None = None,
    ) -> None:
        if os.name != "posix":
            raise InvalidParameterError("agents in processes of their own need POSIX processes.")
        held, self._lifeline = os.pipe()
        self._status, status = os.pipe()
        self._said = b""
        try:
            self._reaper = subprocess.Popen(
                [sys.executable, "-I", "-S", reaper.__file__, str(held), str(status), *command],
                stdin=stdin,
                stdout=stdout,
                stderr=stderr,
                bufsize=0,
                pass_fds=(held, status, *pass_fds),
                env=env,
                start_new_session=True,
            )
        except BaseException:
            os.close(self._lifeline)
            os.close(self._status)
            raise
        finally:
            os.close(held)
            os.close(status)
        self._closed = False
        try:
            self.pid = self._started()
        except BaseException:
            self.close()
            raise

    @property
    def stdin(self) -> IO[bytes]:
        """Where the program reads from, if that is a pipe."""
        assert self._reaper.stdin is not None
        return self._reaper.stdin

    @property
    def stdout(self) -> IO[bytes]:
        """Where the program writes to, if that is a pipe."""
        assert self._reaper.stdout is not None
        return self._reaper.stdout

    @property
    def stderr(self) -> IO[bytes]:
        """Where the program complains, if that is a pipe."""
        assert self._reaper.stderr is not None
        return self._reaper.stderr

    def end(self, seconds: float) -> str | None:
        """How the program ended, in words; None if it still runs after a time."""
        word, number = self._word(b"exit", b"signal", seconds=seconds)
        if word == b"signal":
            return f"was killed by signal {number} ({_SIGNALS.get(number, 'unknown')})"
        return f"ended with code {number}" if word == b"exit" else None

    def close(self) -> None:
        """Kill the program and everything it has started, and release what it needed here."""
        if self._closed:
            return
        self._closed = True
        os.close(self._lifeline)
        try:
            ended = self._reaper.wait(_KILL_S)
        except subprocess.TimeoutExpired:
            ended = -1
        if ended != 0:
            self._kill_from_here()
        os.close(self._status)
        for pipe in (self._reaper.stdin, self._reaper.stdout):
            if pipe is not None:
                with contextlib.suppress(OSError):
                    pipe.close()

    def _started(self) -> int:
        word, number = self._word(b"pid", b"error", seconds=_START_S)
        if word == b"error":
            raise OSError(number, os.strerror(number))
        if word != b"pid":
            raise OSError(errno.ECHILD, "its reaper does not start")
        return number

    def _word(self, *wanted: bytes, seconds: float) -> tuple[bytes, int]:
        """The first line of the reaper that begins with one of the words; an empty word if there is none in time."""
        deadline = time.monotonic() + seconds
        while True:
            for line in self._said.splitlines():
                word, _, number = line.partition(b" ")
                if word in wanted and number.isdigit():
                    return word, int(number)
            if not is_ready(self._status, deadline - time.monotonic()):
                return b"", 0
            chunk = os.read(self._status, 4096)
            if not chunk:
                return b"", 0
            self._said += chunk

    def _kill_from_here(self) -> None:
        """The reaper was killed or stopped: kill what is below it and the program's own group."""
        below = reaper.descendants(self._reaper.pid)
        with contextlib.suppress(AttributeError, ProcessLookupError, PermissionError):
            os.killpg(self.pid, signal.SIGKILL)
        for pid in below:
            with contextlib.suppress(ProcessLookupError, PermissionError):
                os.kill(pid, signal.SIGKILL)
        self._reaper.kill()
        self._reaper.wait()


def is_ready(descriptor: int, seconds: float, event: int = select.POLLIN) -> bool:
    """Wait until a descriptor can be read (or written) without blocking, or is closed at its other end."""
    poll = select.poll()
    poll.register(descriptor, event)
    return bool(poll.poll(max(0.0, 1000 * seconds)))
