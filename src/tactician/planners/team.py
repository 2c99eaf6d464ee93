"""Several searches for one plan, each in a thread of its own: `workers=N`.

Kernels release the interpreter lock, so threads use as many cores. Every worker searches the same state with random
numbers of its own and its share of a counted budget, or for the same time; nothing is exchanged before all are done,
so that the plan depends on the seed and the number of workers alone. What they found is then put together as suits the
planner: the best turn of all, the one that the answers of all leave most of, or the sums of what trees have counted.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import replace
from typing import Any, Protocol

from tactician.native.rows import make_rows, snapshot
from tactician.planners.work import Counters
from tactician.seats.budget import Budget

MOST_WORKERS = 256
_FINALISTS = 8
"""Turns that are judged by what all workers know of answers; one of each worker if there are more workers."""
_GREATEST = ("depth_max",)
_LIMITS = ("evaluation_limit", "iteration_limit")


class Reading(Protocol):
    """What a plan is read off."""

    def best(self) -> tuple[list[int], float | None]:
        """The best complete turn so far and its value."""

    def alternatives(self, most: int) -> list[tuple[list[int], float, int]]:
        """What else was considered, best first: actions, value, count."""


class BestOf:
    """The best turn that any of some searches has found."""

    def __init__(self, searches: Sequence[Reading]) -> None:
        self._searches = searches

    def best(self) -> tuple[list[int], float | None]:
        """The turn with the highest value; of equal ones the first worker's."""
        return max((one.best() for one in self._searches), key=lambda turn: _rank(turn[1]))

    def alternatives(self, most: int) -> list[tuple[list[int], float, int]]:
        """The best turns of all; one that several workers considered counts once, with its counts added."""
        found: dict[tuple[int, ...], tuple[float, int]] = {}
        for one in self._searches:
            for turn, value, count in one.alternatives(most):
                known_value, known_count = found.get(tuple(turn), (value, 0))
                found[tuple(turn)] = max(value, known_value), count + known_count
        ranked = sorted(found.items(), key=lambda item: -item[1][0])
        return [(list(turn), value, count) for turn, (value, count) in ranked[:most]]


class Ranked:
    """Turns in an order that was found before."""

    def __init__(self, turns: Mapping[tuple[int, ...], float]) -> None:
        """The turns with their values."""
        self._turns = sorted(turns.items(), key=lambda item: -item[1])

    def best(self) -> tuple[list[int], float | None]:
        """The turn with the highest value; of equal ones the first."""
        turn, value = self._turns[0]
        return list(turn), value

    def alternatives(self, most: int) -> list[tuple[list[int], float, int]]:
        """The turns, best first."""
        return [(list(turn), value, 1) for turn, value in self._turns[:most]]


def finalists(workers: int) -> int:
    """How many turns of each worker are judged by what all workers know of answers."""
    return max(1, _FINALISTS // workers)


def all_finalists(workers: int) -> int:
    """How many turns that makes; a worker alone judges none again."""
    return workers * finalists(workers) if workers > 1 else 0


def _rank(value: float | None) -> float:
    return float("-inf") if value is None else value


def shares(budget: Budget, workers: int) -> list[Budget]:
    """What each worker gets: equal parts of a counted budget, for at most as many as it has units; else the time."""
    for name in ("evaluations", "iterations"):
        total: int | None = getattr(budget, name)
        if total is not None:
            parts = min(workers, total)
            return [Budget(**{name: total // parts + int(k < total % parts)}) for k in range(parts)]
    return [budget] * workers


def in_turn(budgets: Sequence[Budget]) -> list[Budget]:
    """The budgets of workers that have to search one after the other: they share the time as well."""
    return [replace(one, ms=one.ms / len(budgets)) if one.ms is not None else one for one in budgets]


def summed(counters: Sequence[Counters]) -> Counters:
    """What several searches have done together."""
    return added([snapshot(one) for one in counters])


def added(counters: Sequence[Counters]) -> Counters:
    """The sum of snapshots of counters."""
    total: Any = make_rows(Counters)[0]
    for one in counters:
        for name, value in vars(one).items():
            total[name] = max(total[name], value) if name in _GREATEST + _LIMITS else total[name] + value
    return total


@contextmanager
def helpers(
    jobs: Sequence[Callable[[], None]], stop_all: Callable[[], None], stop_jobs: Callable[[], None]
) -> Iterator[None]:
    """Run jobs in threads around a block; afterwards raise what the first of them raised.

    `stop_all` is called if one of them raises, `stop_jobs` if the block does.
    """
    failed: list[BaseException] = []

    def run(job: Callable[[], None]) -> None:
        try:
            job()
        except BaseException as error:  # raised in the caller's thread below
            failed.append(error)
            stop_all()

    threads = [
        threading.Thread(target=run, args=(job,), name=f"tactician-worker-{k}", daemon=True)
        for k, job in enumerate(jobs, 2)
    ]
    for thread in threads:
        thread.start()
    try:
        yield
    except BaseException:
        stop_jobs()
        raise
    finally:
        for thread in threads:
            thread.join()
    if failed:
        raise failed[0]
