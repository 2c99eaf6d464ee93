"""Rules that spare work say the same as those they stand for: the best-rated candidate, values after actions."""

from __future__ import annotations

import math
from typing import Any

import pytest

from tactician.checking.visit import drawn, foreseen
from tactician.contract.random import stream
from tactician.games.hero_academy import hero_academy

READINGS: dict[str, dict[str, Any]] = {
    "as printed": {},
    "as coded": {"preset": "reference"},
    "not pruned": {"prune": False},
    "many points": {"action_points": 30, "hand_size": 12},
}


@pytest.mark.parametrize("reading", READINGS)
def test_the_best_candidate_is_the_first_of_the_best_rated_in_the_list(reading: str) -> None:
    game = hero_academy(**READINGS[reading])
    kinds: set[int] = set()
    for seed in range(12):
        state, random = game.initial_state(seed=seed), stream(seed)
        while not state.is_over():
            candidates = state.candidate_actions()
            ratings = state.rate_actions(candidates)
            expected = candidates[ratings.index(max(ratings))]
            assert drawn(state, "best_candidate", state.current_player(), stream(0)) == (len(candidates), expected)
            kinds.add(expected // 4096)
            state.apply(drawn(state, "random_action", state.current_player(), random)[1])
    assert len(kinds) >= 4


def test_learned_ratings_leave_the_choice_to_the_planner() -> None:
    state = hero_academy().with_ratings(damage=1.0).initial_state(seed=1)
    assert drawn(state, "best_candidate", state.current_player(), stream(0))[0] == 0


@pytest.mark.parametrize("reading", READINGS)
def test_values_after_actions_are_those_of_the_evaluation(reading: str) -> None:
    game = hero_academy(**READINGS[reading])
    kinds: set[int] = set()
    for seed in range(4):
        state, random = game.initial_state(seed=seed), stream(seed)
        while not state.is_over():
            player, actions = state.current_player(), state.legal_actions()
            for action, value in zip(actions, foreseen(state, actions), strict=True):
                if not math.isnan(value):
                    assert value == state.copy().apply(action).evaluate()[player]
                    kinds.add(action // 4096)
            state.apply(drawn(state, "random_action", player, random)[1])
    assert kinds == {1, 4, 5, 6}  # steps, swaps, deployments, card swaps


def test_values_are_not_foreseen_where_sums_are_rounded() -> None:
    state = hero_academy().with_weights(hit_point=0.1).initial_state(seed=1)
    assert all(math.isnan(value) for value in foreseen(state, state.legal_actions()))


def test_another_evaluation_is_not_foreseen() -> None:
    game = hero_academy(evaluation="learned")
    assert "evaluate_after" not in game.backend.rule_names
    assert "evaluate_after" in hero_academy().backend.rule_names
