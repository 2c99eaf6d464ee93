"""The operators on turns twice: compiled, callable from Python, and as obvious Python that draws the same numbers.

`Bench` runs the compiled ones on one state; `Twin` is the slow model. Both take and return turns as lists.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from planner_games import goes_on, worth

from tactician.contract import State
from tactician.contract.plain import Chance
from tactician.contract.random import stream
from tactician.native.caching import kernel
from tactician.planners import genome
from tactician.planners.outcomes import KeyTable
from tactician.planners.work import EVALUATION_LIMIT, EVALUATIONS, NO_LIMIT, make_work


@kernel
def new_turn(w: Any, player: Any, genes: Any, row: Any, greedy: Any) -> Any:
    return genome.new_turn(w, player, genes, row, greedy)


@kernel
def crossover(w: Any, player: Any, genes: Any, lengths: Any, both_next: Any, greedy: Any) -> Any:
    return genome.crossover(w, player, genes, lengths, 0, 1, 2, both_next, greedy)


@kernel
def mutate(w: Any, player: Any, genes: Any, length: Any, anywhere: Any, greedy: Any) -> Any:
    return genome.mutate(w, player, genes, 0, length, anywhere, greedy)


@kernel
def exchange(w: Any, player: Any, genes: Any, row: Any, place: Any, length: Any, action: Any, greedy: Any) -> Any:
    return genome.exchange(w, player, genes, 0, row, place, length, action, greedy)


@kernel
def repair(w: Any, player: Any, genes: Any, length: Any, greedy: Any) -> Any:
    return genome.repair_tail(w, genome.begin_turn(w), player, genes, 0, 0, 0, length, greedy)


class Bench:
    """The compiled operators on one state, with a random stream of their own."""

    def __init__(self, state: State, seed: int, evaluations: int = NO_LIMIT) -> None:
        game = state.game
        self.player = state.current_player()
        self._memo = KeyTable(1 << 12)
        self.work, self._config = make_work(game, True, self._memo.keys)
        self.work.rng[:] = stream(seed)
        self.work.states[0] = state.words
        self.work.count[EVALUATION_LIMIT] = evaluations
        self._genes = np.zeros((3, game.max_turn), np.int32)
        self._game = game

    @property
    def evaluations(self) -> int:
        return int(self.work.count[EVALUATIONS])

    @property
    def left_behind(self) -> np.ndarray:
        """The state after the turn, as words."""
        return self.work.states[genome.NOW].copy()

    def new_turn(self, greedy: bool = False) -> list[int] | None:
        return self._done(0, new_turn(self.work, self.player, self._genes, 0, greedy))

    def crossover(self, a: list[int], b: list[int], both_next: bool = False, greedy: bool = False) -> list[int] | None:
        self._write(a, b)
        lengths = np.array([len(a), len(b), 0], np.int64)
        return self._done(2, crossover(self.work, self.player, self._genes, lengths, both_next, greedy))

    def mutate(self, turn: list[int], anywhere: bool = False, greedy: bool = False) -> list[int] | None:
        self._write(turn)
        return self._done(0, mutate(self.work, self.player, self._genes, len(turn), anywhere, greedy))

    def exchange(
        self, turn: list[int], place: int, action: int, greedy: bool = False, in_place: bool = False
    ) -> list[int] | None:
        self._write(turn)
        row = 0 if in_place else 1
        length = exchange(self.work, self.player, self._genes, row, place, len(turn), action, greedy)
        if not in_place:
            assert self._genes[0, : len(turn)].tolist() == turn, "the source was changed"
        return self._done(row, length)

    def repair(self, turn: list[int], greedy: bool = False) -> list[int] | None:
        self._write(turn)
        return self._done(0, repair(self.work, self.player, self._genes, len(turn), greedy))

    def _write(self, *turns: list[int]) -> None:
        for row, turn in enumerate(turns):
            self._genes[row, : len(turn)] = turn

    def _done(self, row: int, length: int) -> list[int] | None:
        return None if length < 0 else self._genes[row, :length].tolist()


class Twin:
    """The same operators in plain Python: what they do can be read off."""

    def __init__(self, state: State, chance: Chance) -> None:
        self.state, self.chance = state, chance
        self.player = state.current_player()
        self.evaluations = 0
        self._greedy_choices: dict[int, int] = {}

    def judge(self, state: State) -> float:
        self.evaluations += 1
        return worth(state, self.player)

    def greedy_action(self, state: State) -> int:
        """The best evaluation right after the action; ties at random, one after the other."""
        if state.key() in self._greedy_choices:
            return self._greedy_choices[state.key()]
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
        self._greedy_choices[state.key()] = best
        return best

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
        while goes_on(now, self.player):
            i = len(done)
            usable = i < len(turn) and now.is_legal(turn[i])
            assert usable or i >= kept
            done.append(turn[i] if usable else self.any_action(now, greedy))
            now.apply(done[-1])
        return done

    def crossover(self, a: list[int], b: list[int], both_next: bool = False, greedy: bool = False) -> list[int]:
        now = self.state.copy()
        child: list[int] = []
        while goes_on(now, self.player):
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
        now = self.state.copy()
        for action in turn[:place]:
            now.apply(action)
        return [action for action in now.candidate_actions() if action != turn[place]]

    def exchange(self, turn: list[int], place: int, action: int, greedy: bool = False) -> list[int]:
        return self.repair([*turn[:place], action, *turn[place + 1 :]], greedy, kept=place + 1)
