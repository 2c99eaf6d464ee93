"""Information-set MCTS: one tree for all worlds that fit what the planning player sees.

Every iteration guesses what is hidden anew and plays in that world, but descends a tree whose nodes are what the
player sees. Worlds that look alike share a node, so all iterations teach one tree, and no part of a plan depends on a
guess. Actions that only some worlds allow are compared by how often they were taken of the times they were available
(Cowling, Powley and Whitehouse 2012: single-observer ISMCTS). Rollouts, evaluation and parameters are those of MCTS.
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
from tactician.native.memory import Address, address, borrowed, int64
from tactician.native.rows import Row, Rows, make_rows
from tactician.planners import outcomes
from tactician.planners.base import Planner, Search
from tactician.planners.genome import Turns, finish_turn, make_turns
from tactician.planners.information_tree import (
    NO_EDGE,
    InformationTree,
    add_node,
    add_value,
    best_edge,
    clear,
    count_available,
    find_edges,
    make_information_tree,
    mean_of,
    node_for,
    node_key,
)
from tactician.planners.outcomes import KeySlots
from tactician.planners.ranking import Ranking, clear_ranking, make_ranking, offer, ranked_turns
from tactician.planners.rollouts import Groups, Rollout, make_groups, roll_out
from tactician.planners.scores import exploration_bonus
from tactician.planners.tree import NOBODY, mover_or_nobody
from tactician.planners.walk import ANOTHER_TURN, MAX_PATH, THE_TURN
from tactician.planners.work import (
    NO_ACTION,
    NOW,
    OPTIONS,
    ROOT,
    SHARED_STATES,
    Work,
    apply,
    copy_state,
    count_descent,
    from_root,
    is_legal,
    judge,
    key_of,
    list_for,
    may_iterate,
    state_at,
    turn_continues,
)
from tactician.seats.budget import Budget

_VIEW = SHARED_STATES
"""The scratch state with what the player sees at the root: the hidden parts are blank."""
_SEEN = SHARED_STATES + 1
"""The scratch state with what the player sees of the state NOW."""
_ROOT_NODE = 0


@dataclass(frozen=True, kw_only=True)
class InformationSetMCTS(Planner):
    """MCTS for hidden information: a new guess in every simulation, one tree over what the player sees."""

    name: ClassVar[str] = "information-set-mcts"
    page: ClassVar[str] = "planners/information-sets.md"
    iteration: ClassVar[str] = "a simulation, each with a new guess"
    paper: ClassVar[str] = "Cowling et al. 2012 (single observer)"
    handles_hidden: ClassVar[bool] = True

    exploration: float = 1 / math.sqrt(2)
    """C in mean + 2C·sqrt(2 ln a_j / n_j), from 0, where a_j counts how often the action was available."""
    epsilon: float = 0.5
    """Probability that a rollout takes the best-rated action instead of a random one, 0 to 1."""
    rollout_turns: int = 1
    """Turns that a rollout finishes, from -1; 0: the new state is valued, -1: the game is played to its end."""
    transpositions: bool = True
    """Treat what looks the same to the player as one node, in whatever order it was reached."""
    normalise: Literal["range", "running"] = "range"
    """What values are scaled by: `range` (the game's declared range) or `running` (what this search has seen)."""
    memory_mb: int = 1024
    """Megabytes that the tree may take, 1 to 1048576; a full tree stops growing, and the search continues in it."""

    def __post_init__(self) -> None:
        super().__post_init__()
        self._require(0 <= self.exploration < math.inf, "exploration", "a number from 0")
        self._require(0 <= self.epsilon <= 1, "epsilon", "a number from 0 to 1")
        self._require(isinstance(self.rollout_turns, int) and self.rollout_turns >= -1, "rollout_turns", "-1 or more")
        self._require(self.normalise in ("range", "running"), "normalise", "'range' or 'running'")
        self._require(isinstance(self.memory_mb, int) and 1 <= self.memory_mb <= 1 << 20, "memory_mb", "1 to 1048576")

    def search(self, game: Game) -> Search:
        """A search with an empty tree."""
        return _InformationSetSearch(game, self)


class _Options(NamedTuple):
    """What the kernels need of an `InformationSetMCTS`."""

    exploration: float
    """C of the upper confidence bound."""
    share: bool
    """Whether what looks the same is one node in whatever order it was reached."""
    running: bool
    """Whether values are scaled by those seen so far instead of the game's range."""
    hides: bool
    """Whether the game hides anything."""
    rollout: Rollout
    """How rollouts choose."""


class _Progress(Row):
    """Where the search stands."""

    least: float
    """The least value seen."""
    greatest: float
    """The greatest value seen."""
    value: float
    """The mean of the last edge of the turn read off last."""
    passes: int
    """Nodes passed so far, over all descents."""
    forced: int
    """The forced action that followed the action taken last, or NO_ACTION."""


class _Walk(NamedTuple):
    """The present descent, and the turns read off the tree."""

    edges: NDArray[np.int64]
    """[MAX_PATH] the edges of the descent ..."""
    movers: NDArray[np.int64]
    """[MAX_PATH] ... and who took each."""
    found: NDArray[np.int64]
    """[list room] the edge of each action in the list OPTIONS."""
    turn: Turns
    """[2] the plan, and another turn."""
    groups: Groups
    """Room for the groups of the actions in a rollout."""
    progress: Rows[_Progress]
    """[1] where the search stands."""
    ranking: Ranking
    """The turns that `alternatives` lists."""


class _InformationSetSearch(Search):
    """The running search."""

    def __init__(self, game: Game, planner: InformationSetMCTS) -> None:
        super().__init__(game, planner.prune, own_states=2)
        self._options = _Options(
            exploration=float(planner.exploration),
            share=planner.transpositions,
            running=planner.normalise == "running",
            hides=game.hides_information,
            rollout=Rollout(turns=planner.rollout_turns, epsilon=float(planner.epsilon), by_group=False),
        )
        self._tree, self._keys = make_information_tree(planner.memory_mb * 2**20, game.max_actions)
        self._walk = _Walk(
            edges=np.zeros(MAX_PATH, np.int64),
            movers=np.zeros(MAX_PATH, np.int64),
            found=np.zeros(self.work.actions.shape[1], np.int64),
            turn=make_turns(2, game.max_turn + 1),
            groups=make_groups(),
            progress=make_rows(_Progress),
            ranking=make_ranking(game.max_turn + 1, planner.alternatives),
        )

    def begin(self, root: NDArray[np.uint64], player: int, random: NDArray[np.uint64], budget: Budget) -> None:
        """Start from an empty tree."""
        super().begin(root, player, random, budget)
        self._keys.empty()
        _begin(self.work, self._tree, self._walk, player)

    def advance(self, units: int) -> bool:
        """Run `units` iterations."""
        self._keys.grow_if_crowded()
        return _search(self.work, self._tree, self._keys.keys, self._walk, self._options, self.player, units)

    def best(self) -> tuple[list[int], float | None]:
        """The best actions from the root on, completed where the tree ends before the turn."""
        length = _read_turn(self.work, self._tree, self._keys.keys, self._walk, self._options, self.player)
        value = float(self._walk.progress[0].value)
        return self._walk.turn.genes[THE_TURN, :length].tolist(), value if math.isfinite(value) else None

    def alternatives(self, most: int) -> list[tuple[list[int], float, int]]:
        """For each first action that was tried, the turn that follows the tree from there, best first."""
        _rank_turns(self.work, self._tree, self._keys.keys, self._walk, self._options, self.player)
        return ranked_turns(self._walk.ranking, most)


@kernel
def _begin(work: Work, tree: InformationTree, walk: _Walk, player: int) -> None:
    """Plant a tree and note what the player sees; nothing else of the root is ever used."""
    work, tree, walk = borrowed(work), borrowed(tree), borrowed(walk)
    at = walk.progress[0]
    at.least, at.greatest, at.value, at.passes = np.inf, -np.inf, np.nan, 0
    view, root = state_at(work, _VIEW), state_at(work, ROOT)
    copy_state(work, view, root)
    calls.observe(work.table, work.g, root, player, view)
    clear(tree)
    add_node(work, tree)


@kernel
def _search(
    work: Work, tree: InformationTree, keys: KeySlots, walk: _Walk, options: _Options, player: int, units: int
) -> bool:
    """Run `units` iterations; False once a limit is reached."""
    work, tree, keys, walk = borrowed(work), borrowed(tree), borrowed(keys), borrowed(walk)
    for _ in range(units):
        if not may_iterate(work):
            return False
        if outcomes.is_crowded(keys):
            return True
        _iterate(work, tree, keys, walk, options, player)
        work.counters[0].iterations += 1
    return True


@inlined
def _iterate(work: Work, tree: InformationTree, keys: KeySlots, walk: _Walk, options: _Options, player: int) -> None:
    """One guess, one descent, one new action, one rollout, one backup."""
    now, at = state_at(work, NOW), walk.progress[0]
    copy_state(work, now, state_at(work, _VIEW))
    calls.resample_hidden(work.table, work.g, now, player, address(work.rng))
    depth, listed = _descend(work, tree, keys, walk, options, player)
    count_descent(work, depth)
    roll_out(work, walk.groups, options.rollout, now, listed, int64(NO_ACTION))
    value = judge(work, now, player)
    if calls.error(work.g) != 0:
        return
    work.counters[0].sequences += 1
    for i in range(work.players):
        # In a zero-sum game all sums are the root player's.
        seen = value if work.zero_sum else work.values[i]
        at.least = min(at.least, seen)
        at.greatest = max(at.greatest, seen)
    for i in range(depth):
        add_value(tree, walk.edges[i], value if work.zero_sum else work.values[walk.movers[i]])


@inlined
def _descend(
    work: Work, tree: InformationTree, keys: KeySlots, walk: _Walk, options: _Options, player: int
) -> tuple[int, int]:
    """Walk from the root along edges that the world NOW allows, to the first that was never taken, and take it.

    Returns the path's length and how many actions of the state reached the list OPTIONS holds, 0 if it holds none.
    """
    now, at = state_at(work, NOW), walk.progress[0]
    node, depth, listed, own_turn = int64(_ROOT_NODE), 0, int64(0), True
    while depth < MAX_PATH:
        mover = mover_or_nobody(work, now)
        if mover == NOBODY:
            break
        if listed == 0:
            listed = list_for(work, now, max(0, mover), OPTIONS)
        # The simulation that added a node has passed it, too.
        if not find_edges(work, tree, keys, now, node, listed, int64(node != _ROOT_NODE), walk.found):
            work.counters[0].cut += 1
            break
        edge = _choose(work, tree, walk, options, listed, mover == player)
        count_available(tree, walk.found, listed, at.passes)
        at.passes += 1
        is_new = tree.edges[edge].visits == 0
        walk.edges[depth], walk.movers[depth] = edge, mover
        depth += 1
        listed = _take(work, walk, now, max(0, mover), int64(tree.edges[edge].action))
        if calls.error(work.g) != 0:
            break
        node, node_is_new = node_for(work, tree, keys, _key_behind(work, options, now, edge, player))
        own_turn = own_turn and mover == player
        if is_new:
            work.counters[0].hits += int64(not node_is_new)
            work.counters[0].unique += int64(node_is_new and own_turn and mover_or_nobody(work, now) != player)
        if is_new or node_is_new:
            break
    return depth, listed


@inlined
def _choose(work: Work, tree: InformationTree, walk: _Walk, options: _Options, n: int, is_own: bool) -> int:
    """The first of n edges that was never taken; else the one with the highest bound, of equals the first added."""
    untried = int64(NO_EDGE)
    for i in range(n):
        place = walk.found[i]
        if tree.edges[place].visits == 0 and (untried == NO_EDGE or place < untried):
            untried = place
    if untried != NO_EDGE:
        return untried
    at = walk.progress[0]
    low, high = (at.least, at.greatest) if options.running else (work.low, work.high)
    scale = 1.0 / (high - low) if high > low else 0.0
    if work.zero_sum and not is_own:
        # The sums are the root player's: what is good for it is bad for the other.
        scale = -scale
    best, best_bound, available, bonus = int64(NO_EDGE), -np.inf, -1, 0.0
    for i in range(n):
        place = walk.found[i]
        edge = tree.edges[place]
        if edge.available != available:  # mostly it is the same for all, and logarithms cost
            available = int64(edge.available)
            bonus = exploration_bonus(options.exploration, available)
        bound = scale * mean_of(tree, place) + bonus / math.sqrt(edge.visits)
        if bound > best_bound or (bound == best_bound and place < best):
            best, best_bound = place, bound
    return best


@inlined
def _take(work: Work, walk: _Walk, s: Address, mover: int, action: int) -> int:
    """Take an action, and the one that it leaves if that is all that the mover can do then, as MCTS does.

    Returns how many actions of the new state the list OPTIONS holds, 0 if it holds none.
    """
    at = walk.progress[0]
    at.forced = NO_ACTION
    apply(work, s, action)
    if not turn_continues(work, s, mover):
        return int64(0)
    listed = list_for(work, s, mover, OPTIONS)
    if listed > 1:
        return listed
    at.forced = int64(work.actions[OPTIONS, 0])
    apply(work, s, at.forced)
    return int64(0)


@inlined
def _key_behind(work: Work, options: _Options, s: Address, edge: int, player: int) -> np.uint64:
    """The key of the node behind an edge that led to a state: of what the player sees of it."""
    if not options.hides:
        return node_key(key_of(work, s), edge, options.share)
    seen = state_at(work, _SEEN)
    copy_state(work, seen, s)
    calls.observe(work.table, work.g, s, player, seen)
    return node_key(key_of(work, seen), edge, options.share)


@kernel
def _read_turn(work: Work, tree: InformationTree, keys: KeySlots, walk: _Walk, options: _Options, player: int) -> int:
    """Follow the best edges in the world ROOT while it is the player's turn, then finish it; returns its length."""
    work, tree, keys, walk = borrowed(work), borrowed(tree), borrowed(keys), borrowed(walk)
    walk.progress[0].value = np.nan
    return _follow_best(work, tree, keys, walk, options, player, THE_TURN, best_edge(tree, _ROOT_NODE))


@inlined
def _follow_best(
    work: Work,
    tree: InformationTree,
    keys: KeySlots,
    walk: _Walk,
    options: _Options,
    player: int,
    row: int,
    edge: int,
) -> int:
    """Write the turn that takes an edge of the root and then the best ones; returns its length."""
    now, at, turn, length = from_root(work), walk.progress[0], walk.turn, 0
    while edge >= 0 and length + 2 <= turn.genes.shape[1] and turn_continues(work, now, player):
        action = int64(tree.edges[edge].action)
        if not is_legal(work, now, action):
            break  # chance or another world than those searched
        at.value = mean_of(tree, edge)
        turn.genes[row, length] = action
        length += 1
        _take(work, walk, now, player, action)
        if at.forced != NO_ACTION:
            turn.genes[row, length] = at.forced
            length += 1
        node = outcomes.find(keys, _key_behind(work, options, now, edge, player))
        edge = best_edge(tree, node) if node >= 0 else int64(NO_EDGE)
    return finish_turn(work, turn, row, now, length, player, False)


@kernel
def _rank_turns(work: Work, tree: InformationTree, keys: KeySlots, walk: _Walk, options: _Options, player: int) -> None:
    """Rank the turns that begin with each action of the root."""
    work, tree, keys, walk = borrowed(work), borrowed(tree), borrowed(keys), borrowed(walk)
    clear_ranking(walk.ranking)
    edge = int64(tree.first[_ROOT_NODE])
    while edge >= 0:
        if tree.edges[edge].visits > 0:
            length = _follow_best(work, tree, keys, walk, options, player, ANOTHER_TURN, edge)
            key = key_of(work, state_at(work, NOW))
            offer(walk.ranking, walk.turn, ANOTHER_TURN, length, key, walk.progress[0].value)
        edge = int64(tree.edges[edge].next)
