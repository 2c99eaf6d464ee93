"""The papers' tables and figures as runs: what to play, what was reported, how ours compares."""

from tactician.experiments.base import Experiment, RunRequest
from tactician.experiments.registry import all_experiments, experiment_list, find_experiment, reproduce
from tactician.experiments.report import ExperimentReport

__all__ = [
    "Experiment",
    "ExperimentReport",
    "RunRequest",
    "all_experiments",
    "experiment_list",
    "find_experiment",
    "reproduce",
]
