"""Online Evolutionary Planning: a population of whole turns, crossed and mutated until the budget is spent.

One unit of work is one genome, so that a search can stop anywhere; one iteration is one generation. Vanilla OEP
repairs with random actions; greedy OEP repairs with Greedy Action and seeds part of the population with its turns.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, ClassVar, Literal, NamedTuple

import numpy as np
from numba import njit
from numpy.typing import NDArray

from tactician.contract import calls
from tactician.contract.game import Game
from tactician.contract.random import below, unit
from tactician.native.caching import kernel
from tactician.native.memory import borrowed
from tactician.planners import genome, outcomes
from tactician.planners.base import Planner, Search
from tactician.planners.work import (
    COMPLETED,
    ITERATIONS,
    apply,
    count_outcome,
    judge,
    list_candidates,
    may_evaluate,
    may_go_on,
    state_at,
    turn_goes_on,
)
from tactician.seats.budget import Budget

MAX_OUTCOMES = 1 << 19
REFERENCE_GENOMES = 47_600
"""New genomes a second of the papers' code; 50 are a generation."""


@dataclass(frozen=True, kw_only=True)
class OEP(Planner):
    """Evolves a population of turns; the fittest half survives each generation and has offspring."""

    name: ClassVar[str] = "oep"
    paper: ClassVar[str] = "Justesen et al. 2017, section IV"
    reference_rate: ClassVar[float] = REFERENCE_GENOMES / 50

    population: int = 100
    """Turns in the population, at least 2; the paper's 100."""
    kill_rate: float = 0.5
    """The part that is replaced each generation, between 0 and 1; the paper's 0.5."""
    mutation_rate: float = 0.1
    """The part of the offspring that is mutated, 0 to 1; the paper's 0.1."""
    repair: Literal["random", "greedy"] = "random"
    """What takes the place of an action that became illegal."""
    greedy_seeds: float = 0.0
    """The part of the first population made by Greedy Action, 0 to 1."""
    rollouts: bool = False
    """Judge a turn by a random reply of the opponent, again each generation; it keeps its lowest value."""
    style: Literal["paper", "reference"] = "paper"
    """'reference': survivors are judged again each generation, parents are any two, any gene may be mutated."""

    def __post_init__(self) -> None:
        super().__post_init__()
        self._require(isinstance(self.population, int) and 2 <= self.population <= 100_000, "population", "2 to 100000")
        self._require(0 < self.kill_rate < 1, "kill_rate", "a number between 0 and 1, both excluded")
        self._require(0 <= self.mutation_rate <= 1, "mutation_rate", "a number from 0 to 1")
        self._require(self.repair in ("random", "greedy"), "repair", "'random' or 'greedy'")
        self._require(0 <= self.greedy_seeds <= 1, "greedy_seeds", "a number from 0 to 1")
        self._require(self.style in ("paper", "reference"), "style", "'paper' or 'reference'")

    @property
    def survivors(self) -> int:
        """How many turns a generation leaves alive: at least one, and never all."""
        return min(self.population - 1, max(1, self.population - round(self.population * self.kill_rate)))

    def rate(self) -> float:
        """Generations a second: the fewer genomes each has, the more."""
        return REFERENCE_GENOMES / (self.population - self.survivors)

    def search(self, game: Game) -> Search:
        """A search with room for the whole population."""
        return _Evolution(game, self)


@dataclass(frozen=True, kw_only=True)
class GreedyOEP(OEP):
    """OEP that repairs with Greedy Action and starts from some of its turns."""

    name: ClassVar[str] = "greedy-oep"
    paper: ClassVar[str] = "Baier & Cowling 2018, section III-C"

    repair: Literal["random", "greedy"] = "greedy"
    greedy_seeds: float = 0.2


class _Parameters(NamedTuple):
    """What the kernel needs of an `OEP`."""

    survivors: Any
    greedy_seeds: Any
    mutation_rate: Any
    greedy: Any
    rollouts: Any
    reference: Any


class _Population(NamedTuple):
    """The arrays of a population; the last row of genes is room for the best turn so far."""

    genes: Any
    lengths: Any
    fitness: Any
    order: Any
    """Rows, best first, after each generation."""
    cursor: Any
    """Where the search stands: the next row of `order` to make; the generation it belongs to; the best row."""


class _Evolution(Search):
    """The running population."""

    def __init__(self, game: Game, planner: OEP) -> None:
        super().__init__(game, planner.prune, states=5)
        size = planner.population
        self._parameters = _Parameters(
            survivors=planner.survivors,
            greedy_seeds=round(size * planner.greedy_seeds),
            mutation_rate=float(planner.mutation_rate),
            greedy=planner.repair == "greedy",
            rollouts=planner.rollouts,
            reference=planner.style == "reference",
        )
        self._population = _Population(
            genes=np.zeros((size + 1, game.max_turn), np.int32),
            lengths=np.zeros(size + 1, np.int64),
            fitness=np.zeros(size + 1),
            order=np.zeros(size, np.int64),
            cursor=np.zeros(2, np.int64),
        )
        self._seen = outcomes.KeyTable(MAX_OUTCOMES)

    def begin(self, root: NDArray[np.uint64], player: int, random: NDArray[np.uint64], budget: Budget) -> None:
        """Forget the population."""
        super().begin(root, player, random, budget)
        self._seen.empty()
        _begin(self.work, self._population, player)

    def _advance(self, units: int) -> bool:
        """Make so many genomes."""
        self._seen.grow_if_crowded()
        return bool(_evolve(self.work, self._population, self._seen.keys, self._parameters, self.player, units))

    def best(self) -> tuple[list[int], float | None]:
        """The fittest turn there has been."""
        p = self._population
        keep = p.genes.shape[0] - 1
        value = float(p.fitness[keep])
        return p.genes[keep, : p.lengths[keep]].tolist(), value if np.isfinite(value) else None

    def alternatives(self, most: int) -> list[tuple[list[int], float, int]]:
        """The fittest different turns of the population, with how many copies there are of each."""
        p = self._population
        made = p.cursor[0] if p.cursor[1] == 0 else p.order.shape[0]
        found: dict[tuple[int, ...], tuple[float, int]] = {}
        for row in p.order[:made]:
            if p.lengths[row] == 0:  # the budget ended while it was made
                continue
            turn = tuple(p.genes[row, : p.lengths[row]].tolist())
            fitness, copies = found.get(turn, (float(p.fitness[row]), 0))
            found[turn] = (fitness, copies + 1)
        ranked = sorted(found.items(), key=lambda item: -item[1][0])
        return [(list(turn), fitness, copies) for turn, (fitness, copies) in ranked[:most]]


@kernel
def _begin(w: Any, p: Any, player: Any) -> None:
    """An empty population; until a genome is judged, the best turn is the one the ratings choose."""
    w, p = borrowed(w), borrowed(p)
    p.cursor[:] = 0
    for i in range(p.order.shape[0]):
        p.order[i] = i
    keep = p.genes.shape[0] - 1
    p.fitness[keep] = -np.inf
    p.lengths[keep] = genome.finish_turn(w, genome.begin_turn(w), player, p.genes, keep, 0, False)


@kernel
def _evolve(w: Any, p: Any, seen: Any, q: Any, player: Any, units: Any) -> Any:
    """Make `units` genomes; 0 once a limit is reached."""
    w, p, seen = borrowed(w), borrowed(p), borrowed(seen)
    size = p.order.shape[0]
    for _ in range(units):
        if not may_go_on(w):
            return 0
        if outcomes.is_crowded(seen) or outcomes.is_crowded(w.memo):
            return 1
        slot = p.cursor[0]
        if p.cursor[1] == 0:
            made = _first_genome(w, p, seen, q, player, slot)
        elif slot < q.survivors:
            made = _judged_again(w, p, q, player, slot)
        else:
            made = _offspring(w, p, seen, q, player, slot)
        if not made:
            return 0
        p.cursor[0] += 1
        if p.cursor[0] == size:
            _next_generation(w, p, q)
    return 1


@njit
def _first_genome(w: Any, p: Any, seen: Any, q: Any, player: Any, slot: Any) -> Any:
    row = p.order[slot]
    length = genome.new_turn(w, player, p.genes, row, slot < q.greedy_seeds)
    return _judge(w, p, seen, q, player, row, length)


@njit
def _judged_again(w: Any, p: Any, q: Any, player: Any, slot: Any) -> Any:
    """A survivor's value can only fall; without rollouts it can't change, which the reference finds out each time."""
    row = p.order[slot]
    now = genome.replay(w, p.genes, row, p.lengths[row])
    value = _worth(w, q, player, now)
    p.fitness[row] = min(p.fitness[row], value)
    return True


@njit
def _offspring(w: Any, p: Any, seen: Any, q: Any, player: Any, slot: Any) -> Any:
    """Cross two survivors into the place of one that did not; some children are mutated."""
    row = p.order[slot]
    if q.reference:
        first = below(w.rng, q.survivors)
    else:
        first = (slot - q.survivors) % q.survivors
    second = first
    if q.survivors > 1:
        second = below(w.rng, q.survivors - 1)
        second += int(second >= first)
    length = genome.crossover(
        w, player, p.genes, p.lengths, p.order[first], p.order[second], row, q.reference, q.greedy
    )
    if length > 0 and unit(w.rng) < q.mutation_rate:
        length = genome.mutate(w, player, p.genes, row, length, q.reference, q.greedy)
    return _judge(w, p, seen, q, player, row, length)


@njit
def _judge(w: Any, p: Any, seen: Any, q: Any, player: Any, row: Any, length: Any) -> Any:
    """Value a finished turn by the state it left, unless the budget ended before."""
    if length < 0 or not may_evaluate(w):
        p.lengths[row] = 0
        p.fitness[row] = -np.inf
        return False
    now = state_at(w, genome.NOW)
    p.lengths[row] = length
    count_outcome(w, seen, now)
    value = _worth(w, q, player, now)
    p.fitness[row] = value
    keep = p.genes.shape[0] - 1
    if value > p.fitness[keep] and not q.rollouts:
        _keep(p, keep, row)
        w.count[COMPLETED] = 0
    return True


@njit
def _worth(w: Any, q: Any, player: Any, now: Any) -> Any:
    """The evaluation after the turn, or after a random reply to it."""
    if q.rollouts:
        opponent = calls.current_player(w.table, w.g, now)
        while turn_goes_on(w, now, opponent):
            n = list_candidates(w, now, genome.OPTIONS)
            apply(w, now, w.actions[genome.OPTIONS, below(w.rng, n)])
    return judge(w, now, player)


@njit
def _keep(p: Any, keep: Any, row: Any) -> None:
    p.lengths[keep] = p.lengths[row]
    p.fitness[keep] = p.fitness[row]
    for i in range(p.lengths[row]):
        p.genes[keep, i] = p.genes[row, i]


@njit
def _next_generation(w: Any, p: Any, q: Any) -> None:
    """Sort the rows, best first, and begin to replace the worst."""
    _sort(p.order, p.fitness)
    if q.rollouts:
        _keep(p, p.genes.shape[0] - 1, p.order[0])
    if p.cursor[1] > 0:
        w.count[ITERATIONS] += 1
    p.cursor[1] += 1
    p.cursor[0] = 0 if q.rollouts or q.reference else q.survivors


@njit
def _sort(order: Any, fitness: Any) -> None:
    """Stable insertion sort of rows by falling fitness: survivors are in order already, so it is quick."""
    for i in range(1, order.shape[0]):
        row = order[i]
        value = fitness[row]
        j = i - 1
        while j >= 0 and fitness[order[j]] < value:
            order[j + 1] = order[j]
            j -= 1
        order[j + 1] = row
