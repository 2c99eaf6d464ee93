"""Evaluations side by side: here one after the other, in local processes, or on a Dask cluster.

An evaluation is one call, or several if the evaluator can be divided; calls run in the order in which they came, and
their results are handed back in that order, whichever is ready first. A worker that dies takes only its calls with it;
they are made again.
"""

from __future__ import annotations

import contextlib
from collections import deque
from collections.abc import Callable
from concurrent.futures import Executor, Future
from concurrent.futures.process import BrokenProcessPool
from dataclasses import dataclass
from types import TracebackType
from typing import Any

from tactician.arena import executors
from tactician.arena.executors import MAX_DEATHS, WorkersDiedError
from tactician.errors import InvalidParameterError
from tactician.tuning.space import Point

Call = tuple[Callable[..., Any], Any]
"""A function and its arguments."""


@dataclass
class _Task:
    function: Callable[..., Any]
    arguments: tuple[Any, ...]
    future: Future[Any] | None = None


class Workers:
    """Evaluates points; processes are started when the first point comes."""

    def __init__(self, evaluator: Any, jobs: int = 1, cluster: str | None = None) -> None:
        if jobs < 1:
            raise InvalidParameterError(f"jobs is {jobs}; expected at least 1.")
        self._evaluator, self._jobs, self._cluster = evaluator, jobs, cluster
        self._inline = cluster is None and jobs == 1
        self._waiting: deque[list[_Task]] = deque()
        self._executor: Executor | None = None
        self._open = contextlib.ExitStack()
        self._deaths = 0

    def __enter__(self) -> Workers:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._open.__exit__(kind, error, trace)

    def submit(self, point: Point, seed: int) -> None:
        """Evaluate a point as soon as there is a worker for it."""
        divided = getattr(self._evaluator, "calls", None)
        calls = divided(point, seed) if divided is not None else [(self._evaluator, point, seed)]
        tasks = [_Task(function, tuple(arguments)) for function, *arguments in calls]
        self._waiting.append(tasks)
        if self._inline:
            return
        if self._executor is None:
            warm = getattr(self._evaluator, "warm", None)
            if warm is not None:
                warm()
            self._start()
        try:
            for task in tasks:
                self._send(task)
        except BrokenProcessPool as error:
            self._start_again(error)

    def next(self) -> Any:
        """The value of the oldest point that was submitted and not asked for."""
        results = [self._result(task) for task in self._waiting[0]]
        self._waiting.popleft()
        combine = getattr(self._evaluator, "combine", None)
        return combine(results) if combine is not None else results[0]

    def _result(self, task: _Task) -> Any:
        if self._inline:
            return task.function(*task.arguments)
        while True:
            assert task.future is not None
            try:
                found = task.future.result()
                self._deaths = 0
                return found
            except BrokenProcessPool as error:
                self._start_again(error)

    def _send(self, task: _Task) -> None:
        assert self._executor is not None
        task.future = self._executor.submit(task.function, *task.arguments)

    def _start(self) -> None:
        self._executor, _ = self._open.enter_context(executors.workers(self._jobs, self._cluster))

    def _start_again(self, error: BrokenProcessPool) -> None:
        """New workers for everything that has no result yet."""
        while True:
            self._deaths += 1
            if self._deaths >= MAX_DEATHS:
                raise WorkersDiedError(f"{self._deaths} workers died in a row without finishing a call.") from error
            self._open.close()
            self._start()
            try:
                for task in (task for tasks in self._waiting for task in tasks):
                    if not _finished(task.future):
                        self._send(task)
                return
            except BrokenProcessPool as again:
                error = again


def _finished(future: Future[Any] | None) -> bool:
    return future is not None and future.done() and not future.cancelled() and future.exception() is None
