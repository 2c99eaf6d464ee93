"""Experiments on single searches: what they look like inside, beside what the paper reports.

Positions are the beginnings of turns in games that a planner plays against itself; every planner of the experiment
searches each of them with the same budget.
"""

from __future__ import annotations

import statistics
from dataclasses import dataclass, field
from functools import lru_cache
from itertools import product
from typing import Any, ClassVar

from tactician.arena.crew import FatalCalls
from tactician.arena.journal import JournalKind
from tactician.contract.game import Game
from tactician.contract.state import State
from tactician.experiments.base import Experiment, RunRequest, is_chosen
from tactician.experiments.report import ExperimentReport
from tactician.experiments.tasks import measure_tasks
from tactician.games.registry import load_game, with_parameter
from tactician.planners.base import Agent
from tactician.planners.presets import game_reading, with_preset
from tactician.planners.registry import parse_planner
from tactician.seats.budget import Budget
from tactician.seats.plan import uninterrupted

FIGURES = (
    *("iterations", "sequences", "unique_outcomes", "mean_depth", "max_depth", "branching"),
    *("nodes", "transposition_hits"),
)
"""What is taken from a search's statistics; results from before the last two do without them."""
_COUNT = "number in a search"
_KINDS = {"mean_depth": "depth in plies", "max_depth": "depth in plies", "branching": "actions a choice"}
"""What figures count that are no numbers of things in a search."""
SEARCHES = JournalKind("search", "a search", old_mark="task", old_header=False)


@dataclass(frozen=True)
class SearchCell:
    """A planner, and what the paper reports of its searches, by the name of the figure."""

    planner: str
    paper: dict[str, float] = field(default_factory=dict)


@dataclass(frozen=True)
class TurnStarts:
    """Where positions come from: beginnings of turns, some turns apart, from as many games as it takes."""

    game: str
    planner: str
    """Plays both sides."""
    budget: str
    first_turn: int
    turns_between: int

    def loaded(self, preset: str) -> Game:
        """The game in one reading of the paper."""
        return _game(self.game, preset)

    def positions(self, preset: str, count: int, seed: int) -> list[State]:
        """The first `count` of them."""
        game = _game(self.game, preset)
        agent = parse_planner(self.planner).on(game, seed=seed)
        found: list[State] = []
        number = 0
        while len(found) < count:
            state = game.initial_state(seed=seed + number)
            number += 1
            turn = 0
            while not state.is_over() and len(found) < count:
                if turn >= self.first_turn and turn % self.turns_between == 0:
                    found.append(state.copy())
                for action in uninterrupted(agent.plan(state, self.budget, ply=turn)).actions:
                    state.apply(action)
                turn += 1
        return found


@dataclass(frozen=True)
class SearchTask:
    """One search: a planner in one reading at one of the positions. What it finds depends on nothing else."""

    planner: str
    preset: str
    budget: str
    seed: int
    positions: int
    number: int

    def run(self, source: TurnStarts) -> dict[str, float]:
        """Search, and return the figures."""
        state = _positions(source, self.preset, self.positions, self.seed)[self.number]
        agent = _agent(source.game, self.planner, self.preset, self.seed)
        stats = uninterrupted(agent.plan(state, Budget.parse(self.budget), ply=self.number)).stats
        return {figure: float(getattr(stats, figure)) for figure in FIGURES}

    def __str__(self) -> str:
        return f"the search of {self.planner!r} ({self.preset} reading) at position {self.number}"


class _FatalSearches(FatalCalls):
    noun = "search"


@dataclass(frozen=True, kw_only=True)
class SearchExperiment(Experiment):
    """Means of search statistics over positions, a row a planner and reading."""

    unit: ClassVar[str] = "positions"

    presets: tuple[str, ...] = ("paper", "reference")
    cells: tuple[SearchCell, ...]
    source: TurnStarts
    budget: str
    journal: str
    """Tells its journal beside the store from those of other experiments."""

    @property
    def cell_names(self) -> tuple[str, ...]:
        """The planners."""
        return tuple(cell.planner for cell in self.cells)

    def measure(self, request: RunRequest) -> dict[str, Any]:
        """Search every position with every planner; what the journal has is not searched again."""
        count, budget = request.games or self.size, str(Budget.parse(request.budget or self.budget))
        readings = self.readings(request.preset)
        cells = [cell for cell in self.cells if is_chosen(cell.planner, request.only)]

        def task(cell: SearchCell, preset: str, number: int) -> SearchTask:
            return SearchTask(cell.planner, preset, budget, request.seed, count, number)

        found = self._searched([task(*pair, n) for pair in product(cells, readings) for n in range(count)], request)
        rows = [
            {
                "planner": cell.planner,
                "preset": preset,
                "figure": figure,
                "ours": statistics.fmean(found[task(cell, preset, n)][figure] for n in range(count)),
                "paper": cell.paper.get(figure),
            }
            for preset, cell, figure in product(readings, cells, FIGURES)
        ]
        return {"experiment": self.name, "budget": request.budget or self.budget, "positions": count, "rows": rows}

    def _searched(self, tasks: list[SearchTask], request: RunRequest) -> dict[SearchTask, dict[str, float]]:
        return measure_tasks(
            self.name,
            tasks,
            lambda _task: self.source,
            request,
            self.journal,
            SEARCHES,
            lambda document: SearchTask(**document),
            _FatalSearches(),
            FIGURES,
        )

    def report(self, document: dict[str, Any]) -> ExperimentReport:
        """The table, a row a planner and reading; a figure of what the paper has."""
        from tactician.experiments.figures import Quantity, quantities_figure

        rows = document["rows"]
        printed: dict[str, dict[str, float]] = {}
        papers: dict[str, float] = {}
        kinds: dict[str, str] = {}
        for row in rows:
            if row["paper"] is not None:
                label = f"{row['planner']}: {row['figure'].replace('_', ' ')}"
                printed.setdefault(label, {})[row["preset"]] = row["ours"]
                papers[label], kinds[label] = row["paper"], _KINDS.get(row["figure"], _COUNT)
        quantities = [Quantity(label, ours, papers[label], kinds[label]) for label, ours in printed.items()]
        if not quantities:
            outcomes = [row for row in rows if row["figure"] == "unique_outcomes"]
            quantities = [
                Quantity(f"{row['planner']}: unique outcomes", {"": row["ours"]}, kind=_COUNT) for row in outcomes
            ]
        found = {(row["planner"], row["preset"], row["figure"]): row for row in rows}
        keys = dict.fromkeys((row["planner"], row["preset"]) for row in rows)
        measured = [figure for figure in FIGURES if any(row["figure"] == figure for row in rows)]
        return self.reported(
            verdict=self._verdict(rows),
            summary=f"Means over {document['positions']} positions, budget {document['budget']}. {self.note}".strip(),
            head=("planner", "preset", *(figure.replace("_", " ") for figure in measured)),
            rows=tuple((*key, *(_shown(found[(*key, figure)]) for figure in measured)) for key in keys),
            document=document,
            figures={self.name: quantities_figure(quantities)} if quantities else {},
        )

    def _verdict(self, rows: list[dict[str, Any]]) -> str:
        """Ours divided by the paper's for every figure that the paper has."""
        readings = list(dict.fromkeys(row["preset"] for row in rows))
        ratios: dict[str, dict[str, list[str]]] = {}
        for row in rows:
            if row["paper"] is not None:
                figures = ratios.setdefault(row["planner"], {})
                figures.setdefault(row["figure"].replace("_", " "), []).append(f"{row['ours'] / row['paper']:.3g}")
        if not ratios:
            outcomes = [row for row in rows if row["figure"] == "unique_outcomes"]
            counts = ", ".join(f"{row['planner']} {row['ours']:,.0f}" for row in outcomes)
            return f"different outcomes: {counts}."
        said = [
            f"{planner}: " + ", ".join(f"{figure} {' / '.join(shown)}" for figure, shown in figures.items())
            for planner, figures in ratios.items()
        ]
        return f"ours divided by the paper's ({' / '.join(readings)} reading): {'; '.join(said)}."


def _shown(row: dict[str, Any]) -> str:
    digits = 2 if row["ours"] < 100 else 0
    paper = "" if row["paper"] is None else f" (paper {row['paper']:,g})"
    return f"{row['ours']:,.{digits}f}{paper}"


@lru_cache(maxsize=64)
def _agent(game: str, planner: str, preset: str, seed: int) -> Agent:
    return with_preset(parse_planner(planner), preset).on(_game(game, preset), seed=seed)


@lru_cache(maxsize=4)
def _game(game: str, preset: str) -> Game:
    return load_game(with_parameter(game, "preset", game_reading(preset)))


@lru_cache(maxsize=4)
def _positions(source: TurnStarts, preset: str, count: int, seed: int) -> list[State]:
    return source.positions(preset, count, seed)
