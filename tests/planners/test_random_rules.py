"""The rules that choose an action without a list change nothing but the speed: the same plans, counters, samples."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from functools import cache

import numpy as np
import pytest

from tactician.contract import Game
from tactician.contract.rules import RecordBackend
from tactician.games.amazons import amazons
from tactician.games.hero_academy import hero_academy
from tactician.games.locm import locm
from tactician.planners.registry import parse_planner

GAMES: dict[str, Callable[[], Game]] = {
    "hero-academy": hero_academy,
    "locm": lambda: locm(information="open"),
    "amazons": lambda: amazons(size=6),
}
PLANNERS = (
    "random",
    "random:prune=true",
    "mcts",
    "mcts:epsilon=0",
    "mcts:epsilon=0,rollout_turns=-1",
    "mcts:epsilon=1",
    "mcts:style=reference",
    "oep",
    "oep:rollouts=true",
)


@cache
def _pair(name: str) -> tuple[Game, Game]:
    """A game with the rules that choose without a list, and the same game without them."""
    game = GAMES[name]()
    assert isinstance(game.backend, RecordBackend)
    assert "random_action" in game.backend.functions
    kept = {rule: f for rule, f in game.backend.functions.items() if not rule.startswith(("random_", "best_"))}
    return game, Game(game.info, replace(game.backend, functions=kept), game.presentation, game.config_words())


@pytest.mark.parametrize("name", GAMES)
@pytest.mark.parametrize("planner", PLANNERS)
def test_plans_are_the_same_without_the_rules(name: str, planner: str) -> None:
    plans = []
    for game in _pair(name):
        state, agent = game.initial_state(seed=3), parse_planner(planner).on(game, seed=5)
        for ply in range(3):
            plan = agent.plan(state, "300its" if planner.startswith("mcts") else "300evals", ply=ply)
            plans.append((game, plan.actions, plan.value, replace(plan.stats, time_ms=0.0)))
            for action in plan.actions:
                if not state.is_over() and state.is_legal(action):
                    state.apply(action)
    half = len(plans) // 2
    for with_rules, without in zip(plans[:half], plans[half:], strict=True):
        assert with_rules[1:] == without[1:]


@pytest.mark.parametrize("name", GAMES)
def test_batches_sample_the_same_without_the_rules(name: str) -> None:
    samples = []
    for game in _pair(name):
        batch = game.batch(16, seed=2)
        for _ in range(20):
            actions = batch.sample()
            samples.append(actions.copy())
            batch.step(actions)
    half = len(samples) // 2
    assert all(np.array_equal(one, other) for one, other in zip(samples[:half], samples[half:], strict=True))
