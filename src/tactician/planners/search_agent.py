"""The agent of every planner that searches: budgets, workers, snapshots, and what to do when a rule goes wrong."""

from __future__ import annotations

import contextlib
import functools
import math
import threading
import time
from collections.abc import Sequence
from contextlib import AbstractContextManager
from dataclasses import replace
from typing import Any

import numpy as np

from tactician.checking.faults import DIAGNOSIS_SECONDS, Fault, explained, find_fault, find_fault_near
from tactician.contract.game import Game
from tactician.contract.random import stream
from tactician.contract.state import State
from tactician.errors import (
    DamagedMemoryError,
    InvalidParameterError,
    RuleFailureError,
    TacticianError,
)
from tactician.native import abi, failures
from tactician.native.announce import compiling
from tactician.native.rows import snapshot
from tactician.native.watchdog import WATCHDOG, Watched
from tactician.planners.base import SNAPSHOT_SECONDS, Agent, Planner, Search
from tactician.planners.pondering import Pondered, Ponderer
from tactician.planners.team import Reading, helpers, in_turn, shares, summed
from tactician.planners.work import Counters
from tactician.seats.budget import Budget
from tactician.seats.plan import Alternative, Choice, Listener, Plan, Snapshot, Statistics
from tactician.seats.seat import acting_seat

SLICE_SECONDS = 0.001
"""How long the kernel runs before the clock is looked at."""
MOST_UNITS = 1 << 40
"""Units of work that a search is asked for at once at most; some do less than they are asked for."""


class SearchAgent(Agent):
    """An agent with a search. All memory is allocated when it is made and used again for each turn."""

    def __init__(self, planner: Planner, game: Game, seed: int = 0, full_information: bool = False) -> None:
        super().__init__(planner, game, seed, full_information)
        self._listener: Listener | None = None
        self._every = SNAPSHOT_SECONDS
        with compiling(f"{planner.name} for all games"), self.game.searching():
            try:
                self._search, *self._others = planner.searches(self.game)
            except MemoryError:
                raise InvalidParameterError(
                    f"planner {str(planner)!r} needs more memory than there is; expected less, e.g. of memory_mb."
                ) from None
            self._warm()
        self._helping: list[Search] = []
        """The other workers that searched for the last plan."""
        self._reading: Reading = self._search
        """What the last plan was read off."""
        self._cut = False
        """Whether the time of another worker had to be cut short."""
        self._pace = 1
        """What the last search did in half a slice: the next one begins with as much."""
        self._ended = threading.Event()
        self._ponderer: Ponderer | None = None

    @property
    def _workers(self) -> list[Search]:
        return [self._search, *self._others]

    async def plan_async(self, state: State, budget: Budget | str, *, ply: int = 0, seat: int | None = None) -> Plan:
        """`plan` in a thread, for programs with an event loop; if the task is cancelled, the search ends at once."""
        import asyncio  # takes long to import, and most programs have no use for it

        ended = threading.Event()
        future = asyncio.get_running_loop().run_in_executor(
            None, functools.partial(self._plan, state, budget, ply, seat, ended)
        )
        try:
            return await asyncio.shield(future)
        except asyncio.CancelledError:
            ended.set()
            if self._ended is ended:
                self.end_search()
            if not future.cancel():
                with contextlib.suppress(TacticianError):
                    await future
            raise

    def plan(self, state: State, budget: Budget | str, *, ply: int = 0, seat: int | None = None) -> Plan:
        """The turn to play; one action where all act at once. The seed and `ply` decide every random choice."""
        return self._plan(state, budget, ply, seat, threading.Event())

    def _plan(self, state: State, budget: Budget | str, ply: int, seat: int | None, ended: threading.Event) -> Plan:
        """`plan`; another thread ends it by setting the event and stopping the workers."""
        if self._ponderer is not None:
            self._ponderer.stop()
        chosen, acting = self._budget(state, budget), acting_seat(state, seat)
        plan = self._plans(state, chosen, ply, [acting], ended)[0]
        return plan if self._ponderer is None else self._ponderer.improved(plan, state, acting)

    def plan_until(self, ended: threading.Event, state: State, budget: Budget | str, *, ply: int = 0) -> Plan:
        """`plan` for the player to move, until another thread sets the event; `end_search` makes that faster."""
        return self._plan(state, budget, ply, None, ended)

    def ponder(self, state: State, seat: int, *, ply: int = 0, longest: float = math.inf) -> None:
        """Plan on in a thread while others are to move in `state`, until the next `plan` or `stop_pondering`.

        The thread has a search of its own, with as much memory again; the first call makes it. After `longest`
        seconds it begins no more plans.
        """
        self._require_own(state)
        if self.planner.handles_hidden or self.game.simultaneous or self.game.backend.handles is not None:
            return
        if self._ponderer is None:
            alone = replace(self.planner, workers=1, budget=None)
            self._ponderer = Ponderer(SearchAgent(alone, self.game, self.seed, full_information=True))
        if not state.is_over() and state.current_player() != seat:
            self._ponderer.start(state, seat, self.seed, ply, longest)

    def stop_pondering(self) -> Pondered:
        """End it within milliseconds and tell what was done; what was found is kept for the next plan."""
        if self._ponderer is not None:
            self._ponderer.stop()
        return self.pondered

    @property
    def pondered(self) -> Pondered:
        """What has been done so far while others were thinking, or was done before the last plan."""
        return Pondered() if self._ponderer is None else self._ponderer.pondered

    def new_game(self) -> None:
        """Forget what was found while others were thinking."""
        if self._ponderer is not None:
            self._ponderer.forget()

    def close(self) -> None:
        """End pondering."""
        if self._ponderer is not None:
            self._ponderer.stop()

    def end_search(self) -> None:
        """End the search that runs, from any thread."""
        self._stop_others()
        self._search.stop()

    def _stop_others(self) -> None:
        """End what the other workers do."""
        self._ended.set()
        for worker in self._others:
            worker.stop()

    def listen(self, listener: Listener | None, every: float = SNAPSHOT_SECONDS) -> None:
        """Call a function with a snapshot of a running search every so many seconds; it ends the search with True.

        Plans stay as they are: looking at a search changes nothing in it.
        """
        self._listener, self._every = listener, every

    def figures(self) -> dict[str, float]:
        """What there is to show of the last search beyond its statistics."""
        return self._search.figures()

    def tried(self) -> tuple[tuple[Choice, ...], ...]:
        """Where all act at once: what the last search tried for each player."""
        return self._search.tried()

    def _plans(
        self, state: State, budget: Budget, ply: int, seats: Sequence[int], ended: threading.Event | None = None
    ) -> list[Plan]:
        """A plan for each of the seats from one search, which sees what the first of them sees."""
        self._ended = ended or threading.Event()
        if self.game.hides_information and not self.full_information:
            state = state.resample_hidden(seats[0], [self.seed, ply, 2])
        else:
            state = state.copy()
        if budget.iterations_per_action is not None:
            budget = budget.with_actions(longest_list(state, self.planner.prune))
        search, plans = self._search, []
        try:
            with self.game.searching(), failures.running(search.work.g):
                started = time.perf_counter()
                seconds = budget.ms / 1000 if budget.ms is not None else float("inf")
                with self._watched(state, started + seconds) as watched:
                    interrupted = self._run(search, state, seats[0], ply, budget, watched)
                    cut = watched.finish() or self._cut
                    for seat in seats:
                        search.player = seat
                        plans.append(self._best_plan(state, seat, started, cut, interrupted))
                        interrupted = plans[-1].stats.interrupted
                for worker in self._workers:
                    worker.check_memory(thorough=True)
        except RuleFailureError as failure:
            self._explain(failure, state)
            raise
        return plans

    def _explain(self, failure: RuleFailureError, root: State) -> None:
        """Raise what a rule did wrong in a search with its name, its line and the state, if they can be found."""
        fault = None if isinstance(failure, DamagedMemoryError) else self._fault(root)
        if fault is not None:
            raise explained(self.game, fault) from (failure.__cause__ or failure)

    def _fault(self, root: State) -> Fault | None:
        """Look for the rule that failed or hangs, first at the states that the search worked on last."""
        for worker in self._workers:
            for words in worker.states_at_hand():
                fault = find_fault(self.game, State(self.game, words, stream(0)))
                if fault is not None:
                    return fault
        return find_fault_near(self.game, root, DIAGNOSIS_SECONDS)

    def _describe_stuck(self, root: State) -> str:
        fault = self._fault(root)
        return "" if fault is None else f"{self.game.name!r}: {fault}"

    def _best_plan(self, state: State, seat: int, started: float, cut: bool, interrupted: bool) -> Plan:
        """What the search has found for the seat that it looks at; if it was cut short, made whole."""
        search = self._search
        actions, value = self._reading.best()
        interrupted = _stopped(search) or interrupted
        if interrupted or cut:
            actions = _playable(state, actions, seat)
        stats, spent = self._statistics(), 1000 * (time.perf_counter() - started)
        alternatives = tuple(
            Alternative(tuple(turn), worth, count, state)
            for turn, worth, count in self._considered(self._reading, actions, value)
        )
        stats = replace(stats, time_ms=spent, interrupted=_stopped(search) or interrupted)
        return Plan(tuple(actions), value, alternatives, stats, state)

    def _considered(
        self, reading: Reading, actions: list[int], value: float | None
    ) -> list[tuple[list[int], float, int]]:
        """What was considered, best first; where players take turns, the plan itself comes before all others."""
        found = reading.alternatives(self.planner.alternatives)
        if self.game.simultaneous:
            return found
        own = [one for one in found if one[0] == actions]
        if not own and value is not None:
            own = [(actions, value, 1)]
        return [*own, *(one for one in found if one[0] != actions)][: self.planner.alternatives]

    def _statistics(self) -> Statistics:
        """What the workers did."""
        if not self._helping:
            return statistics_of(self._search.counters)
        return statistics_of(summed([worker.counters for worker in (self._search, *self._helping)]))

    def _run(self, search: Search, state: State, seat: int, ply: int, budget: Budget, watched: Watched) -> bool:
        """Search with all workers until the budget is spent; True if the user stopped it."""
        budgets = shares(budget, 1 + len(self._others))
        self._helping, self._reading, self._cut = self._others[: len(budgets) - 1], search, False
        jobs = [
            functools.partial(self._help, number, state, seat, ply, share)
            for number, share in enumerate(budgets[1:], 1)
        ]
        alone = self.game.backend.handles is not None  # objects of plain Python belong to one thread
        if alone:
            budgets = in_turn(budgets)
        try:
            search.take_share(0, len(budgets))
            with helpers([] if alone else jobs, self.end_search, self._stop_others):
                search.begin(state.words, seat, self.stream(ply), budgets[0])
                self._advance(search, state, budgets[0], watched)
                search.check()
            for number, share in enumerate(budgets[1:] if alone else [], 1):
                self._help(number, state, seat, ply, share)
        except KeyboardInterrupt:
            return True
        if self._helping:
            for worker in self._workers:
                worker.check()  # who was stopped can be read off again
            self._reading = search.merged(self._helping)
        return False

    def _help(self, number: int, state: State, seat: int, ply: int, budget: Budget) -> None:
        """Search as one of the other workers, in a thread of its own."""
        worker = self._others[number - 1]
        seconds = budget.ms / 1000 if budget.ms is not None else float("inf")
        deadline = time.perf_counter() + seconds
        with (
            failures.running(worker.work.g),
            WATCHDOG.watching(worker.stop, lambda: self._describe_stuck(state), deadline) as watched,
        ):
            worker.take_share(number, 1 + len(self._helping))
            worker.begin(state.words, seat, stream([self.seed, ply, number]), budget)
            self._advance(worker, state, budget, watched)
            worker.check()
            self._cut |= watched.finish()

    def _advance(self, search: Search, state: State, budget: Budget, watched: Watched) -> None:
        """Advance the search slice by slice until its time is up, or the listener ends it."""
        started, leads = watched.since, search is self._search
        listener = self._listener if leads else None
        due = started + self._every if listener is not None else float("inf")
        seconds = budget.ms / 1000 if budget.ms is not None else float("inf")
        units = max(1, int(self._pace * min(1.0, seconds / SLICE_SECONDS))) if leads else 1
        watched.since = time.perf_counter()
        while search.advance(units):
            search.check()
            now = time.perf_counter()
            spent, left = now - watched.since, seconds - (now - started)
            if spent > SLICE_SECONDS / 2:
                search.check_memory()
                if leads:
                    self._pace = max(1, int(units * SLICE_SECONDS / 2 / spent))
            if left <= 0 or watched.stopped or self._ended.is_set():
                break
            if now >= due and listener is not None:
                if listener(self._snapshot(state, started)):
                    self._stop_others()
                    break
                now = time.perf_counter()
                due = now + self._every
            search.share_time(1 - left / seconds if seconds < float("inf") else 0.0)
            # Aim at a millisecond, never beyond the deadline, and don't trust one measurement too far.
            wanted = min(SLICE_SECONDS, left)
            units = max(1, min(4 * units, int(units * wanted / max(spent, 1e-7)), MOST_UNITS))
            watched.since = now

    def _snapshot(self, state: State, started: float) -> Snapshot:
        """What the search knows now; random numbers and counters are put back as they were."""
        search = self._search
        counters: Any = search.work.counters
        random, counted = search.work.rng.copy(), counters.copy()
        actions, value = search.best()
        alternatives = tuple(
            Alternative(tuple(turn), worth, count, state)
            for turn, worth, count in self._considered(search, actions, value)
        )
        figures, choices = search.figures(), search.tried()
        search.check()
        search.work.rng[:], counters[:] = random, counted
        stats = replace(statistics_of(search.counters), time_ms=1000 * (time.perf_counter() - started))
        return Snapshot(Plan(tuple(actions), value, alternatives, stats, state), figures, choices)

    def _warm(self) -> None:
        """Compile or load every kernel before any clock runs."""
        state, search = self.game.initial_state(seed=0), self._search
        if state.is_over():
            return
        try:
            with failures.running(search.work.g), self._watched(state) as watched:
                watched.compiles = True
                search.rehearse(state.words, state.current_player())
                if self._others:
                    for worker in self._workers[:2]:
                        worker.begin(state.words, state.current_player(), stream(0), Budget(iterations=1))
                        worker.advance(1)
                        worker.check()
                    search.merged(self._others[:1]).best()
                search.check_memory(thorough=True)
        except RuleFailureError as failure:
            self._explain(failure, state)
            raise

    def _watched(self, root: State, deadline: float = float("inf")) -> AbstractContextManager[Watched]:
        """The watchdog around what the search does from a state."""
        return WATCHDOG.watching(self._search.stop, lambda: self._describe_stuck(root), deadline)


def longest_list(state: State, prune: bool) -> int:
    """How many actions a planner considers in a state: for the player to move, or for the player with the most."""
    mover = state.current_player()
    players = range(state.game.players) if mover == abi.SIMULTANEOUS else (mover,)
    return max(len(state.candidate_actions(player) if prune else state.legal_actions(player)) for player in players)


def _stopped(search: Search) -> bool:
    """Whether Ctrl-C fell into a rule; anything else that went wrong is raised."""
    try:
        search.check()
    except KeyboardInterrupt:
        return True
    return False


def _playable(state: State, actions: list[int], seat: int) -> list[int]:
    """What a seat can really do: Ctrl-C may have cut a rule short while its turn was being read off."""
    mover = state.current_player()
    if mover != abi.SIMULTANEOUS:
        return _finished(state, actions) if mover == seat else []
    if actions and state.is_legal(actions[0], seat):
        return actions
    return state.candidate_actions(seat)[:1]


def _finished(state: State, actions: list[int]) -> list[int]:
    """A turn to its end, by rating: Ctrl-C may have cut a rule short in which the first turn was still being made."""
    player, now = state.current_player(), state.copy()
    turn: list[int] = []
    while not now.is_over() and now.current_player() == player and len(turn) < state.game.max_turn:
        action = actions[len(turn)] if len(turn) < len(actions) else -1
        if not now.is_legal(action):
            options = now.candidate_actions()
            action = options[int(np.argmax(now.rate_actions(options)))]
        turn.append(action)
        now.apply(action)
    return turn


def statistics_of(counters: Counters) -> Statistics:
    """What the counters of a search say."""
    count = snapshot(counters)
    return Statistics(
        evaluations=count.evaluations,
        iterations=count.iterations,
        sequences=count.sequences,
        unique_outcomes=count.unique,
        mean_depth=count.depth_sum / count.leaves if count.leaves else 0.0,
        max_depth=count.depth_max,
        branching=count.candidates / count.lists if count.lists else 0.0,
        nodes=count.nodes,
        transposition_hits=count.hits,
        completed=count.completed,
    )
