"""OEP against a slow model that draws the same numbers: population, survivors, offspring, and what is kept."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from planner_games import after, all_turns, states_of, turn_continues
from planner_operators import Bench, Twin

from tactician.contract import State
from tactician.contract.plain import Chance
from tactician.contract.random import stream
from tactician.planners import OEP, GreedyOEP
from tactician.planners.choices import ChoiceMemory
from tactician.planners.genome import turn_list
from tactician.seats import Budget


class SlowOEP:
    """OEP as the specification tells it, one genome a step."""

    def __init__(self, planner: OEP, state: State, seed: int) -> None:
        self.planner = planner
        self.twin = Twin(state, Chance(stream(seed).tolist()))
        self.state, self.chance = state, self.twin.chance
        size = planner.population
        self.survivors = size - round(size * planner.kill_rate)
        self.turns: list[list[int]] = [[] for _ in range(size)]
        self.fitness = [0.0] * size
        self.slot, self.generation = 0, 0
        self.known: set[int] = set()
        self.hits = 0
        self.best: tuple[float, list[int]] = (-float("inf"), [])

    @property
    def judged_again(self) -> bool:
        return self.planner.rollouts or self.planner.style == "reference"

    def step(self) -> None:
        i = self.slot
        if self.generation == 0:
            seeds = round(self.planner.population * self.planner.greedy_seeds)
            self.turns[i] = self.until_new(self.twin.new_turn(greedy=i < seeds))
            self.fitness[i] = self.worth_of(self.turns[i])
        elif i < self.survivors:
            self.fitness[i] = min(self.fitness[i], self.worth_of(self.turns[i], again=True))
        else:
            self.turns[i] = self.until_new(self.offspring(i))
            self.fitness[i] = self.worth_of(self.turns[i])
        if self.fitness[i] > self.best[0] and not self.planner.rollouts:
            self.best = (self.fitness[i], self.turns[i])
        self.slot += 1
        if self.slot == self.planner.population:
            self.sort()

    def offspring(self, i: int) -> list[int]:
        reference, greedy = self.planner.style == "reference", self.planner.repair == "greedy"
        first = self.chance.below(self.survivors) if reference else (i - self.survivors) % self.survivors
        others = [parent for parent in range(self.survivors) if parent != first]
        second = others[self.chance.below(len(others))] if others else first
        child = self.twin.crossover(self.turns[first], self.turns[second], both_next=reference, greedy=greedy)
        if self.chance.unit() < self.planner.mutation_rate:
            child = self.twin.mutate(child, anywhere=reference, greedy=greedy)
        return child

    def until_new(self, turn: list[int]) -> list[int]:
        """With tabu, a turn with a known end is mutated up to ten times."""
        reference, greedy = self.planner.style == "reference", self.planner.repair == "greedy"
        for retry in range(11):
            if not self.planner.tabu or after(self.state, turn).key() not in self.known:
                break
            self.hits += 1
            turn = self.twin.mutate(turn, anywhere=reference, greedy=greedy) if retry < 10 else turn
        return turn

    def worth_of(self, turn: list[int], again: bool = False) -> float:
        now = after(self.state, turn)
        if self.planner.tabu and not again:
            if now.key() in self.known:
                return -float("inf")
            self.known.add(now.key())
        if self.planner.rollouts and not now.is_over():
            opponent = now.current_player()
            while turn_continues(now, opponent):
                options = now.candidate_actions()
                now.apply(options[self.chance.below(len(options))])
        return self.twin.judge(now)

    def sort(self) -> None:
        order = sorted(range(len(self.turns)), key=lambda i: -self.fitness[i])
        self.turns = [self.turns[i] for i in order]
        self.fitness = [self.fitness[i] for i in order]
        if self.planner.rollouts:
            self.best = (self.fitness[0], self.turns[0])
        self.generation += 1
        self.slot = 0 if self.judged_again else self.survivors


NAMED: dict[str, OEP] = {
    "vanilla": OEP(population=20),
    "greedy": GreedyOEP(population=20),
    "reference": OEP(population=20, style="reference"),
    "rollouts": OEP(population=10, rollouts=True),
    "always mutated": OEP(population=12, mutation_rate=1.0),
    "never mutated": OEP(population=12, mutation_rate=0.0),
    "one survivor": OEP(population=4, kill_rate=0.75),
    "many survivors": OEP(population=20, kill_rate=0.1),
    "all seeds greedy": GreedyOEP(population=6, greedy_seeds=1.0),
    "tabu": OEP(population=20, tabu=True),
    "tabu, greedy": GreedyOEP(population=20, tabu=True),
    "tabu, reference": OEP(population=20, tabu=True, style="reference"),
}


@pytest.mark.parametrize("name", NAMED)
@pytest.mark.parametrize("game", ["errands", "errands-3", "plain-errands", "amazons", "hero-academy"])
def test_the_population_is_the_models_after_every_genome(game: str, name: str) -> None:
    planner, state = NAMED[name], states_of(game)[8]
    steps = 8 * planner.population
    with state.game.searching():
        model, search = SlowOEP(planner, state, 4), begun(planner, state, 4)
        for _ in range(steps):
            model.step()
            assert search.advance(1)
            p = search._population
            rows = p.order.tolist()
            made = model.slot if model.generation == 0 else planner.population
            assert [turn_list(p.turns, row) for row in rows[:made]] == model.turns[:made]
            assert [float(p.fitness[row]) for row in rows[:made]] == model.fitness[:made]
            if model.best[1]:
                assert search.best() == (model.best[1], model.best[0])
        assert search.counters.evaluations == model.twin.evaluations
        assert search.counters.hits == model.hits
        assert search.counters.iterations == model.generation - 1, "the first population is not a generation"


@pytest.mark.parametrize("planner", [OEP(tabu=True), GreedyOEP(tabu=True)], ids=str)
def test_turns_with_known_ends_cost_nothing(planner: OEP) -> None:
    state = states_of("hero-academy")[12]
    stats = planner.on(state.game).plan(state, "1000evals").stats
    assert stats.evaluations == 1000
    assert stats.sequences == stats.unique_outcomes
    assert stats.transposition_hits > 0
    if planner.repair == "random":
        assert stats.sequences == stats.evaluations


def test_with_tabu_a_search_ends_where_nothing_is_new() -> None:
    state = states_of("errands")[8]
    stats = OEP(tabu=True).on(state.game).plan(state, "1000000evals").stats
    every = {end.key() for _, end in all_turns(state)}
    assert 0.9 * len(every) < stats.unique_outcomes == stats.evaluations <= len(every)


def begun(planner: OEP, state: State, seed: int) -> Any:
    search = planner.search(state.game)
    search.begin(state.words, state.current_player(), stream(seed), Budget(ms=1e9))
    return search


def test_the_best_never_gets_worse_from_generation_to_generation() -> None:
    state = states_of("hero-academy")[8]
    search = begun(OEP(population=20), state, 1)
    best = -float("inf")
    for _ in range(50):
        search.advance(10)
        assert search.best()[1] >= best
        best = search.best()[1]


def greedy_turns(state: State) -> set[tuple[int, ...]]:
    """Every turn that Greedy Action can play in a state, whatever way ties are broken."""
    twin = Twin(state, Chance(stream(0).tolist()))
    found: set[tuple[int, ...]] = set()
    open_turns: list[tuple[int, ...]] = [()]
    while open_turns:
        turn = open_turns.pop()
        now = after(state, list(turn))
        if turn_continues(now, state.current_player()):
            open_turns += [(*turn, action) for action in twin.best_actions(now)]
        else:
            found.add(turn)
    return found


@settings(deadline=None)
@given(game=st.sampled_from(["errands", "amazons", "hero-academy"]), number=st.integers(0, 7), seed=st.integers(0, 99))
def test_greedy_seeds_are_greedy_turns_with_ties_broken_anew(game: str, number: int, seed: int) -> None:
    planner, state = GreedyOEP(population=40, greedy_seeds=1.0), states_of(game)[number]
    with state.game.searching():
        search = begun(planner, state, seed)
        search.advance(planner.population)
    turns = search._population.turns
    seeds = {tuple(turn_list(turns, row)) for row in range(planner.population)}
    possible = greedy_turns(state)
    assert seeds <= possible
    if len(possible) > 1:
        # Each seed is drawn from at least two turns, so that 40 equal ones don't happen.
        assert len(seeds) > 1


def test_states_with_ties_are_among_those_that_seeds_are_tested_on() -> None:
    assert any(len(greedy_turns(state)) > 1 for state in states_of("hero-academy")[:8])


def test_greedy_choices_that_find_no_room_are_worked_out_again() -> None:
    """A memory that is full changes what is counted, not what is chosen from."""
    state = next(state for state in states_of("hero-academy") if len(greedy_turns(state)) > 1)
    possible = greedy_turns(state)
    bench = Bench(state, 3)
    bench.choices = ChoiceMemory(1 << 12, tied_actions=2)
    made = [bench.new_turn(greedy=True) for _ in range(30)]
    assert {tuple(turn) for turn in made if turn} <= possible
    assert len({tuple(turn) for turn in made if turn}) > 1
    counted = bench.evaluations
    roomy = Bench(state, 3)
    assert [roomy.new_turn(greedy=True) for _ in range(30)] == made
    assert roomy.evaluations < counted
