"""The loops that are timed: each does one thing n times through the function table, as planners do."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from tactician.contract import calls
from tactician.contract.calls import Addresses
from tactician.contract.random import next_word
from tactician.native.caching import kernel
from tactician.native.memory import Address, address, copy_bytes, int64


@kernel
def spin(rng: NDArray[np.uint64], n: int) -> np.uint64:
    """The calibration loop: n draws of the random stream, nothing of any game."""
    total = np.uint64(0)
    for _ in range(n):
        total ^= next_word(rng)
    return total


@kernel
def copy_states(states: NDArray[np.uint64], state_bytes: int, n: int) -> None:
    """Copy the first of a small pool of states over the others, one after the other."""
    first = address(states)
    stride = states.shape[1] * 8
    others = states.shape[0] - 1
    for i in range(n):
        copy_bytes(first + (1 + i % others) * stride, first, state_bytes)


@kernel
def list_legal(table: Addresses, g: Address, s: Address, player: int, out: Address, n: int) -> int:
    """Make the legal list n times."""
    count = 0
    for _ in range(n):
        count += calls.legal_actions(table, g, s, player, out)
    return count


@kernel
def list_candidates(
    table: Addresses, g: Address, s: Address, player: int, out: Address, rng: NDArray[np.uint64], n: int
) -> int:
    """Make the list of candidates n times."""
    count = 0
    for _ in range(n):
        count += calls.candidate_actions(table, g, s, player, out, address(rng))
    return count


@kernel
def evaluate(table: Addresses, g: Address, s: Address, out: Address, n: int) -> None:
    """Evaluate a state n times."""
    for _ in range(n):
        calls.evaluate(table, g, s, out)


@kernel
def replay(
    table: Addresses,
    g: Address,
    start: Address,
    work: Address,
    actions: NDArray[np.int32],
    rng: NDArray[np.uint64],
    state_bytes: int,
    n: int,
) -> None:
    """Apply a recorded game's actions from its start, n times over."""
    for _ in range(n):
        copy_bytes(work, start, state_bytes)
        for i in range(actions.shape[0]):
            calls.apply(table, g, work, int64(actions[i]), address(rng))


@kernel
def playouts(
    table: Addresses,
    g: Address,
    start: Address,
    work: Address,
    out: Address,
    rng: NDArray[np.uint64],
    state_bytes: int,
    n: int,
) -> int:
    """Play n random games from the start to the end, uniform over the legal actions; returns the number of actions."""
    count = 0
    for _ in range(n):
        copy_bytes(work, start, state_bytes)
        while calls.is_over(table, g, work) == 0 and calls.error(g) == 0:
            player = calls.current_player(table, g, work)
            calls.apply(table, g, work, calls.random_action(table, g, work, player, out, rng), address(rng))
            count += 1
    return count
