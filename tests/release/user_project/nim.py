"""A game of a user: take one to three stones, whoever takes the last one wins; two takes a turn."""

from __future__ import annotations

from typing import Any

import numpy as np

import tactician as tt
from tactician import contract

Config = np.dtype([("stones", "i8"), ("weights", "f8", (1,))], align=True)
State = np.dtype([("player", "i1"), ("takes", "i1"), ("stones", "i8")], align=True)
rule = contract.rules(Config, State)


@rule.initial_state
def initial_state(g: Any, s: Any, rng: np.random.Generator) -> None:
    """A heap of about the configured size."""
    s.stones = g.stones + rng.integers(0, 4)
    s.takes = 2


@rule.legal_actions
def legal_actions(g: Any, s: Any, player: Any, out: Any) -> Any:
    """One to three, as far as there are stones."""
    n = min(3, s.stones)
    for i in range(n):
        out[i] = i + 1
    return n


@rule.apply
def apply(g: Any, s: Any, action: Any, rng: Any) -> None:
    """Take stones."""
    s.stones -= action
    s.takes -= 1
    if s.takes == 0 and s.stones > 0:
        s.player, s.takes = 1 - s.player, 2


@rule.current_player
def current_player(g: Any, s: Any) -> Any:
    """Whose turn it is."""
    return s.player


@rule.is_over
def is_over(g: Any, s: Any) -> Any:
    """No stones are left."""
    return s.stones == 0


@rule.returns
def returns(g: Any, s: Any, out: Any) -> None:
    """Whoever took the last stone."""
    out[s.player], out[1 - s.player] = 1, -1


@rule.evaluate
def evaluate(g: Any, s: Any, out: Any) -> None:
    """A poor guess."""
    out[s.player] = g.weights[0] * (s.stones % 4)
    out[1 - s.player] = -out[s.player]


game: tt.Game = rule.game(
    "nim", max_actions=3, config={"stones": 20, "weights": (1.0,)}, weights=("rest",), value_range=(-4.0, 4.0)
)
