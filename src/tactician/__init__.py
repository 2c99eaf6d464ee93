"""tactician: planning in games whose turns are made of many actions.

>>> import tactician as tt
>>> game = tt.games.hero_academy(action_points=5)
>>> state = game.initial_state(seed=7)
>>> plan = tt.planners.GreedyAction().on(game, seed=1).plan(state, tt.Budget(ms=200))

Subpackages are imported when they are first used; no optional dependency is imported at all.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from tactician._version import __version__
from tactician.importing import lazy_package

if TYPE_CHECKING:
    from tactician import arena, contract, errors, games, learning, planners, tuning
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
    "learning",
    "load_game",
    "planners",
    "tuning",
]

lazy_package(
    __name__,
    {
        "Budget": "tactician.seats.budget:Budget",
        "Game": "tactician.contract.game:Game",
        "State": "tactician.contract.state:State",
        "arena": "tactician.arena",
        "check_game": "tactician.checking.check:check_game",
        "contract": "tactician.contract",
        "errors": "tactician.errors",
        "games": "tactician.games",
        "learning": "tactician.learning",
        "load_game": "tactician.games.registry:load_game",
        "planners": "tactician.planners",
        "tuning": "tactician.tuning",
    },
)
