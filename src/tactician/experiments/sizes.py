"""Experiments on the size of a game: actions a choice, rounds of a game, and what follows for turns and game trees."""

from __future__ import annotations

import math
import statistics
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from tactician.arena.crew import FatalCalls
from tactician.arena.journal import JournalKind
from tactician.experiments.base import Experiment, RunRequest, is_chosen
from tactician.experiments.report import ExperimentReport
from tactician.experiments.tasks import measure_tasks
from tactician.games.registry import load_game, with_parameter
from tactician.planners.presets import game_reading, with_preset
from tactician.planners.registry import parse_planner
from tactician.seats.plan import uninterrupted

FIGURES = ("actions", "candidates", "mutations", "rounds")
_KINDS = {
    "actions": "actions or candidates a choice",
    "candidates": "actions or candidates a choice",
    "mutations": "mutations an action point",
    "rounds": "rounds a game",
}
ABOUT = 0.2
"""A printed 'about' agrees with ours if ours is within this share of it."""
_AGREES, _DIFFERS = "agrees", "differs"
GAMES = JournalKind("size", "a game", old_mark="task", old_header=False)
_PLIES = 1000
"""More than a game has, so that no two turns share a random stream."""


@dataclass(frozen=True)
class SizeCell:
    """A planner that plays against itself, and what the paper says of such games, by the name of the figure."""

    planner: str
    budget: str
    paper: Mapping[str, float] = field(default_factory=dict)


@dataclass(frozen=True)
class SizeTask:
    """One game of a planner with itself in one reading."""

    planner: str
    preset: str
    budget: str
    seed: int
    number: int

    def run(self, spec: str) -> dict[str, float]:
        """Play, and return the means over the choices of the game."""
        game = load_game(with_parameter(spec, "preset", game_reading(self.preset)))
        agents = [with_preset(parse_planner(self.planner), self.preset).on(game, seed=self.seed + i) for i in (0, 1)]
        state, turns = game.initial_state(seed=self.seed + self.number), 0
        actions: list[int] = []
        candidates: list[int] = []
        mutations: list[float] = []
        while not state.is_over():
            player = state.current_player()
            others = places = 0
            for action in uninterrupted(
                agents[player].plan(state, self.budget, ply=_PLIES * self.number + turns)
            ).actions:
                listed, considered = len(state.legal_actions()), len(state.candidate_actions())
                if listed > 1:
                    actions.append(listed - 1)
                    candidates.append(considered)
                    others += considered - 1
                    places += 1
                state.apply(action)
            if places:
                mutations.append(others / places)
            turns += 1
        return {
            "actions": statistics.fmean(actions),
            "candidates": statistics.fmean(candidates),
            "mutations": statistics.fmean(mutations),
            "rounds": turns / 2,
        }

    def __str__(self) -> str:
        return f"game {self.number} of {self.planner!r} ({self.preset} reading)"


class _FatalGames(FatalCalls):
    noun = "game"


@dataclass(frozen=True, kw_only=True)
class SizeExperiment(Experiment):
    """Means over games of planners with themselves, beside a paper's estimates."""

    cells: tuple[SizeCell, ...]
    game: str
    action_points: int
    """Actions of a turn."""
    states: tuple[int, int, int, float]
    """A paper's estimate of the number of states: squares, units, hit points, and the printed power of ten."""

    @property
    def cell_names(self) -> tuple[str, ...]:
        """The planners."""
        return tuple(cell.planner for cell in self.cells)

    def measure(self, request: RunRequest) -> dict[str, Any]:
        """Play the games that the journal does not have yet."""
        count = request.games or self.size
        cells = [cell for cell in self.cells if is_chosen(cell.planner, request.only)]
        readings = self.readings(request.preset)

        def task(cell: SizeCell, preset: str, number: int) -> SizeTask:
            return SizeTask(cell.planner, preset, request.budget or cell.budget, request.seed, number)

        wanted = [task(cell, preset, n) for preset in readings for cell in cells for n in range(count)]
        found = self._played(wanted, request)
        rows = []
        for preset in readings:
            for cell in cells:
                games = [found[task(cell, preset, n)] for n in range(count)]
                for figure in FIGURES:
                    values = [one[figure] for one in games]
                    half = 1.96 * statistics.stdev(values) / math.sqrt(count) if count > 1 else 0.0
                    rows.append(
                        {
                            "planner": cell.planner,
                            "preset": preset,
                            "budget": request.budget or cell.budget,
                            "figure": figure,
                            "ours": statistics.fmean(values),
                            "half": half,
                            "paper": cell.paper.get(figure),
                        }
                    )
        return {"experiment": self.name, "games": count, "rows": rows}

    def _played(self, tasks: list[SizeTask], request: RunRequest) -> dict[SizeTask, dict[str, float]]:
        return measure_tasks(
            self.name,
            tasks,
            lambda _task: self.game,
            request,
            "sizes",
            GAMES,
            lambda document: SizeTask(**document),
            _FatalGames(),
            FIGURES,
        )

    def report(self, document: dict[str, Any]) -> ExperimentReport:
        """The table, a row a planner, reading and figure; turns and game trees from the means."""
        from tactician.experiments.figures import Quantity, quantities_figure

        rows = document["rows"]
        judged = [row for row in rows if row["paper"] is not None]
        words = [_word(row) for row in judged]
        said = f"{words.count(_AGREES)} of {len(words)} estimates agree within {100 * ABOUT:.0f} %"
        quantities: dict[tuple[str, str], dict[str, float]] = {}
        for row in judged:
            quantities.setdefault((row["planner"], row["figure"]), {})[row["preset"]] = row["ours"]
        papers = {(row["planner"], row["figure"]): row["paper"] for row in judged}
        drawn = [
            Quantity(f"{planner}: {figure}", ours, papers[planner, figure], _KINDS[figure])
            for (planner, figure), ours in quantities.items()
        ]
        return self.reported(
            verdict=f"{said}; {self._powers(rows)}",
            summary=f"{document['games']} games of each planner with itself. {self.note}",
            head=("planner", "preset", "budget", "figure", "ours (95 %)", "paper", "verdict"),
            rows=tuple(
                (
                    row["planner"],
                    row["preset"],
                    row["budget"],
                    row["figure"],
                    f"{row['ours']:.1f} ± {row['half']:.1f}",
                    "" if row["paper"] is None else f"about {row['paper']:g}",
                    "" if row["paper"] is None else _word(row),
                )
                for row in rows
            ),
            document=document,
            figures={self.name: quantities_figure(drawn)} if drawn else {},
        )

    def _powers(self, rows: list[dict[str, Any]]) -> str:
        """Turns and game trees as powers of ten, by the least and the greatest mean, and the estimate of states."""
        means: dict[tuple[str, str], dict[str, float]] = {}
        for row in rows:
            means.setdefault((row["planner"], row["preset"]), {})[row["figure"]] = row["ours"]
        turns = [self.action_points * math.log10(one["actions"]) for one in means.values()]
        trees = [2 * one["rounds"] * turn for one, turn in zip(means.values(), turns, strict=True)]
        squares, units, health, printed = self.states
        counted = sum(math.log10((squares - i + 1) * health) for n in range(units + 1) for i in range(1, n + 1))
        last = sum(math.log10((squares - i + 1) * health) for i in range(1, units + 1))
        return (
            f"by our means a turn has 10^{min(turns):.1f} to 10^{max(turns):.1f} sequences and the game tree "
            f"10^{min(trees):.0f} to 10^{max(trees):.0f}; the paper's formula for the states, a product over all "
            f"numbers of units, gives 10^{counted:.0f}, its last factor 10^{last:.0f}, where it prints 10^{printed:g}."
        )


def _word(row: dict[str, Any]) -> str:
    return _AGREES if abs(row["ours"] - row["paper"]) <= ABOUT * row["paper"] else _DIFFERS
