"""Experiments on guesses of what is hidden: how much a turn depends on the guess, and how much on the search's luck.

At each position the planner plans on several guesses of what its player can't see and, as often, on one guess with
other random numbers. If turns differ as much between random numbers as between guesses, then what is hidden decides
nothing. What each turn is worth in the true state says what knowing the truth would gain, as the planner judges it.
"""

from __future__ import annotations

import math
import statistics
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import combinations
from typing import Any, ClassVar

from tactician.arena.crew import FatalCalls
from tactician.arena.journal import JournalKind
from tactician.contract.state import State
from tactician.experiments.base import Experiment, RunRequest, is_chosen
from tactician.experiments.report import ExperimentReport
from tactician.experiments.searches import TurnStarts
from tactician.experiments.tasks import measure_tasks
from tactician.planners.base import Agent
from tactician.planners.registry import parse_planner
from tactician.seats.budget import Budget
from tactician.seats.plan import position_after, uninterrupted, value_for

GUESSES = JournalKind("guesses", "a position", old_mark="", old_header=False)
_JOURNAL = "guesses"
_TRUTH = 1_000_000
"""The seed that guesses are numbered from, away from those of searches."""

FIGURES = {
    "same_turn_guesses": "same turn on two guesses, %",
    "same_turn_seeds": "same turn with two seeds, %",
    "same_first_guesses": "same first action on two guesses, %",
    "same_first_seeds": "same first action with two seeds, %",
    "gain_truth": "gain of planning on the truth, % of the range",
    "gain_seed": "spread between seeds, % of the range",
}
"""What is measured at a position, and what it is called in the table."""


@dataclass(frozen=True)
class GuessCell:
    """A planner in a game with hidden information."""

    name: str
    planner: str
    budget: str
    source: TurnStarts


@dataclass(frozen=True)
class GuessTask:
    """One position of a cell. What is found there depends on nothing else."""

    cell: str
    planner: str
    budget: str
    seed: int
    positions: int
    guesses: int
    number: int

    def run(self, source: TurnStarts) -> dict[str, float]:
        """Plan on guesses, with other seeds and on the truth, and compare."""
        state = _positions(source, self.positions, self.seed)[self.number]
        player = state.current_player()
        agent = _agent(source, self.planner)
        worlds = [state.resample_hidden(player, [self.seed, self.number, _TRUTH + i]) for i in range(self.guesses)]
        seeds = range(self.seed + 1, self.seed + 1 + self.guesses)

        def planned(world: State, seed: int) -> tuple[int, ...]:
            return tuple(uninterrupted(agent.seeded(seed).plan(world, self.budget, ply=self.number)).actions)

        on_guesses = [planned(world, self.seed) for world in worlds]
        with_seeds = [planned(worlds[0], seed) for seed in seeds]
        # Each guess and the truth with the same random numbers: what is left is the difference of the two states.
        guessed = [planned(world, seed) for world, seed in zip(worlds, seeds, strict=True)]
        on_truth = [planned(state, seed) for seed in seeds]
        low, high = state.game.value_range
        worths = [_worth(state, turn, player) for turn in on_truth]
        gain = statistics.fmean(worths) - statistics.fmean(_worth(state, turn, player) for turn in guessed)
        return {
            "same_turn_guesses": 100 * _agreement([_seen_after(state, turn, player) for turn in on_guesses]),
            "same_turn_seeds": 100 * _agreement([_seen_after(state, turn, player) for turn in with_seeds]),
            "same_first_guesses": 100 * _agreement([turn[0] for turn in on_guesses]),
            "same_first_seeds": 100 * _agreement([turn[0] for turn in with_seeds]),
            "gain_truth": 100 * gain / (high - low),
            "gain_seed": 100 * statistics.stdev(worths) / (high - low),
        }

    def __str__(self) -> str:
        return f"the guesses of {self.planner!r} at position {self.number}"


class _FatalPositions(FatalCalls):
    noun = "position"


@dataclass(frozen=True, kw_only=True)
class GuessExperiment(Experiment):
    """Means over positions with intervals, a row a planner."""

    unit: ClassVar[str] = "positions"

    cells: tuple[GuessCell, ...]
    guesses: int = 8
    """Guesses of each position, and seeds."""

    @property
    def cell_names(self) -> tuple[str, ...]:
        """The planners in their games."""
        return tuple(cell.name for cell in self.cells)

    def measure(self, request: RunRequest) -> dict[str, Any]:
        """Plan at every position; what the journal has is not planned again."""
        count = request.games or self.size
        cells = [cell for cell in self.cells if is_chosen(cell.name, request.only)]
        tasks = {cell.name: [self._task(cell, n, count, request) for n in range(count)] for cell in cells}
        sources = {cell.name: cell.source for cell in cells}
        found = measure_tasks(
            self.name,
            [task for of_cell in tasks.values() for task in of_cell],
            lambda task: sources[task.cell],
            request,
            _JOURNAL,
            GUESSES,
            lambda document: GuessTask(**document),
            _FatalPositions(),
            tuple(FIGURES),
        )
        rows = [
            {"cell": cell.name, "planner": cell.planner, "budget": tasks[cell.name][0].budget, "figure": figure}
            | _mean_and_interval([found[task][figure] for task in tasks[cell.name]])
            for cell in cells
            for figure in FIGURES
        ]
        return {"experiment": self.name, "positions": count, "guesses": self.guesses, "rows": rows}

    def _task(self, cell: GuessCell, number: int, count: int, request: RunRequest) -> GuessTask:
        budget = str(Budget.parse(request.budget or cell.budget))
        return GuessTask(cell.name, cell.planner, budget, request.seed, count, self.guesses, number)

    def report(self, document: dict[str, Any]) -> ExperimentReport:
        """The table, a row a cell; a figure of how often turns are the same."""
        from tactician.experiments.figures import Comparison, comparison_figure

        found = {(row["cell"], row["figure"]): row for row in document["rows"]}
        cells = dict.fromkeys((row["cell"], row["budget"]) for row in document["rows"])
        rows = tuple((name, budget, *(_shown(found[name, figure]) for figure in FIGURES)) for name, budget in cells)
        return self.reported(
            verdict=_verdict(found),
            summary=f"Means over {document['positions']} positions, {document['guesses']} guesses and seeds each, "
            f"with 95 % intervals. {self.note}".strip(),
            head=("planner and game", "budget", *FIGURES.values()),
            rows=rows,
            document=document,
            figures={
                self.name: comparison_figure(
                    {
                        FIGURES[figure].removesuffix(", %"): [
                            Comparison(name, one["mean"] / 100, (low / 100, min(100.0, high) / 100), None)
                            for name, _ in cells
                            for one in [found[name, figure]]
                            for low, high in [one["interval"]]
                        ]
                        for figure in ("same_turn_guesses", "same_turn_seeds")
                    }
                )
            },
        )


def _verdict(found: dict[tuple[str, str], dict[str, Any]]) -> str:
    """Where guesses change turns more often than seeds do."""
    changed, gained = [], []
    names = list(dict.fromkeys(name for name, _ in found))
    for name in names:
        guesses, seeds = found[name, "same_turn_guesses"], found[name, "same_turn_seeds"]
        if guesses["interval"][1] < seeds["interval"][0]:
            changed.append(name)
        if found[name, "gain_truth"]["interval"][0] > 0:
            gained.append(name)
    return (
        f"guesses change the turn more often than seeds do in {len(changed)} of {len(names)} cells"
        f"{' (' + '; '.join(changed) + ')' if changed else ''}; planning on the truth gains value at the end of the "
        f"turn in {len(gained)}{' (' + '; '.join(gained) + ')' if gained else ''}."
    )


def _worth(state: State, turn: Sequence[int], player: int) -> float:
    """What the planner's evaluation says of the true state after a turn, or the result on the same scale."""
    return value_for(position_after(state, turn), player)


def _seen_after(state: State, turn: Sequence[int], player: int) -> int:
    """What the player sees after a turn: orders of actions that come to the same are the same turn."""
    return position_after(state, turn).observe(player).key()


def _agreement(things: Sequence[Any]) -> float:
    """How many pairs are the same."""
    pairs = list(combinations(things, 2))
    return sum(one == other for one, other in pairs) / len(pairs)


def _mean_and_interval(values: Sequence[float]) -> dict[str, Any]:
    mean = statistics.fmean(values)
    half = 1.96 * statistics.stdev(values) / math.sqrt(len(values)) if len(values) > 1 else math.inf
    return {"mean": mean, "interval": [mean - half, mean + half]}


def _shown(row: dict[str, Any]) -> str:
    low, high = row["interval"]
    digits = 2
    if row["figure"].startswith("same"):
        low, high, digits = max(0.0, low), min(100.0, high), 0
    return f"{row['mean']:.{digits}f} ({low:.{digits}f} to {high:.{digits}f})".replace("-", "−")


@lru_cache(maxsize=8)
def _agent(source: TurnStarts, planner: str) -> Agent:
    return parse_planner(planner).on(source.loaded(_PRESET), full_information=True)


@lru_cache(maxsize=8)
def _positions(source: TurnStarts, count: int, seed: int) -> list[State]:
    return source.positions(_PRESET, count, seed)


_PRESET = "paper"
