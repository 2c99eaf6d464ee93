"""The experiments by name, and one function that runs any of them."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, Protocol

from tactician.arena.store import open_store
from tactician.arena.tournament import Tournament
from tactician.errors import InvalidParameterError, UnknownNameError
from tactician.experiments import baier, justesen, montoliu, search
from tactician.experiments.base import Cell, Experiment, run_experiment
from tactician.experiments.report import Report, matches_report, search_report
from tactician.planners.presets import PRESETS

EXPERIMENTS: dict[str, Experiment] = {
    experiment.name: experiment
    for experiment in (
        justesen.TABLE2,
        justesen.FIG5,
        baier.TABLE1,
        baier.SEEDING,
        montoliu.TABLE1,
        montoliu.TABLE2,
    )
}
"""The experiments made of matches; a new one is one name here."""

Heard = Callable[[str, int, int], None]


@dataclass(frozen=True)
class Order:
    """What a run is asked for."""

    games: int | None
    budget: str | None
    preset: str
    seed: int
    jobs: int
    cluster: str | None
    store: str | None
    say: Heard
    only: Sequence[str] = ()


class Runner(Protocol):
    """Runs an experiment that is not made of matches."""

    def __call__(self, order: Order) -> Report:
        """Run it, or the rest of it."""


@dataclass(frozen=True)
class Other:
    """An experiment that is not made of matches."""

    title: str
    cells: int
    size: int
    hours: float
    run: Runner


def _run_search(order: Order) -> Report:
    positions, given = order.games or search.POSITIONS, order.budget or search.BUDGET
    readings = PRESETS if order.preset == "both" else (order.preset,)
    rows = search.run_search(
        positions, given, readings, order.seed, lambda done, total: order.say(search.NAME, done, total)
    )
    return search_report(rows, given, positions)


def _run_fig3(order: Order) -> Report:
    from tactician.experiments.tuning import run_fig3

    journal = None if order.store is None else _journal_beside(order.store)
    return run_fig3(order.games, order.budget, order.seed, order.jobs, order.cluster, journal, order.say)


def _journal_beside(store: str) -> str:
    if "://" in store:
        raise InvalidParameterError(f"store is {store!r}; a tuning run keeps a journal, expected a file.")
    return f"{store}.fig3.jsonl"


def _run_actions(order: Order) -> Report:
    from tactician.experiments.tuning import run_actions

    return run_actions(order.games, order.seed, order.say)


def _run_boney(name: str) -> Runner:
    def run(order: Order) -> Report:
        from tactician.experiments.boney import run_table

        return run_table(
            name,
            order.games,
            order.budget,
            order.only,
            order.seed,
            order.jobs,
            order.cluster,
            order.store,
            order.say,
        )

    return run


def _run_fig4(order: Order) -> Report:
    from tactician.experiments.boney import run_fig4

    return run_fig4(order.games, order.budget, order.seed, order.say)


OTHERS: dict[str, Other] = {
    search.NAME: Other(search.TITLE, len(search.PLANNERS), 0, 0.1, _run_search),
    "montoliu-fig3": Other(
        "The weights NTBEA recommends as it goes on, LOCM; --games counts evaluations", 1, 10_000, 0.6, _run_fig3
    ),
    "montoliu-actions": Other("How many actions are possible in a turn of LOCM", 1, 60, 0.01, _run_actions),
    "boney-table2": Other("Planners against three rule-based bots, Pommerman", 8, 400, 1.0, _run_boney("boney-table2")),
    "boney-table3": Other("MCTS with and without rollouts, Pommerman", 4, 400, 0.4, _run_boney("boney-table3")),
    "boney-fig4": Other("How often searches find states again, Pommerman", 4, 20, 0.05, _run_fig4),
}
"""The others."""


def experiment_list() -> list[dict[str, Any]]:
    """Every experiment with its size and about how many hours it takes here at the paper's size, on one core."""
    shown: list[dict[str, Any]] = [
        {
            "name": experiment.name,
            "title": experiment.title,
            "cells": len(experiment.cells),
            "games": experiment.games,
            "hours": len(experiment.presets)
            * len(experiment.cells)
            * experiment.games
            * experiment.seconds_a_game
            / 3600,
        }
        for experiment in EXPERIMENTS.values()
    ]
    for name, other in OTHERS.items():
        shown.append(
            {"name": name, "title": other.title, "cells": other.cells, "games": other.size, "hours": other.hours}
        )
    return shown


def reproduce(
    name: str,
    games: int | None = None,
    budget: str | None = None,
    preset: str = "both",
    only: Sequence[str] = (),
    seed: int = 0,
    jobs: int = 1,
    cluster: str | None = None,
    store: str | None = None,
    heard: Heard | None = None,
) -> Report:
    """Run an experiment, or the rest of it, and report ours beside the paper's; `heard` gets what is done, how far."""
    if preset != "both" and preset not in PRESETS:
        raise UnknownNameError("preset", preset, (*PRESETS, "both"))
    say = heard or (lambda _what, _done, _total: None)
    if name in OTHERS:
        return OTHERS[name].run(Order(games, budget, preset, seed, jobs, cluster, store, say, only))
    if name not in EXPERIMENTS:
        raise UnknownNameError("experiment", name, (*EXPERIMENTS, *OTHERS))

    def after_game(cell: Cell, reading: str, result: Tournament) -> None:
        say(f"{cell.name} ({reading})", len(result.records), result.total)

    with open_store(store) as kept:
        outcomes = run_experiment(EXPERIMENTS[name], kept, games, budget, preset, only, seed, jobs, cluster, after_game)
    return matches_report(EXPERIMENTS[name], outcomes)
