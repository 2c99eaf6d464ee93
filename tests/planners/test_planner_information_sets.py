"""Information-set MCTS: one tree over what the player sees, whatever the guesses."""

from __future__ import annotations

from dataclasses import replace
from functools import cache
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from planner_games import game_of, is_whole_turn, states_of
from planner_information import HandsRules, SlowInformationSets, hands
from test_planner_determinized import Shell, ShellRules
from test_planner_hidden import game as hidden_academy
from test_planner_hidden import middle_of_a_game, told

from tactician.contract import Game, State
from tactician.contract.plain import plain
from tactician.contract.random import stream
from tactician.games.locm import locm
from tactician.planners import MCTS, Agent, Clairvoyant, Determinized, InformationSetMCTS, SearchAgent
from tactician.seats import Budget

NAMED = {
    "default": InformationSetMCTS(),
    "tree, not graph": InformationSetMCTS(transpositions=False, exploration=0.2),
    "no rollouts": InformationSetMCTS(rollout_turns=0, exploration=0.1),
    "two turns": InformationSetMCTS(rollout_turns=2, epsilon=0.0),
    "to the end": InformationSetMCTS(rollout_turns=-1, epsilon=1.0, exploration=0.3),
}


def begun(planner: InformationSetMCTS, state: State, seed: int, iterations: int) -> Any:
    search: Any = replace(planner, memory_mb=1).search(state.game)
    search.begin(state.words, state.current_player(), stream(seed), Budget(iterations=iterations))
    return search


def rows_of(search: Any) -> list[tuple[int, int, int, float]]:
    edges = search._tree.edges[: int(search._tree.size[0].edges)]
    return [(int(e.action), int(e.visits), int(e.available), float(e.value)) for e in edges]


# -- against the model and against MCTS ------------------------------------------------------------------------------


@pytest.mark.parametrize("name", NAMED)
@pytest.mark.parametrize("turn", [0, 1])
def test_the_tree_is_the_models_after_every_iteration(name: str, turn: int) -> None:
    planner, game, seed = NAMED[name], hands(), 3
    state = game.initial_state(5)
    while state.to_json()[-1] < turn:
        state.apply(state.legal_actions()[0])
    player = state.current_player()
    with game.searching():
        model = SlowInformationSets(planner, HandsRules().observe(state.thing, player), player, seed)  # type: ignore[attr-defined]
        search = begun(planner, state, seed, 400)
        for _ in range(300):
            model.iterate()
            search.advance(1)
            assert rows_of(search) == model.rows()
        assert search.work.rng.tolist() == list(model.chance._words), "another number of random draws"
        assert int(search._tree.size[0].nodes) == len(model.nodes)
        best = max(model.nodes[model.root].items(), key=lambda item: item[1].value / item[1].visits)
        assert search.best()[0][0] == best[0]


@pytest.mark.parametrize("game", ["amazons", "errands", "errands-3", "plain-errands"])
@settings(max_examples=15, deadline=None)
@given(number=st.integers(0, 159), seed=st.integers(0, 2**32), iterations=st.integers(1, 600))
def test_where_nothing_is_hidden_it_plans_as_mcts_without_transpositions(
    game: str, number: int, seed: int, iterations: int
) -> None:
    states = states_of(game)
    state = states[number % len(states)]
    ours, theirs = (agent.seeded(seed).plan(state, f"{iterations}its", ply=1) for agent in _both_on(game))
    assert (ours.actions, ours.value) == (theirs.actions, theirs.value)
    assert (ours.stats.nodes, ours.stats.max_depth) == (theirs.stats.nodes, theirs.stats.max_depth)


@cache
def _both_on(game: str) -> tuple[Agent, Agent]:
    ours = InformationSetMCTS(transpositions=False, memory_mb=8).on(game_of(game))
    return ours, MCTS(transpositions=False, memory_mb=8).on(game_of(game))


# -- what is hidden stays hidden -------------------------------------------------------------------------------------


@cache
def _agent(game: Game) -> Agent:
    return InformationSetMCTS(memory_mb=8).on(game)


@settings(max_examples=25, deadline=None)
@given(start=st.integers(0, 10**6), turns=st.integers(0, 8), secret=st.integers(0, 10**6), seed=st.integers(0, 10**6))
def test_a_plan_is_the_same_in_every_world_that_looks_the_same(start: int, turns: int, secret: int, seed: int) -> None:
    game = _locm()
    state = game.initial_state(start)
    for _ in range(turns):
        player = state.current_player()
        while not state.is_over() and state.current_player() == player:
            state.apply(state.candidate_actions()[0])
    if state.is_over():
        return
    other = state.resample_hidden(state.current_player(), secret)
    agent = _agent(game).seeded(seed)
    assert told(agent.plan(state, "120its", ply=3)) == told(agent.plan(other, "120its", ply=3))


@cache
def _locm() -> Game:
    return locm()


def test_every_edge_was_available_at_least_as_often_as_it_was_taken() -> None:
    search = begun(InformationSetMCTS(), middle_of_a_game(), 1, 3000)
    search.advance(3000)
    rows = rows_of(search)
    assert all(visits <= available for _, visits, available, _ in rows)
    assert any(visits < available for _, visits, available, _ in rows)
    assert len({available for _, _, available, _ in rows if available > 1}) > 5, "all worlds allowed the same"


# -- what it is for --------------------------------------------------------------------------------------------------


class Safe(ShellRules):
    """Three secrets, four answers: naming the secret is best, missing it terrible; 'safe' is good in every world."""

    safe = 3
    worth: Any = ((9.0, -9.0, -9.0), (-9.0, 9.0, -9.0), (-9.0, -9.0, 9.0), (4.0, 4.0, 4.0))

    def is_over(self, state: Shell) -> bool:
        return state.choice >= 0

    def legal_actions(self, state: Shell, player: int) -> list[int]:
        return list(range(len(self.worth)))

    def returns(self, state: Shell) -> list[float]:
        return [value / 10 for value in self.evaluate(state)]


class BoldOrCareful(Safe):
    """The answers of the shell game: 'bold' is best in two worlds of three, 'careful' on average."""

    worth = ShellRules.worth


@cache
def safe() -> Game:
    return plain(Safe(), name="safe", max_actions=4, value_range=(-10.0, 10.0))


def test_it_finds_the_turn_that_is_best_on_average_and_best_in_no_world() -> None:
    state = safe().initial_state(1)
    fused = Determinized(planner="mcts", worlds=9, combine="vote").on(safe())
    assert all(fused.plan(state, "900its", ply=ply).actions != (Safe.safe,) for ply in range(5))
    honest = InformationSetMCTS().on(safe())
    plans = [honest.plan(state, "900its", ply=ply) for ply in range(5)]
    assert [plan.actions for plan in plans] == [(Safe.safe,)] * 5
    assert [plan.value for plan in plans] == [pytest.approx(4.0)] * 5


def test_it_weighs_what_is_at_stake() -> None:
    game = plain(BoldOrCareful(), name="bold-or-careful", max_actions=2, value_range=(-10.0, 10.0))
    agent = InformationSetMCTS().on(game)
    plans = [agent.plan(game.initial_state(seed), "600its", ply=seed) for seed in range(8)]
    assert {plan.actions for plan in plans} == {(BoldOrCareful.careful,)}


def test_who_cheats_names_the_secret() -> None:
    for seed in range(6):
        state = safe().initial_state(seed)
        plan = Clairvoyant(planner="mcts").on(safe()).plan(state, "200its")
        assert plan.actions == (state.to_json()[0],)


# -- budgets, memory, workers ----------------------------------------------------------------------------------------


def test_a_full_tree_continues_without_growing() -> None:
    state = middle_of_a_game()
    agent = InformationSetMCTS(memory_mb=1).on(hidden_academy())
    assert isinstance(agent, SearchAgent)
    plan = agent.plan(state, "25000its")
    assert plan.stats.iterations == 25_000
    assert agent._search.counters.cut > 0, "it was never full"
    assert is_whole_turn(state, plan.actions)


def test_several_workers_share_the_budget_and_plan_a_whole_turn() -> None:
    state = middle_of_a_game()
    agent = InformationSetMCTS(workers=3, memory_mb=24).on(hidden_academy(), seed=4)
    plan = agent.plan(state, "900its", ply=2)
    assert plan.stats.iterations == 900
    assert is_whole_turn(state, plan.actions)
    assert told(plan) == told(agent.plan(state, "900its", ply=2))


def test_alternatives_begin_with_different_actions_best_first() -> None:
    state = middle_of_a_game()
    plan = InformationSetMCTS().on(hidden_academy(), seed=4).plan(state, "3000its")
    assert plan.alternatives[0].actions == plan.actions
    assert len({other.actions[0] for other in plan.alternatives}) == len(plan.alternatives) > 3
    values = [other.value for other in plan.alternatives[1:]]  # the plan itself comes first
    assert values == sorted(values, reverse=True)
    assert all(is_whole_turn(state, other.actions) for other in plan.alternatives)
