"""OpenSpiel both ways: its games planned on by our planners, our games run by its algorithms.

`from_openspiel` makes a game of plain objects out of a `pyspiel.Game`; `to_openspiel` (in `openspiel_export`) registers
a game as a Python game of OpenSpiel and loads it.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from tactician.adapters.openspiel_export import to_openspiel
from tactician.contract.game import Game
from tactician.contract.plain import Chance, plain
from tactician.contract.random import stream
from tactician.errors import InvalidGameError, InvalidParameterError
from tactician.importing import missing_extra
from tactician.native.abi import SIMULTANEOUS

try:
    import pyspiel
except ImportError as error:
    raise missing_extra("this adapter", "pyspiel", "openspiel") from error

__all__ = ["from_openspiel", "to_openspiel"]

_GUESSES = 5_000
"""How many deals are tried for one that fits what a player has seen."""
_SEED_OF_A_GUESS = 7

History = tuple[int | tuple[int, ...], ...]
"""The actions so far, chance's among them; where all act at once, a tuple of everybody's."""
Evaluate = Callable[[Any], Sequence[float]]
"""What each player may expect in a `pyspiel.State`, in its own units."""


def from_openspiel(game: Any, evaluate: Evaluate | None = None) -> Game:
    """An OpenSpiel game as one of ours: sequential or simultaneous, with chance nodes and hidden deals.

    Args:
        game: A `pyspiel.Game`, or the text that `pyspiel.load_game` takes.
        evaluate: Values an unfinished `pyspiel.State` for each player, in the game's own units. Without it unfinished
            states are all worth the same: let the planner play to the end (`mcts:rollout_turns=-1`).
    """
    loaded = _loaded(game)
    kind = loaded.get_type()
    if kind.dynamics not in (pyspiel.GameType.Dynamics.SEQUENTIAL, pyspiel.GameType.Dynamics.SIMULTANEOUS):
        raise InvalidGameError(
            f"game {kind.short_name!r} is a mean-field game; expected a sequential or simultaneous one."
        )
    hidden = kind.information == pyspiel.GameType.Information.IMPERFECT_INFORMATION
    # Where all act at once, OpenSpiel calls the information imperfect even if everything can be seen: nothing is hidden
    # from planners there.
    dealt = kind.chance_mode == pyspiel.GameType.ChanceMode.EXPLICIT_STOCHASTIC
    together = kind.dynamics == pyspiel.GameType.Dynamics.SIMULTANEOUS
    rules = (_TogetherRules if together else _HiddenRules if hidden else _Rules)(loaded, evaluate)
    if isinstance(rules, _HiddenRules):
        rules.require_guesses(dealt)
    return plain(
        rules,
        name=kind.short_name,
        players=loaded.num_players(),
        max_actions=max(1, loaded.num_distinct_actions()),
        zero_sum=kind.utility == pyspiel.GameType.Utility.ZERO_SUM,
        value_range=(-1.0, 1.0),
        description=f"{kind.long_name} (OpenSpiel)",
    )


def _loaded(game: Any) -> Any:
    if not isinstance(game, str):
        return game
    try:
        return pyspiel.load_game(game)
    except Exception as error:  # pyspiel raises its own class, and others for damaged texts
        said = str(error).partition("\n")[0].partition(". Available games")[0]
        raise InvalidParameterError(f"game is {game!r}; expected one that pyspiel.load_game knows: {said}.") from None


class Position:
    """A `pyspiel.State` that does not change; positions with the same history are equal."""

    __slots__ = ("_hash", "history", "state")

    def __init__(self, state: Any, history: History) -> None:
        self.state, self.history = state, history
        self._hash = hash(history)

    def __hash__(self) -> int:
        return self._hash

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Position) and type(other) is type(self) and self.history == other.history

    def __reduce__(self) -> tuple[Any, ...]:
        return _replayed, (str(self.state.get_game()), self.history)

    def __repr__(self) -> str:
        return str(self.state)


class View:
    """What a player knows: all positions with the same information state are one view."""

    __slots__ = ("known", "player", "position")

    def __init__(self, position: Position, player: int) -> None:
        self.position, self.player = position, player
        self.known = _known(position.state, player)

    @property
    def state(self) -> Any:
        """A state with the view's information state; nothing else of it may be used."""
        return self.position.state

    def __hash__(self) -> int:
        return hash((self.player, self.known))

    def __eq__(self, other: object) -> bool:
        return isinstance(other, View) and (self.player, self.known) == (other.player, other.known)

    def __repr__(self) -> str:
        return self.known


def _replayed(game: str, history: History) -> Position:
    state = pyspiel.load_game(game).new_initial_state()
    for action in history:
        _take(state, action)
    return Position(state, history)


def _take(state: Any, action: int | tuple[int, ...]) -> None:
    """Take an action, or everybody's; raises ValueError if one is not legal."""
    if state.is_terminal() or state.is_simultaneous_node() != isinstance(action, tuple):
        raise ValueError(f"action {action!r} can't follow {state.history()}")
    actions = [action] if not isinstance(action, tuple) else list(action)
    movers = [state.current_player()] if not isinstance(action, tuple) else list(range(state.num_players()))
    if len(actions) != len(movers):
        raise ValueError(f"actions are {action!r}; expected one for each of {len(movers)} players")
    for mover, one in zip(movers, actions, strict=True):
        legal = state.legal_actions() if mover < 0 else state.legal_actions(mover) or [0]
        if one not in legal:
            raise ValueError(f"action {one!r} is not legal after {state.history()}")
    if isinstance(action, tuple):
        state.apply_actions(actions)
    else:
        state.apply_action(action)


class _Rules:
    """The rules of a sequential game as `plain` takes them. Chance nodes are played out right away."""

    def __init__(self, game: Any, evaluate: Evaluate | None) -> None:
        self.game = game
        self._judge = evaluate
        low, high = game.min_utility(), game.max_utility()
        if not np.isfinite([low, high]).all() or high <= low:
            raise InvalidGameError(
                f"game {game.get_type().short_name!r} has utilities from {low} to {high}; expected a range."
            )
        self._scale = max(abs(low), abs(high))

    def __reduce__(self) -> tuple[Any, ...]:
        return type(self), (self.game, self._judge)

    def initial_state(self, rng: np.random.Generator) -> Position:
        """The start, after the first deal."""
        return self._settled(self.game.new_initial_state(), (), rng.random)

    def _settled(self, state: Any, history: History, unit: Callable[[], float]) -> Position:
        """Play chance nodes until players act."""
        while state.is_chance_node():
            outcome = _drawn(state.chance_outcomes(), unit())
            state.apply_action(outcome)
            history = (*history, outcome)
        return Position(state, history)

    def current_player(self, position: Position) -> int:
        """Whose action it is."""
        if position.state.is_simultaneous_node():
            return SIMULTANEOUS
        return max(0, int(position.state.current_player()))

    def is_over(self, position: Position) -> bool:
        """Whether the game has ended."""
        return bool(position.state.is_terminal())

    def legal_actions(self, position: Position, player: int) -> list[int]:
        """OpenSpiel's own codes; a player without a choice where all act gets action 0."""
        return list(position.state.legal_actions(player)) or [0]

    def apply(self, position: Position, action: int, rng: Chance) -> Position:
        """The position after an action and what chance makes of it."""
        state = position.state.clone()
        state.apply_action(action)
        return self._settled(state, (*position.history, action), rng.unit)

    def returns(self, position: Position) -> list[float]:
        """The utilities on our scale."""
        return [value / self._scale for value in position.state.returns()]

    def evaluate(self, position: Position) -> list[float]:
        """The utilities, or what the user's function expects."""
        if position.state.is_terminal() or self._judge is None:
            return self.returns(position)
        return [float(np.clip(value / self._scale, -1.0, 1.0)) for value in self._judge(position.state)]

    def action_name(self, position: Position, action: int) -> str:
        """OpenSpiel's name of an action."""
        player = position.state.current_player()
        return str(position.state.action_to_string(max(0, player), action))

    def draw_text(self, position: Any) -> str:
        """OpenSpiel's drawing."""
        return repr(position).replace("[", r"\[")

    def state_to_json(self, position: Any) -> Any:
        """A position is its history."""
        return [list(action) if isinstance(action, tuple) else action for action in position.history]

    def state_from_json(self, data: Any) -> Any:
        """The position after some actions."""
        if not isinstance(data, list):
            raise ValueError(f"state is {data!r}; expected a list of actions")
        state, history = (
            self.game.new_initial_state(),
            tuple(tuple(one) if isinstance(one, list) else one for one in data),
        )
        for action in history:
            _take(state, action)
        return Position(state, history)


class _TogetherRules(_Rules):
    """The rules of a game in which all act at once, at least in some positions."""

    def apply_joint(self, position: Position, actions: tuple[int, ...], rng: Chance) -> Position:
        """The position after everybody's actions and what chance makes of them."""
        state = position.state.clone()
        state.apply_actions(list(actions))
        return self._settled(state, (*position.history, tuple(actions)), rng.unit)


class _HiddenRules(_Rules):
    """The rules of a sequential game in which chance has dealt something that not everybody sees."""

    def observe(self, position: Any, player: int) -> View:
        """What a player knows."""
        return position if isinstance(position, View) else View(position, player)

    def resample_hidden(self, view: Any, player: int, rng: Chance) -> Position:
        """A position with the same information state: other deals, the same actions."""
        known = view if isinstance(view, View) else View(view, player)
        if self._native:
            guess = known.state.resample_from_infostate(player, rng.unit)
            if _known(guess, player) == known.known:  # some games guess wrongly where the game is over
                return Position(guess, tuple(guess.history()))
        return self._dealt_anew(known, player, rng)

    def _dealt_anew(self, view: View, player: int, rng: Chance) -> Position:
        """Replay the actions with other deals until the player would know the same."""
        steps = [(step.player, step.action) for step in view.state.full_history()]
        for _ in range(_GUESSES):
            state = self.game.new_initial_state()
            for mover, action in steps:
                if state.is_chance_node():
                    state.apply_action(_drawn(state.chance_outcomes(), rng.unit()))
                elif mover < 0 or action not in state.legal_actions():
                    break
                else:
                    state.apply_action(action)
            else:
                if _known(state, player) == view.known:
                    return Position(state, tuple(state.history()))
        raise ValueError(f"no deal of {_GUESSES} fits what player {player} knows")

    def state_to_json(self, position: Any) -> Any:
        """A position is its history; a view is that of a guess that fits it."""
        if not isinstance(position, View):
            return super().state_to_json(position)
        guess = self.resample_hidden(position, position.player, Chance(stream(_SEED_OF_A_GUESS).tolist()))
        return {"player": position.player, "history": super().state_to_json(guess)}

    def state_from_json(self, data: Any) -> Any:
        """The position after some actions, or what a player knows of it."""
        if not isinstance(data, dict):
            return super().state_from_json(data)
        player = data.get("player")
        if not isinstance(player, int) or not 0 <= player < self.game.num_players():
            raise ValueError(f"player is {player!r}; expected 0 to {self.game.num_players() - 1}")
        return View(super().state_from_json(data.get("history")), player)

    def require_guesses(self, dealt: bool) -> None:
        """Find out how to guess; refuse a game whose hidden things are not deals and that can't guess them itself."""
        kind = self.game.get_type()
        if not kind.provides_information_state_string and not kind.provides_observation_string:
            raise InvalidGameError(f"game {kind.short_name!r} does not say what a player sees; expected one that does.")
        position = self.initial_state(np.random.default_rng(0))
        try:
            position.state.resample_from_infostate(position.state.current_player(), lambda: 0.5)
            self._native = True
        except Exception as error:  # pyspiel's own class of errors, which is not exported
            self._native = False
            if not dealt:
                raise InvalidGameError(
                    f"game {self.game.get_type().short_name!r} hides actions and lacks resample_from_infostate; "
                    "expected hidden deals, or a game that can guess."
                ) from error

    _native = False

    def __reduce__(self) -> tuple[Any, ...]:
        return _hidden_rules, (self.game, self._judge, self._native)


def _hidden_rules(game: Any, evaluate: Evaluate | None, native: bool) -> _HiddenRules:
    rules = _HiddenRules(game, evaluate)
    rules._native = native
    return rules


def _known(state: Any, player: int) -> str:
    """What a player knows: everything so far, or in games that don't tell that, what is to be seen now."""
    if state.get_game().get_type().provides_information_state_string:
        return str(state.information_state_string(player))
    return str(state.observation_string(player))


def _drawn(outcomes: Sequence[tuple[int, float]], number: float) -> int:
    """The outcome that a number from 0 to 1 stands for."""
    for outcome, probability in outcomes:
        number -= probability
        if number < 0:
            return outcome
    return outcomes[-1][0]
