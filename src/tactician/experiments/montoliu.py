"""Montoliu et al. 2020: the weights of a heuristic for Legends of Code and Magic, and what tuning them by NTBEA brings.

A match is the paper's: 600 pairs of decks, each from both sides. What the paper calls Random plays everything possible
in a random order, NoAI in the order in which the game lists it.
"""

from __future__ import annotations

import statistics
from collections.abc import Sequence
from typing import Any

from tactician.arena.records import GameRecord
from tactician.arena.tournament import Tournament
from tactician.experiments.base import Cell, Experiment, Outcome
from tactician.games.locm.positions import paper_start
from tactician.games.locm.records import FEATURES

READINGS = ("stats", "rank")
"""What a card is worth: the paper doesn't say. Both are run; the first is the one for everything that needs one."""
GAME = "locm:decks=paper,card_value=stats"
BUDGET = "500evals"
_GAMES = 1200
_TUNED = (3, 2, 5, 1, 1)
_ONES = (1, 1, 1, 1, 1)
_DAMAGE = (1, 0, 0, 0, 0)

_CLUSTERED = "Games with decks of one draft are one observation of ten; the paper's are taken to vary as much."


def oep(weights: Sequence[int]) -> str:
    """The paper's OEP with its five weights; it gives the second, which counts against a player, as a magnitude."""
    signed = [-weight if name == "threat" else weight for name, weight in zip(FEATURES, weights, strict=True)]
    return "permutation-oep:weights=" + ";".join(f"{n}={w}" for n, w in zip(FEATURES, signed, strict=True))


def _label(weights: Sequence[int]) -> str:
    named: dict[tuple[int, ...], str] = {_ONES: "OEP(1s)", _TUNED: "OEP(NTBEA)"}
    return named.get(tuple(weights), f"OEP({list(weights)})".replace(" ", ""))


def _cells(name: str, planner: str, opponent: str, paper: float) -> list[Cell]:
    """The row in both readings of a card's value."""
    return [
        Cell(
            f"{name}, {reading}",
            f"locm:decks=paper,card_value={reading}",
            planner,
            opponent,
            BUDGET,
            paper,
            _GAMES,
            group=reading,
        )
        for reading in READINGS
    ]


def draft_of(record: GameRecord) -> int:
    """Which of the ten drafts a game's decks come from: some are better for a planner than others."""
    return paper_start(record.pairing.seed).draft


def deck_details(result: Tournament) -> dict[str, Any]:
    """The first planner's win rate with each of the 30 decks, and the spread of those."""
    points: dict[str, list[float]] = {}
    for record in result.games():
        seat = record.pairing.seats.index(result.names[0])
        start = paper_start(record.pairing.seed)
        deck = start.first_deck if seat == 0 else start.second_deck
        points.setdefault(f"{start.draft}.{deck}", []).append((record.returns[seat] + 1) / 2)
    rates = {name: statistics.fmean(values) for name, values in sorted(points.items())}
    spread = statistics.stdev(rates.values()) if len(rates) > 1 else 0.0
    return {"decks": rates, "sd": spread}


def deck_figures(experiment: Experiment, outcomes: Sequence[Outcome]) -> dict[str, Any]:
    """Win rate deck by deck, a figure an opponent (the paper's Figures 4 to 6)."""
    from tactician.experiments.figures import deck_figure

    figures = {}
    shown = [outcome for outcome in outcomes if outcome.cell.group == READINGS[0]]
    for opponent in dict.fromkeys(outcome.cell.opponent for outcome in shown):
        chosen = {o.cell.name.partition(" v ")[0]: o.details["decks"] for o in shown if o.cell.opponent == opponent}
        name = _short(opponent)
        figures[f"{experiment.name}-{name.lower()}"] = deck_figure(chosen, f"against {name}")
    return figures


def _short(opponent: str) -> str:
    return {"random-order": "Random", "no-ai": "NoAI", "permutation-emcts": "EMCTS"}.get(opponent, "OEP([1,0,0,0,0])")


TABLE1 = Experiment(
    name="montoliu-table1",
    title="OEP with two features of the heuristic against OEP with the first alone, LOCM",
    cells=tuple(
        cell
        for weights, paper in (
            ((1, 1, 0, 0, 0), 0.68),
            ((1, 0, 1, 0, 0), 0.81),
            ((1, 0, 0, 1, 0), 0.55),
            ((1, 0, 0, 0, 1), 0.50),
            (_ONES, 0.856),
        )
        for cell in _cells(f"{_label(weights)} v OEP([1,0,0,0,0])", oep(weights), oep(_DAMAGE), paper)
    ),
    games=_GAMES,
    seconds_a_game=0.03,
    presets=("paper",),
    details=deck_details,
    cluster=draft_of,
    paper_spread={0.68: 0.12, 0.81: 0.11, 0.55: 0.12, 0.50: 0.11},
    note=_CLUSTERED,
)

TABLE2 = Experiment(
    name="montoliu-table2",
    title="NoAI, OEP with all weights 1 and OEP with the weights NTBEA found against three opponents, LOCM",
    cells=tuple(
        cell
        for name, planner, opponent, paper in (
            ("NoAI v Random", "no-ai", "random-order", 0.767),
            ("OEP(1s) v Random", oep(_ONES), "random-order", 0.901),
            ("OEP(NTBEA) v Random", oep(_TUNED), "random-order", 0.933),
            ("OEP(1s) v NoAI", oep(_ONES), "no-ai", 0.803),
            ("OEP(NTBEA) v NoAI", oep(_TUNED), "no-ai", 0.825),
            ("OEP(1s) v EMCTS", oep(_ONES), "permutation-emcts", 0.505),
            ("OEP(NTBEA) v EMCTS", oep(_TUNED), "permutation-emcts", 0.560),
        )
        for cell in _cells(name, planner, opponent, paper)
    ),
    games=_GAMES,
    seconds_a_game=0.03,
    presets=("paper",),
    details=deck_details,
    cluster=draft_of,
    figures=deck_figures,
    paper_spread={0.767: 0.057, 0.901: 0.039, 0.933: 0.036, 0.803: 0.057, 0.825: 0.058, 0.505: 0.022, 0.560: 0.021},
    note=_CLUSTERED + " The paper's spreads over decks in its last two rows are below what chance alone gives.",
)
