"""Further runs on Royale that the paper's text leaves open: which MCTS it meant, and how often states are met again."""

from __future__ import annotations

from tactician.experiments.matches import MatchExperiment
from tactician.experiments.papers.boney import READINGS, ROYALE_BUDGET, ROYALE_NOTE, by_reading, royale_cells
from tactician.experiments.revisits import RevisitCell, RevisitExperiment

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

EXPERIMENTS = (R7B, R8)
