"""The tree of action-level MCTS: preallocated arrays, one ply an action, statistics on edges.

A node is a state; it gets its edges when it is first descended from, best-rated action first. A key table joins
states reached in different orders, so the tree is a graph and counts live on edges: only the path that was walked is
updated. Nodes hold no states: a descent replays its actions from the root, which costs less than keeping them.

If an action leaves only a forced one (usually the end of the turn), the forced action is taken in the same edge.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from tactician.contract import calls
from tactician.native.caching import inlined
from tactician.native.memory import Address, int64
from tactician.native.rows import Row, Rows, make_rows
from tactician.planners import outcomes
from tactician.planners.outcomes import KeySlots
from tactician.planners.work import (
    NO_ACTION,
    OPTIONS,
    Work,
    apply,
    is_legal,
    key_of,
    list_candidates,
    rate_list,
    sort_list,
)

NOBODY = -1
UNLISTED = -1
NO_NODE = -1
"""Instead of a node: there is no room for it, or the state is not in the tree."""
NO_EDGE = -1
ELSEWHERE = -2
"""Instead of a node: chance led to a state in which the edge's forced action can't be taken."""
_SPREAD = np.uint64(0x9E3779B97F4A7C15)
_KEY_BYTES = 2 * 16 * 4 // 3
"""A key's share of a table that is three quarters full, and of the smaller ones it has grown out of."""


class TreeSize(Row):
    """How much of a tree's memory is in use."""

    nodes: int
    """Nodes in use."""
    edges: int
    """Edges in use."""


class Tree(NamedTuple):
    """Nodes and edges as arrays."""

    first: NDArray[np.int32]
    """[nodes] the first of a node's edges, which stand side by side."""
    edge_count: NDArray[np.int32]
    """[nodes] how many edges a node has; UNLISTED until it is first descended from."""
    tried: NDArray[np.int32]
    """[nodes] how many of its edges have been tried: the first ones."""
    visits: NDArray[np.int32]
    """[nodes] how often a node was passed."""
    mover: NDArray[np.int8]
    """[nodes] the player to act in a node; NOBODY where the game is over."""
    action: NDArray[np.int32]
    """[edges] the action of an edge."""
    forced: NDArray[np.int32]
    """[edges] the forced action that follows in the same step, or NO_ACTION."""
    child: NDArray[np.int32]
    """[edges] the node that an edge led to when it was first tried."""
    edge_visits: NDArray[np.int32]
    """[edges] how often an edge was passed."""
    edge_value: NDArray[np.float64]
    """[edges] the sum of the values backed up: the root player's where the game is zero-sum, else the mover's."""
    size: Rows[TreeSize]
    """[1] how many nodes and edges are in use."""


def make_tree(nodes: int, edges: int) -> Tree:
    """Room for `nodes` nodes and `edges` edges."""
    return Tree(
        first=np.zeros(nodes, np.int32),
        edge_count=np.zeros(nodes, np.int32),
        tried=np.zeros(nodes, np.int32),
        visits=np.zeros(nodes, np.int32),
        mover=np.zeros(nodes, np.int8),
        action=np.zeros(edges, np.int32),
        forced=np.zeros(edges, np.int32),
        child=np.zeros(edges, np.int32),
        edge_visits=np.zeros(edges, np.int32),
        edge_value=np.zeros(edges, np.float64),
        size=make_rows(TreeSize),
    )


def nodes_within(memory: int, edges_per_node: int) -> int:
    """How many nodes are sure to fit into `memory` bytes: a key table may be half empty just after it has grown."""
    node_bytes, edge_bytes = _node_and_edge_bytes()
    return memory // (node_bytes + edges_per_node * edge_bytes + 2 * _KEY_BYTES)


def bytes_per_node() -> int:
    """The memory of a node with the edge that leads to it and its place in the key table."""
    return sum(_node_and_edge_bytes()) + _KEY_BYTES


def _node_and_edge_bytes() -> tuple[int, int]:
    """The memory of a node and of an edge, counted from trees with one node or edge more."""
    small, more_nodes, more_edges = (
        sum(array.nbytes for array in make_tree(nodes, edges)) for nodes, edges in ((0, 0), (1, 0), (0, 1))
    )
    return more_nodes - small, more_edges - small


@inlined
def clear(tree: Tree) -> None:
    """Forget all nodes and edges."""
    size = tree.size[0]
    size.nodes = 0
    size.edges = 0


@inlined
def is_full(tree: Tree) -> bool:
    """Whether there is no room for another node."""
    return tree.size[0].nodes == tree.first.shape[0]


@inlined
def add_node(work: Work, tree: Tree, s: Address) -> int:
    """A node for a state, without edges yet; NO_NODE if there is no room."""
    if is_full(tree):
        return int64(NO_NODE)
    size = tree.size[0]
    node = size.nodes
    size.nodes += 1
    work.counters[0].nodes += 1
    tree.edge_count[node] = UNLISTED
    tree.tried[node] = 0
    tree.visits[node] = 0
    over = calls.is_over(work.table, work.g, s) != 0
    tree.mover[node] = NOBODY if over else calls.current_player(work.table, work.g, s)
    return node


@inlined
def list_edges(work: Work, tree: Tree, s: Address, node: int) -> bool:
    """Give a node its edges, best-rated first; False if there is no room for them."""
    n = list_candidates(work, s, OPTIONS)
    size = tree.size[0]
    start = size.edges
    if start + n > tree.action.shape[0]:
        return False
    if n > 1:
        rate_list(work, s, OPTIONS, n)
        sort_list(work, OPTIONS, n)
    size.edges += n
    tree.first[node] = start
    tree.edge_count[node] = n
    for i in range(n):
        tree.action[start + i] = work.actions[OPTIONS, i]
        tree.edge_visits[start + i] = 0
        tree.edge_value[start + i] = 0.0
    return True


@inlined
def take_new_edge(work: Work, tree: Tree, keys: KeySlots, s: Address, node: int, whose: int, share: bool) -> int:
    """Try a node's next action in the state `s`, connect the result to the tree, which has room; returns the edge.

    With `share`, a state that is in the tree already becomes the child. A new state in which the turn of player
    `whose` has ended counts as an outcome. If only one action is left in the mover's turn, the edge takes that too.
    """
    edge = int64(tree.first[node] + tree.tried[node])
    count = work.counters[0]
    before = work.rng[0]
    apply(work, s, int64(tree.action[edge]))
    tree.forced[edge] = NO_ACTION
    if _still_moves(work, s, int64(tree.mover[node])) and list_candidates(work, s, OPTIONS) == 1:
        tree.forced[edge] = work.actions[OPTIONS, 0]
        apply(work, s, int64(tree.forced[edge]))
    child = int64(NO_NODE)
    key = np.uint64(0)
    to_be_found = share or work.rng[0] != before
    if to_be_found:
        key = _node_key(work, s, edge, share)
    if share:
        child = outcomes.find(keys, key)
    if child >= 0:
        count.hits += 1
    else:
        child = add_node(work, tree, s)
        if to_be_found:
            outcomes.insert(keys, key, child)
        if tree.mover[node] == whose and tree.mover[child] != whose:
            count.unique += 1
    tree.child[edge] = child
    tree.tried[node] += 1
    return edge


@inlined
def follow(work: Work, tree: Tree, keys: KeySlots, s: Address, edge: int, share: bool) -> int:
    """Replay an edge in the state `s`; returns the node reached, which chance may have chosen, or NO_NODE if it is new.

    ELSEWHERE: the edge's own action was taken, but its forced action can't follow.
    """
    before = work.rng[0]
    if tree.forced[edge] == NO_ACTION:
        apply(work, s, int64(tree.action[edge]))
    else:
        mover = calls.current_player(work.table, work.g, s)
        apply(work, s, int64(tree.action[edge]))
        forced = int64(tree.forced[edge])
        if work.rng[0] != before and not (_still_moves(work, s, mover) and is_legal(work, s, forced)):
            return int64(ELSEWHERE)
        apply(work, s, forced)
    if work.rng[0] == before:
        return int64(tree.child[edge])
    # Chance was drawn: look up where it really led.
    return outcomes.find(keys, _node_key(work, s, edge, share))


@inlined
def add_outcome(work: Work, tree: Tree, keys: KeySlots, s: Address, edge: int, share: bool) -> int:
    """A node for a state that chance brought up behind an edge, to be found again; NO_NODE if there is no room."""
    node = add_node(work, tree, s)
    if node >= 0:
        outcomes.insert(keys, _node_key(work, s, edge, share), node)
    return node


@inlined
def _still_moves(work: Work, s: Address, player: int) -> bool:
    """Whether the game continues with an action of the player."""
    return calls.is_over(work.table, work.g, s) == 0 and calls.current_player(work.table, work.g, s) == player


@inlined
def _node_key(work: Work, s: Address, edge: int, share: bool) -> np.uint64:
    """What a node is found by: its state, or if states are not shared, its state behind this edge."""
    key = key_of(work, s)
    return key if share else key ^ (np.uint64(edge + 1) * _SPREAD)


@inlined
def best_edge(tree: Tree, node: int) -> int:
    """The tried edge with the best mean; ties to more visits, then the first; NO_EDGE if none was tried."""
    best = int64(NO_EDGE)
    best_mean = -np.inf
    if tree.edge_count[node] == UNLISTED:
        return best
    start = int64(tree.first[node])
    for edge in range(start, start + tree.tried[node]):
        if tree.edge_visits[edge] == 0:
            continue
        mean = tree.edge_value[edge] / tree.edge_visits[edge]
        if mean > best_mean or (mean == best_mean and tree.edge_visits[edge] > tree.edge_visits[best]):
            best, best_mean = int64(edge), mean
    return best
