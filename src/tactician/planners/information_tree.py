"""The tree of information-set MCTS: nodes are what the planning player sees, edges are actions that were available.

In one node different actions are available in different worlds, so edges are found by their action instead of standing
in a fixed order. An edge counts how often it was available besides how often it was taken. Nodes and edges are found in
one key table; both live in preallocated pools that share one limit of memory.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from tactician.native.caching import inlined
from tactician.native.hashing import SEED_3, SEED_4, mixed
from tactician.native.memory import Address, int64
from tactician.native.rows import Int32, Row, Rows, make_rows, row_dtype
from tactician.planners import outcomes
from tactician.planners.outcomes import KEY_BYTES, KeySlots, KeyTable
from tactician.planners.work import OPTIONS, Work, rate_list, sort_list

NO_NODE = -1
"""Instead of a node: there is no room for it, or it is not in the tree."""
NO_EDGE = -1
_SMALLEST = 8192
_MOST = 2**31 - 1


class Edge(Row):
    """An action in a node that was available in some world."""

    value: float
    """The sum of the values backed up: the root player's where the game is zero-sum, else the mover's."""
    visits: Int32
    """How often it was taken."""
    available: Int32
    """In how many passes of its node it could have been taken."""
    counted: Int32
    """The last pass that `available` has counted: a list may name an action twice."""
    action: Int32
    """The action."""
    next: Int32
    """The next edge of the same node, or NO_EDGE."""


_EDGE_COST = row_dtype(Edge).itemsize + 2 * KEY_BYTES
_NODE_COST = 4 + 2 * KEY_BYTES


class TreeSize(Row):
    """How much of a tree's memory is in use."""

    nodes: int
    """Nodes in use."""
    edges: int
    """Edges in use."""
    limit: int
    """The bytes that both may take, with the key table."""


class InformationTree(NamedTuple):
    """Nodes and edges."""

    first: NDArray[np.int32]
    """[nodes] the edge of a node that was added last, or NO_EDGE; each edge names the next."""
    edges: Rows[Edge]
    """[edges] the actions."""
    size: Rows[TreeSize]
    """[1] how much is in use."""


def make_information_tree(memory: int, max_actions: int) -> tuple[InformationTree, KeyTable]:
    """A tree and its key table that take at most `memory` bytes, but have room for a few nodes at least."""
    least = max(_SMALLEST, 4 * max_actions)
    edges = min(_MOST, max(least, memory // _EDGE_COST))
    nodes = min(_MOST, max(least, memory // (_NODE_COST + _EDGE_COST)))
    tree = InformationTree(np.zeros(nodes, np.int32), make_rows(Edge, edges), make_rows(TreeSize))
    tree.size[0].limit = max(memory, least * (_NODE_COST + _EDGE_COST))
    return tree, KeyTable(nodes + edges)


@inlined
def clear(tree: InformationTree) -> None:
    """Forget all nodes and edges."""
    size = tree.size[0]
    size.nodes = 0
    size.edges = 0


@inlined
def _fits(tree: InformationTree, nodes: int, edges: int) -> bool:
    """Whether there is memory for so much more of each."""
    size = tree.size[0]
    nodes, edges = size.nodes + nodes, size.edges + edges
    if nodes > len(tree.first) or edges > len(tree.edges):
        return False
    return nodes * _NODE_COST + edges * _EDGE_COST <= size.limit


@inlined
def add_node(work: Work, tree: InformationTree) -> int:
    """A node without edges; NO_NODE if there is no room."""
    if not _fits(tree, 1, 0):
        return int64(NO_NODE)
    size = tree.size[0]
    node = size.nodes
    size.nodes += 1
    work.counters[0].nodes += 1
    tree.first[node] = NO_EDGE
    return node


@inlined
def node_for(work: Work, tree: InformationTree, keys: KeySlots, key: np.uint64) -> tuple[int, bool]:
    """The node of a key and whether it is new; NO_NODE if it is new and there is no room for it."""
    node = outcomes.find(keys, key)
    if node >= 0:
        return node, False
    node = add_node(work, tree)
    if node >= 0 and outcomes.insert(keys, key, node) != outcomes.MISSING:
        node = int64(NO_NODE)  # the key table is full
    return node, True


@inlined
def node_key(seen: np.uint64, edge: int, share: bool) -> np.uint64:
    """What a node is found by: the key of what the player sees and, unless nodes are shared, the edge before it."""
    return mixed(SEED_3, seen) if share else mixed(mixed(SEED_3, seen), np.uint64(edge + 1))


@inlined
def _edge_key(node: int, action: int) -> np.uint64:
    return mixed(mixed(SEED_4, np.uint64(node)), np.uint64(action))


@inlined
def find_edges(
    work: Work,
    tree: InformationTree,
    keys: KeySlots,
    s: Address,
    node: int,
    n: int,
    before: int,
    found: NDArray[np.int64],
) -> bool:
    """Find the edges of the n OPTIONS of a state in its node; False if there is no room for those that are new.

    New ones are added best-rated first; they have been available `before` times.
    """
    missing = 0
    for i in range(n):
        found[i] = outcomes.find(keys, _edge_key(node, int64(work.actions[OPTIONS, i])))
        missing += int64(found[i] < 0)
    if missing == 0:
        return True
    if not _fits(tree, 0, missing):
        return False
    if n > 1:
        rate_list(work, s, OPTIONS, n)
        sort_list(work, OPTIONS, n)
    for i in range(n):
        found[i] = _edge_for(tree, keys, node, int64(work.actions[OPTIONS, i]), before)
        if found[i] < 0:
            return False
    return True


@inlined
def _edge_for(tree: InformationTree, keys: KeySlots, node: int, action: int, before: int) -> int:
    """The edge of an action in a node, a new one if there is none; NO_EDGE if the key table is full."""
    size = tree.size[0]
    answer = outcomes.insert(keys, _edge_key(node, action), size.edges)
    if answer == outcomes.FULL:
        return int64(NO_EDGE)
    if answer != outcomes.MISSING:
        return answer
    edge = tree.edges[size.edges]
    edge.action, edge.value, edge.visits, edge.available, edge.counted = action, 0.0, 0, before, -1
    edge.next = tree.first[node]
    tree.first[node] = size.edges
    size.edges += 1
    return size.edges - 1


@inlined
def count_available(tree: InformationTree, found: NDArray[np.int64], n: int, this_pass: int) -> None:
    """Count that n edges were available in a pass; each once, however often it is among them."""
    for i in range(n):
        edge = tree.edges[found[i]]
        edge.available += int64(edge.counted != this_pass)
        edge.counted = this_pass


@inlined
def add_value(tree: InformationTree, place: int, value: float) -> None:
    """Count that an edge was taken and the value that it brought."""
    edge = tree.edges[place]
    edge.visits += 1
    edge.value += value


@inlined
def mean_of(tree: InformationTree, place: int) -> float:
    """The mean value of an edge that was taken."""
    edge = tree.edges[place]
    return edge.value / edge.visits


@inlined
def best_edge(tree: InformationTree, node: int) -> int:
    """The edge of a node with the best mean, ties to more visits, then the first added; NO_EDGE if none was taken."""
    best, best_visits, best_mean = int64(NO_EDGE), 0, -np.inf
    place = int64(tree.first[node])
    while place >= 0:
        edge = tree.edges[place]
        if edge.visits > 0:
            mean = mean_of(tree, place)
            # Edges are met in the reverse of the order in which they were added: of equals the last one stays.
            if mean > best_mean or (mean == best_mean and edge.visits >= best_visits):
                best, best_visits, best_mean = place, int64(edge.visits), mean
        place = int64(edge.next)
    return best
