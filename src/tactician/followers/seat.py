"""A follower in a seat of the arena, of a bot or of a board: one evaluation of its network for each action."""

from __future__ import annotations

from functools import lru_cache
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from tactician.contract.game import Game
from tactician.contract.planes import SYMMETRIES, turned
from tactician.contract.state import State
from tactician.errors import InvalidParameterError
from tactician.followers.model import Model, load_model
from tactician.seats.budget import Budget
from tactician.seats.plan import Plan
from tactician.seats.seat import BaseSeat, acting_seat


class Follower(BaseSeat):
    """Plays the action that its network rates highest, from what its seat sees."""

    def __init__(self, game: Game, model: Model, symmetric: bool = False) -> None:
        super().__init__()
        self.encoding = model.encoding_for(game)
        self._network = model.network()
        if symmetric and not self.encoding.symmetries:
            raise InvalidParameterError(
                f"encoding {self.encoding.name!r} of {game.name!r} has no symmetries; expected symmetric=False."
            )
        self._symmetries = range(SYMMETRIES if symmetric else 1)
        orders = self.encoding.symmetries or (tuple(range(self.encoding.outputs)),)
        self._orders = [np.array(order, np.int64) for order in orders]

    def ratings(self, state: State, seat: int) -> NDArray[np.float32]:
        """What the network says of every output; of several views of the board, their mean."""
        planes = self.encoding.planes_of(state, seat)
        if len(self._symmetries) == 1:
            return self._network(planes)
        said = [self._network(turned(planes, one))[self._orders[one]] for one in self._symmetries]
        return np.mean(said, axis=0, dtype=np.float32)

    def plan(self, state: State, budget: Budget | str, *, ply: int = 0, seat: int | None = None) -> Plan:
        """One action; the budget makes no difference."""
        acting = acting_seat(state, seat)
        options = self.encoding.options(state, acting)
        if len(options) == 1:
            return Plan((options[0],), None, state=state)
        ratings = self.ratings(state, acting)[self.encoding.outputs_of(options)]
        return Plan((options[int(np.argmax(ratings))],), None, state=state)


def follower_from(game: Game, path: Path, symmetric: bool = False) -> Follower:
    """The follower of a file, which is read once in a process unless it changes."""
    try:
        changed = path.stat().st_mtime_ns
    except (OSError, ValueError):
        changed = 0  # reading it says why
    return Follower(game, _loaded(path, changed), symmetric)


@lru_cache(maxsize=16)
def _loaded(path: Path, _changed: int) -> Model:
    return load_model(path)
