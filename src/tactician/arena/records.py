"""What is kept of a game: everything to play it again and to judge it.

A `Pairing` says what is to be played; its key is a digest of that, so the same pairing is the same game on every
machine and in every process. A `GameRecord` is a pairing that has been played.
"""

from __future__ import annotations

import hashlib
import json
import pickle
import sys
import zlib
from collections.abc import Callable, Iterator, Sequence
from dataclasses import asdict, dataclass, field, replace
from functools import cached_property, partial
from typing import Any, overload

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


class TurnsElsewhere(Sequence[Turn]):
    """The turns of a game that are read when they are asked for: a long tournament can't hold those of all games."""

    __slots__ = ("_read",)

    def __init__(self, read: Callable[[], Sequence[Turn]]) -> None:
        self._read = read

    @overload
    def __getitem__(self, index: int) -> Turn: ...
    @overload
    def __getitem__(self, index: slice) -> tuple[Turn, ...]: ...
    def __getitem__(self, index: int | slice) -> Turn | tuple[Turn, ...]:
        return tuple(self._read())[index]

    def __iter__(self) -> Iterator[Turn]:
        return iter(self._read())

    def __len__(self) -> int:
        return len(self._read())

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Sequence) and tuple(self) == tuple(other)

    def __hash__(self) -> int:
        return hash(tuple(self))

    def __repr__(self) -> str:
        return repr(tuple(self))

    def __reduce__(self) -> tuple[Any, ...]:
        return tuple, (tuple(self),)


@dataclass(frozen=True)
class GameRecord:
    """A finished game."""

    pairing: Pairing
    returns: tuple[float, ...]
    """Everybody's reward; a forfeit is a loss for the one and a win for the others."""
    turns: Sequence[Turn]
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
        return {"key": self.pairing.key, **asdict(replace(self, turns=tuple(self.turns)))}

    def _repr_html_(self) -> str:
        """What a notebook shows: the game's animation."""
        from html import escape

        from tactician.arena.animation import animated

        return f'<iframe srcdoc="{escape(animated(self))}" width="100%" height="720" frameborder="0"></iframe>'

    def slim(self, pairing: Pairing, read: Callable[[], Sequence[Turn]] | None = None) -> GameRecord:
        """The same record in little memory, with its turns read from elsewhere, or packed.

        It shares its pairing, and with other records the texts that all of them have.
        """
        return replace(
            self,
            pairing=pairing,
            turns=TurnsElsewhere(read or partial(_unpacked, zlib.compress(pickle.dumps(tuple(self.turns))))),
            game_version=sys.intern(self.game_version),
            package_version=sys.intern(self.package_version),
        )

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


def _unpacked(packed: bytes) -> tuple[Turn, ...]:
    """What `GameRecord.slim` packed in this process."""
    turns: tuple[Turn, ...] = pickle.loads(zlib.decompress(packed))
    return turns
