"""Learned ratings: a file of weights for the features that a game rates actions by.

A game whose `rate_actions` is a weighted sum lists the places of the weights in its configuration (`rating_weights`).
What an action's features are is then found by rating it with one weight at a time.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from tactician.contract.random import stream
from tactician.contract.weight_files import read_document, read_weights, write_weights
from tactician.errors import InvalidParameterError

if TYPE_CHECKING:
    from tactician.contract.game import Game
    from tactician.contract.state import State

FORMAT = "tactician-ratings/1"
_KIND = "ratings"


class ActionFeatures:
    """The features of actions in a game's states."""

    def __init__(self, game: Game) -> None:
        self.names = tuple(game.info.rating_weights)
        if not self.names:
            raise InvalidParameterError(f"game {game.name!r} has no rating weights; its ratings can't be learned.")
        self._games = [game.with_ratings(**{name: 1.0}) for name in self.names]

    def of(self, state: State, actions: Sequence[int]) -> NDArray[np.float64]:
        """[actions, features] of legal actions."""
        return np.array([self.rated(game, state, actions) for game in self._games], np.float64).T

    @staticmethod
    def rated(game: Game, state: State, actions: Sequence[int]) -> list[float]:
        """What the same game with other weights says of actions."""
        return type(state)(game, state.words, stream(0)).rate_actions(actions)


def write_ratings(path: Path, game: Game, weights: Mapping[str, float], training: Mapping[str, Any]) -> None:
    """Write learned weights, with how they were learned."""
    write_weights(path, FORMAT, game, weights, training)


def read_training(path: Path) -> dict[str, Any]:
    """How the weights of a file were learned."""
    return dict(read_document(path, _KIND, FORMAT).get("training", {}))


def read_ratings(game: Game, path: Path) -> dict[str, float]:
    """The weights of a file; refuses those of another game, and numbers that are none."""
    return read_weights(path, _KIND, FORMAT, game)
