"""`GameEntry`: all that belongs to one game, by reference.

The command line, the arena, the benchmarks and the warm-up read entries and know no game by name. An entry imports
nothing but this module, so that reading the entries of all games imports none of them. A built-in game has its entry
in its folder; an installed package offers its own through an entry point of the group ``tactician.games``.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from tactician.errors import InvalidGameError, TacticianError
from tactician.importing import resolve

_REFERENCE = re.compile(r"[^\W\d]\w*(\.[^\W\d]\w*)*:[^\W\d]\w*(\.[^\W\d]\w*)*")
_REFERRING = (
    "factory",
    "replayer",
    "external",
    "foreign_agents",
    "preparation",
    "benchmark",
    "warm_up",
    "follower",
)


@dataclass(frozen=True, kw_only=True)
class GameEntry:
    """A game and what there is for it. References are written ``package.module:name``."""

    name: str
    """What the game is called on the command line; `Game.name` is the same, or agents and protocols are not found."""
    factory: str
    """A function that makes the game, its parameters with defaults; or a finished `Game`."""
    replayer: str | None = None
    """A class whose objects replay recordings of the game (`checking.recordings.Replayer`), for `conformance`."""
    agents: Mapping[str, str] = field(default_factory=dict, hash=False)
    """Agents that are not planners, by the name they have in the arena: each is called with the game and gives a
    `seats.Seat`."""
    external: str | None = None
    """The protocol that external programs speak: called with the game, the words of the command and a factor for the
    protocol's time limits, it gives a `seats.Seat`."""
    foreign_agents: str | None = None
    """Python agents written for another interface to this game: called with somebody's object, the game and the
    object's name, it gives a `seats.Seat`, or None for an object that was not written for that interface."""
    preparation: str | None = None
    """What a person decides before the start, such as a draft: called with the game, the seat and the seed, it gives a
    `seats.preparation.Preparation`."""
    benchmark: str | None = None
    """What `bench` measures besides the rules (`checking.speed.GameBenchmark`)."""
    warm_up: str | None = None
    """A function without arguments that compiles what loading the game does not compile."""
    follower: str | None = None
    """The path of a trained follower's weights that come with the game, a `Path` in a module."""
    training: Mapping[str, Any] = field(default_factory=dict, hash=False)
    """How to train a follower unless something else is said: values of the fields of `learning.Training`, and under
    ``lively`` the actions without which nothing happens."""
    choices: Mapping[str, tuple[str, ...]] = field(default_factory=dict, hash=False)
    """The words that parameters of the factory may be, for the page of the board; no words for a parameter that it
    does not offer, such as a file."""
    page: str | None = None
    """The game's page, relative to the documentation's folder."""

    def __post_init__(self) -> None:
        for what, reference in self.references().items():
            if not isinstance(reference, str) or not _REFERENCE.fullmatch(reference):
                raise InvalidGameError(
                    f"entry of game {self.name!r}: {what} is {reference!r}; expected 'package.module:name'."
                )

    def references(self) -> dict[str, str]:
        """Every reference of the entry by the name of its field, those of agents as ``agents.<name>``."""
        single = {name: getattr(self, name) for name in _REFERRING if getattr(self, name) is not None}
        return single | {f"agents.{name}": reference for name, reference in self.agents.items()}

    def load(self, what: str) -> Any:
        """Import what a reference of the entry stands for; `what` as in `references`."""
        reference = self.references()[what]
        try:
            return resolve(reference)
        except TacticianError:
            raise
        except Exception as error:
            raise InvalidGameError(
                f"game {self.name!r} ({what} {reference}) can't be loaded: {type(error).__name__}: {error}."
            ) from error
