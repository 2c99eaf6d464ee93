"""Who can have a seat: planners, external programs, and other agents by name.

A seat is a string: a planner (``oep:population=50``), a program (``exec:./mybot``, with parameters
``exec[timeout=2]:./mybot``), an object of a Python file (``python:./mine.py:MyAgent``), or an agent of `AGENTS`
(``locm-baseline1``). ``#2`` behind it tells copies apart.
"""

from __future__ import annotations

import importlib
import re
import shlex
import shutil
from abc import ABC, abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Protocol, Self, runtime_checkable

from tactician.contract.game import Game
from tactician.contract.state import State
from tactician.errors import InvalidParameterError, UnknownNameError
from tactician.importing import object_in_file
from tactician.parameters import split_pairs
from tactician.planners.base import Planner
from tactician.planners.registry import PLANNERS, parse_planner
from tactician.seats.budget import Budget
from tactician.seats.plan import Plan

AGENTS = {
    "locm-baseline1": "tactician.adapters.locm_baselines:Baseline1",
    "locm-baseline2": "tactician.adapters.locm_baselines:Baseline2",
    "rule-based": "tactician.adapters.pommerman_agents:RuleBasedPlayer",
}
"""Agents that are no planners, by name: what makes one of a game. A new one is one line here."""

EXTERNAL = {"locm": "tactician.adapters.locm_bot:ExternalLocmBot"}
"""What plays an external program's part in a game, called with the game, the words of the command and a factor for
its time limits. Games without a line here have no protocol for programs."""

PYTHON = "tactician.adapters.python_agents:in_seat"
"""What gives a seat to an object of a Python file, called with the object, the game and the object's name."""

EXEC = "exec"
PYTHON_FILE = "python"
_EXEC = re.compile(rf"{EXEC}(?:\[(?P<parameters>[^\]]*)\])?:(?P<command>.*)", re.DOTALL)
_COPY = re.compile(r"#\d+$")


@runtime_checkable
class Player(Protocol):
    """What can have a seat: all that the arena asks of it."""

    def plan(self, state: State, budget: Budget | str, ply: int = 0) -> Plan:
        """The turn to play."""


class GameAgent(ABC):
    """A player that is no planner. Where a game hides information it is given only what its player sees."""

    def __init__(self) -> None:
        self.seed = 0

    @abstractmethod
    def plan(self, state: State, budget: Budget | str, ply: int = 0) -> Plan:
        """The turn to play."""

    def seeded(self, seed: int) -> Self:
        """The same agent with another seed from now on."""
        self.seed = seed
        return self

    def new_game(self) -> None:  # noqa: B027 (most keep nothing)
        """Forget the last game."""

    def prepare(self, game: Game, seat: int, seed: int) -> dict[str, Any]:
        """What this seat decides before the start of a seed: options of the initial state.

        An option that several seats have a say in is a list with an entry for each, None where a seat says nothing.
        """
        return {}

    def end_game(self, returns: Sequence[float]) -> None:  # noqa: B027 (most don't care)
        """The game is over; everybody's reward."""

    def close(self) -> None:  # noqa: B027 (most hold nothing)
        """Let go of what a game needed: processes, files."""


class AgentSpec(ABC):
    """A seat that has been read; its text is the name it has in records."""

    @abstractmethod
    def on(self, game: Game) -> Any:
        """The player for a seat of a game."""

    @abstractmethod
    def check(self, game: Game) -> None:
        """Refuse a game that this agent can't play; cheap, compiles nothing."""

    def check_here(self) -> None:  # noqa: B027 (most need nothing)
        """Refuse if something that playing needs is missing on this machine."""


@dataclass(frozen=True)
class PlannerSpec(AgentSpec):
    """A planner."""

    planner: Planner

    def on(self, game: Game) -> Any:
        """The planner's agent."""
        return self.planner.on(game)

    def check(self, game: Game) -> None:
        """Planners say by themselves what they can't plan in."""

    def __str__(self) -> str:
        return str(self.planner)


@dataclass(frozen=True)
class NamedSpec(AgentSpec):
    """An agent of `AGENTS`."""

    name: str

    def on(self, game: Game) -> Any:
        """The agent, made for the game."""
        return _load(AGENTS[self.name])(game)

    def check(self, game: Game) -> None:
        """What makes the agent refuses the games it is not for."""
        self.on(game)

    def __str__(self) -> str:
        return self.name


@dataclass(frozen=True)
class ExecSpec(AgentSpec):
    """An external program."""

    command: str
    timeout: float = 1.0
    """A factor for the protocol's time limits."""

    @property
    def words(self) -> list[str]:
        """The program and its arguments."""
        return shlex.split(self.command)

    def on(self, game: Game) -> Any:
        """The program's part in a game; no process is started before the first game."""
        if game.name not in EXTERNAL:
            raise InvalidParameterError(
                f"agent {str(self)!r} is an external program, and {game.name!r} has no protocol for those; "
                f"games that have: {', '.join(EXTERNAL)}."
            )
        return _load(EXTERNAL[game.name])(game, self.words, self.timeout)

    def check(self, game: Game) -> None:
        """Only games with a protocol."""
        self.on(game)

    def check_here(self) -> None:
        """Whether there is such a program."""
        if shutil.which(self.words[0]) is None:
            raise InvalidParameterError(
                f"agent {str(self)!r} can't be started: there is no program {self.words[0]!r} that can be executed."
            )

    def __str__(self) -> str:
        parameters = "" if self.timeout == 1.0 else f"[timeout={self.timeout:g}]"
        return f"{EXEC}{parameters}:{self.command}"


@dataclass(frozen=True)
class PythonSpec(AgentSpec):
    """An object of a Python file, or what makes one."""

    path: str
    name: str

    def on(self, game: Game) -> Any:
        """The object in a seat of the game."""
        return _load(PYTHON)(self._found(), game, str(self))

    def check(self, game: Game) -> None:
        """Any game; what is found in the file shows itself when it is needed."""

    def check_here(self) -> None:
        """Whether there is such an object."""
        self._found()

    def _found(self) -> Any:
        def is_one(value: Any) -> bool:
            return hasattr(value, "plan") or hasattr(value, "act")

        return object_in_file(Path(self.path), self.name, "agent", is_one, InvalidParameterError)

    def __str__(self) -> str:
        return f"{PYTHON_FILE}:{self.path}:{self.name}"


def parse_agent(spec: str) -> AgentSpec:
    """The agent that the text of a seat describes."""
    text = without_copy(spec)
    if text == EXEC or text.startswith((f"{EXEC}:", f"{EXEC}[")):
        return _parse_exec(text)
    if text == PYTHON_FILE or text.startswith(f"{PYTHON_FILE}:"):
        return _parse_python(text)
    if text in AGENTS:
        return NamedSpec(text)
    name = text.partition(":")[0]
    if name in AGENTS:
        raise InvalidParameterError(f"agent {name!r} has no parameters (given {text!r}).")
    if name not in PLANNERS:
        raise UnknownNameError("planner", name, [*PLANNERS, *AGENTS])
    return PlannerSpec(parse_planner(text))


def without_copy(spec: str) -> str:
    """The agent without the number that tells copies of it apart."""
    return _COPY.sub("", spec)


def _parse_exec(text: str) -> ExecSpec:
    found = _EXEC.fullmatch(text)
    if found is None:
        raise InvalidParameterError(f"agent is {text!r}; expected exec:COMMAND or exec[timeout=FACTOR]:COMMAND.")
    timeout = 1.0
    for key, value in split_pairs(found["parameters"] or ""):
        if key != "timeout":
            raise UnknownNameError(f"parameter of {EXEC!r}:", key, ["timeout"])
        try:
            timeout = float(value or "")
        except ValueError:
            timeout = -1.0
        if not 0 < timeout < float("inf"):
            raise InvalidParameterError(f"timeout of {EXEC!r} is {value!r}; expected a positive factor.")
    command = found["command"].strip()
    try:
        words = shlex.split(command)
    except ValueError as error:
        raise InvalidParameterError(f"command {command!r} can't be read: {str(error).lower()}.") from None
    if not words:
        raise InvalidParameterError(f"agent is {text!r}; expected a command behind the colon.")
    return ExecSpec(command, timeout)


def _parse_python(text: str) -> PythonSpec:
    head, found, name = text.removeprefix(f"{PYTHON_FILE}:").partition(".py:")
    if not found or not head or not name.isidentifier():
        raise InvalidParameterError(f"agent is {text!r}; expected python:PATH.py:NAME.")
    return PythonSpec(f"{head}.py", name)


def _load(where: str) -> Any:
    module, _, name = where.partition(":")
    return getattr(importlib.import_module(module), name)
