"""`Encoding`: what a player sees of a state, as planes of numbers that a network reads.

A game's author lists the planes: each is a function `(g, s, seat, out)` that writes into a zeroed array. States pass
through the game's `observe` first, so that nothing a player can't see reaches a plane, whatever the functions read.
The functions are compiled; `encode` fills the planes of a whole batch of states.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from tactician.errors import InvalidGameError, InvalidParameterError
from tactician.native import pickling

if TYPE_CHECKING:
    from tactician.contract.game import Game
    from tactician.contract.state import State

SYMMETRIES = 8
"""Of a square."""

Fill = Callable[[Any, Any, Any, Any], None]
"""Write planes: `(g, s, seat, out)`."""


@dataclass(frozen=True)
class Planes:
    """One function and the planes that it fills."""

    names: tuple[str, ...]
    """What the planes show, in order."""
    fill: Fill = field(repr=False)
    """`(g, s, seat, out)` writes into `out`, zeroed: [names, rows, columns], or [rows, columns] for a single plane."""

    def __post_init__(self) -> None:
        object.__setattr__(self, "names", tuple(self.names))
        object.__setattr__(self, "fill", getattr(self.fill, "py_func", self.fill))

    def __reduce__(self) -> tuple[Any, ...]:
        return _unpickled, (self.names, pickling.portable(self.fill))

    @cached_property
    def fill_batch(self) -> Callable[..., None]:
        """The compiled function for a batch."""
        return _compiled(self.fill, len(self.names) == 1)


def plane(name: str, fill: Fill) -> Planes:
    """A single plane; `fill` writes an array [rows, columns]."""
    return Planes((name,), fill)


@dataclass(frozen=True)
class Encoding:
    """The planes of a game, and which output of a network belongs to which action."""

    name: str
    """Written into model cards."""
    rows: int
    columns: int
    planes: tuple[Planes, ...]
    """The functions that fill the planes, in order."""
    outputs: int
    """How many numbers a network gives: one for each action code, or see `output_of`."""
    output_of: tuple[int, ...] | None = field(default=None, repr=False)
    """The output that rates each action code; None where output n rates action n."""
    pruned: bool = True
    """Whether a follower chooses among `candidate_actions` only, instead of all legal actions."""
    symmetries: tuple[tuple[int, ...], ...] = field(default=(), repr=False)
    """For boards that look the same from all sides: for each of the symmetries of `turned` the output that each output
    becomes. Empty where there are none."""
    maps: int = 0
    """How many of the outputs are whole maps of rows × columns: all cells of map 0, of map 1 and so on, and behind them
    the mean of each map. 0 where outputs belong to no cell."""

    def __post_init__(self) -> None:
        object.__setattr__(self, "planes", tuple(self.planes))
        if self.rows < 1 or self.columns < 1 or self.outputs < 1 or not self.plane_names:
            raise InvalidGameError(
                f"encoding {self.name!r} has {len(self.plane_names)} planes of {self.rows} × {self.columns} and "
                f"{self.outputs} outputs; expected at least one of each."
            )
        if self.maps and self.outputs != self.maps * (self.rows * self.columns + 1):
            raise InvalidGameError(
                f"encoding {self.name!r} has {self.outputs} outputs; expected "
                f"{self.maps * (self.rows * self.columns + 1)} for {self.maps} maps and their means."
            )
        if self.symmetries and (
            self.rows != self.columns
            or len(self.symmetries) != SYMMETRIES
            or any(sorted(order) != list(range(self.outputs)) for order in self.symmetries)
        ):
            raise InvalidGameError(
                f"encoding {self.name!r} has symmetries that are none; expected {SYMMETRIES} orders of all outputs and "
                "as many rows as columns."
            )
        if self.output_of is not None and not all(0 <= output < self.outputs for output in self.output_of):
            raise InvalidGameError(f"encoding {self.name!r} names outputs beyond its {self.outputs}.")

    @cached_property
    def plane_names(self) -> tuple[str, ...]:
        """What each plane shows."""
        return tuple(name for group in self.planes for name in group.names)

    @property
    def shape(self) -> tuple[int, int, int]:
        """Planes, rows, columns."""
        return len(self.plane_names), self.rows, self.columns

    @cached_property
    def _output_of(self) -> NDArray[np.int64]:
        given = range(self.outputs) if self.output_of is None else self.output_of
        return np.array(given, np.int64)

    def outputs_of(self, actions: Sequence[int] | NDArray[Any]) -> NDArray[np.int64]:
        """The output that rates each action."""
        codes = np.asarray(actions, np.int64)
        if codes.size and not (codes.min() >= 0 and codes.max() < len(self._output_of)):
            raise InvalidParameterError(
                f"action {int(codes.max())} has no output in encoding {self.name!r}; expected 0 to "
                f"{len(self._output_of) - 1}."
            )
        return self._output_of[codes]

    def rates(self, action: int) -> bool:
        """Whether an action has an output."""
        return action < len(self._output_of)

    def options(self, state: State, seat: int) -> list[int]:
        """The actions that a follower chooses from, as its seat sees them."""
        view = state.observe(seat)
        found = view.candidate_actions(seat) if self.pruned else view.legal_actions(seat)
        return [action for action in dict.fromkeys(found) if self.rates(action)] or found[:1]

    def see(self, state: State, seat: int) -> NDArray[np.uint64]:
        """What `encode` takes: the memory of the state as the seat sees it."""
        return state.observe(seat).words

    def encode(
        self,
        game: Game,
        seen: NDArray[np.uint64],
        seats: Sequence[int] | NDArray[Any],
        out: NDArray[np.float32] | None = None,
    ) -> NDArray[np.float32]:
        """The planes of a batch: [batch, planes, rows, columns], from rows of `see` and the seats that saw them.

        They are written into `out` where that is given.
        """
        configs, states = _records(game, seen)
        if out is None:
            out = np.zeros((len(states), *self.shape), np.float32)
        else:
            out.fill(0)
        numbers, first = np.asarray(seats, np.int64), 0
        for group in self.planes:
            group.fill_batch(configs, states, numbers, out[:, first : first + len(group.names)])
            first += len(group.names)
        return out

    def planes_of(self, state: State, seat: int) -> NDArray[np.float32]:
        """The planes of one state for one seat: [planes, rows, columns]."""
        if not 0 <= seat < state.game.players:
            raise InvalidParameterError(f"seat is {seat!r}; expected 0 to {state.game.players - 1}.")
        return self.encode(state.game, self.see(state, seat)[None], [seat])[0]


def turned(planes: NDArray[Any], symmetry: int) -> NDArray[Any]:
    """Planes [..., rows, columns] under one of the symmetries of a square: quarter turns, from 4 on mirrored as well.

    A quarter turn brings the top row to the left; mirroring then exchanges left and right.
    """
    turns = np.rot90(planes, symmetry % 4, axes=(-2, -1))
    return np.ascontiguousarray(np.flip(turns, -1) if symmetry >= 4 else turns)


def _records(game: Game, seen: NDArray[np.uint64]) -> tuple[Any, Any]:
    """Configuration and states as arrays of records."""
    if game.backend.handles is not None:
        raise InvalidParameterError(f"game {game.name!r} has plain objects as states; an encoding needs records.")
    config, state = game.backend.config, game.backend.state
    configs = game.config_words().view(np.uint8)[: config.itemsize].view(config)
    rows = np.ascontiguousarray(seen).view(np.uint8)
    if rows.shape[1] != state.itemsize:
        rows = np.ascontiguousarray(rows[:, : state.itemsize])
    return configs, rows.view(state)[:, 0]


def _compiled(fill: Fill, single: bool) -> Callable[..., None]:
    """The loop over a batch, compiled with a function of planes in it."""
    from numba import njit

    from tactician.native.caching import kernel

    write = njit(fill)
    if single:

        def fill_batch(configs: Any, states: Any, seats: Any, out: Any) -> None:
            for k in range(states.shape[0]):
                write(configs[0], states[k], seats[k], out[k, 0])

    else:

        def fill_batch(configs: Any, states: Any, seats: Any, out: Any) -> None:
            for k in range(states.shape[0]):
                write(configs[0], states[k], seats[k], out[k])

    return kernel(fill_batch)


def _unpickled(names: tuple[str, ...], fill: Any) -> Planes:
    return Planes(names, pickling.restored(fill))
