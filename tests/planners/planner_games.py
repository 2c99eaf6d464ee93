"""Small games for the tests of planners, and the few questions that all those tests ask of a turn.

*Errands*: on your turn you have some energy; an errand costs energy and earns points, more if it follows the one
before it in the list; you may go home (action 0) whenever you like. So turns have different lengths, order matters, and
doing the best thing first is not always best. It comes for two and three players, compiled and as a plain twin.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from tactician import contract
from tactician.contract import Game, State
from tactician.contract.plain import Chance, plain
from tactician.contract.random import stream
from tactician.games.amazons import amazons, plain_amazons
from tactician.games.hero_academy import hero_academy
from tactician.games.locm import locm
from tactician.planners import PLANNERS

for _folder in ("hero_academy", "locm"):
    sys.path.append(str(Path(__file__).parents[1] / "games" / _folder))

TURN_PLANNERS = [name for name, kind in PLANNERS.items() if not kind.simultaneous or name == "random"]
"""Those that plan turns; what the others keep from move to move has tests of its own."""
JUDGES_NOTHING = ("random", "no-ai", "random-order")
"""Planners that make one turn without a single evaluation, and have no opinion of it."""
ORDERS = ("no-ai", "random-order", "permutation-oep", "permutation-emcts", "determinized", "clairvoyant")
"""Planners that walk an order of what was possible when the turn began: they list no candidates, and what becomes
possible only then is not in the order. The last two are among them by the planner that they have inside by default."""

HOME = 0
ERRANDS = 6
NEIGHBOUR_BONUS = 3
NOTHING = -5

Config = np.dtype([("players", "i8"), ("energy", "i8"), ("turns", "i8")], align=True)
Errands = np.dtype(
    [
        ("cost", "i2", (ERRANDS,)),
        ("worth", "i2", (ERRANDS,)),
        ("points", "i4", (3,)),
        ("done", "u1", (ERRANDS,)),
        ("player", "i2"),
        ("turn", "i2"),
        ("energy", "i2"),
        ("last", "i2"),
    ],
    align=True,
)
rule = contract.rules(Config, Errands)


@cache
def errands(players: int, energy: int = 5, turns: int = 4) -> Game:
    """The compiled game."""
    return rule.game(
        "errands",
        players=players,
        max_actions=ERRANDS + 1,
        config={"players": players, "energy": energy, "turns": turns},
        value_range=(-150.0, 150.0),
        max_turn=ERRANDS + 1,
    )


@rule.initial_state
def initial_state(g: Any, s: Any, rng: np.random.Generator) -> None:
    s.cost = rng.integers(1, 4, ERRANDS)
    s.worth = rng.integers(1, 10, ERRANDS)
    s.energy = g.energy
    s.last = NOTHING


@rule.current_player
def current_player(g: Any, s: Any) -> Any:
    return s.player


@rule.is_over
def is_over(g: Any, s: Any) -> Any:
    return s.turn >= g.turns


@rule.legal_actions
def legal_actions(g: Any, s: Any, player: Any, out: Any) -> Any:
    n = 0
    for errand in range(ERRANDS):
        if s.done[errand] == 0 and s.cost[errand] <= s.energy:
            out[n] = errand + 1
            n += 1
    out[n] = HOME
    return n + 1


@rule.apply
def apply(g: Any, s: Any, action: Any, rng: Any) -> None:
    if action == HOME:
        s.player = (s.player + 1) % g.players
        s.turn += 1
        s.energy = g.energy
        s.last = NOTHING
        return
    errand = action - 1
    s.done[errand] = 1
    s.energy -= s.cost[errand]
    s.points[s.player] += s.worth[errand]
    if errand == s.last + 1:
        s.points[s.player] += NEIGHBOUR_BONUS
    s.last = errand


@rule.evaluate
def evaluate(g: Any, s: Any, out: Any) -> None:
    total = s.points[0] + s.points[1] + s.points[2]
    for player in range(g.players):
        out[player] = g.players * s.points[player] - total


@rule.returns
def returns(g: Any, s: Any, out: Any) -> None:
    total = s.points[0] + s.points[1] + s.points[2]
    for player in range(g.players):
        out[player] = (g.players * s.points[player] - total) / 150.0


@rule.rate_actions
def rate_actions(g: Any, s: Any, actions: Any, n: Any, out: Any) -> None:
    for i in range(n):
        out[i] = 0.0 if actions[i] == HOME else s.worth[actions[i] - 1] / s.cost[actions[i] - 1]


@rule.action_name
def action_name(g: Any, s: Any, action: int) -> str:
    return "go home" if action == HOME else f"errand {action}"


# -- the same in plain Python ------------------------------------------------------------------------------------


class Day(NamedTuple):
    """A state of the plain twin."""

    cost: tuple[int, ...]
    worth: tuple[int, ...]
    points: tuple[int, ...]
    done: frozenset[int]
    player: int
    turn: int
    energy: int
    last: int


class PlainErrands:
    """The rules of errands as methods."""

    def __init__(self, players: int, energy: int, turns: int) -> None:
        self.players, self.energy, self.turns = players, energy, turns

    def initial_state(self, rng: np.random.Generator) -> Day:
        cost = tuple(rng.integers(1, 4, ERRANDS).tolist())
        worth = tuple(rng.integers(1, 10, ERRANDS).tolist())
        return Day(cost, worth, (0,) * self.players, frozenset(), 0, 0, self.energy, NOTHING)

    def current_player(self, state: Day) -> int:
        return state.player

    def is_over(self, state: Day) -> bool:
        return state.turn >= self.turns

    def legal_actions(self, state: Day, player: int) -> list[int]:
        affordable = [i for i in range(ERRANDS) if i not in state.done and state.cost[i] <= state.energy]
        return [*(i + 1 for i in affordable), HOME]

    def apply(self, state: Day, action: int, rng: Chance) -> Day:
        if action == HOME:
            nxt = (state.player + 1) % self.players
            return state._replace(player=nxt, turn=state.turn + 1, energy=self.energy, last=NOTHING)
        errand = action - 1
        earned = state.worth[errand] + (NEIGHBOUR_BONUS if errand == state.last + 1 else 0)
        points = tuple(p + earned * (i == state.player) for i, p in enumerate(state.points))
        energy = state.energy - state.cost[errand]
        return state._replace(points=points, done=state.done | {errand}, energy=energy, last=errand)

    def evaluate(self, state: Day) -> list[float]:
        return [self.players * p - sum(state.points) for p in state.points]

    def returns(self, state: Day) -> list[float]:
        return [value / 150.0 for value in self.evaluate(state)]

    def rate_actions(self, state: Day, actions: list[int]) -> list[float]:
        return [0.0 if a == HOME else state.worth[a - 1] / state.cost[a - 1] for a in actions]


@cache
def plain_errands(players: int, energy: int = 5, turns: int = 4) -> Game:
    return plain(
        PlainErrands(players, energy, turns),
        name="plain-errands",
        players=players,
        max_actions=ERRANDS + 1,
        value_range=(-150.0, 150.0),
    )


class StoppedErrands(PlainErrands):
    """Somebody presses Ctrl-C while one of the rules runs."""

    calls_left = -1

    def apply(self, state: Any, action: int, rng: Chance) -> Any:
        self.press()
        return super().apply(state, action, rng)

    def evaluate(self, state: Any) -> list[float]:
        self.press()
        return super().evaluate(state)

    def press(self) -> None:
        self.calls_left -= 1
        if self.calls_left == 0:
            raise KeyboardInterrupt


class CoinRules:
    """One action a turn, heads or tails, for ever so many turns: nothing is simpler."""

    def __init__(self, turns: int = 4) -> None:
        self.turns = turns

    def initial_state(self, rng: Any) -> tuple[int, int]:
        return (0, 0)

    def current_player(self, state: tuple[int, int]) -> int:
        return state[0] % 2

    def is_over(self, state: tuple[int, int]) -> bool:
        return state[0] >= self.turns

    def legal_actions(self, state: tuple[int, int], player: int) -> list[int]:
        return [0, 1]

    def apply(self, state: tuple[int, int], action: int, rng: Any) -> tuple[int, int]:
        return (state[0] + 1, state[1] + action * (1 if state[0] % 2 == 0 else -1))

    def evaluate(self, state: tuple[int, int]) -> tuple[float, float]:
        return float(state[1]), -float(state[1])

    def returns(self, state: tuple[int, int]) -> tuple[float, float]:
        return state[1] / 10, -state[1] / 10


@cache
def coin(turns: int = 4) -> Game:
    return plain(CoinRules(turns), name="coin", max_actions=2, value_range=(-10, 10))


class DiceRules(CoinRules):
    """After each turn a die decides which two of seven coins the next player may choose from."""

    def initial_state(self, rng: Any) -> tuple[int, int]:
        return (0, 0)

    def legal_actions(self, state: tuple[int, int], player: int) -> list[int]:
        low = state[1] % 6
        return [low, low + 1]

    def apply(self, state: tuple[int, int], action: int, rng: Chance) -> tuple[int, int]:
        assert action in self.legal_actions(state, 0), f"{action} in {state}"
        return (state[0] + 1, 6 * ((state[1] // 6 + action) % 5) + rng.below(6))

    def evaluate(self, state: tuple[int, int]) -> tuple[float, float]:
        return float(state[1] // 6), -float(state[1] // 6)


@cache
def dice(turns: int = 6) -> Game:
    """A game with chance, in which an action that was legal once may not be so the next time; it says so."""
    return plain(DiceRules(turns), name="dice", max_actions=2, value_range=(-10, 10))


class MorraRules:
    """Both show a number at once."""

    def initial_state(self, rng: Any) -> int:
        return 0

    def current_player(self, state: int) -> int:
        return contract.SIMULTANEOUS

    def is_over(self, state: int) -> bool:
        return state != 0

    def legal_actions(self, state: int, player: int) -> list[int]:
        return [0, 1]

    def apply_joint(self, state: int, actions: tuple[int, ...], rng: Any) -> int:
        return 1 if actions[0] == actions[1] else -1

    def evaluate(self, state: int) -> tuple[float, float]:
        return float(state), -float(state)

    returns = evaluate


@cache
def morra() -> Game:
    return plain(MorraRules(), name="morra", max_actions=2)


# -- games by name -----------------------------------------------------------------------------------------------


@cache
def _hero_academy() -> Game:
    return hero_academy()


@cache
def _amazons() -> Game:
    return amazons(5)


@cache
def _locm() -> Game:
    return locm(information="open")


GAMES: dict[str, Any] = {
    "hero-academy": _hero_academy,
    "amazons": _amazons,
    "locm": _locm,
    "errands": lambda: errands(2),
    "errands-3": lambda: errands(3),
    "plain-errands": lambda: plain_errands(2),
    "plain-errands-3": lambda: plain_errands(3),
}


@cache
def small_plain_amazons() -> Game:
    return plain_amazons(4)


def game_of(name: str) -> Game:
    return GAMES[name]()


@cache
def states_of(name: str) -> tuple[State, ...]:
    """Starts of turns and middles of them, from some random games."""
    game = game_of(name)
    found: list[State] = []
    for seed in range(4):
        found += list(_random_game(game, seed))[:40]
    return tuple(found)


def _random_game(game: Game, seed: int) -> Iterator[State]:
    chance = Chance(stream([seed, 99]))
    state = game.initial_state(seed)
    while not state.is_over():
        yield state.copy()
        actions = state.candidate_actions()
        state.apply(actions[chance.below(len(actions))])


# -- questions ---------------------------------------------------------------------------------------------------


def turn_continues(state: State, player: int) -> bool:
    """Whether it is still a player's turn."""
    return not state.is_over() and state.current_player() == player


def after(state: State, turn: Any) -> State:
    """The state after some actions; an illegal one is refused."""
    state = state.copy()
    for action in turn:
        state.apply(int(action))
    return state


def is_whole_turn(state: State, turn: Any) -> bool:
    """Whether actions are legal one after the other (else this raises), and end the turn, and not before the last."""
    player, now = state.current_player(), state.copy()
    for action in turn:
        if not turn_continues(now, player):
            return False
        now.apply(int(action))
    return not turn_continues(now, player)


def worth(state: State, player: int) -> float:
    """What a planner thinks of a state: the evaluation, or the result on the same scale."""
    if not state.is_over():
        return state.evaluate()[player]
    low, high = state.game.value_range
    return low + (state.returns()[player] + 1.0) * 0.5 * (high - low)


def all_turns(state: State, prune: bool = True) -> Iterator[tuple[list[int], State]]:
    """Every order of every action of a turn, with the state it ends in."""
    player = state.current_player()
    stack: list[tuple[list[int], State]] = [([], state.copy())]
    while stack:
        turn, now = stack.pop()
        if not turn_continues(now, player):
            yield turn, now
            continue
        actions = now.candidate_actions() if prune else now.legal_actions()
        stack += [([*turn, action], now.copy().apply(action)) for action in reversed(actions)]
