"""A game is compared with a twin in plain Python."""

from __future__ import annotations

from typing import Any

import pytest
from nim_rules import nim

from tactician.checking.twins import compare_with_twin
from tactician.contract.state import State
from tactician.errors import InvalidParameterError


class Twin:
    """Nim: take one, two or three; whoever takes the last wins."""

    def start(self, state: State) -> tuple[int, int]:
        return int(state.record.left), 0

    def apply(self, twin: tuple[int, int], action: int) -> tuple[int, int]:
        return twin[0] - action, 1 - twin[1]

    def current_player(self, twin: tuple[int, int]) -> int:
        return twin[1]

    def is_over(self, twin: tuple[int, int]) -> bool:
        return twin[0] == 0


class Forgetful(Twin):
    """Never notices that somebody has moved twice."""

    def apply(self, twin: tuple[int, int], action: int) -> tuple[int, int]:
        return twin[0] - action, twin[1]


def test_a_true_twin_agrees() -> None:
    report = compare_with_twin(nim(), Twin(), games=5)
    assert report.ok, report
    assert report.games == 5
    assert report.actions > 5


def test_the_first_difference_is_named_with_seed_and_step() -> None:
    report = compare_with_twin(nim(), Forgetful(), games=5, seed=3)
    assert report.difference == "game seed 3, step 1: current_player is 1, the twin's is 0"
    assert not report.ok


@pytest.mark.parametrize("twin", [object(), type("Half", (), {"start": lambda self, state: state})()])
def test_what_is_no_twin_is_refused(twin: Any) -> None:
    with pytest.raises(InvalidParameterError, match="has no method"):
        compare_with_twin(nim(), twin)
