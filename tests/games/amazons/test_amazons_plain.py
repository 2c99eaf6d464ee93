"""A game of plain objects gives back what it no longer needs."""

from __future__ import annotations

import gc
import random

from tactician.contract import Game, State
from tactician.contract.random import stream
from tactician.games.amazons import plain_amazons


def handles(game: Game) -> int:
    assert game.backend.handles is not None
    return len(game.backend.handles)


def test_after_a_long_game_only_living_states_have_handles() -> None:
    game = plain_amazons(6)
    state, chance = game.initial_state(), random.Random(1)
    kept: list[State] = []
    while not state.is_over():
        state.apply(chance.choice(state.legal_actions()))
        if len(kept) < 5:
            kept.append(state.copy())
    gc.collect()
    assert handles(game) == 6
    del kept
    gc.collect()
    assert handles(game) == 1
    del state
    gc.collect()
    assert handles(game) == 0


def test_equal_states_share_a_handle() -> None:
    game = plain_amazons(6)
    states = [game.initial_state(seed) for seed in range(5)]
    assert handles(game) == 1
    assert len(set(states)) == 1


def test_ten_thousand_searches_leave_nothing_behind() -> None:
    game = plain_amazons(4, 1)
    state, random_words = game.initial_state(), stream(1)
    state.apply(state.legal_actions()[0])
    before = handles(game)
    actions = state.legal_actions()[:3]
    for _ in range(10_000):
        with game.searching():
            for action in actions:
                words = state.words
                game.run("apply", words.ctypes.data, action, random_words.ctypes.data)
            assert handles(game) > before
        assert handles(game) == before
    assert state.legal_actions()[:3] == actions
