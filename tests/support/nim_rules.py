"""Nim with one heap, the smallest game the tests declare: take one to three, whoever takes the last wins.

`declared` gives its rules unfinished, with some exchanged or left out; `nim` the finished game.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from tactician import contract
from tactician.contract import Game, Rules
from tactician.native import abi

Config = np.dtype([("heap", "i8"), ("weights", "f8", (2,))], align=True)
State = np.dtype([("player", "i1"), ("left", "i2")], align=True)


def legal_actions(g: Any, s: Any, player: Any, out: Any) -> Any:
    n = min(3, s.left)
    for i in range(n):
        out[i] = i + 1
    return n


def apply(g: Any, s: Any, action: Any, rng: Any) -> None:
    s.left -= action
    s.player = 1 - s.player


def current_player(g: Any, s: Any) -> Any:
    return s.player


def is_over(g: Any, s: Any) -> Any:
    return s.left == 0


def returns(g: Any, s: Any, out: Any) -> None:
    out[s.player] = -1.0
    out[1 - s.player] = 1.0


def evaluate(g: Any, s: Any, out: Any) -> None:
    out[0] = g.weights[0] * s.left + g.weights[1] * s.player
    out[1] = -out[0]


def initial_state(g: Any, s: Any, rng: Any, left: int = 0) -> None:
    s.left = left or g.heap


RULES: dict[str, Callable[..., Any]] = {
    function.__name__: function
    for function in (legal_actions, apply, current_player, is_over, returns, evaluate, initial_state)
}


def declared(*, without: Any = (), state: Any = State, config: Any = Config, **others: Any) -> Rules:
    """The rules, not finished: without some, with others instead or besides."""
    rule = contract.rules(config, state)
    for name, function in {**RULES, **others}.items():
        if name not in without:
            getattr(rule, name)(function)
    return rule


def nim(heap: int = 7, **others: Any) -> Game:
    """The game, with some rules exchanged or added."""
    return declared(**others).game(
        "nim", max_actions=3, config={"heap": heap, "weights": (0.5, 0.25)}, value_range=(-100, 100)
    )


def line_of(function: Callable[..., Any]) -> int:
    """Where a function begins."""
    return function.__code__.co_firstlineno


def undecorated(helper: Any) -> Callable[..., Any]:
    """The function a helper was written as."""
    return helper.py_func


REQUIRED = [rule.name for rule in abi.RULES if not rule.optional and rule.name not in ("apply", "apply_joint")]
