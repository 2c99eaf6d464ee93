"""Monte Carlo tree search over single actions: vanilla, non-exploring and bridge-burning, as three sets of parameters.

An iteration walks down the tree, tries one new action, finishes the turn of whoever is to act with ε-greedy rollouts,
and backs the evaluation up along the path. The turn is read off the tree at the end. Values are kept on the game's
own scale; the selection normalises them.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar, Literal

import numpy as np
from numpy.typing import NDArray

from tactician.contract import calls
from tactician.contract.game import Game
from tactician.contract.random import stream
from tactician.contract.state import State
from tactician.native.caching import inlined, kernel
from tactician.native.memory import borrowed, int64
from tactician.native.rows import make_rows
from tactician.planners import outcomes
from tactician.planners.base import Planner, Search
from tactician.planners.genome import make_turns
from tactician.planners.greedy import best_action
from tactician.planners.outcomes import KeySlots, KeyTable
from tactician.planners.ranking import (
    make_ranking,
    ranked_turns,
)
from tactician.planners.rollouts import Rollout, make_groups, roll_out
from tactician.planners.scores import best_bound, bounds_room, exploration_bonus
from tactician.planners.team import Reading
from tactician.planners.tree import (
    ELSEWHERE,
    NO_NODE,
    NO_SLOT,
    NOBODY,
    UNLISTED,
    Tree,
    Trial,
    add_node,
    add_outcome,
    add_value,
    best_slot,
    clear,
    connect,
    edge_at,
    follow,
    follow_selected,
    list_actions,
    make_tree,
    may_grow,
    mover_or_nobody,
    select_edge,
    try_action,
)
from tactician.planners.tree_loading import expect_backup, expect_child, expect_known, mark_edge
from tactician.planners.tree_reading import add_counts, best_of, find_now, judge_now, rank_turns, read_turn
from tactician.planners.walk import MAX_PATH, START, THE_TURN, Options, Progress, Walk
from tactician.planners.work import (
    NO_ACTION,
    NOW,
    OPTIONS,
    ROOT,
    Work,
    apply,
    best_rated,
    copy_state,
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


@dataclass(frozen=True, kw_only=True)
class MCTS(Planner):
    """Searches a tree of single actions with UCT and rollouts; the plan is its best path to the end of the turn."""

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
    """`paper`, or `reference` as in the papers' code: rollouts choose a unit or card first, unfinished turns are cut
    short."""
    memory_mb: int = 1024
    """Megabytes that the tree may take, 1 to 1048576; a full tree stops growing, and the search continues in it."""

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


class _TreeSearch(Search):
    """The running search."""

    def __init__(self, game: Game, planner: MCTS) -> None:
        super().__init__(game, planner.prune, own_states=1)
        reference = planner.style == "reference"
        self._options = Options(
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
        self._tree = make_tree(planner.memory_mb * 2**20, game.max_actions)
        self._keys = KeyTable(len(self._tree.nodes))
        self._walk = Walk(
            slots=np.zeros(MAX_PATH, np.int64),
            nodes=np.zeros(MAX_PATH + 1, np.int64),
            trial=make_rows(Trial),
            bounds=np.zeros(bounds_room(game.max_actions)),
            turn=make_turns(2, game.max_turn + 1),
            roots=np.zeros(game.max_turn + 2, np.int64),
            decided=np.zeros(game.max_turn + 2, np.int64),
            means=np.zeros(game.max_actions),
            groups=make_groups(),
            progress=make_rows(Progress),
            ranking=make_ranking(game.max_turn + 1, planner.alternatives),
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
        length = read_turn(self.work, self._tree, self._keys.keys, self._walk, self._options, self.player)
        value = float(self._progress.value)
        return self._walk.turn.genes[THE_TURN, :length].tolist(), value if math.isfinite(value) else None

    def merged(self, others: Sequence[Search]) -> Reading:
        """This tree with the counts of all along the best turn.

        In phases every worker has decided for itself: then it is the tree whose turn ends in the best state.
        """
        trees = [other for other in others if isinstance(other, _TreeSearch)]
        if self._options.phased:
            return max([self, *trees], key=lambda tree: tree._worth_of_turn())
        state = State(self.game, self.work.states[ROOT, : self.work.state_bytes // 8].copy(), stream(0))
        while not state.is_over() and state.current_player() == self.player:
            node = self._node_of(state)
            if node < 0:
                break
            for other in trees:
                theirs = other._node_of(state)
                if theirs >= 0:
                    add_counts(self._tree, node, other._tree, theirs)
            slot = best_of(self._tree, node)
            if slot < 0 or self.game.backend.handles is not None:
                break  # a state of plain Python objects can't be copied like this
            edge = self._tree.edges[self._tree.nodes[node].first + slot]
            for action in (int(edge.action), int(edge.forced)):
                if action != NO_ACTION and not state.is_over() and state.is_legal(action):
                    state.apply(action)
        return self

    def _worth_of_turn(self) -> float:
        """The evaluation right after the turn; the mean of an edge says little where few simulations came."""
        self.best()
        return judge_now(self.work, self.player)

    def _node_of(self, state: State) -> int:
        """The node of a state, or NO_NODE; without transpositions only the root is found."""
        if np.array_equal(state.words, self.work.states[ROOT, : len(state.words)]):
            return int(self._progress.root)
        self.work.states[NOW, : len(state.words)] = state.words
        return find_now(self.work, self._keys.keys) if self._options.share else NO_NODE

    def alternatives(self, most: int) -> list[tuple[list[int], float, int]]:
        """Turns that leave the plan at one of its actions and then follow the tree, best first.

        The value is the mean of the simulations that came to the end of the turn in the tree, as it is for the plan.
        """
        rank_turns(self.work, self._tree, self._keys.keys, self._walk, self._options, self.player)
        return ranked_turns(self._walk.ranking, most)


@kernel
def _begin(work: Work, tree: Tree, keys: KeySlots, walk: Walk, options: Options, player: int) -> None:
    """Plant a tree; if phased, there are as many phases as Greedy Action's turn has decisions."""
    work, tree, keys, walk = borrowed(work), borrowed(tree), borrowed(keys), borrowed(walk)
    at = walk.progress[0]
    at.phases = 1
    at.phases_done = 0
    at.roots = 0
    at.least, at.greatest, at.clock = np.inf, -np.inf, 0.0
    walk.turn.lengths[THE_TURN] = 0
    copy_state(work, state_at(work, START), state_at(work, ROOT))
    _plant(work, tree, keys, walk, options)
    if options.phased:
        at.phases = max(1, _count_decisions(work, walk, player))
    at.spent_before = share_spent(work, 0.0)


@inlined
def _count_decisions(work: Work, walk: Walk, player: int) -> int:
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
def _plant(work: Work, tree: Tree, keys: KeySlots, walk: Walk, options: Options) -> None:
    """Empty the tree and enter the scratch state ROOT as its root."""
    clear(tree)
    root = state_at(work, ROOT)
    node = add_node(work, tree, mover_or_nobody(work, root))
    walk.progress[0].root = node
    if options.share:
        outcomes.insert(keys, key_of(work, root), node)


@kernel
def _search(work: Work, tree: Tree, keys: KeySlots, walk: Walk, options: Options, player: int, units: int) -> bool:
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
        if tree.nodes[at.root].mover != player:
            return False
        _iterate(work, tree, keys, walk, options, player)
        work.counters[0].iterations += 1
    return True


@inlined
def _phases_due(work: Work, walk: Walk) -> int:
    """How many phases should have ended by now; they share what is left after Greedy Action has counted them."""
    at = walk.progress[0]
    before = at.spent_before
    return int((share_spent(work, at.clock) - before) / (1.0 - before) * at.phases)


@inlined
def _commit(work: Work, tree: Tree, keys: KeySlots, walk: Walk, options: Options, player: int) -> bool:
    """End a phase: the best child of the root, once it has any, becomes the root; False if that ends the turn.

    A turn is not ended before the last phase: as long as there is a budget, something better may be found.
    """
    at = walk.progress[0]
    slot = best_slot(tree, at.root)
    if slot < 0:
        return True
    edge = edge_at(tree, at.root, slot)
    action, forced = edge.action, edge.forced
    turn = walk.turn
    length = turn.lengths[THE_TURN]
    if length + 2 > turn.genes.shape[1]:
        return False
    at.phases_done += 1
    if edge.child >= 0 and tree.nodes[edge.child].mover != player:
        return True
    walk.roots[at.roots], walk.decided[at.roots] = at.root, length
    at.roots += 1
    turn.genes[THE_TURN, length] = action
    turn.lengths[THE_TURN] += 1
    child = follow(work, tree, keys, state_at(work, ROOT), at.root, slot, options.share)
    if forced != NO_ACTION and child != ELSEWHERE:
        turn.genes[THE_TURN, length + 1] = forced
        turn.lengths[THE_TURN] += 1
    if child < 0 or options.reinvoke:
        # Start over from where the turn has got to; what the key table holds of the old tree must not be found.
        outcomes.forget(keys)
        _plant(work, tree, keys, walk, options)
        at.roots = 0
    else:
        at.root = child
    return tree.nodes[at.root].mover == player


@inlined
def _iterate(work: Work, tree: Tree, keys: KeySlots, walk: Walk, options: Options, player: int) -> None:
    """One descent, one new action, one rollout, one backup."""
    now, trial = from_root(work), walk.trial[0]
    trial.options = 0
    depth, new, whose = _descend(work, tree, keys, walk, options, player)
    count_descent(work, depth)
    roll_out(work, walk.groups, options.rollout, now, trial.options, trial.action)
    if new >= 0:
        expect_known(tree, keys, walk.trial)
    value = judge(work, now, player)
    if calls.error(work.g) != 0:
        return
    if new >= 0:
        walk.nodes[depth] = connect(work, tree, keys, new, walk.slots[depth - 1], whose, options.share, walk.trial)
    work.counters[0].sequences += 1
    at = walk.progress[0]
    for i in range(work.players):
        # In a zero-sum game all sums are the root player's.
        seen = value if work.zero_sum else work.values[i]
        at.least = min(at.least, seen)
        at.greatest = max(at.greatest, seen)
    _back_up(work, tree, walk, options, player, depth, value)


@inlined
def _descend(work: Work, tree: Tree, keys: KeySlots, walk: Walk, options: Options, player: int) -> tuple[int, int, int]:
    """Walk from the root to a node with an untried action and try it in the state NOW.

    Returns the path's length, the node of the new action or NO_NODE, and the player whose turn may have ended by it.
    """
    now = state_at(work, NOW)
    node = walk.progress[0].root
    walk.nodes[0] = node
    whose = player
    depth, new = 0, int64(NO_NODE)
    while depth < MAX_PATH and tree.nodes[node].mover != NOBODY:
        at = tree.nodes[node]
        if at.action_count == UNLISTED and not list_actions(work, tree, now, node):
            work.counters[0].cut += 1
            break
        if at.tried < at.action_count and may_grow(tree, node):
            walk.slots[depth] = try_action(work, tree, keys, now, node, options.share, options.rollout, walk.trial)
            depth += 1
            new = node
            break
        if at.tried == 0:
            work.counters[0].cut += 1
            break
        if at.mover != player:
            whose = NOBODY  # from here on no end of a turn is an outcome of this one
        if at.selected == NO_SLOT:
            select_edge(tree, node, _select(work, tree, walk, options, node, player))
        slot = int64(at.selected)
        expect_backup(tree, node)
        child = follow_selected(work, tree, keys, now, node, options.share)
        if child < 0:
            child = add_outcome(work, tree, keys, now, node, slot, options.share)
            walk.slots[depth], walk.nodes[depth + 1] = slot, child
            depth += 1
            break
        walk.slots[depth], walk.nodes[depth + 1] = slot, child
        depth += 1
        node = child
    return depth, new, whose


@inlined
def _select(work: Work, tree: Tree, walk: Walk, options: Options, node: int, player: int) -> int:
    """The slot of the edge with the highest upper confidence bound for its mover, the first of equals."""
    at, node_at = walk.progress[0], tree.nodes[node]
    low, high = (at.least, at.greatest) if options.running else (work.low, work.high)
    scale = 1.0 / (high - low) if high > low else 0.0
    if work.zero_sum and node_at.mover != player:
        # The sums are the root player's: what is good for it is bad for the other.
        scale = -scale
    bonus = exploration_bonus(options.exploration, node_at.visits)
    return best_bound(tree.scores, node_at.first, node_at.tried, scale, bonus, walk.bounds)


@inlined
def _back_up(work: Work, tree: Tree, walk: Walk, options: Options, player: int, depth: int, value: float) -> None:
    """Count the walked path: its edges, the nodes they lead to, the root. `work.values` holds what each player got.

    Then select what to do in each node the next time: nothing that decides it will change before. Going down, the
    search then knows early where it will come to, and memory has time to answer.
    """
    # From the end of the path on, as what lies deep takes longest to load.
    for i in range(depth - 1, -1, -1):
        if walk.nodes[i + 1] >= 0:
            tree.nodes[walk.nodes[i + 1]].visits += 1
        at = tree.nodes[walk.nodes[i]]
        add_value(tree, int64(at.first) + walk.slots[i], value if work.zero_sum else work.values[at.mover])
        at.selected = NO_SLOT
    tree.nodes[walk.nodes[0]].visits += 1
    if options.running:
        return
    # Not in the same loop: the selection reads several edges at once, and would wait for the one just written.
    for i in range(depth - 1, -1, -1):
        at = tree.nodes[walk.nodes[i]]
        if at.tried == at.action_count:
            mark_edge(tree, walk.nodes[i], _select(work, tree, walk, options, walk.nodes[i], player))
    for i in range(depth - 1, -1, -1):
        expect_child(tree, walk.nodes[i])
