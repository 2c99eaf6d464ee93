"""A crew of workers: a queue of calls, and one policy for workers that die.

Games of the arena, evaluations of a tuning and searches of an experiment all run on a `Crew`: in this process with one
job, in local processes, or on a Dask cluster. `submit` queues a call, `next` returns the next one that is finished.

When a worker dies, whatever it was working on:

1. The calls in flight are made again.
2. A call that was in flight at `SUSPICIOUS` deaths is made alone, with nothing else in flight, so that the other calls
   are finished and it is known which one is to blame.
3. If its worker dies `SUSPICIOUS` times more, `FatalCalls` decides what becomes of it: the arena records a forfeit,
   tunings and experiments stop with a sentence that names the call.
4. `MAX_DEATHS` deaths in a row without a finished call stop everything: something kills every worker.

A worker that a rule of the game has ended, because it crashed or did not return, stops everything at once: the worker
has said which rule it was, and no other agent would make it better.
"""

from __future__ import annotations

import os
from collections import deque
from collections.abc import Callable
from concurrent.futures import Future
from concurrent.futures.process import BrokenProcessPool
from dataclasses import dataclass
from types import TracebackType
from typing import Any

from tactician.arena.agent_process import close_agents
from tactician.arena.pools import ClusterLostError, KilledOnClusterError, WorkerPool
from tactician.errors import InvalidParameterError, RuleFailureError, TacticianError

MAX_DEATHS = 20
"""Workers that may die in a row without a finished call."""
SUSPICIOUS = 2
"""Deaths after which a call is made alone, and deaths alone after which it is to blame."""


class WorkersDiedError(TacticianError):
    """Worker after worker died; it is not chance."""

    exit_code = 1


class FatalCalls:
    """What becomes of a call that its worker does not survive: here everything stops, and the task is named."""

    noun = "call"
    """What a call is called in messages."""

    def patience(self, task: Any) -> int:
        """How many deaths may be chance."""
        return SUSPICIOUS

    def result(self, task: Any) -> Any:
        """The result of a call whose workers die even when it is made alone."""
        raise WorkersDiedError(f"the worker process crashes in {task}, even when nothing else runs in it.")


@dataclass(eq=False)
class _Call:
    number: int
    """The order in which it was submitted."""
    task: Any
    function: Callable[..., Any]
    arguments: tuple[Any, ...]
    deaths: int = 0
    """Workers that died while it was in flight."""
    deaths_alone: int = 0
    """Workers that died while nothing else was."""


class Crew:
    """Workers and their queue. The first call starts the workers, leaving the context ends them."""

    def __init__(self, jobs: int = 1, cluster: str | None = None) -> None:
        if jobs < 1:
            raise InvalidParameterError(f"jobs is {jobs}; expected at least 1.")
        self.jobs, self.cluster = jobs, cluster
        self._pool = WorkerPool(jobs, cluster)
        # A call that is made alone needs a pool without other calls; a cluster has one when nothing else is in flight.
        self._single = self._pool if cluster is not None else WorkerPool(1, None)
        self._submitted = 0
        self._waiting: deque[_Call] = deque()
        self._running: dict[Future[Any], _Call] = {}
        self._finished: deque[tuple[Any, Any]] = deque()
        self._lost: list[_Call] = []
        self._broken = False
        """Whether a worker died and the calls in flight have to be collected before it is replaced."""
        self._deaths_in_a_row = 0

    def __enter__(self) -> Crew:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.dismiss()

    @property
    def inline(self) -> bool:
        """Whether calls are made in this process, one after the other."""
        return self.cluster is None and self.jobs == 1

    @property
    def left(self) -> int:
        """How many submitted calls have not been returned by `next`."""
        return len(self._waiting) + len(self._running) + len(self._lost) + len(self._finished)

    def submit(self, task: Any, function: Callable[..., Any], *arguments: Any) -> None:
        """Queue a call; `task` is what `next` returns beside its result, and what messages name."""
        self._waiting.append(_Call(self._submitted, task, function, arguments))
        self._submitted += 1

    def next(self, fatal: FatalCalls | None = None) -> tuple[Any, Any]:
        """The next call that is finished: its task and its result. What the call raises is raised here."""
        if not self.left:
            raise LookupError("no call was submitted")
        if self.inline:
            call = self._waiting.popleft()
            return call.task, call.function(*call.arguments)
        fatal = fatal or FatalCalls()
        try:
            while not self._finished:
                self._step(fatal)
        except ClusterLostError as error:
            left = self.left
            self.dismiss()
            raise ClusterLostError(f"{str(error).rstrip('.')}; {left} {fatal.noun}s are left.") from error
        except BaseException:
            self.dismiss()
            raise
        return self._finished.popleft()

    def dismiss(self) -> None:
        """End all workers at once and forget every call; the next call starts new workers.

        Agents that play in processes of their own end with the workers, or here if calls are made in this process.
        """
        self._waiting.clear()
        self._running.clear()
        self._finished.clear()
        self._lost.clear()
        self._broken, self._deaths_in_a_row = False, 0
        self._pool.stop()
        self._single.stop()
        if self.inline:
            close_agents()

    def _step(self, fatal: FatalCalls) -> None:
        """Get nearer to a finished call."""
        if not self._running:
            if self._broken:
                self._recover(fatal)
            suspect = next((call for call in self._waiting if call.deaths >= fatal.patience(call.task)), None)
            if suspect is not None:
                self._make_alone(suspect, fatal)
                return
            if self._single is not self._pool:
                self._single.stop()
        if not self._broken:
            self._fill()
        if self._running:
            self._collect()

    def _fill(self) -> None:
        """Keep every lane busy with two calls ahead."""
        try:
            while self._waiting and (not self._running or len(self._running) < 2 * self._pool.lanes()):
                call = self._waiting[0]
                self._running[self._pool.submit(call.function, *call.arguments)] = call
                self._waiting.popleft()
        except BrokenProcessPool:
            self._broken = True

    def _collect(self) -> None:
        """Take what is ready. An exception waits until the results before it have been handed out."""
        for future in self._pool.wait(self._running):
            try:
                result = future.result()
            except BrokenProcessPool as error:
                self._broken = True
                call = self._running.pop(future)
                call.deaths += _deaths_in(error)
                self._lost.append(call)
            except BaseException:
                if not self._finished:
                    raise
                return
            else:
                self._finished.append((self._running.pop(future).task, result))
                self._deaths_in_a_row = 0

    def _recover(self, fatal: FatalCalls) -> None:
        """Queue the lost calls again, in their old order, and replace the workers."""
        _require_no_fault_of_a_rule(self._pool)
        self._waiting = deque(sorted([*self._lost, *self._waiting], key=lambda call: call.number))
        self._lost.clear()
        self._broken = False
        self._pool.replace_the_dead()
        self._count_a_death(fatal)

    def _make_alone(self, call: _Call, fatal: FatalCalls) -> None:
        try:
            self._single.result(os.getpid)  # a worker that can't even start says nothing about the call
        except BrokenProcessPool:
            self._single.replace_the_dead()
            self._count_a_death(fatal)
            return
        try:
            result = self._single.result(call.function, *call.arguments)
        except BrokenProcessPool as error:
            _require_no_fault_of_a_rule(self._single)
            self._single.replace_the_dead()
            call.deaths_alone += _deaths_in(error)
            if call.deaths_alone < fatal.patience(call.task):
                return
            result = fatal.result(call.task)
        self._waiting.remove(call)
        self._finished.append((call.task, result))
        self._deaths_in_a_row = 0

    def _count_a_death(self, fatal: FatalCalls) -> None:
        self._deaths_in_a_row += 1
        if self._deaths_in_a_row >= MAX_DEATHS:
            raise WorkersDiedError(
                f"{self._deaths_in_a_row} workers died in a row without finishing a {fatal.noun}; "
                f"{self.left} {fatal.noun}s are left."
            )


def _require_no_fault_of_a_rule(pool: WorkerPool) -> None:
    """After a death: a rule that crashes or does not return would do so again."""
    if pool.ended_by_a_rule():
        raise RuleFailureError("a rule of the game crashed a worker process (see the message above); the run stops.")


def _deaths_in(error: BrokenProcessPool) -> int:
    return error.deaths if isinstance(error, KilledOnClusterError) else 1
