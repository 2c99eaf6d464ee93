"""A small game with hidden hands, and a slow, obvious model of information-set MCTS that draws the same numbers.

*Hands*: both players hold cards that the other can't see. On a turn you lay cards, each worth its number, or half of it
unless it beats the last card of the other; action 0 ends the turn. Two cards were dealt to nobody, so that what is
hidden can't be worked out.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from functools import cache
from typing import Any, NamedTuple

from tactician.contract import Game
from tactician.contract.plain import Chance, plain
from tactician.contract.random import stream
from tactician.planners import InformationSetMCTS

CARDS, HELD, TURNS, A_TURN = 8, 3, 4, 2
UNKNOWN = 0
END = 0


class Hands(NamedTuple):
    """A state."""

    hands: tuple[tuple[int, ...], ...]
    seen: tuple[int, ...]
    last: tuple[int, int]
    points: tuple[int, int]
    laid: int
    turn: int


class HandsRules:
    """The rules as methods."""

    def initial_state(self, rng: Any) -> Hands:
        dealt = (rng.permutation(CARDS) + 1).tolist()
        hands = tuple(tuple(sorted(dealt[i * HELD : (i + 1) * HELD])) for i in range(2))
        return Hands(hands, (), (0, 0), (0, 0), 0, 0)

    def current_player(self, state: Hands) -> int:
        return state.turn % 2

    def is_over(self, state: Hands) -> bool:
        return state.turn >= TURNS

    def legal_actions(self, state: Hands, player: int) -> list[int]:
        return [*(state.hands[player] if state.laid < A_TURN else ()), END]

    def apply(self, state: Hands, action: int, rng: Chance) -> Hands:
        if action == END:
            return state._replace(laid=0, turn=state.turn + 1)
        mine = state.turn % 2
        hands, points, last = list(state.hands), list(state.points), list(state.last)
        hands[mine] = tuple(card for card in hands[mine] if card != action)
        points[mine] += action if action > last[1 - mine] else action // 2
        last[mine] = action
        seen = tuple(sorted((*state.seen, action)))
        return Hands(tuple(hands), seen, (last[0], last[1]), (points[0], points[1]), state.laid + 1, state.turn)

    def evaluate(self, state: Hands) -> list[float]:
        lead = float(state.points[0] - state.points[1])
        return [lead, -lead]

    def returns(self, state: Hands) -> list[float]:
        return [value / 40 for value in self.evaluate(state)]

    def rate_actions(self, state: Hands, actions: list[int]) -> list[float]:
        return [float(action % 5) for action in actions]

    def observe(self, state: Hands, player: int) -> Hands:
        hands = list(state.hands)
        hands[1 - player] = (UNKNOWN,) * len(hands[1 - player])
        return state._replace(hands=tuple(hands))

    def resample_hidden(self, state: Hands, player: int, rng: Chance) -> Hands:
        known = {*state.seen, *state.hands[player]}
        unseen = [card for card in range(1, CARDS + 1) if card not in known]
        drawn = [unseen.pop(rng.below(len(unseen))) for _ in state.hands[1 - player]]
        hands = list(state.hands)
        hands[1 - player] = tuple(sorted(drawn))
        return state._replace(hands=tuple(hands))


@cache
def hands() -> Game:
    return plain(HandsRules(), name="hands", max_actions=HELD + 1, value_range=(-40.0, 40.0))


@dataclass
class Edge:
    """What is known of an action in a node."""

    number: int
    available: int
    visits: int = 0
    value: float = 0.0


@dataclass
class SlowInformationSets:
    """Information-set MCTS as its page tells it, on dictionaries."""

    planner: InformationSetMCTS
    view: Hands
    player: int
    seed: int
    rules: Any = field(default_factory=HandsRules)

    def __post_init__(self) -> None:
        self.chance = Chance(stream(self.seed).tolist())
        self.nodes: dict[Any, dict[int, Edge]] = {}
        self.edges = 0
        self.root: Any = "the root"
        self.nodes[self.root] = {}

    def iterate(self) -> None:
        rules, chance = self.rules, self.chance
        now, node = rules.resample_hidden(self.view, self.player, chance), self.root
        path: list[Edge] = []
        while not rules.is_over(now):
            mover, actions = rules.current_player(now), rules.legal_actions(now, rules.current_player(now))
            known = self.nodes[node]
            for action in sorted(actions, key=lambda action: -rules.rate_actions(now, [action])[0]):
                if action not in known:
                    known[action] = Edge(self.edges, int(node != self.root))
                    self.edges += 1
            options = {action: known[action] for action in actions}
            action = self.choose(options, mover)
            for edge in options.values():
                edge.available += 1
            chosen = options[action]
            path.append(chosen)
            now = rules.apply(now, action, chance)
            still_moves = not rules.is_over(now) and rules.current_player(now) == mover
            if still_moves and len(rules.legal_actions(now, mover)) == 1:
                now = rules.apply(now, rules.legal_actions(now, mover)[0], chance)
            seen = rules.observe(now, self.player)
            node = seen if self.planner.transpositions else (chosen.number, seen)
            is_new = node not in self.nodes
            self.nodes.setdefault(node, {})
            if is_new or chosen.visits == 0:
                break
        value = self.worth(self.rolled_out(now))
        for edge in path:
            edge.visits += 1
            edge.value += value

    def choose(self, options: dict[int, Edge], mover: int) -> int:
        """The first that was never taken, else by mean + 2C·sqrt(2 ln a_j / n_j)."""
        untried = [action for action, edge in options.items() if edge.visits == 0]
        if untried:
            return min(untried, key=lambda action: options[action].number)
        sign = 1 if mover == self.player else -1

        def bound(action: int) -> tuple[float, int]:
            edge = options[action]
            mean = sign * edge.value / edge.visits / 80
            bonus = 2 * self.planner.exploration * math.sqrt(2 * math.log(edge.available) / edge.visits)
            return round(mean + bonus, 12), -edge.number

        return max(options, key=bound)

    def rolled_out(self, now: Hands) -> Hands:
        turns = self.planner.rollout_turns
        while turns != 0 and not self.rules.is_over(now):
            player = self.rules.current_player(now)
            while not self.rules.is_over(now) and self.rules.current_player(now) == player:
                now = self.rules.apply(now, self.rollout_action(now, player), self.chance)
            turns -= 1
        return now

    def rollout_action(self, now: Hands, player: int) -> int:
        actions: list[int] = self.rules.legal_actions(now, player)
        if len(actions) == 1:
            return actions[0]
        epsilon = self.planner.epsilon
        if epsilon > 0 and (epsilon >= 1 or self.chance.unit() < epsilon):
            return max(actions, key=lambda action: self.rules.rate_actions(now, [action])[0])
        return actions[self.chance.below(len(actions))]

    def worth(self, state: Hands) -> float:
        values: list[float] = self.rules.evaluate(state)
        if self.rules.is_over(state):
            return float(-40.0 + (values[self.player] / 40 + 1) * 0.5 * 80)
        return values[self.player]

    def rows(self) -> list[tuple[int, int, int, float]]:
        """Every edge in the order in which it was added: action, visits, availability, sum of values."""
        found = {edge.number: (action, edge) for node in self.nodes.values() for action, edge in node.items()}
        return [(action, edge.visits, edge.available, edge.value) for _, (action, edge) in sorted(found.items())]
