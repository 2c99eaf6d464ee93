"""Tests with many parameters: some run always, the rest with the slow tests."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from typing import Any

import pytest


def rest_slow(values: Iterable[Any], always: Collection[Any]) -> list[Any]:
    """Parameters, of which those that are not in `always` are marked slow."""
    return [value if value in always else _slow(value) for value in values]


def pairs_rest_slow(
    first: Sequence[Any], second: Sequence[Any], always_first: Collection[Any], always_second: Collection[Any]
) -> list[Any]:
    """All pairs of two parameters, marked slow where neither is one that always runs."""
    return [
        (a, b) if a in always_first or b in always_second else pytest.param(a, b, marks=pytest.mark.slow)
        for a in first
        for b in second
    ]


def _slow(value: Any) -> Any:
    """One parameter, or several in a tuple, marked slow."""
    return pytest.param(*(value if isinstance(value, tuple) else (value,)), marks=pytest.mark.slow)
