"""Rules that break their promise: planners name the rule and the state, and nothing crashes or is damaged."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from tactician import contract
from tactician.contract import Game
from tactician.errors import DamagedMemoryError, RuleFailureError
from tactician.planners.registry import PLANNERS, parse_planner
from tactician.seats.plan import Plan

EVALUATING = sorted(set(PLANNERS) - {"random", "random-order", "no-ai"})
"""The planners that evaluate states."""


def plan(planner: str, game: Game, budget: str) -> Plan:
    """A plan from the start; many rules fail already when the planner is put on the game."""
    return parse_planner(planner).on(game, seed=1).plan(game.initial_state(seed=1), budget)


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


@pytest.mark.parametrize("planner", EVALUATING)
@pytest.mark.parametrize(
    ("function", "rule", "problem"),
    [
        (not_a_number, "evaluate", "writes [nan, 0.0]; expected finite numbers"),
        (infinite, "evaluate", "writes [0.0, inf]; expected finite numbers"),
        (raises, "apply", "raises ValueError: not twice"),
    ],
)
def test_the_rule_at_fault_and_the_state_are_named(planner: str, function: Any, rule: str, problem: str) -> None:
    game = steps(**{rule: function})
    with pytest.raises(RuleFailureError) as raised:
        plan(planner, game, "200evals")
    assert f"rule '{rule}'" in str(raised.value)
    assert problem in str(raised.value)
    assert "; the state is <record " in str(raised.value)
    assert raised.value.rule == rule


def player_out_of_range(g: Any, s: Any) -> Any:
    return s.player + (5 if s.turns > 0 else 0)


@pytest.mark.parametrize("planner", ["mcts", "fdts", "mcs", "simultaneous-mcts"])
@pytest.mark.parametrize(
    ("function", "rule", "problem"),
    [
        (lists_too_many, "legal_actions", "raises IndexError: index 3 is outside the buffer of"),
        (lists_less_than_nothing, "legal_actions", "listed -3 actions"),
        (lists_nothing, "legal_actions", "lists no action of player 1"),
        (player_out_of_range, "current_player", "returns 6; expected 0 to 1"),
    ],
)
def test_a_wrong_count_or_player_deep_in_the_search_is_the_rules_fault(
    planner: str, function: Any, rule: str, problem: str
) -> None:
    game = steps(**{rule: function})
    with pytest.raises(RuleFailureError) as raised:
        plan(planner, game, "3000its")
    assert raised.value.rule == rule
    assert problem in str(raised.value)


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


@pytest.mark.parametrize("planner", EVALUATING)
@pytest.mark.parametrize(
    ("function", "rule", "where"),
    [(writes_past_the_values, "evaluate", "the players' values"), (writes_past_the_state, "apply", "a state")],
)
def test_a_write_outside_is_noticed_before_a_plan_is_returned(
    planner: str, function: Any, rule: str, where: str
) -> None:
    game = steps(**{rule: function})
    with pytest.raises(DamagedMemoryError, match=f"wrote outside {where}; .* Run 'tactician check'"):
        plan(planner, game, "300evals")


def test_an_action_written_beyond_its_list_is_noticed() -> None:
    game = steps(legal_actions=writes_past_its_list)
    with pytest.raises(DamagedMemoryError, match="wrote outside a list of actions"):
        plan("mcts", game, "300its")
