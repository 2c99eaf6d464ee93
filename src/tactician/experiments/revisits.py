"""Experiments on searches of games in which all act at once: how many of the states they reach they know already.

A planner plays whole games on a rotating seat against copies of one opponent; the counts of its searches are pooled by
depth, and by the step of the game.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from tactician.arena.agents import parse_agent
from tactician.experiments.base import Experiment, RunRequest, is_chosen
from tactician.experiments.report import ExperimentReport
from tactician.games.registry import load_game
from tactician.planners.registry import parse_planner
from tactician.planners.simultaneous_agent import SimultaneousAgent
from tactician.seats.plan import uninterrupted
from tactician.seats.seat import Seat

_MOST_STEPS = 801
"""More than a game has."""
_DRAWN_DEPTHS = (1, 2, 4, 8)
_PRINTED_DEPTHS = (1, 2, 3, 4, 5, 6, 8, 10, 15, 20, 30, 40, 50)
_WINDOW = 25
"""Steps over which the curves are averaged: the paper's low-pass filter."""
_KEPT_EVERY = 5
"""Steps between two points of a curve in the document: the averages change little from one to the next."""


@dataclass(frozen=True)
class RevisitCell:
    """A planner and the game it plays, with the key that tells states apart."""

    planner: str
    game: str


@dataclass(frozen=True, kw_only=True)
class RevisitExperiment(Experiment):
    """The share of states that searches knew already, a curve a planner."""

    options: ClassVar[tuple[str, ...]] = ("budget", "only")

    cells: tuple[RevisitCell, ...]
    opponent: str
    budget: str
    depths: int = 20
    """The deepest of a search."""

    @property
    def cell_names(self) -> tuple[str, ...]:
        """The planners."""
        return tuple(cell.planner for cell in self.cells)

    def measure(self, request: RunRequest) -> dict[str, Any]:
        """Play every planner's games; nothing is kept between runs."""
        wanted, budget = request.games or self.size, request.budget or self.budget
        ratios: dict[str, list[float | None]] = {}
        over_game: dict[str, dict[str, list[float | None]]] = {}
        for cell in self.cells:
            if not is_chosen(cell.planner, request.only):
                continue
            # States reached and states known, by the step of the game and the depth of the search.
            counts = np.zeros((2, _MOST_STEPS, self.depths))
            for number in range(wanted):
                self._play_counting(cell, request.seed + number, number, budget, counts)
                request.on_progress(cell.planner, number + 1, wanted)
            ratios[cell.planner] = _without_nan(_ratio(counts.sum(axis=1)))
            over_game[cell.planner] = {
                str(depth): _without_nan(_smoothed(counts[:, :, depth - 1])[::_KEPT_EVERY].round(4))
                for depth in _DRAWN_DEPTHS
            }
        return {
            "experiment": self.name,
            "games": wanted,
            "budget": budget,
            "seed": request.seed,
            "ratios": ratios,
            "over_game": over_game,
        }

    def report(self, document: dict[str, Any]) -> ExperimentReport:
        """The ratios by depth, and over the steps of a game."""
        from tactician.experiments.figures import revisit_figure, revisits_over_game_figure

        ratios = document["ratios"]
        printed = [depth for depth in _PRINTED_DEPTHS if depth <= self.depths]
        figures = {self.name: revisit_figure(ratios)}
        if "over_game" in document:  # older documents have none
            over_game = {
                planner: {int(depth): values for depth, values in by_depth.items()}
                for planner, by_depth in document["over_game"].items()
            }
            figures[f"{self.name}-steps"] = revisits_over_game_figure(over_game, _KEPT_EVERY)
        return self.reported(
            verdict=f"known at depth 1: {', '.join(f'{planner} {_shown(v[0])}' for planner, v in ratios.items())}.",
            summary=(
                f"Pooled over {document['games']} games a planner, {document['budget']} a decision, "
                f"horizon {self.depths}. {self.note}"
            ).strip(),
            head=("planner", *(f"depth {depth}" for depth in printed)),
            rows=tuple((name, *(_shown(v[d - 1]) for d in printed)) for name, v in ratios.items()),
            document=document,
            figures=figures,
        )

    def _play_counting(
        self, cell: RevisitCell, seed: int, number: int, budget: str, counts: NDArray[np.float64]
    ) -> None:
        """Play one game and add up what the planner's searches knew at each step and depth."""
        game = load_game(cell.game)
        agent = parse_planner(cell.planner).on(game, seed=seed)
        assert isinstance(agent, SimultaneousAgent)
        seats, seat = game.players, number % game.players
        opponent = parse_agent(self.opponent)
        players: list[Seat] = [opponent.on(game).seeded(seats * seed + other) for other in range(seats)]
        players[seat] = agent
        state, step = game.initial_state(seed=seed), 0
        while not state.is_over():
            joint = []
            for other, player in enumerate(players):
                legal = state.legal_actions(other)
                if len(legal) == 1:
                    joint.append(legal[0])
                    continue
                plan = uninterrupted(player.plan(state, budget, ply=step, seat=other))
                joint.append(plan.actions[0])
                if other == seat:
                    found = np.array(plan.stats.revisits[: self.depths], float).reshape(-1, 2).T
                    counts[:, step, : found.shape[1]] += found
            state.apply(joint)
            step += 1


def _shown(ratio: float | None) -> str:
    return "" if ratio is None else f"{ratio:.3f}"


def _ratio(counts: NDArray[np.float64]) -> NDArray[np.float64]:
    reached, known = counts
    return np.divide(known, reached, out=np.full_like(known, np.nan), where=reached > 0)


def _smoothed(counts: NDArray[np.float64]) -> NDArray[np.float64]:
    """The ratio over a window of steps; not a number where no state was reached."""
    window = np.ones(_WINDOW)
    return _ratio(np.stack([np.convolve(row, window, mode="same") for row in counts]))


def _without_nan(values: NDArray[np.float64]) -> list[float | None]:
    found: Sequence[float] = values.tolist()
    return [None if math.isnan(value) else value for value in found]
