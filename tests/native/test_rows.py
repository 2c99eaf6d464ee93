"""Rows: the same fields interpreted and compiled, in the caller, in helpers and in named tuples."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np
import pytest
from numpy.typing import NDArray

from tactician.native.caching import inlined, kernel
from tactician.native.memory import borrowed
from tactician.native.rows import Row, Rows, clear_rows, make_rows, row_dtype, snapshot


class Tally(Row):
    """A field of each kind."""

    flag: bool
    """In front, so that the others have to be aligned."""
    number: int
    least: float
    word: np.uint64
    small: np.int16


class Bundle(NamedTuple):
    tallies: Rows[Tally]
    weights: NDArray[np.float64]


@inlined
def note(bundle: Bundle, i: int, value: float) -> None:
    tally = bundle.tallies[i]
    tally.number += 1
    tally.least = min(tally.least, value)


@kernel
def work_through(bundle: Bundle) -> int:
    bundle = borrowed(bundle)
    for i in range(len(bundle.tallies)):
        note(bundle, i, -bundle.weights[i])
        note(bundle, i, bundle.weights[i])
    last = bundle.tallies[len(bundle.tallies) - 1]
    last.flag = True
    last.word |= np.uint64(1 << 63)
    last.small -= 5
    return bundle.tallies[0].number


def interpreted(bundle: Bundle) -> int:
    for i in range(len(bundle.tallies)):
        tally = bundle.tallies[i]
        tally.number += 2
        tally.least = min(tally.least, -bundle.weights[i], bundle.weights[i])
    last = bundle.tallies[len(bundle.tallies) - 1]
    last.flag = True
    last.word |= np.uint64(1 << 63)
    last.small -= np.int16(5)
    return bundle.tallies[0].number


@pytest.mark.parametrize("function", [work_through, interpreted])
def test_a_row_is_changed_in_place(function: Callable[[Bundle], int]) -> None:
    bundle = Bundle(make_rows(Tally, 3), np.array([1.5, -2.0, 0.5]))
    assert function(bundle) == 2
    rows: Any = bundle.tallies
    assert rows.tolist() == [
        (False, 2, -1.5, 0, 0),
        (False, 2, -2.0, 0, 0),
        (True, 2, -0.5, 1 << 63, -5),
    ]
    clear_rows(bundle.tallies)
    assert rows.tolist() == [(False, 0, 0.0, 0, 0)] * 3


def test_fields_lie_where_the_processor_reads_them_whole() -> None:
    dtype = row_dtype(Tally)
    assert dtype.isalignedstruct
    assert dtype.names == ("flag", "number", "least", "word", "small")
    assert [dtype[name].str[1:] for name in dtype.names] == ["b1", "i8", "f8", "u8", "i2"]


def test_a_field_may_have_the_name_of_a_method_of_numpys_records() -> None:
    class Sized(Row):
        size: int
        round: float

    rows = make_rows(Sized, 2)
    rows[1].size, rows[1].round = 7, 0.5
    assert (rows[1].size, rows[1].round) == (7, 0.5)
    assert (rows[0].size, rows[0].round) == (0, 0.0)
    assert isinstance(rows[1], Sized)


def test_a_snapshot_does_not_change_with_its_row_and_holds_python_numbers() -> None:
    rows = make_rows(Tally)
    row = rows[0]
    row.number, row.flag = 3, True
    taken = snapshot(row)
    row.number = 4
    assert (taken.number, taken.flag, taken.least) == (3, True, 0.0)
    assert [type(value) for value in (taken.number, taken.flag, taken.least)] == [int, bool, float]
