"""Boney et al. 2022 on Pommerman: planners against three rule-based bots, and how often searches find states again."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from tactician.arena.schedule import TournamentPlan
from tactician.arena.seats import KINDS, SeatsScore
from tactician.arena.statistics import Reported, difference_interval
from tactician.arena.store import open_store
from tactician.arena.tournament import Tournament, run
from tactician.errors import UnknownNameError
from tactician.experiments.report import ExperimentReport
from tactician.games.registry import load_game
from tactician.planners.registry import parse_planner
from tactician.planners.simultaneous_agent import SimultaneousAgent
from tactician.seats.seat import Seat

GAMES, BUDGET = 400, "100its"
_GAME = "pommerman:rules=paper,information=open"
_FDTS_KEY, _MCTS_KEY = ",identity=reference", ",identity=reference-items"
"""The released code's keys leave out the step counter; that of FDTS the hidden items too."""
OPPONENT = "rule-based"


@dataclass(frozen=True)
class Column:
    """One column of a table: a planner, and the paper's wins, draws and losses in percent."""

    name: str
    planner: str
    paper: tuple[float, float, float]
    replication: tuple[float, float, float] | None = None
    """What an independent replication found, where there is one."""

    @property
    def game(self) -> str:
        """The game with the key the released code had for this planner."""
        return _GAME + (_FDTS_KEY if self.planner.startswith("fdts") else _MCTS_KEY)


_WITH_ROLLOUTS = (
    Column("MCTS UCB", "simultaneous-mcts:bandit=ucb1", (37.3, 32.4, 30.3), (43.3, 48.3, 8.3)),
    Column("MCTS TS", "simultaneous-mcts", (40.8, 36.1, 23.1), (45.5, 41.5, 13.0)),
)
TABLE2 = (
    Column("rule-based", "rule-based#2", (19.2, 23.4, 57.4)),
    Column("MCS UCB", "mcs:bandit=ucb1", (35.8, 41.0, 23.2), (35.0, 55.0, 10.0)),
    Column("MCS TS", "mcs", (36.3, 37.5, 26.2), (42.0, 42.0, 16.0)),
    *_WITH_ROLLOUTS,
    Column("FDTS UCB", "fdts:bandit=ucb1", (42.3, 32.5, 25.2), (40.0, 50.0, 10.0)),
    Column("FDTS TS", "fdts", (51.3, 29.0, 18.2), (43.7, 39.3, 17.0)),
)
TABLE3 = (
    *_WITH_ROLLOUTS,
    Column(
        "MCTS UCB, no rollouts",
        "simultaneous-mcts:bandit=ucb1,rollouts=False",
        (21.0, 17.7, 61.3),
        (6.7, 16.7, 76.7),
    ),
    Column("MCTS TS, no rollouts", "simultaneous-mcts:rollouts=False", (17.8, 14.2, 68.0), (8.3, 15.0, 76.7)),
)
EXACT = (Column("FDTS TS, exact keys", "fdts:key=exact", (51.3, 29.0, 18.2)),)
TABLES = {"boney-table2": (*TABLE2, *EXACT), "boney-table3": TABLE3}
TITLES = {
    "boney-table2": "One planner against three rule-based bots, Pommerman: wins, draws and losses in percent",
    "boney-table3": "MCTS with and without rollouts against three rule-based bots, Pommerman",
}
_HEAD = ("planner", "games", "wins", "paper", "verdict", "draws", "paper", "verdict", "losses", "paper", "verdict")


def run_table(
    name: str,
    games: int | None = None,
    budget: str | None = None,
    only: Sequence[str] = (),
    seed: int = 0,
    jobs: int = 1,
    cluster: str | None = None,
    store: str | None = None,
    on_progress: Callable[[str, int, int], None] | None = None,
) -> ExperimentReport:
    """Play the columns that are not in the store yet and report all of them."""
    columns = TABLES[name]
    for wanted in only:
        if not any(column.name.startswith(wanted) for column in columns):
            raise UnknownNameError(f"cell of {name!r}:", wanted, [column.name for column in columns])
    chosen = [column for column in columns if not only or any(column.name.startswith(part) for part in only)]
    given, played = budget or BUDGET, games or GAMES
    scores: list[tuple[Column, SeatsScore, int]] = []
    with open_store(store) as kept:
        for column in chosen:
            plan = TournamentPlan(column.game, (column.planner, OPPONENT), played, given, seed, "gauntlet")

            def after(result: Tournament, column: Column = column) -> None:
                if on_progress:
                    on_progress(column.name, len(result.records), result.total)

            result = run(plan, kept, jobs, cluster, after)
            scores.append((column, result.seats_score(0, 1), len(result.errors)))
    return _report(name, scores, given, played)


def _report(name: str, scores: Sequence[tuple[Column, SeatsScore, int]], budget: str, games: int) -> ExperimentReport:
    rows, outcomes = [], []
    for column, score, forfeits in scores:
        row = [column.name, str(score.games)]
        outcome: dict[str, Any] = {"cell": column.name, "planner": column.planner, "games": score.games}
        for kind, paper in zip(KINDS, column.paper, strict=True):
            share = score.share(kind)
            low, high = share.interval()
            reported = Reported(paper / 100, GAMES)
            verdict = share.verdict(reported)
            row += [f"{100 * share.rate:.1f} ({100 * low:.1f}–{100 * high:.1f})", f"{paper:.1f}", verdict]
            outcome[kind] = {
                "share": share.rate,
                "interval": [low, high],
                "paper": reported.rate,
                "difference": list(difference_interval(share, reported)),
                "verdict": verdict,
            }
        outcome["replication"] = column.replication
        outcome["forfeits"] = forfeits
        rows.append(tuple(row))
        outcomes.append(outcome)
    summary = f"{TITLES[name]}. {games} games a column (the paper: {GAMES}), {budget} a decision, depth 20."
    document = {"experiment": name, "budget": budget, "outcomes": outcomes}
    return ExperimentReport(name, summary, _HEAD, tuple(rows), document)


FIG4 = "boney-fig4"
FIG4_TITLE = "How many of the states reached at a depth a search knew already, Pommerman"
FIG4_PLANNERS = ("fdts", "fdts:bandit=ucb1", "simultaneous-mcts", "simultaneous-mcts:bandit=ucb1")
FIG4_GAMES = 20
_DEPTHS = 20


def run_fig4(
    games: int | None = None,
    budget: str | None = None,
    seed: int = 0,
    on_progress: Callable[[str, int, int], None] | None = None,
    planners: Sequence[str] = FIG4_PLANNERS,
) -> ExperimentReport:
    """Pool the revisit ratios over whole games, the planner on a rotating seat against three bots."""
    from tactician.experiments.figures import revisit_figure, revisits_over_game_figure

    wanted, given = games or FIG4_GAMES, budget or BUDGET
    ratios: dict[str, list[float | None]] = {}
    over_game: dict[str, dict[int, list[float]]] = {}
    for planner in planners:
        # States reached and states known, by the step of the game and the depth of the search.
        counts = np.zeros((2, _MOST_STEPS, _DEPTHS))
        for number in range(wanted):
            _play_counting(planner, seed + number, number % 4, given, counts)
            if on_progress:
                on_progress(planner, number + 1, wanted)
        pooled = _ratio(counts.sum(axis=1)).tolist()
        ratios[planner] = [None if math.isnan(ratio) else ratio for ratio in pooled]
        over_game[planner] = {depth: _smoothed(counts[:, :, depth - 1]).tolist() for depth in _SHOWN_DEPTHS}
    head = ("planner", *(f"depth {d}" for d in _PRINTED_DEPTHS))
    rows = tuple((name, *(_shown(v[d - 1]) for d in _PRINTED_DEPTHS)) for name, v in ratios.items())
    summary = (
        f"{FIG4_TITLE}. Pooled over {wanted} games a planner, {given} a decision, horizon {_DEPTHS}. MCTS reaches a "
        "depth only through states it knows, hence its other shape. The paper prints no numbers."
    )
    document = {"experiment": FIG4, "games": wanted, "budget": given, "seed": seed, "ratios": ratios}
    figures = {FIG4: revisit_figure(ratios), f"{FIG4}-steps": revisits_over_game_figure(over_game)}
    return ExperimentReport(FIG4, summary, head, rows, document, figures)


_MOST_STEPS = 801
_SHOWN_DEPTHS = (1, 2, 4, 8)
_PRINTED_DEPTHS = (1, 2, 3, 4, 5, 6, 8, 10, 15, 20)
_WINDOW = 25
"""Steps over which the curves are averaged: the paper's low-pass filter."""


def _shown(ratio: float | None) -> str:
    return "" if ratio is None else f"{ratio:.3f}"


def _ratio(counts: NDArray[np.float64]) -> NDArray[np.float64]:
    reached, known = counts
    return np.divide(known, reached, out=np.full_like(known, np.nan), where=reached > 0)


def _smoothed(counts: NDArray[np.float64]) -> NDArray[np.float64]:
    """The ratio over a window of steps; not a number where no state was reached."""
    window = np.ones(_WINDOW)
    return _ratio(np.stack([np.convolve(row, window, mode="same") for row in counts]))


def _play_counting(planner: str, seed: int, seat: int, budget: str, counts: NDArray[np.float64]) -> None:
    """Play one game and add up what the planner's searches knew at each step and depth."""
    from tactician.games.pommerman.agents import RuleBasedPlayer

    game = load_game(_GAME + (_FDTS_KEY if planner.startswith("fdts") else _MCTS_KEY))
    agent = parse_planner(planner).on(game, seed=seed)
    assert isinstance(agent, SimultaneousAgent)
    players: list[Seat] = [RuleBasedPlayer(game).seeded(4 * seed + other) for other in range(4)]
    players[seat] = agent
    state, step = game.initial_state(seed=seed), 0
    while not state.is_over() and len(state.legal_actions(seat)) > 1:
        joint = []
        for other, player in enumerate(players):
            plan = player.plan(state, budget, ply=step, seat=other)
            joint.append(plan.actions[0] if len(state.legal_actions(other)) > 1 else 0)
            if other == seat:
                found = np.array(plan.stats.revisits[:_DEPTHS], float).reshape(-1, 2).T
                counts[:, step, : found.shape[1]] += found
        state.apply(joint)
        step += 1
