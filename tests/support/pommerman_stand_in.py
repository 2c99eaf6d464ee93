"""A stand-in for the official Pommerman package: an environment with its calls, on our rules, and agents for it."""

from __future__ import annotations

import json
import random
from collections.abc import Sequence
from functools import cache
from typing import Any

from tactician.contract import Game, State
from tactician.games.pommerman import pommerman
from tactician.games.pommerman.foreign import ActionSpace, GameType, official_observation
from tactician.games.pommerman.rule_based import RuleBased

TYPES = {"ffa": GameType.FFA, "team": GameType.Team, "team-full": GameType.Team, "radio": GameType.TeamRadio}


@cache
def game(**options: Any) -> Game:
    return pommerman(**options)


class Character:
    """What the package's base class keeps behind its back."""

    def __init__(self, agent_id: int, game_type: Any) -> None:
        self.agent_id, self.game_type, self.is_alive = agent_id, game_type, True


class BaseAgent:
    """In the manner of the package's base class: what it doesn't have, its character has."""

    def __init__(self, character: Any = Character) -> None:
        self._character = character

    def __getattr__(self, attribute: str) -> Any:
        return getattr(self._character, attribute)

    def act(self, obs: Any, action_space: Any) -> Any:
        raise NotImplementedError

    def init_agent(self, id: int, game_type: Any) -> None:
        self._character = self._character(id, game_type)

    def episode_end(self, reward: float) -> None:
        pass

    def shutdown(self) -> None:
        pass


class RandomAgent(BaseAgent):
    """Like the package's."""

    def act(self, obs: Any, action_space: Any) -> Any:
        return action_space.sample()


class Environment:
    """The loop: observations of everybody, `act` of the living, one step with all actions."""

    def __init__(self, agents: Sequence[Any], variant: str = "ffa", seed: int = 0, **options: Any) -> None:
        self.agents, self.variant = agents, variant
        self.game = game(variant=variant, **options)
        self.action_space = ActionSpace(variant == "radio", seed)
        for seat, agent in enumerate(agents):
            agent.init_agent(seat, TYPES[variant])
        self.reset(seed)

    def reset(self, seed: int) -> list[dict[str, Any]]:
        self.state = self.game.initial_state(seed=seed)
        return self.observations()

    def observations(self) -> list[dict[str, Any]]:
        return [official_observation(self.state, seat) for seat in range(4)]

    def lives(self, seat: int) -> bool:
        return bool(int(self.state.record.alive) >> seat & 1)

    def act(self, seen: Sequence[Any]) -> list[Any]:
        return [
            agent.act(seen[seat], action_space=self.action_space) if self.lives(seat) else 0
            for seat, agent in enumerate(self.agents)
        ]

    def step(self, actions: Sequence[Any]) -> tuple[list[dict[str, Any]], list[float], bool]:
        self.state.apply([self.game.action_from_json(action) for action in actions])
        rewards, done = self.state.returns(), self.state.is_over()
        if done:
            for seat, agent in enumerate(self.agents):
                agent.episode_end(rewards[seat])
        return self.observations(), rewards, done

    def play(self) -> list[float]:
        seen, rewards, done = self.observations(), [0.0] * 4, False
        while not done:
            seen, rewards, done = self.step(self.act(seen))
        return rewards

    def get_json_info(self) -> dict[str, Any]:
        """The state as the environment writes it: every field a text of JSON."""
        told = self.state.to_json()
        names = ("is_alive", "ammo", "blast_strength", "can_kick")
        info = {
            "board_size": 11,
            "step_count": told["t"],
            "board": [[int(digit, 16) for digit in row] for row in told["board"]],
            "agents": [
                {"agent_id": i, "position": a[:2], **dict(zip(names, a[2:], strict=True))}
                for i, a in enumerate(told["agents"])
            ],
            "bombs": [
                {
                    "position": b[:2],
                    "life": b[2],
                    "blast_strength": b[3],
                    "bomber_id": b[4],
                    "moving_direction": b[5] or None,
                }
                for b in told["bombs"]
            ],
            "flames": [{"position": f[:2], "life": f[2]} for f in told["flames"]],
            "items": [[item[:2], item[2]] for item in told["items"]],
            "intended_actions": [0, 0, 0, 0],
        }
        return {name: json.dumps(value) for name, value in info.items()}


def walked(variant: str, seed: int, wild: float, steps: int) -> list[State]:
    """The states of a game of rule-based bots that now and then do anything at all."""
    state, chance = game(variant=variant).initial_state(seed=seed), random.Random(seed)
    bots, states = [RuleBased(4 * seed + seat) for seat in range(4)], [state.copy()]
    while not state.is_over() and len(states) <= steps:
        joint = []
        for seat, bot in enumerate(bots):
            code = chance.randrange(6) if chance.random() < wild else bot.act(state, seat)
            code += 6 * chance.randrange(81) if variant == "radio" else 0
            joint.append(code if int(state.record.alive) >> seat & 1 else 0)
        states.append(state.apply(joint).copy())
    return states
