"""A slow, obvious model of rolling-horizon evolution, on lists. It draws the same random numbers in the same order."""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np
from planner_games import worth

from tactician.contract import SIMULTANEOUS, Game, State
from tactician.contract.plain import Chance
from tactician.contract.random import stream
from tactician.planners import RHEA

OPEN = -1


@dataclass
class Genome:
    genes: list[int]
    values: list[float] = field(default_factory=list)

    @property
    def fitness(self) -> float:
        """The mean, as if one more simulation had been lost."""
        return (sum(self.values) - 1) / (len(self.values) + 1)


class SlowRHEA:
    """The population of one seat."""

    def __init__(self, planner: RHEA, game: Game, seat: int) -> None:
        self.planner, self.game, self.seat = planner, game, seat
        self.words = np.zeros(4, np.uint64)
        self.chance = Chance(self.words)
        self.living = [Genome([OPEN] * planner.depth) for _ in range(planner.population)]
        self.survivors = min(
            planner.population - 1, max(1, planner.population - round(planner.population * planner.kill_rate))
        )

    def begin(self, state: State, seed: int) -> None:
        """Shift what was evolved before by one step, fittest first."""
        self.words[:] = stream(seed)
        self.root = self.ours(state)
        kept = [[*genome.genes[1:], OPEN] for genome in self.ranked()]
        if not self.planner.reuse or state.current_player() != SIMULTANEOUS:
            kept = [[OPEN] * self.planner.depth for _ in kept]
        self.living = [Genome(genes) for genes in kept]
        self.generation, self.slot = 0, 0
        self.first: dict[int, list[float]] = {}
        self.sampled = self.actions_of(self.root, self.seat) != self.actions_of(self.root, self.seat)

    def ranked(self) -> list[Genome]:
        return sorted(self.living, key=lambda genome: -genome.fitness if genome.values else float("inf"))

    def ours(self, state: State) -> State:
        """A copy whose chance events are drawn from the search's own stream."""
        return type(state)(self.game, state.words, self.words)

    def actions_of(self, state: State, player: int) -> list[int]:
        if state.current_player() not in (SIMULTANEOUS, player):
            return [0]
        return state.candidate_actions(player) if self.planner.prune else state.legal_actions(player)

    def any_of(self, listed: list[int]) -> int:
        return listed[self.chance.below(len(listed))]

    def step(self) -> None:
        """One simulation."""
        if self.generation > 0 and self.slot >= self.survivors:
            self.living[self.slot] = self.child()
        genome = self.living[self.slot]
        value = self.simulate(genome)
        genome.values.append(value)
        self.first.setdefault(genome.genes[0], []).append(value)
        self.slot += 1
        if self.slot == self.planner.population:
            self.living.sort(key=lambda one: -one.fitness)
            self.generation, self.slot = self.generation + 1, 0

    def child(self) -> Genome:
        parents = self.living[: self.survivors]
        mother = father = parents[self.chance.below(len(parents))]
        if self.planner.crossover:
            father = parents[self.chance.below(len(parents))]
        forced = self.chance.below(self.planner.depth)
        genes = []
        for place in range(self.planner.depth):
            other = father is not mother and self.chance.below(2) == 1
            gene = (father if other else mother).genes[place]
            mutated = place == forced or self.chance.unit() < self.planner.mutation_rate
            genes.append(OPEN if mutated else gene)
        return Genome(genes)

    def simulate(self, genome: Genome) -> float:
        now = self.ours(self.root)
        modelled = [self.by_model(player) for player in range(self.game.players)]
        for place in range(self.planner.depth):
            if now.is_over():
                break
            joint = []
            for player in range(self.game.players):
                if player == self.seat:
                    joint.append(self.own_action(genome, now, place))
                elif not modelled[player]:
                    joint.append(self.any_of(self.actions_of(now, player)))
                elif now.current_player() in (SIMULTANEOUS, player):
                    joint.append(self.expected(now, player))
                else:
                    joint.append(0)
            mover = now.current_player()
            now.apply(joint if mover == SIMULTANEOUS else joint[mover])
        low, high = self.game.value_range
        return min(1.0, max(-1.0, (worth(now, self.seat) - low) * (2 / (high - low)) - 1))

    def by_model(self, player: int) -> bool:
        """Whether a player acts by the model in this simulation."""
        if player == self.seat or self.planner.opponents == "uniform":
            return False
        share = self.planner.model_share
        return share == 1 or self.chance.unit() < share

    def expected(self, now: State, player: int) -> int:
        """The model's action; models of these tests draw nothing."""
        return now.expected_action(player, 0)

    def own_action(self, genome: Genome, now: State, place: int) -> int:
        gene, seat = genome.genes[place], self.seat
        if gene == OPEN:
            genome.genes[place] = self.any_of(self.actions_of(now, seat))
            return genome.genes[place]
        acts = now.current_player() in (SIMULTANEOUS, seat)
        if self.sampled and acts:
            if gene in now.legal_actions(seat):
                return gene
            listed = self.actions_of(now, seat)
        else:
            listed = self.actions_of(now, seat)
            if gene in listed:
                return gene
        action = self.any_of(listed)
        if not genome.values:
            genome.genes[place] = action
        return action
