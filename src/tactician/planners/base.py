"""Planners and agents: a planner is a set of parameters, an agent is a planner put on a game.

The search itself is a `Search`: it begins at a state, is advanced slice by slice, and knows its best turn at any
time. Between slices Python looks at the clock, at the counters and at Ctrl-C; that gives every planner every kind of
budget.
"""

from __future__ import annotations

import math
from abc import ABC, abstractmethod
from collections.abc import Collection, Sequence
from dataclasses import dataclass, fields, replace
from pathlib import Path
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from tactician.contract.game import Game
from tactician.contract.random import stream
from tactician.contract.ratings import read_ratings
from tactician.contract.state import State
from tactician.errors import (
    DamagedMemoryError,
    IllegalActionError,
    InvalidParameterError,
    short,
)
from tactician.native import abi
from tactician.native.guards import GuardedMemory
from tactician.native.rows import clear_rows
from tactician.parameters import bracketed, parse_weights
from tactician.planners.pondering import Pondered
from tactician.planners.team import MOST_WORKERS, BestOf, Reading
from tactician.planners.work import FAULT, NO_LIMIT, NOW, ON_DEMAND, ROOT, TRIAL, make_work
from tactician.seats.budget import Budget
from tactician.seats.plan import Choice, Listener
from tactician.seats.seat import BaseSeat

_CAME_LATER = (
    "alternatives",
    "evaluation",
    "halving",
    "model_share",
    "opponents",
    "order",
    "prior_weight",
    "priors",
    "ratings",
    "repeats",
    "rollout_policy",
    "tabu",
    "trust",
    "widening",
)
MOST_TURNS = 1000
"""The most alternatives of a plan."""
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

    judges_replies: ClassVar[bool] = False
    """Whether it judges turns by the opponent's replies itself."""

    handles_hidden: ClassVar[bool] = False
    """Whether it deals with hidden information itself: it can't be told the truth, nor be put inside such a planner."""

    prune: bool = True
    """Consider only the game's candidate actions; False: all legal actions."""
    budget: str | None = None
    """A budget that overrides the one the planner is given, for matches with unequal budgets."""
    evaluation: str | None = None
    """One of the game's evaluations for this planner alone, by name, or a file of a learned one (.json)."""
    weights: str | None = None
    """Weights of the game's evaluation for this planner alone, as `name=number;name=number`."""
    workers: int = 1
    """Threads that search for one plan, 1 to 256; they share counted budgets and `memory_mb`."""
    alternatives: int = 10
    """Different turns that a plan lists, 1 to 1000."""
    ratings: str | None = None
    """A file of learned rating weights (.json), for this planner alone; by default the game's own ratings."""

    @abstractmethod
    def search(self, game: Game) -> Search:
        """A search of this planner on a game, with all its memory."""

    def on(self, game: Game, seed: int = 0, full_information: bool = False) -> Agent:
        """An agent that plays a game with this planner; `full_information` lets it see what its player can't."""
        from tactician.planners.search_agent import SearchAgent

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

    def recorded(self) -> dict[str, Any]:
        """Every parameter as results keep it: what came later is left out while it has its default, so that results
        from before are found again."""
        usual = {f.name: f.default for f in fields(self)}
        return {k: v for k, v in self.parameters().items() if k not in _CAME_LATER or v != usual[k]}

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
        known = isinstance(self.alternatives, int) and not isinstance(self.alternatives, bool)
        self._require(known and 1 <= self.alternatives <= MOST_TURNS, "alternatives", f"1 to {MOST_TURNS}")

    def own_game(self, game: Game) -> Game:
        """The game as this planner judges it: by its own evaluation, weights and ratings."""
        if self.evaluation:
            game = game.with_evaluation(self.evaluation)
        if self.ratings:
            game = game.with_ratings(**read_ratings(game, Path(self.ratings)))
        return game.with_weights(**parse_weights(self.weights)) if self.weights else game

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

    def __init__(
        self,
        game: Game,
        prune: bool,
        own_states: int = 0,
        own_lists: int = 0,
        on_demand: Collection[str] = ON_DEMAND,
    ) -> None:
        """Allocate; `own_states` and `own_lists` are scratch rows beyond those that all kernels share.

        `on_demand` are the rules that this search wants of those that are only compiled for whoever wants them.
        """
        self.game = game
        self._scratch = GuardedMemory()
        self.work, self._config = make_work(game, prune, self._scratch, own_states, own_lists, on_demand)
        self._error = self._config.view(np.int64)[:1]
        self.counters = self.work.counters[0]

    def begin(self, root: NDArray[np.uint64], player: int, random: NDArray[np.uint64], budget: Budget) -> None:
        """Forget everything and start from a state."""
        self.clear()
        self.counters.evaluation_limit = budget.evaluations or NO_LIMIT
        self.counters.iteration_limit = budget.iterations or NO_LIMIT
        self.work.rng[:] = random
        self.work.states[ROOT, : len(root)] = root
        self.player = player

    def clear(self) -> None:
        """Forget what was counted and what went wrong."""
        self._error[0] = abi.NO_ERROR
        clear_rows(self.work.counters)

    @abstractmethod
    def advance(self, units: int) -> bool:
        """Run `units` units of work (fewer if a limit is reached); False once there is nothing left to do."""

    @abstractmethod
    def best(self) -> tuple[list[int], float | None]:
        """The best complete turn so far and its value."""

    def alternatives(self, most: int) -> list[tuple[list[int], float, int]]:
        """What else was considered, best first: actions, value, count."""
        return []

    def rehearse(self, root: NDArray[np.uint64], player: int) -> None:
        """Run every kernel once, so that nothing is compiled or loaded while a clock runs."""
        self.take_share(0, 1)
        self.begin(root, player, stream(0), Budget(iterations=1))
        self.advance(1)
        self.check()
        self.best()
        self.alternatives(1)

    def take_share(self, number: int, workers: int) -> None:  # noqa: B027 (random numbers are enough for most)
        """Take note that this is one of several workers on a state, before `begin`; `number` counts from 0."""

    def is_certain(self) -> bool:
        """Whether other random numbers would have led to the same turns."""
        return False

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
                f"a rule of {self.game.name!r} wrote outside {damaged}; memory may be corrupted, so the run stops. "
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
        if full_information and planner.handles_hidden:
            raise InvalidParameterError(f"full_information is True; expected False, because {planner.name!r} guesses.")
        super().__init__(seed)
        self.planner = planner
        self.game = planner.own_game(game)
        self.full_information = full_information
        self._alike = self.game
        """The last game whose states were found to be states of the agent's."""

    def listen(self, listener: Listener | None, every: float = SNAPSHOT_SECONDS) -> None:
        """Call a function with snapshots of searches from now on; None ends it. Agents without a search make none."""

    def ponder(self, state: State, seat: int, *, ply: int = 0, longest: float = math.inf) -> None:
        """Plan on in a thread while others are to move in `state`, until the next `plan` or `stop_pondering`.

        The next plan uses what was found. After `longest` seconds no more plans are begun. Agents that don't search,
        or that guess themselves, do nothing.
        """

    def stop_pondering(self) -> Pondered:
        """End it within milliseconds and tell what was done; what was found is kept for the next plan."""
        return self.pondered

    @property
    def pondered(self) -> Pondered:
        """What has been done so far while others were thinking, or was done before the last plan."""
        return Pondered()

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


def _alike(a: Game, b: Game) -> bool:
    """Whether states of two games of one name have the same form.

    Two boards of different sizes are not alike, nor two games of plain objects with a table of states each.
    """
    sizes = (a.players, a.max_actions) == (b.players, b.max_actions)
    return sizes and a.backend.handles is b.backend.handles
