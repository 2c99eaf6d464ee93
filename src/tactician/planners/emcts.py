"""Evolutionary MCTS: a tree whose nodes are whole turns and whose edges change one action of them.

The root is Greedy Action's turn. An edge exchanges one gene for another candidate at that point; what becomes illegal
behind it is repaired by Greedy Action. A new turn is valued by the evaluation of its final state, without rollout,
and the value is backed up as in MCTS. The budget is split into phases; after each the most promising mutation at the
root is carried out and its turn becomes the root.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any, ClassVar, Literal, NamedTuple

import numpy as np
from numpy.typing import NDArray

from tactician.contract.game import Game
from tactician.contract.random import below
from tactician.native.caching import inlined, kernel
from tactician.native.memory import borrowed
from tactician.planners import genome, outcomes
from tactician.planners.base import Planner, Search
from tactician.planners.work import (
    CUT,
    DEPTH_MAX,
    DEPTH_SUM,
    ITERATIONS,
    LEAVES,
    NODES,
    SEQUENCES,
    apply,
    count_outcome,
    judge,
    list_candidates,
    may_evaluate,
    may_go_on,
    share_spent,
    state_at,
)
from tactician.seats.budget import Budget

MAX_OUTCOMES = 1 << 19
MAX_PATH = 256
PHASES_PER_ROOT = 0.46
"""Phases for N sequences are about 0.46·sqrt(N): what the paper's 20 / 40 / 100 at its speed come to."""
UNLISTED = -1


@dataclass(frozen=True, kw_only=True)
class EMCTS(Planner):
    """Searches a tree of mutations of a whole turn."""

    name: ClassVar[str] = "emcts"
    paper: ClassVar[str] = "Baier & Cowling 2018, section III-C"
    reference_rate: ClassVar[float] = 9_500

    exploration: float = 0.0
    """C in UCB's mean + 2C·sqrt(2 ln n / n_j), 0 or more; the paper's 0."""
    phases: int | Literal["auto"] = "auto"
    """How many mutations are carried out at the root; 'auto': about 0.46·sqrt(N) for N sequences."""
    final: Literal["best", "root"] = "best"
    """Play the best turn ever valued, or the one the root has come to."""
    normalise: Literal["range", "running"] = "range"
    """Scale values by the game's declared range, or by the least and greatest seen; matters only with exploration."""
    memory_mb: int = 256
    """The most memory the tree may take, at least 1; when it is full, a phase ends early and the tree starts anew."""

    def __post_init__(self) -> None:
        super().__post_init__()
        self._require(0 <= self.exploration < math.inf, "exploration", "a number from 0")
        good = self.phases == "auto" or (isinstance(self.phases, int) and 1 <= self.phases <= 10**9)
        self._require(good, "phases", "'auto' or an integer from 1")
        self._require(self.final in ("best", "root"), "final", "'best' or 'root'")
        self._require(self.normalise in ("range", "running"), "normalise", "'range' or 'running'")
        self._require(isinstance(self.memory_mb, int) and 1 <= self.memory_mb <= 1 << 20, "memory_mb", "1 to 1048576")

    def search(self, game: Game) -> Search:
        """A search with an empty tree."""
        return _MutationSearch(game, self)


class _Forest(NamedTuple):
    """Turns and mutations. The last row of `genes` is room for the best turn so far."""

    genes: Any
    lengths: Any
    value: Any
    visits: Any
    total: Any
    first: Any
    count: Any
    tried: Any
    place: Any
    """Which gene an edge changes ..."""
    action: Any
    """... and to what."""
    child: Any
    used: Any
    """Nodes and edges in use; the root; the phases done; the best node among the alternatives."""
    path: Any
    bounds: Any
    """The least and greatest value seen; the fraction of a time budget that is gone."""


_NODES, _EDGES, _ROOT, _DONE = 0, 1, 2, 3
_LEAST, _GREATEST, _CLOCK = 0, 1, 2


class _MutationSearch(Search):
    """The running search."""

    def __init__(self, game: Game, planner: EMCTS) -> None:
        super().__init__(game, planner.prune, states=4)
        self._exploration = float(planner.exploration)
        self._running = planner.normalise == "running"
        self._phases = 0 if planner.phases == "auto" else planner.phases
        self._from_root = planner.final == "root"
        turn = game.max_turn
        # A node that is descended from has a hundred edges and more, but few nodes are.
        node_bytes, edge_bytes = 4 * turn + 44, 12
        nodes = max(256, planner.memory_mb * 2**20 // (node_bytes + 2 * edge_bytes))
        edges = max(2 * nodes, turn * game.max_actions)
        self._forest = _Forest(
            genes=np.zeros((nodes + 1, turn), np.int32),
            lengths=np.zeros(nodes + 1, np.int64),
            value=np.zeros(nodes + 1),
            visits=np.zeros(nodes, np.int32),
            total=np.zeros(nodes),
            first=np.zeros(nodes, np.int32),
            count=np.zeros(nodes, np.int32),
            tried=np.zeros(nodes, np.int32),
            place=np.zeros(edges, np.int32),
            action=np.zeros(edges, np.int32),
            child=np.zeros(edges, np.int32),
            used=np.zeros(4, np.int64),
            path=np.zeros(MAX_PATH, np.int64),
            bounds=np.zeros(3),
        )
        self._seen = outcomes.KeyTable(MAX_OUTCOMES)

    def begin(self, root: NDArray[np.uint64], player: int, random: NDArray[np.uint64], budget: Budget) -> None:
        """Start from Greedy Action's turn."""
        super().begin(root, player, random, budget)
        self._seen.empty()
        _begin(self.work, self._forest, self._seen.keys, player)

    def _advance(self, units: int) -> bool:
        """Value so many turns."""
        self._seen.grow_if_crowded()
        more = _search(
            self.work,
            self._forest,
            self._seen.keys,
            self.player,
            self._exploration,
            self._running,
            self._phases,
            units,
        )
        return bool(more)

    def share_time(self, fraction: float) -> None:
        """Phases end by the clock when the budget is time."""
        self._forest.bounds[_CLOCK] = fraction

    def best(self) -> tuple[list[int], float | None]:
        """The best turn ever valued, or the root's."""
        f = self._forest
        row = int(f.used[_ROOT]) if self._from_root and f.used[_NODES] else f.genes.shape[0] - 1
        value = float(f.value[row])
        return f.genes[row, : f.lengths[row]].tolist(), value if math.isfinite(value) else None

    def alternatives(self, most: int) -> list[tuple[list[int], float, int]]:
        """The root's mutations, most promising first."""
        f = self._forest
        root = int(f.used[_ROOT])
        if f.used[_NODES] == 0 or f.count[root] == UNLISTED:
            return []
        children = f.child[f.first[root] : f.first[root] + f.tried[root]]
        means, visits = f.total[children] / f.visits[children], f.visits[children]
        ranked = children[np.lexsort((-visits, -means))]
        return [
            (f.genes[n, : f.lengths[n]].tolist(), float(f.total[n] / f.visits[n]), int(f.visits[n]))
            for n in ranked[:most]
        ]


@kernel
def _begin(w: Any, f: Any, seen: Any, player: Any) -> None:
    """Plant Greedy Action's turn; what the budget does not allow to be judged is chosen by rating."""
    w, f, seen = borrowed(w), borrowed(f), borrowed(seen)
    f.used[:] = 0
    f.bounds[_LEAST], f.bounds[_GREATEST], f.bounds[_CLOCK] = np.inf, -np.inf, 0.0
    keep = f.genes.shape[0] - 1
    f.value[keep] = -np.inf
    length = genome.new_turn(w, player, f.genes, 0, True)
    if length >= 0 and may_evaluate(w):
        _add(w, f, seen, player, 0, length)
        f.visits[0] = 1
        f.total[0] = f.value[0]
        return
    f.lengths[keep] = genome.finish_turn(w, genome.begin_turn(w), player, f.genes, keep, 0, False)


@inlined
def _add(w: Any, f: Any, seen: Any, player: Any, node: Any, length: Any) -> None:
    """Value the turn whose final state is at hand and enter it as a node."""
    now = state_at(w, genome.NOW)
    count_outcome(w, seen, now)
    value = judge(w, now, player)
    w.count[ITERATIONS] += 1
    w.count[NODES] += 1
    f.used[_NODES] = node + 1
    f.lengths[node] = length
    f.value[node] = value
    f.visits[node] = 0
    f.total[node] = 0.0
    f.count[node] = UNLISTED
    f.tried[node] = 0
    f.bounds[_LEAST] = min(f.bounds[_LEAST], value)
    f.bounds[_GREATEST] = max(f.bounds[_GREATEST], value)
    keep = f.genes.shape[0] - 1
    if value > f.value[keep]:
        _copy_turn(f, node, keep)


@inlined
def _copy_turn(f: Any, source: Any, target: Any) -> None:
    f.lengths[target] = f.lengths[source]
    f.value[target] = f.value[source]
    for i in range(f.lengths[source]):
        f.genes[target, i] = f.genes[source, i]


@kernel
def _search(w: Any, f: Any, seen: Any, player: Any, exploration: Any, running: Any, phases: Any, units: Any) -> Any:
    """Value `units` turns; 0 once a limit is reached or there is nothing to mutate."""
    w, f, seen = borrowed(w), borrowed(f), borrowed(seen)
    for _ in range(units):
        if f.used[_NODES] == 0:
            return 0
        if f.used[_DONE] < _phases_due(w, f, phases):
            _commit(f)
        if not may_go_on(w):
            return 0
        if outcomes.is_crowded(seen) or outcomes.is_crowded(w.memo):
            return 1
        if not _iterate(w, f, seen, player, exploration, running) and may_go_on(w):
            return 0
    return 1


@inlined
def _phases_due(w: Any, f: Any, phases: Any) -> Any:
    """How many phases should have ended by now, given how much of the budget is spent."""
    fraction = share_spent(w, f.bounds[_CLOCK])
    if fraction <= 0.0:
        return 0
    if phases > 0:
        return int(fraction * phases)
    expected = w.count[SEQUENCES] / fraction
    return int(fraction * max(1.0, round(PHASES_PER_ROOT * math.sqrt(expected))))


@inlined
def _commit(f: Any) -> None:
    """End a phase: the most promising mutation at the root is carried out; its subtree stays."""
    f.used[_DONE] += 1
    best = _best_child(f, f.used[_ROOT])
    if best >= 0:
        f.used[_ROOT] = best


@inlined
def _best_child(f: Any, node: Any) -> Any:
    """The child with the highest mean; ties to more visits, then the first; -1 if there is none."""
    best = np.int64(-1)
    if f.count[node] == UNLISTED:
        return best
    best_mean = -np.inf
    start = np.int64(f.first[node])
    for edge in range(start, start + f.tried[node]):
        child = np.int64(f.child[edge])
        mean = f.total[child] / f.visits[child]
        if mean > best_mean or (mean == best_mean and f.visits[child] > f.visits[best]):
            best, best_mean = child, mean
    return best


@inlined
def _iterate(w: Any, f: Any, seen: Any, player: Any, exploration: Any, running: Any) -> Any:
    """One descent, one new turn, one backup; False if the budget ended in it or no mutation is left."""
    node = f.used[_ROOT]
    depth = 0
    while True:
        f.path[depth] = node
        depth += 1
        if f.count[node] == UNLISTED and not _list_mutations(w, f, player, node):
            _start_anew(w, f)
            return True
        if f.tried[node] < f.count[node]:
            break
        if f.count[f.used[_ROOT]] == 0:
            return False
        if f.count[node] == 0:
            # Nothing can be changed here: the turn counts again as it is.
            w.count[ITERATIONS] += 1
            w.count[SEQUENCES] += 1
            return _back_up(w, f, depth, judge(w, genome.replay(w, f.genes, node, f.lengths[node]), player))
        if depth == MAX_PATH:
            _start_anew(w, f)
            return True
        node = _select(w, f, node, exploration, running)
    child = f.used[_NODES]
    if child == f.visits.shape[0]:
        _start_anew(w, f)
        return True
    edge = np.int64(f.first[node] + f.tried[node])
    length = genome.exchange(w, player, f.genes, node, child, f.place[edge], f.lengths[node], f.action[edge], True)
    if length < 0 or not may_evaluate(w):
        return False
    _add(w, f, seen, player, child, length)
    f.child[edge] = child
    f.tried[node] += 1
    f.path[min(depth, MAX_PATH - 1)] = child
    return _back_up(w, f, min(depth + 1, MAX_PATH), f.value[child])


@inlined
def _back_up(w: Any, f: Any, depth: Any, value: Any) -> Any:
    w.count[LEAVES] += 1
    w.count[DEPTH_SUM] += depth - 1
    w.count[DEPTH_MAX] = max(w.count[DEPTH_MAX], depth - 1)
    for i in range(depth):
        f.visits[f.path[i]] += 1
        f.total[f.path[i]] += value
    return True


@inlined
def _select(w: Any, f: Any, node: Any, exploration: Any, running: Any) -> Any:
    """The child with the highest upper confidence bound, the first of equals."""
    low, high = (f.bounds[_LEAST], f.bounds[_GREATEST]) if running else (w.low, w.high)
    scale = 1.0 / (high - low) if high > low else 1.0
    bonus = 2.0 * exploration * math.sqrt(2.0 * math.log(max(1, f.visits[node])))
    start = np.int64(f.first[node])
    best, best_bound = np.int64(f.child[start]), -np.inf
    for edge in range(start, start + f.count[node]):
        child = np.int64(f.child[edge])
        bound = scale * (f.total[child] / f.visits[child])
        if bonus > 0.0:
            bound += bonus / math.sqrt(f.visits[child])
        if bound > best_bound:
            best, best_bound = child, bound
    return best


@inlined
def _list_mutations(w: Any, f: Any, player: Any, node: Any) -> Any:
    """Give a turn its edges: every gene, every other candidate there, in random order; False if there is no room.

    In the order of the genes the late ones would starve, as a phase often ends before a ply is complete.
    """
    start = f.used[_EDGES]
    edge = start
    now = genome.begin_turn(w)
    for place in range(f.lengths[node]):
        n = list_candidates(w, now, genome.OPTIONS)
        if edge + n > f.place.shape[0]:
            return False
        for i in range(n):
            if w.actions[genome.OPTIONS, i] != f.genes[node, place]:
                f.place[edge] = place
                f.action[edge] = w.actions[genome.OPTIONS, i]
                edge += 1
        apply(w, now, f.genes[node, place])
    for i in range(edge - 1, start, -1):
        j = start + below(w.rng, i - start + 1)
        f.place[i], f.place[j] = f.place[j], f.place[i]
        f.action[i], f.action[j] = f.action[j], f.action[i]
    f.first[node] = start
    f.count[node] = edge - start
    f.used[_EDGES] = edge
    return True


@inlined
def _start_anew(w: Any, f: Any) -> None:
    """The memory is full: carry the best mutation out and go on from its turn with an empty tree."""
    _commit(f)
    root = f.used[_ROOT]
    _copy_turn(f, root, 0)
    w.count[CUT] += 1
    f.used[_NODES] = 1
    f.used[_EDGES] = 0
    f.used[_ROOT] = 0
    f.visits[0] = 1
    f.total[0] = f.value[0]
    f.count[0] = UNLISTED
    f.tried[0] = 0
