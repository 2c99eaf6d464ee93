"""Loading parts of a tree before they are needed: the memory of a big tree takes hundreds of instructions to answer.

A search knows early which nodes and edges it will come to. Nothing here changes what it does.
"""

from __future__ import annotations

from tactician.native.caching import inlined
from tactician.native.memory import address, int64, prefetch
from tactician.native.rows import Rows, row_dtype
from tactician.planners import outcomes
from tactician.planners.outcomes import KeySlots
from tactician.planners.tree import NO_SLOT, Edge, Node, Tree, Trial, select_edge

_NODE_BYTES, _EDGE_BYTES = row_dtype(Node).itemsize, row_dtype(Edge).itemsize
_CACHE_LINE = 64


@inlined
def _expect_node(tree: Tree, node: int) -> None:
    """Start loading a node; it may lie across two lines of the cache."""
    place = address(tree.nodes) + _NODE_BYTES * node
    prefetch(place)
    prefetch(place + _NODE_BYTES - 4)


@inlined
def expect_backup(tree: Tree, node: int) -> None:
    """Start loading what the backup of a node with a selected edge will need, and the node that comes after it."""
    at = tree.nodes[node]
    _expect_node(tree, int64(at.child))
    prefetch(address(tree.edges) + _EDGE_BYTES * int64(at.first + at.selected))
    means, roots = address(tree.scores.mean) + 8 * int64(at.first), address(tree.scores.root) + 8 * int64(at.first)
    for line in range(0, 8 * int64(at.tried), _CACHE_LINE):
        prefetch(means + line)
        prefetch(roots + line)


@inlined
def mark_edge(tree: Tree, node: int, slot: int) -> None:
    """Select an edge as `select_edge` does, but leave it to `expect_child` to read it once it has been loaded."""
    at = tree.nodes[node]
    at.selected = slot
    prefetch(address(tree.edges) + _EDGE_BYTES * (int64(at.first) + slot))


@inlined
def expect_child(tree: Tree, node: int) -> None:
    """Read the edge that has been marked in a node, if any has, and start loading the node behind it."""
    slot = int64(tree.nodes[node].selected)
    if slot != NO_SLOT:
        select_edge(tree, node, slot)
        _expect_node(tree, int64(tree.nodes[node].child))


@inlined
def expect_known(tree: Tree, keys: KeySlots, trials: Rows[Trial]) -> None:
    """Start loading the node of the state that the action tried last came to, if it is in the tree."""
    trial = trials[0]
    if trial.keyed:
        _expect_node(tree, max(0, outcomes.find(keys, trial.key)))
