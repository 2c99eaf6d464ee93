"""The rule that does not return at a state is found without calling it compiled."""

from __future__ import annotations

from typing import Any

import pytest
from broken_games import broken, race, race_apply, race_evaluate
from nim_rules import line_of

from tactician.checking.endless import endless_rule


def loops_in_apply(g: Any, s: Any, action: Any, rng: Any) -> None:
    race_apply(g, s, action, rng)
    while action == 2:
        s.pot = 0


def loops_in_evaluate(g: Any, s: Any, out: Any) -> None:
    race_evaluate(g, s, out)
    n = 0
    while n < 1:
        n -= 1


@pytest.mark.parametrize(("rule", "function"), [("apply", loops_in_apply), ("evaluate", loops_in_evaluate)])
def test_a_rule_without_end_is_named_with_its_line(rule: str, function: Any) -> None:
    game = broken(race(), **{rule: function})
    found = endless_rule(game, race().initial_state(seed=1).in_game(game), lines=2000)
    assert found is not None
    assert found.startswith(f"rule {rule!r}, at test_endless.py, line ")
    first = line_of(function)
    assert first < int(found.rpartition(" ")[2]) <= first + 5


def test_a_healthy_game_has_none() -> None:
    assert endless_rule(race(), race().initial_state(seed=1), lines=2000) is None
