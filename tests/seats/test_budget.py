"""Budgets: one number with a unit, and nothing else."""

from __future__ import annotations

from typing import Any

import pytest

from tactician.errors import InvalidBudgetError
from tactician.seats import Budget


@pytest.mark.parametrize(
    ("text", "budget"),
    [
        ("200ms", Budget(ms=200)),
        ("1.5ms", Budget(ms=1.5)),
        ("2s", Budget(ms=2000)),
        ("0.5s", Budget(ms=500)),
        ("500evals", Budget(evaluations=500)),
        ("100its", Budget(iterations=100)),
        ("  200 MS ", Budget(ms=200)),
        ("7.0its", Budget(iterations=7)),
        ("ref:200ms", Budget(reference_ms=200)),
        ("REF: 2s", Budget(reference_ms=2000)),
        ("4its/action", Budget(iterations_per_action=4)),
        ("0.5 its/action", Budget(iterations_per_action=0.5)),
    ],
)
def test_a_budget_is_a_number_with_a_unit(text: str, budget: Budget) -> None:
    assert Budget.parse(text) == budget


@pytest.mark.parametrize(
    "budget",
    [
        Budget(ms=200),
        Budget(ms=0.25),
        Budget(ms=1_234_567),
        Budget(evaluations=5_000_000),
        Budget(iterations=9),
        Budget(reference_ms=7_654_321.5),
        Budget(iterations_per_action=2.5),
    ],
)
def test_a_budget_reads_back_from_its_text(budget: Budget) -> None:
    assert Budget.parse(str(budget)) == budget
    assert Budget.parse(budget) is budget


def test_only_time_makes_a_plan_depend_on_the_machine() -> None:
    assert not Budget(ms=5).counted
    assert Budget(evaluations=5).counted
    assert Budget(iterations=5).counted
    assert Budget(reference_ms=5).counted
    assert Budget(iterations_per_action=5).counted


@pytest.mark.parametrize(
    "text", ["", "200", "ms", "200 minutes", "-5ms", "1e3ms", "nanms", "5ms5s", "200ms 500evals", 200, None, 2.5]
)
def test_text_that_is_no_budget_is_refused_with_examples(text: Any) -> None:
    with pytest.raises(InvalidBudgetError) as caught:
        Budget.parse(text)
    assert (
        str(caught.value) == f"budget is {text!r}; expected e.g. 200ms, 2s, 500evals, 100its, 4its/action or ref:200ms."
    )


@pytest.mark.parametrize("text", ["1.5evals", "0.5its", "9" * 400 + "evals"])
def test_evaluations_and_iterations_are_whole(text: str) -> None:
    with pytest.raises(InvalidBudgetError, match="expected a whole number of evaluations or iterations"):
        Budget.parse(text)


@pytest.mark.parametrize("text", ["ref:500evals", "ref:5its", "ref:4its/action"])
def test_reference_work_is_given_as_time(text: str) -> None:
    with pytest.raises(InvalidBudgetError, match=r"reference work is given as time, e\.g\. ref:200ms"):
        Budget.parse(text)


def test_iterations_per_action_become_iterations() -> None:
    assert Budget(iterations_per_action=4).with_actions(257) == Budget(iterations=1028)
    assert Budget(iterations_per_action=0.001).with_actions(3) == Budget(iterations=1)
    assert Budget(ms=5).with_actions(3) == Budget(ms=5)


@pytest.mark.parametrize("text", ["0ms", "0evals", "0its", "0.0s", "9" * 400 + "ms"])
def test_a_budget_is_positive_and_finite(text: str) -> None:
    with pytest.raises(InvalidBudgetError, match="expected a positive number"):
        Budget.parse(text)


@pytest.mark.parametrize("value", [0, -1, float("nan"), float("inf"), True, "5"])
def test_numbers_are_checked_as_well(value: Any) -> None:
    with pytest.raises(InvalidBudgetError, match="expected a positive number"):
        Budget(ms=value)
    with pytest.raises(InvalidBudgetError, match="expected a whole number"):
        Budget(evaluations=2.5)  # type: ignore[arg-type]


@pytest.mark.parametrize("given", [{}, {"ms": 5, "evaluations": 5}, {"ms": 5, "evaluations": 5, "iterations": 5}])
def test_exactly_one_is_set(given: dict[str, Any]) -> None:
    with pytest.raises(InvalidBudgetError, match="expected one of ms, evaluations, iterations"):
        Budget(**given)
