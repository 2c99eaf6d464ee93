"""Legends of Code and Magic: whole random games with their drafts, and what other engines reach."""

from __future__ import annotations

from typing import Any

import numpy as np
from numba import types

from tactician.checking.speed import Bench, Figure, GameBenchmark, rate
from tactician.contract import calls
from tactician.contract.random import stream
from tactician.contract.state import State
from tactician.games.locm import locm
from tactician.games.locm.dealing import deal_random
from tactician.native.c_functions import CFunction
from tactician.native.caching import kernel
from tactician.native.memory import address, do3

REFERENCE: dict[tuple[str, str | None], float] = {
    ("drafted_random_games", None): 16_430,
    ("drafted_random_actions", None): 1_470_000,
}
"""The official Java engine, warm, per CPU second."""
PYTHON = {"random_games": 395, "random_actions": 58_400, "copy": 1_680}
"""A Python engine's figures: gym-locm's."""
_NAME = "locm"
_TURNS = 40
_BUDGET = "500evals"


def figures(bench: Bench) -> list[Figure]:
    """Random games from draft to end, and the paper's turns of 500 evaluations."""
    game = locm(information="open")
    config = game.config_words()
    words = len(game.initial_state().words)
    state, rng = np.zeros(words, np.uint64), stream(1)
    out = np.zeros(calls.list_room(game.max_actions), np.int32)
    deal = _deal_function(game)
    played = [0, 0]

    def play(n: int) -> None:
        played[0] += n
        played[1] += _random_games(game.table.addresses, config.ctypes.data, state, out, rng, deal.address, n)

    bench.on_progress(f"{_NAME} random games")
    games = rate(play)
    bench.on_progress(f"{_NAME} turns")
    return [
        Figure(_NAME, "drafted_random_games", games, "games/s"),
        Figure(_NAME, "drafted_random_actions", games * played[1] / played[0], "actions/s"),
        Figure(_NAME, "oep_500_turns", _turns(bench), "turns/s"),
    ]


def _turns(bench: Bench) -> float:
    """Turns of the paper's OEP a second, over the positions of a game between two of them."""
    game = locm(information="open")
    agent, state = bench.seat("permutation-oep", game, seed=1), game.initial_state(seed=1)
    positions: list[State] = []
    while not state.is_over() and len(positions) < _TURNS:
        positions.append(state.copy())
        for action in agent.plan(state, _BUDGET, ply=len(positions)).actions:
            state.apply(action)

    def work(n: int) -> None:
        for i in range(n):
            agent.plan(positions[i % len(positions)], _BUDGET)

    return rate(work)


def _deal_function(game: Any) -> CFunction:
    from numba import from_dtype

    def deal(g: Any, s: Any, rng: Any) -> None:
        deal_random(g, s, rng)

    signature = types.void(
        from_dtype(game.backend.config), from_dtype(game.backend.state), types.CPointer(types.uint64)
    )
    compiled = CFunction(deal, signature, "rule")
    compiled.compile()
    return compiled


@kernel
def _random_games(table: Any, g: Any, state: Any, out: Any, rng: Any, deal: Any, n: Any) -> Any:
    """Draft at random and play at random to the end, n times; how many actions the battles had."""
    s, lists = address(state), address(out)
    count = 0
    for _ in range(n):
        state[:] = 0
        do3(deal, g, s, address(rng))
        while calls.is_over(table, g, s) == 0 and calls.error(g) == 0:
            player = calls.current_player(table, g, s)
            calls.apply(table, g, s, calls.random_action(table, g, s, player, lists, rng), address(rng))
            count += 1
    return count


BENCHMARK = GameBenchmark(figures=figures, reference=REFERENCE)
