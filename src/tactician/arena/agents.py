"""Who can have a seat: planners, external programs, agents of Python files, and agents that games bring.

A seat is a string: a planner (``oep:population=50``), a program (``exec:./mybot``, with parameters
``exec[timeout=2]:./mybot``), an object of a Python file (``python:./mine.py:MyAgent``), or a named agent of a game's
entry (``locm-baseline1``). ``#2`` behind it tells copies apart.
"""

from __future__ import annotations

import re
import shlex
import shutil
from abc import ABC, abstractmethod
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from tactician.contract.entry import GameEntry
from tactician.contract.game import Game
from tactician.errors import InvalidParameterError, UnknownNameError
from tactician.games.registry import entries, entry_for
from tactician.importing import object_in_file
from tactician.parameters import split_pairs
from tactician.planners.base import Planner
from tactician.planners.registry import PLANNERS, parse_planner
from tactician.seats.python_agents import PythonAgent
from tactician.seats.seat import Seat

EXEC = "exec"
PYTHON_FILE = "python"
_EXEC = re.compile(rf"{EXEC}(?:\[(?P<parameters>[^\]]*)\])?:(?P<command>.*)", re.DOTALL)
_COPY = re.compile(r"#\d+$")


class AgentSpec(ABC):
    """A seat that has been read; its text is the name it has in records."""

    @abstractmethod
    def on(self, game: Game) -> Seat:
        """What plays the seat in a game."""

    @abstractmethod
    def check(self, game: Game) -> None:
        """Refuse a game that this agent can't play; cheap, compiles nothing."""

    def check_here(self) -> None:  # noqa: B027 (most need nothing)
        """Refuse if something that playing needs is missing on this machine."""


@dataclass(frozen=True)
class PlannerSpec(AgentSpec):
    """A planner."""

    planner: Planner

    def on(self, game: Game) -> Seat:
        """The planner's agent."""
        return self.planner.on(game)

    def check(self, game: Game) -> None:
        """Planners say by themselves what they can't plan in."""

    def __str__(self) -> str:
        return str(self.planner)


@dataclass(frozen=True)
class NamedSpec(AgentSpec):
    """An agent that a game's entry names."""

    name: str

    def on(self, game: Game) -> Seat:
        """The agent, made for the game."""
        seat: Seat = self._entry(game).load(f"agents.{self.name}")(game)
        return seat

    def check(self, game: Game) -> None:
        """Only the games whose entries name the agent."""
        self._entry(game)

    def _entry(self, game: Game) -> GameEntry:
        entry = entry_for(game)
        if entry is None or self.name not in entry.agents:
            plays = " and ".join(repr(entry.name) for entry in entries() if self.name in entry.agents)
            raise InvalidParameterError(f"agent {self.name!r} plays {plays}; given {game.name!r}.")
        return entry

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

    def on(self, game: Game) -> Seat:
        """What asks the program; no process is started before the first game."""
        entry = entry_for(game)
        if entry is None or entry.external is None:
            known = ", ".join(entry.name for entry in entries() if entry.external)
            raise InvalidParameterError(
                f"agent {str(self)!r} is an external program, and {game.name!r} has no protocol for those; "
                f"games that have: {known}."
            )
        seat: Seat = entry.load("external")(game, self.words, self.timeout)
        return seat

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

    def on(self, game: Game) -> Seat:
        """The object in a seat: a planner's agent, an agent of ours, or one of another interface to the game."""
        found, entry = self._found(), entry_for(game)
        if isinstance(found, Planner):
            return found.on(game)
        if entry is not None and entry.foreign_agents is not None:
            foreign: Seat | None = entry.load("foreign_agents")(found, game, str(self))
            if foreign is not None:
                return foreign
        return PythonAgent(found, str(self))

    def check(self, game: Game) -> None:
        """Any game; the file is read when the seat is needed."""

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
    name, colon, _ = text.partition(":")
    if name in PLANNERS:
        return PlannerSpec(parse_planner(text))
    if not any(name in entry.agents for entry in entries()):
        raise UnknownNameError("planner", name, [*PLANNERS, *named_agents()])
    if colon:
        raise InvalidParameterError(f"agent {name!r} has no parameters (given {text!r}).")
    return NamedSpec(name)


def named_agents() -> list[str]:
    """The names of the agents that games bring."""
    return list(dict.fromkeys(name for entry in entries() for name in entry.agents))


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
