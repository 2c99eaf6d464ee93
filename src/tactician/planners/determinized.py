"""Hidden information by determinization: plan on several guesses of what can't be seen, then settle on one turn.

Each guess is a whole state that fits what the player sees; the planner inside plans on it as if it were the truth.
Every planner can be put inside.
"""

from __future__ import annotations

import math
import time
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, fields, replace
from typing import ClassVar, Literal

import numpy as np

from tactician.contract.game import Game
from tactician.contract.state import State
from tactician.planners.base import SNAPSHOT_SECONDS, Agent
from tactician.planners.inside import PlannerAround
from tactician.planners.search_agent import SearchAgent, longest_list
from tactician.seats.budget import Budget
from tactician.seats.plan import Alternative, Listener, Plan, Statistics, position_after, value_for
from tactician.seats.seat import acting_seat

_SUMMED = ("evaluations", "iterations", "sequences", "unique_outcomes", "nodes", "transposition_hits")


@dataclass(frozen=True, kw_only=True)
class Determinized(PlannerAround):
    """Runs any other planner on several guesses of the hidden information and combines the turns."""

    name: ClassVar[str] = "determinized"
    page: ClassVar[str] = "planners/determinized.md"
    iteration: ClassVar[str] = "that of the inner planner, summed over the worlds"
    paper: ClassVar[str] = "beyond the papers"
    handles_hidden: ClassVar[bool] = True

    worlds: int = 8
    """Number of guesses, 1 to 10000; they share the budget equally."""
    combine: Literal["vote", "mean"] = "vote"
    """How one turn is chosen: `vote` (what most turns do) or `mean` (the best turn on average over all guesses)."""

    def __post_init__(self) -> None:
        super().__post_init__()
        self._require(isinstance(self.worlds, int) and 1 <= self.worlds <= 10_000, "worlds", "1 to 10000")
        self._require(self.combine in ("vote", "mean"), "combine", "'vote' or 'mean'")

    def on(self, game: Game, seed: int = 0, full_information: bool = False) -> Agent:
        """An agent that guesses and plans."""
        return DeterminizedAgent(self, game, seed, full_information)


class DeterminizedAgent(Agent):
    """Plans a turn on each guess with one inner agent, whose memory is used again."""

    planner: Determinized

    def __init__(self, planner: Determinized, game: Game, seed: int = 0, full_information: bool = False) -> None:
        super().__init__(planner, game, seed, full_information)
        inner = planner.inner if planner.workers == 1 else replace(planner.inner, workers=planner.workers)
        self._inner = SearchAgent(inner, self.game, seed, full_information=True)

    def plan(self, state: State, budget: Budget | str, *, ply: int = 0, seat: int | None = None) -> Plan:
        """The turn that the worlds agree on most, or that is best on average."""
        started = time.perf_counter()
        budget = self._budget(state, budget)
        seat = acting_seat(state, seat)
        if budget.iterations_per_action is not None:
            budget = budget.with_actions(longest_list(state.observe(seat), self.planner.inner.prune))
        deadline = started + budget.ms / 1000 if budget.ms is not None else math.inf
        worlds, plans, interrupted = self._plan_worlds(state, budget, deadline, ply)
        chosen, value = _by_vote(plans)
        means: dict[tuple[int, ...], float] = {}
        if self.planner.combine == "mean" and len(worlds) > 1 and not interrupted:
            interrupted = self._judge(worlds, plans, deadline, means)
            if means:
                chosen = max(means, key=lambda turn: means[turn])
                value = means[chosen]
        where = {plan.actions: world for plan, world in zip(reversed(plans), reversed(worlds), strict=True)}
        support = Counter(plan.actions for plan in plans)
        considered = [
            Alternative(turn, means.get(turn, _mean_value(plans, turn) or 0.0), count, where[turn])
            for turn, count in support.most_common()
        ]
        alternatives = sorted(considered, key=lambda other: (other.actions != chosen, -other.value))[
            : self.planner.alternatives
        ]
        stats = _summed([plan.stats for plan in plans])
        stats = replace(
            stats,
            evaluations=stats.evaluations + len(means) * len(worlds),
            time_ms=1000 * (time.perf_counter() - started),
            interrupted=interrupted,
        )
        return Plan(chosen, value, tuple(alternatives), stats, where[chosen])

    def listen(self, listener: Listener | None, every: float = SNAPSHOT_SECONDS) -> None:
        """Snapshots of the search in each world, one after the other."""
        self._inner.listen(listener, every)

    def _plan_worlds(
        self, state: State, budget: Budget, deadline: float, ply: int
    ) -> tuple[list[State], list[Plan], bool]:
        """As many guesses as the budget is for, a plan for each, and whether the user stopped it."""
        player, judging = state.current_player(), self.planner.combine == "mean"
        shares = _shares(budget, self.planner.worlds, judging)
        worlds: list[State] = []
        plans: list[Plan] = []
        try:
            for number, share in enumerate(shares):
                if budget.ms is not None:
                    left = 1000 * (deadline - time.perf_counter())
                    if left <= 0 and plans:
                        break
                    share = Budget(ms=max(0.001, left / (len(shares) - number + int(judging))))
                world = state.resample_hidden(player, [self.seed, ply, 3, number])
                plans.append(self._inner.seeded(self.seed + number).plan(world, share, ply=ply))
                worlds.append(world)
                if plans[-1].stats.interrupted:
                    return worlds, plans, True
        except KeyboardInterrupt:
            if not worlds:
                raise
            return worlds, plans[: len(worlds)], True
        return worlds, plans, False

    def _judge(
        self, worlds: Sequence[State], plans: Sequence[Plan], deadline: float, means: dict[tuple[int, ...], float]
    ) -> bool:
        """Play each turn in every world, the most common first, and note its mean; whether the user stopped it."""
        player = worlds[0].current_player()
        try:
            for turn, _ in Counter(plan.actions for plan in plans).most_common():
                if time.perf_counter() >= deadline:
                    break
                means[turn] = float(np.mean([self._worth(world, turn, player) for world in worlds]))
        except KeyboardInterrupt:
            return True
        return False

    def _worth(self, world: State, turn: Sequence[int], player: int) -> float:
        """What a turn comes to in a world; where it can't be played, as much of it as can."""
        return value_for(position_after(world.in_game(self._inner.game), turn), player)


def _shares(budget: Budget, worlds: int, judging: bool) -> list[Budget]:
    """What each world gets; as many worlds as a counted budget is large. Judging turns costs evaluations too."""
    if budget.evaluations is not None:
        left = budget.evaluations
        if judging:
            worlds = max(1, min(worlds, math.isqrt(left // 2)))
            left -= worlds * worlds if worlds > 1 else 0
        return [Budget(evaluations=share) for share in _split(left, worlds)]
    if budget.iterations is not None:
        return [Budget(iterations=share) for share in _split(budget.iterations, worlds)]
    return [budget] * worlds


def _split(total: int, parts: int) -> list[int]:
    parts = min(parts, total)
    return [total // parts + int(number < total % parts) for number in range(parts)]


def _by_vote(plans: Sequence[Plan]) -> tuple[tuple[int, ...], float | None]:
    """Go along the turns action by action with the majority; what is left in the end is one of them."""
    left = list(plans)
    length = 0
    while any(len(plan.actions) > length for plan in left):
        votes = Counter(plan.actions[length] if len(plan.actions) > length else None for plan in left)
        most = max(votes.values())
        # Ties go to the action whose turns promise more, then to the first.
        best = max((a for a, n in votes.items() if n == most), key=lambda a: _promise(left, length, a))
        left = [plan for plan in left if (plan.actions[length] if len(plan.actions) > length else None) == best]
        if best is None:
            break
        length += 1
    return left[0].actions, _mean_value(plans, left[0].actions)


def _promise(plans: Sequence[Plan], place: int, action: int | None) -> float:
    values = [
        plan.value
        for plan in plans
        if plan.value is not None and (plan.actions[place] if len(plan.actions) > place else None) == action
    ]
    return float(np.mean(values)) if values else 0.0


def _mean_value(plans: Sequence[Plan], actions: tuple[int, ...]) -> float | None:
    values = [plan.value for plan in plans if plan.actions == actions and plan.value is not None]
    return float(np.mean(values)) if values else None


def _summed(stats: Sequence[Statistics]) -> Statistics:
    """Work adds up; shapes of searches are averaged."""
    merged = {
        field.name: sum(getattr(s, field.name) for s in stats) for field in fields(Statistics) if field.name in _SUMMED
    }
    return Statistics(
        **merged,
        mean_depth=float(np.mean([s.mean_depth for s in stats])),
        max_depth=max(s.max_depth for s in stats),
        branching=float(np.mean([s.branching for s in stats])),
        completed=max(s.completed for s in stats),
    )
