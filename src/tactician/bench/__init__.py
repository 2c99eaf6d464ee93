"""How fast everything is, measured the same way everywhere: one thread, CPU time, medians, after warm-up."""

from tactician.bench.figures import BenchReport, Figure, run_bench

__all__ = ["BenchReport", "Figure", "run_bench"]
