"""Monte Carlo tree search over single actions: vanilla, non-exploring and bridge-burning, as three sets of parameters.

An iteration walks down the tree, tries one new action, finishes the turn of whoever is to act with ε-greedy rollouts,
and backs the evaluation up along the path. The turn is read off the tree at the end. Values are kept on the game's
own scale; the selection normalises them.
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
from tactician.planners import outcomes
from tactician.planners.base import Planner, Search
from tactician.planners.genome import Turns, finish_turn, make_turns, turn_list
from tactician.planners.outcomes import KeySlots, KeyTable
from tactician.planners.rollouts import Groups, Rollout, make_groups, roll_out
from tactician.planners.tree import (
    ELSEWHERE,
    NOBODY,
    UNLISTED,
    Tree,
    add_node,
    add_outcome,
    best_edge,
    clear,
    follow,
    is_full,
    list_edges,
    make_tree,
    nodes_within,
    take_new_edge,
)
from tactician.planners.work import (
    NO_ACTION,
    NOW,
    OPTIONS,
    ROOT,
    Work,
    apply,
    best_action,
    best_rated,
    count_descent,
    from_root,
    judge,
    key_of,
    list_candidates,
    may_iterate,
    share_spent,
    state_at,
    turn_continues,
)
from tactician.seats.budget import Budget

MAX_PATH = 512
"""A descent goes no deeper; only games without end get there."""
EDGES_PER_NODE = 3
_THE_TURN = 0
"""The only row of `_Walk.turn`."""


@dataclass(frozen=True, kw_only=True)
class MCTS(Planner):
    """Searches a tree of single actions with UCT and rollouts, and reads the turn off it."""

    name: ClassVar[str] = "mcts"
    page: ClassVar[str] = "planners/mcts.md"
    iteration: ClassVar[str] = "a simulation"
    paper: ClassVar[str] = "Justesen et al. 2017, sections V and VI"
    reference_rate: ClassVar[float] = 64_000

    exploration: float = 1 / math.sqrt(2)
    """C in UCT's mean + 2C·sqrt(2 ln n / n_j), from 0; the paper's 1/√2."""
    epsilon: float = 0.5
    """Probability that a rollout takes the best-rated action instead of a random one, 0 to 1; the paper's 0.5."""
    rollout_turns: int = 1
    """Turns that a rollout finishes, from -1; 0: the new state is valued, -1: the game is played to its end."""
    transpositions: bool = True
    """Treat states that are reached in different orders as one node."""
    normalise: Literal["range", "running"] = "range"
    """What values are scaled by: `range` (the game's declared range) or `running` (what this search has seen)."""
    reinvoke: bool = False
    """Grow a new tree for every action with an equal share of the budget; not together with `bridge_burning`."""
    bridge_burning: bool = False
    """Split the budget into phases, one for each action; after each the root's best child becomes the root."""
    style: Literal["paper", "reference"] = "paper"
    """`paper` or `reference`: rollouts choose a unit or card first, an unfinished turn is cut short."""
    memory_mb: int = 1024
    """Megabytes that the tree may take, 1 to 1048576; a full tree is searched on without growing."""

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
    """MCTS without exploration: it follows the best mean, with deterministic rollouts."""

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


class _Options(NamedTuple):
    """What the kernels need of an `MCTS`."""

    exploration: float
    """C of the upper confidence bound."""
    share: bool
    """Whether states reached in different orders are one node."""
    running: bool
    """Whether values are scaled by those seen so far instead of the game's range."""
    phased: bool
    """Whether the budget is split into phases, one for each decision of the turn."""
    reinvoke: bool
    """Whether every phase starts with an empty tree."""
    waste: bool
    """Whether a turn that the tree does not finish is ended at once."""
    rollout: Rollout
    """How rollouts choose."""


class _Progress(Row):
    """Where the search stands."""

    root: int
    """The node that descents start at."""
    phases: int
    """Phases that the budget is split into."""
    phases_done: int
    """Phases that have ended."""
    spent_before: float
    """The fraction of the budget that was spent before the first phase."""
    clock: float
    """The fraction of a time budget that is spent."""
    least: float
    """The least value seen."""
    greatest: float
    """The greatest value seen."""
    value: float
    """The value of the turn read off last."""


class _Walk(NamedTuple):
    """The present descent, and what has been decided."""

    edges: NDArray[np.int64]
    """[MAX_PATH] the edges of the descent."""
    nodes: NDArray[np.int64]
    """[MAX_PATH] the nodes they led to."""
    turn: Turns
    """[1] the actions decided by the phases so far; `best` appends the rest of the turn."""
    groups: Groups
    """Room for the groups of the actions in a rollout."""
    progress: Rows[_Progress]
    """[1] where the search stands."""


class _TreeSearch(Search):
    """The running search."""

    def __init__(self, game: Game, planner: MCTS) -> None:
        super().__init__(game, planner.prune)
        reference = planner.style == "reference"
        self._options = _Options(
            exploration=float(planner.exploration),
            share=planner.transpositions,
            running=planner.normalise == "running",
            phased=planner.bridge_burning or planner.reinvoke,
            reinvoke=planner.reinvoke,
            waste=reference,
            rollout=Rollout(
                turns=planner.rollout_turns,
                epsilon=float(planner.epsilon),
                by_group=reference and "action_group" in game.backend.rule_names,
            ),
        )
        # Most edges of a listed node lead nowhere yet, so there are more of them than nodes.
        nodes = max(1024, nodes_within(planner.memory_mb * 2**20, EDGES_PER_NODE))
        edges = max(EDGES_PER_NODE * nodes, 4 * game.max_actions)
        self._tree = make_tree(nodes, edges)
        self._keys = KeyTable(nodes)
        self._walk = _Walk(
            edges=np.zeros(MAX_PATH, np.int64),
            nodes=np.zeros(MAX_PATH, np.int64),
            turn=make_turns(1, game.max_turn + 1),
            groups=make_groups(),
            progress=make_rows(_Progress),
        )
        self._progress = self._walk.progress[0]

    def begin(self, root: NDArray[np.uint64], player: int, random: NDArray[np.uint64], budget: Budget) -> None:
        """Start from an empty tree."""
        super().begin(root, player, random, budget)
        self._keys.empty()
        _begin(self.work, self._tree, self._keys.keys, self._walk, self._options, player)

    def advance(self, units: int) -> bool:
        """Run `units` iterations."""
        self._keys.grow_if_crowded()
        return _search(self.work, self._tree, self._keys.keys, self._walk, self._options, self.player, units)

    def share_time(self, fraction: float) -> None:
        """Phases end by the clock when the budget is time."""
        self._progress.clock = fraction

    def best(self) -> tuple[list[int], float | None]:
        """The best actions from the root on, completed where the tree ends before the turn."""
        length = _read_turn(self.work, self._tree, self._keys.keys, self._walk, self._options, self.player)
        value = float(self._progress.value)
        return self._walk.turn.genes[_THE_TURN, :length].tolist(), value if math.isfinite(value) else None

    def alternatives(self, most: int) -> list[tuple[list[int], float, int]]:
        """The root's children with their means and counts, most promising first."""
        tree, node = self._tree, self._progress.root
        if tree.edge_count[node] == UNLISTED:
            return []
        decided = turn_list(self._walk.turn, _THE_TURN)
        edges = np.arange(tree.first[node], tree.first[node] + tree.tried[node])
        edges = edges[tree.edge_visits[edges] > 0]
        means, visits = tree.edge_value[edges] / tree.edge_visits[edges], tree.edge_visits[edges]
        best = np.lexsort((-visits, -means))[:most]
        return [([*decided, int(tree.action[edges[i]])], float(means[i]), int(visits[i])) for i in best]


@kernel
def _begin(work: Work, tree: Tree, keys: KeySlots, walk: _Walk, options: _Options, player: int) -> None:
    """Plant a tree; if phased, there are as many phases as Greedy Action's turn has decisions."""
    work, tree, keys, walk = borrowed(work), borrowed(tree), borrowed(keys), borrowed(walk)
    at = walk.progress[0]
    at.phases = 1
    at.phases_done = 0
    at.least, at.greatest, at.clock = np.inf, -np.inf, 0.0
    walk.turn.lengths[_THE_TURN] = 0
    _plant(work, tree, keys, walk, options)
    if options.phased:
        at.phases = max(1, _count_decisions(work, walk, player))
    at.spent_before = share_spent(work, 0.0)


@inlined
def _count_decisions(work: Work, walk: _Walk, player: int) -> int:
    """How many choices Greedy Action has in this turn."""
    now = from_root(work)
    decisions, steps = 0, 0
    while steps < walk.turn.genes.shape[1] and turn_continues(work, now, player):
        n = list_candidates(work, now, OPTIONS)
        action = best_action(work, now, player, n)
        if action < 0:
            action = best_rated(work, now, n)
        decisions += int(n > 1)
        steps += 1
        apply(work, now, action)
    return decisions


@inlined
def _plant(work: Work, tree: Tree, keys: KeySlots, walk: _Walk, options: _Options) -> None:
    """Empty the tree and enter the scratch state ROOT as its root."""
    clear(tree)
    root = state_at(work, ROOT)
    node = add_node(work, tree, root)
    walk.progress[0].root = node
    if options.share:
        outcomes.insert(keys, key_of(work, root), node)


@kernel
def _search(work: Work, tree: Tree, keys: KeySlots, walk: _Walk, options: _Options, player: int, units: int) -> bool:
    """Run `units` iterations; False once a limit is reached."""
    work, tree, keys, walk = borrowed(work), borrowed(tree), borrowed(keys), borrowed(walk)
    at = walk.progress[0]
    for _ in range(units):
        if not may_iterate(work):
            return False
        if outcomes.is_crowded(keys):
            return True
        phase_ends = at.phases > 1 and at.phases_done < _phases_due(work, walk)
        if phase_ends and not _commit(work, tree, keys, walk, options, player):
            return False
        if tree.mover[at.root] != player:
            return False
        _iterate(work, tree, keys, walk, options, player)
        work.counters[0].iterations += 1
    return True


@inlined
def _phases_due(work: Work, walk: _Walk) -> int:
    """How many phases should have ended by now; they share what is left after Greedy Action has counted them."""
    at = walk.progress[0]
    before = at.spent_before
    return int((share_spent(work, at.clock) - before) / (1.0 - before) * at.phases)


@inlined
def _commit(work: Work, tree: Tree, keys: KeySlots, walk: _Walk, options: _Options, player: int) -> bool:
    """End a phase: the best child of the root, once it has any, becomes the root; False if that ends the turn."""
    at = walk.progress[0]
    edge = best_edge(tree, at.root)
    if edge < 0:
        return True
    turn = walk.turn
    length = turn.lengths[_THE_TURN]
    if length + 2 > turn.genes.shape[1]:
        return False
    at.phases_done += 1
    turn.genes[_THE_TURN, length] = tree.action[edge]
    turn.lengths[_THE_TURN] += 1
    child = follow(work, tree, keys, state_at(work, ROOT), edge, options.share)
    if tree.forced[edge] != NO_ACTION and child != ELSEWHERE:
        turn.genes[_THE_TURN, length + 1] = tree.forced[edge]
        turn.lengths[_THE_TURN] += 1
    if child < 0 or options.reinvoke:
        # Start over from where the turn has got to; what the key table holds of the old tree must not be found.
        outcomes.forget(keys)
        _plant(work, tree, keys, walk, options)
    else:
        at.root = child
    return tree.mover[at.root] == player


@inlined
def _iterate(work: Work, tree: Tree, keys: KeySlots, walk: _Walk, options: _Options, player: int) -> None:
    """One descent, one new action, one rollout, one backup."""
    now = from_root(work)
    depth = _descend(work, tree, keys, walk, options, player)
    count_descent(work, depth)
    roll_out(work, walk.groups, options.rollout, now)
    value = judge(work, now, player)
    if calls.error(work.g) != 0:
        return
    work.counters[0].sequences += 1
    at = walk.progress[0]
    for i in range(work.players):
        # In a zero-sum game all sums are the root player's.
        seen = value if work.zero_sum else work.values[i]
        at.least = min(at.least, seen)
        at.greatest = max(at.greatest, seen)
    _back_up(work, tree, walk, depth, value)


@inlined
def _descend(work: Work, tree: Tree, keys: KeySlots, walk: _Walk, options: _Options, player: int) -> int:
    """Walk from the root to a node with an untried action and try it in the state NOW; returns the path's length."""
    now = state_at(work, NOW)
    node = walk.progress[0].root
    whose = player
    depth = 0
    while depth < MAX_PATH and tree.mover[node] != NOBODY:
        if tree.edge_count[node] == UNLISTED and not list_edges(work, tree, now, node):
            work.counters[0].cut += 1
            break
        if tree.tried[node] < tree.edge_count[node] and not is_full(tree):
            edge = take_new_edge(work, tree, keys, now, node, whose, options.share)
            walk.edges[depth] = edge
            walk.nodes[depth] = tree.child[edge]
            depth += 1
            break
        if tree.tried[node] == 0:
            work.counters[0].cut += 1
            break
        if tree.mover[node] != player:
            whose = NOBODY  # from here on no end of a turn is an outcome of this one
        edge = _select(work, tree, walk, options, node, player)
        walk.edges[depth] = edge
        depth += 1
        node = follow(work, tree, keys, now, edge, options.share)
        if node < 0:
            walk.nodes[depth - 1] = add_outcome(work, tree, keys, now, edge, options.share)
            break
        walk.nodes[depth - 1] = node
    return depth


@inlined
def _select(work: Work, tree: Tree, walk: _Walk, options: _Options, node: int, player: int) -> int:
    """The edge with the highest upper confidence bound for its mover, the first of equals."""
    at = walk.progress[0]
    low, high = (at.least, at.greatest) if options.running else (work.low, work.high)
    scale = 1.0 / (high - low) if high > low else 0.0
    if work.zero_sum and tree.mover[node] != player:
        # The sums are the root player's: what is good for it is bad for the other.
        scale = -scale
    bonus = 2.0 * options.exploration * math.sqrt(2.0 * math.log(max(1, tree.visits[node])))
    start = int64(tree.first[node])
    best, best_bound = start, -np.inf
    for edge in range(start, start + tree.tried[node]):
        visits = float(max(1, tree.edge_visits[edge]))
        bound = scale * (tree.edge_value[edge] / visits)
        if bonus > 0.0:
            bound += bonus / math.sqrt(visits)
        if bound > best_bound:
            best, best_bound = int64(edge), bound
    return best


@inlined
def _back_up(work: Work, tree: Tree, walk: _Walk, depth: int, value: float) -> None:
    """Count the walked path: its edges, the nodes they lead to, the root. `work.values` holds what each player got."""
    node = walk.progress[0].root
    tree.visits[node] += 1
    for i in range(depth):
        edge = walk.edges[i]
        tree.edge_visits[edge] += 1
        tree.edge_value[edge] += value if work.zero_sum else work.values[tree.mover[node]]
        node = walk.nodes[i]
        if node >= 0:
            tree.visits[node] += 1


@kernel
def _read_turn(work: Work, tree: Tree, keys: KeySlots, walk: _Walk, options: _Options, player: int) -> int:
    """Follow the best edges while they are the root player's, then finish the turn; returns its length."""
    work, tree, keys, walk = borrowed(work), borrowed(tree), borrowed(keys), borrowed(walk)
    now = from_root(work)
    at, turn = walk.progress[0], walk.turn
    node, length = at.root, turn.lengths[_THE_TURN]
    at.value = np.nan
    while node >= 0 and tree.mover[node] == player and length + 2 <= turn.genes.shape[1]:
        edge = best_edge(tree, node)
        if edge < 0:
            break
        at.value = tree.edge_value[edge] / tree.edge_visits[edge]
        turn.genes[_THE_TURN, length] = tree.action[edge]
        length += 1
        node = follow(work, tree, keys, now, edge, options.share)
        if tree.forced[edge] != NO_ACTION and node != ELSEWHERE:
            turn.genes[_THE_TURN, length] = tree.forced[edge]
            length += 1
    return finish_turn(work, turn, _THE_TURN, now, length, player, options.waste)
