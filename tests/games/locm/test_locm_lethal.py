"""Killing attacks: the planner of the competition bot makes them, and leaves none to the opponent that it can stop."""

from __future__ import annotations

from functools import cache

import pytest
from locm_boards import game, position, winner

from tactician.adapters.locm_player import BOT_PLANNER
from tactician.contract.state import State
from tactician.planners import Agent, parse_planner

GUARD, BIG, DECIMATE = 40, 18, 151
"""A Guard, a creature with more attack and defense, and an item that destroys a creature."""


@cache
def bot() -> Agent:
    return parse_planner(BOT_PLANNER).on(game(), seed=1)


def after_turn(state: State) -> State:
    now = state.copy()
    for action in bot().plan(state, "3000evals").actions:
        now.apply(action)
    return now


@pytest.mark.parametrize(
    "state",
    [
        position(own="L 5/3, R 4/1", enemy="L 2/2", enemy_hp=9),
        position(own="L 5/3, R 4/6", enemy="R 3/1 G, L 6/1", enemy_hp=5),
        position(own="L 3/3, L 4/1", enemy="L 1/4 G, R 9/9", enemy_hp=3, hp=3),
    ],
    ids=["both attack", "past the lane with the Guard", "through a Guard"],
)
def test_an_attack_that_kills_is_made(state: State) -> None:
    assert winner(after_turn(state)) == state.current_player()


@pytest.mark.parametrize(
    "state",
    [
        position(enemy="L 6/6", hand=[BIG, GUARD], mana=4, hp=5),
        position(enemy="R 6/6", hand=[GUARD, BIG], mana=4, hp=6),
        position(own="R 2/3", enemy="R 7/2", hand=[], hp=7),
        position(own="L 3/3, R 3/3", enemy="L 4/3, R 4/3", hand=[], hp=8, enemy_hp=20),
        position(enemy="L 8/8, R 1/1", hand=[DECIMATE, BIG], mana=5, hp=8, enemy_hp=25),
    ],
    ids=["a Guard on the left", "a Guard on the right", "a trade", "one of two trades", "an item"],
)
def test_a_killing_attack_of_the_next_turn_is_stopped(state: State) -> None:
    enemy = 1 - state.current_player()
    idle = state.copy()
    idle.apply(0)
    assert idle.features(enemy)["moving_can_kill"] == 1.0, "whoever does nothing dies"
    assert after_turn(state).features(enemy)["moving_can_kill"] == 0.0
