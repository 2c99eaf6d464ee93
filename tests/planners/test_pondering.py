"""Pondering: what is planned while others think, and what the next plan makes of it."""

from __future__ import annotations

import threading
import time

import pytest
from planner_games import errands

from tactician.contract import State
from tactician.games.locm import locm
from tactician.planners import Agent, Pondered, parse_planner

PLANNERS = ("greedy-turn", "reply:planner=greedy-turn,answer=greedy-action")
LITTLE, MUCH = "3evals", "100000evals"


def agent_of(planner: str) -> Agent:
    return parse_planner(planner).on(errands(2), seed=3)


def after(state: State, turn: tuple[int, ...]) -> State:
    now = state.copy()
    for action in turn:
        now.apply(action)
    return now


def start(seed: int = 1) -> State:
    """A position in which the opponent is to move; the agent has seat 1."""
    return errands(2).initial_state(seed=seed)


def ponder(agent: Agent, state: State, plans: int = 5) -> Pondered:
    """Ponder until some plans are made; threads that find nothing would make this hang."""
    agent.ponder(state, 1 - state.current_player())
    while (done := agent.pondered).plans < plans:
        time.sleep(0.001)
    agent.stop_pondering()
    return done


def pondering_threads() -> list[threading.Thread]:
    return [thread for thread in threading.enumerate() if thread.name == "tactician-pondering"]


@pytest.mark.parametrize("planner", PLANNERS)
def test_a_turn_that_was_foreseen_is_answered_with_the_plan_that_was_made_for_it(planner: str) -> None:
    for seed in range(3):
        state = start(seed)
        agent = agent_of(planner)
        ponder(agent, state)
        now = after(state, agent_of(planner).plan(state, "1000evals", ply=1).actions)
        best = agent_of(planner).plan(now, "1000evals", ply=1)
        assert agent.plan(now, LITTLE).value == pytest.approx(best.value)


def test_a_plan_is_never_worse_by_the_evaluation_than_without_pondering() -> None:
    for seed in range(5):
        state = start(seed)
        agent = agent_of("oep")
        ponder(agent, state)
        now = after(state, (0,))  # goes home at once, which nobody foresaw
        plain = agent_of("oep").plan(now, LITTLE)
        pondered = agent.plan(now, LITTLE)
        assert plain.value is not None
        assert pondered.value is not None
        assert pondered.value >= plain.value
        assert after(now, pondered.actions).current_player() != now.current_player(), "it is a whole turn"


def test_pondering_is_counted_apart() -> None:
    state = start()
    agent = agent_of("greedy-turn")
    done = ponder(agent, state)
    assert done.evaluations > 0
    assert 1 <= done.positions <= done.plans
    now = after(state, (0,))
    assert agent.plan(now, LITTLE).stats.evaluations <= 3


def test_what_was_found_is_used_once() -> None:
    state = start()
    agent = agent_of("greedy-turn")
    ponder(agent, state)
    now = after(state, agent_of("greedy-turn").plan(state, MUCH).actions)
    agent.plan(now, LITTLE)
    assert agent.plan(now, LITTLE).actions == agent_of("greedy-turn").plan(now, LITTLE).actions


def test_a_new_game_forgets_what_was_found() -> None:
    state = start()
    agent = agent_of("greedy-turn")
    ponder(agent, state)
    agent.new_game()
    now = after(state, agent_of("greedy-turn").plan(state, MUCH).actions)
    assert agent.plan(now, LITTLE).actions == agent_of("greedy-turn").plan(now, LITTLE).actions


@pytest.mark.parametrize("ending", ["stop_pondering", "new_game", "close", "plan"])
def test_the_thread_ends(ending: str) -> None:
    """With hidden cards there is always another guess, so that it ends only if it is told to."""
    game = locm()
    state = game.initial_state(seed=2)
    agent = parse_planner("greedy-turn").on(game, seed=1)
    agent.ponder(state, 1)
    assert len(pondering_threads()) == 1
    if ending == "plan":
        agent.plan(state, "10evals")
    else:
        getattr(agent, ending)()
    assert not pondering_threads()


def test_pondering_anew_ends_the_thread_before() -> None:
    game = locm()
    agent = parse_planner("greedy-turn").on(game, seed=1)
    for seed in range(5):
        agent.ponder(game.initial_state(seed=seed), 1)
        assert len(pondering_threads()) == 1
    agent.stop_pondering()


def test_nobody_ponders_on_the_own_turn() -> None:
    state = start()
    agent = agent_of("greedy-turn")
    agent.ponder(state, state.current_player())
    assert not pondering_threads()
    assert agent.stop_pondering() == Pondered()


@pytest.mark.parametrize("planner", ["determinized:planner=greedy-turn", "random"])
def test_whoever_guesses_or_does_not_search_may_be_asked_too(planner: str) -> None:
    game = locm()
    agent = parse_planner(planner).on(game, seed=1)
    agent.ponder(game.initial_state(seed=2), 1)
    agent.stop_pondering()
    assert not pondering_threads()
