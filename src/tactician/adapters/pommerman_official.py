"""Our planners and followers as agents of the official Pommerman environment.

`OfficialAgent` has the methods that environment calls. It needs neither the environment nor its package: whoever
calls `act` with an observation gets an action.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from typing import Any

import numpy as np

from tactician.arena.agents import PlannerSpec, parse_agent
from tactician.contract.game import Game
from tactician.contract.state import State
from tactician.errors import InvalidParameterError, InvalidStateError, short
from tactician.games.pommerman import board
from tactician.games.pommerman.actions import decode
from tactician.games.pommerman.board import PLAYERS
from tactician.games.pommerman.conformance import read
from tactician.games.pommerman.memory import Memory, game_of
from tactician.games.pommerman.observed import Seen, read_observation
from tactician.planners.base import Planner
from tactician.planners.registry import simultaneous_planners
from tactician.seats.budget import Budget
from tactician.seats.seat import Seat

_POSSESSIONS = ("is_alive", "ammo", "blast_strength", "can_kick")
_ENVIRONMENTS = ("step_count", "board", "agents", "bombs", "flames", "items")


class OfficialAgent:
    """A planner or a trained follower behind the interface of the official environment's agents.

    It plans on a state that is put together from what it has been shown (`Memory`), or on the real one if `state_of`
    is given: a function that returns a position in canonical JSON form, what the environment's `get_json_info`
    returns, or a `State`.
    """

    def __init__(
        self,
        planner: Planner | str = "fdts",
        budget: Budget | str = "100its",
        seed: int = 0,
        state_of: Callable[[], Any] | None = None,
    ) -> None:
        self.spec = parse_agent(planner) if isinstance(planner, str) else PlannerSpec(planner)
        if isinstance(self.spec, PlannerSpec) and not self.spec.planner.simultaneous:
            raise InvalidParameterError(
                f"planner {self.spec.planner.name!r} plans turns, but in 'pommerman' all players act at once; "
                f"planners for that: {', '.join(simultaneous_planners())}."
            )
        self.budget = Budget.parse(budget)
        self.seed = seed
        self.agent_id: int | None = None
        self.memory = Memory()
        self._state_of = state_of
        self._players: dict[str, Seat] = {}

    # -- the interface -------------------------------------------------------------------------------------------

    def init_agent(self, id: int, game_type: Any) -> None:
        """Take a seat; the observations tell the variant."""
        if not isinstance(id, int) or not 0 <= id < PLAYERS:
            raise InvalidParameterError(f"id is {short(id)}; expected 0 to {PLAYERS - 1}.")
        self.agent_id = id
        self._forget()

    def act(self, obs: Any, action_space: Any = None) -> Any:
        """An action from 0 to 5; on the radio [action, word, word]."""
        seen = read_observation(obs, self.agent_id)
        self._see(seen)
        code = self._decide(seen)
        return list(decode(code)) if seen.variant == "radio" else code

    def episode_end(self, reward: Any) -> None:
        """The game is over."""
        self._forget()

    def shutdown(self) -> None:
        """The environment is closed."""
        self._forget()

    # -- inside --------------------------------------------------------------------------------------------------

    def _forget(self) -> None:
        self.memory = Memory()
        for player in self._players.values():
            player.new_game()

    def _see(self, seen: Seen) -> None:
        """Remember; steps that go back, or another board at the same step, are another game."""
        last = self.memory.seen
        if last is not None and seen.step == last.step and _alike(seen, last):
            return
        if last is not None and (seen.step <= last.step or seen.variant != last.variant or seen.seat != last.seat):
            self._forget()
        self.memory.see(seen)

    def _decide(self, seen: Seen) -> int:
        if not seen.alive[seen.seat]:
            return board.STOP
        state = self.state([self.seed, seen.step])
        if state.is_over():
            return board.STOP
        player = self._players.get(seen.variant)
        if player is None:
            player = self._player(game_of(seen.variant))
            self._players[seen.variant] = player
        if not player.takes_whole_state:
            state = state.observe(seen.seat)
        plan = player.plan(state, self.budget, ply=seen.step, seat=seen.seat)
        return int(plan.actions[0])

    def _player(self, game: Game) -> Seat:
        if isinstance(self.spec, PlannerSpec):
            # What is hidden has been guessed already, with more to go by than a planner has.
            return self.spec.planner.on(game, self.seed, full_information=True)
        return self.spec.on(game).seeded(self.seed)

    def state(self, seed: list[int]) -> State:
        """The state to plan on: the real one where it is given, else a guess that looks like the last observation."""
        seen = self.memory.seen
        if seen is None:
            raise InvalidStateError("there was no observation yet; expected one before a state is asked for.")
        if self._state_of is None:
            return self.memory.world(seed)
        given = self._state_of()
        if isinstance(given, State):
            given = given.to_json()
        if isinstance(given, Mapping) and "step_count" in given:
            given = canonical(given)
        state = read(game_of(seen.variant), given)
        if int(state.record.step) != seen.step:
            raise InvalidStateError(f"the state given is of step {int(state.record.step)}; expected {seen.step}.")
        return state


def canonical(info: Mapping[str, Any]) -> dict[str, Any]:
    """The environment's own JSON form of a state in ours; its fields may be texts of JSON, as it writes them."""
    fields = {}
    for name in _ENVIRONMENTS:
        if name not in info:
            raise InvalidStateError(f"state lacks the field {name!r}.")
        value = info[name]
        try:
            fields[name] = json.loads(value) if isinstance(value, str) else value
        except ValueError:
            raise InvalidStateError(f"{name} is {short(value)}; expected JSON.") from None
    try:
        agents = sorted(fields["agents"], key=lambda agent: agent["agent_id"])
        return {
            "t": int(fields["step_count"]),
            "board": ["".join(f"{int(value):x}" for value in row) for row in fields["board"]],
            "agents": [
                [*map(int, agent["position"]), *(int(agent[name]) for name in _POSSESSIONS)] for agent in agents
            ],
            "bombs": [
                [
                    *map(int, b["position"]),
                    int(b["life"]),
                    int(b["blast_strength"]),
                    int(b["bomber_id"]),
                    int(b["moving_direction"] or 0),
                ]
                for b in fields["bombs"]
            ],
            "flames": [[*map(int, f["position"]), int(f["life"])] for f in fields["flames"]],
            "items": sorted([*map(int, place), int(kind)] for place, kind in fields["items"]),
        }
    except (KeyError, TypeError, ValueError) as error:
        raise InvalidStateError(f"state can't be read as the environment writes it: {error!r}.") from None


def _alike(one: Seen, other: Seen) -> bool:
    return bool(np.array_equal(one.board, other.board)) and one.bombs == other.bombs and one.flames == other.flames
