"""Planners against each other: tournaments that resume, and what their results say."""

from tactician.arena.match import play, replay
from tactician.arena.ratings import Ratings, rate_agents
from tactician.arena.records import GameRecord, Pairing, Turn
from tactician.arena.schedule import TournamentPlan
from tactician.arena.statistics import PairedScore, Score, Sprt, sprt, verdict, wilson_interval
from tactician.arena.store import ResultStore, open_store
from tactician.arena.tournament import Tournament, run, stronger, tournament

__all__ = [
    "GameRecord",
    "PairedScore",
    "Pairing",
    "Ratings",
    "ResultStore",
    "Score",
    "Sprt",
    "Tournament",
    "TournamentPlan",
    "Turn",
    "open_store",
    "play",
    "rate_agents",
    "replay",
    "run",
    "sprt",
    "stronger",
    "tournament",
    "verdict",
    "wilson_interval",
]
