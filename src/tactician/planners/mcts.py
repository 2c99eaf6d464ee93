"""Monte Carlo tree search over single actions: vanilla, non-exploring and bridge-burning, as three sets of parameters.

An iteration walks down the tree, tries one new action, finishes the turn of whoever is to act with ε-greedy rollouts,
and backs the evaluation up along the path. The turn is read off the tree at the end. Values are kept on the game's
own scale; the selection normalises them.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any, ClassVar, Literal, NamedTuple

import numpy as np
from numpy.typing import NDArray

from tactician.contract import calls
from tactician.contract.game import Game
from tactician.contract.random import below, unit
from tactician.native.caching import inlined, kernel
from tactician.native.memory import borrowed
from tactician.planners import genome, outcomes, tree
from tactician.planners.base import Planner, Search
from tactician.planners.tree import NO_ACTION, NOBODY, UNLISTED
from tactician.planners.work import (
    CUT,
    DEPTH_MAX,
    DEPTH_SUM,
    ITERATIONS,
    LEAVES,
    SEQUENCES,
    apply,
    best_action,
    best_rated,
    judge,
    key_of,
    list_candidates,
    may_go_on,
    share_spent,
    state_at,
    turn_goes_on,
)
from tactician.seats.budget import Budget

_NOW, _TRIAL = 1, 3
MAX_PATH = 512
"""A descent goes no deeper; only games without end get there."""
MAX_GROUPS = 4096
EDGES_PER_NODE = 3


@dataclass(frozen=True, kw_only=True)
class MCTS(Planner):
    """Searches a tree of actions with UCT; the whole budget goes into one tree, then the turn is read off it."""

    name: ClassVar[str] = "mcts"
    paper: ClassVar[str] = "Justesen et al. 2017, sections V and VI"
    reference_rate: ClassVar[float] = 64_000

    exploration: float = 1 / math.sqrt(2)
    """C in UCT's mean + 2C·sqrt(2 ln n / n_j), 0 or more; the paper's 1/√2."""
    epsilon: float = 0.5
    """How often a rollout takes the best-rated action instead of a random one, 0 to 1; the paper's 0.5."""
    rollout_turns: int = 1
    """How many turns a rollout finishes before it is judged; 0: the new state is judged, -1: the game is played out."""
    transpositions: bool = True
    """Whether states reached in different orders are one node."""
    normalise: Literal["range", "running"] = "range"
    """Scale values by the game's declared range, or by the least and greatest this search has seen."""
    reinvoke: bool = False
    """Search anew for every action with an equal share of the budget, the paper's inferior variant."""
    bridge_burning: bool = False
    """Split the budget into as many phases as the turn has actions; after each the root's best child is the root."""
    style: Literal["paper", "reference"] = "paper"
    """'reference': rollouts choose a unit or card first; a turn the tree does not finish is thrown away."""
    memory_mb: int = 1024
    """The most memory the tree may take, at least 1; when it is full the search goes on without growing."""

    def __post_init__(self) -> None:
        super().__post_init__()
        self._require(0 <= self.exploration < math.inf, "exploration", "a number from 0")
        self._require(0 <= self.epsilon <= 1, "epsilon", "a number from 0 to 1")
        self._require(isinstance(self.rollout_turns, int) and self.rollout_turns >= -1, "rollout_turns", "-1 or more")
        self._require(self.normalise in ("range", "running"), "normalise", "'range' or 'running'")
        self._require(self.style in ("paper", "reference"), "style", "'paper' or 'reference'")
        self._require(not (self.reinvoke and self.bridge_burning), "reinvoke", "False together with bridge_burning")
        self._require(isinstance(self.memory_mb, int) and 1 <= self.memory_mb <= 1 << 20, "memory_mb", "1 to 1048576")

    def search(self, game: Game) -> Search:
        """A search with an empty tree."""
        return _TreeSearch(game, self)


@dataclass(frozen=True, kw_only=True)
class NonExploringMCTS(MCTS):
    """MCTS that always follows the best mean, with deterministic rollouts."""

    name: ClassVar[str] = "non-exploring-mcts"
    paper: ClassVar[str] = "Justesen et al. 2017, section V"
    reference_rate: ClassVar[float] = 43_700

    exploration: float = 0.0
    epsilon: float = 1.0


@dataclass(frozen=True, kw_only=True)
class BridgeBurningMCTS(MCTS):
    """MCTS that commits to one action after another while it searches."""

    name: ClassVar[str] = "bridge-burning-mcts"
    paper: ClassVar[str] = "Justesen et al. 2017, section V"

    bridge_burning: bool = True


class _Parameters(NamedTuple):
    """What the kernel needs of an `MCTS`."""

    exploration: Any
    epsilon: Any
    rollout_turns: Any
    share: Any
    running: Any
    reinvoke: Any
    groups: Any


class _Progress(NamedTuple):
    """Where the search stands."""

    path: Any
    """The edges of the present descent."""
    nodes: Any
    """The nodes they led to."""
    root: Any
    """The node the descent starts at, the number of phases, the number done, the length of the turn so far."""
    turn: Any
    """The actions already decided, and at the end the whole turn."""
    bounds: Any
    """The least and greatest value seen; the fraction of a time budget that is gone; the best turn's value; the
    fraction of the budget that was gone before the first phase."""
    groups: Any


_AT, _PHASES, _DONE, _LENGTH = 0, 1, 2, 3
_LEAST, _GREATEST, _CLOCK, _VALUE, _BEFORE = 0, 1, 2, 3, 4


class _TreeSearch(Search):
    """The running search."""

    def __init__(self, game: Game, planner: MCTS) -> None:
        super().__init__(game, planner.prune, states=5, lists=3)
        self._waste = planner.style == "reference"
        self._phased = planner.bridge_burning or planner.reinvoke
        self._q = _Parameters(
            exploration=float(planner.exploration),
            epsilon=float(planner.epsilon),
            rollout_turns=planner.rollout_turns,
            share=planner.transpositions,
            running=planner.normalise == "running",
            reinvoke=planner.reinvoke,
            groups=planner.style == "reference" and "action_group" in game.backend.rule_names,
        )
        # Most edges of a listed node lead nowhere yet, so there are more of them than nodes.
        nodes = max(1024, tree.nodes_within(planner.memory_mb * 2**20, EDGES_PER_NODE))
        edges = max(EDGES_PER_NODE * nodes, 4 * game.max_actions)
        self._tree = tree.make_tree(nodes, edges)
        self._keys = outcomes.KeyTable(nodes)
        self._progress = _Progress(
            path=np.zeros(MAX_PATH, np.int64),
            nodes=np.zeros(MAX_PATH, np.int64),
            root=np.zeros(4, np.int64),
            turn=np.zeros((1, game.max_turn + 1), np.int32),
            bounds=np.zeros(5),
            groups=np.zeros((2, MAX_GROUPS), np.int64),
        )

    def begin(self, root: NDArray[np.uint64], player: int, random: NDArray[np.uint64], budget: Budget) -> None:
        """Start from an empty tree."""
        super().begin(root, player, random, budget)
        self._keys.empty()
        _begin(self.work, self._tree, self._keys.keys, self._progress, self._q, player, self._phased)

    def _advance(self, units: int) -> bool:
        """Run so many iterations."""
        self._keys.grow_if_crowded()
        more = _search(self.work, self._tree, self._keys.keys, self._progress, self._q, self.player, units)
        return bool(more)

    def share_time(self, fraction: float) -> None:
        """Phases end by the clock when the budget is time."""
        self._progress.bounds[_CLOCK] = fraction

    def best(self) -> tuple[list[int], float | None]:
        """The best actions from the root on, completed where the tree ends before the turn."""
        length = _read_turn(self.work, self._tree, self._keys.keys, self._progress, self._q, self.player, self._waste)
        value = float(self._progress.bounds[_VALUE])
        return self._progress.turn[0, :length].tolist(), value if math.isfinite(value) else None

    def alternatives(self, most: int) -> list[tuple[list[int], float, int]]:
        """The root's children with their means and counts, most promising first."""
        t, node = self._tree, int(self._progress.root[_AT])
        if t.count[node] == UNLISTED:
            return []
        decided = self._progress.turn[0, : self._progress.root[_LENGTH]].tolist()
        edges = np.arange(t.first[node], t.first[node] + t.tried[node])
        edges = edges[t.edge_visits[edges] > 0]
        means, visits = t.edge_value[edges] / t.edge_visits[edges], t.edge_visits[edges]
        best = np.lexsort((-visits, -means))[:most]
        return [([*decided, int(t.action[edges[i]])], float(means[i]), int(visits[i])) for i in best]


@kernel
def _begin(w: Any, t: Any, keys: Any, p: Any, q: Any, player: Any, phased: Any) -> None:
    """An empty tree with the root in it; phases as many as Greedy Action's turn has decisions."""
    w, t, keys, p = borrowed(w), borrowed(t), borrowed(keys), borrowed(p)
    p.root[_PHASES] = 1
    p.root[_DONE] = 0
    p.root[_LENGTH] = 0
    p.bounds[_LEAST], p.bounds[_GREATEST], p.bounds[_CLOCK] = np.inf, -np.inf, 0.0
    _plant(w, t, keys, p, q)
    if phased:
        now = state_at(w, _NOW)
        tree.copy_root(w, now)
        decisions, steps = 0, 0
        while steps < p.turn.shape[1] and turn_goes_on(w, now, player):
            n = list_candidates(w, now, 0)
            action = best_action(w, now, player, 0, n, state_at(w, _TRIAL))
            if action < 0:
                action = best_rated(w, now, 0, n)
            decisions += int(n > 1)
            steps += 1
            apply(w, now, action)
        p.root[_PHASES] = max(1, decisions)
    p.bounds[_BEFORE] = share_spent(w, 0.0)


@inlined
def _plant(w: Any, t: Any, keys: Any, p: Any, q: Any) -> None:
    """Make the state at the root the root of an empty tree."""
    tree.clear(t)
    root = state_at(w, 0)
    p.root[_AT] = tree.add_node(w, t, root)
    if q.share:
        outcomes.insert(keys, key_of(w, root), p.root[_AT])


@kernel
def _search(w: Any, t: Any, keys: Any, p: Any, q: Any, player: Any, units: Any) -> Any:
    """Run `units` iterations; 0 once a limit is reached."""
    w, t, keys, p = borrowed(w), borrowed(t), borrowed(keys), borrowed(p)
    for _ in range(units):
        if not may_go_on(w):
            return 0
        if outcomes.is_crowded(keys):
            return 1
        if p.root[_PHASES] > 1 and p.root[_DONE] < _phases_due(w, p) and not _commit(w, t, keys, p, q, player):
            return 0
        if t.mover[p.root[_AT]] != player:
            return 0
        _iterate(w, t, keys, p, q, player)
        w.count[ITERATIONS] += 1
    return 1


@inlined
def _phases_due(w: Any, p: Any) -> Any:
    """How many phases should have ended by now; they share what is left after Greedy Action has counted them."""
    before = p.bounds[_BEFORE]
    return int((share_spent(w, p.bounds[_CLOCK]) - before) / (1.0 - before) * p.root[_PHASES])


@inlined
def _commit(w: Any, t: Any, keys: Any, p: Any, q: Any, player: Any) -> Any:
    """End a phase: the best child of the root, once it has any, becomes the root; False if that ends the turn."""
    edge = tree.best_edge(t, p.root[_AT], 1.0)
    length = p.root[_LENGTH]
    if edge < 0:
        return True
    if length + 2 > p.turn.shape[1]:
        return False
    p.root[_DONE] += 1
    p.turn[0, length] = t.action[edge]
    p.root[_LENGTH] += 1
    child = tree.follow(w, t, keys, state_at(w, 0), edge, q.share)
    if t.forced[edge] != NO_ACTION and child != tree.ELSEWHERE:
        p.turn[0, length + 1] = t.forced[edge]
        p.root[_LENGTH] += 1
    if child < 0 or q.reinvoke:
        _plant_again(w, t, keys, p, q)
    else:
        p.root[_AT] = child
    return t.mover[p.root[_AT]] == player


@inlined
def _plant_again(w: Any, t: Any, keys: Any, p: Any, q: Any) -> None:
    """Start over from where the turn has got to; what the key table holds of the old tree must not be found."""
    outcomes.forget(keys)
    _plant(w, t, keys, p, q)


@inlined
def _iterate(w: Any, t: Any, keys: Any, p: Any, q: Any, player: Any) -> None:
    """One descent, one new action, one rollout, one backup."""
    now = state_at(w, _NOW)
    tree.copy_root(w, now)
    node = p.root[_AT]
    depth = 0
    whose = player
    while depth < MAX_PATH and t.mover[node] != NOBODY:
        if t.count[node] == UNLISTED and not tree.list_edges(w, t, now, node, 0):
            w.count[CUT] += 1
            break
        if t.tried[node] < t.count[node] and not tree.is_full(t):
            edge = tree.take_new_edge(w, t, keys, now, node, whose, 0, q.share)
            p.path[depth] = edge
            p.nodes[depth] = t.child[edge]
            depth += 1
            break
        if t.tried[node] == 0:
            w.count[CUT] += 1
            break
        if t.mover[node] != player:
            whose = NOBODY  # from here on no end of a turn is an outcome of this one
        edge = _select(w, t, p, q, node, player)
        p.path[depth] = edge
        depth += 1
        node = tree.follow(w, t, keys, now, edge, q.share)
        if node < 0:
            node = tree.add_outcome(w, t, keys, now, edge, q.share)
            p.nodes[depth - 1] = node
            break
        p.nodes[depth - 1] = node
    w.count[LEAVES] += 1
    w.count[DEPTH_SUM] += depth
    w.count[DEPTH_MAX] = max(w.count[DEPTH_MAX], depth)
    _roll_out(w, p, q, now)
    value = judge(w, now, player)
    if calls.error(w.g) != 0:
        return
    w.count[SEQUENCES] += 1
    for i in range(w.players):
        # In a zero-sum game all sums are the root player's.
        seen = value if w.zero_sum != 0 else w.values[i]
        p.bounds[_LEAST] = min(p.bounds[_LEAST], seen)
        p.bounds[_GREATEST] = max(p.bounds[_GREATEST], seen)
    _back_up(w, t, p, depth, value)


@inlined
def _select(w: Any, t: Any, p: Any, q: Any, node: Any, player: Any) -> Any:
    """The edge with the highest upper confidence bound for its mover, the first of equals."""
    low, high = (p.bounds[_LEAST], p.bounds[_GREATEST]) if q.running else (w.low, w.high)
    scale = 1.0 / (high - low) if high > low else 0.0
    if w.zero_sum != 0 and t.mover[node] != player:
        # The sums are the root player's: what is good for it is bad for the other.
        scale = -scale
    bonus = 2.0 * q.exploration * math.sqrt(2.0 * math.log(max(1, t.visits[node])))
    start = np.int64(t.first[node])
    best, best_bound = start, -np.inf
    for edge in range(start, start + t.tried[node]):
        visits = float(max(1, t.edge_visits[edge]))
        bound = scale * (t.edge_value[edge] / visits)
        if bonus > 0.0:
            bound += bonus / math.sqrt(visits)
        if bound > best_bound:
            best, best_bound = np.int64(edge), bound
    return best


@inlined
def _roll_out(w: Any, p: Any, q: Any, s: Any) -> None:
    """Play on from a leaf: so many turns, counted from that of the player to act."""
    turns = q.rollout_turns
    if turns == 0:
        return
    player = calls.current_player(w.table, w.g, s)
    while calls.is_over(w.table, w.g, s) == 0 and calls.error(w.g) == 0:
        mover = calls.current_player(w.table, w.g, s)
        if mover != player:
            turns -= 1
            if turns == 0:
                return
            player = mover
        n = list_candidates(w, s, 0)
        apply(w, s, _rollout_action(w, p, q, s, n))


@inlined
def _rollout_action(w: Any, p: Any, q: Any, s: Any, n: Any) -> Any:
    """ε-greedy: the best-rated action or a random one; the reference chooses the unit or card before it."""
    if n == 1:
        return np.int64(w.actions[0, 0])
    if q.groups:
        n = _keep_one_group(w, p, s, n)
    if q.epsilon > 0.0 and (q.epsilon >= 1.0 or unit(w.rng) < q.epsilon):
        return best_rated(w, s, 0, n)
    return np.int64(w.actions[0, below(w.rng, n)])


@inlined
def _keep_one_group(w: Any, p: Any, s: Any, n: Any) -> Any:
    """Choose a group of actions at random and keep only its members in the list."""
    seen = 0
    for i in range(n):
        group = calls.action_group(w.table, w.g, s, w.actions[0, i])
        p.groups[1, min(i, MAX_GROUPS - 1)] = group
        known = False
        for j in range(seen):
            known = known or p.groups[0, j] == group
        if not known and seen < MAX_GROUPS:
            p.groups[0, seen] = group
            seen += 1
    chosen = p.groups[0, below(w.rng, seen)]
    kept = 0
    for i in range(min(n, MAX_GROUPS)):
        if p.groups[1, i] == chosen:
            w.actions[0, kept] = w.actions[0, i]
            kept += 1
    return kept


@inlined
def _back_up(w: Any, t: Any, p: Any, depth: Any, value: Any) -> None:
    """Count the walked path: its edges, the nodes they lead to, the root. `w.values` holds what each player got."""
    t.visits[p.root[_AT]] += 1
    node = p.root[_AT]
    for i in range(depth):
        edge = p.path[i]
        t.edge_visits[edge] += 1
        if w.zero_sum != 0:
            t.edge_value[edge] += value
        else:
            t.edge_value[edge] += w.values[t.mover[node]]
        node = p.nodes[i]
        if node >= 0:
            t.visits[node] += 1


@kernel
def _read_turn(w: Any, t: Any, keys: Any, p: Any, q: Any, player: Any, waste: Any) -> Any:
    """Follow the best edges while they are the root player's, then finish the turn; returns its length."""
    w, t, keys, p = borrowed(w), borrowed(t), borrowed(keys), borrowed(p)
    now = state_at(w, _NOW)
    tree.copy_root(w, now)
    node, length = p.root[_AT], p.root[_LENGTH]
    p.bounds[_VALUE] = np.nan
    while node >= 0 and t.mover[node] == player and length + 2 <= p.turn.shape[1]:
        edge = tree.best_edge(t, node, 1.0)
        if edge < 0:
            break
        p.bounds[_VALUE] = t.edge_value[edge] / t.edge_visits[edge]
        p.turn[0, length] = t.action[edge]
        length += 1
        node = tree.follow(w, t, keys, now, edge, q.share)
        if t.forced[edge] != NO_ACTION and node != tree.ELSEWHERE:
            p.turn[0, length] = t.forced[edge]
            length += 1
    return genome.finish_turn(w, now, player, p.turn, 0, length, waste)
