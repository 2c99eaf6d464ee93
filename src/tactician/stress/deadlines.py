"""Are time budgets kept while every core is busy?

As many processes as there are cores plan turns of random Hero Academy positions at the same time, so all cores are
busy with what is measured. A turn is late by what the call of `plan` took beyond its budget, explanations included.
"""

from __future__ import annotations

import multiprocessing
import os
import time
from collections.abc import Callable, Sequence
from concurrent.futures import ProcessPoolExecutor, as_completed
from dataclasses import dataclass

import numpy as np

from tactician.contract.state import State
from tactician.errors import InvalidParameterError
from tactician.games.registry import load_game
from tactician.planners.base import Agent
from tactician.planners.registry import PLANNERS, parse_planner
from tactician.seats.budget import Budget

ALLOWED_MS = 5.0
ALLOWED_SHARE = 0.02
QUANTILE = 0.95
_BATCH = 10


@dataclass(frozen=True)
class DeadlineReport:
    """How late turns were, in milliseconds."""

    budget_ms: float
    processes: int
    late_ms: dict[str, list[float]]
    """For each planner, by how much each of its turns overran (negative: done early)."""

    @property
    def allowed_ms(self) -> float:
        """5 ms or 2 % of the budget, whichever is larger."""
        return max(ALLOWED_MS, ALLOWED_SHARE * self.budget_ms)

    @property
    def turns(self) -> int:
        """All of them."""
        return sum(map(len, self.late_ms.values()))

    def quantile(self, planner: str | None = None) -> float:
        """What 95 % of the turns stayed below, of one planner or of all."""
        chosen = [self.late_ms[planner]] if planner else list(self.late_ms.values())
        return float(np.quantile(np.concatenate(chosen), QUANTILE))

    @property
    def ok(self) -> bool:
        """Whether 95 % of all turns were in time."""
        return self.quantile() <= self.allowed_ms

    def to_json(self) -> dict[str, object]:
        """The figures as one document."""
        return {
            "budget_ms": self.budget_ms,
            "processes": self.processes,
            "turns": self.turns,
            "allowed_ms": self.allowed_ms,
            "late_p95_ms": self.quantile(),
            "planners": {
                name: {"turns": len(late), "late_p95_ms": self.quantile(name), "late_max_ms": max(late)}
                for name, late in self.late_ms.items()
            },
            "ok": self.ok,
        }


def stress_deadlines(
    turns: int = 1000,
    budget_ms: float = 50.0,
    planners: Sequence[str] | None = None,
    game: str = "hero-academy",
    on_progress: Callable[[int, int], None] | None = None,
) -> DeadlineReport:
    """Plan `turns` turns on all cores at once and measure how late each is."""
    names = list(planners or [name for name in PLANNERS if name not in ("random", "greedy-action")])
    if turns < 1:
        raise InvalidParameterError(f"turns is {turns}; expected at least 1.")
    Budget(ms=budget_ms)
    for name in names:
        parse_planner(name).on(load_game(game))  # compile here, once, and refuse what does not exist
    processes = os.cpu_count() or 1
    batches = [(names[i % len(names)], i) for i in range(-(-turns // _BATCH))]
    late: dict[str, list[float]] = {name: [] for name in names}
    context = multiprocessing.get_context("spawn")
    done = 0
    with ProcessPoolExecutor(processes, mp_context=context) as pool:
        jobs = {pool.submit(_plan_batch, game, name, budget_ms, seed): name for name, seed in batches}
        for job in as_completed(jobs):
            late[jobs[job]] += job.result()
            done += _BATCH
            if on_progress:
                on_progress(min(done, turns), turns)
    return DeadlineReport(budget_ms, processes, {name: values for name, values in late.items() if values})


_AGENTS: dict[str, Agent] = {}


def _plan_batch(game_name: str, planner: str, budget_ms: float, seed: int) -> list[float]:
    """Plan a batch of turns along a random game; returns by how many milliseconds each was late."""
    game = load_game(game_name)
    if planner not in _AGENTS:
        _AGENTS[planner] = parse_planner(planner).on(game, seed=1)
    agent = _AGENTS[planner]
    late = []
    state, rng = game.initial_state(seed=seed), np.random.default_rng(seed)
    _wander(state, rng, int(rng.integers(0, 150)))
    for turn in range(_BATCH):
        if state.is_over():
            state = game.initial_state(seed=seed + turn)
        before = time.perf_counter()
        agent.plan(state, Budget(ms=budget_ms), ply=turn)
        late.append(1000 * (time.perf_counter() - before) - budget_ms)
        _wander(state, rng, 6)
    return late


def _wander(state: State, rng: np.random.Generator, actions: int) -> None:
    """Play some random actions."""
    for _ in range(actions):
        if state.is_over():
            return
        state.apply(int(rng.choice(state.candidate_actions())))
