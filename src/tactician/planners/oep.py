"""Online Evolutionary Planning: a population of whole turns, crossed and mutated until the budget is spent.

One unit of work is one genome, so that a search can stop anywhere; one iteration is one generation. Vanilla OEP
repairs with random actions; greedy OEP repairs with Greedy Action and seeds part of the population with its turns.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar, Literal, NamedTuple

import numpy as np
from numpy.typing import NDArray

from tactician.contract.game import Game
from tactician.contract.random import below, unit
from tactician.native.caching import inlined, kernel
from tactician.native.memory import Address, borrowed
from tactician.native.rows import Row, Rows, make_rows
from tactician.planners.base import Planner, Search
from tactician.planners.choices import ChoiceMemory
from tactician.planners.genome import (
    Repair,
    Turns,
    copy_turn,
    crossover,
    finish_turn,
    make_turns,
    mutate,
    new_turn,
    replay,
    survivors_of,
    turn_list,
)
from tactician.planners.outcomes import KeySlots, KeyTable, find, is_crowded
from tactician.planners.ranking import Ranking, clear_ranking, make_ranking, offer, ranked_turns
from tactician.planners.rollouts import MAX_ROLLOUT
from tactician.planners.work import (
    NOW,
    ON_DEMAND,
    Work,
    apply,
    continues,
    count_outcome,
    from_root,
    judge,
    key_of,
    key_of_outcome,
    may_evaluate,
    may_iterate,
    mover_of,
    random_for,
    state_at,
    turn_continues,
)
from tactician.seats.budget import Budget

MAX_OUTCOMES = 1 << 19
RETRIES = 10
"""Mutations of a turn that ends in a known state, with `tabu`."""
PATIENCE = 2_000
"""Turns in a row that are discarded; then there is nothing left to find."""
REFERENCE_GENOMES = 47_600
"""New genomes a second of the papers' code; 50 are a generation."""


@dataclass(frozen=True, kw_only=True)
class OEP(Planner):
    """Evolves a population of turns by crossover and mutation."""

    name: ClassVar[str] = "oep"
    page: ClassVar[str] = "planners/oep.md"
    iteration: ClassVar[str] = "a generation, not counting the first population"
    paper: ClassVar[str] = "Justesen et al. 2017, section IV"
    reference_rate: ClassVar[float] = REFERENCE_GENOMES / 50

    population: int = 100
    """Turns in the population, 2 to 100000; the paper's 100."""
    kill_rate: float = 0.5
    """Share that is replaced in each generation, between 0 and 1, both excluded; the paper's 0.5."""
    mutation_rate: float = 0.1
    """Share of the children that is mutated, 0 to 1; the paper's 0.1."""
    repair: Literal["random", "greedy"] = "random"
    """How an action that became illegal is replaced: `random` or `greedy` (by Greedy Action)."""
    greedy_seeds: float = 0.0
    """Share of the first population that Greedy Action makes, 0 to 1."""
    rollouts: bool = False
    """Value a turn after a random reply of the opponent, again in each generation; it keeps its lowest value."""
    style: Literal["paper", "reference"] = "paper"
    """`paper`, or `reference` as in the papers' code: survivors are valued again, any two are parents, any gene
    mutates."""
    tabu: bool = False
    """Mutate a turn that ends in the same state as an earlier one of the search until it doesn't, ten times at most;
    then discard it. Turns with known ends are not evaluated."""

    def __post_init__(self) -> None:
        super().__post_init__()
        self._require(isinstance(self.population, int) and 2 <= self.population <= 100_000, "population", "2 to 100000")
        self._require(0 < self.kill_rate < 1, "kill_rate", "a number between 0 and 1, both excluded")
        self._require(0 <= self.mutation_rate <= 1, "mutation_rate", "a number from 0 to 1")
        self._require(self.repair in ("random", "greedy"), "repair", "'random' or 'greedy'")
        self._require(0 <= self.greedy_seeds <= 1, "greedy_seeds", "a number from 0 to 1")
        self._require(self.style in ("paper", "reference"), "style", "'paper' or 'reference'")
        self._require(self.tabu in (False, not self.rollouts), "tabu", "True or False; False with rollouts")

    @property
    def survivors(self) -> int:
        """How many turns a generation leaves alive: at least one, and never all."""
        return survivors_of(self.population, self.kill_rate)

    def rate(self) -> float:
        """Generations a second: the fewer genomes each has, the more."""
        return REFERENCE_GENOMES / (self.population - self.survivors)

    def search(self, game: Game) -> Search:
        """A search with room for the whole population."""
        return _Evolution(game, self)


@dataclass(frozen=True, kw_only=True)
class GreedyOEP(OEP):
    """OEP with some greedy turns in the first population and greedy repairs."""

    name: ClassVar[str] = "greedy-oep"
    paper: ClassVar[str] = "Baier & Cowling 2018, section III-C"

    repair: Literal["random", "greedy"] = "greedy"
    greedy_seeds: float = 0.2


class _Options(NamedTuple):
    """What the kernels need of an `OEP`."""

    survivors: int
    """Turns that a generation leaves alive."""
    greedy_seeds: int
    """Turns of the first population that Greedy Action makes."""
    mutation_rate: float
    """The part of the offspring that is mutated."""
    rollouts: bool
    """Whether a turn is valued after a random reply, again in each generation."""
    reference: bool
    """Whether to evolve as the reference does."""
    tabu: bool
    """Whether a turn that ends in a known state is mutated, and dies if that doesn't help."""


class _Cursor(Row):
    """Where the evolution stands."""

    slot: int
    """The next place of `order` to fill or to value again."""
    generation: int
    """The generation it belongs to; 0 is the first population."""
    stale: int
    """Turns in a row that were discarded because their ends were known."""


class _Population(NamedTuple):
    """The turns of a population; the row after the last is the best turn so far."""

    turns: Turns
    """[size + 1] the turns."""
    fitness: NDArray[np.float64]
    """[size + 1] what each turn is worth; minus infinity if it was never valued."""
    order: NDArray[np.int64]
    """[size] the rows of the turns, best first after each generation."""
    cursor: Rows[_Cursor]
    """[1] where the evolution stands."""
    ranking: Ranking
    """The best turns."""


class _Evolution(Search):
    """The running population."""

    def __init__(self, game: Game, planner: OEP) -> None:
        rates = planner.repair == "greedy" or planner.greedy_seeds > 0 or planner.rollouts > 0
        super().__init__(game, planner.prune, on_demand=ON_DEMAND if rates else ())
        size = planner.population
        self._options = _Options(
            survivors=planner.survivors,
            greedy_seeds=round(size * planner.greedy_seeds),
            mutation_rate=float(planner.mutation_rate),
            rollouts=planner.rollouts,
            reference=planner.style == "reference",
            tabu=planner.tabu,
        )
        self._greedy = planner.repair == "greedy"
        self._population = _Population(
            turns=make_turns(size + 1, game.max_turn),
            fitness=np.zeros(size + 1),
            order=np.zeros(size, np.int64),
            cursor=make_rows(_Cursor),
            ranking=make_ranking(game.max_turn, planner.alternatives),
        )
        self._seen = KeyTable(MAX_OUTCOMES)
        self._choices = ChoiceMemory()

    def begin(self, root: NDArray[np.uint64], player: int, random: NDArray[np.uint64], budget: Budget) -> None:
        """Forget the population."""
        super().begin(root, player, random, budget)
        self._seen.empty()
        self._choices.empty()
        _begin(self.work, self._population, player)

    def advance(self, units: int) -> bool:
        """Make `units` genomes."""
        self._seen.grow_if_crowded()
        self._choices.grow_if_crowded()
        repair = Repair(self._greedy, self._choices.choices)
        return _evolve(self.work, self._population, self._seen.keys, self._options, repair, self.player, units)

    def best(self) -> tuple[list[int], float | None]:
        """The fittest turn there has been."""
        population = self._population
        best = len(population.order)
        value = float(population.fitness[best])
        return turn_list(population.turns, best), value if np.isfinite(value) else None

    def alternatives(self, most: int) -> list[tuple[list[int], float, int]]:
        """The best different turns that were valued."""
        return ranked_turns(self._population.ranking, most)

    def figures(self) -> dict[str, float]:
        """The generation, best and mean value of the living turns, and the share of them that differ."""
        population, survivors = self._population, self._options.survivors
        alive = [row for row in population.order[:survivors].tolist() if np.isfinite(population.fitness[row])]
        if not alive:
            return {}
        different = {tuple(turn_list(population.turns, row)) for row in alive}
        return {
            "generation": int(population.cursor[0].generation),
            "best": float(population.fitness[len(population.order)]),
            "mean": float(population.fitness[alive].mean()),
            "diversity": len(different) / len(alive),
        }


@kernel
def _begin(work: Work, population: _Population, player: int) -> None:
    """Empty the population; until a genome is valued, the best turn is the one that ratings choose."""
    work, population = borrowed(work), borrowed(population)
    cursor = population.cursor[0]
    cursor.slot = 0
    cursor.generation = 0
    cursor.stale = 0
    clear_ranking(population.ranking)
    best = len(population.order)
    for i in range(best):
        population.order[i] = i
    population.fitness[best] = -np.inf
    length = finish_turn(work, population.turns, best, from_root(work), 0, player, False)
    population.turns.lengths[best] = length


@kernel
def _evolve(
    work: Work, population: _Population, seen: KeySlots, options: _Options, repair: Repair, player: int, units: int
) -> bool:
    """Make `units` genomes; False once a limit is reached."""
    work, population, seen, repair = borrowed(work), borrowed(population), borrowed(seen), borrowed(repair)
    cursor = population.cursor[0]
    for _ in range(units):
        if not may_iterate(work) or cursor.stale > PATIENCE:
            return False
        if is_crowded(seen) or is_crowded(repair.choices.states):
            return True
        if cursor.generation == 0:
            made = _first_genome(work, population, seen, options, repair, player)
        elif cursor.slot < options.survivors:
            made = _value_again(work, population, options, player)
        else:
            made = _offspring(work, population, seen, options, repair, player)
        if not made:
            return False
        cursor.slot += 1
        if cursor.slot == len(population.order):
            _next_generation(work, population, options)
    return True


@inlined
def _first_genome(
    work: Work, population: _Population, seen: KeySlots, options: _Options, repair: Repair, player: int
) -> bool:
    """Make a turn of the first population; False if the budget ended."""
    slot = population.cursor[0].slot
    row = population.order[slot]
    seeding = Repair(slot < options.greedy_seeds, repair.choices)
    length = new_turn(work, population.turns, row, player, seeding)
    return _value(work, population, seen, options, repair, player, row, length)


@inlined
def _value_again(work: Work, population: _Population, options: _Options, player: int) -> bool:
    """Value a survivor once more and keep the lower value; without rollouts, as in the reference, it is the same."""
    row = population.order[population.cursor[0].slot]
    now = replay(work, population.turns, row, population.turns.lengths[row])
    population.fitness[row] = min(population.fitness[row], _worth(work, options, player, now))
    return True


@inlined
def _offspring(
    work: Work, population: _Population, seen: KeySlots, options: _Options, repair: Repair, player: int
) -> bool:
    """Cross two survivors into the place of a turn that did not survive, and mutate some children."""
    slot = population.cursor[0].slot
    row = population.order[slot]
    if options.reference:
        first = below(work.rng, options.survivors)
    else:
        first = (slot - options.survivors) % options.survivors
    second = first
    if options.survivors > 1:
        second = below(work.rng, options.survivors - 1)
        second += int(second >= first)
    a, b = population.order[first], population.order[second]
    length = crossover(work, population.turns, a, b, row, player, options.reference, repair)
    if length > 0 and unit(work.rng) < options.mutation_rate:
        length = mutate(work, population.turns, row, length, player, options.reference, repair)
    return _value(work, population, seen, options, repair, player, row, length)


@inlined
def _value(
    work: Work,
    population: _Population,
    seen: KeySlots,
    options: _Options,
    repair: Repair,
    player: int,
    row: int,
    length: int,
) -> bool:
    """Value a finished turn by the state it left; False if the budget ended before."""
    if options.tabu:
        length = _changed_until_new(work, population, seen, options, repair, player, row, length)
    if length < 0 or not may_evaluate(work):
        population.turns.lengths[row] = 0
        population.fitness[row] = -np.inf
        return False
    now = state_at(work, NOW)
    population.turns.lengths[row] = length
    key = key_of_outcome(work, seen, now)
    if options.tabu and find(seen, key) >= 0:
        population.cursor[0].stale += 1
        population.fitness[row] = -np.inf
        return True
    population.cursor[0].stale = 0
    value = _worth(work, options, player, now)
    count_outcome(work, seen, key)
    offer(population.ranking, population.turns, row, length, key, value)
    population.fitness[row] = value
    if value > population.fitness[len(population.order)] and not options.rollouts:
        _keep(population, row)
        work.counters[0].completed = 0
    return True


@inlined
def _changed_until_new(
    work: Work,
    population: _Population,
    seen: KeySlots,
    options: _Options,
    repair: Repair,
    player: int,
    row: int,
    length: int,
) -> int:
    """Mutate a turn as long as the state it left is known, a few times at most; returns its length."""
    for i in range(RETRIES + 1):
        if length < 0 or not may_evaluate(work) or find(seen, key_of(work, state_at(work, NOW))) < 0:
            return length
        work.counters[0].hits += 1
        if i < RETRIES:
            length = mutate(work, population.turns, row, length, player, options.reference, repair)
    return length


@inlined
def _worth(work: Work, options: _Options, player: int, now: Address) -> float:
    """The evaluation after the turn, or after a random reply to it."""
    if options.rollouts and continues(work, now):
        opponent = mover_of(work, now)
        for _ in range(MAX_ROLLOUT):
            if not turn_continues(work, now, opponent):
                break
            apply(work, now, random_for(work, now, max(0, opponent)))
    return judge(work, now, player)


@inlined
def _keep(population: _Population, row: int) -> None:
    """Make a turn the best so far."""
    best = len(population.order)
    copy_turn(population.turns, row, best)
    population.fitness[best] = population.fitness[row]


@inlined
def _next_generation(work: Work, population: _Population, options: _Options) -> None:
    """Sort the rows, best first, and begin to replace the worst."""
    _sort(population.order, population.fitness)
    if options.rollouts:
        _keep(population, population.order[0])
    cursor = population.cursor[0]
    if cursor.generation > 0:
        work.counters[0].iterations += 1
    cursor.generation += 1
    cursor.slot = 0 if options.rollouts or options.reference else options.survivors


@inlined
def _sort(order: NDArray[np.int64], fitness: NDArray[np.float64]) -> None:
    """Stable insertion sort of rows by falling fitness: survivors are in order already, so it is quick."""
    for i in range(1, order.shape[0]):
        row = order[i]
        value = fitness[row]
        j = i - 1
        while j >= 0 and fitness[order[j]] < value:
            order[j + 1] = order[j]
            j -= 1
        order[j + 1] = row
