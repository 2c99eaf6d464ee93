"""What a game declares about itself: its name, its sizes, the range of its values."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

from tactician.contract.planes import Encoding
from tactician.errors import InvalidGameError


@dataclass(frozen=True)
class GameInfo:
    """What a game declares about itself."""

    name: str
    version: str
    players: int
    max_actions: int
    zero_sum: bool
    value_range: tuple[float, float] | Callable[[Any], tuple[float, float]]
    weights: dict[str, tuple[Any, ...]] = field(default_factory=dict)
    errors: dict[int, str] = field(default_factory=dict)
    description: str = ""
    max_turn: int | Callable[[Any], int] = 64
    sides: tuple[int, ...] = ()
    """Whose side each seat is on, counted from 0; empty where everybody plays alone."""
    encodings: tuple[Encoding, ...] = ()
    """What networks can be shown of a state, the usual way first."""
    models: dict[str, str] = field(default_factory=dict)
    """Functions that can be the rule `policy`, by name, as ``package.module:name``; imported when one is asked for."""

    def __post_init__(self) -> None:
        sides = tuple(self.sides)
        object.__setattr__(self, "sides", sides or tuple(range(self.players)))
        in_order = list(dict.fromkeys(sides)) == list(range(len(set(sides))))
        if sides and (len(sides) != self.players or not in_order or len(set(sides)) < min(2, self.players)):
            raise InvalidGameError(
                f"sides of game {self.name!r} is {sides}; expected a number for each of {self.players} seats, "
                "counted from 0 as new sides come, at least two."
            )
