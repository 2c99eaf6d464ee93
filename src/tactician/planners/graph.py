"""Memory of simultaneous-move searches: states by their 128-bit digest, each with every player's arms.

A node keeps no state, only its digest, the players' actions and what their bandits know of them. Equal states share a
node however they were reached, and a search finds the nodes of earlier moves again: nothing more is needed to keep a
tree between moves. Most states are seen only once, so a new node keeps what the players did and what came of it; their
actions are listed when it is seen again. The part of the pools that may be used doubles up to a limit; beyond it, what
was not visited lately is forgotten, and if that is too little, what was tried least.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from tactician.contract import calls
from tactician.contract.game import Game
from tactician.errors import InvalidParameterError
from tactician.native import abi
from tactician.native.caching import inlined, kernel
from tactician.native.hashing import hash_pair
from tactician.native.memory import Address, address, borrowed, int64, prefetch
from tactician.native.rows import Row, Rows, clear_rows, make_rows
from tactician.planners.work import (
    NO_ACTION,
    OPTIONS,
    Work,
    best_rated,
    list_for,
    mover_of,
    random_for,
    random_option,
)

NO_NODE = -1
UNLISTED, UNJUDGED = -1, -2
"""Instead of a first arm while the actions of a node are not listed: with a result, and without one yet."""
_SIMULTANEOUS = abi.SIMULTANEOUS
_SMALLEST = 1 << 12
_NUMBER_BYTES = 4
"""Of an action, and of each number that the bandit keeps of an arm."""
_ONE = np.uint64(1)


class GraphSize(Row):
    """How much of a graph's memory is in use."""

    nodes: int
    """Nodes in use."""
    arms: int
    """Arms in use."""
    move: int
    """The number of this move."""


class Graph(NamedTuple):
    """The pools of nodes and arms at one size."""

    digest: NDArray[np.uint64]
    """[nodes, 2] what identifies a node's state."""
    first: NDArray[np.int64]
    """[nodes] a node's first arm, the players' arms follow each other; UNLISTED or UNJUDGED if there is none yet."""
    arm_count: NDArray[np.int16 | np.int32]
    """[nodes, players] how many arms each player has."""
    stamp: NDArray[np.int32]
    """[nodes] the move in which a node was last visited."""
    tries: NDArray[np.int32]
    """[nodes] how often actions were chosen in a node."""
    drawn: NDArray[np.int32]
    """[nodes, players] what each player did when a node was new; only until its actions are listed."""
    earned: NDArray[np.float32]
    """[nodes, players] what that was worth to them, from -1 to 1."""
    slots: NDArray[np.int32]
    """[4 * nodes] the hash table: a node's number plus one, 0 where empty."""
    action: NDArray[np.int32]
    """[arms] the action of an arm."""
    arms: NDArray[np.float32]
    """[arms, numbers] what the bandit keeps of an arm."""
    pair: NDArray[np.uint64]
    """[4] the digest computed last, in the first two words; rules may expect four, as in a random stream."""
    size: Rows[GraphSize]
    """[1] how many nodes and arms are in use."""


class StateMemory:
    """A graph that grows and forgets; searches hold its pools only while they run."""

    def __init__(self, game: Game, megabytes: int, nodes_a_slice: int, numbers: int = 2) -> None:
        """`numbers`: how many the bandit keeps of an arm."""
        self._numbers = numbers
        self._arm_bytes = _NUMBER_BYTES * (1 + numbers)
        self._players = game.players
        self._most_arms = game.players * game.max_actions
        self._room = nodes_a_slice
        self._count = np.dtype(np.int16 if game.max_actions < 2**15 else np.int32)
        self._node_bytes = 16 + 8 + (self._count.itemsize + 4 + 4) * game.players + 4 + 4 + 4 * 4
        self._limit = megabytes * 2**20
        arms = max(8 * _SMALLEST, 2 * nodes_a_slice * self._most_arms)
        least = -(-(_SMALLEST * self._node_bytes + arms * self._arm_bytes) // 2**20)
        if megabytes < least:
            raise InvalidParameterError(
                f"memory_mb is {megabytes}; expected at least {least} for this search in {game.name!r}."
            )
        self._pools = self._reserve(arms)
        self.graph = self._of_size(_SMALLEST, arms)
        self.forgotten = 0
        # Growing and forgetting come in the middle of a search; nothing must have to be compiled then.
        _enter_all(self.graph)
        _keep(self.graph, 0, 0, _in_order(self.graph))

    @property
    def bytes(self) -> int:
        """The memory of the pools."""
        return sum(part.nbytes for part in self.graph)

    def clear(self) -> None:
        """Forget everything; the memory stays."""
        self.graph.slots[:] = 0
        clear_rows(self.graph.size)

    def begin_move(self) -> None:
        """Count a move, so that what was last visited in an earlier one is known."""
        self.graph.size[0].move += 1

    def make_room(self) -> None:
        """Make sure that a simulation's nodes fit in, by growing or, at the limit, by forgetting."""
        graph, size = self.graph, self.graph.size[0]
        nodes, arms = int(size.nodes), int(size.arms)
        more_nodes = nodes + self._room >= graph.digest.shape[0]
        more_arms = arms + self._room * self._most_arms >= graph.action.shape[0]
        if not more_nodes and not more_arms:
            return
        node_size = (2 if more_nodes else 1) * graph.digest.shape[0]
        arm_size = max((2 if more_arms else 1) * graph.action.shape[0], 2 * self._room * self._most_arms)
        if node_size * self._node_bytes + arm_size * self._arm_bytes <= self._limit:
            self.graph = self._of_size(node_size, arm_size)
            _enter_all(self.graph)
            return
        self.forgotten += 1
        # First what is old; if that is too little, also what was tried least, so that the root's arms stay to the last.
        for least in (0, *(1 << i for i in range(32))):
            _keep(graph, int(size.move) - 1, least, _in_order(graph))
            if size.nodes * 2 < nodes and size.arms * 2 < max(1, arms):
                return

    def _reserve(self, arms: int) -> Graph:
        """Pools of all that the limit allows; the operating system gives memory only to what is written to."""
        nodes = _SMALLEST
        while 2 * nodes * self._node_bytes + arms * self._arm_bytes <= self._limit:
            nodes *= 2
        while _SMALLEST * self._node_bytes + 2 * arms * self._arm_bytes <= self._limit:
            arms *= 2
        return Graph(
            digest=np.zeros((nodes, 2), np.uint64),
            first=np.zeros(nodes, np.int64),
            arm_count=np.zeros((nodes, self._players), self._count),
            stamp=np.zeros(nodes, np.int32),
            tries=np.zeros(nodes, np.int32),
            drawn=np.zeros((nodes, self._players), np.int32),
            earned=np.zeros((nodes, self._players), np.float32),
            slots=np.zeros(4 * nodes, np.int32),
            action=np.zeros(arms, np.int32),
            arms=np.zeros((arms, self._numbers), np.float32),
            pair=np.zeros(4, np.uint64),
            size=make_rows(GraphSize),
        )

    def _of_size(self, nodes: int, arms: int) -> Graph:
        """The pools as far as they may be used now."""
        pools = self._pools
        return Graph(
            digest=pools.digest[:nodes],
            first=pools.first[:nodes],
            arm_count=pools.arm_count[:nodes],
            stamp=pools.stamp[:nodes],
            tries=pools.tries[:nodes],
            drawn=pools.drawn[:nodes],
            earned=pools.earned[:nodes],
            slots=pools.slots[: 4 * nodes],
            action=pools.action[:arms],
            arms=pools.arms[:arms],
            pair=pools.pair,
            size=pools.size,
        )


def arms_of(graph: Graph, node: int, player: int) -> list[tuple[int, list[float]]]:
    """A player's arms in a node: the action and the bandit's numbers of each."""
    first = int(graph.first[node] + graph.arm_count[node, :player].sum())
    rows = slice(first, first + int(graph.arm_count[node, player]))
    return list(zip(graph.action[rows].tolist(), graph.arms[rows].tolist(), strict=True))


@inlined
def has_room(work: Work, graph: Graph, nodes: int) -> bool:
    """Whether `nodes` more nodes fit in, however many arms they have."""
    size = graph.size[0]
    arms = nodes * work.players * work.max_actions
    return size.nodes + nodes < graph.digest.shape[0] and size.arms + arms < graph.action.shape[0]


@inlined
def find_state(work: Work, graph: Graph, s: Address, exact: bool) -> int:
    """The node of a state, or NO_NODE."""
    identify(work, graph, s, exact)
    return look_up(graph)


@inlined
def identify(work: Work, graph: Graph, s: Address, exact: bool) -> None:
    """Put the digest of a state (the game's own, or one of every byte) into `graph.pair`, and load its slot."""
    pair = graph.pair
    if exact:
        pair[0], pair[1] = hash_pair(s, work.state_bytes // 8)
    else:
        calls.digest(work.table, work.g, s, work.state_bytes // 8, address(pair), pair)
    prefetch(address(graph.slots) + 4 * int64(pair[0] & np.uint64(graph.slots.shape[0] - 1)))


@inlined
def look_up(graph: Graph) -> int:
    """The node of the state whose digest is in `graph.pair`, or NO_NODE."""
    pair, mask = graph.pair, np.uint64(graph.slots.shape[0] - 1)
    place = pair[0] & mask
    while graph.slots[place] != 0:
        node = int64(graph.slots[place]) - 1
        if graph.digest[node, 0] == pair[0] and graph.digest[node, 1] == pair[1]:
            return node
        place = (place + _ONE) & mask
    return int64(NO_NODE)


@inlined
def _enter_slot(graph: Graph, node: int) -> None:
    """Make a node known to the hash table."""
    mask = np.uint64(graph.slots.shape[0] - 1)
    place = graph.digest[node, 0] & mask
    while graph.slots[place] != 0:
        place = (place + _ONE) & mask
    graph.slots[place] = node + 1


@inlined
def list_moves(work: Work, s: Address, mover: int, player: int) -> int:
    """List what a player may do in OPTIONS and return how many; action 0 alone for a player who isn't to move."""
    if mover != _SIMULTANEOUS and mover != player:
        work.actions[OPTIONS, 0] = 0
        return int64(1)
    return list_for(work, s, player, OPTIONS)


@inlined
def rated_move(work: Work, s: Address, mover: int, player: int) -> int:
    """The best-rated one of what `list_moves` lists, a choice that the search missed; -1 if a rule failed."""
    n = list_moves(work, s, mover, player)
    if calls.error(work.g) != 0:
        return int64(NO_ACTION)
    work.counters[0].completed += int64(n > 1)
    return best_rated(work, s, n)


@inlined
def random_move(work: Work, s: Address, mover: int, player: int) -> int:
    """A uniformly random one of what `list_moves` lists."""
    if mover != _SIMULTANEOUS and mover != player:
        return random_option(work, list_moves(work, s, mover, player))
    return random_for(work, s, player)


@inlined
def add_node(work: Work, graph: Graph) -> int:
    """Enter the state whose digest is in `graph.pair`; its actions are not listed yet, and there must be room."""
    size = graph.size[0]
    node = size.nodes
    graph.digest[node, 0], graph.digest[node, 1] = graph.pair[0], graph.pair[1]
    graph.first[node] = UNJUDGED
    graph.tries[node] = 0
    graph.stamp[node] = size.move
    size.nodes = node + 1
    _enter_slot(graph, node)
    work.counters[0].nodes += 1
    return node


@inlined
def is_listed(graph: Graph, node: int) -> bool:
    """Whether the actions of a node are there, and bandits choose among them."""
    return bool(graph.first[node] >= 0)


@inlined
def list_node(work: Work, graph: Graph, s: Address, node: int) -> None:
    """List every player's actions in a state as the arms of its node; there must be room.

    If a rule fails nothing is listed: half a list of actions must not outlast the search.
    """
    size, count = graph.size[0], work.counters[0]
    arm = size.arms
    mover = mover_of(work, s)
    candidates, lists = count.candidates, count.lists
    for player in range(work.players):
        n = list_moves(work, s, mover, player)
        graph.arm_count[node, player] = n
        for i in range(n):
            graph.action[arm] = work.actions[OPTIONS, i]
            for number in range(graph.arms.shape[1]):
                graph.arms[arm, number] = 0.0
            arm += 1
    if graph.tries[node] > 0:
        count.candidates, count.lists = candidates, lists  # counted when the node was new
    if calls.error(work.g) == 0:
        graph.first[node] = size.arms
        size.arms = arm


@inlined
def visit(graph: Graph, node: int) -> None:
    """Remember that a node was of use in this move."""
    graph.stamp[node] = graph.size[0].move


@inlined
def first_arm(graph: Graph, node: int, player: int) -> int:
    """The first of a player's arms in a node."""
    first = graph.first[node]
    for other in range(player):
        first += graph.arm_count[node, other]
    return first


@inlined
def statistics_at(graph: Graph, arm: int) -> Address:
    """The address of the bandit's numbers of an arm; those of the arms behind it follow."""
    return address(graph.arms) + _NUMBER_BYTES * graph.arms.shape[1] * arm


@kernel
def _enter_all(graph: Graph) -> None:
    """Make all nodes known to the hash table, after it has become longer or nodes have moved."""
    _enter_nodes(borrowed(graph))


@inlined
def _enter_nodes(graph: Graph) -> None:
    for place in range(graph.slots.shape[0]):
        graph.slots[place] = 0
    for node in range(graph.size[0].nodes):
        _enter_slot(graph, node)


def _in_order(graph: Graph) -> NDArray[np.int64]:
    """The nodes with arms, in the order of their arms: a node is listed later than it is added."""
    first = graph.first[: int(graph.size[0].nodes)]
    listed = np.flatnonzero(first >= 0)
    return listed[np.argsort(first[listed])]


@inlined
def _is_kept(graph: Graph, node: int, since: int, least: int) -> bool:
    return bool(graph.stamp[node] >= since and graph.tries[node] >= least)


@inlined
def _move_arms(graph: Graph, node: int, arm: int) -> int:
    """Move a node's arms to free places before them; returns their end."""
    source = graph.first[node]
    graph.first[node] = arm
    for player in range(graph.arm_count.shape[1]):
        for _ in range(graph.arm_count[node, player]):
            graph.action[arm] = graph.action[source]
            for number in range(graph.arms.shape[1]):
                graph.arms[arm, number] = graph.arms[source, number]
            arm += 1
            source += 1
    return arm


@inlined
def _move_node(graph: Graph, node: int, place: int) -> None:
    """Move a node to a free place before it."""
    graph.digest[place, 0], graph.digest[place, 1] = graph.digest[node, 0], graph.digest[node, 1]
    graph.stamp[place] = graph.stamp[node]
    graph.tries[place] = graph.tries[node]
    graph.first[place] = graph.first[node]
    for player in range(graph.arm_count.shape[1]):
        graph.arm_count[place, player] = graph.arm_count[node, player]
        graph.drawn[place, player] = graph.drawn[node, player]
        graph.earned[place, player] = graph.earned[node, player]


@kernel
def _keep(graph: Graph, since: int, least: int, in_order: NDArray[np.int64]) -> None:
    """Forget nodes last visited before move `since` or tried less than `least` times; the others close the gaps.

    `in_order`: the nodes with arms, in the order of their arms.
    """
    graph = borrowed(graph)
    size = graph.size[0]
    kept, arm = int64(0), int64(0)
    for i in range(in_order.shape[0]):
        if _is_kept(graph, in_order[i], since, least):
            arm = _move_arms(graph, in_order[i], arm)
    for node in range(size.nodes):
        if _is_kept(graph, node, since, least):
            _move_node(graph, node, kept)
            kept += 1
    size.nodes, size.arms = kept, arm
    _enter_nodes(graph)
