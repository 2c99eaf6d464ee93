"""The garbage collector rests while Numba compiles, and never longer."""

from __future__ import annotations

import gc
from collections.abc import Iterator
from typing import Any

import pytest
from numba import njit
from numba.core.errors import NumbaError
from numba.extending import overload

import tactician.native.caching  # noqa: F401 (it pauses the collector)

seen: list[bool] = []


def looked_at() -> Any:
    return 1


@overload(looked_at)
def _looked_at() -> Any:
    seen.append(gc.isenabled())
    return lambda: 1


@pytest.fixture(autouse=True)
def collector() -> Iterator[None]:
    seen.clear()
    yield
    gc.enable()


def compiled() -> None:
    njit(lambda: looked_at())()


def test_it_rests_while_a_function_is_compiled() -> None:
    compiled()
    assert seen
    assert not any(seen)
    assert gc.isenabled()


def test_it_goes_on_after_a_function_that_does_not_compile() -> None:
    with pytest.raises(NumbaError):
        njit(lambda: looked_at() + "text")()
    assert gc.isenabled()


def test_it_stays_off_where_it_was_off() -> None:
    gc.disable()
    compiled()
    assert not gc.isenabled()
