"""Baier & Cowling 2018: Evolutionary MCTS against six opponents at three time settings and three action points."""

from __future__ import annotations

from tactician.experiments.claims import BEST
from tactician.experiments.matches import Cell, MatchExperiment

_PAPER = "Baier & Cowling 2018"
_POINTS = (5, 10, 15)
_GAMES = 400
_PRESETS = ("baier", "baier-root", "reference")
_PHASES = {200: 20, 1000: 40, 5000: 100}
"""EMCTS's phases as printed. Where nothing is said, the planner has 20, 45 and 100 at these rates."""
# EMCTS's win percentage at 5, 10 and 15 action points, by milliseconds a turn and opponent.
_TABLE1 = {
    200: {
        "greedy-action": (87.6, 97.8, 98.3),
        "greedy-turn": (96.9, 100, 100),
        "bridge-burning-mcts": (68.6, 88.8, 93.0),
        "non-exploring-mcts": (74.5, 91.8, 92.0),
        "oep": (77.8, 92.0, 94.8),
        "greedy-oep": (60.6, 59.5, 65.3),
    },
    1000: {
        "greedy-action": (88.1, 98.5, 99.3),
        "greedy-turn": (92.8, 99.0, 100),
        "bridge-burning-mcts": (67.1, 90.3, 94.5),
        "non-exploring-mcts": (65.5, 93.5, 97.3),
        "oep": (70.5, 84.8, 91.0),
        "greedy-oep": (52.5, 58.8, 61.8),
    },
    5000: {
        "greedy-action": (91.9, 99.0, 99.8),
        "greedy-turn": (78.1, 98.8, 100),
        "bridge-burning-mcts": (67.0, 90.3, 94.8),
        "non-exploring-mcts": (56.9, 94.8, 98.5),
        "oep": (69.0, 80.3, 87.5),
        "greedy-oep": (51.4, 59.0, 61.3),
    },
}

TABLE1 = MatchExperiment(
    name="baier-table1",
    title="EMCTS's win % against six opponents, Hero Academy",
    paper=_PAPER,
    claim="EMCTS beats all six opponents at 200 ms, 1 s and 5 s a turn and at 5, 10 and 15 action points; greedy OEP "
    "comes closest.",
    cells=tuple(
        Cell(
            name=f"{ms} ms {points} AP v {opponent}",
            game=f"hero-academy:action_points={points},turn_limit=200",
            planner="emcts",
            opponent=opponent,
            budget=f"ref:{ms}ms",
            paper=figures[column] / 100,
            paper_games=_GAMES,
            group=f"{ms} ms",
            parameter=points,
            variants=dict.fromkeys(("baier", "baier-root"), f"emcts:phases={_PHASES[ms]}"),
        )
        for ms, rows in _TABLE1.items()
        for column, points in enumerate(_POINTS)
        for opponent, figures in rows.items()
    ),
    presets=_PRESETS,
    axis="action points",
    size=_GAMES,
    seconds=6.0,
)

_BEST_SHARE = 0.2

SEEDING = MatchExperiment(
    name="baier-seeding",
    title="Greedy OEP with 1, 10, 20 and 50 % greedy turns in its first population, each against vanilla OEP",
    paper=_PAPER,
    claim="20 % greedy turns in the first population are best; the paper prints no figures.",
    cells=tuple(
        Cell(
            name=f"{share:.0%} greedy",
            game="hero-academy:turn_limit=200",
            planner=f"greedy-oep:greedy_seeds={share}",
            opponent="oep",
            budget="ref:200ms",
            paper=None,
            paper_games=_GAMES,
            claim=BEST if share == _BEST_SHARE else None,
        )
        for share in (0.01, 0.1, _BEST_SHARE, 0.5)
    ),
    presets=("baier", "reference"),
    size=_GAMES,
    seconds=2.0,
)

EXPERIMENTS = (TABLE1, SEEDING)
