"""Teams: battles that are being played and the agents that label them, in a thread or in processes.

A `Team` looks after some of the battles: it shows what there is to see, labels states and takes steps. `Teams` spreads
all battles over teams. One team runs in a thread of this process, several run in a process each, so that neither they
nor the network wait for each other's interpreter. Results don't depend on how many there are.
"""

from __future__ import annotations

import itertools
from collections.abc import Mapping, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from contextlib import ExitStack
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from tactician.arena.crew import WorkersDiedError
from tactician.arena.pools import WorkerPool
from tactician.arena.statistics import Score
from tactician.followers.model import Model
from tactician.games.registry import entry_for, load_game
from tactician.learning.battles import Battle
from tactician.learning.evaluation import strength
from tactician.learning.samples import Sample
from tactician.learning.settings import Q_MC, Training
from tactician.learning.teachers import Expert, Label, Teacher, make_expert, make_teacher


@dataclass(frozen=True)
class View:
    """What there is to decide in a battle."""

    seats: list[int]
    """Who has a choice."""
    seen: NDArray[np.uint64]
    """[seats, words] what each of them sees."""
    options: list[list[int]]
    """What each of them may do."""


@dataclass(frozen=True)
class BattleStep:
    """What came of a step of a battle."""

    joint: list[int]
    """Everybody's actions."""
    view: View | None
    """What is to be decided next; None where the battle is finished."""
    samples: list[Sample]
    """What a finished battle says of its actions by its reward (Q-MC)."""


class Team:
    """Some of the battles, with a teacher for each."""

    def __init__(self, training: Training, count: int) -> None:
        self._training = training
        self._game = load_game(training.game)
        encoding = self._game.encoding(training.encoding or None)
        entry = entry_for(self._game)
        lively: Sequence[int] = entry.training.get("lively", ()) if entry else ()
        self._battles = [
            Battle(self._game, encoding, self._teacher(), training, lively, self._rivals()) for _ in range(count)
        ]
        self._told: list[list[Label]] = [[] for _ in self._battles]
        """The labels of the present states."""

    def _teacher(self) -> Teacher | None:
        settings = self._training
        return None if settings.method == Q_MC else make_teacher(settings.teacher, self._game, settings.budget)

    def _rivals(self) -> Expert | None:
        settings = self._training
        return make_expert(settings.rival, self._game, settings.budget) if settings.rival else None

    def begin(self, seeds: Mapping[int, int]) -> dict[int, View]:
        """Start the battles of these numbers anew, each from a seed."""
        for number, seed in seeds.items():
            self._battles[number].begin(seed)
        return {number: self._view(self._battles[number]) for number in seeds}

    def resume(self, kept: Sequence[tuple[int, list[list[int]]]]) -> list[View]:
        """Play all battles again as far as they had come."""
        for battle, (seed, joints) in zip(self._battles, kept, strict=True):
            battle.resume(seed, joints)
        return [self._view(battle) for battle in self._battles]

    def labels(self) -> list[list[Label]]:
        """What the teachers say of the present states."""
        self._told = [battle.labels(battle.seats()) for battle in self._battles]
        return self._told

    def step(self, actions: Sequence[Sequence[int]]) -> list[BattleStep]:
        """Take a step in every battle, given the actions of those who have a choice."""
        return [
            self._outcome(battle, chosen, told)
            for battle, chosen, told in zip(self._battles, actions, self._told, strict=True)
        ]

    def strength(self, model: Model, numbers: Sequence[int]) -> Score:
        """How the games of these numbers against the fixed opponent end."""
        return strength(self._game, model, self._training, numbers)

    def _outcome(self, battle: Battle, chosen: Sequence[int], told: Sequence[Label]) -> BattleStep:
        seats = battle.seats()
        joint = battle.joint(seats, chosen)
        if self._training.method == Q_MC:
            battle.await_reward(seats, joint)
        battle.step(joint, told)
        if battle.is_finished:
            return BattleStep(joint, None, battle.rewarded())
        return BattleStep(joint, self._view(battle), [])

    def _view(self, battle: Battle) -> View:
        seats = battle.seats()
        encoding = battle.encoding
        words = len(battle.state.words)
        seen: NDArray[np.uint64] = np.array([encoding.see(battle.state, seat) for seat in seats], np.uint64)
        return View(seats, seen.reshape(len(seats), words), [encoding.options(battle.state, seat) for seat in seats])


class Teams:
    """All battles in flight."""

    def __init__(self, training: Training, jobs: int) -> None:
        self._training = training
        count = min(jobs, training.width)
        self._sizes = [training.width // count + (number < training.width % count) for number in range(count)]
        self._firsts = [0, *itertools.accumulate(self._sizes)][:-1]
        self._stack = ExitStack()
        self._members: list[_Thread | _Process] = []
        if count > 1:
            Team(training, 1).begin({0: 0})  # compile once, before the processes load what was compiled
        for size in self._sizes:
            member = _Thread(training, size) if count == 1 else _Process(training, size)
            self._stack.callback(member.close)
            self._members.append(member)

    def close(self) -> None:
        """End the workers."""
        self._stack.close()

    def begin(self, seeds: Mapping[int, int]) -> dict[int, View]:
        """Start the battles of these numbers anew, each from a seed."""
        parts: dict[int, dict[int, int]] = {}
        for number, seed in seeds.items():
            team, place = self._place(number)
            parts.setdefault(team, {})[place] = seed
        asked = {team: self._members[team].ask("begin", part) for team, part in parts.items()}
        return {
            self._firsts[team] + place: view
            for team, future in asked.items()
            for place, view in self._result(future).items()
        }

    def resume(self, kept: Sequence[tuple[int, list[list[int]]]]) -> list[View]:
        """Play all battles again as far as they had come."""
        return self._all("resume", kept)

    def ask_labels(self) -> list[Future[Any]]:
        """Let the teachers begin; `labels` waits for them."""
        return [member.ask("labels") for member in self._members]

    def labels(self, asked: Sequence[Future[Any]]) -> list[list[Label]]:
        """What the teachers say of the present states."""
        return [label for future in asked for label in self._result(future)]

    def step(self, actions: Sequence[Sequence[int]]) -> list[BattleStep]:
        """Take a step in every battle."""
        return self._all("step", actions)

    def strength(self, model: Model) -> tuple[int, int, int]:
        """Wins, draws and losses against the fixed opponent."""
        count, games = len(self._members), self._training.evaluation_games
        asked = [
            member.ask("strength", model, range(first, games, count)) for first, member in enumerate(self._members)
        ]
        total = sum((self._result(future) for future in asked), Score())
        return total.wins, total.draws, total.losses

    def _all(self, method: str, given: Sequence[Any]) -> list[Any]:
        """Ask all teams, each with its part of what is given for each battle."""
        asked = [
            member.ask(method, given[first : first + size])
            for member, first, size in zip(self._members, self._firsts, self._sizes, strict=True)
        ]
        return [one for future in asked for one in self._result(future)]

    def _place(self, number: int) -> tuple[int, int]:
        team = max(team for team, first in enumerate(self._firsts) if first <= number)
        return team, number - self._firsts[team]

    def _result(self, future: Future[Any]) -> Any:
        try:
            return future.result()
        except BrokenProcessPool as error:
            raise WorkersDiedError("a process that labels battles died; run the same command again to resume.") from (
                error
            )


class _Thread:
    """A team in a thread of this process."""

    def __init__(self, training: Training, size: int) -> None:
        self._given = training, size
        self._threads = ThreadPoolExecutor(1)

    def ask(self, method: str, *arguments: Any) -> Future[Any]:
        """Let the team do something."""
        return self._threads.submit(lambda: getattr(self._team, method)(*arguments))

    @cached_property
    def _team(self) -> Team:
        return Team(*self._given)

    def close(self) -> None:
        """End it when it has done what it does."""
        self._threads.shutdown()


_teams: list[Team] = []
"""The team of this process, if it is a worker's."""


class _Process:
    """A team in a process of its own."""

    def __init__(self, training: Training, size: int) -> None:
        self._pool = WorkerPool(1, None)
        self._given = training, size

    def ask(self, method: str, *arguments: Any) -> Future[Any]:
        """Let the team do something."""
        return self._pool.submit(_in_process, self._given, method, arguments)

    def close(self) -> None:
        """End it at once."""
        self._pool.stop()


def _in_process(given: tuple[Training, int], method: str, arguments: tuple[Any, ...]) -> Any:
    if not _teams:
        _teams.append(Team(*given))
    return getattr(_teams[0], method)(*arguments)
