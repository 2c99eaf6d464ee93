"""Evolutionary MCTS: a tree whose nodes are whole turns and whose edges change one action of them.

The root is Greedy Action's turn. An edge exchanges one gene for another candidate at that point; what becomes illegal
behind it is repaired by Greedy Action. A new turn is valued by the evaluation of its final state, without rollout,
and the value is backed up as in MCTS. The budget is split into phases; after each the most promising mutation at the
root is carried out and its turn becomes the root.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import ClassVar, Literal, NamedTuple

import numpy as np
from numpy.typing import NDArray

from tactician.contract.game import Game
from tactician.native.caching import inlined, kernel
from tactician.native.memory import borrowed, int64
from tactician.native.rows import make_rows
from tactician.planners.base import Planner, Search
from tactician.planners.choices import ChoiceMemory
from tactician.planners.forest import (
    NO_EDGE,
    Forest,
    ForestNode,
    ForestProgress,
    best_child,
    best_row,
    bring_best_forward,
    close_edge,
    has_open_child,
    leading_child,
)
from tactician.planners.genome import (
    Repair,
    copy_turn,
    exchange,
    exchange_here,
    finish_turn,
    make_turns,
    new_turn,
    replay,
    turn_list,
)
from tactician.planners.mutations import DRAWN, FOUND, FOUND_HERE, NO_ROOM, has_many_mutations, next_mutation
from tactician.planners.outcomes import KeySlots, KeyTable, find, forget, is_crowded
from tactician.planners.ranking import clear_ranking, make_ranking, offer, ranked_turns
from tactician.planners.scores import (
    SCORE_BYTES,
    best_bound,
    bounds_room,
    exploration_bonus,
    make_scores,
    set_score,
)
from tactician.planners.tree import NO_NODE, UNLISTED
from tactician.planners.work import (
    NOW,
    Work,
    count_descent,
    count_outcome,
    from_root,
    judge,
    key_of,
    key_of_outcome,
    may_evaluate,
    may_iterate,
    share_spent,
    state_at,
)
from tactician.seats.budget import Budget

MAX_OUTCOMES = 1 << 19
MAX_PATH = 256
PHASES_PER_ROOT = 0.46
"""Phases for N sequences are about 0.46·sqrt(N): what the paper's 20 / 40 / 100 at its speed come to."""
_FIRST = 0
"""The node that a tree starts with."""


@dataclass(frozen=True, kw_only=True)
class EMCTS(Planner):
    """Searches a tree of whole turns; each edge changes one action of a turn."""

    name: ClassVar[str] = "emcts"
    page: ClassVar[str] = "planners/emcts.md"
    iteration: ClassVar[str] = "a turn that is evaluated"
    paper: ClassVar[str] = "Baier & Cowling 2018, section III-C"
    reference_rate: ClassVar[float] = 9_500

    exploration: float = 0.0
    """C in UCB's mean + 2C·sqrt(2 ln n / n_j), from 0; the paper's 0."""
    phases: int | Literal["auto"] = "auto"
    """Phases of bridge burning, from 1: after each the best mutation becomes the root; `auto`: about 0.46·sqrt(N) for N
    turns valued."""
    final: Literal["best", "root"] = "best"
    """Which turn is played: the `best` ever valued, or the one of the last `root`."""
    normalise: Literal["range", "running"] = "range"
    """What values are scaled by: `range` (declared) or `running` (seen so far); matters only with exploration."""
    memory_mb: int = 256
    """Megabytes that the tree may take, 1 to 1048576; when it is full, the phase ends early and the tree is emptied."""
    halving: bool = False
    """Distribute a phase over the mutations of the root by sequential halving instead of by confidence bounds."""
    widening: float = 0.0
    """Progressive widening: descend into a turn with n visits once n**widening mutations of it were tried, 0 to 1; 0:
    once all were."""
    order: Literal["random", "rating"] = "random"
    """Which mutations of a turn are tried first: at `random`, or at a random action those best by the game's
    `rating`."""
    tabu: bool = False
    """Leave out turns that end in a known state: they are not evaluated, and nothing is descended from them."""

    def __post_init__(self) -> None:
        super().__post_init__()
        self._require(0 <= self.exploration < math.inf, "exploration", "a number from 0")
        good = self.phases == "auto" or (isinstance(self.phases, int) and 1 <= self.phases <= 10**9)
        self._require(good, "phases", "'auto' or an integer from 1")
        self._require(self.final in ("best", "root"), "final", "'best' or 'root'")
        self._require(self.normalise in ("range", "running"), "normalise", "'range' or 'running'")
        self._require(isinstance(self.memory_mb, int) and 1 <= self.memory_mb <= 1 << 20, "memory_mb", "1 to 1048576")
        self._require(isinstance(self.halving, bool), "halving", "True or False")
        self._require(0 <= self.widening <= 1, "widening", "a number from 0 to 1")
        self._require(self.order in ("random", "rating"), "order", "'random' or 'rating'")
        self._require(self.tabu in (False, not self.halving), "tabu", "True or False; False with halving")

    def search(self, game: Game) -> Search:
        """A search with an empty tree."""
        return _MutationSearch(game, self)


class _Options(NamedTuple):
    """What the kernels need of an `EMCTS`."""

    exploration: float
    """C of the upper confidence bound."""
    running: bool
    """Whether values are scaled by those seen so far instead of the game's range."""
    phases: int
    """Phases that the budget is split into; 0: as many as suit the sequences."""
    halving: bool
    """Whether mutations of the root compete by sequential halving."""
    widening: float
    """The exponent of the visits that says how many mutations are tried at least; 0: all."""
    rated: bool
    """Whether mutations are tried in the order of ratings."""
    tabu: bool
    """Whether turns with known ends are left out."""


class _MutationSearch(Search):
    """The running search."""

    def __init__(self, game: Game, planner: EMCTS) -> None:
        super().__init__(game, planner.prune)
        self._options = _Options(
            exploration=float(planner.exploration),
            running=planner.normalise == "running",
            phases=0 if planner.phases == "auto" else planner.phases,
            halving=planner.halving,
            widening=float(planner.widening),
            rated=planner.order == "rating",
            tabu=planner.tabu,
        )
        self._from_root = planner.final == "root"
        turn = game.max_turn
        # A node that is descended from has a hundred edges and more, but few nodes are.
        node_bytes, edge_bytes = 8 * turn + 72, 12 + SCORE_BYTES
        nodes = max(256, planner.memory_mb * 2**20 // (node_bytes + 2 * edge_bytes))
        edges = max(2 * nodes, turn * (game.max_actions + 1) + DRAWN)
        self._forest = Forest(
            turns=make_turns(nodes + 1, turn),
            nodes=make_rows(ForestNode, nodes + 1),
            candidates=np.zeros((nodes, turn), np.int32),
            place=np.zeros(edges, np.int32),
            action=np.zeros(edges, np.int32),
            child=np.zeros(edges, np.int32),
            scores=make_scores(edges),
            bounds=np.zeros(bounds_room(turn * game.max_actions)),
            path=np.zeros(MAX_PATH, np.int64),
            progress=make_rows(ForestProgress),
            ranking=make_ranking(turn, planner.alternatives),
        )
        self._progress = self._forest.progress[0]
        self._seen = KeyTable(MAX_OUTCOMES)
        self._choices = ChoiceMemory()

    @property
    def _repair(self) -> Repair:
        return Repair(True, self._choices.choices)

    def begin(self, root: NDArray[np.uint64], player: int, random: NDArray[np.uint64], budget: Budget) -> None:
        """Start from Greedy Action's turn."""
        super().begin(root, player, random, budget)
        self._seen.empty()
        self._choices.empty()
        _begin(self.work, self._forest, self._seen.keys, self._repair, player)

    def advance(self, units: int) -> bool:
        """Value `units` turns."""
        self._seen.grow_if_crowded()
        self._choices.grow_if_crowded()
        return _search(self.work, self._forest, self._seen.keys, self._options, self._repair, self.player, units)

    def share_time(self, fraction: float) -> None:
        """Phases end by the clock when the budget is time."""
        self._progress.clock = fraction

    def best(self) -> tuple[list[int], float | None]:
        """The best turn ever valued, or the root's."""
        forest, at = self._forest, self._progress
        row = at.root if self._from_root and at.nodes else len(forest.nodes) - 1
        value = float(forest.nodes[row].value)
        return turn_list(forest.turns, row), value if math.isfinite(value) else None

    def alternatives(self, most: int) -> list[tuple[list[int], float, int]]:
        """The best different turns that were valued."""
        return ranked_turns(self._forest.ranking, most)


@kernel
def _begin(work: Work, forest: Forest, seen: KeySlots, repair: Repair, player: int) -> None:
    """Plant Greedy Action's turn; if the budget does not allow that, ratings choose the best turn so far."""
    work, forest, seen, repair = borrowed(work), borrowed(forest), borrowed(seen), borrowed(repair)
    at = forest.progress[0]
    at.nodes, at.edges, at.root, at.phases_done = 0, 0, _FIRST, 0
    at.least, at.greatest, at.clock = np.inf, -np.inf, 0.0
    at.contestants, at.halvings = 0, 0
    clear_ranking(forest.ranking)
    best = best_row(forest)
    forest.nodes[best].value = -np.inf
    length = new_turn(work, forest.turns, _FIRST, player, repair)
    if length >= 0 and may_evaluate(work):
        _add(work, forest, seen, player, _FIRST, length)
        first = forest.nodes[_FIRST]
        first.visits, first.total, first.edge = 1, first.value, NO_EDGE
        at.draws = has_many_mutations(work, forest, _FIRST)
        return
    forest.turns.lengths[best] = finish_turn(work, forest.turns, best, from_root(work), 0, player, False)


@inlined
def _add(work: Work, forest: Forest, seen: KeySlots, player: int, node: int, length: int) -> None:
    """Value the turn whose final state is NOW and enter it as a node."""
    now = state_at(work, NOW)
    key = key_of_outcome(work, seen, now)
    value = judge(work, now, player)
    count_outcome(work, seen, key)
    offer(forest.ranking, forest.turns, node, length, key, value)
    count, at = work.counters[0], forest.progress[0]
    count.iterations += 1
    count.nodes += 1
    at.nodes = node + 1
    forest.turns.lengths[node] = length
    new = forest.nodes[node]
    new.value, new.total, new.visits = value, 0.0, 0
    new.edge_count, new.tried, new.compared = UNLISTED, 0, 0
    at.least = min(at.least, value)
    at.greatest = max(at.greatest, value)
    best = best_row(forest)
    if value > forest.nodes[best].value:
        _copy_node(forest, node, best)


@inlined
def _copy_node(forest: Forest, source: int, target: int) -> None:
    """Copy a turn and its value to another row."""
    copy_turn(forest.turns, source, target)
    forest.nodes[target].value = forest.nodes[source].value


@kernel
def _search(
    work: Work, forest: Forest, seen: KeySlots, options: _Options, repair: Repair, player: int, units: int
) -> bool:
    """Value `units` turns; False once a limit is reached or there is nothing to mutate."""
    work, forest, seen, repair = borrowed(work), borrowed(forest), borrowed(seen), borrowed(repair)
    at = forest.progress[0]
    for _ in range(units):
        if at.nodes == 0:
            return False
        if at.phases_done < int(_phases_passed(work, forest, options)):
            _commit(forest, options)
        if not may_iterate(work):
            return False
        if is_crowded(seen) or is_crowded(repair.choices.states):
            return True
        if not _iterate(work, forest, seen, options, repair, player) and may_iterate(work):
            return False
    return True


@inlined
def _phases_passed(work: Work, forest: Forest, options: _Options) -> float:
    """How many phases should have passed by now, given how much of the budget is spent; a part of one counts."""
    spent = share_spent(work, forest.progress[0].clock)
    return spent * _phases(work, options, spent) if spent > 0.0 else 0.0


@inlined
def _phases(work: Work, options: _Options, spent: float) -> float:
    """The phases of the whole search, of which a part is spent."""
    if options.phases > 0:
        return float(options.phases)
    return max(1.0, round(PHASES_PER_ROOT * math.sqrt(work.counters[0].sequences / spent)))


@inlined
def _commit(forest: Forest, options: _Options) -> None:
    """End a phase: the most promising mutation at the root is carried out; its subtree stays."""
    at = forest.progress[0]
    at.phases_done += 1
    at.contestants, at.halvings = 0, 0
    best = best_child(forest, at.root, options.tabu)
    if best >= 0:
        at.root = best


@inlined
def _iterate(work: Work, forest: Forest, seen: KeySlots, options: _Options, repair: Repair, player: int) -> bool:
    """One descent, one new turn, one backup; False if the budget ended in it or no mutation is left."""
    at = forest.progress[0]
    node = at.root
    depth = 0
    while True:
        forest.path[depth] = node
        depth += 1
        if options.halving and depth == 1 and _has_enough_contestants(work, forest, options):
            node = _next_contestant(work, forest, options)
            continue
        if _is_wide_enough(forest, options, node):
            if depth == MAX_PATH:
                _start_anew(work, forest, seen, options)
                return True
            node = _select(work, forest, options, node)
            continue
        parent = forest.path[depth - 2] if depth > 1 else int64(NO_NODE)
        looked = next_mutation(work, forest, node, parent, player, options.rated)
        if looked == FOUND or looked == FOUND_HERE:
            break
        if looked == NO_ROOM:
            _start_anew(work, forest, seen, options)
            return True
        if options.tabu and not has_open_child(forest, node):
            return _close(forest, node)
        if forest.nodes[at.root].edge_count == 0:
            return False
        if forest.nodes[node].edge_count == 0:
            # Nothing can be changed here: the turn counts again as it is.
            count = work.counters[0]
            count.iterations += 1
            count.sequences += 1
            end = replay(work, forest.turns, node, forest.turns.lengths[node])
            _back_up(work, forest, options, depth, judge(work, end, player))
            return True
        if depth == MAX_PATH:
            _start_anew(work, forest, seen, options)
            return True
        node = _select(work, forest, options, node)
    if at.nodes == best_row(forest):
        _start_anew(work, forest, seen, options)
        return True
    return _mutate(work, forest, seen, options, repair, player, node, depth, looked == FOUND_HERE)


@inlined
def _mutate(
    work: Work,
    forest: Forest,
    seen: KeySlots,
    options: _Options,
    repair: Repair,
    player: int,
    node: int,
    depth: int,
    here: bool,
) -> bool:
    """Try the next mutation of the node at the end of a path of `depth` nodes; False if the budget ended.

    `here`: NOW is the state that the mutation is made in.
    """
    child = forest.progress[0].nodes
    edge = int64(forest.nodes[node].first + forest.nodes[node].tried)
    place, action = int64(forest.place[edge]), int64(forest.action[edge])
    turns, length = forest.turns, int64(forest.turns.lengths[node])
    if here:
        for i in range(place):
            turns.genes[child, i] = turns.genes[node, i]
        length = exchange_here(work, turns, node, child, state_at(work, NOW), place, length, action, player, repair)
    else:
        length = exchange(work, turns, node, child, place, length, action, player, repair)
    if length < 0 or not may_evaluate(work):
        return False
    if options.tabu and find(seen, key_of(work, state_at(work, NOW))) >= 0:
        work.counters[0].hits += 1
        forest.child[edge] = NO_NODE
        close_edge(forest, edge)
        forest.nodes[node].tried += 1
        return True
    _add(work, forest, seen, player, child, length)
    forest.child[edge] = child
    forest.nodes[child].edge = edge
    forest.nodes[node].tried += 1
    forest.path[min(depth, MAX_PATH - 1)] = child
    _back_up(work, forest, options, min(depth + 1, MAX_PATH), forest.nodes[child].value)
    return True


@inlined
def _back_up(work: Work, forest: Forest, options: _Options, depth: int, value: float) -> None:
    """Add a value to all nodes of the path."""
    count_descent(work, depth - 1)
    sets_scores = not _compares_leaders(options)
    for i in range(depth):
        node = forest.nodes[forest.path[i]]
        node.visits += 1
        node.total += value
        if (sets_scores or i == depth - 1) and node.edge != NO_EDGE:
            set_score(forest.scores, int64(node.edge), node.total, node.visits)


@inlined
def _select(work: Work, forest: Forest, options: _Options, node: int) -> int:
    """The child with the highest upper confidence bound, the first of equals."""
    at = forest.progress[0]
    low, high = (at.least, at.greatest) if options.running else (work.low, work.high)
    scale = 1.0 / (high - low) if high > low else 1.0
    if _compares_leaders(options):
        return leading_child(forest, node, scale)
    known = forest.nodes[node]
    first, count = int64(known.first), int64(known.tried)
    bonus = exploration_bonus(options.exploration, known.visits)
    return int64(forest.child[first + best_bound(forest.scores, first, count, scale, bonus, forest.bounds)])


@inlined
def _compares_leaders(options: _Options) -> bool:
    """Whether only the best child of a node is ever descended into, so that only its mean changes."""
    return options.exploration == 0.0 and not options.running and not options.halving and not options.tabu


@inlined
def _close(forest: Forest, node: int) -> bool:
    """Nothing new is left below a turn: leave it out from now on. If it is the root, the search returns to the first
    turn of the tree; False if that has nothing left either."""
    at = forest.progress[0]
    if node != at.root:
        close_edge(forest, int64(forest.nodes[node].edge))
        return True
    if node == _FIRST:
        return False
    if forest.nodes[node].edge != NO_EDGE:
        close_edge(forest, int64(forest.nodes[node].edge))
    at.root = _FIRST
    return True


@inlined
def _is_wide_enough(forest: Forest, options: _Options, node: int) -> bool:
    """Whether so many mutations of a turn are tried that the best of them is descended into before the others."""
    if options.widening == 0.0 or forest.nodes[node].edge_count == UNLISTED or forest.nodes[node].tried == 0:
        return False
    if options.tabu and not has_open_child(forest, node):
        return False
    return forest.nodes[node].tried >= math.ceil(forest.nodes[node].visits ** options.widening)


@inlined
def _has_enough_contestants(work: Work, forest: Forest, options: _Options) -> bool:
    """Whether the mutations of the root among which the phase is shared have all been tried.

    They are so many that each round of halvings can give each of them an iteration.
    """
    at = forest.progress[0]
    if at.contestants > 0:
        return True
    tried = int64(forest.nodes[at.root].tried)
    if tried < 2 or forest.nodes[at.root].edge_count == UNLISTED:
        return False
    if not (forest.nodes[at.root].listed and tried == forest.nodes[at.root].edge_count):
        spent = share_spent(work, at.clock)
        length = work.counters[0].sequences / spent / _phases(work, options, spent) if spent > 0.0 else 0.0
        if (tried + 1) * math.log2(tried + 1) <= length:
            return False
    at.contestants = tried
    return True


@inlined
def _next_contestant(work: Work, forest: Forest, options: _Options) -> int:
    """The child of the root with the fewest visits of those that compete; as time passes, the worse half leaves."""
    at = forest.progress[0]
    first = int64(forest.nodes[at.root].first)
    rounds = max(1.0, math.ceil(math.log2(forest.nodes[at.root].tried)))
    passed = (_phases_passed(work, forest, options) - at.phases_done) * rounds
    while at.contestants > 1 and at.halvings < int(passed):
        bring_best_forward(forest, first, at.contestants)
        at.contestants = (at.contestants + 1) // 2
        at.halvings += 1
    chosen = first
    for edge in range(first + 1, first + at.contestants):
        if forest.nodes[forest.child[edge]].visits < forest.nodes[forest.child[chosen]].visits:
            chosen = edge
    return int64(forest.child[chosen])


@inlined
def _start_anew(work: Work, forest: Forest, seen: KeySlots, options: _Options) -> None:
    """The memory is full: carry the best mutation out and continue from its turn with an empty tree."""
    _commit(forest, options)
    if options.tabu:
        forget(seen)  # or all around the new root would be known
    at = forest.progress[0]
    _copy_node(forest, at.root, _FIRST)
    work.counters[0].cut += 1
    at.nodes, at.edges, at.root = 1, 0, _FIRST
    first = forest.nodes[_FIRST]
    first.visits, first.total, first.edge = 1, first.value, NO_EDGE
    first.edge_count, first.tried, first.compared = UNLISTED, 0, 0
