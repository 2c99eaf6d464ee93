"""Budgets of simultaneous-move planners, what happens when something goes wrong, and how their agents are asked."""

from __future__ import annotations

import re
from dataclasses import replace
from itertools import pairwise
from typing import Any

import pytest
from planner_games import game_of, is_whole_turn, morra, states_of
from simultaneous_games import STAY, BrittleRules, chase, duel, prisoners, ring
from simultaneous_model import decoupled

from tactician.contract import Game, State
from tactician.contract.plain import plain
from tactician.errors import IllegalActionError, InvalidParameterError, RuleFailureError
from tactician.planners import (
    FDTS,
    MCS,
    PLANNERS,
    Plan,
    SimultaneousAgent,
    SimultaneousMCTS,
    parse_planner,
    search_agent,
)
from tactician.planners.simultaneous import SimultaneousPlanner
from tactician.planners.work import NO_LIMIT

ALL: list[SimultaneousPlanner] = [MCS(), SimultaneousMCTS(), SimultaneousMCTS(rollouts=False), FDTS()]


def told(plan: Plan) -> Any:
    """Everything a plan says but how long it took."""
    return plan.actions, plan.value, plan.alternatives, replace(plan.stats, time_ms=0.0)


# -- counted budgets -------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("planner", ALL, ids=str)
@pytest.mark.parametrize("game", [ring(3), chase(), game_of("errands")], ids=lambda game: game.name)
def test_so_many_simulations_and_evaluations_are_made_as_the_budget_says(
    planner: SimultaneousPlanner, game: Game
) -> None:
    agent, state = planner.on(game), game.initial_state(1)
    player = max(0, state.current_player())
    for n in (1, 2, 3, 17, 100, 333):
        for budget in (f"{n}its", f"{n}evals"):
            stats = agent.plan(state, budget, seat=player).stats
            assert stats.iterations == stats.evaluations == stats.sequences == n


@pytest.mark.parametrize("planner", ALL, ids=str)
def test_one_search_serves_all_seats(planner: SimultaneousPlanner) -> None:
    game = ring(4)
    plans = planner.on(game).plan_all(game.initial_state(1), "50its")
    assert [plan.stats.iterations for plan in plans] == [50] * 4
    game.initial_state(1).apply([plan.actions[0] for plan in plans])


@pytest.mark.parametrize("planner", ALL, ids=str)
def test_seed_ply_and_history_decide_everything(planner: SimultaneousPlanner) -> None:
    def history(seed: int, plies: list[int], first: int = 60) -> list[Any]:
        game = ring(3, chance=True)
        agent, state, plans = planner.on(game, seed=seed), game.initial_state(4), []
        for ply in plies:
            plans.append(told(agent.plan(state, f"{first}its", ply=ply, seat=0)))
            state.apply([state.candidate_actions(player)[0] for player in range(3)])
            first = 60
        return plans

    assert history(1, [0, 1, 2]) == history(1, [0, 1, 2])
    assert history(1, [0, 1, 2])[0] != history(2, [0, 1, 2])[0]
    assert history(1, [0, 1, 2])[0] != history(1, [5, 1, 2])[0]
    if not isinstance(planner, MCS):
        # What was learned before counts; without reuse it does not.
        assert history(1, [0, 1, 2])[1] != history(1, [0, 1, 2], first=300)[1]
    planner = replace(planner, reuse=False)
    assert history(1, [0, 1, 2])[1] == history(1, [0, 1, 2], first=300)[1]


@pytest.mark.parametrize("planner", ALL, ids=str)
def test_the_length_of_the_slices_does_not_matter(
    planner: SimultaneousPlanner, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Not even where pools are full and something has to be forgotten."""
    game = ring(4, size=30, steps=90, chance=True)
    agent, plans = replace(planner, memory_mb=1).on(game), []
    for seconds in (1e-6, 0.001, 10.0):
        monkeypatch.setattr(search_agent, "SLICE_SECONDS", seconds)
        agent.new_game()
        plans.append(told(agent.plan(game.initial_state(1), "5000its", seat=0)))
    assert plans[0] == plans[1] == plans[2]


def test_all_units_asked_for_are_done_though_room_runs_out_again_and_again() -> None:
    game = ring(4, size=30, steps=90, chance=True)
    agent = FDTS(memory_mb=1).on(game)
    plan = agent.plan(game.initial_state(1), "1ms", seat=0)
    done = plan.stats.iterations
    agent._search.counters.iteration_limit = NO_LIMIT
    agent._search.advance(3000)
    assert agent._search.counters.iterations == done + 3000
    assert decoupled(agent)._memory.forgotten > 5


@pytest.mark.parametrize("planner", ALL, ids=str)
@pytest.mark.parametrize("budget", ["0.01ms", "5ms"])
def test_a_time_budget_gives_a_legal_action(planner: SimultaneousPlanner, budget: str) -> None:
    for game in (ring(2), chase()):
        state = game.initial_state(1)
        plans = planner.on(game).plan_all(state, budget)
        state.apply([plan.actions[0] for plan in plans])


# -- what is considered ----------------------------------------------------------------------------------------------


@pytest.mark.parametrize("kind", [MCS, SimultaneousMCTS, FDTS])
def test_the_games_selection_is_lifted_by_prune(kind: type[SimultaneousPlanner]) -> None:
    game = ring(2, size=5)
    state = next(s for s in map(game.initial_state, range(99)) if len(s.legal_actions(0)) == 4)
    for prune in (True, False):
        plan = kind(prune=prune, bandit="ucb1").on(game).plan(state, "200its", seat=0)
        considered = sorted(alternative.actions[0] for alternative in plan.alternatives)
        assert considered == sorted(state.candidate_actions(0) if prune else state.legal_actions(0))
        assert (STAY in considered) == (not prune)
    assert kind(prune=False).on(game).plan(state, "50its", seat=0).stats.branching > 2


def test_a_player_without_a_choice_takes_what_there_is() -> None:
    game = ring(2)
    state = game.initial_state(1)
    state._words.view("i4")[2] = -2  # points of player 0: too poor to walk
    assert state.legal_actions(0) == [STAY]
    plan = FDTS().on(game).plan(state, "50its", seat=0)
    assert plan.actions == (STAY,)
    assert plan.value is None
    assert plan.alternatives == ()


@pytest.mark.parametrize("planner", ALL, ids=str)
def test_revisits_add_up(planner: SimultaneousPlanner) -> None:
    game = ring(3, size=3, steps=9)
    state, agent = game.initial_state(2), replace(planner, depth=6).on(game)
    for ply in range(3):
        revisits = agent.plan(state, "200its", ply=ply, seat=0).stats.revisits
        assert all(0 <= known <= reached <= 200 for reached, known in revisits)
        reached = [one for one, _ in revisits]
        assert reached == sorted(reached, reverse=True), "who is deeper was higher up before"
        if isinstance(planner, FDTS):
            assert reached == [200] * min(6, 9 - ply - 1 if 9 - ply <= 6 else 6)
        elif isinstance(planner, SimultaneousMCTS):
            # Only a walker who knows where it is continues in the tree.
            assert all(deeper <= known for (_, known), (deeper, _) in pairwise(revisits))
        else:
            assert revisits == ()
        state.apply([state.candidate_actions(player)[0] for player in range(3)])


# -- games with turns ------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("planner", ALL, ids=str)
@pytest.mark.parametrize("game", ["errands", "errands-3", "plain-errands-3", "hero-academy", "amazons"])
def test_where_players_take_turns_a_plan_is_a_whole_turn(planner: SimultaneousPlanner, game: str) -> None:
    agent = replace(planner, depth=6).on(game_of(game))
    for state in states_of(game)[::40]:
        for budget in ("1its", "40its"):
            plan = agent.plan(state, budget)
            assert is_whole_turn(state, plan.actions)
            assert len(plan.names) == len(plan.actions)


def test_who_is_not_to_move_has_nothing_to_do() -> None:
    state = states_of("errands-3")[0]
    plans = FDTS(depth=5).on(state.game).plan_all(state, "50its")
    assert [bool(plan.actions) for plan in plans] == [player == state.current_player() for player in range(3)]
    idle = next(plan for plan in plans if not plan.actions)
    assert (idle.value, idle.alternatives, str(idle)) == (None, (), "")


@pytest.mark.parametrize("planner", ALL, ids=str)
def test_a_turn_ends_where_all_act(planner: SimultaneousPlanner) -> None:
    game = duel()
    agent, state = planner.on(game), game.initial_state()
    plan = agent.plan(state, "300its")
    assert plan.actions[0] == 3
    assert plan.actions[1] == 3 or isinstance(planner, MCS), "which knows nothing of the second action"
    assert len(plan.actions) == 2
    for action in plan.actions:
        state.apply(action)
    state.apply(agent.plan(state, "100its", ply=1).actions[0])
    assert [plan.actions for plan in agent.plan_all(state, "100its", ply=2)] == [(3,), (3,)]


# -- when something goes wrong ---------------------------------------------------------------------------------------


@pytest.mark.parametrize("planner", ALL, ids=str)
def test_a_failing_rule_raises_what_it_said(planner: SimultaneousPlanner) -> None:
    game = ring(2, broken=2)
    state = game.initial_state(1)
    agent = planner.on(ring(2, broken=2)) if isinstance(planner, SimultaneousMCTS) and not planner.rollouts else None
    with pytest.raises(RuleFailureError, match="the pot is broken"):
        (agent or planner.on(game)).plan(state, "300its", seat=0)


@pytest.mark.parametrize("planner", ALL, ids=str)
def test_what_a_plain_rule_raises_is_the_cause_and_the_next_search_is_sound(planner: SimultaneousPlanner) -> None:
    rules = BrittleRules(ZeroDivisionError("one by nothing"))
    game = plain(rules, name="brittle", max_actions=5)
    agent, state = planner.on(game), game.initial_state()
    for calls in range(1, 60):
        rules.calls_left = calls
        with pytest.raises(RuleFailureError, match="ZeroDivisionError: one by nothing") as raised:
            agent.plan(state, "100its", seat=0)
        assert isinstance(raised.value.__cause__, ZeroDivisionError)
        assert_sound(agent, state)


@pytest.mark.parametrize("planner", ALL, ids=str)
def test_ctrl_c_in_any_rule_gives_a_legal_action(planner: SimultaneousPlanner) -> None:
    rules = BrittleRules(KeyboardInterrupt())
    game = plain(rules, name="brittle", max_actions=5)
    agent, state = planner.on(game), game.initial_state()
    for calls in (*range(1, 80), 150, 300):
        rules.calls_left = calls
        plans = agent.plan_all(state, "100its")
        assert plans[0].stats.interrupted
        rules.calls_left = -1
        assert all(state.is_legal(plan.actions[0], seat) for seat, plan in enumerate(plans))
        assert_sound(agent, state)


def assert_sound(agent: SimultaneousAgent, state: State) -> None:
    """No half list of actions was kept, and the next search is not stopped as well."""
    pools = decoupled(agent)._memory.graph
    used = pools.size[0].nodes
    assert (pools.arm_count[:used][pools.first[:used] >= 0] > 0).all()
    plans = agent.plan_all(state, "3its")
    assert not plans[0].stats.interrupted
    state.copy().apply([plan.actions[0] for plan in plans])


# -- asking ----------------------------------------------------------------------------------------------------------


def test_where_all_act_the_seat_must_be_named() -> None:
    agent, state = FDTS().on(ring(3)), ring(3).initial_state(1)
    for seat, written in ((None, "None"), (3, "3"), (-1, "-1")):
        with pytest.raises(
            InvalidParameterError, match=rf"^seat is {written}; all act at once here, expected 0 to 2\.$"
        ):
            agent.plan(state, "10its", seat=seat)


@pytest.mark.parametrize("planner", ["random", "fdts", "oep", "determinized:worlds=2"])
def test_where_players_take_turns_only_the_seat_that_moves_can_be_named(planner: str) -> None:
    state = states_of("errands")[0]
    agent, mover = parse_planner(planner).on(state.game), state.current_player()
    assert agent.plan(state, "10its", seat=mover).actions == agent.seeded(0).plan(state, "10its").actions
    for seat in (1 - mover, 2):
        with pytest.raises(InvalidParameterError, match=rf"^seat is {seat}; it is the turn of seat {mover}, expected "):
            agent.plan(state, "10its", seat=seat)


def test_a_game_that_is_over_and_a_state_of_another_game_are_refused() -> None:
    agent, over = FDTS().on(prisoners()), prisoners().initial_state().apply([0, 0])
    with pytest.raises(IllegalActionError, match="the game is over; there is nothing to plan"):
        agent.plan_all(over, "10its")
    with pytest.raises(InvalidParameterError, match="state is of 'ring'; the agent plays 'prisoners'"):
        agent.plan(ring(2).initial_state(), "10its", seat=0)


@pytest.mark.parametrize("planner", [name for name, kind in PLANNERS.items() if not kind.simultaneous])
def test_a_planner_of_turns_says_which_planners_can_play(planner: str) -> None:
    with pytest.raises(InvalidParameterError) as raised:
        PLANNERS[planner]().on(morra())
    assert str(raised.value).endswith(
        "in 'morra' all players act at once; planners for that: random, mcs, simultaneous-mcts, fdts, rhea."
    )


def test_plans_can_be_read() -> None:
    plan = FDTS().on(chase()).plan(chase().initial_state(), "200its", seat=1)
    assert re.fullmatch(r"to cell [34] \(value [-\d.e]+\)", str(plan))
    assert plan.names[0].startswith("to cell ")
    assert all(alternative.names[0].startswith("to cell ") for alternative in plan.alternatives)
    assert plan.to_json()["names"] == plan.names


@pytest.mark.parametrize(
    "spec",
    [
        "mcs",
        "mcs:bandit=ucb1,depth=7",
        "fdts:bandit=ucb1,exploration=0.5,reuse=False,key=exact,memory_mb=64",
        "simultaneous-mcts:rollouts=False,prune=False",
    ],
)
def test_planners_are_written_as_they_are_read(spec: str) -> None:
    planner = parse_planner(spec)
    assert parse_planner(str(planner)) == planner
    assert isinstance(planner.on(ring(2)), SimultaneousAgent)


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"exploration": -1}, "exploration of 'fdts' is -1; expected 0 to 1000000."),
        ({"exploration": float("nan")}, "exploration of 'fdts' is nan"),
        ({"exploration": 1e300}, "exploration of 'fdts' is 1e\\+300"),
        ({"depth": 0}, "depth of 'fdts' is 0; expected 1 to 1000."),
        ({"depth": 2.5}, "depth of 'fdts' is 2.5"),
        ({"key": "reference"}, "key of 'fdts' is 'reference'; expected 'game' or 'exact'."),
        ({"memory_mb": 0}, "memory_mb of 'fdts' is 0; expected 1 to 1048576."),
    ],
)
def test_parameters_out_of_range_are_refused(options: dict[str, Any], message: str) -> None:
    with pytest.raises(InvalidParameterError, match=message):
        FDTS(**options)
