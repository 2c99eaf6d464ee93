"""Further runs on Royale: what the paper's text leaves open, and what decides between explanations of its order.

Which MCTS the paper meant (r7b); how often searches meet a state again (r8); habits of players (r12); whether FDTS
gains on MCS when states are met more often (simulations); whether the game rewards looking farther ahead (horizon).
"""

from __future__ import annotations

from dataclasses import replace

from tactician.experiments.habits import HabitExperiment
from tactician.experiments.matches import Cell, MatchExperiment
from tactician.experiments.papers.boney import READINGS, ROYALE_BUDGET, ROYALE_NOTE, by_reading, royale_cells
from tactician.experiments.revisits import RevisitCell, RevisitExperiment
from tactician.games.royale.behaviours import HABITS, habits_in

_PAPER = "Boney et al. 2022"
_GAMES = 200

R7B = MatchExperiment(
    name="royale-r7b",
    title="MCTS without random rollouts, 50 steps ahead, Royale",
    paper=_PAPER,
    claim="The paper does not say whether MCTS has rollouts in its tables VI and VII.",
    presets=("paper",),
    cells=by_reading(
        royale_cells(
            "MCTS without rollouts v MCS", "simultaneous-mcts:depth=50,rollouts=False", "mcs:depth=50", None, _GAMES
        ),
        royale_cells(
            "MCTS without rollouts v MCTS",
            "simultaneous-mcts:depth=50,rollouts=False",
            "simultaneous-mcts:depth=50",
            None,
            _GAMES,
        ),
        royale_cells(
            "FDTS v MCTS without rollouts", "fdts:depth=50", "simultaneous-mcts:depth=50,rollouts=False", None, _GAMES
        ),
    ),
    size=_GAMES,
    seconds=4.5,
    decisive=True,
    note=ROYALE_NOTE,
)

R8 = RevisitExperiment(
    name="royale-r8",
    title="How many of the states reached at a depth a search knew already, Royale",
    paper=_PAPER,
    claim="On Pommerman FDTS with Thompson sampling meets most states again; the paper has no such figure of Royale.",
    cells=tuple(
        RevisitCell(planner, READINGS["1 arm"])
        for planner in (
            "fdts:depth=50",
            "fdts:depth=50,bandit=ucb1,exploration=1",
            "simultaneous-mcts:depth=50",
        )
    ),
    opponent="mcs:depth=50",
    budget=ROYALE_BUDGET,
    depths=50,
    size=20,
    seconds=9.0,
    note="MCTS reaches a depth only through states it knows, hence its other shape.",
)

_FEW_POSITIONS = "royale:information=open,positions=4"
_SIMULATIONS = (4, 16, 64, 256)

SIMULATIONS = MatchExperiment(
    name="royale-simulations",
    title="FDTS against MCS with more simulations for each action, 10 steps ahead, 4 positions a card, Royale",
    paper=_PAPER,
    claim="The paper has no such table. If FDTS lacks only visits, it gains on MCS as simulations grow.",
    presets=("paper",),
    cells=tuple(
        Cell(
            name=f"{simulations} simulations an action",
            game=_FEW_POSITIONS,
            planner="fdts:depth=10",
            opponent="mcs:depth=10",
            budget=f"{simulations}its/action",
            paper=None,
            paper_games=_GAMES,
        )
        for simulations in _SIMULATIONS
    ),
    size=_GAMES,
    seconds=10.0,
    decisive=True,
    note=ROYALE_NOTE,
)

_DEPTH_PAIRS = ((10, 2), (25, 10), (50, 10), (50, 25))

HORIZON = MatchExperiment(
    name="royale-horizon",
    title="Monte Carlo search that looks farther ahead against one that looks less far, Royale",
    paper=_PAPER,
    claim="The paper has no such table. If pushes matter, seeing them arrive is worth something.",
    presets=("paper",),
    cells=tuple(
        replace(cell, name=f"k = {far} v {near}")
        for far, near in _DEPTH_PAIRS
        for cell in royale_cells("", f"mcs:depth={far}", f"mcs:depth={near}", None, _GAMES)[:1]
    ),
    size=_GAMES,
    seconds=4.0,
    decisive=True,
    note=ROYALE_NOTE,
)

R12 = HabitExperiment(
    name="royale-r12",
    title="Habits of the oracle, of a scripted player and of random players, Royale",
    paper=_PAPER,
    claim="The oracle puts support behind tanks, answers lone tanks with damage, attacks the other lane, slows attacks "
    "with the Giant, and fires at one tower in the end; the paper says so in words only.",
    game=READINGS["1 arm"],
    agents=("fdts:depth=50", "mcs:depth=50", "royale-script", "random"),
    budget=ROYALE_BUDGET,
    habits=HABITS,
    habits_in=habits_in,
    size=100,
    seconds=5.0,
    note="Steps of one battle depend on each other, so the intervals are too narrow.",
)

EXPERIMENTS = (R7B, R8, R12, SIMULATIONS, HORIZON)
