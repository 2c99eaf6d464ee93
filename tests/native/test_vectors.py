"""Vector arithmetic gives the same floats, bit for bit, as a loop over the elements."""

from __future__ import annotations

import numpy as np
import pytest
from numba import njit
from numpy.typing import NDArray

from tactician.native.memory import address
from tactician.native.vectors import LANES, equal_eight, scale_eight, weigh_eight


@njit
def _weigh(
    out: NDArray[np.float64],
    means: NDArray[np.float64],
    roots: NDArray[np.float64],
    scale: float,
    bonus: float,
    n: int,
) -> float:
    return weigh_eight(address(out), address(means), address(roots), scale, bonus, n)


@njit
def _scale(out: NDArray[np.float64], means: NDArray[np.float64], scale: float, n: int) -> float:
    return scale_eight(address(out), address(means), scale, n)


@njit
def _equal(values: NDArray[np.float64], wanted: float) -> int:
    return equal_eight(address(values), wanted)


@pytest.mark.parametrize("count", [1, 2, 7, 8, 20])
def test_bounds_of_the_first_elements_and_the_highest(count: int) -> None:
    rng = np.random.default_rng(count)
    means, roots = rng.normal(0, 3000, LANES), np.sqrt(rng.integers(1, 100, LANES))
    roots[count:] = 0.0  # what stands behind the edges of a node must not matter
    out, used = np.zeros(LANES), min(count, LANES)
    expected = -1e-4 * means[:used] + 0.7 / roots[:used]
    assert _weigh(out, means, roots, -1e-4, 0.7, count) == expected.max()
    assert out[:used].tolist() == expected.tolist()
    assert (out[used:] == -np.inf).all()
    assert _scale(out, means, -1e-4, count) == (-1e-4 * means[:used]).max()
    assert out[:used].tolist() == (-1e-4 * means[:used]).tolist()


def test_equal_elements_are_bits() -> None:
    values = np.array([1.0, 2.0, 1.0, -np.inf, 3.0, 1.0, 0.0, 1.0])
    assert _equal(values, 1.0) == 0b1010_0101
    assert _equal(values, 5.0) == 0
