"""Two readings of the papers, each bound together: what was printed, and what the code did that gave the numbers.

A preset sets the style of the planners and, for games that have them, the ratings, the pruning and the evaluation.
Anything else is a mixture, and should be called so.
"""

from __future__ import annotations

from dataclasses import fields, replace

from tactician.errors import UnknownNameError
from tactician.planners.base import Planner

PRESETS = ("paper", "reference")


def with_preset(planner: Planner, preset: str) -> Planner:
    """The planner in the preset's style; those without a style have one reading only."""
    if preset not in PRESETS:
        raise UnknownNameError("preset", preset, PRESETS)
    if any(field.name == "style" for field in fields(planner)):
        return replace(planner, style=preset)  # type: ignore[call-arg]
    return planner


def game_with_preset(game: str, preset: str) -> str:
    """A game's name with the preset's readings, for games whose factory takes a preset."""
    from tactician.games.registry import game_parameters

    if preset not in PRESETS:
        raise UnknownNameError("preset", preset, PRESETS)
    name, _, parameters = game.partition(":")
    if ".py" in game or "preset" not in game_parameters(name):
        return game
    return f"{name}:{parameters}{',' if parameters else ''}preset={preset}"
