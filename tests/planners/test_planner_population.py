"""OEP against a slow model that draws the same numbers: population, survivors, offspring, and what is kept."""

from __future__ import annotations

from typing import Any

import pytest
from planner_games import after, states_of, turn_continues
from planner_operators import Twin

from tactician.contract import State
from tactician.contract.plain import Chance
from tactician.contract.random import stream
from tactician.planners import OEP, GreedyOEP
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
        self.best: tuple[float, list[int]] = (-float("inf"), [])

    @property
    def judged_again(self) -> bool:
        return self.planner.rollouts or self.planner.style == "reference"

    def step(self) -> None:
        i = self.slot
        if self.generation == 0:
            seeds = round(self.planner.population * self.planner.greedy_seeds)
            self.turns[i] = self.twin.new_turn(greedy=i < seeds)
            self.fitness[i] = self.worth_of(self.turns[i])
        elif i < self.survivors:
            self.fitness[i] = min(self.fitness[i], self.worth_of(self.turns[i]))
        else:
            self.turns[i] = self.offspring(i)
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

    def worth_of(self, turn: list[int]) -> float:
        now = after(self.state, turn)
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
        assert search.counters.iterations == model.generation - 1, "the first population is not a generation"


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
