"""Our games in OpenSpiel: registered as Python games, with chance made explicit, for its algorithms to run."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any

import numpy as np

from tactician.adapters.fields import flat_fields
from tactician.contract.game import Game
from tactician.contract.state import State
from tactician.errors import InvalidParameterError
from tactician.games.registry import load_game
from tactician.importing import missing_extra
from tactician.native.abi import SIMULTANEOUS

try:
    import pyspiel
except ImportError as error:
    raise missing_extra("this adapter", "pyspiel", "openspiel") from error


def to_openspiel(game: Game | str, *, name: str | None = None, starts: int = 16, outcomes: int = 8) -> Any:
    """One of our games as a `pyspiel.Game`, registered under a name.

    Actions are places in the list of legal actions. Chance is explicit: the first node of a game chooses one of some
    starts, and behind an action that draws random numbers a chance node chooses one of some samples of what follows.

    Args:
        game: A game, or what the command line calls one.
        name: The name in OpenSpiel; `tactician_` and the game's name if not given.
        starts: Start positions, equally likely; 1: the game has no chance node at its beginning.
        outcomes: Samples of what chance does after an action, equally likely.
    """
    loaded = load_game(game) if isinstance(game, str) else game
    for what, number in (("starts", starts), ("outcomes", outcomes)):
        if isinstance(number, bool) or not isinstance(number, int) or number < 1:
            raise InvalidParameterError(f"{what} is {number!r}; expected a positive integer.")
    short = name or "tactician_" + re.sub(r"\W", "_", loaded.name)
    if not re.fullmatch(r"\w+", short):
        raise InvalidParameterError(f"name is {short!r}; expected letters, digits and underscores.")
    setting = _Setting(loaded, short, starts, outcomes)
    if short in _REGISTERED:
        if _REGISTERED[short].game != loaded or (_REGISTERED[short].starts, _REGISTERED[short].outcomes) != (
            starts,
            outcomes,
        ):
            raise InvalidParameterError(f"name {short!r} is that of another game already; expected name=OTHER.")
    elif short in pyspiel.registered_names():
        raise InvalidParameterError(f"name {short!r} is that of a game of OpenSpiel; expected name=OTHER.")
    else:
        _REGISTERED[short] = setting
        pyspiel.register_game(setting.game_type, _class_for(setting))
    return pyspiel.load_game(short)


def _class_for(setting: _Setting) -> type[OurGame]:
    """A class that OpenSpiel calls to make the game; a function would be freed too late, and crash the process."""

    class Registered(OurGame):
        def __init__(self, params: Any = None) -> None:
            super().__init__(setting, params)

    return Registered


class _Setting:
    """A game and how its chance is made explicit."""

    def __init__(self, game: Game, name: str, starts: int, outcomes: int) -> None:
        self.game, self.name, self.starts, self.outcomes = game, name, starts, outcomes

    @property
    def has_fields(self) -> bool:
        """Whether states are records, so that there is a tensor of what a player sees."""
        return self.game.backend.handles is None

    @property
    def game_type(self) -> Any:
        kinds, game = pyspiel.GameType, self.game
        return kinds(
            short_name=self.name,
            long_name=game.description or game.name,
            dynamics=kinds.Dynamics.SIMULTANEOUS if game.simultaneous else kinds.Dynamics.SEQUENTIAL,
            chance_mode=kinds.ChanceMode.EXPLICIT_STOCHASTIC,
            information=kinds.Information.IMPERFECT_INFORMATION
            if game.hides_information or game.simultaneous
            else kinds.Information.PERFECT_INFORMATION,
            utility=kinds.Utility.ZERO_SUM if game.zero_sum else kinds.Utility.GENERAL_SUM,
            reward_model=kinds.RewardModel.TERMINAL,
            max_num_players=game.players,
            min_num_players=game.players,
            provides_information_state_string=False,
            provides_information_state_tensor=False,
            provides_observation_string=True,
            provides_observation_tensor=self.has_fields,
            parameter_specification={},
        )

    @property
    def game_info(self) -> Any:
        return pyspiel.GameInfo(
            num_distinct_actions=self.game.max_actions,
            max_chance_outcomes=max(self.starts, self.outcomes),
            num_players=self.game.players,
            min_utility=-1.0,
            max_utility=1.0,
            utility_sum=0.0 if self.game.zero_sum else None,
            max_game_length=_LONGEST,
        )


_LONGEST = 1_000_000
_SEED_OF_CHANCE = 7
_REGISTERED: dict[str, _Setting] = {}
_START = "the start is chosen"


class OurGame(pyspiel.Game):
    """One of our games in OpenSpiel."""

    def __init__(self, setting: _Setting, params: Any = None) -> None:
        super().__init__(setting.game_type, setting.game_info, params or {})
        self.setting = setting

    def new_initial_state(self, state: Any = None) -> OurState:
        """A game that has not been dealt yet."""
        return OurState(self)

    def make_py_observer(self, iig_obs_type: Any = None, params: Any = None) -> _Observer:
        """Shows what a player sees."""
        return _Observer(self.setting)


class OurState(pyspiel.State):
    """A state of one of our games: all that happens in it is decided by the actions, chance's among them."""

    def __init__(self, game: OurGame) -> None:
        super().__init__(game)
        self.setting = game.setting
        self._state: State | None = None
        self._pending: Any = None
        """The actions that wait for chance; `_START` before the start."""
        self._steps = 0
        if self.setting.starts == 1:
            self._state = self._fresh(self.setting.game.initial_state(0))
        else:
            self._pending = _START

    @property
    def position(self) -> State:
        """A copy of our own state; there is none before the start has been chosen."""
        if self._state is None:
            raise InvalidParameterError("the start has not been chosen; expected an action of chance first.")
        return self._state.copy()

    def _fresh(self, state: State) -> State:
        """The same state with a stream that tells nothing of the future: chance is decided by chance nodes."""
        return state.reseeded([_SEED_OF_CHANCE, self._steps])

    def current_player(self) -> int:
        """A player, or one of OpenSpiel's names for chance, everybody and nobody."""
        if self._pending is not None:
            return int(pyspiel.PlayerId.CHANCE)
        assert self._state is not None
        if self._state.is_over():
            return int(pyspiel.PlayerId.TERMINAL)
        mover = self._state.current_player()
        return int(pyspiel.PlayerId.SIMULTANEOUS) if mover == SIMULTANEOUS else mover

    def chance_outcomes(self) -> list[tuple[int, float]]:
        """Equally likely starts, or samples of what happens next."""
        count = self.setting.starts if self._pending == _START else self.setting.outcomes
        return [(number, 1.0 / count) for number in range(count)]

    def _legal_actions(self, player: int) -> list[int]:
        if self._state is None:
            return []
        mover = self._state.current_player()
        if mover not in (player, SIMULTANEOUS):
            return []
        return list(range(len(self._state.legal_actions(player))))

    def _apply_action(self, action: int) -> None:
        if self._pending == _START:
            self._state, self._pending = self._fresh(self.setting.game.initial_state(action)), None
            return
        assert self._state is not None
        if self._pending is not None:
            taken, self._pending = self._pending, None
            self._steps += 1
            self._state = self._fresh(self._state.reseeded([_SEED_OF_CHANCE, self._steps, action]).apply(taken))
            return
        self._take(self._state.legal_actions()[action])

    def _apply_actions(self, actions: Sequence[int]) -> None:
        assert self._state is not None
        self._take([self._state.legal_actions(player)[action] for player, action in enumerate(actions)])

    def _take(self, codes: Any) -> None:
        """Take actions that chance has nothing to do with; others wait for a chance node."""
        assert self._state is not None
        after = self._state.copy().apply(codes)
        if after.same_chance(self._state):
            self._steps += 1
            self._state = self._fresh(after)
        else:
            self._pending = codes

    def _action_to_string(self, player: int, action: int) -> str:
        if player < 0 or self._state is None:
            return f"{'start' if self._pending == _START else 'chance'} {action}"
        legal = self._state.legal_actions(player)
        return self._state.action_name(legal[action]) if action < len(legal) else f"action {action}"

    def is_terminal(self) -> bool:
        """Whether the game has ended."""
        return self._pending is None and self._state is not None and self._state.is_over()

    def returns(self) -> list[float]:
        """The results, 0 while the game runs."""
        if not self.is_terminal() or self._state is None:
            return [0.0] * self.setting.game.players
        return self._state.returns()

    def __str__(self) -> str:
        waiting = f"\nchance after {self._pending}" if self._pending not in (None, _START) else ""
        return _START if self._state is None else f"{self._state}{waiting}"


class _Observer:
    """What a player sees, as a text and, for games of records, as a tensor of all fields."""

    def __init__(self, setting: _Setting) -> None:
        self._has_fields = setting.has_fields
        size = len(flat_fields(setting.game.initial_state(0).record)) if self._has_fields else 0
        self.tensor = np.zeros(size, np.float32)
        self.dict = {"observation": self.tensor}

    def set_from(self, state: OurState, player: int) -> None:
        """Fill the tensor."""
        self.tensor.fill(0.0)
        if self._has_fields and not state.is_chance_node():
            self.tensor[:] = flat_fields(state.position.observe(player).record)

    def string_from(self, state: OurState, player: int) -> str:
        """What a player sees, drawn."""
        return str(state) if state.is_chance_node() else str(state.position.observe(player))
