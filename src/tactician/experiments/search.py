"""What the searches look like inside: unique outcomes, iterations and depths a turn, beside what the paper reports.

Positions are the beginnings of turns in games that OEP plays against itself; every planner gets the reference work of
the paper's six seconds there. Greedy OEP, EMCTS and the others run along for comparison; the paper has no figures for
them.
"""

from __future__ import annotations

import statistics
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import product
from typing import Any

from tactician.arena.crew import Crew
from tactician.arena.journal import Journal, JournalKind
from tactician.contract.game import Game
from tactician.contract.state import State
from tactician.games.registry import load_game
from tactician.planners.base import Agent
from tactician.planners.presets import game_with_preset, with_preset
from tactician.planners.registry import parse_planner
from tactician.seats.budget import Budget

NAME = "justesen-search"
TITLE = "What a search of 6 s a turn looks like inside (Justesen et al. 2017)"
GAME = "hero-academy:turn_limit=200"
PLANNERS = ("greedy-turn", "oep", "mcts", "non-exploring-mcts", "bridge-burning-mcts", "greedy-oep", "emcts")
POSITIONS = 20
BUDGET = "ref:6000ms"
_SELF_PLAY = "60its"
_FIRST_TURN, _TURNS_BETWEEN = 6, 4
SEARCHES = JournalKind("search", "a search", old_mark="task", old_header=False)

PAPER: dict[tuple[str, str], float] = {
    ("greedy-turn", "unique_outcomes"): 579_912,
    ("oep", "unique_outcomes"): 9_344,
    ("oep", "iterations"): 3_693,
    ("mcts", "unique_outcomes"): 201,
    ("mcts", "iterations"): 258_488,
    ("mcts", "mean_depth"): 4.86,
    ("mcts", "max_depth"): 6.38,
    ("mcts", "branching"): 60,
}
FIGURES = ("iterations", "sequences", "unique_outcomes", "mean_depth", "max_depth", "branching")


@dataclass(frozen=True)
class Row:
    """One figure of one planner: the mean over the positions."""

    planner: str
    preset: str
    figure: str
    ours: float
    paper: float | None

    def to_json(self) -> dict[str, Any]:
        """The row as a document."""
        return vars(self) | {}


@dataclass(frozen=True)
class Task:
    """One search: a planner in one reading at one of the positions. What it finds depends on nothing else."""

    planner: str
    preset: str
    budget: str
    seed: int
    positions: int
    number: int

    def run(self) -> dict[str, float]:
        """Search, and tell the figures."""
        state = _positions(self.preset, self.positions, self.seed)[self.number]
        stats = _agent(self.planner, self.preset, self.seed).plan(state, Budget.parse(self.budget), self.number).stats
        return {figure: float(getattr(stats, figure)) for figure in FIGURES}


def run_search(
    positions: int = POSITIONS,
    budget: str = BUDGET,
    presets: tuple[str, ...] = ("paper", "reference"),
    seed: int = 0,
    on_progress: Callable[[int, int], None] | None = None,
    planners: Sequence[str] = PLANNERS,
    jobs: int = 1,
    cluster: str | None = None,
    journal: str | None = None,
) -> list[Row]:
    """Search every position with every planner and average what the searches tell.

    What the journal has is not searched again.
    """
    given = str(Budget.parse(budget))
    tasks = [Task(*pair, given, seed, positions, n) for pair in product(planners, presets) for n in range(positions)]
    # One file serves runs with any budget and seed: each entry names its own.
    with Journal(journal, SEARCHES, {}, _decode) as kept:
        found = dict(kept.entries)
        waiting = [task for task in tasks if task not in found]
        for done, (task, figures) in enumerate(_searched(waiting, jobs, cluster), len(tasks) - len(waiting) + 1):
            found[task] = figures
            kept.add({"task": vars(task), "figures": figures})
            if on_progress:
                on_progress(done, len(tasks))
    return [
        Row(
            planner,
            preset,
            figure,
            statistics.fmean(found[Task(planner, preset, given, seed, positions, n)][figure] for n in range(positions)),
            PAPER.get((planner, figure)),
        )
        for preset in presets
        for planner in planners
        for figure in FIGURES
    ]


def _searched(tasks: Sequence[Task], jobs: int, cluster: str | None) -> Iterator[tuple[Task, dict[str, float]]]:
    """Every task with its figures, in the order in which they are ready."""
    with Crew(jobs, cluster) as crew:
        for task in tasks:
            crew.submit(task, task.run)
        for _ in tasks:
            yield crew.next()


def _decode(_number: int, document: dict[str, Any]) -> tuple[Task, dict[str, float]]:
    return Task(**document["task"]), {figure: float(document["figures"][figure]) for figure in FIGURES}


@lru_cache(maxsize=64)
def _agent(planner: str, preset: str, seed: int) -> Agent:
    return with_preset(parse_planner(planner), preset).on(_game(preset), seed=seed)


@lru_cache(maxsize=4)
def _game(preset: str) -> Game:
    return load_game(game_with_preset(GAME, preset))


@lru_cache(maxsize=4)
def _positions(preset: str, count: int, seed: int) -> list[State]:
    """Beginnings of turns, some turns apart, from as many games as it takes."""
    game = _game(preset)
    agent = parse_planner("oep").on(game, seed=seed)
    found: list[State] = []
    number = 0
    while len(found) < count:
        state = game.initial_state(seed=seed + number)
        number += 1
        turn = 0
        while not state.is_over() and len(found) < count:
            if turn >= _FIRST_TURN and turn % _TURNS_BETWEEN == 0:
                found.append(state.copy())
            for action in agent.plan(state, _SELF_PLAY, turn).actions:
                state.apply(action)
            turn += 1
    return found
