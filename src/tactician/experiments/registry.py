"""The experiments by name, and one function that runs any of them."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from tactician.arena.store import open_store
from tactician.arena.tournament import Tournament
from tactician.errors import UnknownNameError
from tactician.experiments import baier, justesen, search
from tactician.experiments.base import Cell, Experiment, run_experiment
from tactician.experiments.report import Report, matches_report, search_report
from tactician.planners.presets import PRESETS

EXPERIMENTS: dict[str, Experiment] = {
    experiment.name: experiment for experiment in (justesen.TABLE2, justesen.FIG5, baier.TABLE1, baier.SEEDING)
}
"""The experiments made of matches; a new one is one name here."""

_SEARCH_SECONDS = 1.5


def experiment_list() -> list[dict[str, Any]]:
    """Every experiment with its size and about how many hours it takes here at the paper's size, on one core."""
    shown = [
        {
            "name": experiment.name,
            "title": experiment.title,
            "cells": len(experiment.cells),
            "games": experiment.games,
            "hours": 2 * len(experiment.cells) * experiment.games * experiment.seconds_a_game / 3600,
        }
        for experiment in EXPERIMENTS.values()
    ]
    searches = 2 * len(search.PLANNERS) * search.POSITIONS
    hours = searches * _SEARCH_SECONDS / 3600
    shown.append(
        {"name": search.NAME, "title": search.TITLE, "cells": len(search.PLANNERS), "games": 0, "hours": hours}
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
    heard: Callable[[str, int, int], None] | None = None,
) -> Report:
    """Run an experiment, or the rest of it, and report ours beside the paper's; `heard` gets what is done, how far."""
    if preset != "both" and preset not in PRESETS:
        raise UnknownNameError("preset", preset, (*PRESETS, "both"))
    say = heard or (lambda _what, _done, _total: None)
    if name == search.NAME:
        positions, given = games or search.POSITIONS, budget or search.BUDGET
        readings = PRESETS if preset == "both" else (preset,)
        rows = search.run_search(positions, given, readings, seed, lambda done, total: say(name, done, total))
        return search_report(rows, given, positions)
    if name not in EXPERIMENTS:
        raise UnknownNameError("experiment", name, (*EXPERIMENTS, search.NAME))

    def after_game(cell: Cell, reading: str, result: Tournament) -> None:
        say(f"{cell.name} ({reading})", len(result.records), result.total)

    with open_store(store) as kept:
        outcomes = run_experiment(EXPERIMENTS[name], kept, games, budget, preset, only, seed, jobs, cluster, after_game)
    return matches_report(EXPERIMENTS[name], outcomes)
