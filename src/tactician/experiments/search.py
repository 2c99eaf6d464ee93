"""What the searches look like inside: unique outcomes, iterations and depths a turn, beside what the paper reports.

Positions are the beginnings of turns in games that OEP plays against itself; every planner gets the reference work of
the paper's six seconds there. Greedy OEP, EMCTS and the others run along for comparison; the paper has no figures for
them.
"""

from __future__ import annotations

import statistics
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from tactician.contract.budget import Budget
from tactician.contract.state import State
from tactician.games.registry import load_game
from tactician.planners.plan import Statistics
from tactician.planners.presets import game_with_preset, with_preset
from tactician.planners.registry import parse_planner

NAME = "justesen-search"
TITLE = "What a search of 6 s a turn looks like inside (Justesen et al. 2017)"
GAME = "hero-academy:turn_limit=200"
PLANNERS = ("greedy-turn", "oep", "mcts", "non-exploring-mcts", "bridge-burning-mcts", "greedy-oep", "emcts")
POSITIONS = 20
BUDGET = "ref:6000ms"
_SELF_PLAY = "60its"
_FIRST_TURN, _TURNS_BETWEEN = 6, 4

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


def run_search(
    positions: int = POSITIONS,
    budget: str = BUDGET,
    presets: tuple[str, ...] = ("paper", "reference"),
    seed: int = 0,
    heard: Callable[[int, int], None] | None = None,
    planners: Sequence[str] = PLANNERS,
) -> list[Row]:
    """Search every position with every planner and average what the searches tell."""
    rows: list[Row] = []
    total, done = len(presets) * len(planners), 0
    for preset in presets:
        game = load_game(game_with_preset(GAME, preset))
        states = _positions(game, positions, seed)
        for name in planners:
            agent = with_preset(parse_planner(name), preset).on(game, seed=seed)
            found = [agent.plan(state, Budget.parse(budget), ply).stats for ply, state in enumerate(states)]
            rows += [_row(name, preset, figure, found) for figure in FIGURES]
            done += 1
            if heard:
                heard(done, total)
    return rows


def _row(planner: str, preset: str, figure: str, found: list[Statistics]) -> Row:
    mean = statistics.fmean(float(getattr(stats, figure)) for stats in found)
    return Row(planner, preset, figure, mean, PAPER.get((planner, figure)))


def _positions(game: Any, count: int, seed: int) -> list[State]:
    """Beginnings of turns, some turns apart, from as many games as it takes."""
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
