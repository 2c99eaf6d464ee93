"""What a bandit is: three small functions on the arms of one player in one state.

An arm is two numbers (or as many as the bandit asks for), whatever the bandit makes of them, all 0 until the arm is
first updated. The functions are compiled and called through their addresses, so a search is compiled once for all
bandits, those of users included.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from typing import Any, NamedTuple, TypeAlias

import numpy as np
from numba import carray, njit, types
from numba.core.dispatcher import Dispatcher
from numba.core.errors import NumbaError
from numpy.typing import NDArray

from tactician.errors import InvalidParameterError
from tactician.native.c_functions import CFunction
from tactician.native.caching import inlined
from tactician.native.compile_errors import gist
from tactician.native.memory import Address, address, ask3, ask4, do5

Arms: TypeAlias = NDArray[np.float32]
"""[arms, numbers] what a bandit knows of the arms of one player in one state."""
Arm: TypeAlias = NDArray[np.float32]
"""[numbers] what a bandit knows of one arm."""
Stream: TypeAlias = NDArray[np.uint64]
"""[4] a random stream."""

MOST_NUMBERS = 8
"""The most numbers that a bandit may keep of an arm."""
MILLION = 1_000_000
"""Only integers cross the border to a compiled bandit: the exploration travels in millionths."""
_ARMS, _WORDS, _REALS = types.CPointer(types.float32), types.CPointer(types.uint64), types.CPointer(types.float64)
_SELECT = types.int64(_ARMS, types.int64, types.int64, _WORDS)
_UPDATE = types.void(_ARMS, types.int64, types.int64, types.int64, _REALS)
_CHOOSE = types.int64(_ARMS, types.int64, _WORDS)


@dataclass(frozen=True, eq=False)
class Bandit:
    """How arms are tried, how they learn, and which one is taken in the end.

    An author writes plain functions; `random.below(rng, n)` and `random.unit(rng)` draw from `rng`. A state nobody has
    tried an action in yet is left to chance before a bandit is asked: all its arms are alike.
    """

    name: str
    select: Callable[..., int]
    """`select(arms, c, rng)`: the arm to try next; `arms` is an array with two numbers a row, `c` the exploration."""
    update: Callable[..., None]
    """`update(arm, value)`: learn a value from -1 to 1; `arm` holds the two numbers. With `joint_update`:
    `update(arms, chosen, c, value)`."""
    choose: Callable[..., int]
    """`choose(arms, rng)`: the arm to take when the search is over."""
    mean: Callable[..., float]
    """What an arm's two numbers say it is worth, from -1 to 1."""
    visits: Callable[..., float]
    """How often they say it was tried."""
    exploration: float = 1.0
    """`c` where the user gives none."""
    prior: Callable[[float, float], tuple[float, ...]] | None = None
    """The numbers of an arm that is expected to be worth so much (-1 to 1), as if it had been tried so often; None
    if arms of this bandit can't begin with an expectation."""
    numbers: int = 2
    """How many numbers an arm is, 1 to 8; `mean` and `visits` take as many."""
    joint_update: bool = False
    """Whether `update` sees all arms of the player, because what the chosen one learns depends on the others."""

    def __post_init__(self) -> None:
        if not 1 <= self.numbers <= MOST_NUMBERS:
            raise InvalidParameterError(
                f"numbers of bandit {self.name!r} is {self.numbers}; expected 1 to {MOST_NUMBERS}."
            )

    @cached_property
    def _compiled(self) -> tuple[CFunction, CFunction, CFunction]:
        return (
            self._c_function("select", _select_of(_jitted(self.select), self.numbers), _SELECT),
            self._c_function("update", self._update_of(_jitted(self.update), self.numbers), _UPDATE),
            self._c_function("choose", _choose_of(_jitted(self.choose), self.numbers), _CHOOSE),
        )

    def _c_function(self, name: str, function: Callable[..., Any], signature: Any) -> CFunction:
        compiled = CFunction(function, signature, "bandit")
        try:
            compiled.compile()
        except NumbaError as error:
            raise InvalidParameterError(f"{name!r} of bandit {self.name!r} does not compile: {gist(error)}") from error
        return compiled

    @property
    def _update_of(self) -> Callable[..., Callable[..., None]]:
        return _joint_update_of if self.joint_update else _update_of

    @property
    def addresses(self) -> BanditAddresses:
        """Where the compiled functions are. Compiles on first use."""
        return BanditAddresses(*(function.address or 0 for function in self._compiled))

    def __str__(self) -> str:
        return self.name


class BanditAddresses(NamedTuple):
    """A compiled bandit, as kernels call it. The arms of one player in one state lie side by side at an address."""

    select: Address
    """The function that chooses the arm to try next."""
    update: Address
    """The function that teaches an arm a value."""
    choose: Address
    """The function that chooses the arm to take when the search is over."""


@inlined
def select_arm(bandit: BanditAddresses, arms: Address, n: int, millionths: int, rng: Stream) -> int:
    """Which of n arms to try next; the exploration is given in millionths."""
    return ask4(bandit.select, arms, n, millionths, address(rng))


@inlined
def update_arm(bandit: BanditAddresses, arms: Address, n: int, arm: int, millionths: int, value: Address) -> None:
    """Teach one of n arms the value, from -1 to 1, at an address."""
    do5(bandit.update, arms, n, arm, millionths, value)


@inlined
def choose_arm(bandit: BanditAddresses, arms: Address, n: int, rng: Stream) -> int:
    """Which of n arms to take when the search is over."""
    return ask3(bandit.choose, arms, n, address(rng))


def _jitted(function: Callable[..., Any]) -> Callable[..., Any]:
    compiled: Callable[..., Any] = function if isinstance(function, Dispatcher) else njit(function)
    return compiled


# The parameters `arms`, `rng` and `value` below are C pointers, for which there is no Python type.


def _select_of(rule: Callable[..., int], numbers: int) -> Callable[..., int]:
    def select(arms: Any, n: int, c: int, rng: Any) -> int:
        return rule(carray(arms, (n, numbers)), c * 1e-6, rng)

    return select


def _update_of(rule: Callable[..., None], numbers: int) -> Callable[..., None]:
    def update(arms: Any, n: int, arm: int, c: int, value: Any) -> None:
        rule(carray(arms, (n, numbers))[arm], value[0])

    return update


def _joint_update_of(rule: Callable[..., None], numbers: int) -> Callable[..., None]:
    def update(arms: Any, n: int, arm: int, c: int, value: Any) -> None:
        rule(carray(arms, (n, numbers)), arm, c * 1e-6, value[0])

    return update


def _choose_of(rule: Callable[..., int], numbers: int) -> Callable[..., int]:
    def choose(arms: Any, n: int, rng: Any) -> int:
        return rule(carray(arms, (n, numbers)), rng)

    return choose
