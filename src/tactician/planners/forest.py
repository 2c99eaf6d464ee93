"""The forest of EMCTS: turns as nodes, mutations as edges, and how the mutations of a turn are found.

Most turns are descended from once or twice and then never again: to list all their mutations would take longer than to
try them. So where there are many, the first ones are drawn, and only a turn that gets more lists the rest.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from tactician.contract.random import below
from tactician.native.caching import inlined
from tactician.native.memory import int64
from tactician.native.rows import Int32, Row, Rows
from tactician.planners.genome import Turns, replay
from tactician.planners.ranking import Ranking
from tactician.planners.scores import Scores, best_bound
from tactician.planners.tree import UNLISTED
from tactician.planners.work import (
    OPTIONS,
    Work,
    apply,
    count_candidates,
    from_root,
    list_candidates,
    random_for,
)

DRAWN = 8
"""Mutations of a turn that are drawn one by one, before all are listed."""
_MANY = 64
"""Mutations that take longer to list than a few take to be drawn."""
_ATTEMPTS = 32
"""Draws for one mutation before all are listed instead."""
FOUND, FOUND_HERE, ALL_TRIED, NO_ROOM = range(4)
"""What comes of looking for a mutation; HERE: and NOW is the state that it is made in."""


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
    """How many edges it has, or as long as they are drawn how many candidates; at first UNLISTED."""
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
    """[nodes, max_turn] how many there are at each gene of a turn whose first mutations are drawn."""
    place: NDArray[np.int32]
    """[edges] the gene that an edge changes ..."""
    action: NDArray[np.int32]
    """[edges] ... and what it becomes."""
    child: NDArray[np.int32]
    """[edges] the node that a tried edge leads to ..."""
    scores: Scores
    """[edges] ... and what the selection compares of it."""
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
def next_mutation(work: Work, forest: Forest, node: int, parent: int, player: int) -> int:
    """Make a random mutation that has not been tried the next edge of a turn; says what came of it.

    `parent`: the node that the turn was descended to from, or NO_NODE.
    In the order of the genes the late ones would starve, as a phase often ends before all are tried.
    """
    known = forest.nodes[node]
    if known.edge_count == UNLISTED:
        known.listed = 0
        if forest.progress[0].draws and not _count_mutations(work, forest, node, parent):
            return NO_ROOM
    if not known.listed:
        may_draw = forest.progress[0].draws and known.tried < DRAWN
        if may_draw and _draw_mutation(work, forest, node, player):
            return FOUND_HERE
        if not _list_mutations(work, forest, node):
            return NO_ROOM
    untried = int64(known.edge_count) - known.tried
    if untried == 0:
        return ALL_TRIED
    one = int64(known.first) + known.tried
    other = one + below(work.rng, untried)
    forest.place[one], forest.place[other] = forest.place[other], forest.place[one]
    forest.action[one], forest.action[other] = forest.action[other], forest.action[one]
    return FOUND


@inlined
def has_many_mutations(work: Work, forest: Forest, node: int) -> bool:
    """Whether a turn has so many mutations that to draw one takes less time than to list all."""
    now, total = from_root(work), int64(0)
    for place in range(forest.turns.lengths[node]):
        total += count_candidates(work, now)
        apply(work, now, int64(forest.turns.genes[node, place]))
    return total >= _MANY


@inlined
def _count_mutations(work: Work, forest: Forest, node: int, parent: int) -> bool:
    """Count the candidates at each gene of a turn; False if there is no room for the edges drawn.

    As far as the turn is that of its parent, so are they.
    """
    at, known, counts = forest.progress[0], forest.nodes[node], forest.candidates
    if at.edges + DRAWN > forest.place.shape[0]:
        return False
    total, same = int64(0), int64(0)
    if parent >= 0:
        same = int64(forest.place[known.edge]) + 1
    for place in range(same):
        counts[node, place] = counts[parent, place]
        total += counts[node, place]
    now = replay(work, forest.turns, node, same)
    for place in range(same, forest.turns.lengths[node]):
        counts[node, place] = count_candidates(work, now)
        total += counts[node, place]
        apply(work, now, int64(forest.turns.genes[node, place]))
    known.first, known.edge_count = at.edges, total
    at.edges += DRAWN
    return True


@inlined
def _draw_mutation(work: Work, forest: Forest, node: int, player: int) -> bool:
    """Draw any gene and candidate until they make a new mutation; False if none is found soon."""
    first, tried = int64(forest.nodes[node].first), int64(forest.nodes[node].tried)
    counts = forest.candidates
    for _ in range(_ATTEMPTS):
        number, place = below(work.rng, int64(forest.nodes[node].edge_count)), 0
        while number >= counts[node, place]:
            number -= counts[node, place]
            place += 1
        action = random_for(work, replay(work, forest.turns, node, place), player)
        if action != forest.turns.genes[node, place] and not _has_tried(forest, first, tried, place, action):
            forest.place[first + tried] = place
            forest.action[first + tried] = action
            return True
    return False


@inlined
def _has_tried(forest: Forest, first: int, tried: int, place: int, action: int) -> bool:
    """Whether a mutation is one of the `tried` edges from `first` on."""
    for edge in range(first, first + tried):
        if forest.place[edge] == place and forest.action[edge] == action:
            return True
    return False


@inlined
def _list_mutations(work: Work, forest: Forest, node: int) -> bool:
    """Write all edges of a turn down, the tried ones first, the others in the order of its genes; False if there is no
    room for them."""
    at = forest.progress[0]
    first, tried = at.edges, int64(forest.nodes[node].tried)
    if first + DRAWN > forest.place.shape[0]:
        return False
    for i in range(tried):
        _move_edge(forest, int64(forest.nodes[node].first) + i, first + i)
    edge, now = first + tried, from_root(work)
    for place in range(forest.turns.lengths[node]):
        gene = int64(forest.turns.genes[node, place])
        n = list_candidates(work, now, OPTIONS)
        if edge + n > forest.place.shape[0]:
            return False
        for i in range(n):
            action = int64(work.actions[OPTIONS, i])
            if action != gene and not _has_tried(forest, first, tried, place, action):
                forest.place[edge] = place
                forest.action[edge] = action
                edge += 1
        apply(work, now, gene)
    forest.nodes[node].first = first
    forest.nodes[node].edge_count = edge - first
    forest.nodes[node].listed = 1
    at.edges = edge
    return True


@inlined
def _move_edge(forest: Forest, source: int, target: int) -> None:
    """Move a tried edge to another place."""
    forest.place[target], forest.action[target] = forest.place[source], forest.action[source]
    forest.child[target] = forest.child[source]
    forest.scores.mean[target], forest.scores.root[target] = forest.scores.mean[source], forest.scores.root[source]
    forest.nodes[forest.child[source]].edge = target


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
