"""The experiments by name, and one function that runs any of them."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from difflib import SequenceMatcher
from typing import Any, Protocol

from tactician.arena.store import open_store
from tactician.arena.tournament import Tournament
from tactician.errors import InvalidParameterError, TacticianError, UnknownNameError
from tactician.experiments import baier, justesen, montoliu, search
from tactician.experiments.base import Cell, Experiment, run_experiment
from tactician.experiments.report import ExperimentReport, matches_report, search_report
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

    def __call__(self, order: Order) -> ExperimentReport:
        """Run it, or the rest of it."""


@dataclass(frozen=True)
class Other:
    """An experiment that is not made of matches."""

    title: str
    cells: int
    size: int
    hours: float
    run: Runner
    takes: tuple[str, ...]
    """The options it has a use for, besides those that every experiment takes."""
    names: Callable[[], Sequence[str]] = tuple
    """Of its cells, for --only."""
    presets: tuple[str, ...] = ("paper",)
    """The readings of the paper there are."""


class UnknownCellError(UnknownNameError):
    """A cell that an experiment does not have."""

    def __init__(self, experiment: str, name: str, cells: Sequence[str]) -> None:
        def likeness(cell: str) -> float:
            # Cells are named by the beginnings of their names.
            return SequenceMatcher(None, name.lower(), cell[: len(name)].lower()).ratio()

        near = sorted(cells, key=likeness, reverse=True)[:_NEAREST]
        few = "there are" if len(cells) <= _NEAREST else f"the nearest of {len(cells)} are"
        # Not the base's own sentence, which would list all of them.
        TacticianError.__init__(self, f"unknown cell of {experiment!r}: {name!r}; {few}: {'; '.join(near)}.")


_NEAREST = 4


def _run_search(order: Order) -> ExperimentReport:
    positions, given = order.games or search.POSITIONS, order.budget or search.BUDGET
    readings = PRESETS if order.preset == "both" else (order.preset,)
    rows = search.run_search(
        positions,
        given,
        readings,
        order.seed,
        lambda done, total: order.say(search.NAME, done, total),
        _chosen(search.PLANNERS, order.only),
        order.jobs,
        order.cluster,
        None if order.store is None else _journal_beside(order.store, "search"),
    )
    return search_report(rows, given, positions)


def _run_fig3(order: Order) -> ExperimentReport:
    from tactician.experiments.tuning import run_fig3

    journal = None if order.store is None else _journal_beside(order.store, "fig3")
    return run_fig3(order.games, order.budget, order.seed, order.jobs, order.cluster, journal, order.say)


def _journal_beside(store: str, what: str) -> str:
    if "://" in store:
        # The rest may hold a password.
        kind = store.partition("://")[0]
        raise InvalidParameterError(f"store is a URL ({kind}://...); this experiment keeps a journal, expected a file.")
    return f"{store}.{what}.jsonl"


def _run_actions(order: Order) -> ExperimentReport:
    from tactician.experiments.tuning import run_actions

    return run_actions(order.games, order.seed, order.say)


def _run_boney(name: str) -> Runner:
    def run(order: Order) -> ExperimentReport:
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


def _run_fig4(order: Order) -> ExperimentReport:
    from tactician.experiments.boney import FIG4_PLANNERS, run_fig4

    return run_fig4(order.games, order.budget, order.seed, order.say, _chosen(FIG4_PLANNERS, order.only))


def _chosen(names: Sequence[str], only: Sequence[str]) -> tuple[str, ...]:
    return tuple(name for name in names if not only or any(name.startswith(part) for part in only))


def _fig4_names() -> Sequence[str]:
    from tactician.experiments.boney import FIG4_PLANNERS

    return FIG4_PLANNERS


def _boney_names(table: str) -> Callable[[], Sequence[str]]:
    def names() -> Sequence[str]:
        from tactician.experiments.boney import TABLES

        return [column.name for column in TABLES[table]]

    return names


_PLAYED = ("--budget", "--only", "--out", "--jobs", "--cluster")

OTHERS: dict[str, Other] = {
    search.NAME: Other(
        search.TITLE,
        len(search.PLANNERS),
        search.POSITIONS,
        0.1,
        _run_search,
        _PLAYED,
        lambda: search.PLANNERS,
        PRESETS,
    ),
    "montoliu-fig3": Other(
        "The weights NTBEA recommends as it goes on, LOCM; --games counts evaluations",
        1,
        10_000,
        0.6,
        _run_fig3,
        ("--budget", "--out", "--jobs", "--cluster"),
    ),
    "montoliu-actions": Other("How many actions are possible in a turn of LOCM", 1, 60, 0.01, _run_actions, ()),
    **{
        name: Other(title, cells, 400, hours, _run_boney(name), _PLAYED, _boney_names(name))
        for name, title, cells, hours in (
            ("boney-table2", "Planners against three rule-based bots, Pommerman", 8, 1.0),
            ("boney-table3", "MCTS with and without rollouts, Pommerman", 4, 0.4),
        )
    },
    "boney-fig4": Other(
        "How often searches find states again, Pommerman", 4, 20, 0.05, _run_fig4, ("--budget", "--only"), _fig4_names
    ),
}
"""The others."""


def experiment_list() -> list[dict[str, Any]]:
    """Every experiment with its size and an estimate of the hours at the paper's size.

    The estimates are for one core of the machine on which they were measured.
    """
    shown: list[dict[str, Any]] = [
        {
            "name": experiment.name,
            "title": experiment.title,
            "cells": len(experiment.cells),
            "games": experiment.games,
            "hours": len(experiment.presets)
            * len({(cell.game, cell.planner, cell.opponent, cell.budget) for cell in experiment.cells})
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
    on_progress: Heard | None = None,
) -> ExperimentReport:
    """Run an experiment, or the rest of it, and report ours beside the paper's."""
    if preset != "both" and preset not in PRESETS:
        raise UnknownNameError("preset", preset, (*PRESETS, "both"))
    say = on_progress or (lambda _what, _done, _total: None)
    if name in OTHERS:
        order = Order(games, budget, preset, seed, jobs, cluster, store, say, only)
        _require_use(name, OTHERS[name], order)
        _require_cells(name, OTHERS[name].names(), only)
        return OTHERS[name].run(order)
    if name not in EXPERIMENTS:
        raise UnknownNameError("experiment", name, (*EXPERIMENTS, *OTHERS))
    _require_cells(name, [cell.name for cell in EXPERIMENTS[name].cells], only)

    def after_game(cell: Cell, reading: str, result: Tournament) -> None:
        say(f"{cell.name} ({reading})", len(result.records), result.total)

    with open_store(store) as kept:
        outcomes = run_experiment(EXPERIMENTS[name], kept, games, budget, preset, only, seed, jobs, cluster, after_game)
    return matches_report(EXPERIMENTS[name], outcomes)


def takes_store(name: str) -> bool:
    """Whether an experiment keeps anything, so that it can go on later."""
    return name not in OTHERS or "--out" in OTHERS[name].takes


def _require_use(name: str, other: Other, order: Order) -> None:
    """Refuse an option that would change nothing: whoever gives it expects that it does."""
    given = {
        "--budget": order.budget is not None,
        "--only": bool(order.only),
        "--out": order.store is not None,
        "--jobs": order.jobs != 1,
        "--cluster": order.cluster is not None,
    }
    useless = [option for option, is_given in given.items() if is_given and option not in other.takes]
    if useless:
        useful = ("--games", "--seed", "--report", *other.takes)
        raise InvalidParameterError(
            f"experiment {name!r} has no use for {' and '.join(useless)}; expected no more than {', '.join(useful)}."
        )
    if order.preset not in (*other.presets, "both"):
        raise UnknownNameError(f"preset of {name!r}:", order.preset, (*other.presets, "both"))


def _require_cells(experiment: str, cells: Sequence[str], only: Sequence[str]) -> None:
    for name in only:
        if not any(cell.startswith(name) for cell in cells):
            raise UnknownCellError(experiment, name, cells)
