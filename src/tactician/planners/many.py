"""Plan many positions at once: one agent per thread, each position goes to the next free one."""

from __future__ import annotations

import os
import threading
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor

from tactician.contract.state import State
from tactician.errors import InvalidParameterError
from tactician.planners.base import Agent, Planner
from tactician.seats.budget import Budget
from tactician.seats.plan import Plan


def plan_positions(
    planner: Planner,
    positions: Sequence[State],
    budget: Budget | str,
    *,
    seed: int = 0,
    seat: int | None = None,
    threads: int | None = None,
    full_information: bool = False,
) -> list[Plan]:
    """The plan for each position of one game, in their order; on all cores unless `threads` says how many.

    Position i is planned as `planner.on(game, seed).plan(position, budget, ply=i)` plans it: with a budget of
    iterations or evaluations the plans don't depend on the number of threads. `seat` is whom to plan for where all
    act at once.
    """
    wanted = _cores() if threads is None else threads
    if not isinstance(wanted, int) or wanted < 1:
        raise InvalidParameterError(f"threads is {threads!r}; expected a positive integer.")
    if not positions:
        return []
    game, chosen = positions[0].game, Budget.parse(budget)
    # Made one after the other: the first one compiles, the others find it compiled.
    agents = [planner.on(game, seed, full_information) for _ in range(min(wanted, len(positions)))]
    if len(agents) == 1:
        return [agents[0].plan(state, chosen, ply=i, seat=seat) for i, state in enumerate(positions)]
    return _in_threads(agents, positions, chosen, seat)


def _in_threads(agents: list[Agent], positions: Sequence[State], budget: Budget, seat: int | None) -> list[Plan]:
    free, lock = list(agents), threading.Lock()

    def plan(i: int) -> Plan:
        with lock:
            agent = free.pop()
        try:
            return agent.plan(positions[i], budget, ply=i, seat=seat)
        finally:
            with lock:
                free.append(agent)

    with ThreadPoolExecutor(len(agents)) as pool:
        futures = [pool.submit(plan, i) for i in range(len(positions))]
        try:
            return [future.result() for future in futures]
        except BaseException:
            pool.shutdown(wait=False, cancel_futures=True)
            raise


def _cores() -> int:
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
