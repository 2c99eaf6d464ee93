"""The tree of action-level MCTS: preallocated arrays, one ply an action, statistics on edges.

A node is a state; it gets its edges when it is first descended from, best-rated action first. A key table joins
states reached in different orders, so the tree is a graph and counts live on edges: only the path that was walked is
updated. Nodes hold no states: a descent replays its actions from the root, which costs less than keeping them.

Where an action leaves nothing but a forced one (the end of the turn, as a rule), that is taken in the same edge.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from tactician.contract import calls
from tactician.native.caching import inlined
from tactician.native.memory import address, int64
from tactician.planners import outcomes
from tactician.planners.greedy_turn import sort_actions
from tactician.planners.work import (
    HITS,
    NODES,
    UNIQUE,
    apply,
    copy_state,
    key_of,
    list_at,
    list_candidates,
    state_at,
)

NOBODY = -1
UNLISTED = -1
NO_ACTION = -1
ELSEWHERE = -2
_SPREAD = np.uint64(0x9E3779B97F4A7C15)

# The memory of a tree in numbers: positions in `Tree.used`.
NODES_USED, EDGES_USED = 0, 1


class Tree(NamedTuple):
    """Nodes and edges as arrays. `first` and `count` say which edges are a node's, `tried` how many have been."""

    first: Any
    count: Any
    tried: Any
    visits: Any
    mover: Any
    """Whose action it is in a node; NOBODY where the game is over."""
    action: Any
    forced: Any
    """The forced action that follows an edge's action in the same step, or NO_ACTION."""
    child: Any
    edge_visits: Any
    edge_value: Any
    """Sum of the values backed up: of the root player where the game is zero-sum, else of the mover."""
    used: Any


def make_tree(nodes: int, edges: int) -> Tree:
    """Room for so many nodes and edges."""
    return Tree(
        first=np.zeros(nodes, np.int32),
        count=np.zeros(nodes, np.int32),
        tried=np.zeros(nodes, np.int32),
        visits=np.zeros(nodes, np.int32),
        mover=np.zeros(nodes, np.int8),
        action=np.zeros(edges, np.int32),
        forced=np.zeros(edges, np.int32),
        child=np.zeros(edges, np.int32),
        edge_visits=np.zeros(edges, np.int32),
        edge_value=np.zeros(edges, np.float64),
        used=np.zeros(2, np.int64),
    )


EDGE_BYTES = 24
_KEY_BYTES = 2 * 16 * 4 // 3
"""A key's share of a table that is three quarters full, and of the smaller ones it has grown out of."""


def nodes_within(memory: int, edges_per_node: int) -> int:
    """How many nodes fit into so many bytes whatever happens: a key table may be half empty just after it has grown."""
    node_bytes = sum(array.itemsize for array in make_tree(1, 1)[:-1]) - EDGE_BYTES
    return memory // (node_bytes + edges_per_node * EDGE_BYTES + 2 * _KEY_BYTES)


def bytes_per_node() -> int:
    """The memory of a node with the edge that leads to it and its place in the key table."""
    tree = make_tree(1, 1)
    return sum(array.itemsize for array in tree[:-1]) + _KEY_BYTES


@inlined
def clear(t: Any) -> None:
    """Forget all nodes and edges."""
    t.used[:] = 0


@inlined
def is_full(t: Any) -> Any:
    """Whether there is no room for another node."""
    return t.used[NODES_USED] == t.first.shape[0]


@inlined
def add_node(w: Any, t: Any, s: Any) -> Any:
    """A node for a state, without edges yet; -1 if there is no room."""
    node = t.used[NODES_USED]
    if is_full(t):
        return int64(-1)
    t.used[NODES_USED] += 1
    w.count[NODES] += 1
    t.count[node] = UNLISTED
    t.tried[node] = 0
    t.visits[node] = 0
    over = calls.is_over(w.table, w.g, s) != 0
    t.mover[node] = NOBODY if over else calls.current_player(w.table, w.g, s)
    return node


@inlined
def list_edges(w: Any, t: Any, s: Any, node: Any, row: Any) -> Any:
    """Give a node its edges, best-rated first; False if there is no room for them."""
    n = list_candidates(w, s, row)
    start = t.used[EDGES_USED]
    if start + n > t.action.shape[0]:
        return False
    if n > 1:
        calls.rate_actions(w.table, w.g, s, list_at(w, row), n, address(w.ratings), w.ratings)
        sort_actions(w, row, n)
    t.used[EDGES_USED] += n
    t.first[node] = start
    t.count[node] = n
    for i in range(n):
        t.action[start + i] = w.actions[row, i]
        t.edge_visits[start + i] = 0
        t.edge_value[start + i] = 0.0
    return True


@inlined
def take_new_edge(w: Any, t: Any, keys: Any, s: Any, node: Any, whose: Any, row: Any, share: Any) -> Any:
    """Try a node's next action in the state `s` and hang the result into the tree, which has room; returns the edge.

    With `share`, a state that is in the tree already becomes the child. `whose` turn is it that has outcomes? An only
    action left, such as the end of the turn, belongs to the edge; another player's begins another turn.
    """
    edge = int64(t.first[node] + t.tried[node])
    before = w.rng[0]
    apply(w, s, t.action[edge])
    t.forced[edge] = NO_ACTION
    same = calls.is_over(w.table, w.g, s) == 0 and calls.current_player(w.table, w.g, s) == t.mover[node]
    if same and list_candidates(w, s, row) == 1:
        t.forced[edge] = w.actions[row, 0]
        apply(w, s, t.forced[edge])
    child = int64(-1)
    key = np.uint64(0)
    to_be_found = share or w.rng[0] != before
    if to_be_found:
        key = _place_of(w, s, edge, share)
    if share:
        child = outcomes.find(keys, key)
    if child >= 0:
        w.count[HITS] += 1
    else:
        child = add_node(w, t, s)
        if to_be_found:
            outcomes.insert(keys, key, child)
        if t.mover[node] == whose and t.mover[child] != whose:
            w.count[UNIQUE] += 1
    t.child[edge] = child
    t.tried[node] += 1
    return edge


@inlined
def follow(w: Any, t: Any, keys: Any, s: Any, edge: Any, share: Any) -> Any:
    """Replay an edge in the state `s`; returns the node reached, which chance may have chosen, or -1 if it is new.

    ELSEWHERE: chance led to a state in which the edge's forced action can't be taken; only its own action was.
    """
    before = w.rng[0]
    if t.forced[edge] == NO_ACTION:
        apply(w, s, t.action[edge])
    else:
        mover = calls.current_player(w.table, w.g, s)
        apply(w, s, t.action[edge])
        if w.rng[0] != before:
            goes_on = calls.is_over(w.table, w.g, s) == 0 and calls.current_player(w.table, w.g, s) == mover
            if not goes_on or calls.is_legal(w.table, w.g, s, t.forced[edge], list_at(w, 1)) == 0:
                return int64(ELSEWHERE)
        apply(w, s, t.forced[edge])
    if w.rng[0] == before:
        return int64(t.child[edge])
    # Chance was drawn: look up where it really led.
    return outcomes.find(keys, _place_of(w, s, edge, share))


@inlined
def add_outcome(w: Any, t: Any, keys: Any, s: Any, edge: Any, share: Any) -> Any:
    """A node for a state that chance brought up behind an edge, to be found again; -1 if there is no room."""
    node = add_node(w, t, s)
    if node >= 0:
        outcomes.insert(keys, _place_of(w, s, edge, share), node)
    return node


@inlined
def _place_of(w: Any, s: Any, edge: Any, share: Any) -> Any:
    """What a node is found by: its state, or if states are not shared, its state behind this edge."""
    key = key_of(w, s)
    return key if share else key ^ (np.uint64(edge + 1) * _SPREAD)


@inlined
def best_edge(t: Any, node: Any, sign: Any) -> Any:
    """The tried edge with the best mean for its mover; ties to more visits, then the first; -1 if none was tried."""
    best = int64(-1)
    best_mean = -np.inf
    start = int64(t.first[node])
    if t.count[node] == UNLISTED:
        return best
    for edge in range(start, start + t.tried[node]):
        if t.edge_visits[edge] == 0:
            continue
        mean = sign * t.edge_value[edge] / t.edge_visits[edge]
        if mean > best_mean or (mean == best_mean and t.edge_visits[edge] > t.edge_visits[best]):
            best, best_mean = int64(edge), mean
    return best


@inlined
def copy_root(w: Any, target: Any) -> None:
    """Put a scratch state to the root's."""
    copy_state(w, target, state_at(w, 0))
