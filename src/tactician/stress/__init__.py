"""What only a clock or a kill can show, kept out of the tests: deadlines under load."""

from tactician.stress.deadlines import DeadlineReport, stress_deadlines

__all__ = ["DeadlineReport", "stress_deadlines"]
