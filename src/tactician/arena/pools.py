"""Where calls run that this process does not make itself: local processes, or a Dask cluster.

A `WorkerPool` starts its workers with the first call. When a worker dies, the calls it had are lost and raise
`BrokenProcessPool`, on a cluster too; what becomes of them is decided by the `Crew` that owns the pool.
"""

from __future__ import annotations

import contextlib
import logging
import multiprocessing
import os
import signal
import threading
import time
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import FIRST_COMPLETED, CancelledError, Executor, Future, ProcessPoolExecutor, wait
from concurrent.futures.process import BrokenProcessPool
from multiprocessing import connection, resource_tracker
from multiprocessing.context import SpawnContext, SpawnProcess
from typing import Any

from tactician.arena.clusters import ClusterAddress
from tactician.errors import InvalidParameterError, TacticianError
from tactician.native import messages
from tactician.native.crashes import RULE_FAULT, explain_crashes
from tactician.native.watchdog import WATCHDOG

SILENCE_S = 5.0
"""How long a cluster may have no workers before a line says what is waited for."""
_LOOK_S = 1.0
"""How often to look at workers: whether a cluster has any, whether a local one is stopped."""
STOPPED_LOOKS = 3
"""How many looks in a row must find a local worker stopped before it is replaced. Looks, not seconds: whoever stops all
processes with Ctrl-Z and continues them later has not lost any."""


class ClusterLostError(TacticianError):
    """A cluster's scheduler went away while it was needed."""

    exit_code = 1


class KilledOnClusterError(BrokenProcessPool):
    """Dask gave up a call because `deaths` workers died with it; caught where a broken local pool is."""

    def __init__(self, message: str, deaths: int = 1) -> None:
        super().__init__(message)
        self.deaths = deaths


class WorkerPool:
    """Local processes or the workers of a cluster, started by the first call."""

    def __init__(self, jobs: int, cluster: str | None) -> None:
        self.jobs = jobs
        self.cluster = None if cluster is None else ClusterAddress.parse(cluster)
        self._open = contextlib.ExitStack()
        self._executor: Any = None

    def submit(self, function: Callable[..., Any], *arguments: Any) -> Future[Any]:
        """Let a worker call a function."""
        if self._executor is None:
            self._executor = self._open.enter_context(_executor(self.jobs, self.cluster))
        future: Future[Any] = self._executor.submit(function, *arguments)
        return future

    def wait(self, futures: Iterable[Future[Any]]) -> list[Future[Any]]:
        """Wait until some are done; those that failed come last, so that no result is lost to an exception."""
        while True:
            done, _ = wait(futures, _LOOK_S, FIRST_COMPLETED)
            if done:
                return sorted(done, key=lambda future: future.cancelled() or future.exception() is not None)
            self._executor.look()

    def result(self, function: Callable[..., Any], *arguments: Any) -> Any:
        """Call a function and wait for it."""
        return self.wait([self.submit(function, *arguments)])[0].result()

    def lanes(self) -> int:
        """How many calls run at once; on a cluster it changes as workers come and go."""
        if not isinstance(self._executor, _ClusterExecutor):
            return self.jobs
        with contextlib.suppress(ClusterLostError):  # the futures tell, and first what was finished before
            self._executor.look_again()
        return self._executor.lanes

    def ended_by_a_rule(self) -> bool:
        """Whether a local worker died because a rule of the game crashed or did not return."""
        return isinstance(self._executor, _LocalPool) and self._executor.ended_by_a_rule()

    def replace_the_dead(self) -> None:
        """After a death: a local pool has to be made anew, a cluster looks after its workers by itself."""
        if self.cluster is None:
            self.stop()

    def stop(self) -> None:
        """End all workers at once, whatever they do; the next call starts new ones."""
        self._executor = None
        self._open.close()


@contextlib.contextmanager
def _executor(jobs: int, cluster: ClusterAddress | None) -> Iterator[Any]:
    if cluster is None:
        pool = _LocalPool(jobs)
        try:
            yield pool
        finally:
            pool.stop()
        return
    with _cluster_client(cluster) as client:
        executor = _ClusterExecutor(client, cluster.address)
        while not executor.look():
            time.sleep(_LOOK_S / 5)
        yield executor


# -- local processes -----------------------------------------------------------------------------------------


class _Spawn(SpawnContext):
    """Makes fresh processes (a fork would share locks and compiled state with this one) and knows them."""

    def __init__(self) -> None:
        super().__init__()
        self.made: list[SpawnProcess] = []

    def Process(self, *arguments: Any, **named: Any) -> SpawnProcess:  # type: ignore[override]  # noqa: N802
        self.made.append(SpawnProcess(*arguments, **named))
        return self.made[-1]


class _LocalPool(ProcessPoolExecutor):
    """Processes that leave Ctrl-C to this one and don't outlive it."""

    def __init__(self, jobs: int) -> None:
        self._spawn, self._jobs = _Spawn(), jobs
        self._stopped: Counter[int] = Counter()
        """How many looks in a row have found a worker stopped, by the number of its process."""
        super().__init__(jobs, self._spawn, _begin_work)

    def submit(self, function: Callable[..., Any], /, *arguments: Any, **named: Any) -> Future[Any]:
        """Call in a process, which is started now if there are not enough."""
        if len(self._spawn.made) >= self._jobs:
            return super().submit(function, *arguments, **named)
        with _ctrl_c_later():
            return super().submit(function, *arguments, **named)

    def look(self) -> None:
        """Kill a worker that somebody has stopped (SIGSTOP): its calls, and perhaps all others, would wait for ever."""
        stopped = [process.pid for process in self._spawn.made if process.pid and _is_stopped(process.pid)]
        self._stopped = Counter({pid: self._stopped[pid] + 1 for pid in stopped})
        for pid, looks in self._stopped.items():
            if looks >= STOPPED_LOOKS:
                messages.write(f"tactician: worker {pid} was stopped and is replaced\n")
                with contextlib.suppress(ProcessLookupError):
                    os.kill(pid, signal.SIGKILL)

    def ended_by_a_rule(self) -> bool:
        """After a death, which ends all processes: whether a rule has ended one, by a crash or by not returning."""
        return RULE_FAULT in (_exit_code(process) for process in self._spawn.made)

    def stop(self) -> None:
        """End the processes without waiting for what they do, also those that are stopped."""
        self.shutdown(wait=False, cancel_futures=True)
        for process in self._spawn.made:
            with contextlib.suppress(ValueError, AttributeError):  # never started, or closed
                process.kill()


def _exit_code(process: SpawnProcess) -> int | None:
    """How a process ended; None if it was never started or still runs."""
    with contextlib.suppress(ValueError, AssertionError):  # closed, or never started
        process.join(_LOOK_S)
        # The pool's own thread may have been told the code and not have written it down yet.
        until = time.monotonic() + _LOOK_S
        while process.exitcode is None and connection.wait([process.sentinel], 0) and time.monotonic() < until:
            time.sleep(_LOOK_S / 100)
        return process.exitcode
    return None


def _is_stopped(pid: int) -> bool:
    """Whether a child of this process is stopped; it stays so for whoever asks next."""
    if not hasattr(os, "waitid"):
        return False
    try:
        return os.waitid(os.P_PID, pid, os.WSTOPPED | os.WNOHANG | os.WNOWAIT) is not None
    except ChildProcessError:
        return False


@contextlib.contextmanager
def _ctrl_c_later() -> Iterator[None]:
    """A process started in this context never receives Ctrl-C, not even while it imports; this one does at the end.

    A terminal sends it to both, and this one must not be interrupted while a child is half started.
    """
    if not hasattr(signal, "pthread_sigmask"):
        yield
        return
    resource_tracker.ensure_running()  # starting it would unblock the signal
    received: list[int] = []
    before = signal.getsignal(signal.SIGINT) if threading.current_thread() is threading.main_thread() else None
    if before is not None:
        signal.signal(signal.SIGINT, lambda number, _frame: received.append(number))
    blocked = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, blocked)
        if before is not None:
            signal.signal(signal.SIGINT, before)
        if received:
            signal.raise_signal(signal.SIGINT)


def _begin_work() -> None:
    """What a local worker does first."""
    # The parent stops its workers itself.
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    if hasattr(signal, "pthread_sigmask"):
        signal.pthread_sigmask(signal.SIG_UNBLOCK, {signal.SIGINT})
    threading.Thread(target=_end_with_the_parent, daemon=True).start()
    explain_crashes()
    WATCHDOG.ends_process = True


def _end_with_the_parent() -> None:
    """Without this, workers of a parent that is killed would wait for work forever."""
    parent = multiprocessing.parent_process()
    if parent is not None:
        connection.wait([parent.sentinel])
        os._exit(1)


# -- a cluster -----------------------------------------------------------------------------------------------


class _ClusterExecutor(Executor):
    """A Dask client whose failures are those of a local pool, or one sentence."""

    def __init__(self, client: Any, address: str) -> None:
        self._client, self._address = client, address
        self._inner = client.get_executor(pure=False, retries=10)
        self._alone_since: float | None = None
        self._looked = 0.0
        self.lanes = 1

    def submit(self, function: Callable[..., Any], /, *arguments: Any, **named: Any) -> Future[Any]:
        """Call on a worker of the cluster."""
        try:
            inner = self._inner.submit(function, *arguments, **named)
        except (OSError, RuntimeError, CancelledError) as error:
            raise self._lost() from error
        future: Future[Any] = Future()
        inner.add_done_callback(lambda done: self._pass_on(done, future))
        return future

    def look_again(self) -> None:
        """Look, unless that was just done."""
        if time.monotonic() > self._looked + _LOOK_S:
            self.look()

    def look(self) -> int:
        """How many threads the workers have; if there are none for a while, a line says so."""
        self._looked = time.monotonic()
        if self._client.status != "running":
            raise self._lost()
        try:
            threads = sum(self._client.nthreads().values())
        except (OSError, RuntimeError, CancelledError) as error:
            raise self._lost() from error
        if threads:
            self.lanes, self._alone_since = threads, None
        elif self._alone_since is None:
            self._alone_since = time.monotonic()
        elif time.monotonic() > self._alone_since + SILENCE_S:
            self._alone_since = float("inf")  # said once
            messages.write(f"tactician: waiting for workers of {self._address}\n")
        return threads

    def _pass_on(self, done: Future[Any], future: Future[Any]) -> None:
        from distributed import KilledWorker

        error = CancelledError() if done.cancelled() else done.exception()
        if error is None:
            future.set_result(done.result())
        elif isinstance(error, CancelledError):
            future.set_exception(self._lost())
        elif isinstance(error, KilledWorker):
            future.set_exception(KilledOnClusterError(str(error), error.allowed_failures + 1))
        else:
            future.set_exception(error)

    def _lost(self) -> ClusterLostError:
        return ClusterLostError(f"cluster {self._address!r} was lost: its scheduler does not answer any more.")


@contextlib.contextmanager
def _cluster_client(cluster: ClusterAddress) -> Iterator[Any]:
    try:
        import distributed
    except ImportError:
        raise InvalidParameterError("a cluster needs the extra 'cluster': pip install tactician[cluster].") from None
    with _quiet("distributed", "distributed.client", "tornado.application"):
        try:
            security = cluster.security()
            client: Any = distributed.Client(cluster.address, timeout="10s", security=security)  # type: ignore[no-untyped-call]
        except (OSError, ValueError, TypeError, RuntimeError) as error:
            reason = " ".join(str(error).split()).rstrip(".")
            raise InvalidParameterError(f"cluster {cluster.address!r} can't be reached: {reason}.") from error
        try:
            yield client
        finally:
            client.close()


@contextlib.contextmanager
def _quiet(*names: str) -> Iterator[None]:
    """Keep a client from logging what happens when its scheduler goes away; our error is one sentence."""
    loggers = [logging.getLogger(name) for name in names]
    levels = [logger.level for logger in loggers]
    for logger in loggers:
        logger.setLevel(logging.CRITICAL)
    try:
        yield
    finally:
        for logger, level in zip(loggers, levels, strict=True):
            logger.setLevel(level)
