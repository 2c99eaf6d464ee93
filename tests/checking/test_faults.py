"""The rule that does not return at a state is found without calling it compiled."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from broken_games import broken, race, race_apply, race_evaluate
from nim_rules import line_of

from tactician.checking.faults import find_fault, find_fault_near


def loops_in_apply(g: Any, s: Any, action: Any, rng: Any) -> None:
    race_apply(g, s, action, rng)
    while action == 2:
        s.pot = 0


def loops_in_evaluate(g: Any, s: Any, out: Any) -> None:
    race_evaluate(g, s, out)
    n = 0
    while n < 1:
        n -= 1


def raises_in_apply(g: Any, s: Any, action: Any, rng: Any) -> None:
    if action == 2:
        raise ValueError("no twos")
    race_apply(g, s, action, rng)


def not_a_number(g: Any, s: Any, out: Any) -> None:
    out[0] = out[1] = np.nan


def lists_nothing(g: Any, s: Any, player: Any, out: Any) -> Any:
    out[0] = 0
    return int(s.pot == 0)


@pytest.mark.parametrize(
    ("rule", "function", "problem"),
    [
        ("apply", loops_in_apply, "does not return"),
        ("evaluate", loops_in_evaluate, "does not return"),
        ("apply", raises_in_apply, "raises ValueError: no twos"),
    ],
)
def test_a_rule_at_fault_is_named_with_its_line_and_the_state(rule: str, function: Any, problem: str) -> None:
    game = broken(race(), **{rule: function})
    fault = find_fault(game, race().initial_state(seed=1).in_game(game), lines=2000)
    assert fault is not None
    assert (fault.rule, fault.problem) == (rule, problem)
    assert fault.line.startswith("test_faults.py, line ")
    first = line_of(function)
    assert first < int(fault.line.rpartition(" ")[2]) <= first + 5
    assert "pot=" in fault.state


def test_values_that_are_not_finite_are_a_fault_of_the_rule() -> None:
    game = broken(race(), evaluate=not_a_number)
    fault = find_fault(game, race().initial_state(seed=1).in_game(game))
    assert fault is not None
    assert str(fault).startswith("rule 'evaluate' writes [nan, nan]; expected finite numbers; the state is ")


def test_a_fault_is_also_found_behind_the_state() -> None:
    game = broken(race(), legal_actions=lists_nothing)
    fault = find_fault_near(game, race().initial_state(seed=1).in_game(game), seconds=60)
    assert fault is not None
    assert fault.problem == "lists no action of player 0 although the game is not over"
    assert "pot=0" not in fault.state


def test_a_healthy_game_has_none() -> None:
    assert find_fault(race(), race().initial_state(seed=1), lines=2000) is None
