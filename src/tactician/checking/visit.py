"""A position that is being checked, and what checks share: where a rule stands, how two states differ."""

from __future__ import annotations

import inspect
import math
from collections.abc import Callable, Iterable, Set
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from tactician.contract import presentation
from tactician.contract.game import Game
from tactician.contract.state import State
from tactician.native import abi
from tactician.native.tables import where

UNWRITTEN = -(2**31) + 12345
"""What lists of actions hold before a rule writes them; no game would number an action so."""

Action = int | list[int]


_RARE = 8


@dataclass(frozen=True)
class Check:
    """One invariant of a game."""

    name: str
    function: Callable[[Visit], str | None]
    """Returns what is wrong with a position, or None."""
    needs: tuple[str, ...] = ()
    """Rules without which there is nothing to check."""
    over: bool | None = False
    """Whether it is about positions where the game is over; None for all positions."""
    every: bool = False
    """Whether it runs at every position; otherwise at a sample."""
    fatal: bool = False
    """Whether a game can't continue once it has failed."""
    presentation: tuple[str, ...] = ()
    """The functions it is about, if they belong to the Python side of the game and not to its rules."""
    rare: bool = False
    """Whether every eighth step of the sample is enough for it, because it takes long."""

    def applies(self, visit: Visit, sampled: bool) -> bool:
        """Whether to run it here."""
        return (
            (self.every or (sampled and (not self.rare or visit.over or visit.step % _RARE == 0)))
            and self.over in (None, visit.over)
            and all(name in visit.game.backend.rule_names for name in self.needs)
        )


@dataclass
class Visit:
    """One position on the way of a random game."""

    game: Game
    seed: int
    step: int
    origin: State
    """The position itself; checks work on copies of it."""
    config: NDArray[np.uint64]
    """The configuration as it was in the beginning."""
    earlier: Set[int] = frozenset()
    """Codes that were legal earlier in the game."""
    action: Action | None = None
    """What will be played next."""
    over: bool = False
    mover: int = field(default=0)

    def fresh(self) -> State:
        """A copy of the position."""
        return self.origin.copy()

    def random(self) -> np.random.Generator:
        """Random numbers that only depend on the position's place."""
        return np.random.default_rng([self.seed, self.step, 3])

    def rule(self, name: str) -> str:
        """A rule with the file and line it is defined at."""
        return f"rule {source(self.game, name)}"

    @property
    def acting(self) -> range:
        """The players who act here."""
        return range(self.game.players) if self.mover == abi.SIMULTANEOUS else range(self.mover, self.mover + 1)

    @cached_property
    def legal(self) -> dict[int, list[int]]:
        """The legal actions of those who act."""
        return {player: listed(self.fresh().legal_actions, player) for player in self.acting}

    @property
    def place(self) -> str:
        """Where it is, for messages."""
        return f"game seed {self.seed}, step {self.step}"


def listed(ask: Callable[..., list[int]], player: int, **options: Any) -> list[int]:
    """A list of actions, asked for in a way that shows entries the rule has not written."""
    game = getattr(ask, "__self__").game  # noqa: B009 - a bound method of State, which the type doesn't say
    game.buffers().actions.fill(UNWRITTEN)
    return ask(player, **options)


def drawn(state: State, rule: str, player: int, random: NDArray[np.uint64]) -> tuple[int, int]:
    """What a rule that chooses without a list says: how many actions there are, and one of them."""
    buffers = state.game.buffers()
    buffers.actions.fill(UNWRITTEN)
    count = state.game.run(rule, state.address, player, buffers.actions_at, random.ctypes.data)
    return int(count), int(buffers.actions[0])


def foreseen(state: State, actions: list[int]) -> list[float]:
    """What `evaluate_after` says of some actions, NaN for those that must be tried."""
    buffers, n = state.game.buffers(), len(actions)
    buffers.more_actions[:n] = actions
    buffers.values.fill(math.inf)
    state.game.run("evaluate_after", state.address, buffers.more_actions_at, n, buffers.values_at)
    return buffers.values[:n].tolist()


def numbers(ask: Callable[..., list[float]], *arguments: Any) -> list[float]:
    """Values of a rule, NaN where it has not written any."""
    game = getattr(ask, "__self__").game  # noqa: B009 - as above
    game.buffers().values.fill(np.nan)
    return ask(*arguments)


def source(game: Game, name: str) -> str:
    """The name of a rule or of a function of the game's Python side, with file and line where they are known."""
    function = game.backend.source(name)
    if function is None and game.backend.mode != "plain":
        function = getattr(game.presentation, name, None)
    if inspect.isfunction(function) or inspect.ismethod(function):
        return where(name, function)
    return repr(name)


def snapshot(state: State) -> bytes:
    """What a state holds, to see whether it was changed."""
    thing = getattr(state, "thing", None)  # games of plain objects: the record is only a handle
    return state.words.tobytes() + (b"" if thing is None else repr(thing).encode())


def parts(state: State) -> dict[str, Any]:
    """The pieces of a state by name, to tell in which of them two states differ."""
    if state.game.backend.mode != "plain":
        return presentation.state_to_json(None, state.record)
    content = state.to_json()
    if isinstance(content, dict):
        return content
    return {str(i): part for i, part in enumerate(content)} if isinstance(content, list) else {"state": content}


def differing(one: State, other: State) -> list[str]:
    """The names of the pieces in which two states differ."""
    first, second = parts(one), parts(other)
    return [name for name in first if first[name] != second.get(name)]


def difference(one: State, other: State, here: str, there: str) -> str:
    """The first difference of two states that are not equal; `here` and `there` say which is which."""
    names = differing(one, other)
    if not names:
        return f"the states {here} and {there} differ"
    return value_difference(names[0], parts(one)[names[0]], parts(other).get(names[0]), here, there)


def value_difference(name: str, a: Any, b: Any, here: str, there: str) -> str:
    """Where two values of a piece differ, down to the entry of a list."""
    while isinstance(a, list) and isinstance(b, list) and len(a) == len(b):
        index = next(i for i, (x, y) in enumerate(zip(a, b, strict=True)) if x != y)
        name, a, b = f"{name}[{index}]", a[index], b[index]
    return f"{name} is {short(a)} {here} and {short(b)} {there}"


def short(value: Any) -> str:
    """A value for a message, cut where it gets long."""
    text = repr(value)
    return text if len(text) <= 80 else text[:77] + "..."


def first(problems: Iterable[str | None]) -> str | None:
    """The first problem there is."""
    return next((problem for problem in problems if problem), None)
