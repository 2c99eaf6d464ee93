"""Searches that are made of others: what they share. They run no rules themselves, their parts do."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Any

import numpy as np
from numpy.typing import NDArray

from tactician.contract.game import Game
from tactician.native import abi, failures
from tactician.native.rows import snapshot
from tactician.planners.base import Search
from tactician.planners.team import added
from tactician.planners.work import NO_LIMIT, Counters
from tactician.seats.budget import Budget


class SearchOfParts(Search):
    """A search whose work other searches do, each with scratch memory and a configuration of its own."""

    def __init__(self, game: Game, prune: bool, parts: Sequence[Search]) -> None:
        super().__init__(game, prune, on_demand=())
        self._parts = tuple(parts)
        self._done: list[Counters] = []
        """What parts had counted before they began anew."""

    def begin(self, root: NDArray[np.uint64], player: int, random: NDArray[np.uint64], budget: Budget) -> None:
        """Forget what the parts did. Each begins when it has something to do: what it evaluates then is counted."""
        super().begin(root, player, random, budget)
        for part in self._parts:
            part.clear()

    def _add_up(self) -> None:
        """Bring all counters up to date."""
        total: Any = added([*(snapshot(part.counters) for part in self._parts), *self._done])
        own: Any = self.counters
        for name in vars(snapshot(own)):
            own[name] = own[name] if name.endswith("_limit") else total[name]

    def rehearse(self, root: NDArray[np.uint64], player: int) -> None:
        """Rehearse the parts."""
        for part in self._parts:
            with running(part):
                part.rehearse(root, player)

    def check(self) -> None:
        """Raise what a rule did wrong in any part."""
        super().check()
        for part in self._parts:
            part.check()

    def check_memory(self, thorough: bool = False) -> None:
        """Look at the memory of all parts."""
        for part in self._parts:
            part.check_memory(thorough)

    def stop(self) -> None:
        """End the part that runs."""
        super().stop()
        for part in self._parts:
            part.stop()

    @property
    def is_stopped(self) -> bool:
        """Whether it was stopped: what a part has just found may be half done, and nothing may be built on it."""
        return bool(self._error[0] == abi.STOPPED)

    def states_at_hand(self) -> list[NDArray[np.uint64]]:
        """Those of the parts."""
        return [state for part in self._parts for state in part.states_at_hand()]


def add_up(team: Sequence[SearchOfParts]) -> None:
    """Bring the counters of all workers up to date."""
    for one in team:
        one._add_up()


@contextmanager
def running(part: Search) -> Iterator[None]:
    """Around the kernels of a part: what its rules raise belongs to its configuration."""
    with failures.running(part.work.g):
        yield


@contextmanager
def unchanged(part: Search) -> Iterator[None]:
    """Put the random numbers and counters of a part back: being looked at changes nothing in it."""
    counters: Any = part.work.counters
    random, counted = part.work.rng.copy(), counters.copy()
    yield
    part.work.rng[:], counters[:] = random, counted


def budget_left(counters: Counters, spent: float, unknown: float) -> float:
    """What is left of a budget, in evaluations or iterations; estimated from the part that is spent if it is a time."""
    if counters.evaluation_limit != NO_LIMIT:
        return float(counters.evaluation_limit - counters.evaluations)
    if counters.iteration_limit != NO_LIMIT:
        return float(counters.iteration_limit - counters.iterations)
    return counters.evaluations * (1 - spent) / spent if spent > 0 else unknown
