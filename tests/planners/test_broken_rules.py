"""Rules that break their promise: planners name the rule and the state, and nothing crashes or is damaged."""

from __future__ import annotations

from typing import Any

import pytest
from wrong_rules import (
    infinite,
    lists_less_than_nothing,
    lists_nothing,
    lists_too_many,
    not_a_number,
    player_out_of_range,
    raises,
    steps,
    writes_past_its_list,
    writes_past_the_state,
    writes_past_the_values,
)

from tactician.contract import Game
from tactician.errors import DamagedMemoryError, RuleFailureError
from tactician.planners.registry import PLANNERS, parse_planner
from tactician.seats.plan import Plan

EVALUATING = sorted(set(PLANNERS) - {"random", "random-order", "no-ai"})
"""The planners that evaluate states."""


def plan(planner: str, game: Game, budget: str) -> Plan:
    """A plan from the start; many rules fail already when the planner is put on the game."""
    return parse_planner(planner).on(game, seed=1).plan(game.initial_state(seed=1), budget)


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
