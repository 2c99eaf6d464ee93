"""Any game as a PettingZoo environment: AEC where players take turns, Parallel where all act at once."""

from __future__ import annotations

from typing import Any

import numpy as np

from tactician.adapters.gymnasium import RENDER_MODES, drawn, require_render_mode, start_options
from tactician.adapters.spaces import Actions, Encode, Observations
from tactician.contract.game import Game
from tactician.contract.state import State
from tactician.errors import InvalidParameterError
from tactician.games.registry import load_game
from tactician.importing import missing_extra
from tactician.native.abi import SIMULTANEOUS

try:
    from gymnasium import spaces
    from pettingzoo import AECEnv, ParallelEnv
except ImportError as error:
    raise missing_extra("this environment", "pettingzoo", "pettingzoo") from error

_SEEDS = 2**31
_METADATA: dict[str, Any] = {"render_modes": RENDER_MODES, "render_fps": 1}


def aec(
    game: Game | str, *, codes: int | None = None, encode: Encode | None = None, render_mode: str | None = None
) -> GameAEC:
    """A game in which players take turns.

    Args:
        game: A game, or what the command line calls one.
        codes: How many action codes there are: actions are then codes. Without it an action is a place in the list of
            legal actions.
        encode: Makes an array of what a seat sees; without it an observation is a dictionary of the state's fields.
        render_mode: `human` (prints), `ansi` or `svg`.
    """
    loaded = load_game(game) if isinstance(game, str) else game
    if loaded.simultaneous:
        raise InvalidParameterError(f"in {loaded.name!r} all players act at once; expected parallel() for it.")
    return GameAEC(loaded, codes, encode, render_mode)


def parallel(
    game: Game | str, *, codes: int | None = None, encode: Encode | None = None, render_mode: str | None = None
) -> GameParallel:
    """A game in which all act at once; arguments as in `aec`."""
    loaded = load_game(game) if isinstance(game, str) else game
    if not loaded.simultaneous:
        raise InvalidParameterError(f"in {loaded.name!r} players take turns; expected aec() for it.")
    return GameParallel(loaded, codes, encode, render_mode)


class _Table:
    """What both kinds of environments share: the game, its state, and what each agent is shown."""

    def __init__(self, game: Game, codes: int | None, encode: Encode | None) -> None:
        self.game = game
        self.agents = [f"player_{seat}" for seat in range(game.players)]
        self.seats = {agent: seat for seat, agent in enumerate(self.agents)}
        self.actions, self._observations = Actions(game, codes), Observations(game, encode)
        mask = spaces.Box(0, 1, (self.actions.count,), np.int8)
        self.observation_space = spaces.Dict({"observation": self._observations.space, "action_mask": mask})
        self.state: State | None = None
        self._random = np.random.default_rng()

    def start(self, seed: int | None, options: dict[str, Any] | None) -> State:
        """Start a game; a seed decides all games from now on."""
        if seed is not None:
            self._random = np.random.default_rng(seed)
        start = seed if seed is not None else int(self._random.integers(_SEEDS))
        self.state = self.game.initial_state(start, **start_options(options))
        return self.state

    def action_spaces(self) -> dict[str, spaces.Space[Any]]:
        """A space for each agent: they are seeded one by one, so they must not be one object."""
        return {agent: spaces.Discrete(self.actions.count) for agent in self.agents}

    def running(self) -> State:
        """The state of the game that runs."""
        if self.state is None:
            raise InvalidParameterError("no game is running; expected a call of reset() first.")
        return self.state

    def legal(self, agent: str) -> list[int]:
        """The codes of what an agent may do now; nothing where it is not its turn."""
        state, seat = self.running(), self.seats[agent]
        if state.is_over() or state.current_player() not in (seat, SIMULTANEOUS):
            return []
        return state.legal_actions(seat)

    def shown(self, agent: str) -> dict[str, Any]:
        """What an agent sees, and the mask of its actions."""
        return {
            "observation": self._observations.of(self.running(), self.seats[agent]),
            "action_mask": self.actions.mask(self.legal(agent)),
        }

    def info(self, agent: str) -> dict[str, Any]:
        """The codes of the legal actions and their mask."""
        legal = self.legal(agent)
        return {"codes": np.array(legal, np.int64), "action_mask": self.actions.mask(legal)}

    def drawn(self, mode: str | None, seat: int | None) -> str | None:
        """The state as an agent sees it, or as a whole."""
        if mode is None or self.state is None:
            return None
        return drawn(self.state if seat is None else self.state.observe(seat), mode)


class _Seated:
    """What both kinds of environments have: a game, its agents and their spaces."""

    def _sit_down(self, game: Game, codes: int | None, encode: Encode | None, render_mode: str | None) -> None:
        require_render_mode(render_mode)
        self.game, self.render_mode = game, render_mode
        self._table = _Table(game, codes, encode)
        self.possible_agents = list(self._table.agents)
        self.agents: list[str] = []
        self._action_spaces = self._table.action_spaces()

    def observation_space(self, agent: str) -> spaces.Space[Any]:
        """The same for all agents."""
        return self._table.observation_space

    def action_space(self, agent: str) -> spaces.Space[Any]:
        """One object for each agent, so that seeds hold."""
        return self._action_spaces[agent]

    def close(self) -> None:
        """Nothing is held."""


class GameAEC(_Seated, AECEnv[str, Any, Any]):
    """A sequential game: agents act one action after the other, several in a row while a turn lasts.

    Rewards are the players' results at the end, from -1 to 1. An illegal action is refused; wrap the environment in
    PettingZoo's `TerminateIllegalWrapper` to let it lose instead.
    """

    def __init__(self, game: Game, codes: int | None, encode: Encode | None, render_mode: str | None) -> None:
        super().__init__()
        self.metadata = {**_METADATA, "name": f"{game.name}_v{game.version}", "is_parallelizable": False}
        self._sit_down(game, codes, encode, render_mode)

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> None:
        """Start a game; `options["start"]` are those of the game's `initial_state`."""
        state = self._table.start(seed, options)
        self.agents = list(self.possible_agents)
        self.rewards = dict.fromkeys(self.agents, 0.0)
        self._cumulative_rewards = dict.fromkeys(self.agents, 0.0)
        self.terminations = dict.fromkeys(self.agents, False)
        self.truncations = dict.fromkeys(self.agents, False)
        self.infos = {agent: self._table.info(agent) for agent in self.agents}
        self.agent_selection = self.possible_agents[state.current_player()]
        self._show()

    def observe(self, agent: str) -> dict[str, Any]:
        """What an agent sees, and the mask of its actions; none while it is not its turn."""
        return self._table.shown(agent)

    def step(self, action: Any) -> None:
        """Take an action of the selected agent; refuses one that is not legal and changes nothing."""
        self._table.running()
        agent = self.agent_selection
        if self.terminations[agent] or self.truncations[agent]:
            self._was_dead_step(action)
            return
        state = self._table.running()
        state.apply(self._table.actions.code(action, self._table.legal(agent)))
        self._cumulative_rewards[agent] = 0.0
        self._clear_rewards()
        if state.is_over():
            results = state.returns()
            self.rewards = {one: results[self._table.seats[one]] for one in self.agents}
            self.terminations = dict.fromkeys(self.agents, True)
        else:
            self.agent_selection = self.possible_agents[state.current_player()]
        self.infos = {one: self._table.info(one) for one in self.agents}
        self._accumulate_rewards()
        self._show()

    def render(self) -> str | None:
        """What the selected agent sees."""
        return self._table.drawn(self.render_mode, self._table.seats.get(self.agent_selection))

    def _show(self) -> None:
        if self.render_mode == "human":
            self.render()


class GameParallel(_Seated, ParallelEnv[str, Any, Any]):
    """A game in which all act at once. Where it is one player's turn, the others' actions are ignored.

    Rewards are the players' results at the end, from -1 to 1. An illegal action is refused.
    """

    def __init__(self, game: Game, codes: int | None, encode: Encode | None, render_mode: str | None) -> None:
        self.metadata = {**_METADATA, "name": f"{game.name}_v{game.version}"}
        self._sit_down(game, codes, encode, render_mode)

    def reset(
        self, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[dict[str, Any], dict[str, dict[str, Any]]]:
        """Start a game; `options["start"]` are those of the game's `initial_state`."""
        self._table.start(seed, options)
        self.agents = list(self.possible_agents)
        return self._shown()

    def step(
        self, actions: dict[str, Any]
    ) -> tuple[dict[str, Any], dict[str, float], dict[str, bool], dict[str, bool], dict[str, dict[str, Any]]]:
        """Take everybody's actions; refuses one that is not legal and changes nothing."""
        state, agents = self._table.running(), list(self.agents)
        codes = {agent: self._code(agent, actions) for agent in agents if self._table.legal(agent)}
        mover = state.current_player()
        state.apply(list(codes.values()) if mover == SIMULTANEOUS else codes[self.possible_agents[mover]])
        over = state.is_over()
        results = state.returns() if over else [0.0] * self.game.players
        observations, infos = self._shown()
        if over:
            self.agents = []
        return (
            observations,
            {agent: results[self._table.seats[agent]] for agent in agents},
            dict.fromkeys(agents, over),
            dict.fromkeys(agents, False),
            infos,
        )

    def _code(self, agent: str, actions: dict[str, Any]) -> int:
        if agent not in actions:
            raise InvalidParameterError(f"actions has none of {agent!r}; expected one for each of {self.agents}.")
        return self._table.actions.code(actions[agent], self._table.legal(agent))

    def render(self) -> str | None:
        """The whole state."""
        return self._table.drawn(self.render_mode, None)

    def _shown(self) -> tuple[dict[str, Any], dict[str, dict[str, Any]]]:
        if self.render_mode == "human":
            self.render()
        return (
            {agent: self._table.shown(agent) for agent in self.agents},
            {agent: self._table.info(agent) for agent in self.agents},
        )
