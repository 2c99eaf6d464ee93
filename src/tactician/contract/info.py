"""What a game declares about itself: its name, its sizes, the range of its values."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

from tactician.contract.planes import Encoding
from tactician.errors import InvalidGameError

STRONGEST = "strongest"
"""The name under which a game lists the evaluation that planners win most with; its usual one if there is none."""


@dataclass(frozen=True)
class Evaluation:
    """One of several evaluations of a game: what it sets in the configuration."""

    config: Mapping[str, Any]
    """The fields it sets, default weights included; every evaluation of a game sets the same ones."""
    zero_sum: bool = True
    """Whether one player's value is the other's loss."""
    weights: Mapping[str, tuple[Any, ...]] = field(default_factory=dict)
    """The place of each of its weights in the configuration."""
    value_range: tuple[float, float] | Callable[[Any], tuple[float, float]] | None = None
    """Its bounds; None: those of the game."""
    learned: bool = False
    """Whether it weighs what the rule `features` writes; the weights are in the field `feature_weights`."""


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
    evaluations: dict[str, Evaluation] = field(default_factory=dict)
    """The evaluations that planners may choose among, by name."""
    models: dict[str, str] = field(default_factory=dict)
    """Functions that can be the rule `policy`, or the path of a trained follower's weights (a `Path`), by name, as
    ``package.module:name``; imported when one is asked for."""
    rating_weights: dict[str, tuple[Any, ...]] = field(default_factory=dict)
    """Where in the configuration the weights of the rating stand, by name; empty where it is not a weighted sum."""
    features: tuple[str, ...] = ()
    """What the rule `features` writes, in order; empty in a game without it."""

    def __post_init__(self) -> None:
        sides = tuple(self.sides)
        object.__setattr__(self, "sides", sides or tuple(range(self.players)))
        in_order = list(dict.fromkeys(sides)) == list(range(len(set(sides))))
        if sides and (len(sides) != self.players or not in_order or len(set(sides)) < min(2, self.players)):
            raise InvalidGameError(
                f"sides of game {self.name!r} is {sides}; expected a number for each of {self.players} seats, "
                "counted from 0 as new sides come, at least two."
            )
