"""Planners and agents: a planner is a set of parameters, an agent is a planner put on a game.

The search itself is a `Search`: it begins at a state, is advanced slice by slice, and knows its best turn at any
time. Between slices Python looks at the clock, at the counters and at Ctrl-C; that gives every planner every kind of
budget.
"""

from __future__ import annotations

import time
from abc import ABC, abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass, fields, replace
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from tactician.contract.game import Game
from tactician.contract.random import stream
from tactician.contract.state import State
from tactician.errors import IllegalActionError, InvalidParameterError
from tactician.native import failures
from tactician.native.abi import SIMULTANEOUS
from tactician.native.announce import compiling
from tactician.native.rows import clear_rows, snapshot
from tactician.parameters import bracketed, parse_weights
from tactician.planners.work import NO_LIMIT, ROOT, make_work
from tactician.seats.budget import Budget
from tactician.seats.plan import Alternative, Plan, Statistics
from tactician.seats.seat import BaseSeat, acting_seat

MOST_ALTERNATIVES = 10
SLICE_SECONDS = 0.001
"""How long the kernel runs before the clock is looked at."""


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

    prune: bool = True
    """Consider the game's candidate actions; False: every legal action."""
    budget: str | None = None
    """A budget of its own that replaces the one it is given, for unequal matches."""
    weights: str | None = None
    """Weights of the game's evaluation for this planner alone, as `name=number;name=number`."""

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
        self.work, self._config = make_work(game, prune, own_states, own_lists)
        self.counters = self.work.counters[0]

    def begin(self, root: NDArray[np.uint64], player: int, random: NDArray[np.uint64], budget: Budget) -> None:
        """Forget everything and start from a state."""
        self._config[0] = 0
        clear_rows(self.work.counters)
        self.counters.evaluation_limit = budget.evaluations or NO_LIMIT
        self.counters.iteration_limit = budget.iterations or NO_LIMIT
        self.work.rng[:] = random
        self.work.states[ROOT] = root
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

    def share_time(self, fraction: float) -> None:  # noqa: B027 (most have no use for it)
        """Take note of the fraction of a time budget that is spent, for searches that work in phases."""

    def check(self) -> None:
        """Raise what a rule did wrong."""
        if self._config[0]:
            self.game.raise_failure(self.work.g)


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
        if not _alike(state.game, self.game):
            raise InvalidParameterError(
                f"state is of another {self.game.name!r} than the agent's; expected one of its own."
            )


class SearchAgent(Agent):
    """An agent with a search. All memory is allocated when it is made and used again for each turn."""

    def __init__(self, planner: Planner, game: Game, seed: int = 0, full_information: bool = False) -> None:
        super().__init__(planner, game, seed, full_information)
        with compiling(f"{planner.name} for all games"), self.game.searching():
            self._search = planner.search(self.game)
            self._warm(self._search)

    def plan(self, state: State, budget: Budget | str, *, ply: int = 0, seat: int | None = None) -> Plan:
        """The turn to play; one action where all act at once. The seed and `ply` decide every random choice."""
        chosen = self._budget(state, budget)
        return self._plans(state, chosen, ply, [acting_seat(state, seat)])[0]

    def _plans(self, state: State, budget: Budget, ply: int, seats: Sequence[int]) -> list[Plan]:
        """A plan for each of the seats from one search, which sees what the first of them sees."""
        if self.game.hides_information and not self.full_information:
            state = state.resample_hidden(seats[0], [self.seed, ply, 2])
        else:
            state = state.copy()
        if budget.iterations_per_action is not None:
            budget = budget.with_actions(longest_list(state, self.planner.prune))
        search, plans = self._search, []
        with self.game.searching(), failures.running(search.work.g):
            search.begin(state.words, seats[0], self.stream(ply), budget)
            started = time.perf_counter()
            interrupted = self._run(search, budget, started)
            for seat in seats:
                search.player = seat
                plans.append(self._best_plan(state, seat, started, interrupted))
                interrupted = plans[-1].stats.interrupted
        return plans

    def _best_plan(self, state: State, seat: int, started: float, interrupted: bool) -> Plan:
        """What the search has found for the seat that it looks at."""
        search = self._search
        actions, value = search.best()
        interrupted = _stopped(search) or interrupted
        if interrupted:
            actions = _playable(state, actions, seat)
        stats, spent = self._statistics(), 1000 * (time.perf_counter() - started)
        alternatives = tuple(
            Alternative(tuple(turn), worth, count, state)
            for turn, worth, count in search.alternatives(MOST_ALTERNATIVES)
        )
        stats = replace(stats, time_ms=spent, interrupted=_stopped(search) or interrupted)
        return Plan(tuple(actions), value, alternatives, stats, state)

    def _statistics(self) -> Statistics:
        """What the search did."""
        return statistics_of(self._search)

    def _run(self, search: Search, budget: Budget, started: float) -> bool:
        """Advance the search until the budget is spent; True if the user stopped it."""
        seconds = budget.ms / 1000 if budget.ms is not None else float("inf")
        units, slice_began = 1, started
        try:
            while search.advance(units):
                search.check()
                now = time.perf_counter()
                spent, left = now - slice_began, seconds - (now - started)
                if left <= 0:
                    break
                search.share_time(1 - left / seconds if budget.ms is not None else 0.0)
                # Aim at a millisecond, never beyond the deadline, and don't trust one measurement too far.
                wanted = min(SLICE_SECONDS, left)
                units = max(1, min(4 * units, int(units * wanted / max(spent, 1e-7))))
                slice_began = now
            search.check()
        except KeyboardInterrupt:
            return True
        return False

    def _warm(self, search: Search) -> None:
        """Compile or load every kernel before any clock runs."""
        state = self.game.initial_state(seed=0)
        if state.is_over():
            return
        with failures.running(search.work.g):
            search.begin(state.words, state.current_player(), stream(0), Budget(iterations=1))
            search.advance(1)
            search.check()
            search.best()
            search.alternatives(1)


def longest_list(state: State, prune: bool) -> int:
    """How many actions a planner considers in a state: for the player to move, or for the player with the most."""
    mover = state.current_player()
    players = range(state.game.players) if mover == SIMULTANEOUS else (mover,)
    return max(len(state.candidate_actions(player) if prune else state.legal_actions(player)) for player in players)


def _alike(a: Game, b: Game) -> bool:
    """Whether a state of one game can be one of the other of that name; evaluations and ratings may well differ.

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
    if mover != SIMULTANEOUS:
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


def statistics_of(search: Search) -> Statistics:
    """What the counters of a search say."""
    count = snapshot(search.counters)
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
