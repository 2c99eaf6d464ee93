"""Is a game right? `check_game` looks for mistakes in its rules, `recordings` replays recorded games of another engine.

A check gets a `Visit` (one position on the way of a random game) and returns what is wrong, or None. Each module lists
its checks in a table at the end.
"""

from tactician.checking.check import check_game
from tactician.checking.report import CheckReport, Finding

__all__ = ["CheckReport", "Finding", "check_game"]
