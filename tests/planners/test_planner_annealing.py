"""Annealing and co-evolution: turns that are changed again and again, alone and against replies."""

from __future__ import annotations

import pytest
from planner_games import errands, is_whole_turn
from test_planner_replies import bait

from tactician.contract import Game
from tactician.errors import InvalidParameterError
from tactician.games import hero_academy, locm
from tactician.planners import Annealing, Coevolution, SearchAgent, parse_planner

FROM_A_TREE = "coevolution:first=non-exploring-mcts"
BOTH = ("annealing", "coevolution", FROM_A_TREE)


@pytest.fixture(scope="module")
def academy() -> Game:
    return hero_academy(map="a-tiny", deck="tiny")


def agent_of(text: str, game: Game, seed: int = 0) -> SearchAgent:
    agent = parse_planner(text).on(game, seed=seed)
    assert isinstance(agent, SearchAgent)
    return agent


def test_annealing_finds_the_best_turn_of_a_small_game() -> None:
    game = errands(players=2)
    state = game.initial_state(seed=3)
    best = agent_of("greedy-turn", game).plan(state, "1000000evals")
    assert agent_of("annealing", game).plan(state, "20000evals").value == best.value


def test_no_end_of_a_turn_is_judged_twice(academy: Game) -> None:
    state = academy.initial_state(seed=1)
    plan = agent_of("annealing:greedy=0", academy).plan(state, "3000its")
    assert plan.stats.sequences == plan.stats.unique_outcomes
    assert plan.stats.transposition_hits == plan.stats.iterations - plan.stats.sequences
    assert plan.stats.transposition_hits > 0


def test_the_search_ends_when_nothing_new_is_found(academy: Game) -> None:
    state = academy.initial_state(seed=1)
    plan = agent_of("annealing", academy).plan(state, "1000000evals")
    assert plan.stats.evaluations < 1000000
    assert is_whole_turn(state, plan.actions)


@pytest.mark.parametrize("budget", ["1evals", "19evals", "60evals", "700evals", "1its", "30its", "500its"])
@pytest.mark.parametrize("planner", BOTH)
def test_budgets_are_kept_and_turns_are_whole(academy: Game, planner: str, budget: str) -> None:
    state = academy.initial_state(seed=2)
    plan = agent_of(planner, academy).plan(state, budget)
    assert is_whole_turn(state, plan.actions)
    limit = int(budget.rstrip("evalits"))
    spent = plan.stats.evaluations if budget.endswith("evals") else plan.stats.iterations
    assert spent <= limit


@pytest.mark.parametrize("planner", BOTH)
def test_slices_of_any_length_give_the_same_plan(academy: Game, planner: str) -> None:
    state = academy.initial_state(seed=4)
    plans = []
    for units in (7, 1000):
        agent = agent_of(planner, academy, seed=9)
        search = agent._search
        search.begin(state.words, 0, agent.stream(0), parse_budget("900evals"))
        while search.advance(units):
            pass
        plans.append(search.best())
    assert plans[0] == plans[1]


def parse_budget(text: str):  # type: ignore[no-untyped-def]
    from tactician.seats.budget import Budget

    return Budget.parse(text)


def test_coevolution_chooses_a_turn_for_what_the_replies_leave_of_it() -> None:
    game = bait()
    state = game.initial_state()
    assert agent_of("annealing", game).plan(state, "2000evals").actions == (5,)
    agent = agent_of("coevolution", game)
    plan = agent.plan(state, "20000evals")
    assert plan.actions == (1,)
    assert plan.value == 1.0
    assert agent.figures()["replies"] >= 3


def test_coevolution_starts_from_the_turn_that_the_first_planner_finds(academy: Game) -> None:
    state = academy.initial_state(seed=4)
    first = agent_of("non-exploring-mcts", academy).plan(state, "99evals")
    plan = agent_of("coevolution:first=non-exploring-mcts,first_share=0.99", academy).plan(state, "100evals")
    assert plan.actions == first.actions, "one evaluation is left, and changes nothing"
    assert plan.stats.evaluations == 100


def test_a_first_turn_from_a_tree_counts_against_the_budget(academy: Game) -> None:
    state = academy.initial_state(seed=2)
    agent = agent_of("coevolution:first=non-exploring-mcts,first_share=0.5", academy)
    plan = agent.plan(state, "2000evals")
    assert 1500 < plan.stats.evaluations <= 2000
    assert plan.stats.nodes > 0, "nodes of the tree"


def test_coevolution_is_annealing_where_an_evaluation_counts_only_the_own_side() -> None:
    game = locm(evaluation="paper")
    assert not game.zero_sum
    state = game.initial_state(seed=3)
    both = [agent_of(planner, game, seed=2).plan(state, "500evals") for planner in BOTH]
    assert both[0].actions == both[1].actions


def test_a_win_ends_the_search() -> None:
    game = hero_academy(action_points=40)
    state = game.initial_state(seed=1)
    state.apply(state.legal_actions()[-1])  # the first turn is short: it is ended
    while state.current_player() == 0:
        state.apply(state.candidate_actions()[-1])
    plan = agent_of("annealing", game).plan(state, "2000000evals")
    assert plan.value == game.value_range[1]
    assert plan.stats.evaluations < 2000000


@pytest.mark.parametrize(
    ("planner", "message"),
    [
        ("annealing:hot=0", "hot"),
        ("annealing:cold=2000", "cold"),
        ("annealing:greedy=2", "greedy"),
        (
            "coevolution:first=reply",
            "first of 'coevolution' is 'reply'; expected a planner for turns without an inner planner.",
        ),
        (
            "coevolution:first_share=1",
            "first_share of 'coevolution' is 1.0; expected a number between 0 and 1, both excluded.",
        ),
        ("coevolution:alone=1", "alone"),
        ("coevolution:rounds=0", "rounds"),
        ("coevolution:share=0", "share"),
        ("coevolution:warm=0", "warm"),
    ],
)
def test_parameters_out_of_range_are_refused(planner: str, message: str) -> None:
    with pytest.raises(InvalidParameterError, match=message):
        parse_planner(planner)


def test_planners_are_made_from_python() -> None:
    assert str(Annealing(hot=1.0)) == "annealing:hot=1.0"
    assert str(Coevolution(rounds=4)) == "coevolution:rounds=4"
