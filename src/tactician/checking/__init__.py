"""Is a game right? `check_game` looks for mistakes in its rules, `recordings` replays recorded games of another engine.

A check gets a `Visit` (one position on the way of a random game) and returns what is wrong, or None. Each module lists
its checks in a table at the end. Names are imported when they are first used: planning needs none of them.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from tactician.importing import lazy_package

if TYPE_CHECKING:
    from tactician.checking.check import check_game
    from tactician.checking.report import CheckReport, Finding

__all__ = ["CheckReport", "Finding", "check_game"]

lazy_package(
    __name__,
    {
        "CheckReport": "tactician.checking.report:CheckReport",
        "Finding": "tactician.checking.report:Finding",
        "check_game": "tactician.checking.check:check_game",
    },
)
