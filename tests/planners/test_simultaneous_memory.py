"""What is kept from move to move: found again, never mixed up, within its bounds."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from planner_games import game_of, is_whole_turn
from simultaneous_games import (
    EVERYTHING,
    FIRST_WORD_SAME,
    NO_CLOCK,
    SECOND_WORD_SAME,
    chase,
    goofspiel,
    ring,
)
from simultaneous_model import decoupled, rows_of

from tactician.contract import Game, State
from tactician.contract.random import stream
from tactician.errors import InvalidParameterError
from tactician.planners import FDTS, MCS, SimultaneousAgent, SimultaneousMCTS, graph
from tactician.planners.decoupled import DecoupledSearch
from tactician.planners.graph import StateMemory
from tactician.planners.simultaneous import SimultaneousPlanner
from tactician.seats import Budget

MEGABYTE = 2**20
BIG: dict[str, Any] = {"players": 4, "size": 30, "steps": 90, "chance": True}


def memory_of(agent: SimultaneousAgent) -> StateMemory:
    return decoupled(agent)._memory


def known(agent: SimultaneousAgent, state: State, player: int = 0) -> float:
    """How often a player's actions in a state have been tried, before anything more is done there."""
    search = agent._search
    search.begin(state.words, player, stream(0), Budget(iterations=1))
    return sum(visits for _, _, visits in search.choices(player))


def begun(planner: SimultaneousPlanner, state: State, seed: int = 0) -> DecoupledSearch:
    search = planner.search(state.game)
    search.begin(state.words, 0, stream(seed), Budget(iterations=10**9))
    return search


def free(game: Game) -> State:
    """A start from which everybody has a choice."""
    starts = (game.initial_state(seed) for seed in range(99))
    return next(s for s in starts if all(len(s.candidate_actions(p)) > 1 for p in range(game.players)))


def step(agent: SimultaneousAgent, state: State, ply: int, budget: str) -> None:
    state.apply([plan.actions[0] for plan in agent.plan_all(state, budget, ply=ply)])


# -- from move to move -----------------------------------------------------------------------------------------------


@pytest.mark.parametrize("planner", [FDTS(depth=4, bandit="ucb1"), SimultaneousMCTS(depth=4, bandit="ucb1")])
def test_a_state_that_was_searched_is_known_when_it_is_reached(planner: SimultaneousPlanner) -> None:
    game = ring(2)
    state, agent = game.initial_state(2), planner.on(game)
    forgetful = replace(planner, reuse=False).on(game)
    for one in (agent, forgetful):
        one.plan(state, "300its", seat=0)
    plans = agent.plan_all(state, "1its")
    after = state.copy().apply([plan.actions[0] for plan in plans])
    player = next(p for p in (0, 1) if len(after.candidate_actions(p)) > 1)
    assert known(agent, after, player) > 20
    assert known(forgetful, after, player) == 0


def test_mcs_knows_a_state_only_where_a_plan_was_made() -> None:
    game = ring(2, identity=NO_CLOCK)
    state, agent = free(game), MCS(bandit="ucb1", reuse=True).on(game)
    agent.plan(state, "50its", seat=0)
    assert known(agent, state) == 50
    agent.plan(state, "50its", seat=0)
    assert known(agent, state) == 100


@pytest.mark.parametrize("kind", [MCS, SimultaneousMCTS, FDTS])
def test_a_new_game_and_another_seed_forget_everything(kind: type[SimultaneousPlanner]) -> None:
    game = ring(2)
    state, agent = free(game), kind(bandit="ucb1", reuse=True).on(game)
    first = agent.plan(state, "80its", seat=0)
    for forget in (agent.new_game, lambda: agent.seeded(0)):
        assert known(agent, state) >= 80
        forget()
        assert memory_of(agent).graph.size[0].nodes == 0
        assert known(agent, state) == 0
        agent.new_game()
        again = agent.plan(state, "80its", seat=0)
        assert (again.actions, again.alternatives) == (first.actions, first.alternatives)
    assert agent.seeded(5).seed == 5


def test_a_warm_up_leaves_nothing_behind() -> None:
    assert memory_of(FDTS().on(ring(2))).graph.size[0].nodes == 0


def test_plain_games_need_a_key_for_their_states_to_be_known_again() -> None:
    """The number of a plain object is good for one search; what it says of itself lasts."""
    for game, lasts in ((chase(), True), (goofspiel(4, 2), False)):
        state, agent = game.initial_state(), FDTS(depth=3, bandit="ucb1").on(game)
        step(agent, state, 0, "400its")
        with game.searching():
            assert (known(agent, state, 1) > 0) == lasts


# -- what makes two states the same ----------------------------------------------------------------------------------


@pytest.mark.parametrize("identity", [FIRST_WORD_SAME, SECOND_WORD_SAME])
@pytest.mark.parametrize("planner", [FDTS(depth=5), SimultaneousMCTS(depth=5)])
def test_digests_that_differ_in_one_word_only_are_told_apart(planner: SimultaneousPlanner, identity: int) -> None:
    rows = []
    for chosen in (EVERYTHING, identity):
        search = begun(planner, ring(3, identity=chosen).initial_state(4))
        search.advance(150)
        used = int(search._memory.graph.size[0].nodes)
        words = search._memory.graph.digest[:used]
        assert len({tuple(pair) for pair in words.tolist()}) == used
        rows.append(rows_of(search._memory.graph))
    assert rows[0] == rows[1]
    same = identity - FIRST_WORD_SAME
    assert set(words[:, same].tolist()) == {5}


def test_the_games_key_leaves_out_what_the_game_leaves_out_and_the_exact_one_nothing() -> None:
    state = ring(2, size=3, steps=60, identity=NO_CLOCK).initial_state(1)
    counted = {}
    for key in ("game", "exact"):
        search = begun(FDTS(depth=12, key=key), state)
        search.advance(300)
        counted[key] = int(search._memory.graph.size[0].nodes)
    assert counted["game"] < counted["exact"]
    with_clock = begun(FDTS(depth=12), ring(2, size=3, steps=60, identity=EVERYTHING).initial_state(1))
    exact = begun(FDTS(depth=12, key="exact"), ring(2, size=3, steps=60, identity=EVERYTHING).initial_state(1))
    for search in (with_clock, exact):
        search.advance(300)
    assert rows_of(with_clock._memory.graph) == rows_of(exact._memory.graph)


def test_a_state_at_another_time_is_known_by_the_games_key_only() -> None:
    """Both walkers are on the second of two cells and the pot stays on the first: only time passes."""
    game = ring(2, size=2, steps=9, identity=NO_CLOCK)
    starts = (game.initial_state(seed) for seed in range(99))
    earlier = next(s for s in starts if s.record.place.tolist()[:2] == [1, 1] and s.record.pot == 0)
    later = earlier.copy().apply([0, 0])
    assert earlier != later
    assert earlier.digest() == later.digest()
    for planner, nodes in ((FDTS(), 1), (FDTS(key="exact"), 2)):
        search = begun(planner, earlier)
        search.begin(later.words, 0, stream(0), Budget(iterations=1))
        assert search._memory.graph.size[0].nodes == nodes


# -- growing ---------------------------------------------------------------------------------------------------------


def test_growth_moves_every_arm(monkeypatch: pytest.MonkeyPatch) -> None:
    """A search that starts small and grows several times is in the end what one that never has to grow is."""
    state = ring(**BIG).initial_state(1)
    small = begun(FDTS(depth=20, memory_mb=64), state)
    monkeypatch.setattr(graph, "_SMALLEST", 1 << 16)
    big = begun(FDTS(depth=20, memory_mb=64), state)
    sizes = set()
    for _ in range(12):
        for search in (small, big):
            search.advance(100)
        pools = [search._memory.graph for search in (small, big)]
        nodes, arms = pools[0].size[0].nodes, pools[0].size[0].arms
        for part in ("digest", "first", "arm_count", "stamp", "tries"):
            assert np.array_equal(*(getattr(one, part)[:nodes] for one in pools))
        for part in ("action", "arms"):
            assert np.array_equal(*(getattr(one, part)[:arms] for one in pools))
        sizes.add(small._memory.graph.digest.shape[0])
    assert len(sizes) > 2
    assert big._memory.graph.digest.shape[0] == 1 << 16
    assert small.work.rng.tolist() == big.work.rng.tolist()


@settings(max_examples=10, deadline=None)
@given(simulations=st.integers(0, 150), seed=st.integers(0, 20), factor=st.sampled_from([2, 4]))
def test_a_bigger_pool_holds_the_same_nodes(simulations: int, seed: int, factor: int) -> None:
    search = begun(FDTS(depth=15), ring(3, size=9, steps=40, chance=True).initial_state(seed), seed)
    search.advance(simulations)
    old = search._memory.graph
    used, rows = old.size[0].nodes, rows_of(old)
    kept = {part: getattr(old, part)[:used].copy() for part in ("digest", "stamp", "tries", "arm_count")}
    new = search._memory._of_size(factor * old.digest.shape[0], factor * old.action.shape[0])
    graph._enter_all(new)
    assert rows_of(new) == rows
    for part, content in kept.items():
        assert np.array_equal(getattr(new, part)[:used], content)
    assert new.size[0].nodes == used
    assert_every_node_is_found(new)


def assert_every_node_is_found(pools: graph.Graph) -> None:
    """Every node is in the hash table once, and reached from its own place in it without a gap."""
    used, size = pools.size[0].nodes, pools.slots.shape[0]
    assert sorted(pools.slots[pools.slots > 0].tolist()) == list(range(1, used + 1))
    for node in range(used):
        place = int(pools.digest[node, 0]) % size
        while pools.slots[place] != node + 1:
            assert pools.slots[place] != 0
            place = (place + 1) % size


# -- forgetting ------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("kind", [SimultaneousMCTS, FDTS])
def test_memory_stays_within_its_bound_and_plans_stay_legal(kind: type[SimultaneousPlanner]) -> None:
    game = ring(**BIG)
    state, agent = game.initial_state(3), kind(memory_mb=1, bandit="ucb1").on(game, seed=2)
    for ply in range(12):
        plans = agent.plan_all(state, "900its" if kind is FDTS else "6000its", ply=ply)
        memory = memory_of(agent)
        assert decoupled(agent).memory_bytes <= MEGABYTE + 1000
        assert memory.graph.size[0].nodes <= memory.graph.digest.shape[0]
        assert memory.graph.size[0].arms <= memory.graph.action.shape[0]
        state.apply([plan.actions[0] for plan in plans])  # refuses what is not legal
    assert memory.forgotten > 3
    assert_every_node_is_found(memory.graph)


@given(st.integers(1, 60), st.integers(0, 2**31), st.integers(1, 4))
def test_forgetting_leaves_the_rest_as_it_was(simulations: int, seed: int, least: int) -> None:
    search = begun(FDTS(depth=15), ring(3, size=4, steps=40, chance=True).initial_state(seed), seed)
    search.advance(simulations)
    pools = search._memory.graph
    rest = [row for row in rows_of(pools) if row[0] >= least]
    graph._keep(pools, 0, least, graph._in_order(pools))
    assert rows_of(pools) == rest
    assert_every_node_is_found(pools)


def test_what_was_visited_lately_outlasts_what_was_not() -> None:
    game = ring(**BIG)
    state, search = game.initial_state(3), FDTS(memory_mb=1).search(game)
    for move in range(1, 12):
        search.begin(state.words, 0, stream(move), Budget(iterations=10**9))
        forgotten = search._memory.forgotten
        search.advance(150)
        pools = search._memory.graph
        stamps = pools.stamp[: pools.size[0].nodes]
        assert stamps.max() == move
        if search._memory.forgotten > forgotten:
            assert stamps.min() >= move - 1
        elif move < 3:
            assert stamps.min() == 1, "nothing is forgotten without need"
        state.apply([state.candidate_actions(player)[0] for player in range(4)])
    assert search._memory.forgotten > 1


@pytest.mark.parametrize("kind", [SimultaneousMCTS, FDTS])
def test_one_long_search_never_forgets_the_present_state(kind: type[SimultaneousPlanner]) -> None:
    """When all of it is of this move, what was tried least goes first; the choice rests on every simulation."""
    state = ring(**BIG).initial_state(3)
    search = begun(kind(memory_mb=1, bandit="ucb1"), state)
    while search._memory.forgotten < 4:
        search.advance(500)
    for player in range(4):
        tried = sum(visits for _, _, visits in search.choices(player))
        assert tried == search.counters.iterations
    pools = search._memory.graph
    assert Counter(pools.tries[: pools.size[0].nodes].tolist()).most_common(1)[0][0] < search.counters.iterations


def test_a_bound_that_is_too_small_for_the_game_is_refused() -> None:
    with pytest.raises(
        InvalidParameterError, match=r"memory_mb is 1; expected at least \d+ for this search in 'hero-academy'\."
    ):
        FDTS(depth=1000, memory_mb=1).on(game_of("hero-academy"))


def test_forgetting_in_a_game_with_turns_leaves_whole_turns() -> None:
    game = game_of("errands-3")
    state = game.initial_state(1)
    agent = FDTS(depth=12, memory_mb=1).on(game)
    while not state.is_over():
        plan = agent.plan(state, "3000its")
        assert is_whole_turn(state, plan.actions)
        for action in plan.actions:
            state.apply(action)


def test_searches_of_different_games_share_nothing() -> None:
    games: list[Game] = [ring(2), ring(2, size=5)]
    agents = [FDTS().on(game) for game in games]
    agents[0].plan(games[0].initial_state(1), "50its", seat=0)
    assert memory_of(agents[1]).graph.size[0].nodes == 0
