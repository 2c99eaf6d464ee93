"""Slow, obvious models of the simultaneous-move planners and of their bandits, on dictionaries and lists.

They draw the same random numbers in the same order as the compiled ones, so that after each simulation every arm of
every node must be equal.
"""

from __future__ import annotations

import math
import operator
from collections import Counter
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from functools import reduce
from itertools import pairwise
from typing import Any

import numpy as np
from planner_games import worth

from tactician.contract import SIMULTANEOUS, Game, State
from tactician.contract.plain import Chance
from tactician.contract.random import stream
from tactician.planners import FDTS, MCS, SimultaneousAgent, SimultaneousMCTS
from tactician.planners.decoupled import DecoupledSearch
from tactician.planners.graph import Graph
from tactician.planners.simultaneous import SimultaneousPlanner

Arms = list[list[float]]
LONGEST_PATH = 1024
NOT_CHOSEN, DRAWN = -1, -2
"""Instead of an arm: where a model acted, and where a node was new."""


# -- bandits -------------------------------------------------------------------------------------------------------


def single(number: float) -> float:
    """A number as an arm keeps it."""
    return float(np.float32(number))


def crossed(c: float) -> float:
    """An exploration as a compiled bandit gets it: only integers cross the border."""
    return round(c * 1e6) * 1e-6


def nth_untried(arms: Arms, untried: list[int], chance: Chance) -> int:
    return untried[chance.below(len(untried))]


def best_of(ratings: list[float], chance: Chance) -> int:
    """The highest; each further one that is as high replaces it with probability 1 by their number."""
    best, ties = 0, 0
    for i, rating in enumerate(ratings):
        if ties == 0 or rating > ratings[best]:
            best, ties = i, 1
        elif rating == ratings[best]:
            ties += 1
            if chance.below(ties) == 0:
                best = i
    return best


def ucb1_bounds(arms: Arms, c: float) -> list[float]:
    total = sum(n for _, n in arms)
    return [single(v / n) + c * math.sqrt(math.log(total)) / single(math.sqrt(n)) for v, n in arms]


def select_ucb1(arms: Arms, c: float, chance: Chance) -> int:
    untried = [i for i, (_, n) in enumerate(arms) if n == 0]
    return nth_untried(arms, untried, chance) if untried else best_of(ucb1_bounds(arms, c), chance)


def select_random(arms: Arms, c: float, chance: Chance) -> int:
    return chance.below(len(arms))


def select_thompson(arms: Arms, c: float, chance: Chance) -> int:
    draws = [-1.0 if wins == losses == 0 else draw_beta(1 + wins, 1 + losses, chance) for wins, losses in arms]
    untried = [i for i, draw in enumerate(draws) if draw < 0]
    best = draws.index(max(draws))
    if untried and (len(untried) == len(arms) or chance.unit() ** (1 / len(untried)) > draws[best]):
        return nth_untried(arms, untried, chance)
    return best


def draw_beta(a: float, b: float, chance: Chance) -> float:
    """By inversion where a or b is 1, by rejection where both are the same and few; otherwise Cheng 1978, BB."""
    if b == 1:
        return math.sqrt(chance.unit()) if a == 2 else chance.unit() ** (1 / a)
    if a == 1:
        return 1 - draw_beta(b, 1, chance)
    if a == b <= 5 and (2 * a).is_integer():
        while True:
            x, accepted = chance.unit(), chance.unit()
            if accepted * accepted <= math.prod([4 * x * (1 - x)] * (int(2 * a) - 2), start=1.0):
                return x
    low, high = sorted((a, b))
    alpha = low + high
    beta = math.sqrt((alpha - 2) / (2 * low * high - alpha))
    gamma = low + 1 / beta
    while True:
        u1, u2 = chance.unit(), chance.unit()
        if 0 in (u1, u2):
            continue
        v = beta * math.log(u1 / (1 - u1))
        w = low * math.exp(v)
        z, r = u1 * u1 * u2, gamma * v - math.log(4)
        s = low + r - w
        if s + 1 + math.log(5) >= 5 * z or s >= math.log(z) or r + alpha * math.log(alpha / (high + w)) >= math.log(z):
            return w / (high + w) if a == low else high / (high + w)


def added(numbers: Iterable[float]) -> float:
    """The sum from left to right; Python's own `sum` is more precise than a kernel's."""
    return reduce(operator.add, numbers, 0.0)


def regrets_of(arms: Arms) -> list[float]:
    """How much more each arm would have earned than was earned, 0 if less."""
    earned = added(total for total, _, _ in arms)
    return [max(0.0, reward - earned) for _, _, reward in arms]


def regret_shares(arms: Arms, c: float) -> list[float]:
    """With what probability regret matching plays each arm."""
    regrets = regrets_of(arms)
    if not any(regrets):
        return [1 / len(arms)] * len(arms)
    mixed = min(1.0, c)
    return [mixed / len(arms) + (1 - mixed) * regret / added(regrets) for regret in regrets]


def drawn(weights: list[float], chance: Chance) -> int:
    """An index in proportion to its weight."""
    left, possible = chance.unit() * added(weights), [i for i, weight in enumerate(weights) if weight > 0]
    for i in possible:
        left -= weights[i]
        if left < 0:
            return i
    return possible[-1]


def select_regret(arms: Arms, c: float, chance: Chance) -> int:
    if chance.unit() < c:
        return chance.below(len(arms))
    regrets = regrets_of(arms)
    return drawn(regrets, chance) if any(regrets) else chance.below(len(arms))


def choose_as_often(arms: Arms, chance: Chance) -> int:
    counts = [n for _, n, _ in arms]
    if any(counts):
        return drawn(counts, chance)
    chance.unit()
    return chance.below(len(arms))


def update_regret(arms: Arms, chosen: int, c: float, value: float) -> None:
    total, n, reward = arms[chosen]
    share = max(1e-3, regret_shares(arms, c)[chosen])
    arms[chosen] = [single(total + value), single(n + 1), single(reward + value / share)]


def update_sums(arms: Arms, chosen: int, c: float, value: float) -> None:
    total, n = arms[chosen]
    arms[chosen] = [single(total + value), single(n + 1)]


def update_wins(arms: Arms, chosen: int, c: float, value: float) -> None:
    wins, losses = arms[chosen]
    arms[chosen] = [single(wins + 0.5 + 0.5 * value), single(losses + 0.5 - 0.5 * value)]


def choose_most_visits(arms: Arms, chance: Chance) -> int:
    return best_of([n for _, n, *_ in arms], chance)


def choose_highest_mean(arms: Arms, chance: Chance) -> int:
    return best_of([single(v / n) if n else -2.0 for v, n in arms], chance)


def choose_beta_mean(arms: Arms, chance: Chance) -> int:
    return best_of([(1 + wins) / (2 + wins + losses) for wins, losses in arms], chance)


@dataclass(frozen=True)
class SlowBandit:
    select: Callable[[Arms, float, Chance], int]
    update: Callable[[Arms, int, float, float], None]
    choose: Callable[[Arms, Chance], int]
    exploration: float = 1.0
    numbers: int = 2


SLOW_BANDITS = {
    "ucb1": SlowBandit(select_ucb1, update_sums, choose_most_visits, 2.0),
    "ucb1-value": SlowBandit(select_ucb1, update_sums, choose_highest_mean, 2.0),
    "thompson": SlowBandit(select_thompson, update_wins, choose_beta_mean),
    "random": SlowBandit(select_random, update_sums, choose_highest_mean),
    "regret-matching": SlowBandit(select_regret, update_regret, choose_most_visits, 0.1, 3),
    "regret-matching-mixed": SlowBandit(select_regret, update_regret, choose_as_often, 0.1, 3),
}


# -- searches ------------------------------------------------------------------------------------------------------


@dataclass
class Node:
    """A state that is kept: for every player its actions and, for each of them, the two numbers of an arm.

    Until it is seen again there are no arms, only what the players did and, once it is known, what that was worth.
    """

    actions: list[list[int]] = field(default_factory=list)
    arms: list[Arms] = field(default_factory=list)
    tries: int = 0
    drawn: list[int] = field(default_factory=list)
    earned: list[float] = field(default_factory=list)


class SlowSearch:
    """MCS, MCTS and FDTS as the specification tells them; the nodes stay from `begin` to `begin`."""

    def __init__(self, planner: SimultaneousPlanner, game: Game) -> None:
        self.planner, self.game = planner, game
        self.bandit = SLOW_BANDITS[str(planner.bandit)]
        self.c = crossed(self.bandit.exploration if planner.exploration is None else planner.exploration)
        self.nodes: dict[Any, Node] = {}
        self.words = np.zeros(4, np.uint64)
        self.chance = Chance(self.words)

    def begin(self, state: State, seed: int) -> None:
        if not self.planner.reuse:
            self.nodes.clear()
        self.words[:] = stream(seed)
        self.root = self.ours(state)
        self.reached: Counter[int] = Counter()
        self.known: Counter[int] = Counter()
        self.steps: list[int] = []
        self.seat = max(0, state.current_player())
        self.list_actions(self.node_of(self.root), self.root)

    def ours(self, state: State) -> State:
        """A copy whose chance events are drawn from the search's own stream."""
        return type(state)(self.game, state.words, self.words)

    def key_of(self, state: State) -> Any:
        return state.words.tobytes() if self.planner.key == "exact" else state.digest()

    def node_of(self, state: State) -> Node:
        key = self.key_of(state)
        return self.nodes.setdefault(key, Node())

    def list_actions(self, node: Node, state: State) -> None:
        """Give a node its arms, unless it has them; they learn what came of the first visit."""
        if node.arms:
            return
        node.actions = [self.actions_of(state, player) for player in range(self.game.players)]
        node.arms = [[[0.0] * self.bandit.numbers for _ in listed] for listed in node.actions]
        for player, value in enumerate(node.earned):
            self.teach(node, player, self.arm_drawn(node, player), value)

    def arm_drawn(self, node: Node, player: int) -> int:
        """The arm of what a player did when a node was new; none if it is not listed, or a model acted."""
        listed = node.actions[player]
        return listed.index(node.drawn[player]) if node.drawn[player] in listed else NOT_CHOSEN

    def teach(self, node: Node, player: int, arm: int, value: float) -> None:
        if len(node.arms[player]) > 1 and arm != NOT_CHOSEN:
            self.bandit.update(node.arms[player], arm, self.c, value)

    def actions_of(self, state: State, player: int) -> list[int]:
        if state.current_player() not in (SIMULTANEOUS, player):
            return [0]
        return state.candidate_actions(player) if self.planner.prune else state.legal_actions(player)

    def by_model(self, player: int) -> bool:
        """Whether a player acts by the model in the next simulation."""
        if player == self.seat or self.planner.opponents in ("bandit", "uniform"):
            return False
        share = self.planner.model_share
        return share == 1 or self.chance.unit() < share

    def step(self) -> None:
        """One simulation."""
        now, path = self.ours(self.root), []
        self.modelled = [self.by_model(player) for player in range(self.game.players)]
        rolls_out = isinstance(self.planner, MCS) or getattr(self.planner, "rollouts", False)
        tree_only = not rolls_out and isinstance(self.planner, SimultaneousMCTS)
        horizon = LONGEST_PATH if tree_only else self.planner.depth
        steps, following = 0, True
        while steps < horizon and not now.is_over():
            if following:
                fresh = self.key_of(now) not in self.nodes
                node = self.node_of(now)
                if steps > 0:
                    self.reached[steps] += 1
                    self.known[steps] += not fresh
                if fresh and isinstance(self.planner, SimultaneousMCTS):
                    following = False
                    if tree_only:
                        break
            if following:
                choice, joint = self.decide(node, now)
                path.append((node, choice))
                following = not isinstance(self.planner, MCS)
            else:
                joint = self.at_random(now)
            mover = now.current_player()
            now.apply(joint if mover == SIMULTANEOUS else joint[mover])
            steps += 1
        if following and steps == horizon:
            self.reached[steps] += 1
            self.known[steps] += self.key_of(now) in self.nodes
        self.steps.append(steps)
        self.learn(now, path)

    def at_random(self, now: State) -> list[int]:
        joint = []
        for player in range(self.game.players):
            listed = self.actions_of(now, player)
            if self.modelled[player]:
                joint.append(self.expected(now, player))
            else:
                joint.append(listed[self.chance.below(len(listed))])
        return joint

    def expected(self, now: State, player: int) -> int:
        """The model's action; models of these tests draw nothing."""
        return now.expected_action(player, 0) if now.current_player() in (SIMULTANEOUS, player) else 0

    def decide(self, node: Node, now: State) -> tuple[list[int], list[int]]:
        """The arms that are chosen and the actions; `DRAWN` where a node without arms is seen for the first time."""
        first_time, choice = node.tries == 0, []
        node.tries += 1
        if first_time and not node.arms:
            joint = self.at_random(now)
            node.drawn = [
                NOT_CHOSEN if by_model else action for by_model, action in zip(self.modelled, joint, strict=True)
            ]
            return [NOT_CHOSEN if by_model else DRAWN for by_model in self.modelled], joint
        self.list_actions(node, now)
        for player, arms in enumerate(node.arms):
            at_random = first_time or (player != self.seat and self.planner.opponents == "uniform")
            if self.modelled[player]:
                choice.append(NOT_CHOSEN)
            elif len(arms) == 1:
                choice.append(0)
            elif at_random:
                choice.append(self.chance.below(len(arms)))
            else:
                choice.append(self.bandit.select(arms, self.c, self.chance))
        return choice, [
            self.expected(now, player) if arm == NOT_CHOSEN else node.actions[player][arm]
            for player, arm in enumerate(choice)
        ]

    def learn(self, end: State, path: list[tuple[Node, list[int]]]) -> None:
        low, high = self.game.value_range
        last = {id(node): choice for node, choice in path}
        for player in range(self.game.players):
            value = min(1.0, max(-1.0, (worth(end, player) - low) * (2 / (high - low)) - 1))
            for node, own in path:
                choice = last[id(node)] if self.planner.repeats == "last" else own
                if not node.arms:
                    node.earned = [*node.earned[:player], single(value)]
                else:
                    arm = self.arm_drawn(node, player) if choice[player] == DRAWN else choice[player]
                    self.teach(node, player, arm, value)

    def chosen(self, state: State, player: int) -> int:
        node = self.nodes[self.key_of(state)]
        arms = node.arms[player]
        return node.actions[player][self.bandit.choose(arms, self.chance) if len(arms) > 1 else 0]

    def turn(self, player: int) -> list[int]:
        """One action where all act; else the turn as far as it was searched, and by rating from there."""
        turn: list[int] = []
        now = self.ours(self.root)
        while not now.is_over() and now.current_player() in (player, SIMULTANEOUS):
            mover = now.current_player()
            if mover == SIMULTANEOUS:
                return turn or [self.chosen(now, player)]
            node = self.nodes.get(self.key_of(now))
            if node is not None and node.arms and node.tries:
                turn.append(self.chosen(now, player))
            else:
                listed = self.actions_of(now, player)
                turn.append(listed[int(np.argmax(now.rate_actions(listed)))])
            now.apply(turn[-1])
        return turn

    def revisits(self) -> tuple[tuple[int, int], ...]:
        return tuple((self.reached[d], self.known[d]) for d in range(1, max(self.reached, default=0) + 1))

    def as_rows(self) -> list[Any]:
        return [
            (node.tries, node.actions, node.arms) if node.arms else (node.tries, node.drawn, node.earned)
            for node in self.nodes.values()
        ]


def rows_of(graph: Graph) -> list[Any]:
    """The arrays of the compiled search, in the form of `SlowSearch.as_rows`."""
    rows: list[Any] = []
    for node in range(graph.size[0].nodes):
        if graph.first[node] < 0:
            tries = int(graph.tries[node])
            rows.append((tries, *((graph.drawn[node].tolist(), graph.earned[node].tolist()) if tries else ([], []))))
            continue
        ends = int(graph.first[node]) + np.cumsum([0, *graph.arm_count[node].tolist()])
        slices = [slice(a, b) for a, b in pairwise(ends)]
        actions = [graph.action[part].tolist() for part in slices]
        rows.append((int(graph.tries[node]), actions, [graph.arms[part].tolist() for part in slices]))
    return rows


PLANNERS: dict[str, type[SimultaneousPlanner]] = {"mcs": MCS, "simultaneous-mcts": SimultaneousMCTS, "fdts": FDTS}


def decoupled(agent: SimultaneousAgent) -> DecoupledSearch:
    """The search of an agent with bandits."""
    assert isinstance(agent._search, DecoupledSearch)
    return agent._search
