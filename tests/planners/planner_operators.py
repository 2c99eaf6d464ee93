"""The operators on turns twice: compiled, callable from Python, and as obvious Python that draws the same numbers.

`Bench` runs the compiled ones on one state; `Twin` is the slow model. Both take and return turns as lists.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray
from planner_games import turn_continues, worth

from tactician.contract import State
from tactician.contract.plain import Chance
from tactician.contract.random import stream
from tactician.native.caching import kernel
from tactician.native.guards import GuardedMemory
from tactician.planners import genome
from tactician.planners.choices import ChoiceMemory
from tactician.planners.genome import Repair, Turns, make_turns
from tactician.planners.work import NO_LIMIT, NOW, ROOT, Work, from_root, make_work

FIRST, SECOND, CHILD = 0, 1, 2
"""The rows of `Bench`'s turns: one or two parents, and what becomes of them."""


@kernel
def new_turn(work: Work, turns: Turns, player: int, repair: Repair) -> int:
    return genome.new_turn(work, turns, FIRST, player, repair)


@kernel
def crossover(work: Work, turns: Turns, player: int, both_next: bool, repair: Repair) -> int:
    return genome.crossover(work, turns, FIRST, SECOND, CHILD, player, both_next, repair)


@kernel
def mutate(work: Work, turns: Turns, player: int, anywhere: bool, repair: Repair) -> int:
    return genome.mutate(work, turns, FIRST, turns.lengths[FIRST], player, anywhere, repair)


@kernel
def exchange(work: Work, turns: Turns, row: int, place: int, action: int, player: int, repair: Repair) -> int:
    return genome.exchange(work, turns, FIRST, row, place, turns.lengths[FIRST], action, player, repair)


@kernel
def repair_turn(work: Work, turns: Turns, player: int, repair: Repair) -> int:
    return genome.repair_tail(work, turns, FIRST, FIRST, from_root(work), 0, turns.lengths[FIRST], player, repair)


class Bench:
    """The compiled operators on one state, with a random stream of their own."""

    def __init__(self, state: State, seed: int, evaluations: int = NO_LIMIT) -> None:
        game = state.game
        self.player = state.current_player()
        self.choices = ChoiceMemory(1 << 12)
        self.work, self._config = make_work(game, True, GuardedMemory())
        self.work.rng[:] = stream(seed)
        self._words = state.words
        self.work.states[ROOT, : len(self._words)] = self._words
        self._counters = self.work.counters[0]
        self._counters.evaluation_limit = evaluations
        self._turns = make_turns(3, game.max_turn)
        self._game = game

    @property
    def evaluations(self) -> int:
        return int(self._counters.evaluations)

    @property
    def left_behind(self) -> NDArray[np.uint64]:
        """The state after the turn, as words."""
        return self.work.states[NOW, : len(self._words)].copy()

    def new_turn(self, greedy: bool = False) -> list[int] | None:
        return self._done(FIRST, new_turn(self.work, self._turns, self.player, self._repair(greedy)))

    def crossover(self, a: list[int], b: list[int], both_next: bool = False, greedy: bool = False) -> list[int] | None:
        self._write(a, b)
        return self._done(CHILD, crossover(self.work, self._turns, self.player, both_next, self._repair(greedy)))

    def mutate(self, turn: list[int], anywhere: bool = False, greedy: bool = False) -> list[int] | None:
        self._write(turn)
        return self._done(FIRST, mutate(self.work, self._turns, self.player, anywhere, self._repair(greedy)))

    def exchange(
        self, turn: list[int], place: int, action: int, greedy: bool = False, in_place: bool = False
    ) -> list[int] | None:
        self._write(turn)
        row = FIRST if in_place else SECOND
        length = exchange(self.work, self._turns, row, place, action, self.player, self._repair(greedy))
        if not in_place:
            assert genome.turn_list(self._turns, FIRST) == turn, "the source was changed"
        return self._done(row, length)

    def repair(self, turn: list[int], greedy: bool = False) -> list[int] | None:
        self._write(turn)
        return self._done(FIRST, repair_turn(self.work, self._turns, self.player, self._repair(greedy)))

    def _repair(self, greedy: bool) -> Repair:
        return Repair(greedy, self.choices.choices)

    def _write(self, *turns: list[int]) -> None:
        for row, turn in enumerate(turns):
            self._turns.genes[row, : len(turn)] = turn
            self._turns.lengths[row] = len(turn)

    def _done(self, row: int, length: int) -> list[int] | None:
        return None if length < 0 else self._turns.genes[row, :length].tolist()


class Twin:
    """The same operators in plain Python: what they do can be read off."""

    def __init__(self, state: State, chance: Chance) -> None:
        self.state, self.chance = state, chance
        self.player = state.current_player()
        self.evaluations = 0
        self._best_actions: dict[int, list[int]] = {}

    def judge(self, state: State) -> float:
        self.evaluations += 1
        return worth(state, self.player)

    def greedy_action(self, state: State) -> int:
        """One of the best actions at random; which are the best is worked out once for a state."""
        if state.key() not in self._best_actions:
            self._best_actions[state.key()] = self.best_actions(state)
        best = self._best_actions[state.key()]
        return best[self.chance.below(len(best))] if len(best) > 1 else best[0]

    def greedy_action_afresh(self, state: State) -> int:
        """One of the best actions at random, without memory: each tie that is found is a draw of its own."""
        options = state.candidate_actions()
        best, best_value, ties = options[0], -float("inf"), 0
        for action in options if len(options) > 1 else ():
            value = self.judge(state.copy().apply(action))
            if value > best_value:
                best, best_value, ties = action, value, 1
            elif value == best_value:
                ties += 1
                if self.chance.below(ties) == 0:
                    best = action
        return best

    def best_actions(self, state: State) -> list[int]:
        """The actions with the best evaluation right after them."""
        options = state.candidate_actions()
        if len(options) == 1:
            return options
        values = [self.judge(state.copy().apply(action)) for action in options]
        return [action for action, value in zip(options, values, strict=True) if value == max(values)]

    def any_action(self, state: State, greedy: bool) -> int:
        if greedy:
            return self.greedy_action(state)
        options = state.candidate_actions()
        return options[self.chance.below(len(options))]

    def new_turn(self, greedy: bool = False) -> list[int]:
        return self.repair([], greedy)

    def repair(self, turn: list[int], greedy: bool = False, kept: int = 0) -> list[int]:
        """Play a turn, with any other action in the place of what is not legal; `kept` genes are not asked for."""
        now = self.state.copy()
        done: list[int] = []
        while turn_continues(now, self.player):
            i = len(done)
            usable = i < len(turn) and now.is_legal(turn[i])
            assert usable or i >= kept
            done.append(turn[i] if usable else self.any_action(now, greedy))
            now.apply(done[-1])
        return done

    def crossover(self, a: list[int], b: list[int], both_next: bool = False, greedy: bool = False) -> list[int]:
        now = self.state.copy()
        child: list[int] = []
        while turn_continues(now, self.player):
            i = len(child)
            first, second = (a, b) if self.chance.below(2) == 0 else (b, a)
            wishes = first[i : i + 1] + second[i : i + 1] + first[i + 1 : -1][:1]
            wishes += second[i + 1 : -1][:1] if both_next else []
            legal = [action for action in wishes if now.is_legal(action)]
            child.append(legal[0] if legal else self.any_action(now, greedy))
            now.apply(child[-1])
        return child

    def mutate(self, turn: list[int], anywhere: bool = False, greedy: bool = False) -> list[int]:
        """Places in random order until one has an alternative; `anywhere` gives the first no second chance."""
        places = list(range(len(turn)))
        for i in range(len(turn)):
            j = i + self.chance.below(len(turn) - i)
            places[i], places[j] = places[j], places[i]
            others = self.others(turn, places[i])
            if others:
                return self.exchange(turn, places[i], others[self.chance.below(len(others))], greedy)
            if anywhere:
                break
        return turn

    def others(self, turn: list[int], place: int) -> list[int]:
        """What else could be done at a place of a turn."""
        return [action for action in self.candidates(turn, place) if action != turn[place]]

    def candidates(self, turn: list[int], place: int) -> list[int]:
        """What could be done at a place of a turn."""
        return self.state_before(turn, place).candidate_actions()

    def state_before(self, turn: list[int], place: int) -> State:
        """The state in which a place of a turn is played."""
        now = self.state.copy()
        for action in turn[:place]:
            now.apply(action)
        return now

    def exchange(self, turn: list[int], place: int, action: int, greedy: bool = False) -> list[int]:
        return self.repair([*turn[:place], action, *turn[place + 1 :]], greedy, kept=place + 1)
