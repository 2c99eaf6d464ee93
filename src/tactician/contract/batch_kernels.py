"""Kernels that do one thing to many states: each runs over the states from `first` up to `last`.

A `Lane` is what one thread works with: its own copy of the configuration, with its own error cell, and its own list.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from tactician.contract import calls
from tactician.contract.calls import Addresses
from tactician.contract.random import below
from tactician.native import abi
from tactician.native.caching import inlined, kernel
from tactician.native.memory import Address, address, ask5, int64, load_i32, store_i64

NO_ACTION = -1
"""Instead of an action of a game that is over."""
_SIMULTANEOUS, _NO_ACTIONS, _TOO_MANY = abi.SIMULTANEOUS, abi.NO_ACTIONS, abi.TOO_MANY_ACTIONS
_NO_SUCH_PLAYER, _RANDOM_ACTION = abi.NO_SUCH_PLAYER, abi.RANDOM_ACTION


class Lane(NamedTuple):
    """One thread's hold on a game."""

    table: Addresses
    """[rules] the addresses of the rules."""
    g: Address
    """The thread's own configuration."""
    out: Address
    """Room for a list of actions."""
    max_actions: int
    """The most actions that a rule may list."""
    players: int
    """How many players there are."""


@inlined
def _fails(lane: Lane, code: int) -> int:
    if calls.error(lane.g) == 0:
        store_i64(lane.g, 0, code)
    return int64(0)


@inlined
def _state(states: NDArray[np.uint64], i: int) -> Address:
    return address(states) + i * states.shape[1] * 8


@inlined
def _stream(streams: NDArray[np.uint64], i: int) -> Address:
    return address(streams) + i * streams.shape[1] * 8


@inlined
def _listed(lane: Lane, s: Address, player: int) -> int:
    """Write a player's legal actions to the lane's list and return how many; 0 and a failure if that can't be."""
    return _possible(lane, calls.legal_actions(lane.table, lane.g, s, player, lane.out))


@inlined
def _possible(lane: Lane, n: int) -> int:
    """A number of legal actions; 0 and a failure if that can't be."""
    if n < 1 or n > lane.max_actions:
        return _fails(lane, _NO_ACTIONS if n < 1 else _TOO_MANY)
    return n


@inlined
def _mover(lane: Lane, s: Address) -> int:
    """Whose action it is, or SIMULTANEOUS; 0 and a failure if there is no such player."""
    player = calls.current_player(lane.table, lane.g, s)
    if player < _SIMULTANEOUS or player >= lane.players:
        return _fails(lane, _NO_SUCH_PLAYER)
    return player


@kernel
def find_movers(
    lane: Lane, states: NDArray[np.uint64], movers: NDArray[np.int64], over: NDArray[np.bool_], first: int, last: int
) -> None:
    """Whose action it is in each state, and which games are over."""
    for i in range(first, last):
        s = _state(states, i)
        over[i] = calls.is_over(lane.table, lane.g, s) != 0
        movers[i] = _mover(lane, s)


@kernel
def list_actions(
    lane: Lane,
    states: NDArray[np.uint64],
    players: NDArray[np.int64],
    actions: NDArray[np.int32],
    counts: NDArray[np.int64],
    first: int,
    last: int,
) -> None:
    """The legal actions of a player in each state; a negative player stands for the one to move."""
    for i in range(first, last):
        s = _state(states, i)
        counts[i] = 0
        if calls.error(lane.g) != 0 or calls.is_over(lane.table, lane.g, s) != 0:
            continue
        player = players[i] if players[i] >= 0 else _mover(lane, s)
        if player < 0:
            _fails(lane, _NO_SUCH_PLAYER)
            continue
        n = _listed(lane, s, player)
        for k in range(n):
            actions[i, k] = load_i32(lane.out, k)
        counts[i] = n


@kernel
def sample_actions(
    lane: Lane,
    states: NDArray[np.uint64],
    draws: NDArray[np.uint64],
    actions: NDArray[np.int32],
    first: int,
    last: int,
) -> None:
    """A uniformly random legal action in each state, for every player where all act at once."""
    for i in range(first, last):
        s = _state(states, i)
        for k in range(actions.shape[1]):
            actions[i, k] = NO_ACTION
        if calls.error(lane.g) == 0 and calls.is_over(lane.table, lane.g, s) == 0:
            _sample(lane, s, draws[i], actions[i], _mover(lane, s))


@inlined
def _sample(lane: Lane, s: Address, draws: NDArray[np.uint64], row: NDArray[np.int32], mover: int) -> None:
    """Random legal actions into a row: one, or one for each player."""
    begin, end = (0, lane.players) if mover == _SIMULTANEOUS else (mover, mover + 1)
    for player in range(begin, end):
        n, place = _drawn(lane, s, player, draws)
        if n > 0:
            row[player if row.shape[0] > 1 else 0] = load_i32(lane.out, place)


@inlined
def _drawn(lane: Lane, s: Address, player: int, draws: NDArray[np.uint64]) -> tuple[int, int]:
    """How many legal actions a player has, 0 after a failure, and where in the lane's list a random one stands."""
    rule = lane.table[_RANDOM_ACTION]
    if rule == 0:
        n = _listed(lane, s, player)
        return n, below(draws, n) if n > 0 else int64(0)
    return _possible(lane, ask5(rule, lane.g, s, player, lane.out, address(draws))), int64(0)


@kernel
def first_illegal(
    lane: Lane, states: NDArray[np.uint64], actions: NDArray[np.int32], first: int, last: int, found: NDArray[np.int64]
) -> None:
    """Put the first state and player whose action is not legal into `found`, -1 if all are."""
    found[0] = -1
    for i in range(first, last):
        s = _state(states, i)
        if calls.error(lane.g) != 0 or calls.is_over(lane.table, lane.g, s) != 0:
            continue
        mover = _mover(lane, s)
        if mover != _SIMULTANEOUS and calls.has_is_legal(lane.table):
            action = int64(actions[i, mover if actions.shape[1] > 1 else 0])
            if calls.is_legal(lane.table, lane.g, s, action) == 0:
                found[0], found[1] = i, mover
                return
            continue
        begin, end = (0, lane.players) if mover == _SIMULTANEOUS else (mover, mover + 1)
        for player in range(begin, end):
            action = int64(actions[i, player if actions.shape[1] > 1 else 0])
            if calls.contains(lane.out, _listed(lane, s, player), action) == 0:
                found[0], found[1] = i, player
                return


@kernel
def apply_actions(
    lane: Lane,
    states: NDArray[np.uint64],
    streams: NDArray[np.uint64],
    actions: NDArray[np.int32],
    first: int,
    last: int,
) -> None:
    """Take an action in each state whose game is not over."""
    for i in range(first, last):
        s = _state(states, i)
        if calls.error(lane.g) == 0 and calls.is_over(lane.table, lane.g, s) == 0:
            _apply(lane, s, _stream(streams, i), actions, i, _mover(lane, s))


@inlined
def _apply(lane: Lane, s: Address, rng: Address, actions: NDArray[np.int32], i: int, mover: int) -> None:
    if mover == _SIMULTANEOUS:
        calls.apply_joint(lane.table, lane.g, s, address(actions) + i * actions.shape[1] * 4, rng)
    else:
        calls.apply(lane.table, lane.g, s, int64(actions[i, mover if actions.shape[1] > 1 else 0]), rng)


@inlined
def _random_step(
    lane: Lane,
    s: Address,
    streams: NDArray[np.uint64],
    draws: NDArray[np.uint64],
    actions: NDArray[np.int32],
    i: int,
    mover: int,
) -> None:
    """Draw legal actions of who is to move in game i and take them."""
    _sample(lane, s, draws[i], actions[i], mover)
    if calls.error(lane.g) == 0:
        _apply(lane, s, _stream(streams, i), actions, i, mover)


@kernel
def play_out(
    lane: Lane,
    states: NDArray[np.uint64],
    streams: NDArray[np.uint64],
    draws: NDArray[np.uint64],
    actions: NDArray[np.int32],
    lengths: NDArray[np.int64],
    most: int,
    first: int,
    last: int,
) -> None:
    """Play each game with random legal actions to its end, or for `most` steps; counts the steps."""
    for i in range(first, last):
        s = _state(states, i)
        lengths[i] = 0
        while lengths[i] < most and calls.error(lane.g) == 0 and calls.is_over(lane.table, lane.g, s) == 0:
            mover = _mover(lane, s)
            _random_step(lane, s, streams, draws, actions, i, mover)
            lengths[i] += 1


@kernel
def play_until(
    lane: Lane,
    states: NDArray[np.uint64],
    streams: NDArray[np.uint64],
    draws: NDArray[np.uint64],
    actions: NDArray[np.int32],
    player: int,
    most: int,
    first: int,
    last: int,
) -> None:
    """Take random legal actions in each state until a player may act or the game is over, at most `most` of them."""
    for i in range(first, last):
        s, steps = _state(states, i), 0
        while steps < most and calls.error(lane.g) == 0 and calls.is_over(lane.table, lane.g, s) == 0:
            mover = _mover(lane, s)
            if mover == player or mover == _SIMULTANEOUS:
                break
            _random_step(lane, s, streams, draws, actions, i, mover)
            steps += 1


@kernel
def find_values(
    lane: Lane, states: NDArray[np.uint64], final: bool, values: NDArray[np.float64], first: int, last: int
) -> None:
    """What each state is worth to each player: the evaluation, or with `final` the result, 0 while a game runs."""
    for i in range(first, last):
        s = _state(states, i)
        place = address(values) + i * values.shape[1] * 8
        if not final:
            calls.evaluate(lane.table, lane.g, s, place)
        elif calls.is_over(lane.table, lane.g, s) != 0:
            calls.returns(lane.table, lane.g, s, place)
        else:
            for k in range(values.shape[1]):
                values[i, k] = 0.0


@kernel
def observe_states(
    lane: Lane,
    states: NDArray[np.uint64],
    players: NDArray[np.int64],
    views: NDArray[np.uint64],
    first: int,
    last: int,
) -> None:
    """Blank in each view, a copy of the state, what the player can't see."""
    for i in range(first, last):
        calls.observe(lane.table, lane.g, _state(states, i), players[i], _state(views, i))
