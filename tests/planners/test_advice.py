"""The list that says which planner to begin with."""

from __future__ import annotations

import pytest

from tactician.experiments.registry import all_experiments
from tactician.planners import PLANNERS
from tactician.planners.advice import ADVICE, Advice


@pytest.mark.parametrize("advice", ADVICE, ids=lambda one: one.kind)
def test_it_names_planners_and_experiments_that_exist(advice: Advice) -> None:
    assert {name.partition(":")[0] for name in (*advice.begin, *advice.then)} <= set(PLANNERS)
    assert set(advice.evidence) <= set(all_experiments())
    assert not set(advice.begin) & set(advice.then)


def test_turns_and_simultaneous_moves_have_a_planner_to_begin_with() -> None:
    kinds = {PLANNERS[one.begin[0].partition(":")[0]].simultaneous for one in ADVICE}
    assert kinds == {True, False}
