"""Whole battles of two players that choose at random, in compiled code: for statistics and for measuring speed."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from tactician.contract import calls
from tactician.contract.game import Game
from tactician.contract.random import stream
from tactician.contract.state import State
from tactician.games.royale.actions import DEPLOY
from tactician.games.royale.arena import PLAYERS, REGULAR_TICKS
from tactician.games.royale.deployment import draw_candidate
from tactician.native.caching import allocating_kernel
from tactician.native.memory import address, copy_bytes

_TICKS, _STEPS, _PLAYS, _OVERTIME, _MOST_AT_ONCE = range(5)
"""What the kernel counts."""
_COUNTERS = 5


@dataclass(frozen=True)
class RandomPlay:
    """What happened in some random battles."""

    winners: tuple[int, ...]
    """The winner of each battle: 0, 1, or -1 for a draw."""
    ticks: int
    """The length of all battles together."""
    steps: int
    """Decision steps."""
    plays: int
    """Cards played, by both players."""
    overtime: int
    """Battles that were longer than the regular time."""
    most_troops: int
    """The most troops that a player had at the end of a step."""


class RandomBattles:
    """Plays battles of random players from the starts of the seeds 0, 1, 2 and so on, up to `starts` different ones."""

    def __init__(self, game: Game, starts: int, seed: int = 0) -> None:
        self._game = game
        self._starts = np.stack([game.initial_state(seed=number).words for number in range(starts)])
        self._configs, self._states = records_of(game.initial_state())
        self._rng = stream(seed)

    def play(self, battles: int) -> RandomPlay:
        """Play battles one after another; both players draw from what planners consider, with equal chances."""
        counters, winners = np.zeros(_COUNTERS, np.int64), np.zeros(battles, np.int64)
        with self._game.searching():
            table = self._game.table.addresses
            _play(table, self._configs, self._states, self._starts, self._rng, counters, winners)
        return RandomPlay(
            winners=tuple(winners.tolist()),
            ticks=int(counters[_TICKS]),
            steps=int(counters[_STEPS]),
            plays=int(counters[_PLAYS]),
            overtime=int(counters[_OVERTIME]),
            most_troops=int(counters[_MOST_AT_ONCE]),
        )


def records_of(state: State) -> tuple[Any, Any]:
    """Return the configuration and the state as arrays of one record each, as kernels take them."""
    config, record = state.game.backend.config, state.game.backend.state
    configs = state.game.config_words().view(np.uint8)[: config.itemsize].view(config)
    return configs, state.words.view(np.uint8)[: record.itemsize].view(record)


@allocating_kernel
def _play(table: Any, configs: Any, states: Any, starts: Any, rng: Any, counters: Any, winners: Any) -> None:
    """Play a battle for each entry of `winners`; `states` is the state to play in."""
    g, s = address(configs), address(states)
    size = 8 * starts.shape[1]
    joint = np.zeros(PLAYERS, np.int32)
    values = np.zeros(PLAYERS)
    for battle in range(winners.shape[0]):
        copy_bytes(s, address(starts[battle % starts.shape[0]]), size)
        while calls.is_over(table, g, s) == 0:
            for player in range(PLAYERS):
                joint[player] = draw_candidate(configs[0], states[0], player, rng)
                counters[_PLAYS] += int(joint[player] >= DEPLOY)
            calls.apply_joint(table, g, s, address(joint), address(rng))
            counters[_STEPS] += 1
            most = max(int(states[0].n_troops[0]), int(states[0].n_troops[1]))
            counters[_MOST_AT_ONCE] = max(counters[_MOST_AT_ONCE], most)
        calls.returns(table, g, s, address(values))
        winners[battle] = -1 if values[0] == 0.0 else int(values[0] < 0.0)
        counters[_TICKS] += int(states[0].tick)
        counters[_OVERTIME] += int(states[0].tick > REGULAR_TICKS)
