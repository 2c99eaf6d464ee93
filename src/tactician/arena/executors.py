"""Where games are played: here, in local processes, or on a Dask cluster; one loop for all of them.

A worker that dies takes only its games in flight with it; they are played again. A game in which worker after worker
dies is played alone, so that the others are played and it is known which one it is.
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
from collections.abc import Callable, Generator, Iterable, Iterator
from concurrent.futures import FIRST_COMPLETED, CancelledError, Executor, Future, ProcessPoolExecutor, wait
from concurrent.futures.process import BrokenProcessPool
from dataclasses import dataclass, field
from multiprocessing import connection, resource_tracker
from multiprocessing.context import SpawnContext, SpawnProcess
from types import TracebackType
from typing import Any

from tactician.arena import match
from tactician.arena.agents import PlannerSpec, parse_agent
from tactician.arena.records import GameRecord, Pairing
from tactician.errors import InvalidParameterError, TacticianError
from tactician.native import messages

MAX_DEATHS = 20
"""Workers that may die in a row before the tournament gives up: something kills every one of them."""
SUSPICIOUS = 2
"""A game that was in flight at so many deaths is played alone; after so many more alone it is to blame."""
SILENCE_S = 5.0
"""How long a cluster may have no workers before a line says what is waited for."""
_LOOK_S = 1.0
"""How often to look at a cluster's workers."""


class WorkersDiedError(TacticianError):
    """Worker after worker died; it is not chance."""

    exit_code = 1


class ClusterLostError(TacticianError):
    """A cluster's scheduler went away while it was needed."""

    exit_code = 1


class KilledOnClusterError(BrokenProcessPool):
    """Dask gave a call up because so many workers died with it; caught where a broken local pool is."""

    def __init__(self, message: str, deaths: int = 1) -> None:
        super().__init__(message)
        self.deaths = deaths


def play_all(
    pairings: Iterable[Pairing],
    jobs: int = 1,
    cluster: str | None = None,
    warm: Callable[[], Any] | None = None,
    crew: Crew | None = None,
) -> Generator[GameRecord, None, None]:
    """Play the pairings and give each record as it is finished; `warm` compiles before processes start.

    Close it to stop early: workers end at once. With a `crew`, which stays for the next call, its jobs and cluster
    hold.
    """
    waiting = list(pairings)
    with contextlib.nullcontext(crew) if crew is not None else Crew(jobs, cluster) as playing:
        if playing.cluster is None and playing.jobs == 1:
            yield from map(match.play, waiting)
            return
        if warm is not None:
            warm()
        deaths = _Deaths()
        try:
            while waiting:
                suspects = [pairing for pairing in waiting if deaths.suspects(pairing)]
                records = _play_alone(playing, suspects, deaths) if suspects else _play_on(playing, waiting, deaths)
                for record in records:
                    waiting.remove(record.pairing)
                    deaths.in_a_row = 0
                    yield record
                if deaths.in_a_row >= MAX_DEATHS:
                    raise WorkersDiedError(
                        f"{deaths.in_a_row} workers died in a row without finishing a game; "
                        f"{len(waiting)} games are left."
                    )
        except ClusterLostError as error:
            playing.dismiss()
            raise ClusterLostError(f"{str(error).rstrip('.')}; {len(waiting)} games are left.") from error
        except BaseException:
            playing.dismiss()  # games in flight are nobody's any more
            raise


class Crew:
    """Workers that stay from one call of `play_all` to the next. The first game starts them, leaving ends them."""

    def __init__(self, jobs: int = 1, cluster: str | None = None) -> None:
        if jobs < 1:
            raise InvalidParameterError(f"jobs is {jobs}; expected at least 1.")
        self.jobs, self.cluster = jobs, cluster
        self._open = contextlib.ExitStack()
        self._executor: Any = None

    def __enter__(self) -> Crew:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.dismiss()

    def submit(self, function: Callable[..., Any], *arguments: Any) -> Future[Any]:
        """Let a worker call a function."""
        if self._executor is None:
            self._executor, _ = self._open.enter_context(workers(self.jobs, self.cluster))
        future: Future[Any] = self._executor.submit(function, *arguments)
        return future

    def wait(self, futures: Iterable[Future[Any]]) -> list[Future[Any]]:
        """Wait until some are ready; those that failed come last, so that no result is lost to an exception."""
        while True:
            done, _ = wait(futures, None if self.cluster is None else _LOOK_S, FIRST_COMPLETED)
            if done:
                return sorted(done, key=lambda future: future.cancelled() or future.exception() is not None)
            self._executor.look()

    def lanes(self) -> int:
        """How many things are done at once; of a cluster it changes as workers come and go."""
        if not isinstance(self._executor, _ClusterExecutor):
            return self.jobs
        with contextlib.suppress(ClusterLostError):  # the futures tell, and first what was finished before
            self._executor.look_again()
        return self._executor.lanes

    def replace_the_dead(self) -> None:
        """After a death: a local pool has to be made anew, a cluster looks after its workers by itself."""
        if self.cluster is None:
            self.dismiss()

    def dismiss(self) -> None:
        """End all workers at once, whatever they do; the next call gets new ones."""
        self._executor = None
        self._open.close()


@dataclass
class _Deaths:
    """What is known of workers that died."""

    in_a_row: int = 0
    """Since the last game that was finished."""
    in_flight: Counter[Pairing] = field(default_factory=Counter)
    """With which games."""
    killers: set[str] = field(default_factory=set)
    """Agents that were found to kill workers."""

    def suspects(self, pairing: Pairing) -> bool:
        """Whether a game is to be played alone."""
        return self.in_flight[pairing] >= self.patience(pairing)

    def patience(self, pairing: Pairing) -> int:
        """Deaths that may be chance; of an agent that has killed before there are none."""
        return 1 if self.killers.intersection(pairing.seats) else SUSPICIOUS

    def forfeit(self, pairing: Pairing) -> GameRecord:
        """The record of a game that kills its worker even alone: a loss for the one seat that can have done it."""
        game = match.game_named(pairing.game)
        strangers = [seat for seat, name in enumerate(pairing.seats) if not isinstance(parse_agent(name), PlannerSpec)]
        if len({game.sides[seat] for seat in strangers}) != 1:
            raise WorkersDiedError(
                f"the process dies in the game of {' against '.join(pairing.seats)} from start {pairing.seed}, "
                "also when it is played alone, and which seat is to blame can't be told."
            )
        loser = strangers[0]
        self.killers.add(pairing.seats[loser])
        return GameRecord(
            pairing=pairing,
            returns=match.forfeited(game, loser),
            turns=(),
            ms=0.0,
            game_version=game.version,
            error="the process died in this game.",
            error_seat=loser,
        )


def _play_on(crew: Crew, waiting: list[Pairing], deaths: _Deaths) -> Iterator[GameRecord]:
    """Keep every lane busy with two games ahead; results come as they are ready. Ends early if a worker dies."""
    queue = iter(list(waiting))
    running: dict[Future[GameRecord], Pairing] = {}
    broken = False
    while True:
        try:
            while not broken and (not running or len(running) < 2 * crew.lanes()):
                pairing = next(queue, None)
                if pairing is None:
                    break
                running[crew.submit(match.play, pairing)] = pairing
        except BrokenProcessPool:
            broken = True
        if not running:
            break
        for future in crew.wait(running):
            pairing = running.pop(future)
            try:
                record = future.result()
            except BrokenProcessPool as error:
                broken = True
                deaths.in_flight[pairing] += _deaths_in(error)
            else:
                yield record
    if broken:
        deaths.in_a_row += 1
        crew.replace_the_dead()


def _play_alone(crew: Crew, suspects: list[Pairing], deaths: _Deaths) -> Iterator[GameRecord]:
    """Play games with nothing else in flight. One that its workers don't survive is forfeited."""
    with contextlib.nullcontext(crew) if crew.cluster is not None else Crew(1) as one:

        def result(function: Callable[..., Any], *arguments: Any) -> Any:
            return one.wait([one.submit(function, *arguments)])[0].result()

        for pairing in suspects:
            record, alone = None, 0
            while record is None:
                try:
                    result(os.getpid)  # a worker that can't even start says nothing about the game
                except BrokenProcessPool:
                    deaths.in_a_row += 1
                    one.replace_the_dead()
                    return
                try:
                    record = result(match.play, pairing)
                except BrokenProcessPool as error:
                    one.replace_the_dead()
                    alone += _deaths_in(error)
                    if alone >= deaths.patience(pairing):
                        record = deaths.forfeit(pairing)
            yield record


def _deaths_in(error: BrokenProcessPool) -> int:
    return error.deaths if isinstance(error, KilledOnClusterError) else 1


@contextlib.contextmanager
def workers(jobs: int, cluster: str | None) -> Iterator[tuple[Any, int]]:
    """An executor, and how many things it does at once."""
    if cluster is None:
        pool = _LocalPool(jobs)
        try:
            yield pool, jobs
        finally:
            pool.stop()
        return
    with _cluster_client(cluster) as client:
        executor = _ClusterExecutor(client, cluster)
        while not executor.look():
            time.sleep(_LOOK_S / 5)
        yield executor, executor.lanes


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
        super().__init__(jobs, self._spawn, _begin_work)

    def submit(self, function: Callable[..., Any], /, *arguments: Any, **named: Any) -> Future[Any]:
        """Call in a process, which is started now if there are not enough."""
        if len(self._spawn.made) >= self._jobs:
            return super().submit(function, *arguments, **named)
        with _ctrl_c_later():
            return super().submit(function, *arguments, **named)

    def stop(self) -> None:
        """End the processes without waiting for what they do."""
        self.shutdown(wait=False, cancel_futures=True)
        for process in self._spawn.made:
            with contextlib.suppress(ValueError, AttributeError):  # never started, or closed
                process.terminate()


@contextlib.contextmanager
def _ctrl_c_later() -> Iterator[None]:
    """A process that is started in here never hears a Ctrl-C, not even while it imports; this one hears it at the end.

    A terminal sends it to both, and this one must not be torn away from a child that is half started.
    """
    if not hasattr(signal, "pthread_sigmask"):
        yield
        return
    resource_tracker.ensure_running()  # starting it would unblock the signal
    on_progress: list[int] = []
    before = signal.getsignal(signal.SIGINT) if threading.current_thread() is threading.main_thread() else None
    if before is not None:
        signal.signal(signal.SIGINT, lambda number, _frame: on_progress.append(number))
    blocked = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, blocked)
        if before is not None:
            signal.signal(signal.SIGINT, before)
        if on_progress:
            signal.raise_signal(signal.SIGINT)


def _begin_work() -> None:
    """What a local worker does first."""
    # The tournament stops its workers itself.
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    if hasattr(signal, "pthread_sigmask"):
        signal.pthread_sigmask(signal.SIG_UNBLOCK, {signal.SIGINT})
    threading.Thread(target=_end_with_the_parent, daemon=True).start()


def _end_with_the_parent() -> None:
    """A parent that is killed can't end its workers, and they wait for work for ever."""
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
def _cluster_client(address: str) -> Iterator[Any]:
    try:
        import distributed
    except ImportError:
        raise InvalidParameterError("a cluster needs the extra 'cluster': pip install tactician[cluster].") from None
    with _quiet("distributed.client", "tornado.application"):
        try:
            client: Any = distributed.Client(address, timeout="10s")  # type: ignore[no-untyped-call]
        except (OSError, ValueError, TimeoutError) as error:
            raise InvalidParameterError(f"cluster {address!r} can't be reached: {error}.") from error
        try:
            yield client
        finally:
            client.close()


@contextlib.contextmanager
def _quiet(*names: str) -> Iterator[None]:
    """What a client logs when its scheduler goes away is a traceback; ours is a sentence."""
    loggers = [logging.getLogger(name) for name in names]
    levels = [logger.level for logger in loggers]
    for logger in loggers:
        logger.setLevel(logging.CRITICAL)
    try:
        yield
    finally:
        for logger, level in zip(loggers, levels, strict=True):
            logger.setLevel(level)
