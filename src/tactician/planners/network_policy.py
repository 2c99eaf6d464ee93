"""A follower's network as the rule `policy`: searches expect of a player what the network would do.

The network sees what the player sees in the simulated state, so it is evaluated once for each decision of a player in
each simulation. That takes a tenth of a millisecond or more, where a compiled policy takes microseconds.
"""

from __future__ import annotations

import ctypes
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from tactician.contract.game import Game
from tactician.contract.random import WORDS, python_next, stream
from tactician.contract.state import State
from tactician.followers.model import load_model
from tactician.followers.seat import Follower
from tactician.native.abi import RULE_BY_NAME, RULES
from tactician.native.tables import python_table

_VALUES = "values"
_SHARPNESS = 20.0
"""How much likelier a better action is where a network says what actions are worth: a win is worth 1 more than a loss,
and an action that is worth 0.1 more is taken about seven times as often."""
_POLICY = RULES.index(RULE_BY_NAME["policy"])


class NetworkPolicy:
    """The network of a file, asked by kernels."""

    def __init__(self, game: Game, path: str) -> None:
        model = load_model(Path(path))
        self._game = game
        self.follower = Follower(game, model)
        settings = model.card.training.get("settings", {})
        self._worths = self.follower.encoding.maps > 0 or settings.get("target") == _VALUES
        self._words = len(game.initial_state(seed=0).words)
        self._callback = python_table({"policy": self.act})

    def table(self, addresses: NDArray[np.int64]) -> NDArray[np.int64]:
        """A game's function table with this policy in it; it must not outlive this object."""
        changed = addresses.copy()
        changed[_POLICY] = self._callback.addresses[_POLICY]
        return changed

    def probabilities(self, state: State, player: int) -> tuple[list[int], NDArray[np.float64]]:
        """The actions that a player may take, and how likely each is."""
        encoding = self.follower.encoding
        options = [action for action in encoding.options(state, player) if action in state.legal_actions(player)]
        if len(options) < 2:
            return options or state.legal_actions(player)[:1], np.ones(1)
        ratings = self.follower.ratings(state, player)[encoding.outputs_of(options)].astype(np.float64)
        if self._worths:
            ratings = _SHARPNESS * (ratings if encoding.maps else 1 / (1 + np.exp(-ratings)))
        likely = np.exp(ratings - ratings.max())
        return options, likely / likely.sum()

    def act(self, _g: int, s: int, player: int, rng: int) -> int:
        """The rule: an action drawn for a player of the state at an address, with the stream at another."""
        words: NDArray[np.uint64] = np.ctypeslib.as_array((ctypes.c_uint64 * self._words).from_address(s)).copy()
        options, likely = self.probabilities(State(self._game, words, stream(0)), player)
        drawn = (python_next((ctypes.c_uint64 * WORDS).from_address(rng)) >> 11) * 2.0**-53
        place = int(np.searchsorted(np.cumsum(likely), drawn, side="right"))
        return options[min(place, len(options) - 1)]
