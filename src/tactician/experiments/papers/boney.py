"""Boney et al. 2022: planners against three rule-based bots in Pommerman, and against each other in Royale.

The paper's Royale is a commercial game; ours has the same structure and public numbers, so its tables are compared by
sign and order only. Planners see everything, hidden cards included, as in the paper.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from tactician.experiments.matches import Cell, MatchExperiment
from tactician.experiments.revisits import RevisitCell, RevisitExperiment
from tactician.experiments.shares import ShareCell, SharesExperiment
from tactician.experiments.trained import Recipe, TrainedMatchExperiment, TrainedSharesExperiment

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
    **options: Any,
) -> ShareCell:
    return ShareCell(name=name, game=_game(planner), planner=planner, paper=paper, replication=replication, **options)


_FDTS_TS = (51.3, 29.0, 18.2)
_BY_VALUE = "by value"
"""The reading in which UCB ends on the action of highest value, as the text has it, not on the one tried most."""
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
        _cell("FDTS TS, exact keys", "fdts:key=exact", _FDTS_TS, counted=False),
        _cell("MCS UCB, by value", "mcs:bandit=ucb1-value", (35.8, 41.0, 23.2), reading=_BY_VALUE),
        _cell("MCTS UCB, by value", "simultaneous-mcts:bandit=ucb1-value", (37.3, 32.4, 30.3), reading=_BY_VALUE),
        _cell("FDTS UCB, by value", "fdts:bandit=ucb1-value", (42.3, 32.5, 25.2), reading=_BY_VALUE),
    ),
    opponent=_OPPONENT,
    budget=_BUDGET,
    size=_GAMES,
    seconds=1.1,
    note=_DEPTH,
)

_RELEASED = "as released"
_EXPLANATIONS = {
    _RELEASED: ("fdts", ""),
    "draws lost": ("fdts:bandit=thompson-draws-lost", ""),
    "draws ignored": ("fdts:bandit=thompson-draws-ignored", ""),
    "mask of the text": ("fdts", ",mask=text"),
    "no mask": ("fdts", ",mask=none"),
    "others act uniformly": ("fdts:opponents=uniform", ""),
    "others act as the bot": ("fdts:opponents=rule-based", ""),
    "prior Beta(2, 2)": ("fdts:bandit=thompson-wide", ""),
    "10 steps ahead": ("fdts:depth=10", ""),
    "40 steps ahead": ("fdts:depth=40", ""),
    "a repeated state teaches the last arm": ("fdts:repeats=last", ""),
    "exact keys": ("fdts:key=exact", ""),
    "from scratch each move": ("fdts:reuse=False", ""),
    "ties to the first action": ("fdts:bandit=thompson-first", ""),
    "400 simulations": ("fdts:budget=400its", ""),
}
"""What could explain that FDTS with Thompson sampling wins less here than in the paper: planner and game."""

FDTS = SharesExperiment(
    name="boney-fdts",
    title="FDTS with Thompson sampling against three rule-based bots, one thing changed at a time, Pommerman",
    paper=_PAPER,
    claim="FDTS with Thompson sampling wins 51.3 %, draws 29.0 % and loses 18.2 %. Each row changes one thing that "
    "could explain why ours wins less.",
    cells=tuple(
        ShareCell(
            name=name,
            game=_game("fdts") + game,
            planner=planner,
            paper=_FDTS_TS,
            baselines=(_RELEASED,) if name != _RELEASED else (),
            counted=False,  # boney-table2 has the figure of the planner as released
        )
        for name, (planner, game) in _EXPLANATIONS.items()
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
        *(replace(cell, counted=False) for cell in _WITH_ROLLOUTS),  # boney-table2 has them
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

TABLE2_TEXT = SharesExperiment(
    name="boney-table2-text",
    title="One planner against three rule-based bots, Pommerman, with the action mask that the paper describes",
    paper=_PAPER,
    claim="The figures of boney-table2. The paper describes a weaker mask than its code has: walls and flames only.",
    cells=tuple(
        replace(cell, game=cell.game + ",mask=text", replication=None)
        for cell in TABLE2.cells
        if cell.name not in ("rule-based", "FDTS TS, exact keys")
    ),
    opponent=_OPPONENT,
    budget=_BUDGET,
    size=_GAMES,
    seconds=1.1,
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

_TRAINING_GAME = "pommerman:rules=paper,identity=reference"
_EVALUATED = {"width": 12, "evaluate_every": 100, "evaluation_games": 40}
_DAGGER = {**_EVALUATED, "battles": 500}
_CLONING = {**_EVALUATED, "battles": 150, "evaluate_every": 30, "method": "cloning"}
"""Battles of the oracle against itself take three times as many steps: this gives about as many gradient steps."""
_VALUES = {**_DAGGER, "target": "values", "temperature": 0.1, "symmetric": True}
"""Ours: the oracle's estimates are learned instead of its choice, which is chance where actions are equally good."""
_RIVALS = {"rival": _OPPONENT}
"""Ours: bots have three of the four seats in training battles, as in the games that are measured."""

_MODEL = {**_VALUES, **_RIVALS, "teacher": "fdts:opponents=rule-based", "budget": "25its"}
"""Ours: the oracle knows how the bots act, which the paper's does not; 25 simulations for each seat."""


_FOLLOWER_PERCENT = (23.3, 22.5, 54.2)


def _trained(
    name: str, training: str, paper: tuple[float, float, float] = _FOLLOWER_PERCENT, counted: bool = False
) -> ShareCell:
    """A follower; those that are trained in ways of ours are compared with the paper's without being counted."""
    planner = f"trained:{training}"
    return ShareCell(name=name, game="pommerman:rules=paper", planner=planner, paper=paper, counted=counted)


TABLE8 = TrainedSharesExperiment(
    name="boney-table8",
    title="Followers against three rule-based bots, Pommerman: wins, draws and losses in percent",
    paper=_PAPER,
    claim="A follower trained by DAgger wins more (23.3 %) than one that cloned the oracle's own play (17.4 %) and "
    "more than the bot (19.2 %).",
    cells=(
        ShareCell(name="rule-based", game="pommerman:rules=paper", planner="rule-based#2", paper=(19.2, 23.4, 57.4)),
        _trained("DAgger", "dagger", counted=True),
        _trained("cloning", "cloning", (17.4, 19.2, 63.4), counted=True),
        _trained("ours: by values", "dagger-values"),
        _trained("ours: by values, against bots", "bots-values"),
        _trained("ours: by visits, against bots", "bots-visits"),
        _trained("ours: taught with a model of the bots", "bots-model"),
        _trained("ours: the same, 64 planes, 1000 battles", "bots-model-wide"),
    ),
    trainings={
        "dagger": Recipe(_TRAINING_GAME, _DAGGER, hours=1.2),
        "cloning": Recipe(_TRAINING_GAME, _CLONING, hours=1.0),
        "dagger-values": Recipe(_TRAINING_GAME, _VALUES, hours=1.8),
        "bots-values": Recipe(_TRAINING_GAME, {**_VALUES, **_RIVALS}, hours=0.9),
        "bots-visits": Recipe(_TRAINING_GAME, {**_DAGGER, **_RIVALS, "target": "visits", "symmetric": True}, hours=0.8),
        "bots-model": Recipe(_TRAINING_GAME, _MODEL, hours=0.8),
        "bots-model-wide": Recipe(_TRAINING_GAME, {**_MODEL, "hidden": 64, "battles": 1000}, hours=3.0),
    },
    opponent=_OPPONENT,
    budget=_BUDGET,
    size=_GAMES,
    seconds=0.6,
    note="The budget is the oracle's while it teaches. Plane 9 is filled as the paper describes it; battles end early "
    "as in its code. Ours learn the oracle's estimates or visits of all actions from turned and mirrored boards; "
    "where it says so, bots have three of the four seats in training battles. The last two were taught by an oracle "
    "that knows how the bots act, with 25 simulations a seat; no setting of the paper's.",
)

# -- Royale ------------------------------------------------------------------------------------------------------

ROYALE_BUDGET = "4its/action"
"""Four simulations for each action of the player who has most."""
READINGS = {"1 arm": "royale:information=open", "64 arms": "royale:information=open,reserve_arms=64"}
"""How often planners list the reservation of a card that is too expensive: once, or as often as a card's positions."""
ROYALE_NOTE = (
    "Draws are left out, as in the paper's figures. Planners see the hidden cards. Ours is another engine with the "
    "structure of the paper's game: compare signs and orders, not percentages."
)
_UCB, _RANDOM = "bandit=ucb1,exploration=1", "bandit=random"


def royale_cells(
    name: str, planner: str, opponent: str, percent: float | None, games: int, pool: str = ""
) -> tuple[Cell, ...]:
    """A match in both readings of a card that is too expensive, with the paper's percentage."""
    return tuple(
        Cell(
            name=f"{reading}: {name}",
            game=game,
            planner=planner,
            opponent=opponent,
            budget=ROYALE_BUDGET,
            paper=None if percent is None else percent / 100,
            paper_games=games,
            reading=reading,
            pool=pool,
        )
        for reading, game in READINGS.items()
    )


def by_reading(*cells: tuple[Cell, ...]) -> tuple[Cell, ...]:
    """All cells of the first reading, then all of the second."""
    return tuple(cell for reading in zip(*cells, strict=True) for cell in reading)


TABLE4 = MatchExperiment(
    name="boney-table4",
    title="Bandits in Monte Carlo search, 50 steps ahead, Royale",
    paper=_PAPER,
    claim="UCB and Thompson sampling beat random selection almost always; Thompson sampling beats UCB (64 %).",
    presets=("paper",),
    cells=by_reading(
        royale_cells("UCB v random", f"mcs:depth=50,{_UCB}", f"mcs:depth=50,{_RANDOM}", 93.5, 400),
        royale_cells("TS v random", "mcs:depth=50", f"mcs:depth=50,{_RANDOM}", 98.5, 400),
        royale_cells("TS v UCB", "mcs:depth=50", f"mcs:depth=50,{_UCB}", 64.0, 400),
    ),
    size=400,
    seconds=7.0,
    decisive=True,
    note=ROYALE_NOTE,
)

_TABLE5 = {
    10: {0.5: 64.0, 1: 69.0, 2: 77.6, 3: 82.2, 4: 82.1},
    25: {0.5: 81.1, 1: 69.1, 2: 75.7, 3: 83.3, 4: 90.7},
    50: {0.5: 65.6, 1: 64.0, 2: 75.1, 3: 79.8, 4: 86.9},
}

TABLE5 = MatchExperiment(
    name="boney-table5",
    title="Thompson sampling against UCB with different c in Monte Carlo search, Royale",
    paper=_PAPER,
    claim="Thompson sampling wins more than half of the games whatever c and the depth are, most against c = 4.",
    presets=("paper",),
    cells=by_reading(
        *(
            royale_cells(
                f"k = {depth}, c = {c:g}",
                f"mcs:depth={depth}",
                f"mcs:depth={depth},bandit=ucb1,exploration={c:g}",
                percent,
                50,
                pool=f"k = {depth}",
            )
            for depth, row in _TABLE5.items()
            for c, percent in row.items()
        )
    ),
    size=50,
    seconds=4.5,
    decisive=True,
    note=ROYALE_NOTE,
)

TABLE6 = MatchExperiment(
    name="boney-table6",
    title="Planners against each other, 50 steps ahead, Royale",
    paper=_PAPER,
    claim="FDTS beats MCTS (96.5 %) and MCS (80.3 %); MCS beats MCTS.",
    presets=("paper",),
    cells=by_reading(
        royale_cells("MCTS v MCS", "simultaneous-mcts:depth=50", "mcs:depth=50", 41.3, 400),
        royale_cells("FDTS v MCTS", "fdts:depth=50", "simultaneous-mcts:depth=50", 96.5, 400),
        royale_cells("FDTS v MCS", "fdts:depth=50", "mcs:depth=50", 80.3, 400),
    ),
    size=400,
    seconds=9.0,
    decisive=True,
    note=ROYALE_NOTE,
)

_TABLE7 = {10: (43.7, 68.1), 25: (19.4, 70.5), 50: (41.3, 80.3)}

TABLE7 = MatchExperiment(
    name="boney-table7",
    title="MCTS and FDTS against MCS at three depths, Royale",
    paper=_PAPER,
    claim="FDTS beats MCS at every depth, most at the greatest; MCTS loses to MCS at every depth.",
    presets=("paper",),
    cells=by_reading(
        *(
            royale_cells(
                f"k = {depth}, {name} v MCS",
                f"{planner}:depth={depth}",
                f"mcs:depth={depth}",
                percent,
                40,
                pool=f"{name} v MCS",
            )
            for depth, row in _TABLE7.items()
            for name, planner, percent in zip(("MCTS", "FDTS"), ("simultaneous-mcts", "fdts"), row, strict=True)
        )
    ),
    size=40,
    seconds=6.0,
    decisive=True,
    note=ROYALE_NOTE,
)

_FOLLOWER, _Q_MC, _CLONE, _WEAK = ("trained:follower", "trained:q-mc", "trained:script-clone", "trained:weak-clone")
_ORACLE, _SCRIPT = "fdts:depth=50", "royale-script"
_SMALL = {"battles": 300, "hidden": 32, "batch": 32, "updates": 0.5, "evaluation_games": 16, "width": 12}
"""The paper's network has 64 to 256 planes and learns once a step."""
_FEW_TILES = "royale:positions=32"
"""Teachers consider 32 tiles of a card, the smaller of the paper's two values."""


def _pair(name: str, one: str, other: str, percent: float | None) -> Cell:
    return Cell(
        name=name,
        game="royale:information=open",
        planner=one,
        opponent=other,
        budget=ROYALE_BUDGET,
        paper=None if percent is None else percent / 100,
        paper_games=100,
    )


TABLE11 = TrainedMatchExperiment(
    name="boney-table11",
    title="Random play, trained agents and the oracle against each other, Royale",
    paper=_PAPER,
    claim="Random play < Q-MC < an agent that cloned human play < the follower < the oracle.",
    presets=("paper",),
    cells=(
        _pair("Q-MC v random", _Q_MC, "random", 79.1),
        _pair("script clone v random", _CLONE, "random", 99.0),
        _pair("script clone v Q-MC", _CLONE, _Q_MC, 85.1),
        _pair("follower v random", _FOLLOWER, "random", 98.6),
        _pair("follower v Q-MC", _FOLLOWER, _Q_MC, 91.4),
        _pair("follower v script clone", _FOLLOWER, _CLONE, 71.4),
        _pair("follower v script", _FOLLOWER, _SCRIPT, None),
        _pair("follower v weak-oracle clone", _FOLLOWER, _WEAK, None),
        _pair("oracle v random", _ORACLE, "random", 100.0),
        _pair("oracle v Q-MC", _ORACLE, _Q_MC, 100.0),
        _pair("oracle v script clone", _ORACLE, _CLONE, 93.9),
        _pair("oracle v follower", _ORACLE, _FOLLOWER, 93.4),
    ),
    trainings={
        "follower": Recipe(_FEW_TILES, {**_SMALL, "teacher": "fdts:depth=25", "width": 24}, hours=1.3),
        "q-mc": Recipe(_FEW_TILES, {**_SMALL, "method": "q-mc"}, hours=0.8),
        "script-clone": Recipe(
            _FEW_TILES, {**_SMALL, "method": "cloning", "teacher": _SCRIPT, "noise": 0.1}, hours=0.8
        ),
        "weak-clone": Recipe(_FEW_TILES, {**_SMALL, "method": "cloning", "teacher": "mcs:depth=10"}, hours=1.0),
    },
    size=100,
    seconds=4.0,
    decisive=True,
    note=f"{ROYALE_NOTE} Clones of a script and of a weaker planner stand in for the paper's clone of human play. One "
    "training seed (the paper: five), 32 inner planes (64 to 256), half a gradient step for each step of a battle; the "
    "follower's teacher looks 25 steps ahead, that of the weak clone 10, both at 32 tiles.",
)

EXPERIMENTS = (TABLE2, TABLE2_TEXT, FDTS, TABLE3, FIG4, TABLE4, TABLE5, TABLE6, TABLE7, TABLE8, TABLE11)
