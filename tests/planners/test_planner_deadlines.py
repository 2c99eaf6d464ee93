"""Deadlines with slow rules: a search ends in the middle of a slice, also in its first greedy turn.

The rules here wait until the watchdog has ended the search, so that no clock decides the outcome.
"""

from __future__ import annotations

import threading

import pytest
from planner_games import JUDGES_NOTHING, TURN_PLANNERS, Day, PlainErrands, is_whole_turn
from slow_parameters import rest_slow
from wrong_rules import never_ends_the_turn, steps

from tactician.contract.plain import plain
from tactician.planners import parse_planner
from tactician.planners.base import Search

SLOW_CALL = 5


class SlowErrands(PlainErrands):
    """One evaluation takes until the search is ended from outside; those before it take no time."""

    def __init__(self) -> None:
        super().__init__(2, 5, 4)
        self.stopped = threading.Event()
        self.waits = False
        self.calls = 0

    def evaluate(self, state: Day) -> list[float]:
        self.calls += 1
        if self.waits and self.calls == SLOW_CALL:
            assert self.stopped.wait(60)
        return super().evaluate(state)


@pytest.mark.parametrize("planner", [name for name in TURN_PLANNERS if name not in (*JUDGES_NOTHING, "determinized")])
def test_a_search_whose_time_is_up_ends_inside_a_slice(planner: str, monkeypatch: pytest.MonkeyPatch) -> None:
    rules = SlowErrands()
    stop = Search.stop

    def stop_and_tell(search: Search) -> None:
        stop(search)
        rules.stopped.set()

    monkeypatch.setattr(Search, "stop", stop_and_tell)
    game = plain(rules, name="slow-errands", max_actions=8, value_range=(-1000, 1000))
    agent = parse_planner(planner).on(game, seed=1)
    state = game.initial_state(seed=1)
    rules.calls, rules.waits = 0, True
    plan = agent.plan(state, "50ms")
    assert rules.calls <= SLOW_CALL + 1
    assert is_whole_turn(state, plan.actions)
    assert not plan.stats.interrupted


@pytest.mark.parametrize("planner", [*TURN_PLANNERS, "oep:rollouts=true", "mcts:rollout_turns=-1", "fdts"])
@pytest.mark.parametrize("budget", rest_slow(["3its", "40evals", "20ms"], ["3its", "20ms"]))
def test_a_turn_that_never_ends_is_planned_in_part(planner: str, budget: str) -> None:
    game = steps(apply=never_ends_the_turn)
    state = game.initial_state(seed=1)
    plan = parse_planner(planner).on(game, seed=1).plan(state, budget)
    assert plan.actions
    for action in plan.actions:
        state.apply(action)  # refuses what is not legal
