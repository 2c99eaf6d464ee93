"""What is kept of a game: everything to play it again and to judge it.

A `Pairing` says what is to be played; its key is a digest of that, so the same pairing is the same game on every
machine and in every process. A `GameRecord` is a pairing that has been played.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Sequence
from dataclasses import asdict, dataclass, field
from functools import cached_property
from typing import Any

from tactician._version import __version__


@dataclass(frozen=True)
class Pairing:
    """One game to be played: who sits where, from which start."""

    game: str
    """The game's name with parameters, as on the command line."""
    seats: tuple[str, ...]
    """The agents, in the order of play: planners with parameters, or other agents."""
    budget: str
    seed: int
    """Decides the start and the chance of the game."""
    round: int
    """Tells games apart that are otherwise the same."""

    @cached_property
    def key(self) -> str:
        """The game's identity: a digest of everything above."""
        text = json.dumps(asdict(self), sort_keys=True, separators=(",", ":"))
        return hashlib.sha256(text.encode()).hexdigest()[:24]

    @property
    def agent_seeds(self) -> tuple[int, ...]:
        """A seed for each seat's searches, different for every game."""
        base = int(self.key[:12], 16)
        return tuple((base + 7919 * seat) % 2**48 for seat in range(len(self.seats)))


def seated(sides: Sequence[int], side: int, one: str, other: str) -> tuple[str, ...]:
    """One agent in all seats of a side, the other in all the rest."""
    return tuple(one if mine == side else other for mine in sides)


EVERYBODY = -1
"""The seat of a step in which all act at once."""


@dataclass(frozen=True)
class Turn:
    """One plan as it was carried out."""

    seat: int
    actions: tuple[Any, ...]
    """In the game's canonical JSON form."""
    ms: float
    evaluations: int
    iterations: int


@dataclass(frozen=True)
class GameRecord:
    """A finished game."""

    pairing: Pairing
    returns: tuple[float, ...]
    """Everybody's reward; a forfeit is a loss for the one and a win for the others."""
    turns: tuple[Turn, ...]
    ms: float
    game_version: str
    error: str | None = None
    """Why the game was forfeited, if it was."""
    error_seat: int | None = None
    package_version: str = __version__
    options: dict[str, Any] = field(default_factory=dict, hash=False)
    """What the seats decided before the start, such as picks of a draft; with the seed it makes the initial state."""

    def to_json(self) -> dict[str, Any]:
        """The record as one JSON document, a line of an export."""
        return {"key": self.pairing.key, **asdict(self)}

    @classmethod
    def from_json(cls, data: dict[str, Any]) -> GameRecord:
        """Read a document written by `to_json`."""
        pairing = data["pairing"]
        return cls(
            pairing=Pairing(**(pairing | {"seats": tuple(pairing["seats"])})),
            returns=tuple(data["returns"]),
            turns=tuple(Turn(**(turn | {"actions": tuple(turn["actions"])})) for turn in data["turns"]),
            ms=data["ms"],
            game_version=data["game_version"],
            error=data["error"],
            error_seat=data["error_seat"],
            package_version=data["package_version"],
            options=dict(data.get("options") or {}),
        )
