"""What a plan tells: names, alternatives, statistics that can be counted again, JSON; and nothing is left behind."""

from __future__ import annotations

import gc
import json
from dataclasses import asdict
from typing import Any

import pytest
from planner_games import (
    HOME,
    JUDGES_NOTHING,
    ORDERS,
    TURN_PLANNERS,
    after,
    all_turns,
    coin,
    errands,
    game_of,
    is_whole_turn,
    plain_errands,
    states_of,
    turn_continues,
    worth,
)
from planner_positions import skirmish
from planner_trees import edges_of
from slow_parameters import rest_slow

from tactician.contract import State
from tactician.contract.random import stream
from tactician.planners import EMCTS, MCTS, OEP, PLANNERS, GreedyOEP, GreedyTurn, PermutationOEP, Plan
from tactician.planners.genome import turn_list

SEARCHING = [name for name in TURN_PLANNERS if name not in (*JUDGES_NOTHING, "greedy-action")]
WITH_ALTERNATIVES = [
    name for name in (*TURN_PLANNERS, "fdts", "mcs", "simultaneous-mcts") if name not in JUDGES_NOTHING
]
BUDGETS = ["150evals", "1000evals", "3000evals"]


def planned(planner: str, state: State, budget: str = "1000evals") -> Plan:
    return PLANNERS[planner]().on(state.game, seed=1).plan(state, budget)


@pytest.mark.parametrize("planner", TURN_PLANNERS)
def test_every_action_has_the_name_it_has_where_it_is_taken(planner: str) -> None:
    for state in (states_of("hero-academy")[10], states_of("amazons")[0], errands(2).initial_state(1)):
        plan, now = planned(planner, state), state.copy()
        assert len(plan.names) == len(plan.actions)
        for action, name in zip(plan.actions, plan.names, strict=True):
            assert name == now.action_name(action)
            assert name
            assert not name.isdigit()
            now.apply(action)
        assert str(plan).startswith("; ".join(plan.names))


@pytest.mark.parametrize("planner", TURN_PLANNERS)
@pytest.mark.parametrize("budget", rest_slow(BUDGETS, BUDGETS[:1]))
def test_a_plan_is_json_and_back(planner: str, budget: str) -> None:
    for game in ("hero-academy", "errands", "plain-errands"):
        plan = planned(planner, states_of(game)[10], budget)
        # Strict: a document with NaN or Infinity in it is none.
        data = json.loads(json.dumps(plan.to_json(), allow_nan=False))
        assert data["actions"] == list(plan.actions)
        assert data["names"] == list(plan.names)
        assert data["value"] == plan.value
        assert data["stats"] == json.loads(json.dumps(asdict(plan.stats)))
        assert [a["actions"] for a in data["alternatives"]] == [list(a.actions) for a in plan.alternatives]


@pytest.mark.parametrize("planner", WITH_ALTERNATIVES)
@pytest.mark.parametrize("budget", BUDGETS)
def test_alternatives_are_whole_different_turns_best_first_after_the_plan(planner: str, budget: str) -> None:
    for game in ("hero-academy", "amazons", "errands-3"):
        state = states_of(game)[11]
        plan = planned(planner, state, budget)
        found = plan.alternatives
        assert 0 < len(found) <= 10
        assert found[0].actions == plan.actions
        assert len({a.actions for a in found}) == len(found)
        assert [a.value for a in found[1:]] == sorted((a.value for a in found[1:]), reverse=True)
        for alternative in found:
            assert alternative.count > 0
            assert len(alternative.names) == len(alternative.actions)
            assert is_whole_turn(state, alternative.actions)


@pytest.mark.parametrize("planner", ["auto", "reply", "coevolution"])
@pytest.mark.parametrize(("game", "number"), [("hero-academy", 11), ("amazons", 12)])
def test_planners_that_look_at_replies_also_list_turns_that_got_no_reply_of_their_own(
    planner: str, game: str, number: int
) -> None:
    """One reply refutes many turns, so often only the best turn got its own; there are more to choose from."""
    plan = planned(planner, states_of(game)[number], "20000evals")
    assert len(plan.alternatives) > 5
    assert plan.value == plan.alternatives[0].value


@pytest.mark.parametrize("planner", ["greedy-action", "greedy-turn", "oep", "greedy-oep", "emcts", *ORDERS[2:4]])
def test_planners_that_value_whole_turns_list_each_with_its_own_value(planner: str) -> None:
    state = states_of("hero-academy")[11]
    plan = planned(planner, state)
    assert plan.value == plan.alternatives[0].value
    for alternative in plan.alternatives:
        assert alternative.value == worth(after(state, alternative.actions), state.current_player())


def test_nothing_that_was_valued_is_better_than_what_is_listed() -> None:
    """Greedy Turn has seen all turns of a small game."""
    state = states_of("errands")[0]
    player = state.current_player()
    outcomes = {end.key(): worth(end, player) for _, end in all_turns(state)}
    found = planned("greedy-turn", state, "20000evals").alternatives
    assert [a.value for a in found] == sorted(outcomes.values(), reverse=True)[:10]
    assert len({after(state, a.actions).key() for a in found}) == len(found)


@pytest.mark.parametrize("seed", range(12))
def test_bridge_burning_spends_its_budget_and_values_its_turn_also_where_a_turn_can_end_early(seed: int) -> None:
    state = errands(2, energy=5).initial_state(seed)
    plan = planned("bridge-burning-mcts", state, "2000its")
    assert plan.stats.iterations == 2000
    assert plan.value is not None
    assert plan.actions[0] != HOME  # nobody earns anything at home
    assert {a.actions[0] for a in plan.alternatives} <= set(state.legal_actions())


def test_a_greedy_population_that_was_stopped_in_the_middle_has_no_empty_alternatives() -> None:
    state = states_of("hero-academy")[11]
    agent = GreedyOEP(population=4).on(state.game)
    for n in range(100, 400, 7):
        assert all(is_whole_turn(state, a.actions) for a in agent.plan(state, f"{n}evals").alternatives)


@pytest.mark.parametrize("planner", ["greedy-action", "greedy-turn", "oep", "greedy-oep", "emcts", *ORDERS[2:]])
def test_the_value_of_a_plan_is_that_of_the_state_it_ends_in(planner: str) -> None:
    for game in ("hero-academy", "amazons", "errands", "errands-3"):
        for state in states_of(game)[::20]:
            plan = planned(planner, state)
            assert plan.value == worth(after(state, plan.actions), state.current_player())


@pytest.mark.parametrize("planner", JUDGES_NOTHING)
def test_who_judges_nothing_has_no_opinion(planner: str) -> None:
    plan = planned(planner, states_of("hero-academy")[0])
    assert plan.value is None
    assert (plan.stats.evaluations, plan.stats.iterations, plan.stats.sequences) == (0, 1, 1)


# -- statistics ------------------------------------------------------------------------------------------------------


def test_unique_outcomes_of_a_population_can_be_counted_again() -> None:
    """Run genome by genome and look at every turn that is made."""
    for planner in (OEP(population=10), GreedyOEP(population=10)):
        state = states_of("hero-academy")[10]
        search: Any = planner.search(state.game)
        search.begin(state.words, state.current_player(), stream(1), _many())
        ends, made = set(), 0
        for _ in range(120):
            p = search._population
            slot = p.cursor[0].slot
            search.advance(1)
            made += 1
            if slot < 9:
                ends.add(after(state, turn_list(p.turns, p.order[slot])).words.tobytes())
        assert search.counters.sequences == made
        # The last genome of each generation is sorted away before it can be looked at.
        assert len(ends) <= search.counters.unique <= len(ends) + made // 5


def test_unique_outcomes_of_mutations_can_be_counted_again() -> None:
    state = states_of("hero-academy")[10]
    search: Any = EMCTS(memory_mb=1).search(state.game)
    search.begin(state.words, state.current_player(), stream(1), _many())
    search.advance(400)
    f = search._forest
    ends = {after(state, turn_list(f.turns, n)).words.tobytes() for n in range(f.progress[0].nodes)}
    assert search.counters.unique == len(ends)
    assert search.counters.sequences == f.progress[0].nodes


@pytest.mark.parametrize("name", ["skirmish", "errands", "amazons"])
def test_unique_outcomes_of_a_whole_depth_first_search_are_all_there_are(name: str) -> None:
    state = {"skirmish": skirmish(), "errands": errands(2).initial_state(2), "amazons": states_of("amazons")[0]}[name]
    stats = GreedyTurn().on(state.game).plan(state, "1000000evals").stats
    # Where only the end of the turn is left, the state before it counts: it is not looked up once more.
    ends = set()
    for turn, end in all_turns(state):
        before = after(state, turn[:-1])
        ends.add((before if len(before.candidate_actions()) == 1 else end).words.tobytes())
    assert stats.unique_outcomes == len(ends)


def test_unique_outcomes_of_orders_can_be_counted_again() -> None:
    state = errands(2).initial_state(2)
    search: Any = PermutationOEP().search(state.game)
    search.begin(state.words, 0, stream(1), _many())
    ends = set()
    for number in range(300):
        search.advance(1)
        ends.add(after(state, turn_list(search._pair.turns, int(number > 0))).words.tobytes())
    assert search.counters.unique == len(ends)


def test_unique_outcomes_of_a_tree_are_its_nodes_beyond_the_turn() -> None:
    state = states_of("errands")[0]
    search: Any = MCTS(memory_mb=1).search(state.game)
    search.begin(state.words, state.current_player(), stream(1), _many())
    search.advance(1500)
    t, ends = search._tree, set()
    waiting: list[tuple[int, State]] = [(0, state)]
    while waiting:
        node, now = waiting.pop()
        if not turn_continues(now, state.current_player()):
            ends.add(now.words.tobytes())
            continue
        for edge in edges_of(t, node):
            waiting.append((edge.child, after(now, [a for a in (edge.action, edge.forced) if a >= 0])))
    assert search.counters.unique == len(ends)


def _many() -> Any:
    from tactician.seats import Budget

    return Budget(ms=1e9)


@pytest.mark.parametrize("planner", SEARCHING)
def test_statistics_are_sane(planner: str) -> None:
    game = game_of("hero-academy")
    for state in states_of("hero-academy")[::25]:
        stats = planned(planner, state, "2000evals").stats
        assert 0 < stats.sequences <= stats.evaluations <= 2000
        assert 0 <= stats.unique_outcomes <= stats.sequences
        assert stats.unique_outcomes > 0 or "mcts" in planner, "only a tree may fail to reach the end of the turn"
        assert stats.branching == 0 if planner in ORDERS else 1 <= stats.branching <= game.max_actions
        assert 0 <= stats.mean_depth <= max(1, stats.max_depth)
        assert stats.time_ms > 0
        assert not stats.interrupted


def test_the_depth_of_a_tree_grows_with_the_budget() -> None:
    state = states_of("hero-academy")[10]
    shallow, deep = planned("mcts", state, "10its").stats, planned("mcts", state, "20000its").stats
    assert shallow.max_depth == 1
    assert deep.max_depth > 1
    assert 1 < deep.mean_depth <= deep.max_depth


def test_a_tree_that_does_not_reach_the_end_of_the_turn_says_what_was_filled_in() -> None:
    state = game_of("hero-academy").initial_state(3)  # three action points
    assert planned("mcts", state, "1its").stats.completed == 2
    assert planned("mcts", state, "200000its").stats.completed == 0


# -- nothing is left behind ------------------------------------------------------------------------------------------


@pytest.mark.parametrize("planner", rest_slow(TURN_PLANNERS, ["greedy-turn", "mcts", "oep", "emcts", "reply"]))
def test_searches_in_a_plain_game_leave_no_states_behind(planner: str) -> None:
    game = plain_errands(2)
    state, agent = game.initial_state(3), PLANNERS[planner]().on(game)
    gc.collect()
    handles = game.backend.handles
    assert handles is not None
    before = len(handles)
    for ply in range(20):
        agent.plan(state, "40evals", ply=ply)
    gc.collect()
    assert len(handles) == before


def test_a_plan_that_is_kept_can_be_named_later() -> None:
    """The plan holds on to where it began, also when its game has forgotten everything else."""
    game = plain_errands(2)
    plan = OEP().on(game).plan(game.initial_state(3), "200evals")
    gc.collect()
    assert len(plan.names) == len(plan.actions)
    assert all(len(a.names) == len(a.actions) for a in plan.alternatives)


@pytest.mark.slow
@pytest.mark.parametrize("planner", ["greedy-turn", "mcts", "oep", "emcts"])
def test_ten_thousand_searches_leave_no_states_behind(planner: str) -> None:
    game = coin()
    state, agent = game.initial_state(), PLANNERS[planner]().on(game)
    handles = game.backend.handles
    assert handles is not None
    before = len(handles)
    for ply in range(10_000):
        agent.plan(state, "3evals", ply=ply)
    gc.collect()
    assert len(handles) == before
