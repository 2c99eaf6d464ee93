"""The experiments by name: every file in `papers` is found by itself, and only the one that is needed is imported."""

from __future__ import annotations

import pkgutil
from importlib import import_module
from typing import Any

from tactician.errors import InvalidParameterError, UnknownNameError
from tactician.experiments import papers
from tactician.experiments.base import Experiment, RunRequest
from tactician.experiments.report import ExperimentReport


def reproduce(name: str, request: RunRequest | None = None) -> ExperimentReport:
    """Run an experiment, or the rest of it, and report ours beside the paper's."""
    return find_experiment(name).run(request or RunRequest())


def find_experiment(name: str) -> Experiment:
    """The experiment of this name; imports only the file that it stands in."""
    prefix = name.partition("-")[0]
    known = _load(prefix) if prefix in _modules() else {}
    if name not in known:
        raise UnknownNameError("experiment", name, all_experiments())
    return known[name]


def all_experiments() -> dict[str, Experiment]:
    """Every experiment by name."""
    return {name: experiment for module in _modules() for name, experiment in _load(module).items()}


def experiment_list() -> list[dict[str, Any]]:
    """Every experiment with its size and an estimate of the hours at the paper's size.

    The estimates are for one core of the machine on which they were measured.
    """
    return [
        {
            "name": experiment.name,
            "title": experiment.title,
            "paper": experiment.paper,
            "cells": max(1, len(experiment.cell_names)),
            "games": experiment.size,
            "unit": experiment.unit,
            "hours": experiment.hours,
        }
        for experiment in all_experiments().values()
    ]


def _modules() -> list[str]:
    return sorted(module.name for module in pkgutil.iter_modules(papers.__path__))


def _load(module: str) -> dict[str, Experiment]:
    """The experiments of one file."""
    found: dict[str, Experiment] = {}
    for experiment in import_module(f"{papers.__name__}.{module}").EXPERIMENTS:
        if not experiment.name.startswith(f"{module}-") or experiment.name in found:
            raise InvalidParameterError(
                f"experiment {experiment.name!r} stands in {module}.py; expected a name of its own that begins with "
                f"'{module}-'."
            )
        found[experiment.name] = experiment
    return found
