"""Evolutionary MCTS on orders: a tree of changes to the order in which everything possible is tried.

The root is a random order, an edge exchanges two places of it, a node is valued by the evaluation after its turn. A
node holds only the two places: its order is the root's with the exchanges of its path. There is no bridge burning; at
the end the best path is followed down, and the best order on it is played.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import ClassVar, Literal, NamedTuple

import numpy as np
from numpy.typing import NDArray

from tactician.contract import calls
from tactician.contract.game import Game
from tactician.native.caching import inlined, kernel
from tactician.native.memory import borrowed, int64
from tactician.native.rows import Row, Rows, make_rows
from tactician.planners.base import Planner, Search
from tactician.planners.genome import Turns, copy_turn, make_turns, turn_list
from tactician.planners.orders import Orders, list_order, play_order, shuffle, two_places
from tactician.planners.outcomes import KeySlots, KeyTable, is_crowded
from tactician.planners.ranking import Ranking, clear_ranking, make_ranking, offer, ranked_turns
from tactician.planners.work import (
    NOW,
    Work,
    count_descent,
    count_outcome,
    judge,
    key_of_outcome,
    may_evaluate,
    may_iterate,
    state_at,
)
from tactician.seats.budget import Budget

MAX_OUTCOMES = 1 << 17
MAX_PATH = 512
_ROOT_ORDER, _NOW_ORDER = 0, 1
"""The rows of the tree's orders: the root's, and that of the present descent."""
_BEST_TURN, _LAST_TURN = 0, 1
"""The rows of the tree's turns: that of the best order so far, and the one made last."""


@dataclass(frozen=True, kw_only=True)
class PermutationEMCTS(Planner):
    """Searches a tree of orders of all possible actions; each edge swaps two positions of an order."""

    name: ClassVar[str] = "permutation-emcts"
    page: ClassVar[str] = "planners/orders.md"
    iteration: ClassVar[str] = "an order that is evaluated"
    paper: ClassVar[str] = "Montoliu et al. 2020, section 5; Baier & Cowling 2018"

    exploration: float = 0.0
    """C in UCB's mean + 2C·sqrt(2 ln n / n_j), from 0; the paper gives none, so it is that of EMCTS."""
    children: int = 20
    """Swaps tried at a node before the best of them is followed, 1 to 10000."""
    final: Literal["path", "best"] = "path"
    """Which order is played: the best on the best `path`, or the `best` ever valued."""
    memory_mb: int = 64
    """Megabytes that the tree may take, 1 to 1048576; when it is full, the search ends."""

    def __post_init__(self) -> None:
        super().__post_init__()
        self._require(0 <= self.exploration < math.inf, "exploration", "a number from 0")
        good = isinstance(self.children, int) and 1 <= self.children <= 10_000
        self._require(good, "children", "an integer from 1 to 10000")
        self._require(self.final in ("path", "best"), "final", "'path' or 'best'")
        self._require(isinstance(self.memory_mb, int) and 1 <= self.memory_mb <= 1 << 20, "memory_mb", "1 to 1048576")

    def search(self, game: Game) -> Search:
        """A search with an empty tree."""
        return _OrderTreeSearch(game, self)


class _Progress(Row):
    """Where the search stands."""

    nodes: int
    """Nodes in use."""
    order_length: int
    """How many actions the orders have."""
    best: int
    """The node with the best value."""


class _Tree(NamedTuple):
    """Exchanges, and what their orders are worth."""

    one: NDArray[np.int32]
    """[nodes] one of the two places that a node exchanges ..."""
    other: NDArray[np.int32]
    """[nodes] ... and the other."""
    child: NDArray[np.int32]
    """[nodes, children] the children of a node."""
    tried: NDArray[np.int32]
    """[nodes] how many children a node has."""
    value: NDArray[np.float64]
    """[nodes] what the turn of a node's order is worth."""
    visits: NDArray[np.int64]
    """[nodes] how often a node was passed."""
    total: NDArray[np.float64]
    """[nodes] the sum of the values backed up through a node."""
    orders: Orders
    """[2, max_actions] the root's order and that of the present descent."""
    turns: Turns
    """[2] the turn of the best order so far and the one made last."""
    path: NDArray[np.int64]
    """[MAX_PATH] the nodes of the present descent."""
    progress: Rows[_Progress]
    """[1] where the search stands."""
    ranking: Ranking
    """The best turns."""


class _OrderTreeSearch(Search):
    """The running search."""

    def __init__(self, game: Game, planner: PermutationEMCTS) -> None:
        super().__init__(game, planner.prune)
        self._exploration = float(planner.exploration)
        self._on_path = planner.final == "path"
        nodes = max(64, planner.memory_mb * 2**20 // (4 * planner.children + 40))
        self._tree = _Tree(
            one=np.zeros(nodes, np.int32),
            other=np.zeros(nodes, np.int32),
            child=np.zeros((nodes, planner.children), np.int32),
            tried=np.zeros(nodes, np.int32),
            value=np.zeros(nodes),
            visits=np.zeros(nodes, np.int64),
            total=np.zeros(nodes),
            orders=np.zeros((2, game.max_actions), np.int32),
            turns=make_turns(2, game.max_turn),
            path=np.zeros(MAX_PATH, np.int64),
            progress=make_rows(_Progress),
            ranking=make_ranking(game.max_turn, planner.alternatives),
        )
        self._seen = KeyTable(MAX_OUTCOMES)

    def begin(self, root: NDArray[np.uint64], player: int, random: NDArray[np.uint64], budget: Budget) -> None:
        """Start from a random order."""
        super().begin(root, player, random, budget)
        self._seen.empty()
        _begin(self.work, self._tree, player)

    def advance(self, units: int) -> bool:
        """Value `units` orders."""
        self._seen.grow_if_crowded()
        return _search(self.work, self._tree, self._seen.keys, self.player, self._exploration, units)

    def best(self) -> tuple[list[int], float | None]:
        """The turn of the best order on the best path, or of the best ever valued."""
        tree, at = self._tree, self._tree.progress[0]
        value = float(tree.value[at.best]) if at.nodes else None
        if at.nodes and self._on_path and not self._config[0]:
            worth = float(_follow(self.work, tree, self.player))
            if not self._config[0]:  # a rule that was cut short made half a turn
                return turn_list(tree.turns, _LAST_TURN), worth
        return turn_list(tree.turns, _BEST_TURN), value

    def alternatives(self, most: int) -> list[tuple[list[int], float, int]]:
        """The best different turns that were valued."""
        return ranked_turns(self._tree.ranking, most)


@kernel
def _begin(work: Work, tree: _Tree, player: int) -> None:
    """Make the root's order, and its turn in case the budget allows no evaluation."""
    work, tree = borrowed(work), borrowed(tree)
    n = list_order(work, tree.orders, _ROOT_ORDER, player)
    shuffle(work, tree.orders, _ROOT_ORDER, n)
    at = tree.progress[0]
    at.nodes, at.order_length, at.best = 0, n, 0
    clear_ranking(tree.ranking)
    length = play_order(work, tree.orders, _ROOT_ORDER, n, tree.turns, _BEST_TURN, player)
    tree.turns.lengths[_BEST_TURN] = length


@kernel
def _search(work: Work, tree: _Tree, seen: KeySlots, player: int, exploration: float, units: int) -> bool:
    """Value `units` orders; False once a limit is reached, the tree is full or there is nothing to exchange."""
    work, tree, seen = borrowed(work), borrowed(tree), borrowed(seen)
    at = tree.progress[0]
    n = at.order_length
    limit = min(int64(tree.child.shape[1]), n * (n - 1) // 2)
    for _ in range(units):
        if not may_iterate(work) or at.nodes == tree.visits.shape[0]:
            return False
        if is_crowded(seen):
            return True
        if limit == 0 and at.nodes > 0:
            return False
        _start_at_root(tree)
        depth = _descend(work, tree, limit, exploration) if at.nodes > 0 else 0
        length = play_order(work, tree.orders, _NOW_ORDER, n, tree.turns, _LAST_TURN, player)
        if not may_evaluate(work):
            return False
        _enter(work, tree, seen, player, depth, length)
    return True


@inlined
def _start_at_root(tree: _Tree) -> None:
    """Begin a descent with the root's order."""
    for i in range(tree.progress[0].order_length):
        tree.orders[_NOW_ORDER, i] = tree.orders[_ROOT_ORDER, i]


@inlined
def _descend(work: Work, tree: _Tree, limit: int, exploration: float) -> int:
    """Follow the tree to a node that has room for another child and draw that child's exchange; its depth."""
    at = tree.progress[0]
    node, depth = int64(0), 0
    tree.path[0] = 0
    while tree.tried[node] >= limit and depth + 2 < MAX_PATH:
        node = _select(work, tree, node, exploration)
        depth += 1
        tree.path[depth] = node
        _exchange(tree, int64(tree.one[node]), int64(tree.other[node]))
    one, other = two_places(work, at.order_length)
    child = at.nodes
    tree.one[child], tree.other[child] = one, other
    _exchange(tree, one, other)
    return depth + 1


@inlined
def _exchange(tree: _Tree, one: int, other: int) -> None:
    """Exchange two places of the present order."""
    orders = tree.orders
    orders[_NOW_ORDER, one], orders[_NOW_ORDER, other] = orders[_NOW_ORDER, other], orders[_NOW_ORDER, one]


@inlined
def _enter(work: Work, tree: _Tree, seen: KeySlots, player: int, depth: int, length: int) -> None:
    """Value the turn whose final state is NOW, enter it as a node and back it up."""
    now = state_at(work, NOW)
    key = key_of_outcome(work, seen, now)
    value = judge(work, now, player)
    count_outcome(work, seen, key)
    if calls.error(work.g) != 0:
        return  # a rule was cut short: half a turn is worth nothing
    at = tree.progress[0]
    node = at.nodes
    tree.path[depth] = node
    tree.value[node] = value
    tree.visits[node] = 0
    tree.total[node] = 0.0
    tree.tried[node] = 0
    at.nodes = node + 1
    if depth > 0:
        parent = tree.path[depth - 1]
        if tree.tried[parent] < tree.child.shape[1]:
            tree.child[parent, tree.tried[parent]] = node
            tree.tried[parent] += 1
    tree.turns.lengths[_LAST_TURN] = length
    offer(tree.ranking, tree.turns, _LAST_TURN, length, key, value)
    if node == 0 or value > tree.value[at.best]:
        at.best = node
        copy_turn(tree.turns, _LAST_TURN, _BEST_TURN)
    for i in range(depth + 1):
        tree.visits[tree.path[i]] += 1
        tree.total[tree.path[i]] += value
    count = work.counters[0]
    count.iterations += 1
    count.nodes += 1
    count_descent(work, depth)


@inlined
def _select(work: Work, tree: _Tree, node: int, exploration: float) -> int:
    """The child with the highest upper confidence bound, the first of equals."""
    scale = 1.0 / (work.high - work.low) if work.high > work.low else 1.0
    bonus = 2.0 * exploration * math.sqrt(2.0 * math.log(max(1, tree.visits[node])))
    best, best_bound = int64(tree.child[node, 0]), -np.inf
    for i in range(tree.tried[node]):
        child = int64(tree.child[node, i])
        bound = scale * (tree.total[child] / tree.visits[child])
        if bonus > 0.0:
            bound += bonus / math.sqrt(tree.visits[child])
        if bound > best_bound:
            best, best_bound = child, bound
    return best


@kernel
def _follow(work: Work, tree: _Tree, player: int) -> float:
    """Go down the best path by mean and play the best order on it; its value."""
    work, tree = borrowed(work), borrowed(tree)
    best, node = int64(0), int64(0)
    depth, best_depth = 0, 0
    tree.path[0] = 0
    while tree.tried[node] > 0 and depth + 1 < MAX_PATH:
        node = _select(work, tree, node, 0.0)
        depth += 1
        tree.path[depth] = node
        if tree.value[node] > tree.value[best]:
            best, best_depth = node, depth
    _start_at_root(tree)
    for i in range(1, best_depth + 1):
        on_path = tree.path[i]
        _exchange(tree, int64(tree.one[on_path]), int64(tree.other[on_path]))
    n = tree.progress[0].order_length
    length = play_order(work, tree.orders, _NOW_ORDER, n, tree.turns, _LAST_TURN, player)
    tree.turns.lengths[_LAST_TURN] = length
    return tree.value[best]
