"""Whole battles of two players that choose at random, in compiled code: for statistics and for measuring speed."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from tactician.contract import calls, random
from tactician.contract.game import Game
from tactician.contract.state import State
from tactician.games.royale.arena import PLAYERS
from tactician.games.royale.deployment import draw_candidate
from tactician.native.caching import kernel
from tactician.native.memory import address, copy_bytes

TICKS, STEPS, BATTLES, PLAYS, MOST_AT_ONCE = range(5)
"""What is counted: ticks, decision steps, finished battles, cards played, the most troops of a player."""
COUNTERS = 5


def records_of(state: State) -> tuple[Any, Any]:
    """The configuration and the state as arrays of one record each, as kernels take them."""
    config, record = state.game.backend.config, state.game.backend.state
    configs = state.game.config_words().view(np.uint8)[: config.itemsize].view(config)
    return configs, state.words.view(np.uint8)[: record.itemsize].view(record)


@kernel
def random_battles(
    table: Any, configs: Any, states: Any, starts: Any, rng: Any, counters: Any, winners: Any
) -> None:
    """Play a battle from each start; winners gets 0, 1, or -1 for a draw. `states` is one to work on."""
    g, s = address(configs), address(states)
    size = 8 * starts.shape[1]
    joint = np.zeros(PLAYERS, np.int32)
    values = np.zeros(PLAYERS)
    for battle in range(starts.shape[0]):
        copy_bytes(s, address(starts[battle]), size)
        while calls.is_over(table, g, s) == 0:
            for player in range(PLAYERS):
                joint[player] = draw_candidate(configs[0], states[0], player, rng)
                counters[PLAYS] += int(joint[player] > 8)
            calls.apply_joint(table, g, s, address(joint), address(rng))
            counters[STEPS] += 1
            counters[MOST_AT_ONCE] = max(counters[MOST_AT_ONCE], int(states[0].n_troops[0]), int(states[0].n_troops[1]))
        calls.returns(table, g, s, address(values))
        winners[battle] = -1 if values[0] == 0.0 else 0 if values[0] > 0.0 else 1
        counters[TICKS] += int(states[0].tick)
        counters[BATTLES] += 1
