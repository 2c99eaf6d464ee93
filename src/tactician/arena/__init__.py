"""Planners against each other: tournaments that resume, and what their results say.

Names are imported when they are first used: a process that plays games needs neither databases nor statistics.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from tactician.importing import lazy_package

if TYPE_CHECKING:
    from tactician.arena.match import play, replay
    from tactician.arena.ratings import Ratings, rate_agents
    from tactician.arena.records import GameRecord, Pairing, Turn
    from tactician.arena.schedule import TournamentPlan
    from tactician.arena.statistics import PairedScore, Score, Sprt, size_verdict, sprt, wilson_interval, winner_verdict
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
    "size_verdict",
    "sprt",
    "stronger",
    "tournament",
    "wilson_interval",
    "winner_verdict",
]

lazy_package(
    __name__,
    {
        "GameRecord": "tactician.arena.records:GameRecord",
        "PairedScore": "tactician.arena.statistics:PairedScore",
        "Pairing": "tactician.arena.records:Pairing",
        "Ratings": "tactician.arena.ratings:Ratings",
        "ResultStore": "tactician.arena.store:ResultStore",
        "Score": "tactician.arena.statistics:Score",
        "Sprt": "tactician.arena.statistics:Sprt",
        "Tournament": "tactician.arena.tournament:Tournament",
        "TournamentPlan": "tactician.arena.schedule:TournamentPlan",
        "Turn": "tactician.arena.records:Turn",
        "open_store": "tactician.arena.store:open_store",
        "play": "tactician.arena.match:play",
        "rate_agents": "tactician.arena.ratings:rate_agents",
        "replay": "tactician.arena.match:replay",
        "run": "tactician.arena.tournament:run",
        "sprt": "tactician.arena.statistics:sprt",
        "stronger": "tactician.arena.tournament:stronger",
        "tournament": "tactician.arena.tournament:tournament",
        "size_verdict": "tactician.arena.statistics:size_verdict",
        "winner_verdict": "tactician.arena.statistics:winner_verdict",
        "wilson_interval": "tactician.arena.statistics:wilson_interval",
    },
)
