"""A long game of two steps a turn, and rules for it that are wrong in one way each.

Every function without parameters at the end is a game that a command can load from this file.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from tactician import contract
from tactician.contract import Game

Config = np.dtype([("unused", "i8")], align=True)
State = np.dtype([("player", "i1"), ("left", "i1"), ("turns", "i2"), ("score", "i2", (2,))], align=True)


def initial_state(g: Any, s: Any, rng: Any) -> None:
    s.left = 2


def legal_actions(g: Any, s: Any, player: Any, out: Any) -> Any:
    for i in range(3):
        out[i] = i
    return 3


def apply(g: Any, s: Any, action: Any, rng: Any) -> None:
    s.score[s.player] += action
    s.left -= 1
    if s.left == 0:
        s.left = 2
        s.player = 1 - s.player
        s.turns += 1


def current_player(g: Any, s: Any) -> Any:
    return s.player


def is_over(g: Any, s: Any) -> Any:
    return s.turns == 200


def returns(g: Any, s: Any, out: Any) -> None:
    out[0] = out[1] = 0.0


def evaluate(g: Any, s: Any, out: Any) -> None:
    out[0] = s.score[0] - s.score[1]
    out[1] = -out[0]


RULES = (initial_state, legal_actions, apply, current_player, is_over, returns, evaluate)


def steps(**wrong: Any) -> Game:
    """A long game of two steps a turn in which one rule is wrong."""
    rule = contract.rules(Config, State)
    for function in RULES:
        getattr(rule, function.__name__)(wrong.get(function.__name__, function))
    return rule.game("steps", max_actions=3, value_range=(-1000, 1000), max_turn=2)


def lists_too_many(g: Any, s: Any, player: Any, out: Any) -> Any:
    n = 3 if s.turns < 1 else 50
    for i in range(n):
        out[i] = i % 3
    return n


def lists_less_than_nothing(g: Any, s: Any, player: Any, out: Any) -> Any:
    out[0] = 0
    return 1 if s.turns < 1 else -3


def lists_nothing(g: Any, s: Any, player: Any, out: Any) -> Any:
    out[0] = 0
    return 1 if s.turns < 1 else 0


def not_a_number(g: Any, s: Any, out: Any) -> None:
    out[0] = np.nan
    out[1] = 0.0


def infinite(g: Any, s: Any, out: Any) -> None:
    out[0] = 0.0
    out[1] = np.inf


def raises(g: Any, s: Any, action: Any, rng: Any) -> None:
    if s.turns == 0 and s.left == 1:
        raise ValueError("not twice")
    s.left -= 1


def player_out_of_range(g: Any, s: Any) -> Any:
    return s.player + (5 if s.turns > 0 else 0)


def writes_past_its_list(g: Any, s: Any, player: Any, out: Any) -> Any:
    for i in range(3):
        out[i] = i
    if s.turns >= 1:
        out[40] = 7
    return 3


def writes_past_the_values(g: Any, s: Any, out: Any) -> None:
    for i in range(6):
        out[i] = 0.0


def writes_past_the_state(g: Any, s: Any, action: Any, rng: Any) -> None:
    s.left -= 1
    if s.left == 0:
        s.left = 2
        s.player = 1 - s.player
        s.turns += 1
    s.score[11] = 5  # 8 bytes behind the state


def never_ends_the_turn(g: Any, s: Any, action: Any, rng: Any) -> None:
    s.score[0] = (s.score[0] + action) % 100


def writes_far_away(g: Any, s: Any, action: Any, rng: Any) -> None:
    s.score[1_000_000_000] = 5


def writes_far_away_later(g: Any, s: Any, action: Any, rng: Any) -> None:
    if s.turns > 8:
        s.score[1_000_000_000] = 5
    s.player = 1 - s.player
    s.turns += 1


def loops_later(g: Any, s: Any, out: Any) -> None:
    out[0] = out[1] = 0.0
    while s.turns > 8:
        out[0] = 1.0 - out[0]


def prints(g: Any, s: Any, out: Any) -> None:
    print(s.turns)
    out[0] = s.score[0] - s.score[1]
    out[1] = -out[0]


def with_print() -> Game:
    return steps(evaluate=prints)


def never_returns(g: Any, s: Any, out: Any) -> None:
    while s.turns >= 0:
        out[0] += 1


def with_endless_returns() -> Game:
    return steps(returns=never_returns)


def with_late_crash() -> Game:
    return steps(apply=writes_far_away_later)


def with_late_loop() -> Game:
    return steps(evaluate=loops_later)


def with_wrong_player() -> Game:
    return steps(current_player=player_out_of_range)


def with_empty_list() -> Game:
    return steps(legal_actions=lists_nothing)


def with_nan() -> Game:
    return steps(evaluate=not_a_number)


def with_exception() -> Game:
    return steps(apply=raises)


def with_overflow() -> Game:
    return steps(apply=writes_past_the_state)


def with_crash() -> Game:
    return steps(apply=writes_far_away)
