"""Any game as a Gymnasium environment: one seat learns or plays, agents have the others.

`make` gives a single environment, `make_vector` many at once on one batch of states. Importing this module registers
the built-in games: `gymnasium.make("tactician.adapters.gymnasium:tactician/amazons-v0")`.
"""

from __future__ import annotations

import sys
from collections.abc import Mapping
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from tactician.adapters.opponents import Opponent, Opponents, require_seat
from tactician.adapters.spaces import Actions, Encode, Observations
from tactician.contract.batch import Batch
from tactician.contract.game import Game
from tactician.contract.requirements import require_choice
from tactician.contract.state import State
from tactician.errors import InvalidParameterError
from tactician.games.registry import game_names, load_game
from tactician.importing import missing_extra
from tactician.native.abi import SIMULTANEOUS
from tactician.seats.budget import Budget

try:
    import gymnasium
    from gymnasium.vector import AutoresetMode, VectorEnv
except ImportError as error:
    raise missing_extra("this environment", "gymnasium", "gymnasium") from error

RANDOM = "random"
LOSS = -1.0
"""The reward of an illegal action."""
Illegal = Literal["lose", "refuse"]
_ILLEGAL = ("lose", "refuse")
_SEEDS = 2**31
RENDER_MODES = ["human", "ansi", "svg"]
_PREFIX = "tactician"


def make(
    game: Game | str,
    opponent: Opponent | Mapping[int, Opponent] = RANDOM,
    *,
    seat: int = 0,
    budget: Budget | str = "100its",
    codes: int | None = None,
    encode: Encode | None = None,
    illegal: Illegal = "lose",
    render_mode: str | None = None,
) -> GameEnv:
    """One seat of a game as an environment.

    Args:
        game: A game, or what the command line calls one.
        opponent: The agent of the other seats, as in the arena, or a dictionary with one for each.
        seat: The seat that the environment shows.
        budget: What the opponents plan with.
        codes: How many action codes there are: actions are then codes. Without it an action is a place in the list of
            legal actions, whose codes are in `info["codes"]`.
        encode: Makes an array of what the seat sees; without it an observation is a dictionary of the state's fields.
        illegal: What an illegal action does: `lose` ends the game with reward -1, `refuse` raises.
        render_mode: `human` (prints), `ansi` or `svg`.
    """
    loaded = load_game(game) if isinstance(game, str) else game
    return GameEnv(loaded, Opponents(loaded, seat, opponent, budget), codes, encode, illegal, render_mode)


def make_vector(
    game: Game | str,
    num_envs: int,
    opponent: Opponent | Mapping[int, Opponent] = RANDOM,
    *,
    seat: int = 0,
    budget: Budget | str = "100its",
    codes: int | None = None,
    illegal: Illegal = "lose",
    starts: int | None = 256,
    threads: int = 1,
) -> GameVectorEnv:
    """Many games of one seat as one vector environment; arguments as in `make`.

    Args:
        game: A game of records, or what the command line calls one.
        num_envs: How many games.
        opponent: `random` plays in compiled code; other agents plan one game after the other.
        seat: The seat that the environment shows.
        budget: What the opponents plan with.
        codes: How many action codes there are.
        illegal: What an illegal action does: `lose` or `refuse`.
        starts: Start positions that are prepared and used again; None: a new one for each game, which costs time.
        threads: Threads that step the games.
    """
    loaded = load_game(game) if isinstance(game, str) else game
    return GameVectorEnv(loaded, num_envs, opponent, seat, budget, codes, illegal, starts, threads)


class GameEnv(gymnasium.Env[Any, Any]):
    """One seat of a game. A step is one action of the seat, and then whatever the others do before its next one.

    The reward is the seat's result at the end of the game, from -1 to 1, and 0 before. `info` has the mask of the
    actions (`action_mask`), their codes (`codes`) and the seat (`seat`).
    """

    metadata = {"render_modes": RENDER_MODES, "render_fps": 1}  # noqa: RUF012 (as in the base class)

    def __init__(
        self,
        game: Game,
        opponents: Opponents,
        codes: int | None = None,
        encode: Encode | None = None,
        illegal: Illegal = "lose",
        render_mode: str | None = None,
    ) -> None:
        require_choice("illegal", illegal, _ILLEGAL)
        require_render_mode(render_mode)
        self.game, self.seat, self.render_mode = game, opponents.seat, render_mode
        self._opponents, self._actions = opponents, Actions(game, codes)
        self._observations = Observations(game, encode)
        self.action_space = self._actions.space
        self.observation_space = self._observations.space
        self._refuses = illegal == "refuse"
        self._state: State | None = None
        self._legal: list[int] = []
        self._lost = False

    def reset(self, *, seed: int | None = None, options: dict[str, Any] | None = None) -> tuple[Any, dict[str, Any]]:
        """Start a game; `options["start"]` are those of the game's `initial_state`."""
        super().reset(seed=seed)
        start = seed if seed is not None else int(self.np_random.integers(_SEEDS))
        self._state = self.game.initial_state(start, **start_options(options))
        self._lost = False
        self._opponents.start(start)
        self._opponents.play(self._state)
        return self._shown()

    def step(self, action: Any) -> tuple[Any, float, bool, bool, dict[str, Any]]:
        """Take an action; one that is not legal loses the game or is refused, and changes nothing."""
        state = self._running()
        if not self._refuses and not self._actions.is_legal(action, self._legal):
            self._lost = True
            observation, info = self._shown()
            return observation, LOSS, True, False, {**info, "illegal": True}
        code = self._actions.code(action, self._legal)
        together = state.current_player() == SIMULTANEOUS
        state.apply(self._opponents.moves(state, code) if together else code)
        self._opponents.play(state)
        observation, info = self._shown()
        over = state.is_over()
        return observation, state.returns()[self.seat] if over else 0.0, over, False, info

    def action_masks(self) -> NDArray[np.bool_]:
        """The mask as wrappers for maskable agents ask for it."""
        return self._actions.mask(self._legal).astype(np.bool_)

    def render(self) -> Any:
        """What the seat sees, as text or as an SVG document; `human` prints it."""
        if self.render_mode is None or self._state is None:
            return None
        return drawn(self._state.observe(self.seat), self.render_mode)

    def close(self) -> None:
        """Release what agents hold."""
        self._opponents.close()

    def _running(self) -> State:
        if self._state is None or self._lost or self._state.is_over():
            raise InvalidParameterError("no game is running; expected a call of reset() first.")
        return self._state

    def _shown(self) -> tuple[Any, dict[str, Any]]:
        assert self._state is not None
        self._legal = self._state.legal_actions(self.seat)
        info = {
            "action_mask": self._actions.mask(self._legal),
            "codes": np.array(self._legal, np.int64),
            "seat": self.seat,
        }
        if self.render_mode == "human":
            self.render()
        return self._observations.of(self._state, self.seat), info


class GameVectorEnv(VectorEnv[Any, Any, Any]):
    """Many games on one batch of states. A game that is over starts anew at the next step, whose action is ignored."""

    metadata = {"autoreset_mode": AutoresetMode.NEXT_STEP}  # noqa: RUF012 (as in the base class)

    def __init__(
        self,
        game: Game,
        num_envs: int,
        opponent: Opponent | Mapping[int, Opponent] = RANDOM,
        seat: int = 0,
        budget: Budget | str = "100its",
        codes: int | None = None,
        illegal: Illegal = "lose",
        starts: int | None = 256,
        threads: int = 1,
    ) -> None:
        require_choice("illegal", illegal, _ILLEGAL)
        require_seat(game, seat)
        if not isinstance(num_envs, int) or num_envs < 1:
            raise InvalidParameterError(f"num_envs is {num_envs!r}; expected a positive integer.")
        if game.backend.handles is not None:
            raise InvalidParameterError(
                f"game {game.name!r} is made of plain objects, which have no batches; expected a game of records "
                "(one environment alone can be made with encode=FUNCTION)."
            )
        if starts is not None and (not isinstance(starts, int) or starts < 1):
            raise InvalidParameterError(f"starts is {starts!r}; expected a positive integer, or None.")
        self.game, self.seat, self.num_envs = game, seat, num_envs
        self._opponents = None if opponent == RANDOM else Opponents(game, seat, opponent, budget)
        self._actions, self._observations = Actions(game, codes), Observations(game)
        self.single_action_space, self.single_observation_space = self._actions.space, self._observations.space
        self.action_space = gymnasium.vector.utils.batch_space(self.single_action_space, num_envs)
        self.observation_space = gymnasium.vector.utils.batch_space(self.single_observation_space, num_envs)
        self._refuses, self._threads = illegal == "refuse", threads
        self._starts = None if starts is None else game.batch(starts)
        self._games: Batch | None = None
        self._codes, self._counts = np.zeros((num_envs, game.max_actions), np.int32), np.zeros(num_envs, np.int64)
        self._over = np.zeros(num_envs, np.bool_)

    def reset(self, *, seed: int | None = None, options: dict[str, Any] | None = None) -> tuple[Any, dict[str, Any]]:
        """Start all games: game i is that of seed `seed + i`."""
        super().reset(seed=seed)
        start = seed if seed is not None else int(self.np_random.integers(_SEEDS))
        self._games = self.game.batch(self.num_envs, start, self._threads)
        if self._opponents is not None:
            self._opponents.start(start)
        self._play_others()
        return self._shown()

    def step(self, actions: Any) -> tuple[Any, NDArray[np.float64], NDArray[np.bool_], NDArray[np.bool_], Any]:
        """Take an action in each game that runs; the others start anew."""
        ended = self._over
        taken, lost = self._codes_of(np.asarray(actions), ended)
        if self.game.simultaneous:
            taken = self._joint(taken, ended)
        self._batch.step(taken, check=False)
        if ended.any():
            self._batch.reset(ended, self._starts)
        self._play_others()
        observation, info = self._shown()
        rewards = np.where(lost, LOSS, np.where(self._over, self._batch.returns()[:, self.seat], 0.0))
        self._over |= lost
        info["illegal"] = lost
        return observation, rewards, self._over.copy(), np.zeros(self.num_envs, np.bool_), info

    @property
    def _batch(self) -> Batch:
        if self._games is None:
            raise InvalidParameterError("no games are running; expected a call of reset() first.")
        return self._games

    def close_extras(self, **_options: Any) -> None:
        """Release what agents hold."""
        if self._opponents is not None:
            self._opponents.close()

    def _codes_of(self, actions: NDArray[Any], ended: NDArray[np.bool_]) -> tuple[NDArray[np.int32], NDArray[np.bool_]]:
        """The codes of the actions, and where they are not legal; there it is the first legal one."""
        if actions.shape != (self.num_envs,) or actions.dtype.kind not in "iu":
            raise InvalidParameterError(
                f"actions are {actions.dtype} of shape {actions.shape}; expected {self.num_envs} integers."
            )
        if self._actions.by_code:
            legal = (self._codes == actions[:, None]) & (np.arange(self._codes.shape[1]) < self._counts[:, None])
            places = np.where(legal.any(axis=1), legal.argmax(axis=1), -1)
        else:
            places = np.where((actions >= 0) & (actions < self._counts), actions, -1)
        wrong = (places < 0) & ~ended
        if self._refuses and wrong.any():
            row = int(np.argmax(wrong))
            self._actions.code(actions[row], self._codes[row, : self._counts[row]].tolist())  # raises
        return self._codes[np.arange(self.num_envs), np.maximum(places, 0)], wrong

    def _joint(self, actions: NDArray[np.int32], ended: NDArray[np.bool_]) -> NDArray[np.int32]:
        """Everybody's actions in each game, where all act at once."""
        moves = self._batch.sample()
        if self._opponents is not None:
            for row in np.flatnonzero(~ended):
                state = self._batch[int(row)]
                if state.current_player() == SIMULTANEOUS:
                    moves[row] = self._opponents.moves(state, int(actions[row]))
        moves[:, self.seat] = actions
        return moves

    def _play_others(self) -> None:
        """Let the opponents play until it is the seat's turn in every game."""
        if self._opponents is None:
            self._batch.play_until(self.seat)
            return
        movers, over = self._batch.current_players(), self._batch.over()
        for row in np.flatnonzero(~over & (movers != self.seat) & (movers != SIMULTANEOUS)):
            state = self._batch[int(row)]
            self._opponents.play(state)
            self._batch[int(row)] = state

    def _shown(self) -> tuple[Any, dict[str, Any]]:
        self._over = self._batch.over()
        self._codes, self._counts = self._batch.legal_actions(self.seat)
        seen: Batch = self._batch.observe(self.seat) if self.game.hides_information else self._batch
        info = {"action_mask": self._masks(), "codes": self._codes, "count": self._counts}
        return self._observations.of_many(seen.records), info

    def _masks(self) -> NDArray[np.int8]:
        """[games, actions] 1 where an action may be taken."""
        listed = np.arange(self._codes.shape[1]) < self._counts[:, None]
        if not self._actions.by_code:
            return listed.astype(np.int8)
        masks = np.zeros((self.num_envs, self._actions.count), np.int8)
        rows, places = np.nonzero(listed)
        codes = self._codes[rows, places]
        if len(codes):
            self._actions.mask([int(codes.min()), int(codes.max())])  # refuses codes that don't fit
        masks[rows, codes] = 1
        return masks


def drawn(state: State, mode: str) -> str | None:
    """A state as text or as an SVG document; `human` prints the text."""
    if mode == "human":
        sys.stdout.write(f"{state}\n")
        return None
    return state.svg() if mode == "svg" else str(state)


def require_render_mode(mode: str | None) -> None:
    """Refuse a way of rendering that there is not."""
    if mode is not None:
        require_choice("render_mode", mode, RENDER_MODES)


def start_options(options: Mapping[str, Any] | None) -> dict[str, Any]:
    """The options of a reset that are for the game's `initial_state`; others are somebody else's."""
    start = (options or {}).get("start", {})
    if not isinstance(start, Mapping):
        raise InvalidParameterError(f"options['start'] is {start!r}; expected a dictionary of options of a start.")
    return dict(start)


def _register() -> None:
    """Let `gymnasium.make` know the built-in games."""
    for name in game_names():
        identity = f"{_PREFIX}/{name}-v0"
        if identity not in gymnasium.registry:
            gymnasium.register(identity, entry_point=f"{__name__}:make", kwargs={"game": name})


_register()
