"""`Seat`: the one interface of everything that plays a seat of a game.

Planners on turns and on simultaneous moves, agents that games bring, external programs and agents of Python files
implement it; the arena knows nothing else of them. `BaseSeat` has the methods that most have no use for.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence
from typing import Any, Protocol, Self

from tactician.contract.game import Game
from tactician.contract.state import State
from tactician.errors import InvalidParameterError
from tactician.native.abi import SIMULTANEOUS
from tactician.seats.budget import Budget
from tactician.seats.plan import Plan


class Seat(Protocol):
    """Whatever plays one seat. It is used for one game after another, each after `seeded` and `new_game`."""

    takes_whole_state: bool
    """Whether it is given the whole state where a game hides information, and hides it from itself, as planners do.
    Others are given the view of their seat."""

    def plan(self, state: State, budget: Budget | str, *, ply: int = 0, seat: int | None = None) -> Plan:
        """The turn to play, or its beginning; one action where all act at once.

        `ply` counts the turns of the game so far. `seat` has to be named where all act at once.
        """

    def seeded(self, seed: int) -> Self:
        """The same seat with another seed from now on."""

    def new_game(self) -> None:
        """A game begins: forget the last one."""

    def prepare(self, game: Game, seat: int, seed: int) -> dict[str, Any]:
        """What the seat decides before the start of a seed: options of the initial state.

        An option that several seats have a say in is a list with an entry for each, None where a seat says nothing.
        """

    def end_game(self, returns: Sequence[float]) -> None:
        """A game has been played: everybody's reward."""

    def close(self) -> None:
        """A game is over, however it went: release what it needed, such as processes and files."""


class BaseSeat(ABC):
    """A seat with a seed that decides nothing before a game and keeps nothing between games."""

    takes_whole_state: bool = False

    def __init__(self, seed: int = 0) -> None:
        self.seed = seed

    @abstractmethod
    def plan(self, state: State, budget: Budget | str, *, ply: int = 0, seat: int | None = None) -> Plan:
        """The turn to play."""

    def seeded(self, seed: int) -> Self:
        """The same seat with another seed from now on."""
        self.seed = seed
        return self

    def new_game(self) -> None:  # noqa: B027 (most keep nothing)
        """Forget the last game."""

    def prepare(self, game: Game, seat: int, seed: int) -> dict[str, Any]:
        """Nothing is decided before the start."""
        return {}

    def end_game(self, returns: Sequence[float]) -> None:  # noqa: B027 (most have no use for it)
        """The game has been played."""

    def close(self) -> None:  # noqa: B027 (most hold nothing)
        """Nothing is held."""


def acting_seat(state: State, seat: int | None) -> int:
    """The seat to plan for: the one that is named; where players take turns it is that of the player to move."""
    mover = state.current_player()
    if mover == SIMULTANEOUS:
        players = state.game.players
        if seat is None or not 0 <= seat < players:
            raise InvalidParameterError(f"seat is {seat!r}; all act at once here, expected 0 to {players - 1}.")
        return seat
    if seat not in (None, mover):
        raise InvalidParameterError(f"seat is {seat!r}; it is the turn of seat {mover}, expected that or None.")
    return mover
