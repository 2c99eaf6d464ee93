"""The best-rated candidate is found without the list: the same action and count as with it, in every reading."""

from __future__ import annotations

from typing import Any

import pytest

from tactician.checking.visit import drawn
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
