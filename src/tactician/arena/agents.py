"""Who can have a seat: planners, external programs, agents of Python files, and agents that games bring.

A seat is a string: a planner (``oep:population=50``), a program (``exec:./mybot``, with parameters
``exec[timeout=2]:./mybot``), an object of a Python file (``python:./mine.py:MyAgent``, with parameters
``python[timeout=5]:./mine.py:MyAgent``), a trained network (``follower:path=mine.safetensors``, or ``follower`` for the
one that comes with the game), or a named agent of a game's entry (``locm-baseline1``). ``#2`` behind it tells copies
apart.
"""

from __future__ import annotations

import re
import shlex
import shutil
from abc import ABC, abstractmethod
from dataclasses import dataclass
from pathlib import Path

from tactician.arena.agent_process import AgentSeat, agent_process
from tactician.contract.entry import GameEntry
from tactician.contract.game import Game
from tactician.errors import ForeignAgentError, InvalidParameterError, UnknownNameError
from tactician.games.registry import entries, entry_for
from tactician.parameters import split_pairs
from tactician.planners.base import Planner
from tactician.planners.registry import PLANNERS, parse_planner
from tactician.seats.seat import Seat

EXEC = "exec"
PYTHON_FILE = "python"
FOLLOWER = "follower"
_PREFIXED = re.compile(r"\w+(?:\[(?P<parameters>[^\]]*)\])?:(?P<rest>.*)", re.DOTALL)
_COPY = re.compile(r"#\d+$")


class AgentSpec(ABC):
    """A seat that has been read; its text is the name it has in records."""

    @abstractmethod
    def on(self, game: Game, game_name: str | None = None) -> Seat:
        """What plays the seat in a game; `game_name` is what other processes load the game by."""

    @abstractmethod
    def check(self, game: Game) -> None:
        """Refuse a game that this agent can't play; cheap, compiles nothing."""

    def check_here(self, game: Game, game_name: str) -> None:  # noqa: B027 (most need nothing)
        """Refuse if something that playing needs is missing on this machine."""


@dataclass(frozen=True)
class PlannerSpec(AgentSpec):
    """A planner."""

    planner: Planner

    def on(self, game: Game, game_name: str | None = None) -> Seat:
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

    def on(self, game: Game, game_name: str | None = None) -> Seat:
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

    def on(self, game: Game, game_name: str | None = None) -> Seat:
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

    def check_here(self, game: Game, game_name: str) -> None:
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
    """An object of a Python file, or what makes one. The file is only ever run in a process of its own."""

    path: str
    name: str
    timeout: float | None = None
    """Seconds that a turn may take, beyond the budget if that is a time."""

    def on(self, game: Game, game_name: str | None = None) -> AgentSeat:
        """A seat that the object plays; its process is started when it is needed."""
        return AgentSeat(agent_process(game, game_name, self.path, self.name, str(self), self.timeout))

    def check(self, game: Game) -> None:
        """Any game; the file is read when the seat is needed."""

    def check_here(self, game: Game, game_name: str) -> None:
        """Whether there is such an object, and whether it can play the game."""
        try:
            self.on(game, game_name).process.start()
        except ForeignAgentError as error:  # it did not survive being loaded
            raise InvalidParameterError(str(error)) from error

    def __str__(self) -> str:
        parameters = "" if self.timeout is None else f"[timeout={self.timeout:g}]"
        return f"{PYTHON_FILE}{parameters}:{self.path}:{self.name}"


_FOLLOWER_PARAMETERS = ("path", "symmetric")


@dataclass(frozen=True)
class FollowerSpec(AgentSpec):
    """A trained network: that of a file, or the one that comes with the game."""

    path: str | None = None
    symmetric: bool = False
    """Whether it takes the mean of what it says of the board from all sides."""

    def on(self, game: Game, game_name: str | None = None) -> Seat:
        """The follower, its weights loaded."""
        from tactician.followers.seat import follower_from

        return follower_from(game, self.file(game), self.symmetric)

    def check(self, game: Game) -> None:
        """Only the game that it was trained for; reads the file."""
        self.on(game)

    def file(self, game: Game) -> Path:
        """Where its weights are."""
        if self.path is not None:
            return Path(self.path)
        entry = entry_for(game)
        if entry is None or entry.follower is None:
            raise InvalidParameterError(
                f"game {game.name!r} comes without a trained follower; expected {FOLLOWER}:path=FILE."
            )
        path: Path = entry.load("follower")
        return path

    def __str__(self) -> str:
        given = [] if self.path is None else [f"path={self.path}"]
        given += ["symmetric=True"] if self.symmetric else []
        return f"{FOLLOWER}:{','.join(given)}" if given else FOLLOWER


def parse_agent(spec: str) -> AgentSpec:
    """The agent that the text of a seat describes."""
    text = without_copy(spec)
    for kind, read in ((EXEC, _parse_exec), (PYTHON_FILE, _parse_python)):
        if text == kind or text.startswith((f"{kind}:", f"{kind}[")):
            return read(text)
    name, colon, rest = text.partition(":")
    if name == FOLLOWER:
        return _parse_follower(rest) if colon else FollowerSpec()
    if name in PLANNERS:
        return PlannerSpec(parse_planner(text))
    if not any(name in entry.agents for entry in entries()):
        raise UnknownNameError("planner", name, [*PLANNERS, FOLLOWER, *named_agents()])
    if colon:
        raise InvalidParameterError(f"agent {name!r} has no parameters (given {text!r}).")
    return NamedSpec(name)


def named_agents() -> list[str]:
    """The names of the agents that games bring."""
    return list(dict.fromkeys(name for entry in entries() for name in entry.agents))


def without_copy(spec: str) -> str:
    """The agent without the number that tells copies of it apart."""
    return _COPY.sub("", spec)


def _parse_follower(parameters: str) -> FollowerSpec:
    found = dict(split_pairs(parameters))
    for key in found:
        if key not in _FOLLOWER_PARAMETERS:
            raise UnknownNameError(f"parameter of {FOLLOWER!r}:", key, _FOLLOWER_PARAMETERS)
    symmetric = found.get("symmetric", "False")
    if symmetric not in ("True", "False"):
        raise InvalidParameterError(f"symmetric is {symmetric!r}; expected True or False.")
    path = found.get("path")
    if not path and (path is not None or "symmetric" not in found):
        raise InvalidParameterError(f"agent is '{FOLLOWER}:{parameters}'; expected {FOLLOWER}:path=FILE.")
    return FollowerSpec(path, symmetric == "True")


def _parse_exec(text: str) -> ExecSpec:
    found = _PREFIXED.fullmatch(text)
    if found is None:
        raise InvalidParameterError(f"agent is {text!r}; expected exec:COMMAND or exec[timeout=FACTOR]:COMMAND.")
    timeout = _timeout(EXEC, found["parameters"], "factor")
    command = found["rest"].strip()
    try:
        words = shlex.split(command)
    except ValueError as error:
        raise InvalidParameterError(f"command {command!r} can't be read: {str(error).lower()}.") from None
    if not words:
        raise InvalidParameterError(f"agent is {text!r}; expected a command behind the colon.")
    return ExecSpec(command, 1.0 if timeout is None else timeout)


def _parse_python(text: str) -> PythonSpec:
    found = _PREFIXED.fullmatch(text)
    head, dot, name = (found["rest"] if found else "").partition(".py:")
    if found is None or not dot or not head or not name.isidentifier():
        raise InvalidParameterError(
            f"agent is {text!r}; expected python:PATH.py:NAME or python[timeout=SECONDS]:PATH.py:NAME."
        )
    return PythonSpec(f"{head}.py", name, _timeout(PYTHON_FILE, found["parameters"], "number of seconds"))


def _timeout(kind: str, parameters: str | None, expected: str) -> float | None:
    """The parameter between the brackets, None if there is none."""
    timeout = None
    for key, value in split_pairs(parameters or ""):
        if key != "timeout":
            raise UnknownNameError(f"parameter of {kind!r}:", key, ["timeout"])
        try:
            timeout = float(value or "")
        except ValueError:
            timeout = -1.0
        if not 0 < timeout < float("inf"):
            raise InvalidParameterError(f"timeout of {kind!r} is {value!r}; expected a positive {expected}.")
    return timeout
