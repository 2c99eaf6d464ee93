"""Every evaluation that a plan takes is one of those it reports, whichever searches a planner is made of."""

from __future__ import annotations

from functools import cache
from typing import Any

import pytest
from planner_games import TURN_PLANNERS, PlainErrands
from slow_parameters import rest_slow

from tactician.contract import Game
from tactician.contract.plain import plain
from tactician.planners import PLANNERS, parse_planner

ANSWERERS = [
    name
    for name in TURN_PLANNERS
    if not PLANNERS[name].judges_replies and not PLANNERS[name].handles_hidden and name not in ("auto", "random")
]
"""Planners that may look for answers."""
MADE_OF_OTHERS = [
    *(f"reply:answer={name}" for name in ANSWERERS),
    "reply:planner=annealing,answer=greedy-turn",
    "reply:planner=greedy-turn,answer=(auto:replies=0)",
    "reply:planner=greedy-turn,answer=greedy-turn,further=8",
    "reply:judged=before",
    "auto:replies=0,planner=emcts",
    "auto:planner=emcts",
    "auto",
    "coevolution",
    "coevolution:first=non-exploring-mcts",
]


OFTEN = ["reply:answer=emcts", "reply:answer=annealing", "auto:planner=emcts", "coevolution"]


class CountedErrands(PlainErrands):
    """Errands that count how often a state is judged; the result of a game is its evaluation, too."""

    judged = 0

    def evaluate(self, state: Any) -> list[float]:
        self.judged += 1
        return super().evaluate(state)


@cache
def counted(players: int) -> tuple[CountedErrands, Game]:
    rules = CountedErrands(players, 5, 6)
    game = plain(rules, name="counted", players=players, max_actions=7, value_range=(-150.0, 150.0))
    return rules, game


BUDGETS = ("1evals", "100evals", "900evals", "30its", "200its")


@pytest.mark.parametrize(
    "planner",
    rest_slow(MADE_OF_OTHERS, ["reply:answer=emcts", "reply:answer=annealing", "auto:planner=emcts", "coevolution"]),
)
@pytest.mark.parametrize("players", [2, 3])
def test_a_plan_reports_every_evaluation(planner: str, players: int) -> None:
    rules, game = counted(players)
    agent = parse_planner(planner).on(game)
    for seed in range(2):
        state = game.initial_state(seed)
        for budget in BUDGETS:
            rules.judged = 0
            made = agent.plan(state, budget).stats.evaluations
            assert rules.judged == made, (budget, seed)
