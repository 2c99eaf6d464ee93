"""MCS, MCTS and FDTS step by step: after every simulation every arm of every node is the slow model's."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from planner_games import errands, game_of, plain_errands
from simultaneous_games import EVERYTHING, NO_CLOCK, PLACES, RIGHT, STAY, chase, duel, goofspiel, prisoners, ring
from simultaneous_model import PLANNERS, SLOW_BANDITS, SlowSearch, rows_of

from tactician.contract import Game, State
from tactician.contract.random import stream
from tactician.planners import FDTS, MCS, SimultaneousMCTS
from tactician.planners.decoupled import DecoupledSearch
from tactician.planners.simultaneous import SimultaneousPlanner
from tactician.seats import Budget

NAMED: dict[str, SimultaneousPlanner] = {
    "mcs": MCS(depth=5),
    "mcs, ucb1": MCS(depth=5, bandit="ucb1"),
    "mcs, random": MCS(depth=1, bandit="random"),
    "mcs, regret matching": MCS(depth=5, bandit="regret-matching"),
    "mcts": SimultaneousMCTS(depth=5),
    "mcts, ucb1": SimultaneousMCTS(depth=5, bandit="ucb1", exploration=0.3),
    "mcts without rollouts": SimultaneousMCTS(rollouts=False),
    "mcts without rollouts, ucb1": SimultaneousMCTS(rollouts=False, bandit="ucb1", exploration=0.1),
    "fdts": FDTS(depth=4),
    "fdts, ucb1": FDTS(depth=4, bandit="ucb1"),
    "fdts, ucb1 by value": FDTS(depth=4, bandit="ucb1-value", exploration=0.5),
    "fdts, random": FDTS(depth=4, bandit="random"),
    "fdts, regret matching": FDTS(depth=4, bandit="regret-matching-mixed", exploration=0.3),
    "fdts, exact, all actions": FDTS(depth=4, key="exact", prune=False),
    "fdts, no reuse": FDTS(depth=6, reuse=False),
}
WITH_MODELS: dict[str, SimultaneousPlanner] = {
    "mcs, others at random": MCS(depth=4, opponents="uniform"),
    "mcs, model": MCS(depth=4, opponents="policy"),
    "mcs, model in half": MCS(depth=4, opponents="policy", model_share=0.5),
    "mcts, model": SimultaneousMCTS(depth=5, opponents="policy"),
    "mcts, model in half": SimultaneousMCTS(depth=5, opponents="policy", model_share=0.5),
    "fdts, others at random": FDTS(depth=4, opponents="uniform"),
    "fdts, model": FDTS(depth=4, opponents="policy"),
    "fdts, model in half": FDTS(depth=4, opponents="policy", model_share=0.5),
    "fdts, model in one of ten, ucb1": FDTS(depth=4, opponents="policy", model_share=0.1, bandit="ucb1"),
}
GAMES: dict[str, Any] = {
    "ring of 2": lambda: ring(2),
    "ring of 3, chance": lambda: ring(3, chance=True),
    "ring of 4, no clock": lambda: ring(4, size=3, steps=40, identity=NO_CLOCK),
    "only places count": lambda: ring(2, size=3, identity=PLACES),
    "goofspiel of 3, chance": lambda: goofspiel(3, 3, shuffled=True),
    "chase": lambda: chase(),
    "turns, then together": lambda: duel(),
    "errands": lambda: errands(2),
    "errands-3": lambda: errands(3),
    "plain-errands": lambda: plain_errands(2),
    "amazons": lambda: game_of("amazons"),
    "hero-academy": lambda: game_of("hero-academy"),
}


def begin(search: DecoupledSearch, state: State, seed: int) -> None:
    player = state.current_player()
    search.begin(state.words, max(0, player), stream(seed), Budget(iterations=10**6))


def same_play(planner: SimultaneousPlanner, state: State, simulations: int, moves: int, seed: int) -> None:
    """Search and model do the same through some moves of a game; what was learned stays, if it should."""
    game = state.game
    state = state.copy()
    with game.searching():
        model, search = SlowSearch(planner, game), replace(planner, memory_mb=16).search(game)
        for move in range(moves):
            if state.is_over():
                break
            model.begin(state, seed + move)
            begin(search, state, seed + move)
            for _ in range(simulations):
                model.step()
                search.advance(1)
                assert rows_of(search._memory.graph) == model.as_rows()
            assert search.revisits == model.revisits()
            assert search.counters.depth_sum == sum(model.steps)
            for player in range(game.players):
                search.player = player
                assert search.best()[0] == model.turn(player)
            assert search.work.rng.tolist() == model.words.tolist(), "another number of random draws"
            advance_game(state, model)


def advance_game(state: State, model: SlowSearch) -> None:
    """Play what the model chose, all players' action or one player's turn."""
    player = state.current_player()
    if player < 0:
        state.apply([model.turn(seat)[0] for seat in range(state.game.players)])
    else:
        for action in model.turn(player):
            state.apply(action)


@pytest.mark.parametrize("name", NAMED)
@pytest.mark.parametrize("game", GAMES)
def test_every_arm_is_the_models_after_every_simulation(game: str, name: str) -> None:
    small = game in ("amazons", "hero-academy")
    state = GAMES[game]().initial_state(3)
    same_play(NAMED[name], state, simulations=12 if small else 25, moves=2, seed=11)


def go_right(g: Any, s: Any, player: Any, rng: Any) -> Any:
    return RIGHT if s.points[player] > -2 and s.place[player] < g.size - 1 else STAY


@pytest.mark.parametrize("name", WITH_MODELS)
def test_every_arm_is_the_models_where_the_others_act_by_a_policy(name: str) -> None:
    game = ring(3, identity=NO_CLOCK).with_policy(go_right)
    same_play(WITH_MODELS[name], game.initial_state(3), simulations=40, moves=3, seed=7)


PLANNER = st.builds(
    lambda kind, rollouts, **options: (
        SimultaneousMCTS(rollouts=rollouts, **options) if kind is SimultaneousMCTS else kind(**options)
    ),
    st.sampled_from(list(PLANNERS.values())),
    st.booleans(),
    bandit=st.sampled_from(list(SLOW_BANDITS)),
    exploration=st.sampled_from([None, 0.0, 0.25, 1.5]),
    depth=st.integers(1, 9),
    reuse=st.booleans(),
    key=st.sampled_from(["game", "exact"]),
    repeats=st.sampled_from(["own", "last"]),
    prune=st.booleans(),
)
RING = st.builds(
    ring,
    players=st.integers(2, 4),
    size=st.integers(2, 5),
    steps=st.integers(1, 8),
    chance=st.booleans(),
    identity=st.sampled_from([EVERYTHING, NO_CLOCK]),
)


@settings(max_examples=40, deadline=None)
@given(planner=PLANNER, game=RING, seed=st.integers(0, 99))
def test_so_it_is_for_any_parameters_and_any_ring(planner: SimultaneousPlanner, game: Game, seed: int) -> None:
    same_play(planner, game.initial_state(seed), simulations=12, moves=3, seed=seed)


@pytest.mark.slow
@settings(max_examples=200, deadline=None)
@given(planner=PLANNER, game=RING, seed=st.integers(0, 10**6))
def test_and_in_long_games_too(planner: SimultaneousPlanner, game: Game, seed: int) -> None:
    same_play(planner, game.initial_state(seed % 1000), simulations=40, moves=6, seed=seed)


# -- what each of the three keeps -----------------------------------------------------------------------------------


def searched(planner: SimultaneousPlanner, game: Game, simulations: int) -> DecoupledSearch:
    search = replace(planner, memory_mb=16).search(game)
    with game.searching():
        begin(search, game.initial_state(1), 5)
        search.advance(simulations)
    return search


def test_mcs_keeps_the_present_state_only() -> None:
    search = searched(MCS(depth=5, bandit="ucb1"), ring(2), 100)
    ((tries, _, arms),) = rows_of(search._memory.graph)
    assert tries == 100
    assert all(sum(visits for _, visits in player) == 100 for player in arms if len(player) > 1)
    assert search.revisits == ()


@pytest.mark.parametrize("rollouts", [True, False])
def test_mcts_adds_at_most_one_state_a_simulation(rollouts: bool) -> None:
    search = searched(SimultaneousMCTS(depth=5, rollouts=rollouts), ring(3, chance=True), 0)
    with ring(3, chance=True).searching():
        for _ in range(100):
            before = int(search._memory.graph.size[0].nodes)
            search.advance(1)
            assert search._memory.graph.size[0].nodes - before in (0, 1)
    assert search._memory.graph.size[0].nodes > 50


def test_fdts_keeps_every_state_on_the_way_and_values_only_the_last() -> None:
    search = searched(FDTS(depth=5), ring(2, steps=9), 60)
    rows = rows_of(search._memory.graph)
    assert sum(tries for tries, _, _ in rows) == 60 * 5
    assert search.counters.evaluations == 60, "one evaluation a simulation"
    assert search.counters.depth_sum == 60 * 5, "every simulation goes to the full depth"


def test_an_arms_visits_are_those_of_its_node() -> None:
    for tries, _, arms in rows_of(searched(FDTS(depth=5, bandit="ucb1"), ring(4), 80)._memory.graph):
        for player in arms if tries > 1 else ():
            assert sum(visits for _, visits in player) == (tries if len(player) > 1 else 0)


def test_a_state_met_twice_in_one_simulation_learns_of_both_visits() -> None:
    """Where the clock is not part of a state's identity, walkers come back to where they were."""
    search = searched(FDTS(depth=30, bandit="ucb1", prune=False), ring(2, size=2, steps=60, identity=PLACES), 7)
    rows = rows_of(search._memory.graph)
    assert len(rows) <= 16, "two places each, poor or not"
    assert sum(tries for tries, _, _ in rows) == 7 * 30
    for tries, _, arms in rows:
        assert all(sum(visits for _, visits in player) == tries for player in arms if len(player) > 1)


def test_mcts_without_rollouts_ends_even_if_it_meets_nothing_new() -> None:
    game = ring(2, size=2, steps=3000, identity=PLACES)
    search = searched(SimultaneousMCTS(rollouts=False, prune=False), game, 100)
    assert len(rows_of(search._memory.graph)) <= 16
    assert search.counters.depth_max == 1024
    assert search.revisits[1023][0] > 0


def test_a_game_in_one_step_is_searched_in_one_step() -> None:
    for kind in PLANNERS.values():
        search = searched(kind(depth=20), prisoners(), 30)
        assert search.counters.depth_sum == search.counters.depth_max * 30 == 30
        assert len(rows_of(search._memory.graph)) == 1
        assert search.revisits == (), "the end of a game is not kept as a state"
