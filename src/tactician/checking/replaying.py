"""What the replayers of all games share: the modes a game can be replayed in, and comparing one value."""

from __future__ import annotations

from typing import Any

from tactician.checking.recordings import StepOutcome
from tactician.contract.game import Game

MODES = ("compiled", "interpreted", "checked")


def in_mode(game: Game, mode: str) -> Game:
    """Return the game run in one of `MODES`."""
    if mode == "compiled":
        return game
    return game.interpreted() if mode == "interpreted" else game.checked()


def difference(name: str, recorded: Any, ours: Any) -> StepOutcome:
    """Return None for equal values, else what differs."""
    return None if recorded == ours else (name, recorded, ours)
