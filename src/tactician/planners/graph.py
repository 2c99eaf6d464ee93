"""Memory of simultaneous-move searches: states by their 128-bit digest, each with every player's arms.

A node keeps no state, only its digest, the players' actions and what their bandits know of them. Equal states share a
node however they were reached, and a search finds the nodes of earlier moves again: that is all there is to keeping a
tree between moves. Pools grow by doubling up to a limit; beyond it, what was not visited lately is forgotten, and if
that is too little, what was tried least.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from tactician.contract import calls
from tactician.contract.game import Game
from tactician.errors import InvalidParameterError
from tactician.native import abi
from tactician.native.caching import inlined, kernel
from tactician.native.hashing import hash_pair
from tactician.native.memory import address, borrowed
from tactician.planners.work import CANDIDATES, HITS, LISTS, NODES, list_at

NODE_COUNT, ARM_COUNT, MOVE = 0, 1, 2
_SIMULTANEOUS = abi.SIMULTANEOUS
_SMALLEST = 1 << 12
_ARM_BYTES = 12


class Graph(NamedTuple):
    """The pools at one size."""

    digest: Any
    first: Any
    """A node's first arm; the players' arms follow each other."""
    count: Any
    """How many arms each player has."""
    stamp: Any
    """The move in which a node was last visited."""
    tries: Any
    """How often an action was chosen there."""
    slots: Any
    """The hash table: a node's number plus one, 0 where empty."""
    action: Any
    arms: Any
    """Two numbers an arm, the bandit's."""
    used: Any
    """Nodes and arms in use; the number of this move."""
    pair: Any


class Store:
    """A graph that grows and forgets; searches hold its pools only while they run."""

    def __init__(self, game: Game, megabytes: int, nodes_a_slice: int) -> None:
        self._players = game.players
        self._most_arms = game.players * game.max_actions
        self._room = nodes_a_slice
        self._count = np.dtype(np.int16 if game.max_actions < 2**15 else np.int32)
        self._node_bytes = 16 + 8 + self._count.itemsize * game.players + 4 + 4 + 4 * 4
        self._limit = megabytes * 2**20
        arms = max(8 * _SMALLEST, 2 * nodes_a_slice * self._most_arms)
        least = -(-(_SMALLEST * self._node_bytes + arms * _ARM_BYTES) // 2**20)
        if megabytes < least:
            raise InvalidParameterError(
                f"memory_mb is {megabytes}; expected at least {least} for this search in {game.name!r}."
            )
        self.graph = self._of_size(_SMALLEST, arms)
        self.forgotten = 0
        # Growing and forgetting come in the middle of a search; nothing must have to be compiled then.
        tiny, other = self._of_size(1, 1), self._of_size(1, 1)
        _move_all(tiny, other)
        _keep(tiny, 0, 0)

    @property
    def bytes(self) -> int:
        """The memory of the pools."""
        return sum(part.nbytes for part in self.graph)

    def clear(self) -> None:
        """Forget everything; the memory stays."""
        self.graph.slots[:] = 0
        self.graph.used[:] = 0

    def begin_move(self) -> None:
        """Count a move, so that what was last visited in an earlier one is known."""
        self.graph.used[MOVE] += 1

    def make_room(self) -> None:
        """Make sure that a simulation's nodes fit in, by growing or, at the limit, by forgetting."""
        g = self.graph
        nodes, arms = int(g.used[NODE_COUNT]), int(g.used[ARM_COUNT])
        more_nodes = nodes + self._room >= g.digest.shape[0]
        more_arms = arms + self._room * self._most_arms >= g.action.shape[0]
        if not more_nodes and not more_arms:
            return
        size = (2 if more_nodes else 1) * g.digest.shape[0]
        arm_size = max((2 if more_arms else 1) * g.action.shape[0], 2 * self._room * self._most_arms)
        if size * self._node_bytes + arm_size * _ARM_BYTES <= self._limit:
            bigger = self._of_size(size, arm_size)
            _move_all(g, bigger)
            self.graph = bigger
            return
        self.forgotten += 1
        # First what is old; if that is too little, also what was tried least, so that the root's arms stay to the last.
        for least in (0, *(1 << i for i in range(32))):
            _keep(g, int(g.used[MOVE]) - 1, least)
            if g.used[NODE_COUNT] * 2 < nodes and g.used[ARM_COUNT] * 2 < max(1, arms):
                return

    def _of_size(self, nodes: int, arms: int) -> Graph:
        return Graph(
            digest=np.zeros((nodes, 2), np.uint64),
            first=np.zeros(nodes, np.int64),
            count=np.zeros((nodes, self._players), self._count),
            stamp=np.zeros(nodes, np.int32),
            tries=np.zeros(nodes, np.int32),
            slots=np.zeros(4 * nodes, np.int32),
            action=np.zeros(arms, np.int32),
            arms=np.zeros((arms, 2), np.float32),
            used=np.zeros(3, np.int64),
            pair=np.zeros(4, np.uint64),
        )


@inlined
def digest_of(w: Any, t: Any, s: Any, exact: Any) -> None:
    """Leave the digest of a state in `t.pair`: the game's own, or one of every byte."""
    if exact:
        t.pair[0], t.pair[1] = hash_pair(s, w.bytes_each // 8)
    else:
        calls.digest(w.table, w.g, s, w.bytes_each // 8, address(t.pair), t.pair)


@inlined
def find(t: Any) -> Any:
    """The node whose digest is in `t.pair`, or -1."""
    mask = np.uint64(t.slots.shape[0] - 1)
    place = t.pair[0] & mask
    while t.slots[place] != 0:
        node = np.int64(t.slots[place]) - 1
        if t.digest[node, 0] == t.pair[0] and t.digest[node, 1] == t.pair[1]:
            return node
        place = (place + np.uint64(1)) & mask
    return np.int64(-1)


@inlined
def _enter_slot(t: Any, node: Any) -> None:
    mask = np.uint64(t.slots.shape[0] - 1)
    place = t.digest[node, 0] & mask
    while t.slots[place] != 0:
        place = (place + np.uint64(1)) & mask
    t.slots[place] = node + 1


@inlined
def list_for(w: Any, s: Any, mover: Any, player: Any) -> Any:
    """What a player may do, in scratch list 0; one action that means nothing for a player who isn't to move."""
    if mover != _SIMULTANEOUS and mover != player:
        w.actions[0, 0] = 0
        return np.int64(1)
    if w.prune != 0:
        n = calls.candidate_actions(w.table, w.g, s, player, list_at(w, 0), address(w.rng))
    else:
        n = calls.legal_actions(w.table, w.g, s, player, list_at(w, 0))
    if n > 1:
        w.count[CANDIDATES] += n
        w.count[LISTS] += 1
    return n


@inlined
def add(w: Any, t: Any, s: Any) -> Any:
    """Enter the state whose digest is in `t.pair`, with every player's actions; there must be room.

    -1, and nothing is entered, if a rule failed: half a list of actions must not outlast the search.
    """
    node = t.used[NODE_COUNT]
    arm = t.used[ARM_COUNT]
    t.digest[node, 0], t.digest[node, 1] = t.pair[0], t.pair[1]
    t.first[node] = arm
    t.tries[node] = 0
    t.stamp[node] = t.used[MOVE]
    mover = calls.current_player(w.table, w.g, s)
    for player in range(w.players):
        n = list_for(w, s, mover, player)
        t.count[node, player] = n
        for i in range(n):
            t.action[arm] = w.actions[0, i]
            t.arms[arm, 0] = 0.0
            t.arms[arm, 1] = 0.0
            arm += 1
    if calls.error(w.g) != 0:
        return np.int64(-1)
    t.used[NODE_COUNT] = node + 1
    t.used[ARM_COUNT] = arm
    _enter_slot(t, node)
    w.count[NODES] += 1
    return node


@inlined
def visit(w: Any, t: Any, node: Any) -> None:
    """Remember that a node was of use in this move."""
    t.stamp[node] = t.used[MOVE]
    w.count[HITS] += 1


@kernel
def _move_all(old: Any, new: Any) -> None:
    """Copy everything into bigger pools."""
    old, new = borrowed(old), borrowed(new)
    for i in range(3):
        new.used[i] = old.used[i]
    for node in range(old.used[NODE_COUNT]):
        _copy_node(old, node, new, node, old.first[node])
    for node in range(old.used[NODE_COUNT]):
        _enter_slot(new, node)


@inlined
def _copy_node(old: Any, node: Any, new: Any, place: Any, arm: Any) -> Any:
    """Copy a node and its arms; the end of its arms."""
    source = old.first[node]
    new.digest[place, 0], new.digest[place, 1] = old.digest[node, 0], old.digest[node, 1]
    new.stamp[place] = old.stamp[node]
    new.tries[place] = old.tries[node]
    new.first[place] = arm
    for player in range(old.count.shape[1]):
        new.count[place, player] = old.count[node, player]
        for _ in range(old.count[node, player]):
            new.action[arm] = old.action[source]
            new.arms[arm, 0], new.arms[arm, 1] = old.arms[source, 0], old.arms[source, 1]
            arm += 1
            source += 1
    return arm


@kernel
def _keep(t: Any, since: Any, least: Any) -> None:
    """Forget what was last visited before a move or tried too little; the rest moves down in place, in its order."""
    t = borrowed(t)
    kept, arm = np.int64(0), np.int64(0)
    for node in range(t.used[NODE_COUNT]):
        if t.stamp[node] >= since and t.tries[node] >= least:
            arm = _copy_node(t, node, t, kept, arm)
            kept += 1
    t.used[NODE_COUNT], t.used[ARM_COUNT] = kept, arm
    for place in range(t.slots.shape[0]):
        t.slots[place] = 0
    for node in range(kept):
        _enter_slot(t, node)
