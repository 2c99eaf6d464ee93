"""tactician: planning in games whose turns are made of many actions.

>>> import tactician as tt
>>> game = tt.games.hero_academy(action_points=5)
>>> state = game.initial_state(seed=7)
>>> plan = tt.planners.GreedyAction().on(game, seed=1).plan(state, tt.Budget(ms=200))

Subpackages are imported when they are first used; no optional dependency is imported at all.
"""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING, Any

from tactician._version import __version__

if TYPE_CHECKING:
    from tactician import arena, contract, errors, games, planners, tuning
    from tactician.checking.check import check_game
    from tactician.contract.game import Game
    from tactician.contract.state import State
    from tactician.games.registry import load_game
    from tactician.seats.budget import Budget

__all__ = [
    "Budget",
    "Game",
    "State",
    "__version__",
    "arena",
    "check_game",
    "contract",
    "errors",
    "games",
    "load_game",
    "planners",
    "tuning",
]

_MODULES = {"arena", "contract", "errors", "games", "planners", "tuning"}
_NAMES = {
    "Budget": "tactician.seats.budget",
    "Game": "tactician.contract.game",
    "State": "tactician.contract.state",
    "check_game": "tactician.checking.check",
    "load_game": "tactician.games.registry",
}


def __getattr__(name: str) -> Any:
    if name in _MODULES:
        return importlib.import_module(f"tactician.{name}")
    if name in _NAMES:
        return getattr(importlib.import_module(_NAMES[name]), name)
    raise AttributeError(f"module 'tactician' has no attribute {name!r}")


def __dir__() -> list[str]:
    return sorted(__all__)
