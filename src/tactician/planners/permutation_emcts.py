"""Evolutionary MCTS on orders: a tree of changes to the order in which everything possible is tried.

The root is a random order, an edge exchanges two places of it, a node is valued by the evaluation after its turn. A
node holds only the two places: its order is the root's with the exchanges of its path. There is no bridge burning; at
the end the best path is followed down, and the best order on it is played.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any, ClassVar, Literal, NamedTuple

import numpy as np
from numpy.typing import NDArray

from tactician.contract import calls
from tactician.contract.game import Game
from tactician.native.caching import inlined, kernel
from tactician.native.memory import borrowed
from tactician.planners import genome, orders, outcomes
from tactician.planners.base import Planner, Search
from tactician.planners.work import (
    DEPTH_MAX,
    DEPTH_SUM,
    ITERATIONS,
    LEAVES,
    NODES,
    count_outcome,
    judge,
    may_evaluate,
    may_go_on,
    state_at,
)
from tactician.seats.budget import Budget

MAX_OUTCOMES = 1 << 17
MAX_PATH = 512
_USED, _LENGTH, _BEST = 0, 1, 2
_ROOT_ORDER, _NOW_ORDER = 0, 1
_BEST_TURN, _LAST_TURN = 0, 1


@dataclass(frozen=True, kw_only=True)
class PermutationEMCTS(Planner):
    """Searches a tree of exchanges in the order in which everything possible is tried."""

    name: ClassVar[str] = "permutation-emcts"
    paper: ClassVar[str] = "Montoliu et al. 2020, section 5; Baier & Cowling 2018"

    exploration: float = 0.0
    """C in UCB's mean + 2C·sqrt(2 ln n / n_j), 0 or more; the paper gives none, so it is that of EMCTS."""
    children: int = 20
    """Exchanges tried at a node before the best of them is followed, at least 1. The paper gives none; with all of
    them 500 evaluations would never leave the root."""
    final: Literal["path", "best"] = "path"
    """Play the best order on the best path, or the best ever valued."""
    memory_mb: int = 64
    """The most memory the tree may take, at least 1; when it is full, the search ends."""

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


class _Tree(NamedTuple):
    """Exchanges, and what their orders are worth."""

    one: Any
    """The two places that a node exchanges ..."""
    other: Any
    child: Any
    """... its children ..."""
    tried: Any
    """... and how many there are."""
    value: Any
    visits: Any
    total: Any
    order: Any
    """The root's order, and the one at hand."""
    turns: Any
    """The best turn and the last; their lengths."""
    lengths: Any
    used: Any
    """Nodes in use; the length of the orders; the node with the best value."""
    path: Any


class _OrderTreeSearch(Search):
    """The running search."""

    def __init__(self, game: Game, planner: PermutationEMCTS) -> None:
        super().__init__(game, planner.prune, states=4)
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
            order=np.zeros((2, game.max_actions), np.int32),
            turns=np.zeros((2, game.max_turn), np.int32),
            lengths=np.zeros(2, np.int64),
            used=np.zeros(3, np.int64),
            path=np.zeros(MAX_PATH, np.int64),
        )
        self._seen = outcomes.KeyTable(MAX_OUTCOMES)

    def begin(self, root: NDArray[np.uint64], player: int, random: NDArray[np.uint64], budget: Budget) -> None:
        """Start from a random order."""
        super().begin(root, player, random, budget)
        self._seen.empty()
        _begin(self.work, self._tree, player)

    def _advance(self, units: int) -> bool:
        """Value so many orders."""
        self._seen.grow_if_crowded()
        return bool(_search(self.work, self._tree, self._seen.keys, self.player, self._exploration, units))

    def best(self) -> tuple[list[int], float | None]:
        """The turn of the best order on the best path, or of the best ever valued."""
        t = self._tree
        value = float(t.value[t.used[_BEST]]) if t.used[_USED] else None
        if t.used[_USED] and self._on_path and not self._config[0]:
            worth = float(_follow(self.work, t, self.player))
            if not self._config[0]:  # a rule that was cut short made half a turn
                return t.turns[_LAST_TURN, : t.lengths[_LAST_TURN]].tolist(), worth
        return t.turns[_BEST_TURN, : t.lengths[_BEST_TURN]].tolist(), value


@kernel
def _begin(w: Any, t: Any, player: Any) -> None:
    """Make the root's order, and a turn of it in case the budget allows no evaluation."""
    w, t = borrowed(w), borrowed(t)
    n = orders.list_order(w, t.order, player)
    orders.shuffle(w, t.order, _ROOT_ORDER, n)
    t.used[:] = 0
    t.used[_LENGTH] = n
    t.lengths[_BEST_TURN] = orders.play_order(w, t.order, _ROOT_ORDER, n, t.turns, _BEST_TURN, player)


@kernel
def _search(w: Any, t: Any, seen: Any, player: Any, exploration: Any, units: Any) -> Any:
    """Value `units` orders; 0 once a limit is reached, the tree is full or there is nothing to exchange."""
    w, t, seen = borrowed(w), borrowed(t), borrowed(seen)
    n = t.used[_LENGTH]
    limit = min(np.int64(t.child.shape[1]), n * (n - 1) // 2)
    for _ in range(units):
        if not may_go_on(w) or t.used[_USED] == t.visits.shape[0]:
            return 0
        if outcomes.is_crowded(seen):
            return 1
        if limit == 0 and t.used[_USED] > 0:
            return 0
        for i in range(n):
            t.order[_NOW_ORDER, i] = t.order[_ROOT_ORDER, i]
        depth = _descend(w, t, limit, exploration) if t.used[_USED] > 0 else 0
        length = orders.play_order(w, t.order, _NOW_ORDER, n, t.turns, _LAST_TURN, player)
        if not may_evaluate(w):
            return 0
        _enter(w, t, seen, player, depth, length)
    return 1


@inlined
def _descend(w: Any, t: Any, limit: Any, exploration: Any) -> Any:
    """Follow the tree to a node that has room for another child and draw that child's exchange; its depth."""
    node, depth = np.int64(0), 0
    t.path[0] = 0
    while t.tried[node] >= limit and depth + 2 < MAX_PATH:
        node = _select(w, t, node, exploration)
        depth += 1
        t.path[depth] = node
        _exchange(t, t.one[node], t.other[node])
    one, other = orders.two_places(w, t.used[_LENGTH])
    child = t.used[_USED]
    t.one[child], t.other[child] = one, other
    _exchange(t, one, other)
    return depth + 1


@inlined
def _exchange(t: Any, one: Any, other: Any) -> None:
    t.order[_NOW_ORDER, one], t.order[_NOW_ORDER, other] = t.order[_NOW_ORDER, other], t.order[_NOW_ORDER, one]


@inlined
def _enter(w: Any, t: Any, seen: Any, player: Any, depth: Any, length: Any) -> None:
    """Value the turn whose final state is at hand, enter it as a node and back it up."""
    now = state_at(w, genome.NOW)
    count_outcome(w, seen, now)
    value = judge(w, now, player)
    if calls.error(w.g) != 0:
        return  # a rule was cut short: half a turn is worth nothing
    node = t.used[_USED]
    t.path[depth] = node
    t.value[node] = value
    t.visits[node] = 0
    t.total[node] = 0.0
    t.tried[node] = 0
    t.used[_USED] = node + 1
    if depth > 0:
        parent = t.path[depth - 1]
        if t.tried[parent] < t.child.shape[1]:
            t.child[parent, t.tried[parent]] = node
            t.tried[parent] += 1
    t.lengths[_LAST_TURN] = length
    if node == 0 or value > t.value[t.used[_BEST]]:
        t.used[_BEST] = node
        t.lengths[_BEST_TURN] = length
        for i in range(length):
            t.turns[_BEST_TURN, i] = t.turns[_LAST_TURN, i]
    for i in range(depth + 1):
        t.visits[t.path[i]] += 1
        t.total[t.path[i]] += value
    w.count[ITERATIONS] += 1
    w.count[NODES] += 1
    w.count[LEAVES] += 1
    w.count[DEPTH_SUM] += depth
    w.count[DEPTH_MAX] = max(w.count[DEPTH_MAX], depth)


@inlined
def _select(w: Any, t: Any, node: Any, exploration: Any) -> Any:
    """The child with the highest upper confidence bound, the first of equals."""
    scale = 1.0 / (w.high - w.low) if w.high > w.low else 1.0
    bonus = 2.0 * exploration * math.sqrt(2.0 * math.log(max(1, t.visits[node])))
    best, best_bound = np.int64(t.child[node, 0]), -np.inf
    for i in range(t.tried[node]):
        child = np.int64(t.child[node, i])
        bound = scale * (t.total[child] / t.visits[child])
        if bonus > 0.0:
            bound += bonus / math.sqrt(t.visits[child])
        if bound > best_bound:
            best, best_bound = child, bound
    return best


@kernel
def _follow(w: Any, t: Any, player: Any) -> Any:
    """Go down the best path by mean and play the best order on it; its value."""
    w, t = borrowed(w), borrowed(t)
    n = t.used[_LENGTH]
    best, node = np.int64(0), np.int64(0)
    depth, best_depth = 0, 0
    t.path[0] = 0
    while t.tried[node] > 0 and depth + 1 < MAX_PATH:
        node = _select(w, t, node, 0.0)
        depth += 1
        t.path[depth] = node
        if t.value[node] > t.value[best]:
            best, best_depth = node, depth
    for i in range(n):
        t.order[_NOW_ORDER, i] = t.order[_ROOT_ORDER, i]
    for i in range(1, best_depth + 1):
        _exchange(t, t.one[t.path[i]], t.other[t.path[i]])
    t.lengths[_LAST_TURN] = orders.play_order(w, t.order, _NOW_ORDER, n, t.turns, _LAST_TURN, player)
    return t.value[best]
