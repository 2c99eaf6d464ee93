"""How fast everything is, measured the same way everywhere: one thread, CPU time, medians, after warm-up."""

from tactician.bench.figures import Figure, Report, run_bench

__all__ = ["Figure", "Report", "run_bench"]
