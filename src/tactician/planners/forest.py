"""The forest of EMCTS: turns as nodes, mutations as edges, and the choice among them."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from tactician.native.caching import inlined
from tactician.native.memory import int64
from tactician.native.rows import Int32, Row, Rows
from tactician.planners.genome import Turns
from tactician.planners.ranking import Ranking
from tactician.planners.scores import Scores, best_bound
from tactician.planners.tree import NO_NODE, UNLISTED

NO_EDGE = -1
"""Instead of the edge that leads to a turn, where the tree began with it."""


class ForestProgress(Row):
    """Where the search stands."""

    nodes: int
    """Nodes in use."""
    edges: int
    """Edges in use."""
    root: int
    """The node that descents start at."""
    phases_done: int
    """Phases that have ended."""
    contestants: int
    """Mutations of the root that still compete for the phase, with sequential halving: its first edges; 0: not yet."""
    halvings: int
    """How often their number was halved in the phase."""
    draws: bool
    """Whether turns have so many mutations that the first ones are drawn."""
    clock: float
    """The fraction of a time budget that is spent."""
    least: float
    """The least value seen."""
    greatest: float
    """The greatest value seen."""


class ForestNode(Row):
    """What is known of a turn, in one place of the memory: a descent looks at most of it."""

    value: float
    """What the turn is worth."""
    total: float
    """The sum of the values backed up through the node."""
    rival_mean: float
    """The mean of the second best of its edges."""
    visits: Int32
    """How often it was passed."""
    first: Int32
    """The first of its edges, which stand side by side."""
    edge_count: Int32
    """How many edges it has, or as long as they are drawn how many candidates; at first UNLISTED. In the order of
    ratings how many it can have."""
    tried: Int32
    """How many of its edges have been tried: the first ones."""
    edge: Int32
    """The edge that leads to it; NO_EDGE: the tree began with it."""
    compared: Int32
    """How many edges the leader is the best of; 0: none were compared."""
    leader: Int32
    """The edge with the highest mean when they were compared, counted from the first ..."""
    leading: Int32
    """... the node that it leads to ..."""
    rival: Int32
    """... and the edge with the second highest mean."""
    listed: Int32
    """1 if all its edges have been written down, not only those that have been tried."""


class Forest(NamedTuple):
    """Turns as nodes and mutations as edges; the row of turns after the last node is the best turn so far."""

    turns: Turns
    """[nodes + 1] the turns."""
    nodes: Rows[ForestNode]
    """[nodes + 1] what is known of the turns; of the best one only its value."""
    candidates: NDArray[np.int32]
    """[nodes, max_turn] how many there are at each gene of a turn whose first mutations are drawn. In the order of
    ratings only those that differ from the gene and have not been tried."""
    place: NDArray[np.int32]
    """[edges] the gene that an edge changes ..."""
    action: NDArray[np.int32]
    """[edges] ... and what it becomes."""
    child: NDArray[np.int32]
    """[edges] the node that a tried edge leads to, NO_NODE if that turn's end was known ..."""
    scores: Scores
    """[edges] ... and what the selection compares of it; minus infinity where there is nothing new to find."""
    bounds: NDArray[np.float64]
    """[max_turn * max_actions] room for the bounds of a node's edges."""
    path: NDArray[np.int64]
    """[MAX_PATH] the nodes of the present descent."""
    progress: Rows[ForestProgress]
    """[1] where the search stands."""
    ranking: Ranking
    """The best turns."""


@inlined
def best_row(forest: Forest) -> int:
    """The row of the best turn so far, behind all nodes."""
    return int64(len(forest.nodes) - 1)


@inlined
def move_edge(forest: Forest, source: int, target: int) -> None:
    """Move a tried edge to another place."""
    forest.place[target], forest.action[target] = forest.place[source], forest.action[source]
    forest.child[target] = forest.child[source]
    forest.scores.mean[target], forest.scores.root[target] = forest.scores.mean[source], forest.scores.root[source]
    if forest.child[source] != NO_NODE:
        forest.nodes[forest.child[source]].edge = target


@inlined
def close_edge(forest: Forest, edge: int) -> None:
    """There is nothing new behind an edge: it is not selected any more."""
    forest.scores.mean[edge], forest.scores.root[edge] = -np.inf, 1.0


@inlined
def is_closed(forest: Forest, edge: int) -> bool:
    """Whether there is nothing new behind an edge."""
    return forest.scores.mean[edge] == -np.inf


@inlined
def bring_best_forward(forest: Forest, first: int, count: int) -> None:
    """Sort the better half of `count` tried edges from `first` on to the front, the highest mean first."""
    for place in range(first, first + (count + 1) // 2):
        best = place
        for edge in range(place + 1, first + count):
            if forest.scores.mean[edge] > forest.scores.mean[best]:
                best = edge
        if best != place:
            _exchange_edges(forest, place, best)


@inlined
def _exchange_edges(forest: Forest, one: int, other: int) -> None:
    """Exchange two tried edges."""
    places, actions, children, scores = forest.place, forest.action, forest.child, forest.scores
    places[one], places[other] = places[other], places[one]
    actions[one], actions[other] = actions[other], actions[one]
    children[one], children[other] = children[other], children[one]
    scores.mean[one], scores.mean[other] = scores.mean[other], scores.mean[one]
    scores.root[one], scores.root[other] = scores.root[other], scores.root[one]
    forest.nodes[children[one]].edge, forest.nodes[children[other]].edge = one, other


@inlined
def leading_child(forest: Forest, node: int, scale: float) -> int:
    """The child with the highest mean, the first of equals.

    Until its mean falls below that of the second best, the others need not be looked at; then the second best leads,
    and only now the score of the former leader is set.
    """
    known, means = forest.nodes[node], forest.scores.mean
    first, count = int64(known.first), int64(known.tried)
    if known.compared > 0:
        leading = forest.nodes[known.leading]
        mean = leading.total / leading.visits
        ahead, behind = mean * scale, known.rival_mean * scale
        if known.compared == count and (ahead > behind or (ahead == behind and known.leader < known.rival)):
            return int64(known.leading)
        means[first + known.leader] = mean
    if known.compared == count:
        leader = int64(known.rival)
    else:
        leader = best_bound(forest.scores, first, count, scale, 0.0, forest.bounds)
    mean = means[first + leader]
    means[first + leader] = -np.inf  # the best of the others is its rival
    rival = best_bound(forest.scores, first, count, scale, 0.0, forest.bounds)
    known.rival_mean = means[first + rival]
    means[first + leader] = mean
    known.compared, known.leader, known.rival = count, leader, rival
    known.leading = forest.child[first + leader]
    return int64(known.leading)


@inlined
def best_child(forest: Forest, node: int, tabu: bool) -> int:
    """The child with the highest mean; ties to more visits, then the first; NO_NODE if there is none.

    With `tabu` only where there may be something new.
    """
    best = int64(NO_NODE)
    if forest.nodes[node].edge_count == UNLISTED:
        return best
    best_mean = -np.inf
    start = int64(forest.nodes[node].first)
    for edge in range(start, start + forest.nodes[node].tried):
        if tabu and is_closed(forest, edge):
            continue
        child = int64(forest.child[edge])
        mean = forest.nodes[child].total / forest.nodes[child].visits
        if mean > best_mean or (mean == best_mean and forest.nodes[child].visits > forest.nodes[best].visits):
            best, best_mean = child, mean
    return best


@inlined
def has_open_child(forest: Forest, node: int) -> bool:
    """Whether something new may be found below a child of a turn."""
    first = int64(forest.nodes[node].first)
    for edge in range(first, first + forest.nodes[node].tried):
        if not is_closed(forest, edge):
            return True
    return False
