"""Agents of Python files in processes of their own: whatever an agent does, it is a forfeit with a reason.

An `AgentProcess` is the process of one agent in one game, kept from game to game, so that an object keeps what it
remembers; `AgentSeat` is a seat that is played in it. The process is killed, with all it has started, when it gives no
answer in time or says something that can't be understood, and when nothing is played any more; the next game starts a
new one. What it is sent is what its seat may know: a view of the state with another random stream, and a seed of its
own.
"""

from __future__ import annotations

import contextlib
import io
import json
import pickle
import select
import socket
import subprocess
import sys
import time
import weakref
from collections.abc import Sequence
from pathlib import Path
from typing import Any, Self

from tactician.arena.agent_child import LENGTH
from tactician.contract.game import Game
from tactician.contract.state import State
from tactician.errors import (
    ForeignAgentError,
    InvalidParameterError,
    MissingFileError,
    RuleFailureError,
    TacticianError,
    short,
)
from tactician.native.abi import SIMULTANEOUS
from tactician.seats.budget import Budget
from tactician.seats.plan import Alternative, Plan, Statistics
from tactician.seats.programs import Program, is_ready
from tactician.seats.python_agents import plain_plan
from tactician.seats.seat import BaseSeat, acting_seat

TIMEOUT_S = 60.0
"""How long one call may take where the budget is not a time."""
GRACE_S = 5.0
"""How much longer than the budget's time a turn may take."""
LOAD_S = 300.0
"""How long loading the game and the file may take; rules may have to be compiled."""
MAX_ANSWER = 1 << 24
"""Bytes of an answer."""
MOST_PROCESSES = 16
"""Processes of agents that wait for their next game, in each process that plays: each holds some 50 MB. Those of agents
that keep something from game to game are not ended for others."""
_END_S = 1.0
"""How long to wait for the exit code of a process that has closed its connection."""
_CHUNK = 1 << 16
_BOOT = "import json, sys; sys.path[:] = json.loads(sys.argv[1]); from tactician.arena.agent_child import main; main()"

_PROCESSES: weakref.WeakValueDictionary[tuple[str, str], AgentProcess] = weakref.WeakValueDictionary()


def agent_process(
    game: Game, game_name: str | None, path: str, name: str, label: str, timeout: float | None
) -> AgentProcess:
    """The process of an agent in a game: one for all its seats, if the game has a name by which it can be found."""
    known = None if game_name is None else _PROCESSES.get((game_name, label))
    if known is not None:
        return known
    process = AgentProcess(game, game_name, path, name, label, timeout)
    if game_name is not None:
        _PROCESSES[game_name, label] = process
    return process


def close_agents() -> None:
    """End the processes of all agents that play here; those that play again are started anew."""
    for process in list(_PROCESSES.values()):
        process.close()


class AgentProcess:
    """The process of one agent; it is started by the first request."""

    def __init__(
        self, game: Game, game_name: str | None, path: str, name: str, label: str, timeout: float | None
    ) -> None:
        self.game, self.label, self.timeout = game, label, timeout
        self.starts = 0
        """How often it was started; a seat must be prepared again after a start."""
        self.makes = False
        """Whether the agent is made for every game: then nothing is lost when its process ends between two games."""
        self.playing: set[int] = set()
        """The seats that are in a game now."""
        self._used = 0.0
        self._request = (game_name, path, name)
        self._program: Program | None = None
        self._connection: socket.socket | None = None
        self._seats = 0

    @property
    def runs(self) -> bool:
        """Whether there is a process now."""
        return self._program is not None

    def new_seat(self) -> int:
        """A number for one more seat."""
        self._seats += 1
        return self._seats - 1

    def seconds_of(self, budget: Budget | str) -> float:
        """How long a turn may take."""
        ms = Budget.parse(budget).ms
        if ms is None:
            return self.seconds
        return ms / 1000 + (GRACE_S if self.timeout is None else self.timeout)

    @property
    def seconds(self) -> float:
        """How long any other call may take."""
        return TIMEOUT_S if self.timeout is None else self.timeout

    def start(self) -> None:
        """Start the process and load the agent, unless it runs; raises why it can't play."""
        if self._program is not None:
            return
        game_name, path, name = self._request
        if not Path(path).is_file():
            raise MissingFileError(f"agent file {path!r} does not exist.")
        self._make_room()
        ours, theirs = socket.socketpair()
        try:
            command = [sys.executable, "-P", "-c", _BOOT, json.dumps(sys.path), str(theirs.fileno())]
            # What it prints goes where our own messages go.
            self._program = Program(command, stdout=subprocess.DEVNULL, pass_fds=(theirs.fileno(),))
        except OSError as error:
            ours.close()
            raise ForeignAgentError(f"agent {self.label!r} can't be started: {error.strerror or error}.") from error
        finally:
            theirs.close()
        ours.setblocking(False)
        self._connection = ours
        self.starts += 1
        try:
            sent = game_name if game_name is not None else pickle.dumps(self.game)
        except Exception as error:
            self.close()
            raise _unsendable(self.game, error) from error
        self.makes = self._exchange("load", 0, (sent, path, name, self.label), LOAD_S) is True

    def ask(self, method: str, seat: int, arguments: tuple[Any, ...], seconds: float) -> Any:
        """Call a method of a seat in the process; a `ForeignAgentError` tells what the agent did wrong."""
        self.start()
        self._used = time.monotonic()
        return self._exchange(method, seat, arguments, seconds)

    def close(self) -> None:
        """Kill the process and everything it has started."""
        self.playing.clear()
        connection, self._connection = self._connection, None
        program, self._program = self._program, None
        if connection is not None:
            connection.close()
        if program is not None:
            program.close()

    def __del__(self) -> None:
        with contextlib.suppress(Exception):  # modules may be gone at the end of our own process
            self.close()

    def _make_room(self) -> None:
        """End the processes that have waited longest, if there are many."""
        running = sorted((one for one in _PROCESSES.values() if one.runs), key=lambda one: one._used)
        idle = [one for one in running if one.makes and not one.playing]
        for one in idle[: max(0, len(running) + 1 - MOST_PROCESSES)]:
            one.close()

    def _exchange(self, method: str, seat: int, arguments: tuple[Any, ...], seconds: float) -> Any:
        deadline = time.monotonic() + seconds
        what = "loading" if method == "load" else method
        try:
            self._send(self._pickled((method, seat, arguments)), deadline, seconds, what)
            answer = self._understood(self._receive(deadline, seconds, what), what)
        except BaseException:
            self.close()
            raise
        if "refused" in answer:
            self.close()
            raise InvalidParameterError(str(answer["refused"]))
        if "unreadable" in answer:
            self.close()
            raise _unsendable(self.game, answer["unreadable"])
        if "forfeit" in answer:
            if method == "close":
                self.close()  # threads may have been left in it
            raise ForeignAgentError(str(answer["forfeit"]))
        return answer["result"]

    def _pickled(self, request: Any) -> bytes:
        """A request in which the game is only named: both sides have it."""
        buffer = io.BytesIO()
        try:
            _Pickler(buffer, self.game).dump(request)
        except Exception as error:
            raise _unsendable(self.game, error) from error
        return buffer.getvalue()

    def _send(self, request: bytes, deadline: float, seconds: float, what: str) -> None:
        assert self._connection is not None
        data = memoryview(LENGTH.pack(len(request)) + request)
        while data:
            try:
                data = data[self._connection.send(data) :]
            except BlockingIOError:
                if not is_ready(self._connection.fileno(), deadline - time.monotonic(), select.POLLOUT):
                    raise self._late(seconds, what) from None
            except OSError:
                return  # it has ended: reading tells how

    def _receive(self, deadline: float, seconds: float, what: str) -> bytes:
        assert self._connection is not None
        data = bytearray()
        wanted = LENGTH.size
        while len(data) < wanted:
            if not is_ready(self._connection.fileno(), deadline - time.monotonic()):
                raise self._late(seconds, what)
            try:
                chunk = self._connection.recv(min(_CHUNK, wanted - len(data)))
            except ConnectionError:
                chunk = b""
            if not chunk:
                assert self._program is not None
                how = self._program.end(_END_S) or "closed its connection"
                raise ForeignAgentError(f"agent {self.label!r} {how} in {what}.")
            data += chunk
            if len(data) == wanted == LENGTH.size:
                wanted += LENGTH.unpack(data)[0]
                if wanted > MAX_ANSWER:
                    raise self._nonsense(what)
        return bytes(data[LENGTH.size :])

    def _understood(self, answer: bytes, what: str) -> dict[str, Any]:
        try:
            document = json.loads(answer)
        except (ValueError, RecursionError):
            raise self._nonsense(what) from None
        if not isinstance(document, dict) or len(document) != 1:
            raise self._nonsense(what)
        if not document.keys() <= {"refused", "unreadable", "forfeit", "result"}:
            raise self._nonsense(what)
        return document

    def _late(self, seconds: float, what: str) -> ForeignAgentError:
        return ForeignAgentError(f"agent {self.label!r} gave no answer within {seconds:g} s in {what}.")

    def _nonsense(self, what: str) -> ForeignAgentError:
        return ForeignAgentError(f"agent {self.label!r} wrote into its connection to the arena in {what}.")


class AgentSeat(BaseSeat):
    """A seat that is played in an agent's process."""

    def __init__(self, process: AgentProcess) -> None:
        super().__init__()
        self.process = process
        self.name = process.label
        self._number = process.new_seat()
        self._prepared_in = 0
        """The start of the process in which the seat was prepared for this game; 0: not yet."""

    def seeded(self, seed: int) -> Self:
        """The next game is another one."""
        self._prepared_in = 0
        return super().seeded(seed)

    def new_game(self) -> None:
        """The agent is told when its seat is known (`prepare`)."""
        self._prepared_in = 0

    def prepare(self, game: Game, seat: int, seed: int) -> dict[str, Any]:
        """What the agent decides before the start, with a seed of its own."""
        options = self.process.ask("prepare", self._number, (seat, self.seed), self.process.seconds)
        self._prepared_in = self.process.starts
        self.process.playing.add(self._number)
        if not isinstance(options, dict):
            raise ForeignAgentError(f"agent {self.name!r} prepared {short(options)}; expected a dict of options.")
        return options

    def plan(self, state: State, budget: Budget | str, *, ply: int = 0, seat: int | None = None) -> Plan:
        """Its turn, or the next part of it."""
        mine, together = acting_seat(state, seat), state.current_player() == SIMULTANEOUS
        if not self._is_prepared:
            self.prepare(state.game, mine, 0)
        view = state.observe(mine) if state.game.hides_information else state
        # With another stream: what chance will bring is not for it to know.
        shown = view.reseeded([self.seed, ply, mine if together else 0])
        seconds = self.process.seconds_of(budget)
        answer = self.process.ask("plan", self._number, (shown, budget, ply, mine), seconds)
        return self.read_plan(answer, state.copy())

    def end_game(self, returns: Sequence[float]) -> None:
        """Tell the agent what everybody got, unless its process has ended."""
        if self._is_prepared:
            self.process.ask("end_game", self._number, (tuple(returns),), self.process.seconds)

    def close(self) -> None:
        """An agent that was made for this game ends with it; the process waits for the next one."""
        if self._is_prepared:
            self._prepared_in = 0
            self.process.playing.discard(self._number)
            self.process.ask("close", self._number, (), self.process.seconds)

    @property
    def _is_prepared(self) -> bool:
        return self.process.runs and self._prepared_in == self.process.starts

    def read_plan(self, answer: Any, state: State) -> Plan:
        """The plan that a document describes; a `ForeignAgentError` if it does not describe one."""
        try:
            plan = Plan(
                self._actions(answer["actions"]),
                answer["value"],
                tuple(
                    Alternative(self._actions(actions), value, count)
                    for actions, value, count in answer["alternatives"]
                ),
                Statistics(**answer["stats"]),
            )
        except (TacticianError, TypeError, ValueError, LookupError) as error:
            raise ForeignAgentError(f"agent {self.name!r} returned a Plan that can't be used: {error}.") from error
        return plain_plan(plan, self.name, state)

    def _actions(self, written: list[Any]) -> tuple[int, ...]:
        game = self.process.game
        if game.backend.handles is None:
            return tuple(written)
        return tuple(game.action_from_json(action) for (action,) in written)


class _Pickler(pickle.Pickler):
    """Writes a request; a state's game is not part of it."""

    def __init__(self, buffer: io.BytesIO, game: Game) -> None:
        super().__init__(buffer, pickle.HIGHEST_PROTOCOL)
        self._game = game

    def persistent_id(self, thing: Any) -> str | None:
        return "game" if isinstance(thing, Game) else None


def _unsendable(game: Game, error: object) -> RuleFailureError:
    return RuleFailureError(f"states of {game.name!r} can't be sent to the process of an agent: {error}.")
