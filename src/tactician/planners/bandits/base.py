"""What a bandit is: three small functions on the arms of one player in one state.

An arm is two numbers, whatever the bandit makes of them, both 0 until the arm is first updated. The functions are
compiled and called through their addresses, so a search is compiled once for all bandits, those of users included.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
from numba import carray, njit, types
from numba.core.ccallback import CFunc
from numba.core.dispatcher import Dispatcher
from numba.core.sigutils import normalize_signature
from numpy.typing import NDArray

from tactician.native.caching import SourceCache

_ARMS, _WORDS, _REALS = types.CPointer(types.float32), types.CPointer(types.uint64), types.CPointer(types.float64)
_SELECT = types.int64(_ARMS, types.int64, types.int64, _WORDS)
_UPDATE = types.void(_ARMS, types.int64, _REALS)
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
    """`update(arm, value)`: learn a value from -1 to 1; `arm` holds the two numbers."""
    choose: Callable[..., int]
    """`choose(arms, rng)`: the arm to take when the search is over."""
    mean: Callable[[float, float], float]
    """What an arm's two numbers say it is worth, from -1 to 1."""
    visits: Callable[[float, float], float]
    """How often they say it was tried."""
    exploration: float = 1.0
    """`c` where the user gives none."""

    @cached_property
    def _compiled(self) -> tuple[CFunc, CFunc, CFunc]:
        return (
            _c_function(_select_of(_jitted(self.select)), _SELECT),
            _c_function(_update_of(_jitted(self.update)), _UPDATE),
            _c_function(_choose_of(_jitted(self.choose)), _CHOOSE),
        )

    @property
    def addresses(self) -> NDArray[np.int64]:
        """Where the compiled functions are: select, update, choose. Compiles on first use."""
        return np.array([function.address for function in self._compiled], np.int64)

    def __str__(self) -> str:
        return self.name


def _jitted(function: Any) -> Any:
    return function if isinstance(function, Dispatcher) else njit(function)


def _c_function(function: Callable[..., Any], signature: Any) -> CFunc:
    compiled: Any = CFunc(function, normalize_signature(signature), locals={}, options={})
    compiled._cache = SourceCache(function, "bandit")
    compiled.compile()
    return compiled


def _select_of(rule: Any) -> Callable[..., Any]:
    def select(arms: Any, n: Any, c: Any, rng: Any) -> Any:
        # Only integers cross the border; the exploration comes in millionths.
        return rule(carray(arms, (n, 2)), c * 1e-6, rng)

    return select


def _update_of(rule: Any) -> Callable[..., Any]:
    def update(arms: Any, arm: Any, value: Any) -> None:
        rule(carray(arms, (arm + 1, 2))[arm], value[0])

    return update


def _choose_of(rule: Any) -> Callable[..., Any]:
    def choose(arms: Any, n: Any, rng: Any) -> Any:
        return rule(carray(arms, (n, 2)), rng)

    return choose
