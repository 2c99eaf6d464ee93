"""Slow, obvious models of both tree searches. They draw the same random numbers as the compiled ones, so that after
each iteration the whole trees must be equal.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from planner_games import turn_continues, worth
from planner_operators import Twin

from tactician.contract import State
from tactician.contract.plain import Chance
from tactician.contract.random import stream
from tactician.planners import EMCTS, MCTS
from tactician.planners.genome import turn_list
from tactician.planners.mutations import DRAWN
from tactician.planners.tree import NO_NODE, NOBODY, Tree
from tactician.planners.work import NO_ACTION


@dataclass
class Edge:
    """An action in a node. `forced` is all that could follow it in the turn, taken in the same step."""

    action: int
    visits: int = 0
    value: float = 0.0
    forced: int = NO_ACTION
    child: int = -1


@dataclass
class Node:
    """A state in the tree; `edges` is None until it is first descended from."""

    mover: int
    visits: int = 0
    tried: int = 0
    edges: list[Edge] | None = None


class SlowMCTS:
    """MCTS as the specification tells it, on dictionaries and lists."""

    def __init__(self, planner: MCTS, state: State, seed: int, iterations: int) -> None:
        self.planner, self.game = planner, state.game
        self.root_state, self.player = state.copy(), state.current_player()
        self.chance = Chance(stream(seed).tolist())
        self.iterations, self.limit = 0, iterations
        self.turn: list[int] = []
        self.seen: list[float] = []
        self.hits = 0
        self.plant()
        self.phases, self.done = 1, 0
        if planner.bridge_burning or planner.reinvoke:
            self.phases = max(1, self.decisions_of_greedy_action())

    @property
    def zero_sum(self) -> bool:
        return self.game.zero_sum and self.game.players == 2

    def plant(self) -> None:
        self.nodes: list[Node] = []
        self.by_key: dict[int, int] = {}
        self.root = self.node_of(self.root_state)

    def decisions_of_greedy_action(self) -> int:
        twin, now, decisions = Twin(self.root_state, self.chance), self.root_state.copy(), 0
        while turn_continues(now, self.player):
            decisions += len(now.candidate_actions()) > 1
            now.apply(twin.greedy_action_afresh(now))
        return decisions

    def node_of(self, state: State) -> int:
        """The node of a state: one for each state if states reached in different orders are one, else a new one."""
        if self.planner.transpositions and state.key() in self.by_key:
            self.hits += 1
            return self.by_key[state.key()]
        self.nodes.append(Node(NOBODY if state.is_over() else state.current_player()))
        self.by_key[state.key()] = len(self.nodes) - 1
        return len(self.nodes) - 1

    def step(self) -> bool:
        """One iteration; False if there is nothing left to do."""
        if self.iterations == self.limit:
            return False
        if self.phases > 1 and self.done < int(self.iterations / self.limit * self.phases):
            self.commit()
        if self.nodes[self.root].mover != self.player:
            return False
        self.iterate()
        self.iterations += 1
        return True

    def commit(self) -> None:
        edge = self.best_edge(self.root)
        if edge is None:
            return
        self.done += 1
        self.turn.append(edge.action)
        self.take(self.root_state, edge)
        if edge.forced != NO_ACTION:
            self.turn.append(edge.forced)
        if self.planner.reinvoke:
            self.plant()
        else:
            self.root = edge.child

    def take(self, state: State, edge: Edge) -> None:
        state.apply(edge.action)
        if edge.forced != NO_ACTION:
            state.apply(edge.forced)

    def best_edge(self, node: int) -> Edge | None:
        tried = [edge for edge in self.nodes[node].edges or [] if edge.visits]
        return max(tried, key=lambda edge: (edge.value / edge.visits, edge.visits), default=None)

    def iterate(self) -> None:
        now, at = self.root_state.copy(), self.root
        path: list[tuple[int, Edge]] = []
        while self.nodes[at].mover != NOBODY:
            node = self.nodes[at]
            if node.edges is None:
                node.edges = [Edge(action) for action in self.best_rated_first(now)]
            if node.tried < len(node.edges):
                edge = node.edges[node.tried]
                node.tried += 1
                now.apply(edge.action)
                still_moves = not now.is_over() and now.current_player() == node.mover
                if still_moves and len(now.candidate_actions()) == 1:
                    edge.forced = now.candidate_actions()[0]
                    now.apply(edge.forced)
                edge.child = self.node_of(now)
                path.append((at, edge))
                break
            edge = self.select(node)
            path.append((at, edge))
            self.take(now, edge)
            at = edge.child
        self.roll_out(now)
        self.back_up(path, [worth(now, player) for player in range(self.game.players)])

    def best_rated_first(self, state: State) -> list[int]:
        actions = state.candidate_actions()
        ratings = dict(zip(actions, state.rate_actions(actions), strict=True))
        return sorted(actions, key=lambda action: -ratings[action])

    def select(self, node: Node) -> Edge:
        """UCT as printed: mean + 2C·sqrt(2 ln n / n_j), means on a scale from 0 to 1 for whoever moves."""
        low, high = self.game.value_range
        if self.planner.normalise == "running":
            low, high = min(self.seen), max(self.seen)
        scale = high - low if high > low else math.inf
        sign = -1 if self.zero_sum and node.mover != self.player else 1

        def bound(edge: Edge) -> float:
            mean = sign * edge.value / edge.visits / scale
            return mean + 2 * self.planner.exploration * math.sqrt(2 * math.log(node.visits) / edge.visits)

        return max(node.edges or [], key=bound)

    def roll_out(self, now: State) -> None:
        turns = self.planner.rollout_turns
        while turns != 0 and not now.is_over():
            player = now.current_player()
            while turn_continues(now, player):
                now.apply(self.rollout_action(now))
            turns -= 1

    def rollout_action(self, now: State) -> int:
        actions = now.candidate_actions()
        if len(actions) == 1:
            return actions[0]
        epsilon = self.planner.epsilon
        if epsilon > 0 and (epsilon >= 1 or self.chance.unit() < epsilon):
            return self.best_rated_first(now)[0]
        return actions[self.chance.below(len(actions))]

    def back_up(self, path: list[tuple[int, Edge]], values: list[float]) -> None:
        """Only what was walked; sums are the root player's in a zero-sum game, else the mover's."""
        self.seen += [values[self.player]] if self.zero_sum else values
        self.nodes[self.root].visits += 1
        for at, edge in path:
            edge.visits += 1
            edge.value += values[self.player if self.zero_sum else self.nodes[at].mover]
            self.nodes[edge.child].visits += 1

    def as_rows(self) -> list[Any]:
        return [
            (
                node.mover,
                node.visits,
                node.tried,
                None if node.edges is None else [(e.action, e.visits, e.value) for e in node.edges],
                [(e.forced, e.child) for e in (node.edges or [])[: node.tried]],
            )
            for node in self.nodes
        ]


class TreeEdge(NamedTuple):
    """A tried action of the compiled tree."""

    action: int
    forced: int
    child: int
    visits: int
    value: float


def edges_of(t: Tree, node: int) -> list[TreeEdge]:
    """The tried actions of a node, in order."""
    at = t.nodes[node]
    edges = [t.edges[at.first + slot] for slot in range(at.tried)]
    return [TreeEdge(int(e.action), int(e.forced), int(e.child), int(e.visits), float(e.value)) for e in edges]


def actions_of(t: Tree, node: int) -> list[int]:
    """All actions of a listed node, best-rated first."""
    at = t.nodes[node]
    return t.actions[at.listed : at.listed + at.action_count].tolist()


def rows_of(t: Tree) -> list[Any]:
    """The compiled tree in the form of `SlowMCTS.as_rows`."""
    rows: list[Any] = []
    for node in range(t.size[0].nodes):
        at, tried = t.nodes[node], edges_of(t, node)
        edges: list[tuple[int, int, float]] | None = None
        if at.action_count >= 0:
            untried = actions_of(t, node)[len(tried) :]
            edges = [(e.action, e.visits, e.value) for e in tried] + [(action, 0, 0.0) for action in untried]
        rows.append((int(at.mover), int(at.visits), len(tried), edges, [(e.forced, e.child) for e in tried]))
    return rows


# -- the tree of mutations ---------------------------------------------------------------------------------------

MANY_MUTATIONS = 64
"""From so many candidates on, the first mutations of a turn are drawn, and the others are listed only if needed."""


@dataclass
class Turn:
    """A node of EMCTS: a whole turn; `edges` are (place, action) that change one gene of it: all of them if `listed`,
    else those that have been tried."""

    genes: list[int]
    value: float
    visits: int = 0
    total: float = 0.0
    edges: list[tuple[int, int]] | None = None
    listed: bool = False
    children: list[int] = field(default_factory=list)
    """Nodes, in the order of the edges; NO_NODE where the end was known."""
    closed: bool = False
    """Whether there is nothing new below it, as found out when it was last looked at."""

    @property
    def mean(self) -> float:
        return self.total / self.visits


class SlowEMCTS:
    """EMCTS as the specification tells it, with a counted number of iterations."""

    def __init__(self, planner: EMCTS, state: State, seed: int, iterations: int) -> None:
        self.planner, self.game, self.state = planner, state.game, state
        self.chance = Chance(stream(seed).tolist())
        self.twin = Twin(state, self.chance)
        self.limit, self.iterations, self.done = iterations, 0, 0
        self.turns: list[Turn] = []
        self.ends: set[int] = set()
        self.hits = 0
        self.contestants = self.halvings = 0
        self.root = self.add(self.twin.new_turn(greedy=True))
        self.back_up([self.root])
        self.draws = sum(self.counts(self.turns[self.root])) >= MANY_MUTATIONS

    @property
    def phases(self) -> int:
        chosen = self.planner.phases
        return max(1, round(0.46 * math.sqrt(self.limit))) if chosen == "auto" else chosen

    @property
    def best(self) -> Turn:
        return max(self.turns, key=lambda turn: turn.value)

    def end_of(self, genes: list[int]) -> State:
        return self.twin.state_before(genes, len(genes))

    def add(self, genes: list[int]) -> int:
        now = self.end_of(genes)
        self.ends.add(now.key())
        self.turns.append(Turn(genes, self.twin.judge(now)))
        self.iterations += 1
        return len(self.turns) - 1

    def back_up(self, path: list[int]) -> None:
        value = self.turns[path[-1]].value
        for node in path:
            self.turns[node].visits += 1
            self.turns[node].total += value

    def step(self) -> bool:
        if self.done < int(self.iterations / self.limit * self.phases):
            self.commit()
        if self.iterations == self.limit:
            return False
        return self.iterate()

    def commit(self) -> None:
        self.done += 1
        self.contestants = self.halvings = 0
        children = self.open_children(self.turns[self.root])
        if children:
            self.root = max(children, key=lambda n: (self.turns[n].mean, self.turns[n].visits))

    def iterate(self) -> bool:
        path = [self.root]
        while True:
            turn = self.turns[path[-1]]
            if self.planner.halving and len(path) == 1 and self.has_enough_contestants(turn):
                path.append(self.next_contestant(turn))
                continue
            width = math.ceil(turn.visits**self.planner.widening) if self.planner.widening else math.inf
            if self.open_children(turn) and len(turn.children) >= width:
                path.append(self.select(turn))
                continue
            mutation = self.next_mutation(turn)
            if mutation is not None:
                break
            if not self.open_children(turn):
                return self.close(turn)
            path.append(self.select(turn))
        place, action = mutation
        genes = self.twin.exchange(turn.genes, place, action, greedy=True)
        if self.planner.tabu and self.end_of(genes).key() in self.ends:
            self.hits += 1
            turn.children.append(NO_NODE)
            return True
        child = self.add(genes)
        turn.children.append(child)
        self.back_up([*path, child])
        return True

    def open_children(self, turn: Turn) -> list[int]:
        """The children below which something new may be found."""
        return [node for node in turn.children if node != NO_NODE and not self.turns[node].closed]

    def close(self, turn: Turn) -> bool:
        """Leave a turn out; whether there is another one to go on from."""
        turn.closed = True
        at_root, self.root = turn is self.turns[self.root], 0 if turn is self.turns[self.root] else self.root
        return not at_root or turn is not self.turns[0]

    def has_enough_contestants(self, turn: Turn) -> bool:
        """Whether all mutations of the root that compete have been tried: all there are, or as many as a round of
        halvings can give an iteration each."""
        tried = len(turn.children)
        if self.contestants == 0 and tried >= 2:
            complete = turn.listed and tried == len(turn.edges or [])
            if complete or (tried + 1) * math.log2(tried + 1) > self.limit / self.phases:
                self.contestants = tried
        return self.contestants > 0

    def next_contestant(self, turn: Turn) -> int:
        """The least visited of the children that still compete; the worse half leaves after each round."""
        rounds = math.ceil(math.log2(len(turn.children)))
        passed = (self.iterations / self.limit * self.phases - self.done) * rounds
        while self.contestants > 1 and self.halvings < int(passed):
            self.keep_better_half(turn)
        return min(turn.children[: self.contestants], key=lambda node: self.turns[node].visits)

    def keep_better_half(self, turn: Turn) -> None:
        assert turn.edges is not None
        count, self.contestants = self.contestants, (self.contestants + 1) // 2
        self.halvings += 1
        for place in range(self.contestants):
            best = max(range(place, count), key=lambda i: self.turns[turn.children[i]].mean)
            children, edges = turn.children, turn.edges
            children[place], children[best] = children[best], children[place]
            edges[place], edges[best] = edges[best], edges[place]

    def counts(self, turn: Turn) -> list[int]:
        return [len(self.twin.candidates(turn.genes, place)) for place in range(len(turn.genes))]

    def next_mutation(self, turn: Turn) -> tuple[int, int] | None:
        """A random one of those that have not been tried; None if there is none."""
        tried = len(turn.children)
        turn.edges = turn.edges or []
        if self.planner.order == "rating":
            rated = self.best_rated(turn)
            turn.edges, turn.listed = [*turn.edges[:tried], *([rated] if rated else [])], rated is None
            return rated
        if not turn.listed:
            drawn = self.draw(turn) if self.draws and tried < DRAWN else None
            if drawn is not None:
                turn.edges = [*turn.edges[:tried], drawn]
                return drawn
            others = [(place, a) for place in range(len(turn.genes)) for a in self.twin.others(turn.genes, place)]
            turn.edges = turn.edges[:tried] + [edge for edge in others if edge not in turn.edges[:tried]]
            turn.listed = True
        if tried == len(turn.edges):
            return None
        chosen = tried + self.chance.below(len(turn.edges) - tried)
        turn.edges[tried], turn.edges[chosen] = turn.edges[chosen], turn.edges[tried]
        return turn.edges[tried]

    def best_rated(self, turn: Turn) -> tuple[int, int] | None:
        """At a gene, drawn by how much has not been tried there, what the game rates best; ties at random."""
        tried, left = (turn.edges or [])[: len(turn.children)], []
        for place in range(len(turn.genes)):
            left += [(place, a) for a in self.twin.others(turn.genes, place) if (place, a) not in tried]
        if not left:
            return None
        place = left[self.chance.below(len(left))][0]
        actions = [action for at, action in left if at == place]
        ratings = self.twin.state_before(turn.genes, place).rate_actions(actions)
        best = [action for action, rating in zip(actions, ratings, strict=True) if rating == max(ratings)]
        return place, best[self.chance.below(len(best)) if len(best) > 1 else 0]

    def draw(self, turn: Turn) -> tuple[int, int] | None:
        """Any gene and candidate, unless that is no new mutation again and again."""
        counts, tried = self.counts(turn), len(turn.children)
        for _ in range(32):
            number, place = self.chance.below(sum(counts)), 0
            while number >= counts[place]:
                number -= counts[place]
                place += 1
            action = self.twin.candidates(turn.genes, place)[self.chance.below(counts[place])]
            if action != turn.genes[place] and (place, action) not in (turn.edges or [])[:tried]:
                return place, action
        return None

    def select(self, turn: Turn) -> int:
        low, high = self.game.value_range
        if self.planner.normalise == "running":
            low, high = min(t.value for t in self.turns), max(t.value for t in self.turns)
        scale = high - low if high > low else 1.0

        def bound(node: int) -> float:
            child = self.turns[node]
            bonus = 2 * self.planner.exploration * math.sqrt(2 * math.log(turn.visits) / child.visits)
            return child.mean / scale + bonus

        return max(self.open_children(turn), key=bound)

    def as_rows(self) -> list[Any]:
        return [(t.genes, t.value, t.visits, t.total, t.edges, t.children) for t in self.turns]


def mutation_rows_of(f: Any) -> list[Any]:
    """The arrays of the compiled tree, in the form of `SlowEMCTS.as_rows`."""
    rows: list[Any] = []
    for node in range(f.progress[0].nodes):
        first, count, tried = int(f.nodes[node].first), int(f.nodes[node].edge_count), int(f.nodes[node].tried)
        written = slice(first, first + (max(0, count) if f.nodes[node].listed else tried))
        edges = list(zip(f.place[written].tolist(), f.action[written].tolist(), strict=True)) if count >= 0 else None
        rows.append(
            (
                turn_list(f.turns, node),
                float(f.nodes[node].value),
                int(f.nodes[node].visits),
                float(f.nodes[node].total),
                edges,
                f.child[first : first + tried].tolist() if tried else [],
            )
        )
    return rows
