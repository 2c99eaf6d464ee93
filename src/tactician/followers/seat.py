"""A follower in a seat of the arena, of a bot or of a board: one evaluation of its network for each action."""

from __future__ import annotations

from functools import lru_cache
from pathlib import Path

import numpy as np

from tactician.contract.game import Game
from tactician.contract.state import State
from tactician.followers.model import Model, load_model
from tactician.seats.budget import Budget
from tactician.seats.plan import Plan
from tactician.seats.seat import BaseSeat, acting_seat


class Follower(BaseSeat):
    """Plays the action that its network rates highest, from what its seat sees."""

    def __init__(self, game: Game, model: Model) -> None:
        super().__init__()
        self.encoding = model.encoding_for(game)
        self._network = model.network()

    def plan(self, state: State, budget: Budget | str, *, ply: int = 0, seat: int | None = None) -> Plan:
        """One action; the budget makes no difference."""
        acting = acting_seat(state, seat)
        options = self.encoding.options(state, acting)
        if len(options) == 1:
            return Plan((options[0],), None, state=state)
        ratings = self._network(self.encoding.planes_of(state, acting))[self.encoding.outputs_of(options)]
        return Plan((options[int(np.argmax(ratings))],), None, state=state)


def follower_from(game: Game, path: Path) -> Follower:
    """The follower of a file, which is read once in a process unless it changes."""
    try:
        changed = path.stat().st_mtime_ns
    except (OSError, ValueError):
        changed = 0  # reading it says why
    return Follower(game, _loaded(path, changed))


@lru_cache(maxsize=16)
def _loaded(path: Path, _changed: int) -> Model:
    return load_model(path)
