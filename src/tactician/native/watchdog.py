"""Watch running searches from a thread of its own, because a kernel that runs sees neither the clock nor Ctrl-C.

Between slices Python looks at both; a slice is meant to take a millisecond. Where rules are slow, or loop for ever, it
takes longer, and this thread then
- ends a search whose time is up, or in which Ctrl-C was pressed: every loop of a kernel looks at the error cell;
- reports a slice that does not return, with the rule, its line and the state where they can be found;
- ends the process at the second Ctrl-C, which a thread that is stuck in a rule would never see.
"""

from __future__ import annotations

import contextlib
import os
import signal
import sys
import threading
import time
from collections.abc import Callable, Iterator

from tactician.errors import TacticianError
from tactician.native.crashes import RULE_FAULT

GRACE_SECONDS = 0.002
"""How long after the end of its time a search is ended; by then most have noticed themselves."""
_USUAL_SECONDS = 10.0


def _seconds(text: str) -> float:
    """The seconds that an environment variable holds; the usual ones if it holds no positive number."""
    try:
        seconds = float(text)
    except ValueError:
        return _USUAL_SECONDS
    return seconds if seconds > 0 else _USUAL_SECONDS


STUCK_SECONDS = _seconds(os.environ.get("TACTICIAN_STUCK_SECONDS", ""))
"""How long a slice may take before it is reported."""
_PATIENCE = 1.0
"""How long a search may take to return after the first Ctrl-C before the second one is explained."""
_LOOKS_APART = 0.25
_LONGEST_COUNTED = 1.0
"""What counts at most as time between two looks: if more has passed, the whole process was stopped meanwhile."""
_INTERRUPTED = 130


class Watched:
    """One running search."""

    def __init__(
        self, stop: Callable[[], None], describe: Callable[[], str], deadline: float, lock: threading.Condition
    ) -> None:
        self._lock = lock
        self.since = time.perf_counter()
        """When the present slice began; the search sets it."""
        self.stopped = False
        """Whether the search was ended because its time was up."""
        self._deadline = deadline
        self._stop = stop
        self._describe = describe
        self._reported = False
        self._looked = self.since
        self._waited = 0.0
        self.compiles = False
        """Whether kernels are compiled meanwhile, which takes long: then only a rule that is found is reported."""

    def finish(self) -> bool:
        """The search is done and is read off, which is not limited; returns whether its time had to be cut short."""
        with self._lock:
            self._deadline = float("inf")
            self.since = time.perf_counter()
            return self.stopped

    def forget(self) -> None:
        """Let go of the search and its state: the thread may still hold on to this object."""
        self._stop = lambda: None
        self._describe = lambda: ""

    def next_look(self, now: float) -> float:
        """When to look at this search again."""
        later = now + _LOOKS_APART
        return later if self.stopped else min(later, self._deadline + GRACE_SECONDS)

    def look(self, now: float) -> None:
        """End the search if its time is up."""
        if not self.stopped and now >= self._deadline + GRACE_SECONDS:
            self.stopped = True
            self._stop()

    def interrupt(self) -> None:
        """End the search because of Ctrl-C."""
        self._stop()

    def is_stuck(self, now: float) -> bool:
        """Whether the present slice has taken too long and nobody was told yet; asked at every look.

        Time in which the process was stopped (Ctrl-Z, a debugger, a machine that sleeps) is not the rule's.
        """
        since = self.since
        if since > self._looked:
            self._looked, self._waited = since, 0.0
        self._waited += min(now - self._looked, _LONGEST_COUNTED)
        self._looked = now
        return not self._reported and self._waited > STUCK_SECONDS

    def report(self) -> str:
        """What is wrong, as far as it can be found; said once."""
        self._reported = True
        try:
            return self._describe()
        except TacticianError as error:
            return str(error)


class Watchdog:
    """The thread and what it watches; one serves all searches of a process."""

    def __init__(self) -> None:
        self.ends_process = False
        """Whether to end the process if a rule does not return, instead of only saying so; commands and workers do."""
        self._reset()
        if hasattr(os, "register_at_fork"):
            # A forked process has no such thread, and the lock may have been taken when it was made.
            os.register_at_fork(after_in_child=self._reset)

    def _reset(self) -> None:
        """Watch nothing, without a thread."""
        self._changed = threading.Condition()
        self._searches: list[Watched] = []
        self._wakes_at = float("inf")
        self._runs = False
        self._pipe = (-1, -1)
        self._before = -1
        self._interrupts: list[float] = []
        self._explained = False

    @contextlib.contextmanager
    def watching(
        self, stop: Callable[[], None], describe: Callable[[], str], deadline: float = float("inf")
    ) -> Iterator[Watched]:
        """Around a search. `stop` ends its kernel; `describe`, called while it is stuck, says which rule hangs."""
        watched = Watched(stop, describe, deadline, self._changed)
        with self._changed:
            self._start()
            self._searches.append(watched)
            if watched.next_look(watched.since) < self._wakes_at:
                self._changed.notify()
        try:
            with self._hearing_interrupts():
                yield watched
        finally:
            # Under the lock: from here on nothing may stop the search, whose memory serves the next one.
            with self._changed:
                self._searches.remove(watched)
                watched.forget()

    def _start(self) -> None:
        """Start the thread, unless it runs."""
        if self._runs:
            return
        self._runs = True
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
        self._before = before if before != self._pipe[1] else self._before
        try:
            yield
        finally:
            signal.set_wakeup_fd(before)

    def _watch(self) -> None:
        while True:
            with self._changed:
                now = time.perf_counter()
                self._hear()
                for search in self._searches:
                    search.look(now)
                stuck = [search for search in self._searches if search.is_stuck(now)]
                self._end_if_asked(now)
                if not stuck:
                    self._wakes_at = min((search.next_look(now) for search in self._searches), default=float("inf"))
                    self._changed.wait(max(0.0, self._wakes_at - now) if self._searches else None)
                    continue
            # Without the lock: finding the rule takes a while, and other searches must be able to end.
            for search in stuck:
                self._report(search)

    def _hear(self) -> None:
        """Read what signals have written; the first Ctrl-C ends the searches that heed it."""
        with contextlib.suppress(BlockingIOError):
            heard = os.read(self._pipe[0], 64)
            if self._before >= 0:
                with contextlib.suppress(OSError):
                    os.write(self._before, heard)
            self._interrupts += [time.perf_counter()] * heard.count(bytes([signal.SIGINT]))
            if self._interrupts:
                for search in self._searches:
                    search.interrupt()
        if not self._searches:
            self._interrupts.clear()

    def _end_if_asked(self, now: float) -> None:
        """End the process at the second Ctrl-C that the present slice has not answered."""
        unanswered = [at for at in self._interrupts if all(search.since < at for search in self._searches)]
        if not unanswered:
            self._interrupts.clear()
            self._explained = False
        elif len(unanswered) > 1:
            _say("stopped by the second Ctrl-C while a rule did not return.")
            os._exit(_INTERRUPTED)
        elif not self._explained and now - unanswered[0] > _PATIENCE:
            self._explained = True
            _say("a rule does not return; press Ctrl-C again to end the process.")

    def _report(self, search: Watched) -> None:
        what = search.report()
        if not what and search.compiles:
            return
        if self.ends_process and what:
            _say(f"{what}. The run ends; 'tactician check' looks for such rules.")
            os._exit(RULE_FAULT)
        found = what or f"the rules have not let the search look at the clock for {STUCK_SECONDS:g} s"
        _say(f"{found}; press Ctrl-C twice to end the process.")


def _say(text: str) -> None:
    sys.stderr.write(f"tactician: {text}\n")
    sys.stderr.flush()


WATCHDOG = Watchdog()
"""The watchdog of this process."""
