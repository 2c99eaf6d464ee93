"""Planners against each other: games, pairings, and what the results say."""

from tactician.arena.statistics import Score, wilson_interval
from tactician.arena.tournament import GameRecord, Tournament, play_game, round_robin

__all__ = ["GameRecord", "Score", "Tournament", "play_game", "round_robin", "wilson_interval"]
