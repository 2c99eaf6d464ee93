"""How fast everything is, measured the same way everywhere: one thread, CPU time, medians, after warm-up."""

from tactician.bench.figures import BenchReport, reference_of, run_bench
from tactician.checking.speed import Figure

__all__ = ["BenchReport", "Figure", "reference_of", "run_bench"]
