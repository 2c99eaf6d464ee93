"""Planners on orders against slow models that draw the same numbers, and what every order has in common."""

from __future__ import annotations

import importlib
from collections import Counter
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from planner_games import errands, game_of, is_whole_turn, states_of
from planner_operators import Bench
from planner_orders import SlowPermutationEMCTS, SlowPermutationOEP, listed, played

from tactician.contract import State
from tactician.contract.random import stream
from tactician.native.caching import kernel
from tactician.planners import NoAI, PermutationEMCTS, PermutationOEP, Planner, RandomOrder, orders
from tactician.planners.genome import Turns, make_turns
from tactician.planners.orders import Orders
from tactician.planners.work import Work
from tactician.seats import Budget

GAMES = ["errands", "errands-3", "plain-errands", "locm", "hero-academy", "amazons"]
MUTATIONS = ["swap", "insert", "shuffle"]
TREES = {
    "as it is": PermutationEMCTS(),
    "narrow": PermutationEMCTS(children=3),
    "a chain": PermutationEMCTS(children=1),
    "exploring": PermutationEMCTS(children=4, exploration=0.2),
    "best": PermutationEMCTS(children=4, final="best"),
}
boards: Any = importlib.import_module("locm_boards")


def begun(planner: Planner, state: State, seed: int) -> Any:
    search = planner.search(state.game)
    search.begin(state.words, state.current_player(), stream(seed), Budget(ms=1e9))
    return search


@pytest.mark.parametrize("mutation", MUTATIONS)
@pytest.mark.parametrize("start", ["random", "listed"])
@pytest.mark.parametrize("game", GAMES)
def test_the_order_is_the_models_after_every_step(game: str, start: Any, mutation: Any) -> None:
    planner = PermutationOEP(mutation=mutation, start=start)
    for number in (0, 9, 23):
        state = states_of(game)[number]
        with state.game.searching():
            model, search = SlowPermutationOEP(planner, state, number), begun(planner, state, number)
            assert search.best() == (model.turn, None)
            for _ in range(40):
                assert search.advance(1) == model.step()
                pair = search._pair
                assert pair.orders[0, : pair.cursor[0].length].tolist() == model.order
                assert search.best() == (model.turn, model.value)
        assert search.counters.evaluations == model.evaluations
        assert search.work.rng.tolist() == list(model.chance._words), "another number of random draws"


@pytest.mark.parametrize("name", TREES)
@pytest.mark.parametrize("game", GAMES)
def test_the_tree_of_orders_is_the_models_after_every_step(game: str, name: str) -> None:
    planner = TREES[name]
    for number in (0, 9, 23):
        state = states_of(game)[number]
        with state.game.searching():
            model, search = SlowPermutationEMCTS(planner, state, number), begun(planner, state, number)
            assert search.best() == (played(state, model.order), None)
            for step in range(60):
                assert search.advance(1) == model.step()
                assert rows(search._tree) == [
                    (node.places, node.value, node.visits, node.total, node.children) for node in model.nodes
                ]
                if step % 7 == 0:
                    assert search.best() == model.best()
        assert search.counters.evaluations == model.evaluations == len(model.nodes)
        assert search.work.rng.tolist() == list(model.chance._words), "another number of random draws"


def rows(t: Any) -> list[Any]:
    """The nodes of a compiled tree; the root exchanges nothing."""
    return [
        (
            (int(t.one[i]), int(t.other[i])) if i else (0, 0),
            float(t.value[i]),
            int(t.visits[i]),
            float(t.total[i]),
            t.child[i, : t.tried[i]].tolist(),
        )
        for i in range(t.progress[0].nodes)
    ]


def test_a_chain_as_long_as_the_longest_path_continues_at_its_end() -> None:
    state = errands(2).initial_state(1)
    plan = PermutationEMCTS(children=1).on(state.game).plan(state, "1500evals")
    assert plan.stats.evaluations == 1500
    assert 500 < plan.stats.max_depth < 512
    assert is_whole_turn(state, plan.actions)


def test_a_full_tree_ends_the_search() -> None:
    state = errands(2).initial_state(1)
    plan = PermutationEMCTS(memory_mb=1, children=10_000).on(state.game).plan(state, "5000evals")
    assert plan.stats.evaluations == plan.stats.nodes == 64
    assert is_whole_turn(state, plan.actions)


# -- one order ------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("game", GAMES)
def test_no_ai_plays_the_listed_order(game: str) -> None:
    agent = NoAI().on(game_of(game), seed=5)
    for state in states_of(game)[::9]:
        with state.game.searching():
            assert list(agent.plan(state, "1evals", ply=3).actions) == played(state, listed(state))


def test_no_ai_in_the_card_game_summons_then_uses_then_attacks_faces_first() -> None:
    state = boards.position("L 2/2, R 3/1", "L 4/4", hand=[3, 148], mana=12)
    verbs = [name.split(") ")[-1] for name in NoAI().on(state.game).plan(state, "1evals").names]
    assert len(verbs) == 5
    order = [
        action for action in state.possible_actions() if action in NoAI().on(state.game).plan(state, "1its").actions
    ]
    assert list(NoAI().on(state.game).plan(state, "1its").actions[:-1]) == order[:-1]
    assert verbs[2:4] == ["attacks the opponent", "attacks the opponent"]


def three_left() -> State:
    """Three errands can still be run, in any order, and there is energy for all."""
    state = errands(2, 18).initial_state(2)
    for errand in (1, 3, 5):
        state.apply(errand)
    return state


def draws(planner: Planner, number: int) -> Counter[tuple[int, ...]]:
    state = three_left()
    agent = planner.on(state.game, seed=11)
    return Counter(agent.plan(state, "1evals", ply=ply).actions for ply in range(number))


@pytest.mark.parametrize("planner", [RandomOrder(), PermutationOEP(), PermutationEMCTS()], ids=str)
def test_all_orders_are_as_likely(planner: Planner) -> None:
    n = 3000
    seen = draws(planner, n)
    assert {tuple(sorted(turn[:-1])) for turn in seen} == {(2, 4, 6)}
    assert {turn[-1] for turn in seen} == {0}
    assert len(seen) == 6
    chi_square = sum((count - n / 6) ** 2 / (n / 6) for count in seen.values())
    assert chi_square < 20.5  # one in a thousand, with five degrees of freedom


def test_the_listed_start_is_the_first_that_is_judged() -> None:
    assert draws(PermutationOEP(start="listed"), 20) == draws(NoAI(), 20) == {(2, 4, 6, 0): 20}


# -- every order ----------------------------------------------------------------------------------------------------


@kernel
def play_order(work: Work, order: Orders, n: int, turns: Turns, player: int) -> int:
    return orders.play_order(work, order, 0, n, turns, 0, player)


@given(data=st.data(), game=st.sampled_from(GAMES))
@settings(max_examples=60, deadline=None)
def test_every_order_makes_a_whole_legal_turn(data: st.DataObject, game: str) -> None:
    state = data.draw(st.sampled_from(states_of(game)[:40]))
    order = data.draw(st.permutations(listed(state)))
    with state.game.searching():
        bench = Bench(state, 1)
        row = np.array([order], np.int32)
        turns = make_turns(1, state.game.max_turn)
        length = play_order(bench.work, row, len(order), turns, bench.player)
        turn = turns.genes[0, :length].tolist()
        assert turn == played(state, order)
        assert is_whole_turn(state, turn)


@pytest.mark.parametrize("planner", [NoAI(), RandomOrder(), PermutationOEP(), PermutationEMCTS()], ids=str)
def test_an_action_that_wins_stays_in_the_order(planner: Planner) -> None:
    """One creature can kill, the other can't; both are in the order, and the end of the turn is not."""
    state = boards.position("L 5/3, L 1/1", "R 3/3", enemy_hp=3)
    assert len(listed(state)) == 2
    plan = planner.on(state.game).plan(state, "50evals")
    end = state.copy()
    for action in plan.actions:
        end.apply(action)
    assert end.is_over()
    assert end.returns()[state.current_player()] == 1.0
    assert plan.value in (None, state.game.value_range[1])
