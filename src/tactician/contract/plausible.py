"""Check with the game's own rules whether a state read from JSON can be one of the game.

It is for games without a `state_from_json` of their own: shapes and types of the fields are known to be right, but not
that the rules have a meaning for the values. Rules of records run interpreted here, because an index outside of an
array raises there; compiled code would read or write other memory.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from functools import partial
from typing import TypeVar

from tactician.contract.state import State
from tactician.errors import InvalidStateError, RuleFailureError
from tactician.native.abi import SIMULTANEOUS

_Answer = TypeVar("_Answer")
_LIBRARY = "library"


def require_possible(state: State) -> None:
    """Refuse a state whose player, values or actions are impossible, or on which a rule fails.

    Rules of a library only say whose turn it is: C code may do anything with a state that it does not expect.
    """
    game = state.game
    if game.backend.mode in ("compiled", "checked"):
        state = state.in_game(game.interpreted())
    over = _asked(state, "is_over", state.is_over)
    mover = _asked(state, "current_player", state.current_player)
    if not (mover == SIMULTANEOUS and game.simultaneous) and not 0 <= mover < game.players and not over:
        raise InvalidStateError(f"state has the current player {mover}; expected 0 to {game.players - 1}.")
    if game.backend.mode == _LIBRARY:
        return
    low, high = game.value_range
    for value in _asked(state, "evaluate", state.evaluate):
        if not low <= value <= high:
            raise InvalidStateError(f"state has the value {value}; expected {low:g} to {high:g} (value_range).")
    if over:
        for value in _asked(state, "returns", state.returns):
            if not math.isfinite(value) or not -1 <= value <= 1:
                raise InvalidStateError(f"state is over and has the return {value}; expected -1 to 1.")
        return
    for player in range(game.players) if mover == SIMULTANEOUS else (mover,):
        if not _asked(state, "legal_actions", partial(state.legal_actions, player)):
            raise InvalidStateError(f"state has no legal action of player {player}; expected one, or a finished game.")


def _asked(state: State, rule: str, ask: Callable[[], _Answer]) -> _Answer:
    """The answer of a rule; a state on which it fails is refused."""
    try:
        return ask()
    except RuleFailureError as error:
        text = str(error).rstrip(".")
        raise InvalidStateError(f"state is not one that the rules of {state.game.name!r} expect: {text}.") from error
