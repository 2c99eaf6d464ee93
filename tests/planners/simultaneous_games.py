"""Small games in which all act at once, for the tests of their planners.

*Ring* is compiled: two to four walkers on a line of cells chase a pot, which may move by chance. What makes two of
its states the same is a matter of its configuration. The others are plain Python: games in one step given by a table,
and a few in several steps whose best play is known.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cache
from itertools import product
from typing import Any, NamedTuple

import numpy as np

from tactician import contract
from tactician.contract import SIMULTANEOUS, Game
from tactician.contract.plain import Chance, plain
from tactician.contract.random import below

STAY, LEFT, RIGHT, LEAP = range(4)
EVERYTHING, NO_CLOCK, FIRST_WORD_SAME, SECOND_WORD_SAME, PLACES = range(5)

Config = np.dtype(
    [("players", "i8"), ("size", "i8"), ("steps", "i8"), ("chance", "i8"), ("identity", "i8"), ("broken", "i8")],
    align=True,
)
Ring = np.dtype([("place", "i2", (4,)), ("points", "i4", (4,)), ("pot", "i2"), ("step", "i2")], align=True)
rule = contract.rules(Config, Ring)


@cache
def ring(
    players: int = 2, size: int = 4, steps: int = 6, chance: bool = False, identity: int = EVERYTHING, broken: int = -1
) -> Game:
    """The compiled game; in step `broken` its rule of moves fails."""
    return rule.game(
        "ring",
        players=players,
        max_actions=4,
        zero_sum=False,
        value_range=(-20.0, 20.0),
        config={
            "players": players,
            "size": size,
            "steps": steps,
            "chance": chance,
            "identity": identity,
            "broken": broken,
        },
        errors={7: "the pot is broken"},
    )


@rule.initial_state
def initial_state(g: Any, s: Any, rng: np.random.Generator) -> None:
    s.place[: g.players] = rng.integers(0, g.size, g.players)
    s.pot = rng.integers(0, g.size)


@rule.current_player
def current_player(g: Any, s: Any) -> Any:
    return -1


@rule.is_over
def is_over(g: Any, s: Any) -> Any:
    return s.step >= g.steps


@rule.legal_actions
def legal_actions(g: Any, s: Any, player: Any, out: Any) -> Any:
    out[0] = 0
    n = 1
    if s.points[player] <= -2:
        return n  # too poor to walk
    if s.place[player] > 0:
        out[n] = 1
        n += 1
    if s.place[player] < g.size - 1:
        out[n] = 2
        n += 1
    if s.place[player] < g.size - 2:
        out[n] = 3
        n += 1
    return n


@rule.candidate_actions
def candidate_actions(g: Any, s: Any, player: Any, out: Any, rng: Any) -> Any:
    """Whoever can go goes: staying is left out."""
    n = legal_actions(g, s, player, out)
    if n == 1:
        return n
    for i in range(n - 1):
        out[i] = out[i + 1]
    return n - 1


@rule.apply_joint
def apply_joint(g: Any, s: Any, actions: Any, rng: Any) -> None:
    if s.step == g.broken:
        g.error = 7
        return
    there = 0
    for player in range(g.players):
        if actions[player] == 1:
            s.place[player] -= 1
        elif actions[player] > 1:
            s.place[player] += actions[player] - 1
        there += int(s.place[player] == s.pot)
    for player in range(g.players):
        if s.place[player] == s.pot:
            s.points[player] += 3 if there == 1 else -1
    s.pot = below(rng, g.size) if g.chance != 0 else (s.pot + 1 + s.place[0]) % g.size
    s.step += 1


@rule.evaluate
def evaluate(g: Any, s: Any, out: Any) -> None:
    for player in range(g.players):
        out[player] = s.points[player] - 0.25 * abs(s.place[player] - s.pot)


@rule.returns
def returns(g: Any, s: Any, out: Any) -> None:
    for player in range(g.players):
        out[player] = s.points[player] / 20.0


@rule.digest
def digest(g: Any, s: Any, out: Any) -> None:
    one = 17
    for player in range(g.players):
        one = (one * 1000003 + s.place[player]) % 9007199254740881
        one = (one * 1000003 + int(s.points[player] <= -2)) % 9007199254740881
        if g.identity != 4:
            one = (one * 1000003 + s.points[player] + 100) % 9007199254740881
    if g.identity != 4:
        one = (one * 1000003 + s.pot) % 9007199254740881
    if g.identity != 4 and g.identity != 1:
        one = (one * 1000003 + s.step) % 9007199254740881
    out[0] = 5 if g.identity == 2 else one
    out[1] = 5 if g.identity == 3 else one + 1


@rule.action_name
def action_name(g: Any, s: Any, action: int) -> str:
    return ("stay", "left", "right", "leap")[action]


# -- one step, given by a table ----------------------------------------------------------------------------------


class Table:
    """Everybody chooses once; the table says what everybody gets for it."""

    def __init__(self, sizes: Sequence[int], rewards: Callable[..., Sequence[float]]) -> None:
        self.sizes = tuple(sizes)
        self.rewards = {joint: tuple(map(float, rewards(*joint))) for joint in product(*map(range, sizes))}

    def initial_state(self, rng: Any) -> tuple[int, ...]:
        return ()

    def current_player(self, state: tuple[int, ...]) -> int:
        return SIMULTANEOUS

    def is_over(self, state: tuple[int, ...]) -> bool:
        return state != ()

    def legal_actions(self, state: tuple[int, ...], player: int) -> list[int]:
        return list(range(self.sizes[player]))

    def apply_joint(self, state: tuple[int, ...], actions: tuple[int, ...], rng: Any) -> tuple[int, ...]:
        return tuple(actions)

    def evaluate(self, state: tuple[int, ...]) -> tuple[float, ...]:
        return self.rewards[state] if state else (0.0,) * len(self.sizes)

    returns = evaluate


def matrix(name: str, sizes: Sequence[int], rewards: Callable[..., Sequence[float]]) -> Game:
    table = Table(sizes, rewards)
    return plain(table, name=name, players=len(table.sizes), max_actions=max(sizes), zero_sum=False)


@cache
def rock_paper_scissors(rock_wins: float = 1.0) -> Game:
    """With `rock_wins` below 1 rock is a poor winner, and the equilibrium is no longer even."""

    def rewards(a: int, b: int) -> tuple[float, float]:
        if a == b:
            return 0.0, 0.0
        value = (rock_wins if 0 in (a, b) and 2 in (a, b) else 1.0) * (1 if (a - b) % 3 == 1 else -1)
        return value, -value

    return matrix("rock-paper-scissors", (3, 3), rewards)


@cache
def prisoners() -> Game:
    """Betraying (1) is better whatever the other does, and worse for both than keeping silent."""
    worth = {(0, 0): (0.5, 0.5), (0, 1): (-1.0, 1.0), (1, 0): (1.0, -1.0), (1, 1): (-0.5, -0.5)}
    return matrix("prisoners", (2, 2), lambda a, b: worth[a, b])


@cache
def dominated() -> Game:
    """Solved by striking out: column 2 is never best; then rows 1 and 2 are not; what is left is (0, 0)."""
    row = [[0.6, 0.1, -0.2], [0.2, 0.0, 0.9], [-0.5, -0.4, -0.3]]
    column = [[0.5, 0.2, -0.9], [0.4, 0.3, -0.8], [0.6, 0.1, -0.7]]
    return matrix("dominated", (3, 3), lambda a, b: (row[a][b], column[a][b]))


@cache
def coordination() -> Game:
    """Three players who get something only if they all choose alike; 2 is the best place to meet."""

    def rewards(*joint: int) -> tuple[float, ...]:
        return ((0.2, 0.4, 1.0)[joint[0]] if len(set(joint)) == 1 else -0.5,) * 3

    return matrix("coordination", (3, 3, 3), rewards)


# -- several steps -------------------------------------------------------------------------------------------------


class Patience(NamedTuple):
    """Where both are: the step, who has waited, what both have."""

    step: int
    waited: tuple[bool, bool]
    points: tuple[float, float]


class PatienceRules:
    """Two steps: take 0.2 now (1) or wait (0); whoever has waited may take 0.8 in the second step, the others 0.1.

    Waiting is dominant, whatever the other does; who looks one step ahead sees only that it earns nothing.
    """

    def initial_state(self, rng: Any) -> Patience:
        return Patience(0, (False, False), (0.0, 0.0))

    def current_player(self, state: Patience) -> int:
        return SIMULTANEOUS

    def is_over(self, state: Patience) -> bool:
        return state.step == 2

    def legal_actions(self, state: Patience, player: int) -> list[int]:
        return [0, 1]

    def apply_joint(self, state: Patience, actions: tuple[int, ...], rng: Any) -> Patience:
        shares = [0.2 if state.step == 0 else 0.8 if waited else 0.1 for waited in state.waited]
        gains = [share * action for share, action in zip(shares, actions, strict=True)]
        points = (state.points[0] + gains[0], state.points[1] + gains[1])
        waited = (actions[0] == 0, actions[1] == 0) if state.step == 0 else state.waited
        return Patience(state.step + 1, waited, points)

    def evaluate(self, state: Patience) -> tuple[float, float]:
        return state.points

    returns = evaluate


@cache
def patience() -> Game:
    return plain(PatienceRules(), name="patience", max_actions=2, zero_sum=False)


class ChaseRules:
    """A hunter and a hare on a line of cells, both moving at once, for some steps; the hare is caught on the same cell.

    The hare goes up to two cells and the hunter one. The hare starts beside the hunter; it gets away for good by
    running to cell 3 or 4, and anywhere else the hunter may catch it at once.
    """

    def __init__(self, size: int, steps: int) -> None:
        self.size, self.steps = size, steps

    def initial_state(self, rng: Any) -> tuple[int, int, int]:
        return (0, 1, 2)  # step, hunter, hare

    def current_player(self, state: tuple[int, int, int]) -> int:
        return SIMULTANEOUS

    def is_over(self, state: tuple[int, int, int]) -> bool:
        return state[0] >= self.steps or state[1] == state[2]

    def legal_actions(self, state: tuple[int, int, int], player: int) -> list[int]:
        reach, at = player + 1, state[1 + player]
        return [to for to in range(at - reach, at + reach + 1) if 0 <= to < self.size]

    def apply_joint(self, state: tuple[int, int, int], actions: tuple[int, ...], rng: Any) -> tuple[int, int, int]:
        return (state[0] + 1, actions[0], actions[1])

    def evaluate(self, state: tuple[int, int, int]) -> tuple[float, float]:
        value = 1.0 if state[1] == state[2] else -1.0
        return value, -value

    returns = evaluate

    def key(self, state: tuple[int, int, int]) -> int:
        return (state[0] * 1000 + state[1]) * 1000 + state[2]

    def action_name(self, state: tuple[int, int, int], action: int) -> str:
        return f"to cell {action}"


@cache
def chase(size: int = 9, steps: int = 4) -> Game:
    return plain(ChaseRules(size, steps), name="chase", max_actions=5)


class TrapRules:
    """Player 0 goes into the trap (0) or past it (1); then player 1 has three levers.

    One lever of the trap costs player 0 everything, the others reward it; past the trap there is 0.2 for sure. Who
    thinks that player 1 pulls any lever is tempted by a third of a win; who lets it choose is not.
    """

    def initial_state(self, rng: Any) -> tuple[int, ...]:
        return ()

    def current_player(self, state: tuple[int, ...]) -> int:
        return SIMULTANEOUS

    def is_over(self, state: tuple[int, ...]) -> bool:
        return len(state) == 2

    def legal_actions(self, state: tuple[int, ...], player: int) -> list[int]:
        if player == 0:
            return [0] if state else [0, 1]
        return [0, 1, 2] if state else [0]

    def apply_joint(self, state: tuple[int, ...], actions: tuple[int, ...], rng: Any) -> tuple[int, ...]:
        return (*state, actions[1] if state else actions[0])

    def evaluate(self, state: tuple[int, ...]) -> tuple[float, float]:
        if len(state) < 2:
            return 0.0, 0.0
        value = 0.2 if state[0] == 1 else -1.0 if state[1] == 2 else 1.0
        return value, -value

    returns = evaluate


@cache
def trap() -> Game:
    return plain(TrapRules(), name="trap", max_actions=3)


class Bids(NamedTuple):
    """A game of goofspiel: cards left, points, the prizes yet to come."""

    hands: tuple[frozenset[int], ...]
    points: tuple[int, ...]
    prizes: tuple[int, ...]


class GoofspielRules:
    """Everybody bids a card for the prize on top; the highest bid takes it, nobody if there is a tie."""

    def __init__(self, cards: int, players: int, shuffled: bool) -> None:
        self.cards, self.players, self.shuffled = cards, players, shuffled

    def initial_state(self, rng: Any) -> Bids:
        hand = frozenset(range(1, self.cards + 1))
        return Bids((hand,) * self.players, (0,) * self.players, tuple(range(1, self.cards + 1)))

    def current_player(self, state: Bids) -> int:
        return SIMULTANEOUS

    def is_over(self, state: Bids) -> bool:
        return not state.prizes

    def legal_actions(self, state: Bids, player: int) -> list[int]:
        return sorted(state.hands[player])

    def apply_joint(self, state: Bids, actions: tuple[int, ...], rng: Chance) -> Bids:
        prizes = list(state.prizes)
        prize = prizes.pop(rng.below(len(prizes)) if self.shuffled else 0)
        best = max(actions)
        alone = actions.count(best) == 1
        points = tuple(p + prize * (alone and a == best) for p, a in zip(state.points, actions, strict=True))
        hands = tuple(hand - {a} for hand, a in zip(state.hands, actions, strict=True))
        return Bids(hands, points, tuple(prizes))

    def evaluate(self, state: Bids) -> list[float]:
        total = sum(range(1, self.cards + 1))
        return [(self.players * p - sum(state.points)) / self.players / total for p in state.points]

    returns = evaluate


@cache
def goofspiel(cards: int = 3, players: int = 2, shuffled: bool = False) -> Game:
    """With `shuffled` the prize is drawn after the bids: chance in every step."""
    rules = GoofspielRules(cards, players, shuffled)
    return plain(rules, name="goofspiel", players=players, max_actions=cards)


class DuelRules:
    """Turns, then a step together: player 0 picks twice, player 1 once, then both show a number at once."""

    def initial_state(self, rng: Any) -> tuple[int, ...]:
        return ()

    def current_player(self, state: tuple[int, ...]) -> int:
        return (0, 0, 1, SIMULTANEOUS)[len(state)]

    def is_over(self, state: tuple[int, ...]) -> bool:
        return len(state) > 3

    def legal_actions(self, state: tuple[int, ...], player: int) -> list[int]:
        return [1, 2, 3]

    def apply(self, state: tuple[int, ...], action: int, rng: Any) -> tuple[int, ...]:
        return (*state, action)

    def apply_joint(self, state: tuple[int, ...], actions: tuple[int, ...], rng: Any) -> tuple[int, ...]:
        return (*state, *actions)

    def evaluate(self, state: tuple[int, ...]) -> tuple[float, float]:
        padded = (*state, 0, 0, 0, 0, 0)
        value = (padded[0] + padded[1] - 2 * padded[2] + padded[3] - padded[4]) / 10
        return value, -value

    returns = evaluate


@cache
def duel() -> Game:
    return plain(DuelRules(), name="duel", max_actions=3)


class BrittleRules(ChaseRules):
    """The chase, but something is raised in one of the calls of its rules."""

    def __init__(self, failure: BaseException) -> None:
        super().__init__(9, 4)
        self.failure, self.calls_left = failure, -1

    def count(self) -> None:
        self.calls_left -= 1
        if self.calls_left == 0:
            raise self.failure

    def legal_actions(self, state: tuple[int, int, int], player: int) -> list[int]:
        self.count()
        return super().legal_actions(state, player)

    def apply_joint(self, state: tuple[int, int, int], actions: tuple[int, ...], rng: Any) -> tuple[int, int, int]:
        self.count()
        return super().apply_joint(state, actions, rng)

    def evaluate(self, state: tuple[int, int, int]) -> tuple[float, float]:
        self.count()
        return super().evaluate(state)
