"""The papers' tables and figures as runs: what to play, what was reported, how ours compares."""

from tactician.experiments.base import Cell, Experiment, Outcome, run_experiment
from tactician.experiments.registry import EXPERIMENTS, experiment_list, reproduce
from tactician.experiments.report import ExperimentReport

__all__ = [
    "EXPERIMENTS",
    "Cell",
    "Experiment",
    "ExperimentReport",
    "Outcome",
    "experiment_list",
    "reproduce",
    "run_experiment",
]
