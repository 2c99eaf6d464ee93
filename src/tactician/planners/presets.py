"""The readings of the papers, each bound together: what was printed, and what the code did that gave the numbers.

A preset sets the style of the planners, and parameters of those that a paper describes in its own way. Games that have
two readings take `game_reading(preset)` as a parameter of that name, which sets ratings, pruning and evaluation.
Anything else is a mixture, and should be called so.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, fields, replace
from typing import Any

from tactician.errors import UnknownNameError
from tactician.planners.base import Planner


@dataclass(frozen=True)
class _Reading:
    """How planners and games are set in one preset."""

    style: str
    """The planners' style and the games' preset: `paper` or `reference`."""
    parameters: Mapping[str, Mapping[str, Any]] = field(default_factory=dict)
    """Parameters by the name of the planner."""


_BY_EVALUATION = {"ordering": "evaluation"}
_READINGS = {
    # Justesen et al. prune for MCTS and OEP only.
    "paper": _Reading("paper", {"greedy-action": {"prune": False}, "greedy-turn": {"prune": False}}),
    "reference": _Reading("reference"),
    # Baier and Cowling prune for everybody, and order Greedy Turn's actions with the evaluation.
    "baier": _Reading("paper", {"greedy-turn": _BY_EVALUATION}),
    "baier-root": _Reading("paper", {"greedy-turn": _BY_EVALUATION, "emcts": {"final": "root"}}),
}
PRESETS = tuple(_READINGS)
"""`paper`: as Justesen et al. print it; `reference`: as their code does it; `baier`: as Baier and Cowling print it;
`baier-root`: the same with the turn that EMCTS's root has come to instead of the best one it has seen."""


def with_preset(planner: Planner, preset: str) -> Planner:
    """The planner as a preset has it; a parameter that was set already is kept, except the style."""
    reading = _reading(preset)
    default = {one.name: one.default for one in fields(planner)}
    changes = {
        name: value
        for name, value in reading.parameters.get(planner.name, {}).items()
        if getattr(planner, name) == default[name]
    }
    if "style" in default:
        changes["style"] = reading.style
    return replace(planner, **changes)


def game_reading(preset: str) -> str:
    """The parameter `preset` of games that have two readings."""
    return _reading(preset).style


def _reading(preset: str) -> _Reading:
    if preset not in _READINGS:
        raise UnknownNameError("preset", preset, PRESETS)
    return _READINGS[preset]
