"""What environments show of a game: spaces of observations and actions, for one state and for many.

An observation is what a seat may see: the fields of the state after the game's `observe`, or what a function of the
user's makes of that. An action is a place in the list of legal actions, or the action's code where the number of codes
is given.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from tactician.adapters.fields import fields_of
from tactician.contract.game import Game
from tactician.contract.state import State
from tactician.errors import IllegalActionError, InvalidParameterError
from tactician.importing import missing_extra

try:
    from gymnasium import spaces
except ImportError as error:
    raise missing_extra("an environment", "gymnasium", "gymnasium") from error

Observation = dict[str, NDArray[Any]]
"""The fields of what a seat sees, by name; those of nested records have names with dots."""
Encode = Callable[[State], NDArray[Any]]
"""What an agent is shown of a state whose hidden parts are blank."""
Mask = NDArray[np.int8]
"""[actions] 1 where an action may be taken."""


class Actions:
    """Between an environment's actions and the codes of a game's actions."""

    def __init__(self, game: Game, codes: int | None = None) -> None:
        if codes is not None and (isinstance(codes, bool) or not isinstance(codes, int) or codes < 1):
            raise InvalidParameterError(f"codes is {codes!r}; expected how many action codes there are, or None.")
        self.by_code = codes is not None
        self.count = codes or game.max_actions
        self._name = game.name

    @property
    def space(self) -> spaces.Discrete:
        """All actions."""
        return spaces.Discrete(self.count)

    def mask(self, legal: Sequence[int] | NDArray[Any]) -> Mask:
        """Which actions may be taken, given the codes of the legal ones."""
        mask = np.zeros(self.count, np.int8)
        if not self.by_code:
            mask[: len(legal)] = 1
            return mask
        if len(legal) and not (min(legal) >= 0 and max(legal) < self.count):
            raise InvalidParameterError(
                f"game {self._name!r} has the action code {max(legal)}; expected codes below codes={self.count}."
            )
        mask[np.asarray(legal, np.int64)] = 1
        return mask

    def is_legal(self, action: Any, legal: Sequence[int]) -> bool:
        """Whether an action is among the legal ones."""
        try:
            self.code(action, legal)
        except IllegalActionError:
            return False
        return True

    def code(self, action: Any, legal: Sequence[int]) -> int:
        """The code of an action, given the codes of the legal ones; refuses what is not legal."""
        if not isinstance(action, (int, np.integer)) and getattr(action, "shape", None) != ():
            raise IllegalActionError(f"action is {action!r}; expected an integer.")
        place = int(action)
        if self.by_code and place in legal:
            return place
        if not self.by_code and 0 <= place < len(legal):
            return int(legal[place])
        expected = "one that the mask allows" if self.by_code else f"0 to {len(legal) - 1} here"
        raise IllegalActionError(f"action {place} is not legal; expected {expected}.")


class Observations:
    """What a seat sees, as arrays."""

    def __init__(self, game: Game, encode: Encode | None = None) -> None:
        self._encode = encode
        if encode is not None:
            example = np.asarray(encode(game.initial_state(0).observe(0)))
            low, high = _bounds(example.dtype)
            self.space: spaces.Space[Any] = spaces.Box(low, high, example.shape, example.dtype.type)
            return
        if game.backend.handles is not None:
            raise InvalidParameterError(
                f"game {game.name!r} is made of plain objects; expected encode=FUNCTION that makes an array of a state."
            )
        fields = fields_of(game.initial_state(0).record)
        self.space = spaces.Dict({name: _box(value) for name, value in fields.items()})

    def of(self, state: State, seat: int) -> Any:
        """What a seat sees of a state."""
        seen = state.observe(seat)
        if self._encode is None:
            return {name: np.array(value) for name, value in fields_of(seen.record).items()}
        shown, box = np.asarray(self._encode(seen)), self.space
        if shown.shape != box.shape or shown.dtype != box.dtype:
            raise InvalidParameterError(
                f"encode gave {shown.dtype} of shape {shown.shape}; expected {box.dtype} of shape {box.shape}, as at "
                "the start of a game."
            )
        return shown

    def of_many(self, records: Any) -> Observation:
        """What is seen of many states, given the records of what seats see: arrays with the states first."""
        return {name: np.array(value) for name, value in fields_of(records).items()}


def _box(value: Any) -> spaces.Space[Any]:
    low, high = _bounds(value.dtype)
    return spaces.Box(low, high, np.shape(value), value.dtype.type)


def _bounds(dtype: np.dtype[Any]) -> tuple[Any, Any]:
    if dtype.kind in "iu":
        limits = np.iinfo(dtype)
        return limits.min, limits.max
    return (0, 1) if dtype.kind == "b" else (-np.inf, np.inf)
