"""What only a clock or a kill can show, kept out of the tests: deadlines under load, games kept through kills."""

from tactician.stress.bot import BotReport, stress_bot
from tactician.stress.deadlines import DeadlineReport, stress_deadlines
from tactician.stress.kill import KillReport, stress_kill

__all__ = ["BotReport", "DeadlineReport", "KillReport", "stress_bot", "stress_deadlines", "stress_kill"]
