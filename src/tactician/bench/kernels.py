"""The loops that are timed: each does one thing n times through the function table, as planners do."""

from __future__ import annotations

from typing import Any

import numpy as np

from tactician.contract import calls
from tactician.contract.random import below, next_word
from tactician.native.caching import kernel
from tactician.native.memory import address, copy_bytes, load_i32


@kernel
def spin(rng: Any, n: Any) -> Any:
    """The calibration loop: n draws of the random stream, nothing of any game."""
    total = np.uint64(0)
    for _ in range(n):
        total ^= next_word(rng)
    return total


@kernel
def copy_states(states: Any, bytes_each: Any, n: Any) -> None:
    """Copy the first of a small pool of states over the others, one after the other."""
    first = address(states)
    stride = states.shape[1] * 8
    others = states.shape[0] - 1
    for i in range(n):
        copy_bytes(first + (1 + i % others) * stride, first, bytes_each)


@kernel
def list_legal(table: Any, g: Any, s: Any, player: Any, out: Any, n: Any) -> Any:
    """Make the legal list n times."""
    count = 0
    for _ in range(n):
        count += calls.legal_actions(table, g, s, player, out)
    return count


@kernel
def list_candidates(table: Any, g: Any, s: Any, player: Any, out: Any, rng: Any, n: Any) -> Any:
    """Make the list of candidates n times."""
    count = 0
    for _ in range(n):
        count += calls.candidate_actions(table, g, s, player, out, address(rng))
    return count


@kernel
def evaluate(table: Any, g: Any, s: Any, out: Any, n: Any) -> None:
    """Evaluate a state n times."""
    for _ in range(n):
        calls.evaluate(table, g, s, out)


@kernel
def replay(table: Any, g: Any, start: Any, work: Any, actions: Any, rng: Any, bytes_each: Any, n: Any) -> None:
    """Apply a recorded game's actions from its start, n times over."""
    for _ in range(n):
        copy_bytes(work, start, bytes_each)
        for i in range(actions.shape[0]):
            calls.apply(table, g, work, actions[i], address(rng))


@kernel
def playouts(table: Any, g: Any, start: Any, work: Any, out: Any, rng: Any, bytes_each: Any, n: Any) -> Any:
    """Play n random games from the start to the end, uniform over the candidates; returns the number of actions."""
    count = 0
    for _ in range(n):
        copy_bytes(work, start, bytes_each)
        while calls.is_over(table, g, work) == 0 and calls.error(g) == 0:
            player = calls.current_player(table, g, work)
            options = calls.candidate_actions(table, g, work, player, out, address(rng))
            calls.apply(table, g, work, load_i32(out, below(rng, options)), address(rng))
            count += 1
    return count
