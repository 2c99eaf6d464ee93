"""Pondering: plans that are made while others think, for the positions that their turns may lead to.

A thread guesses the turns of the others with the agent's own planner, plans the agent's turn for the positions after
them, and keeps these plans by what the agent's player sees there. When it is the agent's turn again, the plan for the
real position is compared with the one that its search finds, and the better one is played; if nobody foresaw the
position, the turn that was planned most often is offered, as far as it is legal. The thread has a search of its own,
so nothing is shared with the search that it helps, and its work is counted apart.
"""

from __future__ import annotations

import contextlib
import math
import threading
import time
from collections import Counter, OrderedDict
from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from tactician.contract.state import State
from tactician.errors import TacticianError
from tactician.seats.budget import Budget
from tactician.seats.plan import Alternative, Plan, position_after, value_for

if TYPE_CHECKING:
    from tactician.planners.search_agent import SearchAgent

FIRST_EFFORT, MOST_EFFORT = 1000, 1 << 24
"""Evaluations for each turn in the first round, and in the last: every round has twice as many as the one before."""
_GUESSES = 4
"""Guesses of what is hidden in a round."""
_TURNS = 5
"""Different turns of the next player that are looked at in a guess, the best first."""
_MOST_KEPT = 1000
"""Plans that are kept."""
_CLOSE = 1e-9


@dataclass(frozen=True)
class Pondered:
    """What an agent did while others were thinking; no part of it is in a budget or in a plan's statistics."""

    plans: int = 0
    """Plans for positions that may come."""
    positions: int = 0
    """Different positions among them."""
    evaluations: int = 0
    """Evaluations of guessed turns and of these plans."""


class Ponderer:
    """Plans in a thread, with an agent that nobody else uses."""

    def __init__(self, agent: SearchAgent) -> None:
        """`agent` sees everything: it plans on guesses."""
        self._agent = agent
        self._by_replies = agent.planner.judges_replies or bool(getattr(agent.planner, "replies", 0.0))
        self._ended = threading.Event()
        self._thread: threading.Thread | None = None
        self._deadline = math.inf
        self._plans: OrderedDict[int, Plan] = OrderedDict()
        """Plans by the digest of what the player sees."""
        self._pondered = Pondered()

    @property
    def pondered(self) -> Pondered:
        """What has been done since the last start."""
        return self._pondered

    def start(self, state: State, seat: int, seed: int, ply: int, longest: float) -> None:
        """Forget what was found and plan for a seat from a state in which others are to move, for so many seconds."""
        self.stop()
        self._ended = threading.Event()
        self._plans, self._pondered = OrderedDict(), Pondered()
        self._deadline = time.perf_counter() + longest
        self._thread = threading.Thread(
            target=self._run, args=(state.copy(), seat, seed, ply), name="tactician-pondering", daemon=True
        )
        self._thread.start()

    def stop(self) -> None:
        """End the thread, within milliseconds."""
        if self._thread is not None:
            self._ended.set()
            self._agent.end_search()
            self._thread.join()
            self._thread = None

    def forget(self) -> None:
        """Stop, and forget what was found."""
        self.stop()
        self._plans.clear()

    def improved(self, plan: Plan, state: State, seat: int) -> Plan:
        """A plan for a state, or a better one that was found before; all of that is forgotten then."""
        known = self._plans.get(seen_digest(state, seat))
        turn = known.actions if known is not None else self._likeliest()
        self._plans.clear()
        if not turn or plan.state is None:
            return plan
        found, offered = (_played(plan.state.in_game(self._agent.game), one, seat) for one in (plan.actions, turn))
        if offered is None or found is None:
            return plan
        if not self._by_replies and plan.value is not None and _close(found[1], plan.value):
            # The planner values a turn by the evaluation of its end, and so both can be compared.
            return _exchanged(plan, *offered) if offered[1] > found[1] else plan
        deeper = known is not None and known.stats.evaluations > plan.stats.evaluations
        return _exchanged(plan, offered[0], known.value) if known is not None and deeper else plan

    def _likeliest(self) -> tuple[int, ...]:
        """The turn that was planned most often, for a position that nobody foresaw."""
        counted = Counter(plan.actions for plan in self._plans.values())
        return counted.most_common(1)[0][0] if counted else ()

    # -- the thread ------------------------------------------------------------------------------------------

    def _run(self, state: State, seat: int, seed: int, ply: int) -> None:
        with contextlib.suppress(TacticianError):  # the search that counts meets the same rules, and tells
            hidden, effort, number = state.game.hides_information, FIRST_EFFORT, 0
            while effort <= MOST_EFFORT and not self._must_end():
                for _ in range(_GUESSES if hidden else 1):
                    world = state.resample_hidden(seat, [seed, ply, 5, number]) if hidden else state
                    number += 1
                    for end in self._ends(world, seat, effort, ply + number):
                        plan = self._planned(end, effort, ply + number)
                        if plan is not None:
                            self._keep(seen_digest(end, seat), plan)
                effort *= 2

    def _ends(self, world: State, seat: int, effort: int, ply: int) -> Iterator[State]:
        """The positions in which the seat is to move after likely turns of the others."""
        first = self._planned(world, effort, ply)
        turns = () if first is None else (first.actions, *(one.actions for one in first.alternatives))
        for turn in list(dict.fromkeys(turns))[:_TURNS]:
            now = position_after(world, turn)
            while not now.is_over() and now.current_player() != seat:
                plan = self._planned(now, effort, ply)
                if plan is None:
                    return
                now = position_after(now, plan.actions)
            if not now.is_over():
                yield now

    def _planned(self, state: State, effort: int, ply: int) -> Plan | None:
        """The plan of whoever is to move; None if the thread has to end."""
        if self._must_end():
            return None
        plan = self._agent.plan_until(self._ended, state, Budget(evaluations=effort), ply=ply)
        done = self._pondered
        self._pondered = replace(done, evaluations=done.evaluations + plan.stats.evaluations)
        return None if self._ended.is_set() else plan

    def _must_end(self) -> bool:
        return self._ended.is_set() or time.perf_counter() >= self._deadline

    def _keep(self, digest: int, plan: Plan) -> None:
        """Keep the plan for a position, instead of an earlier one with less effort."""
        self._plans[digest] = plan
        self._plans.move_to_end(digest)
        while len(self._plans) > _MOST_KEPT:
            self._plans.popitem(last=False)
        self._pondered = replace(self._pondered, plans=self._pondered.plans + 1, positions=len(self._plans))


def seen_digest(state: State, seat: int) -> int:
    """128 bits that identify what a seat sees of a state."""
    return (state.observe(seat) if state.game.hides_information else state).digest()


def _played(state: State, turn: tuple[int, ...], seat: int) -> tuple[tuple[int, ...], float] | None:
    """What is legal of a turn, and the value of its end; None if that doesn't end the turn."""
    now = state.copy()
    legal: list[int] = []
    for action in turn:
        if not now.is_over() and now.current_player() == seat and now.is_legal(action):
            legal.append(action)
            now.apply(action)
    ended = now.is_over() or now.current_player() != seat
    return (tuple(legal), value_for(now, seat)) if ended else None


def _close(a: float, b: float) -> bool:
    return abs(a - b) <= _CLOSE * max(1.0, abs(b))


def _exchanged(plan: Plan, turn: tuple[int, ...], value: float | None) -> Plan:
    """A plan with another turn, which comes first of those that were considered."""
    others = [one for one in plan.alternatives if one.actions != turn]
    first = () if value is None else (Alternative(turn, value, 1, plan.state),)
    kept = max(1, len(plan.alternatives))
    return replace(plan, actions=turn, value=value, alternatives=(*first, *others)[:kept])
