"""An external program that is asked in lines of text and answers each time with one line.

Whatever it does, the caller gets an answer or an `ExternalBotError` in time: no write, no read and no end of a process
waits for the program. It has a process group of its own, which is killed as a whole.
"""

from __future__ import annotations

import contextlib
import os
import select
import shlex
import signal
import subprocess
import threading
import time
import traceback
from collections.abc import Callable, Sequence
from typing import IO, Any

from tactician.errors import ExternalBotError, InvalidParameterError, short

MAX_LINE = 1 << 16
"""Bytes of an answer: more without an end of line is garbage."""
MAX_STDERR = 4096
"""Bytes of what the program says on stderr that are kept, the last ones."""
_CHUNK = 1 << 16
_LAST_WORDS_S = 0.2
"""How long to wait for an exit code and for the end of stderr, once a program has closed its output."""


class ExternalProcess:
    """A running program; `close` it, however the game went."""

    def __init__(self, command: Sequence[str]) -> None:
        if os.name != "posix":
            raise InvalidParameterError("external programs as agents need POSIX processes.")
        name = f"external bot {short(shlex.join(command), 80)}"
        try:
            process = subprocess.Popen(
                list(command),
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.PIPE,
                bufsize=0,
                start_new_session=True,
            )
        except (OSError, ValueError) as error:
            reason = getattr(error, "strerror", None) or error
            raise ExternalBotError(f"{name} can't be started: {reason}.") from error
        self._attach(name, process)

    @classmethod
    def forked(cls, name: str, run: Callable[[IO[str], IO[str]], object]) -> ExternalProcess:
        """A process that is a copy of this one and runs a function on its two pipes: loaded as soon as it is there."""
        self = cls.__new__(cls)
        self._attach(name, _Fork(run))
        return self

    def _attach(self, name: str, process: Any) -> None:
        self.name = name
        self._process = process
        self._in, self._out = process.stdin.fileno(), process.stdout.fileno()
        os.set_blocking(self._in, False)
        os.set_blocking(self._out, False)
        self._unread = b""
        self._stderr = bytearray()
        self._closed = False
        self._drain = threading.Thread(target=self._read_stderr, args=(process.stderr,), daemon=True)
        self._drain.start()

    @property
    def pid(self) -> int:
        """The number of the process, which is also that of its group."""
        return int(self._process.pid)

    def wait_for(self, word: bytes, seconds: float) -> None:
        """Wait until it says something on stderr."""
        deadline = time.monotonic() + seconds
        while word not in self._stderr:
            if time.monotonic() > deadline or not self._drain.is_alive():
                raise ExternalBotError(f"{self.name} did not say {word.decode()!r} within {seconds:g} s.")
            time.sleep(0.005)

    def ask(self, lines: Sequence[str], seconds: float, what: str = "a question") -> str:
        """Send lines and read one; `what` says in a message which question it was."""
        deadline = time.monotonic() + seconds
        self._write("".join(f"{line}\n" for line in lines).encode(), deadline, seconds, what)
        return self._read_line(deadline, seconds, what)

    def close(self) -> None:
        """Kill it and all it has started, and leave nothing behind."""
        if self._closed:
            return
        self._closed = True
        # The group is killed before its leader is waited for: until then its number can't be another's.
        with contextlib.suppress(ProcessLookupError, PermissionError):
            os.killpg(self._process.pid, signal.SIGKILL)
        self._process.wait()
        self._drain.join(_LAST_WORDS_S)
        for pipe in (self._process.stdin, self._process.stdout):
            with contextlib.suppress(OSError):
                pipe.close()

    # -- pipes -----------------------------------------------------------------------------------------------

    def _write(self, data: bytes, deadline: float, seconds: float, what: str) -> None:
        while data:
            try:
                data = data[os.write(self._in, data) :]
            except BlockingIOError:
                left = deadline - time.monotonic()
                if left <= 0 or not select.select([], [self._in], [], left)[1]:
                    raise self._too_late(seconds, what) from None
            except (BrokenPipeError, OSError):
                # An answer may be there already; if not, reading tells how it died.
                return

    def _read_line(self, deadline: float, seconds: float, what: str) -> str:
        while b"\n" not in self._unread:
            if len(self._unread) > MAX_LINE:
                raise ExternalBotError(f"{self.name} wrote {len(self._unread)} bytes without an end of line at {what}.")
            left = deadline - time.monotonic()
            if left <= 0 or not select.select([self._out], [], [], left)[0]:
                raise self._too_late(seconds, what)
            chunk = os.read(self._out, _CHUNK)
            if not chunk:
                raise ExternalBotError(f"{self.name} {self._end()} before it answered {what}{self._last_words()}.")
            self._unread += chunk
        line, _, self._unread = self._unread.partition(b"\n")
        return line.decode("utf-8", "replace").removesuffix("\r")

    def _too_late(self, seconds: float, what: str) -> ExternalBotError:
        part = ", only a part of a line" if self._unread else ""
        return ExternalBotError(f"{self.name} gave no answer to {what} within {1000 * seconds:.0f} ms{part}.")

    def _read_stderr(self, pipe: IO[bytes]) -> None:
        """Read what nobody asked for, so that a talkative program doesn't block; keep the end of it."""
        with pipe:
            while chunk := pipe.read(_CHUNK):
                self._stderr += chunk
                del self._stderr[:-MAX_STDERR]

    def _end(self) -> str:
        """How it ended, without taking its number from it."""
        deadline = time.monotonic() + _LAST_WORDS_S
        while hasattr(os, "waitid") and time.monotonic() < deadline:
            found = os.waitid(os.P_PID, self._process.pid, os.WEXITED | os.WNOHANG | os.WNOWAIT)
            if found is not None:
                killed = found.si_code != os.CLD_EXITED
                return f"was killed by signal {found.si_status}" if killed else f"ended with code {found.si_status}"
            time.sleep(0.002)
        return "closed its output"

    def _last_words(self) -> str:
        self._drain.join(_LAST_WORDS_S)
        lines = bytes(self._stderr).decode("utf-8", "replace").strip().splitlines()
        return f" (its last words: {short(lines[-1].strip(), 120)})" if lines else ""


class _Fork:
    """A copy of this process with pipes, in the manner of `subprocess.Popen`."""

    def __init__(self, run: Callable[[IO[str], IO[str]], object]) -> None:
        (theirs_in, ours_in), (ours_out, theirs_out), (ours_err, theirs_err) = os.pipe(), os.pipe(), os.pipe()
        self.pid = os.fork()
        if self.pid == 0:
            code = 1
            try:
                os.setsid()
                for fd in (ours_in, ours_out, ours_err):
                    os.close(fd)
                os.dup2(theirs_err, 2)
                with open(theirs_in, encoding="utf-8") as source, open(theirs_out, "w", encoding="utf-8") as sink:
                    run(source, sink)
                code = 0
            except BaseException:
                os.write(theirs_err, traceback.format_exc().encode())
            finally:
                os._exit(code)
        for fd in (theirs_in, theirs_out, theirs_err):
            os.close(fd)
        self.stdin, self.stdout = os.fdopen(ours_in, "wb", 0), os.fdopen(ours_out, "rb", 0)
        self.stderr = os.fdopen(ours_err, "rb", 0)

    def wait(self) -> int:
        """Until it has ended."""
        return os.waitpid(self.pid, 0)[1]
