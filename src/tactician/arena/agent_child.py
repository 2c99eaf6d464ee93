"""The child process of an agent of a Python file: loads the file and the game, and answers one request after another.

Requests are pickles from the arena, answers are JSON: the arena never unpickles what comes from an agent's process.
Each is preceded by its length. Whatever the agent raises is an answer; what ends the process is seen from outside.
"""

from __future__ import annotations

import faulthandler
import io
import json
import os
import pickle
import socket
import struct
import sys
import threading
import time
from collections.abc import Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Any

import numpy as np

from tactician.contract.game import Game
from tactician.contract.state import State
from tactician.errors import ForeignAgentError, InvalidParameterError, TacticianError
from tactician.games.registry import entry_for, load_game
from tactician.importing import object_in_file
from tactician.planners.base import Planner
from tactician.seats.budget import Budget
from tactician.seats.python_agents import GivenAgent, PythonAgent, failure_sentence, plain_plan
from tactician.seats.seat import Seat

LENGTH = struct.Struct("!Q")
_THREADS_END_S = 1.0
"""How long threads of an agent that was closed may take to end."""


def main() -> None:
    """Answer the requests that come on the socket whose descriptor is the last argument."""
    faulthandler.enable()  # a crash says on stderr where
    os.dup2(2, 1)  # what an agent prints must not get into what a command prints as JSON
    with socket.socket(fileno=int(sys.argv.pop())) as connection:
        del sys.argv[1:]
        agent = LoadedAgent()
        while (request := _received(connection)) is not None:
            answer = json.dumps(agent.answer(request), default=_plain).encode()
            connection.sendall(LENGTH.pack(len(answer)) + answer)
    os._exit(0)  # an agent's threads don't keep the process


class LoadedAgent:
    """The agent of a file: one object or what makes one, in as many seats as it has in a game."""

    def __init__(self) -> None:
        self._game: Game | None = None
        self._found: Any = None
        self._name = ""
        self._seats: dict[int, Seat] = {}
        self._threads: dict[int, set[threading.Thread]] = {}
        """The threads that were there before a seat's game."""

    def answer(self, request: bytes) -> dict[str, Any]:
        """What a request leads to: a result, the reason of a forfeit, or why the agent can't play at all."""
        try:
            method, number, arguments = _Unpickler(request, self._game).load()
        except BaseException as failure:
            return {"unreadable": f"{type(failure).__name__}: {failure}"}
        if method == "load":
            return self._loaded(*arguments)
        try:
            result = getattr(self, f"_{method}")(number, *arguments)
            self._require_plain(method, result)
        except TacticianError as failure:
            return {"forfeit": str(failure)}
        except BaseException as failure:
            return {"forfeit": failure_sentence(self._name, method, failure)}
        return {"result": result}

    def _require_plain(self, method: str, result: Any) -> None:
        try:
            json.dumps(result, default=_plain)
        except (TypeError, ValueError, RecursionError) as error:
            raise ForeignAgentError(
                f"agent {self._name!r} answered {method} with something that is not plain data ({error})."
            ) from None

    def _loaded(self, game: str | bytes, path: str, name: str, label: str) -> dict[str, Any]:
        self._name = label
        try:
            self._game = load_game(game) if isinstance(game, str) else pickle.loads(game)
            self._game.table.complete()  # compiled now, not in the time of the first turn
            self._found = object_in_file(Path(path), name, "agent", _may_play, InvalidParameterError)
            player = self._seat(0)
        except TacticianError as refusal:
            return {"refused": str(refusal)}
        except BaseException as failure:
            text = " ".join(str(failure).split())
            return {"refused": f"agent file {path!r} raised {type(failure).__name__}: {text}."}
        return {"result": isinstance(player, GivenAgent) and player.makes}

    def _seat(self, number: int) -> Seat:
        if number not in self._seats:
            assert self._game is not None
            self._seats[number] = _in_seat(self._found, self._game, self._name)
        return self._seats[number]

    def _prepare(self, number: int, seat: int, seed: int) -> dict[str, Any]:
        assert self._game is not None
        self._threads[number] = set(threading.enumerate())
        self._seats[number] = player = self._seat(number).seeded(seed)
        player.new_game()
        return player.prepare(self._game, seat, seed)

    def _plan(self, number: int, state: State, budget: Budget | str, ply: int, seat: int) -> dict[str, Any]:
        assert self._game is not None
        plan = plain_plan(self._seat(number).plan(state, budget, ply=ply, seat=seat), self._name)
        if plan.stats.interrupted:
            raise ForeignAgentError(f"agent {self._name!r} returned a Plan that was interrupted.")

        def written(actions: Sequence[int]) -> list[Any]:
            return [_written_action(self._game, action) for action in actions]

        return {
            "actions": written(plan.actions),
            "value": plan.value,
            "alternatives": [[written(other.actions), other.value, other.count] for other in plan.alternatives],
            "stats": asdict(plan.stats),
        }

    def _end_game(self, number: int, returns: Sequence[float]) -> None:
        self._seat(number).end_game(returns)

    def _close(self, number: int) -> None:
        player = self._seat(number)
        player.close()
        if isinstance(player, GivenAgent) and player.makes:
            self._require_ended(set(threading.enumerate()) - self._threads.get(number, set()))

    def _require_ended(self, threads: set[threading.Thread]) -> None:
        """Refuse threads that outlive an agent made for one game: they would run in the turns of others."""
        deadline = time.monotonic() + _THREADS_END_S
        for thread in threads:
            thread.join(max(0.0, deadline - time.monotonic()))
        left = sorted(thread.name for thread in threads if thread.is_alive())
        if left:
            raise ForeignAgentError(f"agent {self._name!r} left threads running after its game: {', '.join(left)}.")


def _written_action(game: Game | None, action: int) -> Any:
    """An action as it is sent: its code, or its canonical form where codes differ from process to process."""
    if game is None or game.backend.handles is None:
        return action
    return [game.action_to_json(action)]


def _in_seat(found: Any, game: Game, label: str) -> Seat:
    """An object in a seat: a planner's agent, an agent of ours, or one of another interface to the game."""
    if isinstance(found, Planner):
        return found.on(game)
    entry = entry_for(game)
    if entry is not None and entry.foreign_agents is not None:
        foreign: Seat | None = entry.load("foreign_agents")(found, game, label)
        if foreign is not None:
            return foreign
    return PythonAgent(found, label)


def _may_play(value: Any) -> bool:
    return hasattr(value, "plan") or hasattr(value, "act")


class _Unpickler(pickle.Unpickler):
    """Reads a request; the game, which it names, is the one that is loaded here."""

    def __init__(self, request: bytes, game: Game | None) -> None:
        super().__init__(io.BytesIO(request))
        self._game = game

    def persistent_load(self, _name: Any) -> Any:
        return self._game


def _received(connection: socket.socket) -> bytes | None:
    head = _exactly(connection, LENGTH.size)
    return None if head is None else _exactly(connection, LENGTH.unpack(head)[0])


def _exactly(connection: socket.socket, size: int) -> bytes | None:
    data = bytearray()
    while len(data) < size:
        chunk = connection.recv(size - len(data))
        if not chunk:
            return None
        data += chunk
    return bytes(data)


def _plain(value: Any) -> Any:
    """NumPy's numbers and arrays as Python's."""
    if isinstance(value, (np.generic, np.ndarray)):
        return value.tolist()
    raise TypeError(f"{type(value).__name__} is not plain data")
