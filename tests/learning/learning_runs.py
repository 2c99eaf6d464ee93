"""Small training runs that several tests share."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from tactician.learning import Training

HEAP_GAME = f"{Path(__file__).parents[1] / 'support' / 'heap_planes.py'}:nim"


def small(**given: Any) -> Training:
    """A short run in the game of one heap."""
    usual: dict[str, Any] = {
        "teacher": "mcts:exploration=0.7",
        "budget": "60its",
        "battles": 12,
        "hidden": 4,
        "batch": 8,
        "width": 2,
        "evaluate_every": 6,
        "evaluation_games": 2,
        "opponent": "random",
        "seed": 3,
    }
    return Training(game=HEAP_GAME, **usual | given)
