"""Notice a slice of a search that does not return: a rule loops for ever, and Python can't interrupt it.

A thread watches while searches run. It reports a slice that takes too long, with the rule and the position where they
can be found, and ends the process at the second Ctrl-C, which the stuck thread would never see.
"""

from __future__ import annotations

import contextlib
import os
import signal
import sys
import threading
import time
from collections.abc import Callable, Iterator

SECONDS = 10.0
"""How long a slice may take before it is reported; it aims at a millisecond."""
_PATIENCE = 2.0
"""How long a search may take to return after the first Ctrl-C."""
_INTERRUPTED = 130


class Watchdog:
    """The thread and what it watches; one serves all searches of a process."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._searches: dict[int, _Watched] = {}
        self._wake = threading.Event()
        self._process = 0
        self._pipe = (-1, -1)

    @contextlib.contextmanager
    def watching(self, describe: Callable[[], str]) -> Iterator[_Watched]:
        """Around a search; `describe` says which rule hangs and where, and is called while the search is stuck."""
        watched = _Watched(describe)
        with self._lock:
            self._start()
            self._searches[id(watched)] = watched
        self._wake.set()
        try:
            with self._hearing_interrupts():
                yield watched
        finally:
            with self._lock:
                del self._searches[id(watched)]

    def _start(self) -> None:
        """Start the thread, also in a process that was forked from one that had it."""
        if self._process == os.getpid():
            return
        self._process = os.getpid()
        self._searches.clear()
        self._pipe = os.pipe()
        for end in self._pipe:
            os.set_blocking(end, False)
        threading.Thread(target=self._watch, name="tactician-watchdog", daemon=True).start()

    @contextlib.contextmanager
    def _hearing_interrupts(self) -> Iterator[None]:
        """Let the thread hear of Ctrl-C too; only the main thread may arrange that."""
        if threading.current_thread() is not threading.main_thread():
            yield
            return
        before = signal.set_wakeup_fd(self._pipe[1], warn_on_full_buffer=False)
        try:
            yield
        finally:
            signal.set_wakeup_fd(before)

    def _watch(self) -> None:
        interrupts: list[float] = []
        while True:
            with self._lock:
                searches = list(self._searches.values())
            if not searches:
                self._wake.clear()
                interrupts.clear()
                self._read_interrupts()
                self._wake.wait()
                continue
            time.sleep(0.25)
            interrupts += [time.perf_counter()] * self._read_interrupts()
            now = time.perf_counter()
            for search in searches:
                search.report(now)
            if interrupts and all(search.since < interrupts[0] for search in searches):
                self._end_if_stuck(interrupts, now)

    def _end_if_stuck(self, interrupts: list[float], now: float) -> None:
        if len(interrupts) > 1:
            _say("tactician: stopped by the second Ctrl-C while a rule did not return.")
            os._exit(_INTERRUPTED)
        if now - interrupts[0] > _PATIENCE and not any(search.told for search in self._searches.values()):
            for search in list(self._searches.values()):
                search.told = True
            _say("tactician: a rule does not return; press Ctrl-C again to end the process.")

    def _read_interrupts(self) -> int:
        try:
            return os.read(self._pipe[0], 64).count(bytes([signal.SIGINT]))
        except BlockingIOError:
            return 0


class _Watched:
    """One search."""

    def __init__(self, describe: Callable[[], str]) -> None:
        self.since = time.perf_counter()
        """When the present slice began; the search sets it."""
        self.told = False
        self._describe = describe
        self._reported = False

    def report(self, now: float) -> None:
        """Say once that the slice takes too long."""
        if self._reported or now - self.since < SECONDS:
            return
        self._reported = True
        try:
            what = self._describe()
        except Exception as error:  # the search is broken already; a report must not break the thread
            what = f"a rule does not return ({type(error).__name__} while looking for it)"
        _say(f"tactician: {what}; press Ctrl-C twice to end the process, and run tactician check.")


def _say(text: str) -> None:
    sys.stderr.write(text + "\n")
    sys.stderr.flush()


WATCHDOG = Watchdog()
"""The watchdog of this process."""
