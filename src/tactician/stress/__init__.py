"""Stress tests: deadlines under load, crash recovery, many people at one board.

They depend on the machine, so no test runs them.
"""

from tactician.stress.board import BoardReport, stress_board
from tactician.stress.bot import BotReport, stress_bot
from tactician.stress.deadlines import DeadlineReport, stress_deadlines
from tactician.stress.kill import KillReport, stress_kill

__all__ = [
    "BoardReport",
    "BotReport",
    "DeadlineReport",
    "KillReport",
    "stress_board",
    "stress_bot",
    "stress_deadlines",
    "stress_kill",
]
