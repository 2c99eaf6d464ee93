"""Play as the bot of Legends of Code and Magic: a second process drafts from plain tables while this one loads.

A thread would not do: what is loaded holds Python's interpreter lock for more than 100 ms at a time, which is the limit
of a pick. So the process is forked at once. The copy reads and answers the draft; this one loads the player. As soon as
the player is loaded, the copy hands over all that it has read and ends; the player is told the draft so far, and
answers from then on with nothing in between.
"""

from __future__ import annotations

import contextlib
import errno
import io
import json
import os
import select
import signal
import time
from collections.abc import Callable, Iterator
from types import TracebackType
from typing import IO, NamedTuple, Protocol

from tactician.adapters.locm_start import NO_DRAFT, Answer, Bot, Drafter, draft_of, seconds_since_start, serve
from tactician.errors import UnknownNameError
from tactician.games.locm import protocol
from tactician.games.locm.protocol import InputBlock

FIRST_PICK_SECONDS, PICK_SECONDS = 0.65, 0.02
"""How long picks wait for the player: the first until so long after the start of the process, the others so long each.

The referee allows 1 s and 0.1 s. Thirty picks at once would leave no time to load the player before the battle.
"""
_CHUNK = 1 << 16
_LOADED = b"."


class Player(Bot, Protocol):
    """A bot that ends when the game is over."""

    def close(self) -> None:
        """The game is over."""


def play(
    load: Callable[[], Player],
    version: str,
    draft: str | None,
    seed: int,
    source: IO[str],
    sink: IO[str],
    on_progress: Callable[[Answer], object] | None = None,
) -> None:
    """Read blocks and write answers until the input ends; `load` makes the player while the draft is answered."""
    if version not in protocol.SHAPES:
        raise UnknownNameError("version", version, protocol.SHAPES)
    strategy = draft_of(version, draft)
    process = None
    if version not in NO_DRAFT:
        process = _start(Drafter(strategy, seed), version, source, sink, on_progress)
    if process is None:
        player = load()
        serve(player, source.readline, _writer(sink), on_progress)
    else:
        with process:
            with _no_interrupt_lost():
                player = load()
            draft_so_far = process.take_over()
        lines = Lines(source.fileno(), draft_so_far.read, draft_so_far.ended)
        incoming = iter(lines.readline, "")
        for _ in range(draft_so_far.answered):
            block = protocol.parse_block(incoming, version)
            assert block is not None
            player.answer(block)  # picks as the other process did
        serve(player, lines.readline, _writer(sink), on_progress, draft_so_far.came)
    player.close()


class Lines:
    """The lines of a file descriptor. `read` is all that was taken from it, so that somebody else can continue."""

    def __init__(self, descriptor: int, read: bytes = b"", ended: bool = False) -> None:
        self.read, self.ended = bytearray(read), ended
        self._descriptor = descriptor
        self._at = 0

    def readline(self) -> str:
        """The next line, or '' at the end."""
        searched = self._at
        while (end := self.read.find(b"\n", searched)) < 0 and not self.ended:
            searched = len(self.read)
            self._wait()
            chunk = os.read(self._descriptor, _CHUNK)
            self.read += chunk
            self.ended = not chunk
        end = len(self.read) if end < 0 else end + 1
        line = self.read[self._at : end]
        self._at = end
        return line.decode("utf-8", "replace")

    def _wait(self) -> None:
        """Called before each read."""


class DraftSoFar(NamedTuple):
    """What the process that drafts hands over."""

    read: bytes
    """All of the input that was read."""
    answered: int
    """The blocks in it that were answered, all picks."""
    came: float | None
    """When the first block came that was not answered, if all of it was read."""
    ended: bool
    """Whether the input has ended."""
    gone: bool
    """Whether nobody reads the answers any more."""


class DraftProcess:
    """The process that drafts, as seen by the one that loads. It ends with the context, or when this process ends."""

    def __init__(
        self,
        drafter: Drafter,
        version: str,
        source: int,
        write: Callable[[str], object],
        on_progress: Callable[[Answer], object] | None,
    ) -> None:
        began = time.perf_counter() - seconds_since_start()
        (told, self._tell), (self._told, tell) = os.pipe(), os.pipe()
        self._pid = _fork((told, self._tell, self._told, tell))
        if self._pid == 0:
            try:
                signal.signal(signal.SIGINT, signal.SIG_IGN)  # the other process hears it too, and ends this one
                os.close(self._tell)
                os.close(self._told)
                with contextlib.suppress(_LeftAloneError):
                    drafting = _Drafting(drafter, version, began, _OtherProcess(told))
                    _send(tell, drafting.run(source, write, on_progress))
            finally:
                os._exit(0)
        os.close(told)
        os.close(tell)

    def take_over(self) -> DraftSoFar:
        """Say that the player is loaded, and return the draft so far; the other process reads and writes no more."""
        with contextlib.suppress(BrokenPipeError):
            os.write(self._tell, _LOADED)
        received = bytearray()
        while chunk := os.read(self._told, _CHUNK):
            received += chunk
        head, _, read = bytes(received).partition(b"\n")
        if not head:
            raise ChildProcessError(errno.ECHILD, "the process that drafts was ended")
        return DraftSoFar(read, **json.loads(head))

    def __enter__(self) -> DraftProcess:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, traceback: TracebackType | None
    ) -> None:
        """End it, if it has not ended, and leave nothing behind."""
        os.kill(self._pid, signal.SIGKILL)  # its number is its own until it is waited for
        with contextlib.suppress(ChildProcessError):
            os.waitpid(self._pid, 0)
        os.close(self._tell)
        os.close(self._told)


def _fork(pipes: tuple[int, ...]) -> int:
    """Fork; if that fails, nobody needs the pipes."""
    try:
        return os.fork()
    except OSError:
        for descriptor in pipes:
            os.close(descriptor)
        raise


def _start(
    drafter: Drafter,
    version: str,
    source: IO[str],
    sink: IO[str],
    on_progress: Callable[[Answer], object] | None,
) -> DraftProcess | None:
    """The process that drafts; None if there can't be one, so that the player has to be loaded first."""
    if not hasattr(os, "fork"):
        return None
    try:
        return DraftProcess(drafter, version, source.fileno(), _writer(sink), on_progress)
    except (io.UnsupportedOperation, OSError):  # a stream in memory; too many processes
        return None


@contextlib.contextmanager
def _no_interrupt_lost() -> Iterator[None]:
    """Raise KeyboardInterrupt at the end if it was swallowed inside, as it is in a callback from C."""
    heard = False

    def note(*_: object) -> None:
        nonlocal heard
        heard = True
        raise KeyboardInterrupt

    try:
        before = signal.signal(signal.SIGINT, note)
    except ValueError:  # not the main thread, which alone hears it
        yield
        return
    try:
        yield
    except Exception:
        if not heard:
            raise
    finally:
        signal.signal(signal.SIGINT, before)
    if heard:
        raise KeyboardInterrupt


def _writer(out: IO[str]) -> Callable[[str], None]:
    def write(text: str) -> None:
        out.write(text)
        out.flush()

    return write


# -- the process that drafts ---------------------------------------------------------------------------------


class _LeftAloneError(Exception):
    """Raised when the process that loads has ended."""


class _OverError(Exception):
    """Raised when the player is to answer: it is loaded, or the draft is over."""


class _OtherProcess:
    """The process that loads, as seen by the one that drafts."""

    def __init__(self, told: int) -> None:
        self.loaded = False
        self._told = told

    def wait(self, seconds: float) -> None:
        """Wait until the player is loaded, for so long at most."""
        if not self.loaded:
            self._look(None, seconds)

    def wait_for_input(self, descriptor: int) -> None:
        """Wait until there is input; raises `_OverError` as soon as the player is loaded."""
        if not self.loaded:
            self._look(descriptor, None)
        if self.loaded:
            raise _OverError

    def _look(self, descriptor: int | None, seconds: float | None) -> None:
        poll = select.poll()
        poll.register(self._told, select.POLLIN)
        if descriptor is not None:
            poll.register(descriptor, select.POLLIN)
        found = poll.poll(None if seconds is None else 1000 * max(0.0, seconds))
        if any(ready == self._told for ready, _ in found):
            if not os.read(self._told, 1):
                raise _LeftAloneError
            self.loaded = True


class _WatchfulLines(Lines):
    """Lines that are read only until the player is loaded."""

    def __init__(self, descriptor: int, other: _OtherProcess) -> None:
        super().__init__(descriptor)
        self._other = other

    def _wait(self) -> None:
        self._other.wait_for_input(self._descriptor)


class _Drafting:
    """Answers the blocks of the draft, which is a `Bot` until the player is loaded or something else is asked."""

    def __init__(self, drafter: Drafter, version: str, began: float, other: _OtherProcess) -> None:
        self.version = version
        self._drafter, self._began, self._other = drafter, began, other
        self._came: float | None = None
        self._answered = 0

    def run(
        self, source: int, write: Callable[[str], object], on_progress: Callable[[Answer], object] | None
    ) -> DraftSoFar:
        """Draft until the player is loaded, the draft is over or anything goes wrong; the player will say what."""

        def count(text: str) -> None:
            write(text)
            self._answered += 1

        lines, gone = _WatchfulLines(source, self._other), False
        try:
            serve(self, lines.readline, count, on_progress)
        except _LeftAloneError:
            raise
        except BrokenPipeError:
            gone = True
        except Exception:
            pass  # the player will meet it too
        return DraftSoFar(bytes(lines.read), self._answered, self._came, lines.ended, gone)

    def answer(self, block: InputBlock, since: float | None = None) -> str:
        """The line to write, after some time for the other process."""
        assert since is not None
        if not protocol.is_draft(block):
            self._came = since
            raise _OverError
        index = self._drafter.pick(block)
        limit = since + PICK_SECONDS if self._answered else self._began + FIRST_PICK_SECONDS
        self._other.wait(limit - time.perf_counter())
        return f"{protocol.PICK} {index}"


def _send(descriptor: int, draft: DraftSoFar) -> None:
    """Write for `DraftProcess.take_over`."""
    head = {name: value for name, value in draft._asdict().items() if name != "read"}
    data = json.dumps(head).encode() + b"\n" + draft.read
    while data:
        data = data[os.write(descriptor, data) :]
