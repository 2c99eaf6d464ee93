"""Known best turns: where trying everything in plain Python is possible, planners with time enough find the same."""

from __future__ import annotations

from functools import cache

import pytest
from planner_games import after, all_turns, errands, is_whole_turn, worth
from planner_positions import END, HEAL, SHOOT, heal_and_strike, last_turns, skirmish, wounded

from tactician.contract import State
from tactician.games.amazons import amazons
from tactician.planners import (
    EMCTS,
    MCTS,
    OEP,
    BridgeBurningMCTS,
    GreedyAction,
    GreedyOEP,
    GreedyTurn,
    NonExploringMCTS,
    PermutationEMCTS,
    PermutationOEP,
    Planner,
)

WHOLE_TURN: list[Planner] = [
    GreedyTurn(),
    GreedyTurn(ordering="evaluation"),
    GreedyTurn(ordering="none"),
    OEP(),
    GreedyOEP(),
    EMCTS(),
    EMCTS(phases=5, exploration=0.3, normalise="running"),
]
TREES: list[Planner] = [
    MCTS(exploration=0.1),
    MCTS(normalise="running"),
    MCTS(exploration=0.1, transpositions=False),
    NonExploringMCTS(),
    BridgeBurningMCTS(exploration=0.1),
    BridgeBurningMCTS(normalise="running"),
]


@cache
def positions() -> dict[str, State]:
    """By name, all with few enough turns to try them all."""
    return {
        "amazons 3": amazons(3).initial_state(),
        "amazons 4": amazons(4).initial_state(),
        "amazons 4, one queen": amazons(4, 1).initial_state(),
        "amazons 5": amazons(5).initial_state(),
        "errands": errands(2).initial_state(2),
        "errands again": errands(2).initial_state(11),
        "three with errands": errands(3).initial_state(5),
        "skirmish": skirmish(),
        "wounded": wounded(),
        "heal and strike": heal_and_strike(),
    }


@cache
def best_by_trying_everything(name: str) -> float:
    state = positions()[name]
    return max(worth(end, state.current_player()) for _, end in all_turns(state))


def planned(planner: Planner, state: State, budget: str, seed: int = 1) -> float:
    """The value of the turn a planner plans, which must be one."""
    plan = planner.on(state.game, seed=seed).plan(state, budget)
    assert is_whole_turn(state, plan.actions)
    value = worth(after(state, plan.actions), state.current_player())
    assert plan.value is None or isinstance(planner, MCTS) or plan.value == pytest.approx(value)
    return value


@pytest.mark.parametrize("name", positions())
@pytest.mark.parametrize("planner", WHOLE_TURN, ids=str)
def test_planners_of_whole_turns_find_the_best_one(planner: Planner, name: str) -> None:
    assert planned(planner, positions()[name], "40000evals") == pytest.approx(best_by_trying_everything(name))


@pytest.mark.parametrize("name", positions())
def test_greedy_turn_stops_by_itself_when_all_is_searched(name: str) -> None:
    state = positions()[name]
    plan = GreedyTurn().on(state.game).plan(state, "1000000evals")
    assert plan.stats.evaluations < 1_000_000
    assert plan.value == pytest.approx(best_by_trying_everything(name))
    turns = sum(1 for _ in all_turns(state))
    assert plan.stats.evaluations <= turns, "no state is visited twice"


def test_the_combination_of_the_papers_wins_and_nothing_else_does() -> None:
    state = heal_and_strike()
    expected = [state.game.action_from_json(action) for action in (HEAL, SHOOT, SHOOT)]
    wins = [turn for turn, end in all_turns(state) if end.is_over()]
    assert wins == [expected]
    assert after(state, expected).returns() == [1.0, -1.0]
    three_shots = [state.game.action_from_json(action) for action in (SHOOT, SHOOT, SHOOT, END)]
    assert not after(state, three_shots).is_over()


@pytest.mark.parametrize("planner", [*WHOLE_TURN, *TREES], ids=str)
@pytest.mark.parametrize("seed", range(3))
def test_whoever_searches_whole_turns_finds_heal_and_strike(planner: Planner, seed: int) -> None:
    # From shoot, heal, shoot it takes two lucky draws at once: evolution gets there, but not soon.
    budget = "300000evals" if isinstance(planner, OEP) else "30000evals"
    assert planned(planner, heal_and_strike(), budget, seed) == heal_and_strike().game.value_range[1]


@pytest.mark.parametrize("preset", [OEP(style="reference"), GreedyTurn(style="reference")], ids=str)
def test_the_references_way_finds_it_too(preset: Planner) -> None:
    assert planned(preset, heal_and_strike(), "300000evals") == heal_and_strike().game.value_range[1]


@pytest.mark.parametrize("seed", range(3))
def test_greedy_action_takes_the_best_next_action_and_no_more(seed: int) -> None:
    for state in positions().values():
        player, now = state.current_player(), state.copy()
        for action in GreedyAction().on(state.game, seed=seed).plan(state, "100000evals").actions:
            best = max(worth(now.copy().apply(a), player) for a in now.candidate_actions())
            now.apply(action)
            assert worth(now, player) == best


def test_greedy_action_does_not_always_find_the_best_turn() -> None:
    missed = [
        name
        for name, state in positions().items()
        if planned(GreedyAction(), state, "100000evals") < best_by_trying_everything(name) - 1e-9
    ]
    assert len(missed) >= 2, "then the other planners would not be needed"


@pytest.mark.parametrize("planner", TREES, ids=str)
@pytest.mark.parametrize("size", [3, 4])
def test_trees_find_the_turn_that_ends_the_game(planner: Planner, size: int) -> None:
    wins = last_turns(size, 3)
    assert wins
    for state in wins:
        assert planned(planner, state, "20000its") == state.game.value_range[1]


@pytest.mark.parametrize("planner", [p for p in TREES if not isinstance(p, NonExploringMCTS)], ids=str)
@pytest.mark.parametrize("seed", range(6))
def test_trees_find_the_best_turn_where_nothing_comes_after_it(planner: Planner, seed: int) -> None:
    """In the last turn of a game MCTS looks at the same values as everybody else, if it explores."""
    state = errands(2, 3, 1).initial_state(seed)
    best = max(worth(end, 0) for _, end in all_turns(state))
    assert planned(planner, state, "20000its") == pytest.approx(best)


@pytest.mark.parametrize(
    "planner",
    [
        PermutationOEP(mutation="swap"),
        PermutationOEP(mutation="insert"),
        PermutationOEP(mutation="shuffle", start="listed"),
        PermutationEMCTS(exploration=0.1),
        PermutationEMCTS(final="best"),
    ],
    ids=str,
)
@pytest.mark.parametrize("seed", [3, 5, 11])
def test_the_best_order_is_found_where_everything_possible_is_listed(planner: Planner, seed: int) -> None:
    """All errands are legal at the start of the day, so the best turn is some order of them.

    A small change may not lead out of an order that is only the best around: then another start does.
    """
    state = errands(2).initial_state(seed)
    best = max(worth(end, 0) for _, end in all_turns(state))
    found = [planned(planner, state, "5000evals", start) for start in range(5)]
    assert max(found) == pytest.approx(best)
