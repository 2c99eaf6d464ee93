"""Planners against each other: tournaments that resume, and what their results say."""

from tactician.arena.match import play, replay
from tactician.arena.records import GameRecord, Pairing, Turn
from tactician.arena.schedule import Plan
from tactician.arena.statistics import Score, wilson_interval
from tactician.arena.store import Store, open_store
from tactician.arena.tournament import Tournament, run, tournament

__all__ = [
    "GameRecord",
    "Pairing",
    "Plan",
    "Score",
    "Store",
    "Tournament",
    "Turn",
    "open_store",
    "play",
    "replay",
    "run",
    "tournament",
    "wilson_interval",
]
