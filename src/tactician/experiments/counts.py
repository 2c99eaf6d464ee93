"""Experiments that count: how many actions are possible at the beginnings of turns, as a histogram."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

from tactician.experiments.base import Experiment, RunRequest
from tactician.experiments.report import ExperimentReport
from tactician.games.registry import load_game
from tactician.planners.registry import parse_planner
from tactician.seats.plan import uninterrupted

_MOST = 79
"""Turns with more actions are counted with this number."""
_PLIES = 1000
"""More than a game has, so that no two turns share a random stream."""


@dataclass(frozen=True, kw_only=True)
class CountExperiment(Experiment):
    """The possible actions at the start of every turn of games between two copies of a planner."""

    options: ClassVar[tuple[str, ...]] = ()

    game: str
    planner: str
    budget: str
    stride: int
    """Seeds between two games."""
    paper_range: tuple[int, int]
    """The fewest and the most actions that the paper reports."""
    paper_peaks: tuple[int, ...] = ()
    """Where the paper's histogram has its peaks."""
    starts: Callable[[Sequence[int]], str] = lambda _seeds: ""
    """What is to be said of the starts of these seeds."""

    @property
    def cell_names(self) -> tuple[str, ...]:
        """There is nothing to choose."""
        return ()

    def measure(self, request: RunRequest) -> dict[str, Any]:
        """Play, and count at every turn; the end of the turn is not counted as an action."""
        wanted = request.games or self.size
        game = load_game(self.game)
        counts = [0] * (_MOST + 1)
        agents = [parse_planner(self.planner).on(game, seed=request.seed + seat) for seat in range(2)]
        for number in range(wanted):
            state = game.initial_state(seed=request.seed + self.stride * number)
            ply = 0
            while not state.is_over():
                counts[min(_MOST, len(state.possible_actions()) - 1)] += 1
                for action in uninterrupted(
                    agents[state.current_player()].plan(state, self.budget, ply=_PLIES * number + ply)
                ).actions:
                    state.apply(action)
                ply += 1
            request.on_progress(self.name, number + 1, wanted)
        most = max(i for i, n in enumerate(counts) if n)
        return {"experiment": self.name, "games": wanted, "seed": request.seed, "counts": counts[: most + 1]}

    def report(self, document: dict[str, Any]) -> ExperimentReport:
        """The histogram as a table and a figure."""
        from tactician.experiments.figures import histogram_figure

        counts, games = document["counts"], document["games"]
        total = sum(counts)
        low, high = self.paper_range
        within = sum(counts[low : high + 1]) / total
        seeds = [document["seed"] + self.stride * number for number in range(games)]
        starts = self.starts(seeds)
        return self.reported(
            verdict=f"{100 * within:.1f} % of the turns have {low} to {high}, the most is {len(counts) - 1}.",
            summary=f"{total} turns of {games} games{' ' if starts else ''}{starts}. {self.note}".strip(),
            head=("possible actions", "turns", "%"),
            rows=tuple((str(i), str(n), f"{100 * n / total:.1f}") for i, n in enumerate(counts)),
            document=document,
            figures={
                self.name: histogram_figure(counts, "possible actions in a turn", self.paper_range, self.paper_peaks)
            },
        )
