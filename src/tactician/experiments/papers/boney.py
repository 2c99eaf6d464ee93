"""Boney et al. 2022 on Pommerman: planners against three rule-based bots, and how often searches find states again."""

from __future__ import annotations

from tactician.experiments.revisits import RevisitCell, RevisitExperiment
from tactician.experiments.shares import ShareCell, SharesExperiment

_PAPER = "Boney et al. 2022"
_GAMES, _BUDGET = 400, "100its"
_OPPONENT = "rule-based"
_GAME = "pommerman:rules=paper,information=open"
_DEPTH = "Planners look 20 steps ahead."


def _game(planner: str) -> str:
    """The game with the key that the released code had for a planner.

    Both keys leave out the step counter, that of FDTS the hidden items too.
    """
    return _GAME + (",identity=reference" if planner.startswith("fdts") else ",identity=reference-items")


def _cell(
    name: str,
    planner: str,
    paper: tuple[float, float, float],
    replication: tuple[float, float, float] | None = None,
) -> ShareCell:
    return ShareCell(name=name, game=_game(planner), planner=planner, paper=paper, replication=replication)


_FDTS_TS = (51.3, 29.0, 18.2)
_WITH_ROLLOUTS = (
    _cell("MCTS UCB", "simultaneous-mcts:bandit=ucb1", (37.3, 32.4, 30.3), (43.3, 48.3, 8.3)),
    _cell("MCTS TS", "simultaneous-mcts", (40.8, 36.1, 23.1), (45.5, 41.5, 13.0)),
)

TABLE2 = SharesExperiment(
    name="boney-table2",
    title="One planner against three rule-based bots, Pommerman: wins, draws and losses in percent",
    paper=_PAPER,
    claim="Every planner wins far more than the bot itself; FDTS with Thompson sampling wins most (51.3 %).",
    cells=(
        _cell("rule-based", "rule-based#2", (19.2, 23.4, 57.4)),
        _cell("MCS UCB", "mcs:bandit=ucb1", (35.8, 41.0, 23.2), (35.0, 55.0, 10.0)),
        _cell("MCS TS", "mcs", (36.3, 37.5, 26.2), (42.0, 42.0, 16.0)),
        *_WITH_ROLLOUTS,
        _cell("FDTS UCB", "fdts:bandit=ucb1", (42.3, 32.5, 25.2), (40.0, 50.0, 10.0)),
        _cell("FDTS TS", "fdts", _FDTS_TS, (43.7, 39.3, 17.0)),
        _cell("FDTS TS, exact keys", "fdts:key=exact", _FDTS_TS),
    ),
    opponent=_OPPONENT,
    budget=_BUDGET,
    size=_GAMES,
    seconds=1.1,
    note=_DEPTH,
)

TABLE3 = SharesExperiment(
    name="boney-table3",
    title="MCTS with and without rollouts against three rule-based bots, Pommerman",
    paper=_PAPER,
    claim="Without rollouts MCTS wins about half as often as with them.",
    cells=(
        *_WITH_ROLLOUTS,
        _cell(
            "MCTS UCB, no rollouts",
            "simultaneous-mcts:bandit=ucb1,rollouts=False",
            (21.0, 17.7, 61.3),
            (6.7, 16.7, 76.7),
        ),
        _cell("MCTS TS, no rollouts", "simultaneous-mcts:rollouts=False", (17.8, 14.2, 68.0), (8.3, 15.0, 76.7)),
    ),
    opponent=_OPPONENT,
    budget=_BUDGET,
    size=_GAMES,
    seconds=0.9,
    note=_DEPTH,
)

FIG4 = RevisitExperiment(
    name="boney-fig4",
    title="How many of the states reached at a depth a search knew already, Pommerman",
    paper=_PAPER,
    claim="FDTS with Thompson sampling knows more of the states it reaches than FDTS with UCB, and that more than "
    "MCTS; the paper prints no numbers.",
    cells=tuple(
        RevisitCell(planner, _game(planner))
        for planner in ("fdts", "fdts:bandit=ucb1", "simultaneous-mcts", "simultaneous-mcts:bandit=ucb1")
    ),
    opponent=_OPPONENT,
    budget=_BUDGET,
    size=20,
    seconds=2.3,
    note="MCTS reaches a depth only through states it knows, hence its other shape.",
)

EXPERIMENTS = (TABLE2, TABLE3, FIG4)
