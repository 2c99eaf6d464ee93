"""Auto: all turns where the budget allows it, else another planner; answers where they help."""

from __future__ import annotations

from typing import Any

import pytest
from planner_games import errands, is_whole_turn
from test_planner_replies import bait

from tactician.contract import Game
from tactician.errors import InvalidParameterError
from tactician.games import hero_academy, locm
from tactician.planners import Auto, SearchAgent, parse_planner

ALONE = "auto:replies=0"


def agent_of(text: str, game: Game, seed: int = 0) -> SearchAgent:
    agent = parse_planner(text).on(game, seed=seed)
    assert isinstance(agent, SearchAgent)
    return agent


@pytest.fixture(scope="module")
def academy() -> Game:
    return hero_academy(map="a-tiny", deck="tiny")


def test_a_turn_that_can_be_tried_completely_is_the_best_there_is() -> None:
    game = errands(players=2)
    state = game.initial_state(seed=3)
    best = parse_planner("greedy-turn").on(game).plan(state, "1000000evals")
    agent = agent_of(ALONE, game)
    plan = agent.plan(state, "1000000evals")
    assert plan.value == best.value
    assert plan.stats.evaluations == best.stats.evaluations
    assert agent.figures()["complete"] == 1.0


def test_a_turn_that_is_too_long_is_searched_by_the_other_planner(academy: Game) -> None:
    state = academy.initial_state(seed=1)
    agent = agent_of(f"{ALONE},planner=emcts", academy, seed=5)
    plan = agent.plan(state, "600evals")
    assert agent.figures()["complete"] == 0.0
    assert plan.stats.evaluations == 600
    assert is_whole_turn(state, plan.actions)
    every = parse_planner("greedy-turn").on(academy, seed=5).plan(state, "90evals")
    assert plan.value is not None
    assert every.value is not None
    assert plan.value >= every.value


@pytest.mark.parametrize("budget", ["1evals", "19evals", "25evals", "1its", "30its", "500its"])
def test_small_budgets_are_kept(academy: Game, budget: str) -> None:
    state = academy.initial_state(seed=2)
    for text in (ALONE, "auto"):
        plan = parse_planner(text).on(academy).plan(state, budget)
        assert is_whole_turn(state, plan.actions)
        counted = plan.stats.evaluations if budget.endswith("evals") else plan.stats.iterations
        assert counted <= int(budget.removesuffix("evals").removesuffix("its"))


def test_equal_seeds_give_equal_plans(academy: Game) -> None:
    state = academy.initial_state(seed=4)
    plans = [parse_planner("auto").on(academy, seed=9).plan(state, "3000evals", ply=2) for _ in range(2)]
    assert plans[0].actions == plans[1].actions
    assert plans[0].value == plans[1].value


def test_the_answer_decides_where_one_sides_gain_is_the_others_loss() -> None:
    game = bait()
    state = game.initial_state()
    assert parse_planner(ALONE).on(game).plan(state, "400evals").actions == (5,)
    assert parse_planner("auto").on(game).plan(state, "400evals").actions == (1,)
    # The turn itself is worth 5 and -4 after the answer, the safe one 1 and 1.
    assert parse_planner("auto:trust=0.25").on(game).plan(state, "400evals").actions == (5,)


def test_no_answer_is_looked_for_where_only_the_own_side_counts() -> None:
    game = locm(evaluation="paper", information="open")
    state = game.initial_state(seed=3)
    agent = agent_of("auto", game)
    agent.plan(state, "2000evals")
    assert agent.figures() == {"complete": 1.0}
    other = agent_of("auto:evaluation=board", game)
    other.plan(state, "2000evals")
    assert "answered" in other.figures()


def test_it_can_propose_for_and_answer_in_reply(academy: Game) -> None:
    state = academy.initial_state(seed=6)
    alone = "(auto:replies=0,planner=emcts)"
    plan = parse_planner(f"reply:planner={alone},answer={alone}").on(academy, seed=3).plan(state, "2000evals")
    auto = parse_planner("auto:planner=emcts").on(academy, seed=3)
    assert plan.actions == auto.plan(state, "2000evals").actions


def test_a_turn_that_is_too_long_is_left_to_co_evolution(academy: Game) -> None:
    state = academy.initial_state(seed=1)
    agent = agent_of("auto:planner=(coevolution:rounds=2)", academy, seed=5)
    plan = agent.plan(state, "600evals")
    assert agent.figures()["complete"] == 0.0
    assert agent.figures()["replies"] > 0
    assert is_whole_turn(state, plan.actions)


def test_all_turns_and_answers_are_looked_at_where_the_budget_allows_it() -> None:
    game = bait()
    agent = agent_of("auto", game)
    plan = agent.plan(game.initial_state(), "400evals")
    assert plan.actions == (1,)
    assert agent.figures()["complete"] == 1.0
    assert agent.figures()["answered"] > 0
    assert agent.figures()["further"] > 0


@pytest.mark.parametrize(
    ("options", "sentence"),
    [
        ({"share": 0.0}, "share of 'auto' is 0.0; expected a number between 0 and 1"),
        ({"replies": 1.0}, "replies of 'auto' is 1.0; expected a number from 0 to 0.99"),
        ({"trust": 2.0}, "trust of 'auto' is 2.0; expected a number from 0 to 1"),
        ({"further": 1001}, "further of 'auto' is 1001; expected 0 to 1000"),
        ({"planner": "reply"}, "planner of 'auto' is 'reply'; expected a planner for turns without an inner planner"),
        ({"planner": "fdts"}, "planner of 'auto' is 'fdts'; expected"),
    ],
)
def test_options_out_of_range_are_refused(options: dict[str, Any], sentence: str) -> None:
    with pytest.raises(InvalidParameterError, match=sentence):
        Auto(**options)


def test_answers_inside_answers_are_refused() -> None:
    with pytest.raises(InvalidParameterError, match="planner of 'reply' is 'auto'; expected"):
        parse_planner("reply:planner=auto")
