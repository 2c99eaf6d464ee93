"""Two readings of the papers, each bound together: what was printed, and what the code did that gave the numbers.

A preset sets the style of the planners. Games that have two readings take it as a parameter of the same name, which
sets ratings, pruning and evaluation. Anything else is a mixture, and should be called so.
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
