"""Learned ratings: a file of weights for the features that a game rates actions by.

A game whose `rate_actions` is a weighted sum lists the places of the weights in its configuration (`rating_weights`).
What an action's features are is then found by rating it with one weight at a time.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from tactician.contract.random import stream
from tactician.errors import InvalidParameterError, InvalidStateError
from tactician.files import json_text, parse_json, reason, shown, write_files

if TYPE_CHECKING:
    from tactician.contract.game import Game
    from tactician.contract.state import State

FORMAT = "tactician-ratings/1"


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
    document = {
        "format": FORMAT, "game": game.name, "version": game.version, "weights": dict(weights), "training": training
    }  # fmt: skip
    write_files({path: (json_text(document, indent=1) + "\n").encode()})


def read_training(path: Path) -> dict[str, Any]:
    """How the weights of a file were learned."""
    return dict(_document(path).get("training", {}))


def read_ratings(game: Game, path: Path) -> dict[str, float]:
    """The weights of a file; refuses those of another game, and numbers that are none."""
    what, document = f"ratings {shown(path)}", _document(path)
    if (document.get("game"), document.get("version")) != (game.name, game.version):
        raise InvalidParameterError(
            f"{what} was learned for {document.get('game')!r} version {document.get('version')}; expected "
            f"{game.name!r} version {game.version}."
        )
    weights = document.get("weights")
    if not isinstance(weights, dict) or not all(
        isinstance(value, int | float) and math.isfinite(value) for value in weights.values()
    ):
        raise InvalidParameterError(f"{what} has weights that are not numbers; expected a finite number for each name.")
    return {str(name): float(value) for name, value in weights.items()}


def _document(path: Path) -> dict[str, Any]:
    what = f"ratings {shown(path)}"
    try:
        document = parse_json(path.read_text(encoding="utf-8"), what)
    except InvalidStateError as error:
        raise InvalidParameterError(str(error)) from error
    except (OSError, ValueError) as error:
        why = reason(error) if isinstance(error, OSError) else str(error)
        raise InvalidParameterError(f"{what} can't be read: {why}.") from error
    if not isinstance(document, dict) or document.get("format") != FORMAT:
        raise InvalidParameterError(f"{what} is not a file of the format {FORMAT!r}.")
    return document
