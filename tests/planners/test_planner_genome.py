"""The operators on turns: against a slow twin that draws the same numbers, and by the properties they promise."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from planner_games import GAMES, after, errands, game_of, is_whole_turn, states_of
from planner_operators import Bench, Twin

from tactician.contract import State
from tactician.contract.plain import Chance
from tactician.contract.random import stream

SEEDS = st.integers(0, 2**32)


@st.composite
def places_to_plan(draw: st.DrawFn) -> State:
    """A state of one of the games, somewhere in a turn."""
    return draw(st.sampled_from(states_of(draw(st.sampled_from(sorted(GAMES))))))


def twin_of(state: State, seed: int) -> Twin:
    return Twin(state, Chance(stream(seed).tolist()))


def some_turn(state: State, seed: int, greedy: bool = False) -> list[int]:
    turn = Bench(state, seed).new_turn(greedy)
    assert turn is not None
    return turn


def differences(a: list[int], b: list[int]) -> list[int]:
    return [i for i, (x, y) in enumerate(zip(a, b, strict=False)) if x != y]


# -- the compiled operators and their twins -----------------------------------------------------------------------


@settings(max_examples=60, deadline=None)
@given(places_to_plan(), SEEDS, st.booleans())
def test_a_new_turn_is_the_twins(state: State, seed: int, greedy: bool) -> None:
    bench, twin = Bench(state, seed), twin_of(state, seed)
    assert bench.new_turn(greedy) == twin.new_turn(greedy)
    assert bench.evaluations == twin.evaluations


@settings(max_examples=100, deadline=None)
@given(places_to_plan(), SEEDS, SEEDS, SEEDS, st.booleans(), st.booleans())
def test_a_crossed_turn_is_the_twins(
    state: State, seed: int, first: int, second: int, both_next: bool, greedy: bool
) -> None:
    a, b = some_turn(state, first), some_turn(state, second)
    bench, twin = Bench(state, seed), twin_of(state, seed)
    assert bench.crossover(a, b, both_next, greedy) == twin.crossover(a, b, both_next, greedy)
    assert bench.evaluations == twin.evaluations


@settings(max_examples=100, deadline=None)
@given(places_to_plan(), SEEDS, SEEDS, st.booleans(), st.booleans())
def test_a_mutated_turn_is_the_twins(state: State, seed: int, first: int, anywhere: bool, greedy: bool) -> None:
    turn = some_turn(state, first)
    bench, twin = Bench(state, seed), twin_of(state, seed)
    assert bench.mutate(turn, anywhere, greedy) == twin.mutate(turn, anywhere, greedy)
    assert bench.evaluations == twin.evaluations


@settings(max_examples=60, deadline=None)
@given(places_to_plan(), SEEDS, SEEDS, st.booleans(), st.data())
def test_an_exchange_is_the_twins_in_place_or_not(
    state: State, seed: int, first: int, greedy: bool, data: st.DataObject
) -> None:
    turn = some_turn(state, first)
    place = data.draw(st.integers(0, len(turn) - 1))
    others = twin_of(state, 0).others(turn, place)
    if others:
        action = data.draw(st.sampled_from(others))
        expected = twin_of(state, seed).exchange(turn, place, action, greedy)
        assert Bench(state, seed).exchange(turn, place, action, greedy) == expected
        assert Bench(state, seed).exchange(turn, place, action, greedy, in_place=True) == expected


@settings(max_examples=60, deadline=None)
@given(places_to_plan(), SEEDS, SEEDS, st.booleans(), st.data())
def test_the_repair_of_any_sequence_is_the_twins(
    state: State, seed: int, first: int, greedy: bool, data: st.DataObject
) -> None:
    # A real turn, shuffled: some of it is legal where it now stands, some is not.
    turn = data.draw(st.permutations(some_turn(state, first)))
    assert Bench(state, seed).repair(turn, greedy) == twin_of(state, seed).repair(turn, greedy)


# -- what they promise ---------------------------------------------------------------------------------------------


@settings(max_examples=100, deadline=None)
@given(places_to_plan(), SEEDS, st.booleans())
def test_every_operator_gives_a_whole_legal_turn_and_leaves_its_end_behind(
    state: State, seed: int, greedy: bool
) -> None:
    bench = Bench(state, seed)
    a, b = bench.new_turn(greedy), bench.new_turn()
    assert a is not None
    assert b is not None
    child = bench.crossover(a, b, greedy=greedy)
    assert child is not None
    mutant = bench.mutate(child, greedy=greedy)
    assert mutant is not None
    assert all(is_whole_turn(state, turn) for turn in (a, b, child, mutant))
    if "plain" not in state.game.name:
        assert np.array_equal(bench.left_behind, after(state, mutant).words)


@settings(max_examples=100, deadline=None)
@given(places_to_plan(), SEEDS, SEEDS)
def test_a_mutation_changes_one_gene_and_after_it_only_what_became_illegal(state: State, seed: int, first: int) -> None:
    turn = some_turn(state, first)
    mutant = Bench(state, seed).mutate(turn)
    assert mutant is not None
    changed = differences(turn, mutant)
    if not changed:
        assert all(not twin_of(state, 0).others(turn, place) for place in range(len(turn))), "there was a choice"
        assert mutant == turn
        return
    place = changed[0]
    assert mutant[place] in twin_of(state, 0).others(turn, place)
    for i in changed[1:]:
        assert not after(state, mutant[:i]).is_legal(turn[i]), f"gene {i} was legal and should have been kept"


@settings(max_examples=100, deadline=None)
@given(places_to_plan(), SEEDS, SEEDS, SEEDS)
def test_a_child_has_a_parents_gene_wherever_one_was_legal(state: State, seed: int, first: int, second: int) -> None:
    a, b = some_turn(state, first), some_turn(state, second)
    child = Bench(state, seed).crossover(a, b, both_next=True)
    assert child is not None
    for i, gene in enumerate(child):
        here = after(state, child[:i])
        now = {parent[i] for parent in (a, b) if i < len(parent) and here.is_legal(parent[i])}
        following = {parent[i + 1] for parent in (a, b) if i + 2 < len(parent) and here.is_legal(parent[i + 1])}
        assert gene in (now or following or set(here.candidate_actions()))


@pytest.mark.parametrize("name", ["hero-academy", "amazons", "errands"])
def test_a_child_of_a_turn_with_itself_is_that_turn(name: str) -> None:
    for number, state in enumerate(states_of(name)[:30]):
        turn = some_turn(state, number)
        assert Bench(state, number).crossover(turn, turn) == turn


def test_both_parents_give_genes() -> None:
    """Where all is legal, each gene of a child comes from either parent about as often."""
    state = states_of("hero-academy")[0]
    pairs = [(some_turn(state, 2 * i), some_turn(state, 2 * i + 1)) for i in range(200)]
    firsts = [(a[0], b[0], (Bench(state, i).crossover(a, b) or [-1])[0]) for i, (a, b) in enumerate(pairs)]
    from_a = [gene == a for a, b, gene in firsts if a != b]
    assert all(gene in (a, b) for a, b, gene in firsts)
    assert 0.35 < sum(from_a) / len(from_a) < 0.65


def test_every_gene_that_has_an_alternative_is_mutated_equally_often() -> None:
    """The last gene of a Hero Academy turn, its end, is forced: nobody else may get its share."""
    state = game_of("hero-academy").initial_state(5)
    turn = some_turn(state, 1)
    counts = [0] * len(turn)
    for seed in range(900):
        mutant = Bench(state, seed).mutate(turn)
        assert mutant is not None
        counts[differences(turn, mutant)[0]] += 1
    assert counts[-1] == 0
    # Three genes share 900: a standard deviation is 14.
    assert all(abs(count - 300) < 71 for count in counts[:-1])


def test_anywhere_lets_a_forced_gene_be_drawn_and_stay() -> None:
    state = game_of("hero-academy").initial_state(5)
    turn = some_turn(state, 1)
    unchanged = sum(Bench(state, seed).mutate(turn, anywhere=True) == turn for seed in range(400))
    assert 60 < unchanged < 140  # one in four


def test_a_mutated_gene_is_any_of_the_others_equally_often() -> None:
    state = errands(2).initial_state(3)
    turn = some_turn(state, 4)
    first = [mutant[0] for mutant in (Bench(state, seed).mutate(turn) or [] for seed in range(1200))]
    others = twin_of(state, 0).others(turn, 0)
    changed = [gene for gene in first if gene != turn[0]]
    assert set(changed) == set(others)
    expected = len(changed) / len(others)
    assert all(abs(changed.count(gene) - expected) < 6 * expected**0.5 for gene in others)


def test_a_greedy_operator_that_runs_out_of_evaluations_says_so_and_takes_no_more() -> None:
    state = game_of("hero-academy").initial_state(1)
    for limit in range(1, 30):
        bench = Bench(state, 1, evaluations=limit)
        made = bench.new_turn(greedy=True)
        assert bench.evaluations <= limit
        assert made is None or is_whole_turn(state, made)
    assert Bench(state, 1, evaluations=5).new_turn(greedy=True) is None
