"""Changed states of every game: refused in one sentence, or playable with all that follows from them."""

from __future__ import annotations

import random
from collections import Counter

import pytest
from accepted_states import GAMES, accepted, checked_game, reached, require_playable
from mutations import mutated, nudged

STATES = 1300
"""Documents of each of the 16 games: 20,800 in all."""
STARTS = 40


@pytest.mark.slow
@pytest.mark.parametrize("spec", GAMES)
def test_a_changed_state_is_refused_or_playable(spec: str) -> None:
    chance, game, counts = random.Random(spec), checked_game(spec), Counter[str]()
    starts = [reached(game, chance).to_json() for _ in range(STARTS)]
    for number in range(STATES):
        change = nudged if number % 2 else mutated
        state = accepted(game, change(chance.choice(starts), chance))
        counts["refused" if state is None else "playable"] += 1
        if state is not None:
            require_playable(state, chance, actions=4)
    print(f"\n{spec}: {STATES} states: {dict(counts)}")
    assert min(counts["refused"], counts["playable"]) > STATES / 50
