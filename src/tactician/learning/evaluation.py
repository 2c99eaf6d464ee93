"""How strong a follower in training is: games against a fixed opponent, the same starts every time."""

from __future__ import annotations

from collections.abc import Sequence

from tactician.arena.agents import parse_agent
from tactician.arena.match import play
from tactician.arena.records import Pairing
from tactician.arena.seats import outcome_of
from tactician.arena.statistics import Score
from tactician.contract.game import Game
from tactician.followers.model import Model
from tactician.followers.seat import Follower
from tactician.learning.settings import Training
from tactician.seats.seat import Seat

_NAME = "follower"
_FIRST_SEED = 1_000_000
"""Evaluations start from other positions than training does."""


def strength(game: Game, model: Model, training: Training, numbers: Sequence[int]) -> Score:
    """How the games of these numbers end for the follower, the opponent in all other seats.

    The number of a game says in which seat the follower plays and from which start.
    """
    follower = Follower(game, model)
    opponents: list[Seat] = [parse_agent(training.opponent).on(game, training.game) for _ in range(game.players)]
    total = Score()
    for number in numbers:
        own = number % game.players
        names = tuple(_NAME if seat == own else training.opponent for seat in range(game.players))
        pairing = Pairing(training.game, names, training.budget, _FIRST_SEED + number // game.players, 0)
        seats = tuple(
            (follower if seat == own else opponents[seat]).seeded(seed) for seat, seed in enumerate(pairing.agent_seeds)
        )
        total += outcome_of(play(pairing, seats), own)
    return total
