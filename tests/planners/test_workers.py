"""Several workers for one plan: the same plan for the same number, all of the budget and no more, nothing lost."""

from __future__ import annotations

import asyncio
import threading
from typing import Any

import numpy as np
import pytest
from planner_games import ORDERS, errands, is_whole_turn, morra, plain_errands, states_of
from planner_trees import edges_of
from wrong_rules import steps

from tactician.contract import State
from tactician.errors import InvalidParameterError, RuleFailureError
from tactician.planners import FDTS, MCTS, OEP, GreedyTurn, SearchAgent
from tactician.planners.base import Agent
from tactician.planners.registry import parse_planner
from tactician.planners.team import shares
from tactician.seats import Budget

TURN_PLANNERS = [
    "oep",
    "greedy-oep",
    "emcts",
    "mcts",
    "mcts:transpositions=false",
    "non-exploring-mcts",
    "bridge-burning-mcts",
    "greedy-turn",
    "determinized",
    "mcs",
    "fdts",
    "greedy-action",
    "random",
    "annealing",
    "coevolution",
    "reply",
    "reply:planner=greedy-turn,answer=greedy-action",
    "auto",
    "auto:planner=emcts",
]
JUDGED_BY_REPLIES = ["coevolution", "reply", "reply:planner=greedy-turn,answer=greedy-action", "auto"]


def a_state(number: int = 20) -> State:
    return states_of("hero-academy")[number]


def agent_of(planner: str, state: State, workers: int, seed: int = 3) -> Agent:
    text = f"{planner}{',' if ':' in planner else ':'}workers={workers}"
    return parse_planner(text).on(state.game, seed=seed)


@pytest.mark.parametrize("planner", [*TURN_PLANNERS, *ORDERS])
def test_with_a_counted_budget_the_plan_depends_on_the_number_of_workers_alone(planner: str) -> None:
    state = a_state()
    plans = [agent_of(planner, state, 3).plan(state, "900evals", ply=5) for _ in range(2)]
    assert plans[0].actions == plans[1].actions
    assert plans[0].value == plans[1].value
    assert plans[0].alternatives == plans[1].alternatives
    assert is_whole_turn(state, plans[0].actions)


@pytest.mark.parametrize("planner", ["oep", "emcts", "mcts"])
def test_workers_share_the_evaluations_and_spend_all_of_them(planner: str) -> None:
    state = a_state()
    assert agent_of(planner, state, 3).plan(state, "1000evals").stats.evaluations == 1000


@pytest.mark.parametrize("budget", [2, 150, 1500, 6000])
@pytest.mark.parametrize("planner", JUDGED_BY_REPLIES)
def test_judging_turns_by_the_replies_of_all_workers_is_part_of_the_budget(planner: str, budget: int) -> None:
    state = a_state()
    plan = agent_of(planner, state, 3).plan(state, f"{budget}evals")
    assert plan.stats.evaluations <= budget
    assert is_whole_turn(state, plan.actions)


def test_the_turns_of_all_workers_are_judged_by_the_replies_of_all() -> None:
    """So none of them is worth more than the worker thinks that found it."""
    state = a_state(72)
    agent = agent_of("coevolution:alternatives=50", state, 3)
    assert isinstance(agent, SearchAgent)
    plan = agent.plan(state, "6000evals")
    thought: dict[tuple[int, ...], float] = {}
    for worker in agent._workers:
        for turn, value, _ in worker.alternatives(100):
            thought[tuple(turn)] = max(value, thought.get(tuple(turn), value))
    assert len(plan.alternatives) > 1
    assert all(one.value <= thought[one.actions] for one in plan.alternatives)
    assert plan.value == max(one.value for one in plan.alternatives)
    assert any(one.value < thought[one.actions] for one in plan.alternatives)


@pytest.mark.parametrize("workers", [1, 2, 5])
def test_workers_share_the_answering_of_turns_that_all_of_them_know(workers: int) -> None:
    """With enough for all answers the value is that of the best turn, whoever answered it."""
    state = errands(2).initial_state(1)
    text = f"reply:planner=greedy-turn,answer=greedy-turn,workers={workers}"
    plan = parse_planner(text).on(state.game).plan(state, "400000evals")
    alone = parse_planner("reply:planner=greedy-turn,answer=greedy-turn").on(state.game).plan(state, "400000evals")
    assert plan.value == alone.value


def test_one_worker_plans_as_if_there_were_no_such_option() -> None:
    state = a_state()
    plain, one = (parse_planner(text).on(state.game, seed=3) for text in ("emcts", "emcts:workers=1"))
    assert plain.plan(state, "500evals").alternatives == one.plan(state, "500evals").alternatives


def test_counted_budgets_are_split_evenly_and_time_is_not() -> None:
    assert [share.evaluations for share in shares(Budget(evaluations=10), 3)] == [4, 3, 3]
    assert [share.iterations for share in shares(Budget(iterations=2), 5)] == [1, 1]
    assert [share.ms for share in shares(Budget(ms=20), 2)] == [20, 20]


@pytest.mark.parametrize("workers", [1, 2, 5, 60])
def test_workers_divide_the_first_actions_of_an_exhaustive_search(workers: int) -> None:
    """However many there are, together they see every turn, so the best value is the same."""
    state = errands(2).initial_state(1)
    plan = GreedyTurn(workers=workers).on(state.game).plan(state, "1000000its")
    assert plan.value == GreedyTurn().on(state.game).plan(state, "1000000its").value


def test_trees_are_read_off_by_the_sums_of_all_workers() -> None:
    state = a_state()
    alone = visits_at_root(MCTS(), state, "400its", 3)
    merged = visits_at_root(MCTS(workers=3), state, "1200its", 3)
    assert sum(alone.values()) == 400
    assert sum(merged.values()) == 1200
    assert all(merged[action] >= alone[action] for action in alone)


def visits_at_root(planner: Any, state: State, budget: str, seed: int) -> dict[int, int]:
    agent = planner.on(state.game, seed=seed)
    agent.plan(state, budget)
    search = agent._search
    return {edge.action: edge.visits for edge in edges_of(search._tree, search._progress.root)}


def test_simultaneous_workers_add_up_what_they_know_of_a_state_but_remember_only_their_own() -> None:
    state = morra().initial_state()
    agent = FDTS(workers=2, depth=1).on(state.game, full_information=True)
    for _ in range(3):
        agent.plan(state, "100its", seat=0)
    # With memory of earlier moves: 3 times 100 simulations, none of them counted twice.
    assert sum(visits for _, _, visits in agent.estimates(0)) == 300


def test_a_state_of_plain_objects_is_searched_by_one_worker_after_the_other() -> None:
    state = plain_errands(2).initial_state(1)
    for planner in (OEP(workers=2), MCTS(workers=2)):
        plan = planner.on(state.game).plan(state, "300evals")
        assert plan.stats.evaluations == 300
        assert is_whole_turn(state, plan.actions)
        timed = planner.on(state.game).plan(state, "20ms")
        assert is_whole_turn(state, timed.actions)


def test_what_a_rule_raises_in_any_worker_reaches_the_caller() -> None:
    game = steps(evaluate=not_a_number_after_a_turn)
    agent = MCTS(workers=3).on(game)
    with pytest.raises(RuleFailureError, match=r"rule 'evaluate' .* expected finite numbers"):
        agent.plan(game.initial_state(), "3000evals")


def not_a_number_after_a_turn(g: Any, s: Any, out: Any) -> None:
    out[0] = np.nan if s.turns > 1 else 0.0
    out[1] = 0.0


@pytest.mark.parametrize("workers", [0, -1, 257, True, 1.5, "two"])
def test_a_number_of_workers_that_makes_no_sense_is_refused(workers: Any) -> None:
    with pytest.raises(InvalidParameterError, match=r"workers of 'oep' is .*; expected 1 to 256"):
        OEP(workers=workers)


# -- other threads ---------------------------------------------------------------------------------------------------


def test_agents_in_several_threads_plan_as_they_do_alone() -> None:
    state = a_state()
    alone = [agent_of("emcts", state, 1, seed).plan(state, "3000evals").actions for seed in range(4)]
    agents = [agent_of("emcts", state, 1, seed) for seed in range(4)]
    found: dict[int, tuple[int, ...]] = {}

    def think(number: int) -> None:
        found[number] = agents[number].plan(state, "3000evals").actions

    threads = [threading.Thread(target=think, args=(number,)) for number in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert [found[number] for number in range(4)] == alone


def test_a_plan_can_be_awaited() -> None:
    state = a_state()
    agent = agent_of("oep", state, 2)
    assert isinstance(agent, SearchAgent)
    awaited = asyncio.run(agent.plan_async(state, "2000evals", ply=1))
    assert awaited.actions == agent.plan(state, "2000evals", ply=1).actions


@pytest.mark.parametrize("workers", [1, 2])
def test_a_cancelled_plan_ends_at_once_and_the_agent_can_plan_again(workers: int) -> None:
    state = a_state()
    agent = agent_of("mcts", state, workers)
    assert isinstance(agent, SearchAgent)
    expected = agent.plan(state, "500evals").actions

    async def cancelled() -> None:
        started = threading.Event()
        agent.listen(lambda snapshot: started.set(), every=0.0)
        task = asyncio.create_task(agent.plan_async(state, "1000000000000evals"))
        while not started.is_set():
            await asyncio.sleep(0.001)
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task

    asyncio.run(cancelled())  # would take months
    agent.listen(None)
    assert agent.plan(state, "500evals").actions == expected
