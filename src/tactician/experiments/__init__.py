"""The papers' tables and figures as runs: what to play, what was reported, how ours compares."""

from tactician.experiments.base import Cell, Experiment, Outcome, run_experiment
from tactician.experiments.registry import EXPERIMENTS, find_experiment

__all__ = ["EXPERIMENTS", "Cell", "Experiment", "Outcome", "find_experiment", "run_experiment"]
