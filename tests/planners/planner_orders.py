"""Searches over orders as obvious Python that draws the same numbers as the compiled ones."""

from __future__ import annotations

import math
from dataclasses import dataclass, field

import numpy as np
from planner_games import after, turn_continues, worth

from tactician.contract import State
from tactician.contract.plain import Chance
from tactician.contract.random import stream
from tactician.planners import PermutationEMCTS, PermutationOEP


def listed(state: State) -> list[int]:
    """What may become possible, without what would just end the turn; a win is not *just* the end of it."""
    player = state.current_player()

    def just_ends(action: int) -> bool:
        if not state.is_legal(action):
            return False
        now = state.copy().apply(action)
        return not turn_continues(now, player) and not (now.is_over() and now.returns()[player] >= 1.0)

    possible = state.possible_actions()
    return [action for action in possible if not just_ends(action)] or possible


def played(state: State, order: list[int]) -> list[int]:
    """The turn of an order: what is not legal at its moment is skipped, then the turn is ended."""
    player, now = state.current_player(), state.copy()
    turn: list[int] = []

    def act(action: int) -> None:
        turn.append(action)
        now.apply(action)

    for action in order:
        if turn_continues(now, player) and now.is_legal(action):
            act(action)
    while turn_continues(now, player):
        ends = [action for action in now.legal_actions() if not turn_continues(now.copy().apply(action), player)]
        options = now.candidate_actions()
        act(ends[-1] if ends else options[int(np.argmax(now.rate_actions(options)))])
    return turn


class SlowOrders:
    """What both searches share: an order, chance, and what a turn is worth."""

    def __init__(self, state: State, seed: int) -> None:
        self.state, self.player = state, state.current_player()
        self.chance = Chance(stream(seed).tolist())
        self.order = listed(state)
        self.evaluations = 0

    def shuffled(self, order: list[int]) -> list[int]:
        order = list(order)
        for i in range(len(order) - 1, 0, -1):
            j = self.chance.below(i + 1)
            order[i], order[j] = order[j], order[i]
        return order

    def two_places(self) -> tuple[int, int]:
        a, b = self.chance.below(len(self.order)), self.chance.below(len(self.order) - 1)
        return a, b + (b >= a)

    def worth_of(self, turn: list[int]) -> float:
        self.evaluations += 1
        return worth(after(self.state, turn), self.player)


def exchanged(order: list[int], a: int, b: int) -> list[int]:
    order = list(order)
    order[a], order[b] = order[b], order[a]
    return order


class SlowPermutationOEP(SlowOrders):
    """(1+1): a child takes its parent's place unless it is worse."""

    def __init__(self, planner: PermutationOEP, state: State, seed: int) -> None:
        super().__init__(state, seed)
        self.mutation = planner.mutation
        if planner.start == "random":
            self.order = self.shuffled(self.order)
        self.turn = played(state, self.order)
        self.value = -math.inf

    def step(self) -> bool:
        if self.value == -math.inf:
            self.value = self.worth_of(self.turn)
            return True
        if len(self.order) < 2:
            return False
        child = self.mutated()
        turn = played(self.state, child)
        value = self.worth_of(turn)
        if value >= self.value:
            self.order, self.turn, self.value = child, turn, value
        return True

    def mutated(self) -> list[int]:
        if self.mutation == "shuffle":
            return self.shuffled(self.order)
        a, b = self.two_places()
        if self.mutation == "swap":
            return exchanged(self.order, a, b)
        child = list(self.order)
        child.insert(b, child.pop(a))
        return child


@dataclass
class Exchange:
    """A node: the two places it exchanges, what its own turn is worth, and what was found from here on."""

    places: tuple[int, int]
    order: list[int]
    value: float
    visits: int = 0
    total: float = 0.0
    children: list[int] = field(default_factory=list)


class SlowPermutationEMCTS(SlowOrders):
    """A tree of exchanges: each node gets `children` children, then the best of them by UCB is followed."""

    def __init__(self, planner: PermutationEMCTS, state: State, seed: int) -> None:
        super().__init__(state, seed)
        self.planner = planner
        self.order = self.shuffled(self.order)
        n = len(self.order)
        self.limit = min(planner.children, n * (n - 1) // 2)
        self.nodes: list[Exchange] = []

    def step(self) -> bool:
        path: list[int] = []
        places, order = (0, 0), self.order
        if self.nodes:
            if self.limit == 0:
                return False
            path = [0]
            while len(self.nodes[path[-1]].children) == self.limit:
                path.append(self.select(path[-1], self.planner.exploration))
            places = self.two_places()
            order = exchanged(self.nodes[path[-1]].order, *places)
            self.nodes[path[-1]].children.append(len(self.nodes))
        path.append(len(self.nodes))
        self.nodes.append(Exchange(places, order, self.worth_of(played(self.state, order))))
        for number in path:
            self.nodes[number].visits += 1
            self.nodes[number].total += self.nodes[-1].value
        return True

    def select(self, number: int, exploration: float) -> int:
        node = self.nodes[number]
        low, high = self.state.game.value_range
        bonus = 2.0 * exploration * math.sqrt(2.0 * math.log(node.visits))

        def bound(child: Exchange) -> float:
            return 1.0 / (high - low) * (child.total / child.visits) + bonus / math.sqrt(child.visits)

        return max(node.children, key=lambda child: bound(self.nodes[child]))

    def best(self) -> tuple[list[int], float]:
        """The best order on the path of the best means, or of all."""
        path = [0]
        while self.nodes[path[-1]].children:
            path.append(self.select(path[-1], 0.0))
        found = [self.nodes[i] for i in path] if self.planner.final == "path" else self.nodes
        best = max(found, key=lambda node: node.value)
        return played(self.state, best.order), best.value
