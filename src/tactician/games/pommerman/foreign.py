"""Agents written for the official Pommerman environment, in seats of our arena.

Anything with a method `act(obs, action_space)` will do: an object, which plays all games, or something that makes one,
which is called for every game. It gets what the environment would give it; what it does wrong is a `ForeignAgentError`,
and so a recorded forfeit.
"""

from __future__ import annotations

import random
import sys
from collections.abc import Sequence
from contextlib import suppress
from enum import Enum, IntEnum
from typing import Any

import numpy as np

from tactician.contract.game import Game
from tactician.contract.state import State
from tactician.errors import ForeignAgentError, InvalidParameterError, short
from tactician.games.pommerman.actions import encode
from tactician.games.pommerman.board import MOVES, WORDS
from tactician.games.pommerman.observations import FFA, RADIO, TEAM, observation
from tactician.seats.budget import Budget
from tactician.seats.plan import Plan
from tactician.seats.python_agents import GivenAgent, is_maker
from tactician.seats.seat import acting_seat

_MAPS = ("bomb_blast_strength", "bomb_life", "bomb_moving_direction", "flame_life")


Item = IntEnum(
    "Item",
    "Passage Rigid Wood Bomb Flames Fog ExtraBomb IncrRange Kick AgentDummy Agent0 Agent1 Agent2 Agent3",
    start=0,
)
"""Cell values with the environment's names; `teammate` and `enemies` are of these."""


class GameType(Enum):
    """The kind of game that `init_agent` gets."""

    FFA = FFA
    Team = TEAM
    TeamRadio = RADIO


class ActionSpace:
    """Stands in for the environment's: how many actions there are, and a random one."""

    def __init__(self, radio: bool, seed: int) -> None:
        self.n = MOVES
        self.radio = radio
        self._chance = random.Random(seed)

    def sample(self) -> Any:
        """A random action; on the radio with two words."""
        move = self._chance.randrange(MOVES)
        return [move, *(self._chance.randrange(1, WORDS) for _ in range(2))] if self.radio else move

    def contains(self, action: Any) -> bool:
        """Whether something is an action."""
        return _coded(action, self.radio) is not None

    __contains__ = contains


def official_observation(state: State, seat: int) -> dict[str, Any]:
    """What the environment gives to an agent, types and all."""
    seen = observation(state, seat)
    for name in _MAPS:
        seen[name] = seen[name].astype(np.float64)
    seen["teammate"] = Item(seen["teammate"])
    seen["enemies"] = [Item(value) for value in seen["enemies"]]
    return seen


def in_seat(found: Any, game: Game, name: str) -> ForeignAgent | None:
    """Somebody's object as an agent of the official environment; None if it was written for our own interface.

    What a function without arguments makes is taken for an agent of that environment.
    """
    ours = hasattr(found, "plan") or (callable(found) and not is_maker(found))
    return ForeignAgent(found, game, name) if hasattr(found, "act") or not ours else None


class ForeignAgent(GivenAgent):
    """Somebody else's agent in a seat; `agent` is one, or a class or function without arguments that makes one."""

    def __init__(self, agent: Any, game: Game | None = None, name: str = "") -> None:
        super().__init__(agent, name, isinstance(agent, type) or not hasattr(agent, "act"))
        if game is not None and game.name != "pommerman":
            raise InvalidParameterError(f"agent {self.name!r} plays 'pommerman'; given {game.name!r}.")
        if self._makes and not callable(agent):
            raise InvalidParameterError(
                f"agent {self.name!r} is {short(agent)}; expected an object with a method act, or what makes one."
            )
        self._seat = -1
        self._space = ActionSpace(False, 0)

    def prepare(self, game: Game, seat: int, seed: int) -> dict[str, Any]:
        """Give it its seat."""
        self._begin(game, seat)
        return {}

    def plan(self, state: State, budget: Budget | str, *, ply: int = 0, seat: int | None = None) -> Plan:
        """One decision, in the time it takes."""
        mine = acting_seat(state, seat)
        if self._agent is None or mine != self._seat:
            self._begin(state.game, mine)
        radio = bool(state.game.config.radio)
        answer = self._call("act", official_observation(state, mine), self._space)
        code = _coded(answer, radio)
        if code is None:
            expected = f"[0 to {MOVES - 1}, word, word]" if radio else f"an integer from 0 to {MOVES - 1}"
            raise ForeignAgentError(f"agent {self.name!r} answered {short(answer)}; expected {expected}.")
        return Plan((code,), None, state=state)

    def end_game(self, returns: Sequence[float]) -> None:
        """Tell it what it got."""
        if self._agent is not None and hasattr(self._agent, "episode_end"):
            with suppress(Exception):
                self._agent.episode_end(returns[self._seat])

    def close(self) -> None:
        """An agent that was made for this game ends with it."""
        if self._makes and self._agent is not None and hasattr(self._agent, "shutdown"):
            with suppress(Exception):
                self._agent.shutdown()
        self._agent = None

    # -- inside --------------------------------------------------------------------------------------------------

    def _begin(self, game: Game, seat: int) -> None:
        if game.name != "pommerman":
            raise InvalidParameterError(f"agent {self.name!r} plays 'pommerman'; given {game.name!r}.")
        radio, teams = bool(game.config.radio), bool(game.config.teams)
        self._seat, self._space = seat, ActionSpace(radio, self.seed)
        if not callable(getattr(self._made(), "act", None)):
            kind = type(self._agent).__name__
            raise ForeignAgentError(f"agent {self.name!r} is a {kind} without a method act; expected one.")
        if hasattr(self._agent, "init_agent"):
            # The package's own agents compare with its own enumeration.
            theirs = getattr(sys.modules.get("pommerman.constants"), "GameType", GameType)
            self._call("init_agent", seat, theirs(RADIO if radio else TEAM if teams else FFA))


def _coded(answer: Any, radio: bool) -> int | None:
    """The code of an answer; None if it is not an action."""
    answer = getattr(answer, "value", answer)
    if isinstance(answer, np.ndarray):
        answer = answer.tolist()
    if radio and isinstance(answer, (list, tuple)) and len(answer) == 3:
        move, *words = (_coded_number(part, most) for part, most in zip(answer, (MOVES, WORDS, WORDS), strict=True))
        return None if move is None or None in words else encode(move, *(word or 0 for word in words))
    return _coded_number(answer, MOVES)


def _coded_number(value: Any, count: int) -> int | None:
    good = isinstance(value, (int, np.integer)) and not isinstance(value, bool) and 0 <= value < count
    return int(value) if good else None
