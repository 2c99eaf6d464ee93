"""The experiments by name."""

from __future__ import annotations

from tactician.errors import UnknownNameError
from tactician.experiments import baier, justesen
from tactician.experiments.base import Experiment

EXPERIMENTS: dict[str, Experiment] = {
    experiment.name: experiment for experiment in (justesen.TABLE2, justesen.FIG5, baier.TABLE1, baier.SEEDING)
}
"""A new experiment is one name here."""


def find_experiment(name: str) -> Experiment:
    """The experiment of a name, or the nearest name in the refusal."""
    if name not in EXPERIMENTS:
        raise UnknownNameError("experiment", name, EXPERIMENTS)
    return EXPERIMENTS[name]
