"""Agents that somebody wrote in Python, in a seat of any game.

An agent is an object with a method `plan(state, budget, *, ply, seat)`, or a function of a state and a seat. A class or
a function without arguments does as well: it is called for every game to make one. Methods written for the older
interface, `plan(state, budget, ply)` and `plan(state, budget, ply, player)`, are called the way they expect.

Here an agent runs in our own process. The arena runs agents of files in processes of their own, which use these classes
(`tactician.arena.agent_process`).
"""

from __future__ import annotations

import inspect
import math
import operator
import os
import traceback
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import fields
from pathlib import Path
from typing import Any, Self

import numpy as np

from tactician.contract.game import Game
from tactician.contract.state import State
from tactician.errors import ForeignAgentError, InvalidParameterError, short
from tactician.native.abi import SIMULTANEOUS
from tactician.seats.budget import Budget
from tactician.seats.plan import Alternative, Plan, Statistics
from tactician.seats.seat import BaseSeat, acting_seat


class GivenAgent(BaseSeat):
    """Somebody's object in a seat: one that plays all games, or what makes a new one for every game."""

    def __init__(self, given: Any, name: str, makes: bool) -> None:
        super().__init__()
        self.name = name or getattr(given, "__name__", type(given).__name__)
        self.makes = makes
        """Whether `given` is called to make an agent for every game."""
        self._given = given
        self._agent: Any = None

    def seeded(self, seed: int) -> Self:
        """The next game's agent starts anew."""
        super().seeded(seed)
        self._agent = None
        return self

    def new_game(self) -> None:
        """The next game's agent is made when its seat is known (`prepare`)."""
        self._agent = None

    def _made(self) -> Any:
        self._agent = self._guarded("making it", self._given) if self.makes else self._given
        return self._agent

    def _call(self, method: str, *arguments: Any, **named: Any) -> Any:
        return self._guarded(method, getattr(self._agent, method), *arguments, **named)

    def _tell(self, method: str, *arguments: Any) -> None:
        """Call a method that the agent may have."""
        if hasattr(self._agent, method):
            self._call(method, *arguments)

    def _guarded(self, what: str, function: Any, *arguments: Any, **named: Any) -> Any:
        try:
            return function(*arguments, **named)
        except KeyboardInterrupt:
            raise  # in our own process it is somebody's Ctrl-C
        except BaseException as failure:
            raise ForeignAgentError(failure_sentence(self.name, what, failure)) from failure


class PythonAgent(GivenAgent):
    """An agent of a Python file in a seat of any game.

    It gets a copy of the state, or the view of its seat where the game hides something, and may play with it. It
    answers with a `Plan`, an action, or the actions of a turn or of the turn's beginning.
    """

    def __init__(self, given: Any, name: str = "") -> None:
        super().__init__(given, name, is_maker(given))
        if not _plays(given) and not callable(given):
            raise InvalidParameterError(
                f"agent {self.name!r} is {short(given)}; expected an object with a method plan, "
                "a function of a state and a seat, or what makes one of these."
            )

    def prepare(self, game: Game, seat: int, seed: int) -> dict[str, Any]:
        """Make the agent, and ask it what it decides before the start."""
        agent = self._made()
        if not _plays(agent):
            kind = type(agent).__name__
            raise ForeignAgentError(
                f"agent {self.name!r} is a {kind}; expected an object with a method plan, or a function."
            )
        if hasattr(agent, "seeded"):
            self._agent = agent = self._call("seeded", self.seed) or agent
        if hasattr(agent, "new_game"):
            self._call("new_game")
        # Its own seed: from the game's it could find out what the game hides.
        options = self._call("prepare", game, seat, self.seed) if hasattr(agent, "prepare") else {}
        if not isinstance(options, dict):
            raise ForeignAgentError(f"agent {self.name!r} prepared {short(options)}; expected a dict of options.")
        return options

    def plan(self, state: State, budget: Budget | str, *, ply: int = 0, seat: int | None = None) -> Plan:
        """Its turn, or the next part of it, in the time it takes."""
        mine, together = acting_seat(state, seat), state.current_player() == SIMULTANEOUS
        if self._agent is None:
            self.prepare(state.game, mine, 0)
        # With another stream: what chance will bring can't be found out by trying.
        shown = state.reseeded([self.seed, ply, mine if together else 0])
        if hasattr(self._agent, "plan"):
            arguments, named = _call_of(self._agent.plan, shown, budget, ply, mine, together)
            answer = self._call("plan", *arguments, **named)
        else:
            answer = self._guarded("its turn", self._agent, shown, mine)
        return self._plan(answer, state)

    def end_game(self, returns: Sequence[float]) -> None:
        """Tell it what everybody got."""
        self._tell("end_game", returns)

    def close(self) -> None:
        """An agent that was made for this game ends with it."""
        try:
            if self.makes:
                self._tell("close")
        finally:
            self._agent = None

    def _plan(self, answer: Any, state: State) -> Plan:
        if isinstance(answer, Plan):
            return plain_plan(answer, self.name, state)
        actions = np.asarray(answer).tolist() if isinstance(answer, (Sequence, np.ndarray, np.integer)) else answer
        actions = actions if isinstance(actions, list) else [actions]
        if not actions or not all(isinstance(action, int) and not isinstance(action, bool) for action in actions):
            raise ForeignAgentError(
                f"agent {self.name!r} answered {short(answer)}; expected an action (an integer), several, or a Plan."
            )
        return Plan(tuple(actions), None, state=state)


def plain_plan(plan: Plan, name: str, state: State | None = None) -> Plan:
    """A plan of somebody's with plain numbers in it; a `ForeignAgentError` if it holds anything else."""
    try:
        return Plan(
            tuple(_whole(action, "an action") for action in plan.actions),
            None if plan.value is None else _number(plan.value, "the value"),
            tuple(
                Alternative(
                    tuple(_whole(action, "an action of an alternative") for action in other.actions),
                    _number(other.value, "the value of an alternative"),
                    _whole(other.count, "the count of an alternative"),
                    state,
                )
                for other in plan.alternatives
            ),
            Statistics(**{field.name: _figure(field.name, plan.stats) for field in fields(Statistics)}),
            plan.state if state is None else state,
        )
    except (TypeError, ValueError, AttributeError, OverflowError) as error:
        raise ForeignAgentError(f"agent {name!r} returned a Plan that can't be used: {error}.") from None


def failure_sentence(name: str, what: str, failure: BaseException) -> str:
    """What an agent raised, and where."""
    try:
        text = " ".join(str(failure).split())
    except Exception:  # an exception of somebody's can even fail to say what it is
        text = "?"
    return f"agent {name!r} raised {type(failure).__name__} in {what}{_place(failure)}: {short(text, 200)}."


def is_maker(given: Any) -> bool:
    """Whether an object is not an agent itself, but is called, without arguments, to make one."""
    if isinstance(given, type):
        return True
    if hasattr(given, "plan") or not callable(given):
        return False
    try:
        return not inspect.signature(given).parameters
    except (TypeError, ValueError):  # some builtins don't tell
        return True


def _call_of(
    plan: Any, state: State, budget: Budget | str, ply: int, seat: int, together: bool
) -> tuple[tuple[Any, ...], dict[str, Any]]:
    """The arguments a method `plan` is called with: those of `Seat.plan`, or those of the older interface."""
    now: tuple[tuple[Any, ...], dict[str, Any]] = ((state, budget), {"ply": ply, "seat": seat})
    older: tuple[tuple[Any, ...], dict[str, Any]] = ((state, budget, ply), {"player": seat} if together else {})
    try:
        signature = inspect.signature(plan)
    except (TypeError, ValueError):  # some builtins don't tell
        return now
    for arguments, named in (now, older):
        with suppress(TypeError):
            signature.bind(*arguments, **named)
            return arguments, named
    return now


def _place(failure: BaseException) -> str:
    """Where in somebody's file it happened: the innermost line outside this package and the libraries."""
    others = (str(Path(__file__).parents[1]) + os.sep, str(Path(os.__file__).parent) + os.sep, "<")
    frames = traceback.extract_tb(failure.__traceback__)
    found = [f for f in frames if not f.filename.startswith(others) and "site-packages" not in f.filename]
    return f" ({Path(found[-1].filename).name}, line {found[-1].lineno})" if found else ""


def _plays(agent: Any) -> bool:
    return callable(getattr(agent, "plan", None)) or callable(agent)


def _figure(name: str, stats: Any) -> Any:
    """A field of somebody's statistics."""
    value = getattr(stats, name)
    if name == "revisits":
        return tuple((_whole(one, name), _whole(other, name)) for one, other in value)
    kind = type(getattr(Statistics(), name))
    if kind is bool:
        return bool(value)
    return _number(value, name) if kind is float else _whole(value, name)


def _whole(value: Any, what: str) -> int:
    if isinstance(value, bool):
        raise ValueError(f"{what} is {value}, expected a whole number")
    try:
        return int(operator.index(value))
    except TypeError:
        raise ValueError(f"{what} is {short(value)}, expected a whole number") from None


def _number(value: Any, what: str) -> float:
    try:
        number = float(value)
    except (TypeError, ValueError):
        number = math.nan
    if isinstance(value, (bool, str)) or math.isnan(number):
        raise ValueError(f"{what} is {short(value)}, expected a number")
    return number
