"""Rolling-horizon evolution (RHEA) for games in which all act at once: a population of the player's own next actions.

A genome is what the player does in the next steps; a simulation plays it against what the others are expected to do
and values where it ends. Others may act by chance, so a genome's value is the mean of its simulations, and those that
survive a generation are simulated again. From move to move the genomes are shifted: what was the second action is now
the first.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar, NamedTuple

import numpy as np
from numpy.typing import NDArray

from tactician.contract import calls
from tactician.contract.game import Game
from tactician.contract.random import below, unit
from tactician.contract.state import State
from tactician.native import abi
from tactician.native.caching import inlined, kernel
from tactician.native.memory import Address, borrowed, int64
from tactician.native.rows import Row, Rows, clear_rows, make_rows
from tactician.planners.base import Planner
from tactician.planners.genome import survivors_of
from tactician.planners.graph import list_moves, random_move, rated_move
from tactician.planners.opponents import (
    MODEL,
    OPPONENTS,
    acts_by_model,
    count_simulation,
    expected_move,
    follower_among,
    install_follower,
    take_step,
    value_between,
    with_models,
)
from tactician.planners.simultaneous_agent import SimultaneousAgent, SimultaneousSearch
from tactician.planners.work import (
    LEGAL,
    NO_ACTION,
    NOW,
    OPTIONS,
    ROOT,
    Work,
    continues,
    from_root,
    judge,
    list_at,
    list_legal,
    may_iterate,
    mover_of,
    random_option,
    state_at,
)
from tactician.seats.budget import Budget
from tactician.seats.plan import Choice

if TYPE_CHECKING:
    from tactician.planners.network_policy import NetworkPolicy

MAX_DEPTH = 1000
MAX_POPULATION = 10_000
_SIMULTANEOUS = abi.SIMULTANEOUS
_OPEN = NO_ACTION
"""Instead of a gene that has not been drawn yet: that happens where it is first played."""


@dataclass(frozen=True, kw_only=True)
class RHEA(Planner):
    """Rolling-horizon evolution for simultaneous moves: evolves sequences of the player's own next actions."""

    name: ClassVar[str] = "rhea"
    paper: ClassVar[str] = "Perez et al. 2013"
    page: ClassVar[str] = "planners/simultaneous.md"
    iteration: ClassVar[str] = "a simulation"
    simultaneous: ClassVar[bool] = True

    depth: int = 20
    """Steps that a simulation looks ahead, 1 to 1000; for `rhea` also the length of a genome."""
    population: int = 10
    """Genomes in the population, 2 to 10000."""
    kill_rate: float = 0.5
    """Share that is replaced in each generation, between 0 and 1, both excluded."""
    mutation_rate: float = 0.1
    """Share of a child's genes that is drawn anew, 0 to 1; always at least one."""
    crossover: bool = True
    """Take each gene of a child from one of two parents; False: all from one."""
    reuse: bool = True
    """Keep what was learned from move to move of a game; `rhea` keeps its genomes, shifted by a step."""
    opponents: str = "uniform"
    """How all others act in simulations: `bandit` (as the paper; not for `rhea`), `uniform`, `policy`, a model of the
    game (Pommerman: `rule-based`, `follower`; Royale: `royale-script`), or a follower's file (.safetensors)."""
    model_share: float = 1.0
    """The share of simulations in which each of the others acts by the model, 0 to 1; in the rest a bandit acts for it,
    or in `rhea` chance."""

    def __post_init__(self) -> None:
        super().__post_init__()
        self._require(isinstance(self.depth, int) and 1 <= self.depth <= MAX_DEPTH, "depth", f"1 to {MAX_DEPTH}")
        good = isinstance(self.population, int) and 2 <= self.population <= MAX_POPULATION
        self._require(good, "population", f"2 to {MAX_POPULATION}")
        self._require(0 < self.kill_rate < 1, "kill_rate", "a number between 0 and 1, both excluded")
        self._require(0 <= self.mutation_rate <= 1, "mutation_rate", "a number from 0 to 1")
        named = isinstance(self.opponents, str) and self.opponents not in ("", "bandit")
        self._require(named, "opponents", "'uniform', 'policy', the name of a model or a follower's file")
        good = isinstance(self.model_share, int | float) and 0 <= self.model_share <= 1
        self._require(good, "model_share", "a number from 0 to 1")

    def on(self, game: Game, seed: int = 0, full_information: bool = False) -> SimultaneousAgent:
        """An agent that plays a game with this planner, for any of its seats."""
        return SimultaneousAgent(self, with_models(game, self.opponents), seed, full_information)

    def policy_file(self, game: Game) -> str:
        """The follower's file that stands for the rule `policy` of a game; empty if none does."""
        return follower_among(game, self.opponents)

    def search(self, game: Game) -> RollingSearch:
        """A search with room for a population a seat."""
        return RollingSearch(game, self)


class _Options(NamedTuple):
    """What the kernels need of an `RHEA`."""

    survivors: int
    """Genomes that a generation leaves alive."""
    mutation_rate: float
    """The part of a child's genes that is drawn anew."""
    crossover: bool
    """Whether a child has two parents."""
    model: bool
    """Whether others act by the rule `policy`, instead of at random ..."""
    model_share: float
    """... and in which share of the simulations each of them does."""


class _Cursor(Row):
    """Where the evolution stands."""

    slot: int
    """The next place of `order` to simulate."""
    generation: int
    """The generation it belongs to; 0 is the first population."""
    tried: int
    """How many first actions were tried."""
    sampled: int
    """Whether the game's candidates are a sample, so that an action that is not listed may still be one."""


class Genomes(NamedTuple):
    """The population of a seat, and what is known of it."""

    genes: NDArray[np.int32]
    """[population, depth] the actions of each genome; `NO_ACTION` where nothing was drawn yet."""
    total: NDArray[np.float64]
    """[population] the sum of a genome's values, from -1 to 1 ..."""
    played: NDArray[np.int64]
    """[population] ... and how often it was simulated."""
    order: NDArray[np.int64]
    """[population] the rows of the genomes, best first after each generation."""
    modelled: NDArray[np.bool_]
    """[players] who acts by the model in this simulation."""
    joint: NDArray[np.int32]
    """[players] what all do in the present step."""
    first: NDArray[np.int32]
    """[max_actions] the first actions that were tried, in the order of their first simulation ..."""
    first_total: NDArray[np.float64]
    """[max_actions] ... the sum of their values ..."""
    first_count: NDArray[np.int64]
    """[max_actions] ... and their simulations."""
    cursor: Rows[_Cursor]
    """[1] where the evolution stands."""


class RollingSearch(SimultaneousSearch):
    """The running population."""

    def __init__(self, game: Game, planner: RHEA) -> None:
        super().__init__(game, planner.prune)
        self._options = _Options(
            survivors=survivors_of(planner.population, planner.kill_rate),
            mutation_rate=float(planner.mutation_rate),
            crossover=planner.crossover,
            model=OPPONENTS.get(planner.opponents, MODEL) == MODEL,
            model_share=float(planner.model_share),
        )
        self._reuse = planner.reuse
        self._policy: NetworkPolicy | None = None
        if file := planner.policy_file(game):
            self.work, self._policy = install_follower(self.work, game, file)
        self._all_act = False
        """Whether everybody acts in the present state: a turn is then one action."""
        self._seats = [_empty_genomes(game, planner) for _ in range(game.players)]
        """A population for each seat: whoever plays several seats keeps them apart."""

    @property
    def genomes(self) -> Genomes:
        """The population of the present seat."""
        return self._seats[max(0, self.player)]

    def forget(self) -> None:
        """Forget all genomes, because a new game begins."""
        for genomes in self._seats:
            genomes.genes[:] = _OPEN

    def begin(self, root: NDArray[np.uint64], player: int, random: NDArray[np.uint64], budget: Budget) -> None:
        """Go to a state; genomes of the last move are shifted, fittest first."""
        super().begin(root, player, random, budget)
        self._all_act = State(self.game, root, random).current_player() == abi.SIMULTANEOUS
        genomes = self.genomes
        genes = genomes.genes
        if self._reuse and self._all_act:
            genes[:, :-1], genes[:, -1] = genes[_ranked(genomes), 1:], _OPEN
        else:
            genes[:] = _OPEN
        genomes.total[:], genomes.played[:], genomes.order[:] = 0, 0, np.arange(len(genes))
        clear_rows(genomes.cursor)
        _begin(self.work, genomes, max(0, player))

    def advance(self, units: int) -> bool:
        """Run `units` simulations."""
        return _evolve(self.work, self.genomes, self._options, max(0, self.player), units)

    def best(self) -> tuple[list[int], float | None]:
        """The first action of the fittest genome; where players take turns, its actions to the end of the turn."""
        row = int(_ranked(self.genomes)[0])
        return self._turn(row), self._mean(row)

    def _turn(self, row: int) -> list[int]:
        turn: NDArray[np.int32] = np.zeros(self.game.max_turn, np.int32)
        length = _read_turn(self.work, self.genomes, max(0, self.player), row, turn)
        return turn[:length].tolist()

    def _mean(self, row: int) -> float | None:
        total, count = float(self.genomes.total[row]), int(self.genomes.played[row])
        return self._scaled(total / count) if count else None

    def choices(self, player: int) -> list[tuple[int, float, float]]:
        """The first actions that were tried; nothing is known of other players."""
        if player != max(0, self.player):
            return []
        genomes, n = self.genomes, int(self.genomes.cursor[0].tried)
        means = genomes.first_total[:n] / np.maximum(1, genomes.first_count[:n])
        return list(
            zip(genomes.first[:n].tolist(), means.tolist(), map(float, genomes.first_count[:n].tolist()), strict=True)
        )

    def tried(self) -> tuple[tuple[Choice, ...], ...]:
        """For each player, the actions that were tried in the present state."""
        return tuple(
            tuple(Choice(action, self._scaled(value), visits) for action, value, visits in self.choices(player))
            for player in range(self.game.players)
        )

    def alternatives(self, most: int) -> list[tuple[list[int], float, int]]:
        """The first actions that were tried, best mean first; where players take turns, the turns of the genomes."""
        if not self._all_act:
            rows = [int(row) for row in _ranked(self.genomes) if self.genomes.played[row] > 0][:most]
            turns = {tuple(self._turn(row)): row for row in reversed(rows)}
            return [(list(turn), self._mean(row) or 0.0, int(self.genomes.played[row])) for turn, row in turns.items()][
                ::-1
            ]
        ranked = sorted(self.choices(max(0, self.player)), key=lambda choice: (-choice[1], -choice[2]))[:most]
        return [([action], self._scaled(value), round(visits)) for action, value, visits in ranked]

    def figures(self) -> dict[str, float]:
        """The generation, and the share of the genomes that differ."""
        genomes = self.genomes
        simulated = genomes.genes[genomes.played > 0]
        if not len(simulated):
            return {}
        return {
            "generation": int(genomes.cursor[0].generation),
            "diversity": len(np.unique(simulated, axis=0)) / len(simulated),
        }

    def _scaled(self, value: float) -> float:
        """A value from -1 to 1 on the game's scale."""
        low, high = self.game.value_range
        return low + (value + 1) / 2 * (high - low)


def _empty_genomes(game: Game, planner: RHEA) -> Genomes:
    size = planner.population
    return Genomes(
        genes=np.full((size, planner.depth), _OPEN, np.int32),
        total=np.zeros(size),
        played=np.zeros(size, np.int64),
        order=np.arange(size),
        modelled=np.zeros(game.players, np.bool_),
        joint=np.zeros(game.players, np.int32),
        first=np.zeros(game.max_actions, np.int32),
        first_total=np.zeros(game.max_actions),
        first_count=np.zeros(game.max_actions, np.int64),
        cursor=make_rows(_Cursor),
    )


def _ranked(genomes: Genomes) -> NDArray[np.int64]:
    """The rows of the genomes, fittest first; equal ones in their order."""
    fitness = (genomes.total[genomes.order] - 1.0) / (genomes.played[genomes.order] + 1)
    fitness[genomes.played[genomes.order] == 0] = -np.inf
    return genomes.order[np.argsort(-fitness, kind="stable")]


@kernel
def _begin(work: Work, genomes: Genomes, me: int) -> None:
    """Find out whether candidates are a sample: then a second list differs from the first."""
    work, genomes = borrowed(work), borrowed(genomes)
    root = state_at(work, ROOT)
    if not continues(work, root):
        return
    mover = mover_of(work, root)
    n = list_moves(work, root, mover, me)
    for i in range(n):
        work.actions[LEGAL, i] = work.actions[OPTIONS, i]
    differs = int64(list_moves(work, root, mover, me) != n)
    for i in range(n):
        differs |= int64(work.actions[LEGAL, i] != work.actions[OPTIONS, i])
    genomes.cursor[0].sampled = differs


@kernel
def _evolve(work: Work, genomes: Genomes, options: _Options, me: int, units: int) -> bool:
    """Run `units` simulations for a player; False once a limit is reached."""
    work, genomes = borrowed(work), borrowed(genomes)
    cursor = genomes.cursor[0]
    for _ in range(units):
        if not may_iterate(work):
            return False
        row = genomes.order[cursor.slot]
        if cursor.generation > 0 and cursor.slot >= options.survivors:
            _breed(work, genomes, options, row)
        steps = _simulate(work, genomes, options, me, row)
        judge(work, state_at(work, NOW), me)
        if calls.error(work.g) != 0:
            return False
        value = value_between(work, me)
        genomes.total[row] += value
        genomes.played[row] += 1
        _credit(genomes, int64(genomes.genes[row, 0]), value)
        count_simulation(work, steps)
        cursor.slot += 1
        if cursor.slot == len(genomes.order):
            _sort(genomes)
            cursor.slot = 0
            cursor.generation += 1
    return True


@inlined
def _breed(work: Work, genomes: Genomes, options: _Options, row: int) -> None:
    """Replace a genome by a child of survivors; mutated genes are drawn where they are played."""
    mother = genomes.order[below(work.rng, options.survivors)]
    father = genomes.order[below(work.rng, options.survivors)] if options.crossover else mother
    depth = genomes.genes.shape[1]
    forced = below(work.rng, depth)
    for i in range(depth):
        parent = mother
        if father != mother and below(work.rng, 2) == 1:
            parent = father
        genomes.genes[row, i] = genomes.genes[parent, i]
        if i == forced or unit(work.rng) < options.mutation_rate:
            genomes.genes[row, i] = _OPEN
    genomes.total[row] = 0.0
    genomes.played[row] = 0


@inlined
def _simulate(work: Work, genomes: Genomes, options: _Options, me: int, row: int) -> int:
    """Play a genome from the present state to its end; returns the number of steps."""
    now = from_root(work)
    for player in range(work.players):
        genomes.modelled[player] = player != me and options.model and acts_by_model(work, options.model_share)
    steps = 0
    while steps < genomes.genes.shape[1] and continues(work, now):
        mover = mover_of(work, now)
        for player in range(work.players):
            if player == me:
                genomes.joint[player] = _own_action(work, genomes, now, mover, me, row, steps)
            elif genomes.modelled[player]:
                genomes.joint[player] = expected_move(work, now, mover, player)
            else:
                genomes.joint[player] = random_move(work, now, mover, player)
        if calls.error(work.g) != 0:
            break
        take_step(work, genomes.joint, now, mover)
        steps += 1
    return steps


@inlined
def _own_action(work: Work, genomes: Genomes, s: Address, mover: int, me: int, row: int, step: int) -> int:
    """The gene of a step if it may be played there, else a random action; a new genome takes over what it played."""
    gene = int64(genomes.genes[row, step])
    if gene == _OPEN:
        action = random_move(work, s, mover, me)
        genomes.genes[row, step] = action
        return action
    if genomes.cursor[0].sampled != 0 and (mover == _SIMULTANEOUS or mover == me):
        n = list_legal(work, s, me, LEGAL)
        if calls.contains(list_at(work, LEGAL), n, gene) != 0:
            return gene
        action = random_move(work, s, mover, me)
    else:
        n = list_moves(work, s, mover, me)
        if calls.contains(list_at(work, OPTIONS), n, gene) != 0:
            return gene
        action = random_option(work, n)
    if genomes.played[row] == 0:
        genomes.genes[row, step] = action
    return action


@inlined
def _credit(genomes: Genomes, action: int, value: float) -> None:
    """Count a simulation for its first action."""
    cursor = genomes.cursor[0]
    place = int64(0)
    while place < cursor.tried and genomes.first[place] != action:
        place += 1
    if place == cursor.tried:
        if place == genomes.first.shape[0]:
            return
        genomes.first[place] = action
        genomes.first_total[place] = 0.0
        genomes.first_count[place] = 0
        cursor.tried += 1
    genomes.first_total[place] += value
    genomes.first_count[place] += 1


@inlined
def _fitness(genomes: Genomes, row: int) -> float:
    """The mean value as if one more simulation had been lost: one lucky simulation proves little."""
    return (genomes.total[row] - 1.0) / (genomes.played[row] + 1)


@inlined
def _sort(genomes: Genomes) -> None:
    """Stable insertion sort of the rows, fittest first: survivors are nearly in order, so it is quick."""
    order = genomes.order
    for i in range(1, order.shape[0]):
        row = order[i]
        value = _fitness(genomes, row)
        j = i - 1
        while j >= 0 and _fitness(genomes, order[j]) < value:
            order[j + 1] = order[j]
            j -= 1
        order[j + 1] = row


@kernel
def _read_turn(work: Work, genomes: Genomes, me: int, row: int, turn: NDArray[np.int32]) -> int:
    """Follow a genome from the present state to the end of the player's turn; what is not legal then, by rating."""
    work, genomes = borrowed(work), borrowed(genomes)
    now = from_root(work)
    length = 0
    while length < turn.shape[0] and continues(work, now):
        mover = mover_of(work, now)
        if mover != me and (mover != _SIMULTANEOUS or length > 0):
            break
        gene = int64(genomes.genes[row, length]) if length < genomes.genes.shape[1] else int64(_OPEN)
        n = list_legal(work, now, me, LEGAL)
        if calls.contains(list_at(work, LEGAL), n, gene) == 0:
            gene = rated_move(work, now, mover, me)
            if gene < 0:
                break
        turn[length] = gene
        length += 1
        if mover == _SIMULTANEOUS:
            break
        genomes.joint[me] = gene
        take_step(work, genomes.joint, now, mover)
    return length
