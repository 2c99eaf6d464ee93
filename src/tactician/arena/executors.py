"""Where games are played: here, in local processes, or on a Dask cluster; one loop for all of them.

A worker that dies takes only its games in flight with it; they are played again.
"""

from __future__ import annotations

import contextlib
import multiprocessing
import signal
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import FIRST_COMPLETED, Executor, Future, ProcessPoolExecutor, wait
from concurrent.futures.process import BrokenProcessPool
from typing import Any

from tactician.arena import match
from tactician.arena.records import GameRecord, Pairing
from tactician.errors import InvalidParameterError, TacticianError

MAX_DEATHS = 20
"""Workers that may die in a row before the tournament gives up: something kills every one of them."""


class WorkersDiedError(TacticianError):
    """Worker after worker died; it is not chance."""

    exit_code = 1


def play_all(
    pairings: Iterable[Pairing], jobs: int = 1, cluster: str | None = None, warm: Callable[[], Any] | None = None
) -> Iterator[GameRecord]:
    """Play the pairings and give each record as it is finished; `warm` compiles before processes start."""
    waiting = list(pairings)
    if cluster is None and jobs == 1:
        for pairing in waiting:
            yield match.play(pairing)
        return
    if jobs < 1:
        raise InvalidParameterError(f"jobs is {jobs}; expected at least 1.")
    if warm is not None:
        warm()
    deaths = 0
    while waiting:
        with workers(jobs, cluster) as (executor, lanes):
            try:
                for record in _play_on(executor, waiting, lanes):
                    waiting.remove(record.pairing)
                    deaths = 0
                    yield record
            except BrokenProcessPool as error:
                deaths += 1
                if deaths >= MAX_DEATHS:
                    raise WorkersDiedError(
                        f"{deaths} workers died in a row without finishing a game; {len(waiting)} games are left."
                    ) from error


def _play_on(executor: Executor, waiting: list[Pairing], lanes: int) -> Iterator[GameRecord]:
    """Keep every lane busy with two games ahead; results come as they are ready."""
    queue = iter(list(waiting))
    running: set[Future[GameRecord]] = set()

    def refill() -> None:
        for pairing in queue:
            running.add(executor.submit(match.play, pairing))
            if len(running) >= 2 * lanes:
                return

    refill()
    while running:
        done, _ = wait(running, return_when=FIRST_COMPLETED)
        for future in done:
            running.remove(future)
            yield future.result()
        refill()


@contextlib.contextmanager
def workers(jobs: int, cluster: str | None) -> Iterator[tuple[Any, int]]:
    """An executor, and how many things it does at once."""
    if cluster is None:
        # Fresh processes: a fork would share locks and compiled state with this one.
        pool = ProcessPoolExecutor(jobs, multiprocessing.get_context("spawn"), _leave_ctrl_c_to_the_parent)
        try:
            yield pool, jobs
        finally:
            pool.shutdown(wait=False, cancel_futures=True)
        return
    with _cluster_client(cluster) as client:
        lanes = max(1, sum(client.nthreads().values()))
        yield client.get_executor(pure=False, retries=10), lanes


def _leave_ctrl_c_to_the_parent() -> None:
    """A terminal sends Ctrl-C to every process; the tournament stops its workers itself."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)


@contextlib.contextmanager
def _cluster_client(address: str) -> Iterator[Any]:
    try:
        import distributed
    except ImportError:
        raise InvalidParameterError("a cluster needs the extra 'cluster': pip install tactician[cluster].") from None
    try:
        client: Any = distributed.Client(address, timeout="10s")  # type: ignore[no-untyped-call]
    except (OSError, ValueError, TimeoutError) as error:
        raise InvalidParameterError(f"cluster {address!r} can't be reached: {error}.") from error
    try:
        yield client
    finally:
        client.close()
