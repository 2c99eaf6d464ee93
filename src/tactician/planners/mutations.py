"""How EMCTS finds the mutations of a turn, one at a time.

Most turns are descended from once or twice and then never again: to list all their mutations would take longer than to
try them. So where there are many, the first ones are drawn, and only a turn that gets more lists the rest. In the order
of ratings none are listed: at a place that is drawn, the best-rated action is taken that has not been tried there.
"""

from __future__ import annotations

import numpy as np

from tactician.contract.random import below
from tactician.native.caching import inlined
from tactician.native.memory import Address, int64
from tactician.planners.forest import Forest, move_edge
from tactician.planners.genome import replay
from tactician.planners.tree import UNLISTED
from tactician.planners.work import (
    LEGAL,
    NO_ACTION,
    OPTIONS,
    Work,
    apply,
    count_candidates,
    from_root,
    list_candidates,
    random_for,
    rate_list,
)

DRAWN = 8
"""Mutations of a turn that are drawn one by one, before all are listed."""
_MANY = 64
"""Mutations that take longer to list than a few take to be drawn."""
_ATTEMPTS = 32
"""Draws for one mutation before all are listed instead."""
FOUND, FOUND_HERE, ALL_TRIED, NO_ROOM = range(4)
"""What comes of looking for a mutation; HERE: and NOW is the state that it is made in."""


@inlined
def next_mutation(work: Work, forest: Forest, node: int, parent: int, player: int, rated: bool) -> int:
    """Make a random mutation that has not been tried the next edge of a turn; says what came of it.

    `parent`: the node that the turn was descended to from, or NO_NODE; `rated`: at each gene the best-rated come first.
    In the order of the genes the late ones would starve, as a phase often ends before all are tried.
    """
    if rated:
        return _next_rated(work, forest, node, parent)
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
def _next_rated(work: Work, forest: Forest, node: int, parent: int) -> int:
    """Draw a gene, each as likely as it has untried mutations, and make the best-rated of those the next edge."""
    known, counts = forest.nodes[node], forest.candidates
    if known.edge_count == UNLISTED and not _count_alternatives(work, forest, node, parent):
        return NO_ROOM
    if known.tried == DRAWN and known.edge_count > DRAWN and not _make_room(forest, node):
        return NO_ROOM
    while known.tried < known.edge_count:
        number, place = below(work.rng, int64(known.edge_count) - known.tried), 0
        while number >= counts[node, place]:
            number -= counts[node, place]
            place += 1
        action = _best_untried(work, forest, node, place, replay(work, forest.turns, node, place))
        counts[node, place] -= 1
        if action >= 0:
            forest.place[known.first + known.tried] = place
            forest.action[known.first + known.tried] = action
            return FOUND_HERE
        known.edge_count -= 1  # the game draws its candidates anew, and this time there are fewer
    known.listed = 1
    return ALL_TRIED


@inlined
def _count_alternatives(work: Work, forest: Forest, node: int, parent: int) -> bool:
    """Count what else could be done at each gene of a turn; False if there is no room for the first edges.

    As far as the turn is that of its parent, there is as much, and the parent may have tried some of it.
    """
    at, known, counts, turns = forest.progress[0], forest.nodes[node], forest.candidates, forest.turns
    if at.edges + DRAWN > forest.place.shape[0]:
        return False
    same = int64(0)
    if parent >= 0:
        same = int64(forest.place[known.edge])
        for place in range(same):
            counts[node, place] = counts[parent, place]
        first = int64(forest.nodes[parent].first)
        for edge in range(first, first + forest.nodes[parent].tried):
            if forest.place[edge] < same:
                counts[node, forest.place[edge]] += 1
    now = replay(work, turns, node, same)
    for place in range(same, turns.lengths[node]):
        gene, n = int64(turns.genes[node, place]), list_candidates(work, now, OPTIONS)
        counts[node, place] = 0
        for i in range(n):
            counts[node, place] += work.actions[OPTIONS, i] != gene
        apply(work, now, gene)
    total = int64(0)
    for place in range(turns.lengths[node]):
        total += counts[node, place]
    known.first, known.edge_count, known.listed = at.edges, total, 0
    at.edges += DRAWN
    return True


@inlined
def _make_room(forest: Forest, node: int) -> bool:
    """Move the edges of a turn to where there is room for all it can have; False if there is none."""
    at, known = forest.progress[0], forest.nodes[node]
    if at.edges + known.edge_count > forest.place.shape[0]:
        return False
    for i in range(known.tried):
        move_edge(forest, int64(known.first) + i, at.edges + i)
    known.first = at.edges
    at.edges += known.edge_count
    return True


@inlined
def _best_untried(work: Work, forest: Forest, node: int, place: int, s: Address) -> int:
    """The best-rated of the actions in a state that have not been tried at a gene, ties at random; NO_ACTION if there
    is none."""
    options, tried = work.actions[OPTIONS], work.actions[LEGAL]
    n, first, used = list_candidates(work, s, OPTIONS), int64(forest.nodes[node].first), 1
    rate_list(work, s, OPTIONS, n)
    tried[0] = forest.turns.genes[node, place]
    for edge in range(first, first + forest.nodes[node].tried):
        if forest.place[edge] == place:
            tried[used] = forest.action[edge]
            used += 1
    best, ties = -np.inf, int64(0)
    for i in range(n):
        known = False
        for j in range(used):
            known = known or tried[j] == options[i]
        if not known and (ties == 0 or work.ratings[i] >= best):
            ties = ties if ties > 0 and work.ratings[i] == best else int64(0)
            best = work.ratings[i]
            options[ties] = options[i]
            ties += 1
    if ties == 0:
        return int64(NO_ACTION)
    return int64(options[below(work.rng, ties) if ties > 1 else 0])


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
        move_edge(forest, int64(forest.nodes[node].first) + i, first + i)
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
