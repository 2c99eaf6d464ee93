"""The tree of action-level MCTS: preallocated pools, one ply an action, statistics on edges.

A node is a state; its actions are listed when it is first descended from, best-rated first, and each becomes an edge
when it is first tried. A key table joins states reached in different orders, so the tree is a graph and counts live on
edges: only the path that was walked is updated. Nodes hold no states: a descent replays its actions from the root,
which costs less than keeping them.

If an action leaves only a forced one (usually the end of the turn), the forced action is taken in the same edge.

The edges of a node stand side by side in a block, and an edge is named by its node and its slot in there. A block that
is full is exchanged for one twice as long, so that a node takes memory for the actions it has tried, not for all that
it could try. Nodes, edges and lists share one limit of memory.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from tactician.contract import calls
from tactician.native.caching import inlined
from tactician.native.memory import Address, address, copy_bytes, int64, prefetch
from tactician.native.rows import Int32, Row, Rows, make_rows, row_dtype
from tactician.planners import outcomes
from tactician.planners.outcomes import KEY_BYTES, KeySlots
from tactician.planners.rollouts import Rollout, look_ahead
from tactician.planners.scores import SCORE_BYTES, Scores, make_scores, set_score
from tactician.planners.work import (
    NO_ACTION,
    OPTIONS,
    Work,
    apply,
    continues,
    is_legal,
    key_of,
    list_for,
    mover_of,
    rate_list,
    sort_list,
)

NOBODY = -1
UNLISTED = -1
NO_NODE = -1
"""Instead of a node: there is no room for it, or the state is not in the tree."""
NO_SLOT = -1
ELSEWHERE = -2
"""Instead of a node: chance led to a state in which the edge's forced action can't be taken."""
_SMALLEST_BLOCK = 4
_NO_BLOCK = -1
_BLOCK_SIZES = 30
_MOST = 2**31 - 1
_SPREAD = np.uint64(0x9E3779B97F4A7C15)
_SLOT_BITS = np.uint64(32)


class Node(Row):
    """A state."""

    first: Int32
    """The first of its edges; the others follow."""
    tried: Int32
    """How many of its actions have been tried: the first ones, each with an edge."""
    listed: Int32
    """The first of its actions in `Tree.actions` ..."""
    action_count: Int32
    """... and how many there are; UNLISTED until the node is first descended from."""
    next_action: Int32
    """The action to take next: the first that has not been tried, or that of the selected edge."""
    selected: Int32
    """The slot of the edge to take next, or NO_SLOT if none has been selected ..."""
    forced: Int32
    """... its forced action ..."""
    child: Int32
    """... and its child: kept here so that a descent need not wait for the edge."""
    visits: Int32
    """How often it was passed."""
    mover: Int32
    """The player to act; NOBODY where the game is over."""


class Edge(Row):
    """An action that was tried."""

    value: float
    """The sum of the values backed up: the root player's where the game is zero-sum, else the mover's."""
    visits: Int32
    """How often it was passed."""
    child: Int32
    """The node that it led to when it was first tried; in an unused block the next unused block."""
    action: Int32
    """The action."""
    forced: Int32
    """The forced action that follows in the same step, or NO_ACTION."""


_NODE_BYTES, _EDGE_BYTES = row_dtype(Node).itemsize, row_dtype(Edge).itemsize
_ACTION_BYTES = 4
_NODE_COST = _NODE_BYTES + 2 * KEY_BYTES
"""A node with its place in the key table, which may be half empty just after it has grown."""
_EDGE_COST = _EDGE_BYTES + SCORE_BYTES


class TreeSize(Row):
    """How much of a tree's memory is in use."""

    nodes: int
    """Nodes in use."""
    edges: int
    """Edges in use or in unused blocks."""
    actions: int
    """Listed actions."""
    limit: int
    """The bytes that all of them may take, with the key table."""


class Tree(NamedTuple):
    """Nodes, edges and lists of actions."""

    nodes: Rows[Node]
    """[nodes] the states."""
    edges: Rows[Edge]
    """[edges] the actions tried, in blocks."""
    scores: Scores
    """[edges] what the selection compares."""
    actions: NDArray[np.int32]
    """[actions] the actions of each listed node, best-rated first."""
    unused: NDArray[np.int64]
    """[block sizes] an unused block of each size, or _NO_BLOCK; its first edge names the next."""
    size: Rows[TreeSize]
    """[1] how much is in use."""


def make_tree(memory: int, max_actions: int) -> Tree:
    """A tree that takes at most `memory` bytes, with the key table, but has room for a few nodes at least.

    The pools together are bigger than that, because games differ in what they need most of; the operating system
    gives memory only to what is written to.
    """
    nodes = min(_MOST, max(1024, memory // (_NODE_COST + _EDGE_COST)))
    edges = min(_MOST, max(4 * max_actions, 8192, memory // _EDGE_COST * 3 // 4))
    actions = min(_MOST, max(4 * max_actions, 8192, memory // _ACTION_BYTES // 2))
    tree = Tree(
        nodes=make_rows(Node, nodes),
        edges=make_rows(Edge, edges),
        scores=make_scores(edges),
        actions=np.zeros(actions, np.int32),
        unused=np.full(_BLOCK_SIZES, _NO_BLOCK),
        size=make_rows(TreeSize),
    )
    least = 1024 * (_NODE_COST + _SMALLEST_BLOCK * _EDGE_COST) + 4 * max_actions * (_EDGE_COST + _ACTION_BYTES)
    tree.size[0].limit = max(memory, least)
    return tree


def bytes_per_node() -> int:
    """The memory of a node with the edge that leads to it and its place in the key table."""
    return _NODE_BYTES + _EDGE_COST + KEY_BYTES


@inlined
def clear(tree: Tree) -> None:
    """Forget all nodes and edges."""
    size = tree.size[0]
    size.nodes = 0
    size.edges = 0
    size.actions = 0
    for i in range(_BLOCK_SIZES):
        tree.unused[i] = _NO_BLOCK


@inlined
def _fits(tree: Tree, nodes: int, edges: int, actions: int) -> bool:
    """Whether there is memory for so much more of each."""
    size = tree.size[0]
    nodes, edges, actions = size.nodes + nodes, size.edges + edges, size.actions + actions
    if nodes > len(tree.nodes) or edges > len(tree.edges) or actions > tree.actions.shape[0]:
        return False
    return nodes * _NODE_COST + edges * _EDGE_COST + actions * _ACTION_BYTES <= size.limit


@inlined
def may_grow(tree: Tree, node: int) -> bool:
    """Whether there is room for another edge of a node and the node behind it."""
    tried = int64(tree.nodes[node].tried)
    return _fits(tree, 1, _longer_block(tried) if _is_block_full(tried) else 0, 0)


@inlined
def _is_block_full(tried: int) -> bool:
    """Whether the block of a node is full: blocks are powers of two."""
    return tried == 0 or (tried >= _SMALLEST_BLOCK and tried & (tried - 1) == 0)


@inlined
def _longer_block(tried: int) -> int:
    """How long the block is that takes the place of a full one."""
    return max(int64(_SMALLEST_BLOCK), 2 * tried)


@inlined
def add_node(work: Work, tree: Tree, mover: int) -> int:
    """A node for a state with this player to act, or NOBODY; it has no edges yet. NO_NODE if there is no room."""
    if not _fits(tree, 1, 0, 0):
        return int64(NO_NODE)
    size = tree.size[0]
    node = size.nodes
    size.nodes += 1
    work.counters[0].nodes += 1
    at = tree.nodes[node]
    at.tried = 0
    at.selected = NO_SLOT
    at.action_count = UNLISTED
    at.visits = 0
    at.mover = mover
    return node


@inlined
def mover_or_nobody(work: Work, s: Address) -> int:
    """The player to act in a state; NOBODY if the game is over."""
    if calls.is_over(work.table, work.g, s) != 0:
        return int64(NOBODY)
    return mover_of(work, s)


@inlined
def list_actions(work: Work, tree: Tree, s: Address, node: int) -> bool:
    """List the actions of a node, best-rated first; False if there is no room for them."""
    n = list_for(work, s, max(0, tree.nodes[node].mover), OPTIONS)
    if not _fits(tree, 0, 0, n):
        return False
    if n > 1:
        rate_list(work, s, OPTIONS, n)
        sort_list(work, OPTIONS, n)
    size, at = tree.size[0], tree.nodes[node]
    at.listed = size.actions
    at.action_count = n
    for i in range(n):
        tree.actions[size.actions + i] = work.actions[OPTIONS, i]
    at.next_action = work.actions[OPTIONS, 0]
    size.actions += n
    return True


@inlined
def _make_room(tree: Tree, node: int) -> None:
    """Make room for another edge of a node: a block twice as long, if its own is full."""
    at = tree.nodes[node]
    tried = int64(at.tried)
    if not _is_block_full(tried):
        return
    room = _longer_block(tried)
    kind = 0
    while _SMALLEST_BLOCK << kind < room:
        kind += 1
    block = tree.unused[kind]
    if block != _NO_BLOCK:
        tree.unused[kind] = tree.edges[block].child
    else:
        size = tree.size[0]
        block = size.edges
        size.edges += room
    if tried > 0:
        _copy_edges(tree, block, int64(at.first), tried)
        tree.edges[at.first].child = tree.unused[kind - 1]
        tree.unused[kind - 1] = at.first
    at.first = block


@inlined
def _copy_edges(tree: Tree, target: int, source: int, count: int) -> None:
    edges, means, roots = address(tree.edges), address(tree.scores.mean), address(tree.scores.root)
    copy_bytes(edges + _EDGE_BYTES * target, edges + _EDGE_BYTES * source, _EDGE_BYTES * count)
    copy_bytes(means + 8 * target, means + 8 * source, 8 * count)
    copy_bytes(roots + 8 * target, roots + 8 * source, 8 * count)


@inlined
def edge_at(tree: Tree, node: int, slot: int) -> Edge:
    """An edge of a node."""
    return tree.edges[int64(tree.nodes[node].first) + slot]


@inlined
def select_edge(tree: Tree, node: int, slot: int) -> None:
    """Make an edge the one to take next in a node whose actions have all been tried, or whose tree is full."""
    at, edge = tree.nodes[node], edge_at(tree, node, slot)
    at.selected, at.next_action, at.forced, at.child = slot, edge.action, edge.forced, edge.child


class Trial(Row):
    """What has become of an action that was tried for the first time."""

    key: np.uint64
    """The key of the state it led to."""
    keyed: bool
    """Whether that state is to be found by its key."""
    mover: int
    """The player to act there, or NOBODY."""
    options: int
    """How many actions the player has there; 0: they have not been looked at."""
    action: int
    """The one of them that a rollout takes; NO_ACTION: OPTIONS is the list of them."""


@inlined
def try_action(
    work: Work, tree: Tree, keys: KeySlots, s: Address, node: int, share: bool, rollout: Rollout, trials: Rows[Trial]
) -> int:
    """Try a node's next action in the state `s`, in a tree that has room; returns the slot of its new edge.

    If only one action is left in the mover's turn, the edge takes that too. The edge leads nowhere until it is
    connected: the state that it comes to may be played on from first, while its place in the key table is loaded.
    """
    _make_room(tree, node)
    at, trial = tree.nodes[node], trials[0]
    slot = int64(at.tried)
    edge, before = edge_at(tree, node, slot), work.rng[0]
    action = int64(at.next_action)
    prefetch(address(tree.actions) + _ACTION_BYTES * (at.listed + slot + 1))
    edge.action, edge.forced, edge.visits, edge.value = action, NO_ACTION, 0, 0.0
    set_score(tree.scores, int64(at.first) + slot, 0.0, 1)
    apply(work, s, action)
    trial.mover, trial.options = mover_or_nobody(work, s), 0
    by_chance = work.rng[0] != before
    if trial.mover == at.mover:
        trial.options, trial.action = look_ahead(work, rollout, s, max(0, trial.mover))
        if trial.options == 1:
            edge.forced = work.actions[OPTIONS, 0]
            before = work.rng[0]
            apply(work, s, int64(edge.forced))
            by_chance = by_chance or work.rng[0] != before
            trial.mover, trial.options = mover_or_nobody(work, s), 0
    trial.keyed = share or by_chance
    if trial.keyed:
        trial.key = _node_key(work, s, node, slot, share)
        outcomes.expect(keys, trial.key)
    return slot


@inlined
def connect(
    work: Work, tree: Tree, keys: KeySlots, node: int, slot: int, whose: int, share: bool, trials: Rows[Trial]
) -> int:
    """Connect the edge of the action tried last to the tree, which has room; returns the node that it leads to.

    With `share`, a state that is in the tree already becomes the child. A new state in which the turn of player
    `whose` has ended counts as an outcome.
    """
    trial, count = trials[0], work.counters[0]
    child = int64(NO_NODE)
    if trial.keyed:
        child = outcomes.insert(keys, trial.key, tree.size[0].nodes)
    if share and child >= 0:
        count.hits += 1
    else:
        child = add_node(work, tree, trial.mover)
        if tree.nodes[node].mover == whose and trial.mover != whose:
            count.unique += 1
    at = tree.nodes[node]
    edge_at(tree, node, slot).child = child
    at.tried += 1
    if at.tried < at.action_count:
        at.next_action = tree.actions[at.listed + at.tried]
    return child


@inlined
def follow(work: Work, tree: Tree, keys: KeySlots, s: Address, node: int, slot: int, share: bool) -> int:
    """Replay an edge in the state `s`; returns the node reached, which chance may have chosen, or NO_NODE if it is new.

    ELSEWHERE: the edge's own action was taken, but its forced action can't follow.
    """
    edge = edge_at(tree, node, slot)
    return _replay(work, tree, keys, s, node, slot, share, int64(edge.action), int64(edge.forced), int64(edge.child))


@inlined
def follow_selected(work: Work, tree: Tree, keys: KeySlots, s: Address, node: int, share: bool) -> int:
    """Replay the selected edge of a node, as `follow` does."""
    at = tree.nodes[node]
    return _replay(
        work,
        tree,
        keys,
        s,
        node,
        int64(at.selected),
        share,
        int64(at.next_action),
        int64(at.forced),
        int64(at.child),
    )


@inlined
def _replay(
    work: Work,
    tree: Tree,
    keys: KeySlots,
    s: Address,
    node: int,
    slot: int,
    share: bool,
    action: int,
    forced: int,
    child: int,
) -> int:
    before = work.rng[0]
    apply(work, s, action)
    if forced != NO_ACTION:
        if work.rng[0] != before and not (
            _still_moves(work, s, int64(tree.nodes[node].mover)) and is_legal(work, s, forced)
        ):
            return int64(ELSEWHERE)
        apply(work, s, forced)
    if work.rng[0] == before:
        return child
    # Chance was drawn: look up where it really led.
    return outcomes.find(keys, _node_key(work, s, node, slot, share))


@inlined
def add_outcome(work: Work, tree: Tree, keys: KeySlots, s: Address, node: int, slot: int, share: bool) -> int:
    """A node for a state that chance brought up behind an edge, to be found again; NO_NODE if there is no room."""
    added = add_node(work, tree, mover_or_nobody(work, s))
    if added >= 0:
        outcomes.insert(keys, _node_key(work, s, node, slot, share), added)
    return added


@inlined
def _still_moves(work: Work, s: Address, player: int) -> bool:
    """Whether the game continues with an action of the player."""
    return continues(work, s) and mover_of(work, s) == player


@inlined
def _node_key(work: Work, s: Address, node: int, slot: int, share: bool) -> np.uint64:
    """What a node is found by: its state, or if states are not shared, its state behind this edge."""
    key = key_of(work, s)
    return key if share else key ^ ((np.uint64(node + 1) << _SLOT_BITS | np.uint64(slot)) * _SPREAD)


@inlined
def add_value(tree: Tree, place: int, value: float) -> None:
    """Count a visit of the edge at a place and the value that it brought."""
    edge = tree.edges[place]
    edge.visits += 1
    edge.value += value
    set_score(tree.scores, place, edge.value, edge.visits)


@inlined
def best_slot(tree: Tree, node: int) -> int:
    """The tried edge of a node with the best mean; ties to more visits, then the first; NO_SLOT if none was tried."""
    best, best_visits, best_mean = int64(NO_SLOT), 0, -np.inf
    at = tree.nodes[node]
    for slot in range(at.tried):
        visits, mean = edge_at(tree, node, slot).visits, tree.scores.mean[at.first + slot]
        if visits > 0 and (mean > best_mean or (mean == best_mean and visits > best_visits)):
            best, best_visits, best_mean = int64(slot), visits, mean
    return best
