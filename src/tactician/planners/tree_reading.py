"""A turn read off the tree of MCTS: along the best means, the alternatives to it, and the sums of several trees."""

from __future__ import annotations

import numpy as np

from tactician.native.caching import inlined, kernel
from tactician.native.memory import borrowed, int64
from tactician.planners import outcomes
from tactician.planners.genome import finish_turn
from tactician.planners.outcomes import KeySlots
from tactician.planners.ranking import (
    NO_PLACE,
    clear_ranking,
    may_rank,
    place_for,
)
from tactician.planners.scores import set_score
from tactician.planners.tree import (
    ELSEWHERE,
    Tree,
    best_slot,
    edge_at,
    follow,
)
from tactician.planners.walk import ANOTHER_TURN, START, THE_TURN, Options, Walk
from tactician.planners.work import (
    NO_ACTION,
    NOW,
    Work,
    apply,
    copy_state,
    from_root,
    judge,
    key_of,
    state_at,
)


@kernel
def read_turn(work: Work, tree: Tree, keys: KeySlots, walk: Walk, options: Options, player: int) -> int:
    """Follow the best edges while they are the root player's, then finish the turn; returns its length."""
    work, tree, keys, walk = borrowed(work), borrowed(tree), borrowed(keys), borrowed(walk)
    at = walk.progress[0]
    at.value = np.nan
    at.passed = at.roots
    from_root(work)
    return _follow_best(work, tree, keys, walk, options, player, THE_TURN, at.root, walk.turn.lengths[THE_TURN])


@inlined
def _follow_best(
    work: Work,
    tree: Tree,
    keys: KeySlots,
    walk: Walk,
    options: Options,
    player: int,
    row: int,
    node: int,
    length: int,
) -> int:
    """Lengthen a turn from the state NOW on by the best edges of its node and the next ones, then finish it."""
    now, turn = state_at(work, NOW), walk.turn
    while node >= 0 and tree.nodes[node].mover == player and length + 2 <= turn.genes.shape[1]:
        slot = best_slot(tree, node)
        if slot < 0:
            break
        if row == THE_TURN:
            at = walk.progress[0]
            walk.roots[at.passed], walk.decided[at.passed] = node, length
            at.passed += 1
        node, length = _take_edge(work, tree, keys, walk, options, row, node, slot, length)
    return finish_turn(work, turn, row, now, length, player, options.waste)


@inlined
def _take_edge(
    work: Work, tree: Tree, keys: KeySlots, walk: Walk, options: Options, row: int, node: int, slot: int, length: int
) -> tuple[int, int]:
    """Take an edge in the state NOW and append its actions to a turn; returns the node and the turn's length."""
    at, edge = walk.progress[0], edge_at(tree, node, slot)
    at.visits = edge.visits
    at.value = edge.value / edge.visits
    walk.turn.genes[row, length] = edge.action
    length += 1
    child = follow(work, tree, keys, state_at(work, NOW), node, slot, options.share)
    if edge.forced != NO_ACTION and child != ELSEWHERE:
        walk.turn.genes[row, length] = edge.forced
        length += 1
    return child, length


@kernel
def judge_now(work: Work, player: int) -> float:
    """A player's value of the state NOW, which is not counted as an evaluation of the search."""
    work = borrowed(work)
    value = judge(work, state_at(work, NOW), player)
    work.counters[0].evaluations -= 1
    return value


@kernel
def find_now(work: Work, keys: KeySlots) -> int:
    """The node of the state NOW, or NO_NODE."""
    work, keys = borrowed(work), borrowed(keys)
    return outcomes.find(keys, key_of(work, state_at(work, NOW)))


@kernel
def add_counts(tree: Tree, node: int, other: Tree, theirs: int) -> None:
    """Add the counts that another tree has of the same state, where both have tried an action."""
    tree, other = borrowed(tree), borrowed(other)
    mine, first = int64(tree.nodes[node].first), int64(other.nodes[theirs].first)
    for slot in range(tree.nodes[node].tried):
        edge = tree.edges[mine + slot]
        for other_slot in range(other.nodes[theirs].tried):
            more = other.edges[first + other_slot]
            if more.action == edge.action and more.visits > 0:
                edge.visits += more.visits
                edge.value += more.value
                set_score(tree.scores, mine + slot, edge.value, edge.visits)
                break


@kernel
def best_of(tree: Tree, node: int) -> int:
    """The slot of the best edge of a node."""
    tree = borrowed(tree)
    return best_slot(tree, node)


@kernel
def rank_turns(work: Work, tree: Tree, keys: KeySlots, walk: Walk, options: Options, player: int) -> None:
    """Rank the turns that take one of the best edges of a node that the plan passes."""
    work, tree, keys, walk = borrowed(work), borrowed(tree), borrowed(keys), borrowed(walk)
    clear_ranking(walk.ranking)
    at = walk.progress[0]
    for i in range(at.passed - 1, -1, -1):  # the plan itself comes first
        node, decided = int64(walk.roots[i]), walk.decided[i]
        if tree.nodes[node].mover != player:
            continue
        tried = tree.nodes[node].tried
        for k in range(tried):
            edge = edge_at(tree, node, k)
            walk.means[k] = edge.value / edge.visits if edge.visits > 0 else -np.inf
        for _ in range(min(tried, len(walk.ranking.value))):
            best = 0
            for k in range(tried):
                if walk.means[k] > walk.means[best]:
                    best = k
            value, action = walk.means[best], edge_at(tree, node, best).action
            walk.means[best] = -np.inf
            taken = i < at.passed - 1 and action == walk.turn.genes[THE_TURN, decided]
            if value > -np.inf and not taken:
                _rank_turn(work, tree, keys, walk, options, player, decided, node, best)


@inlined
def _rank_turn(
    work: Work,
    tree: Tree,
    keys: KeySlots,
    walk: Walk,
    options: Options,
    player: int,
    decided: int,
    node: int,
    slot: int,
) -> None:
    """Offer the ranking the turn that takes an edge after the first `decided` actions of the plan."""
    turn, now = walk.turn, state_at(work, NOW)
    copy_state(work, now, state_at(work, START))
    for i in range(decided):
        turn.genes[ANOTHER_TURN, i] = turn.genes[THE_TURN, i]
        apply(work, now, int64(turn.genes[THE_TURN, i]))
    if decided + 2 > turn.genes.shape[1]:
        return
    child, length = _take_edge(work, tree, keys, walk, options, ANOTHER_TURN, node, slot, decided)
    length = _follow_best(work, tree, keys, walk, options, player, ANOTHER_TURN, child, length)
    at = walk.progress[0]
    place = int64(NO_PLACE)
    if may_rank(walk.ranking, at.value):
        place = place_for(walk.ranking, key_of(work, now), at.value)
    if place >= 0:
        walk.ranking.seen[place] = at.visits
        walk.ranking.turns.lengths[place] = length
        for i in range(length):
            walk.ranking.turns.genes[place, i] = turn.genes[ANOTHER_TURN, i]
