"""A game for any number of players, to measure how planners grow with it: each takes one to three of a heap, in turns
of two actions; who takes the last one wins.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from tactician.contract import Game, helper, rules

HEAP, MOST, ACTIONS_A_TURN, MOST_PLAYERS = 60, 3, 2, 8

Config = np.dtype([("players", "i8")])
State = np.dtype([("left", "i8"), ("player", "i8"), ("taken_by", "i8", (MOST_PLAYERS,)), ("acted", "i8")])
rule = rules(Config, State)


@rule.legal_actions
def legal_actions(g: Any, s: Any, player: Any, out: Any) -> Any:
    """Take one, two or three."""
    n = min(s.left, MOST)
    for i in range(n):
        out[i] = i + 1
    return n


@rule.apply
def apply(g: Any, s: Any, action: Any, rng: Any) -> None:
    """Take them; after two actions the next player is to move."""
    s.left -= action
    s.taken_by[s.player] += action
    s.acted += 1
    if s.acted == ACTIONS_A_TURN and s.left > 0:
        s.acted = 0
        s.player = (s.player + 1) % g.players


@rule.current_player
def current_player(g: Any, s: Any) -> Any:
    """Who takes next."""
    return s.player


@rule.is_over
def is_over(g: Any, s: Any) -> Any:
    """Whether nothing is left."""
    return s.left <= 0


@rule.returns
def returns(g: Any, s: Any, out: Any) -> None:
    """The last one to take wins."""
    for i in range(g.players):
        out[i] = 1.0 if i == s.player else -1.0


@helper
def share(s: Any, player: Any) -> Any:
    """How much of what was taken a player has."""
    taken = HEAP - s.left
    return s.taken_by[player] / taken if taken > 0 else 0.0


@rule.evaluate
def evaluate(g: Any, s: Any, out: Any) -> None:
    """A player's share of what was taken."""
    for i in range(g.players):
        out[i] = share(s, i)


@rule.initial_state
def initial_state(g: Any, s: Any, rng: Any) -> None:
    """A full heap."""
    s.left = HEAP


def take(players: int) -> Game:
    """Make the game for some players."""
    return rule.game(
        "take",
        max_actions=MOST,
        config={"players": players},
        players=players,
        zero_sum=players == 2,
        max_turn=ACTIONS_A_TURN,
    )


take_2, take_3, take_4, take_6, take_8 = (take(players) for players in (2, 3, 4, 6, 8))
