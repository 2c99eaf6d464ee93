"""Compare a game with a twin: the same rules written again in plain Python, slow and obvious.

A twin is an object with some of the methods below on states of its own kind. `compare_with_twin` plays random games of
the real game and walks the twin along; whatever the twin can say must be the same.

    class Twin:
        def start(self, state): ...            # the twin's state for a start position of the game (required)
        def apply(self, twin, action): ...     # the twin's state after an action (required)
        def legal_actions(self, twin): ...     # the same actions, in any order
        def current_player(self, twin): ...
        def is_over(self, twin): ...
        def returns(self, twin): ...
        def evaluate(self, twin): ...
        def to_json(self, twin): ...           # as `State.to_json`, whole or some of its fields
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from tactician.contract.game import Game
from tactician.contract.state import State
from tactician.errors import InvalidParameterError, short

_ANSWERS = ("is_over", "current_player", "legal_actions", "returns", "evaluate", "to_json")


@dataclass(frozen=True)
class TwinReport:
    """What a comparison found."""

    games: int
    actions: int
    difference: str | None
    """The first difference with the game's seed and step; None if there was none."""

    @property
    def ok(self) -> bool:
        """Whether both agreed everywhere."""
        return self.difference is None

    def __str__(self) -> str:
        played = f"{self.games} games, {self.actions} actions"
        return f"equal ({played})" if self.difference is None else f"{self.difference} ({played})"


def compare_with_twin(game: Game, twin: Any, games: int = 20, seed: int = 0, max_actions: int = 2000) -> TwinReport:
    """Play random games and report the first answer in which the twin differs."""
    for method in ("start", "apply"):
        if not callable(getattr(twin, method, None)):
            raise InvalidParameterError(f"twin {short(twin)} has no method {method!r}.")
    asked = [name for name in _ANSWERS if callable(getattr(twin, name, None))]
    if not asked:
        raise InvalidParameterError(f"twin {short(twin)} answers nothing; expected one of {', '.join(_ANSWERS)}.")
    actions = 0
    for number in range(games):
        state = game.initial_state(seed=seed + number)
        own = twin.start(state)
        random = np.random.default_rng([seed, number])
        for step in range(max_actions):
            problem = _difference(asked, state, twin, own)
            if problem:
                return TwinReport(number + 1, actions, f"game seed {seed + number}, step {step}: {problem}")
            if state.is_over():
                break
            legal = state.legal_actions()
            action = legal[int(random.integers(len(legal)))]
            own = twin.apply(own, action)
            state.apply(action)
            actions += 1
    return TwinReport(games, actions, None)


def _difference(asked: Sequence[str], state: State, twin: Any, own: Any) -> str | None:
    over = state.is_over()
    for name in asked:
        if (over and name in ("legal_actions", "current_player")) or (not over and name == "returns"):
            continue
        ours, theirs = getattr(state, name)(), getattr(twin, name)(own)
        if name == "legal_actions":
            ours, theirs = sorted(ours), sorted(int(action) for action in theirs)
        if name == "to_json":
            ours = {key: ours.get(key) for key in theirs}
        if not _equal(ours, theirs):
            return f"{name} is {short(ours)}, the twin's is {short(theirs)}"
    return None


def _equal(ours: Any, theirs: Any) -> bool:
    if isinstance(ours, dict):
        return isinstance(theirs, dict) and all(_equal(ours[key], theirs[key]) for key in theirs)
    if isinstance(ours, (list, tuple, np.ndarray)):
        one, other = list(ours), list(theirs)
        return len(one) == len(other) and all(map(_equal, one, other))
    if isinstance(ours, float):
        return math.isclose(ours, float(theirs), rel_tol=1e-9, abs_tol=1e-9)
    return bool(ours == theirs)
