"""Planners and agents: a planner is a set of parameters, an agent is a planner put on a game.

The search itself is a `Search`: it begins at a state, is advanced slice by slice, and knows its best turn at any
time. Between slices Python looks at the clock, at the counters and at Ctrl-C; that gives every planner every kind of
budget.
"""

from __future__ import annotations

import contextlib
import functools
import threading
import time
from abc import ABC, abstractmethod
from collections.abc import Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass, fields, replace
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from tactician.checking.faults import DIAGNOSIS_SECONDS, Fault, explained, find_fault, find_fault_near
from tactician.contract.game import Game
from tactician.contract.random import stream
from tactician.contract.state import State
from tactician.errors import (
    DamagedMemoryError,
    IllegalActionError,
    InvalidParameterError,
    RuleFailureError,
    TacticianError,
    short,
)
from tactician.native import abi, failures
from tactician.native.announce import compiling
from tactician.native.guards import GuardedMemory
from tactician.native.rows import clear_rows, snapshot
from tactician.native.watchdog import WATCHDOG, Watched
from tactician.parameters import bracketed, parse_weights
from tactician.planners.team import MOST_WORKERS, BestOf, Reading, helpers, in_turn, shares, summed
from tactician.planners.work import FAULT, NO_LIMIT, NOW, ROOT, TRIAL, Counters, make_work
from tactician.seats.budget import Budget
from tactician.seats.plan import Alternative, Choice, Listener, Plan, Snapshot, Statistics
from tactician.seats.seat import BaseSeat, acting_seat

MOST_ALTERNATIVES = 10
SLICE_SECONDS = 0.001
"""How long the kernel runs before the clock is looked at."""
SNAPSHOT_SECONDS = 0.1
"""The least time between two snapshots of a search."""


@dataclass(frozen=True, kw_only=True)
class Planner(ABC):
    """The parameters of a planner; `on` puts it on a game."""

    name: ClassVar[str]
    paper: ClassVar[str]
    page: ClassVar[str]
    """Its page in the documentation."""
    iteration: ClassVar[str]
    """What one iteration of it is."""
    reference_rate: ClassVar[float | None] = None
    """Iterations a second of the papers' code; None where a turn takes no time to speak of."""
    simultaneous: ClassVar[bool] = False
    """Whether it can play where all act at once."""
    parallel: ClassVar[bool] = True
    """Whether several workers find more than one; else there is only one of them."""

    prune: bool = True
    """Consider the game's candidate actions; False: every legal action."""
    budget: str | None = None
    """A budget of its own that replaces the one it is given, for unequal matches."""
    weights: str | None = None
    """Weights of the game's evaluation for this planner alone, as `name=number;name=number`."""
    workers: int = 1
    """Threads that search for one plan, 1 to 256; they share counted budgets and `memory_mb`."""

    @abstractmethod
    def search(self, game: Game) -> Search:
        """A search of this planner on a game, with all its memory."""

    def on(self, game: Game, seed: int = 0, full_information: bool = False) -> Agent:
        """An agent that plays a game with this planner; `full_information` lets it see what its player can't."""
        return SearchAgent(self, game, seed, full_information)

    def resolve(self, budget: Budget | str) -> Budget:
        """The budget this planner really gets: its own if it has one, reference work as iterations."""
        chosen = Budget.parse(self.budget or budget)
        if chosen.reference_ms is None:
            return chosen
        return Budget(iterations=max(1, round(self.rate() * chosen.reference_ms / 1000)))

    def rate(self) -> float:
        """Iterations a second of the papers' code, had it had these parameters."""
        return self.reference_rate or 0.0

    def parameters(self) -> dict[str, Any]:
        """Every parameter with its value."""
        return {f.name: getattr(self, f.name) for f in fields(self)}

    def __str__(self) -> str:
        changed = [
            f"{f.name}={bracketed(getattr(self, f.name))}" for f in fields(self) if getattr(self, f.name) != f.default
        ]
        return self.name + (":" + ",".join(changed) if changed else "")

    def __post_init__(self) -> None:
        if self.budget is not None:
            Budget.parse(self.budget)
        if self.weights is not None:
            parse_weights(self.weights)
        whole = isinstance(self.workers, int) and not isinstance(self.workers, bool)
        self._require(whole and 1 <= self.workers <= MOST_WORKERS, "workers", f"1 to {MOST_WORKERS}")

    def searches(self, game: Game) -> list[Search]:
        """A search for each worker; together they take the memory of one."""
        if self.workers == 1 or not self.parallel:
            return [self.search(game)]
        memory = getattr(self, "memory_mb", None)
        each: Any = self if memory is None else replace(self, memory_mb=max(1, memory // self.workers))  # type: ignore[call-arg]
        return [each.search(game) for _ in range(self.workers)]

    def _require(self, condition: bool, parameter: str, expected: str) -> None:
        if not condition:
            raise InvalidParameterError(
                f"{parameter} of {self.name!r} is {getattr(self, parameter)!r}; expected {expected}."
            )


class Search(ABC):
    """The running part of a planner: memory, kernels, and the best turn so far."""

    def __init__(self, game: Game, prune: bool, own_states: int = 0, own_lists: int = 0) -> None:
        """Allocate; `own_states` and `own_lists` are scratch rows beyond those that all kernels share."""
        self.game = game
        self._scratch = GuardedMemory()
        self.work, self._config = make_work(game, prune, self._scratch, own_states, own_lists)
        self._error = self._config.view(np.int64)[:1]
        self.counters = self.work.counters[0]

    def begin(self, root: NDArray[np.uint64], player: int, random: NDArray[np.uint64], budget: Budget) -> None:
        """Forget everything and start from a state."""
        self._error[0] = abi.NO_ERROR
        clear_rows(self.work.counters)
        self.counters.evaluation_limit = budget.evaluations or NO_LIMIT
        self.counters.iteration_limit = budget.iterations or NO_LIMIT
        self.work.rng[:] = random
        self.work.states[ROOT, : len(root)] = root
        self.player = player

    @abstractmethod
    def advance(self, units: int) -> bool:
        """Run `units` units of work (fewer if a limit is reached); False once there is nothing left to do."""

    @abstractmethod
    def best(self) -> tuple[list[int], float | None]:
        """The best complete turn so far and its value."""

    def alternatives(self, most: int) -> list[tuple[list[int], float, int]]:
        """What else was considered, best first: actions, value, count."""
        return []

    def take_share(self, number: int, workers: int) -> None:  # noqa: B027 (random numbers are enough for most)
        """Take note that this is one of several workers on a state, before `begin`; `number` counts from 0."""

    def merged(self, others: Sequence[Search]) -> Reading:
        """What to read the plan off, now that other workers have searched the same state too."""
        return BestOf([self, *others])

    def figures(self) -> dict[str, float]:
        """What there is to show of a running search beyond its counters."""
        return {}

    def tried(self) -> tuple[tuple[Choice, ...], ...]:
        """Where all act at once: the actions of each player that were tried."""
        return ()

    def share_time(self, fraction: float) -> None:  # noqa: B027 (most have no use for it)
        """Take note of the fraction of a time budget that is spent, for searches that work in phases."""

    def check(self) -> None:
        """Raise what a rule did wrong."""
        code = self._error[0]
        if code == abi.STOPPED:
            self._error[0] = abi.NO_ERROR
        elif code:
            self.game.raise_failure(self.work.g)

    def check_memory(self, thorough: bool = False) -> None:
        """Raise if a rule wrote outside what it was given; `thorough` looks at all guard words."""
        damaged = self._scratch.damaged(thorough)
        if damaged:
            raise DamagedMemoryError(
                f"a rule of {self.game.name!r} wrote outside {damaged}; memory may be damaged, so the run ends. "
                "Run 'tactician check', which names the rule and the line."
            )

    def stop(self) -> None:
        """End the kernel that runs, from another thread: all its loops look at the error cell."""
        if self._error[0] == abi.NO_ERROR:
            self._error[0] = abi.STOPPED

    def states_at_hand(self) -> list[NDArray[np.uint64]]:
        """Copies of the states that the search worked on last, where a rule may have failed."""
        words = self.work.state_bytes // 8
        return [self.work.states[row, :words].copy() for row in (FAULT, NOW, TRIAL, ROOT)]


class Agent(BaseSeat):
    """A planner on a game: it is given the whole state and, without `full_information`, guesses what is hidden."""

    takes_whole_state = True

    def __init__(self, planner: Planner, game: Game, seed: int = 0, full_information: bool = False) -> None:
        if game.simultaneous and not planner.simultaneous:
            from tactician.planners.registry import simultaneous_planners

            raise InvalidParameterError(
                f"planner {planner.name!r} plans turns, but in {game.name!r} all players act at once; "
                f"planners for that: {', '.join(simultaneous_planners()) or 'none yet'}."
            )
        if planner.weights:
            game = game.with_weights(**parse_weights(planner.weights))
        super().__init__(seed)
        self.planner = planner
        self.game = game
        self.full_information = full_information
        self._alike = self.game
        """The last game whose states were found to be states of the agent's."""

    def listen(self, listener: Listener | None, every: float = SNAPSHOT_SECONDS) -> None:
        """Call a function with snapshots of searches from now on; None ends it. Agents without a search make none."""

    def stream(self, ply: int) -> NDArray[np.uint64]:
        """The random stream of the search at one point of a game: the same for the same seed and ply."""
        return stream([self.seed, ply])

    def _budget(self, state: State, budget: Budget | str) -> Budget:
        """The budget that a turn really gets; refuses a state in which there is nothing to plan."""
        chosen = self.planner.resolve(budget)
        self._require_own(state)
        if state.is_over():
            raise IllegalActionError("the game is over; there is nothing to plan.")
        return chosen

    def _require_own(self, state: State) -> None:
        if state.game.backend.state != self.game.backend.state or state.game.name != self.game.name:
            raise InvalidParameterError(f"state is of {state.game.name!r}; the agent plays {self.game.name!r}.")
        if state.game is self._alike:
            return
        if not _alike(state.game, self.game):
            raise InvalidParameterError(
                f"state is of another {self.game.name!r} than the agent's; expected one of its own."
            )
        if setting := self.game.other_setting(state.game):
            theirs, ours = (short(np.asarray(game.config[setting]).tolist()) for game in (state.game, self.game))
            raise InvalidParameterError(
                f"state is of a {self.game.name!r} whose {setting} is {theirs}; expected {ours}, as the agent's game."
            )
        self._alike = state.game


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
        self._ended = threading.Event()

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
                self._stop()
            if not future.cancel():
                with contextlib.suppress(TacticianError):
                    await future
            raise

    def plan(self, state: State, budget: Budget | str, *, ply: int = 0, seat: int | None = None) -> Plan:
        """The turn to play; one action where all act at once. The seed and `ply` decide every random choice."""
        return self._plan(state, budget, ply, seat, threading.Event())

    def _plan(self, state: State, budget: Budget | str, ply: int, seat: int | None, ended: threading.Event) -> Plan:
        """`plan`; another thread ends it by setting the event and stopping the workers."""
        self._ended = ended
        chosen = self._budget(state, budget)
        return self._plans(state, chosen, ply, [acting_seat(state, seat)])[0]

    def _stop(self) -> None:
        """End the search that runs, from any thread."""
        self._ended.set()
        for worker in self._workers:
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

    def _plans(self, state: State, budget: Budget, ply: int, seats: Sequence[int]) -> list[Plan]:
        """A plan for each of the seats from one search, which sees what the first of them sees."""
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
        found = reading.alternatives(MOST_ALTERNATIVES)
        if self.game.simultaneous:
            return found
        own = [one for one in found if one[0] == actions]
        if not own and value is not None:
            own = [(actions, value, 1)]
        return [*own, *(one for one in found if one[0] != actions)][:MOST_ALTERNATIVES]

    def _statistics(self) -> Statistics:
        """What the workers did."""
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
            with helpers([] if alone else jobs, self._stop):
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
        started, units = watched.since, 1
        listener = self._listener if search is self._search else None
        due = started + self._every if listener is not None else float("inf")
        seconds = budget.ms / 1000 if budget.ms is not None else float("inf")
        watched.since = time.perf_counter()
        while search.advance(units):
            search.check()
            now = time.perf_counter()
            spent, left = now - watched.since, seconds - (now - started)
            if spent > SLICE_SECONDS / 2:
                search.check_memory()
            if left <= 0 or watched.stopped or self._ended.is_set():
                break
            if now >= due and listener is not None:
                if listener(self._snapshot(state, started)):
                    self._stop()
                    break
                now = time.perf_counter()
                due = now + self._every
            search.share_time(1 - left / seconds if seconds < float("inf") else 0.0)
            # Aim at a millisecond, never beyond the deadline, and don't trust one measurement too far.
            wanted = min(SLICE_SECONDS, left)
            units = max(1, min(4 * units, int(units * wanted / max(spent, 1e-7))))
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
                search.take_share(0, 1)
                search.begin(state.words, state.current_player(), stream(0), Budget(iterations=1))
                search.advance(1)
                search.check()
                search.best()
                search.alternatives(1)
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


def _alike(a: Game, b: Game) -> bool:
    """Whether states of two games of one name have the same form.

    Two boards of different sizes are not alike, nor two games of plain objects with a table of states each.
    """
    sizes = (a.players, a.max_actions) == (b.players, b.max_actions)
    return sizes and a.backend.handles is b.backend.handles


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
