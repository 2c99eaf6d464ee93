"""Rows: named numbers that Python and kernels read and write alike, as records in NumPy arrays.

A row is declared as a class with annotated fields and made by `make_rows`:

    class Cursor(Row):
        \"\"\"Where a search stands.\"\"\"

        generation: int
        \"\"\"Generations done.\"\"\"

    cursors = make_rows(Cursor)
    cursor = cursors[0]
    cursor.generation += 1

A type checker sees an object with these fields. At run time `cursors` is an array of records, and `cursor` is a
reference into it, interpreted as well as compiled.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Generic, TypeVar, get_type_hints

import numpy as np


class Row:
    """Declares the fields of a row: `int` and `float` take 64 bits each, NumPy's number types their own size."""

    def __init__(self) -> None:
        raise TypeError(f"{type(self).__name__} declares rows; make_rows makes them")


_R = TypeVar("_R", bound=Row)

if TYPE_CHECKING:

    class Rows(Generic[_R]):
        """An array of rows."""

        nbytes: int
        itemsize: int

        def __len__(self) -> int: ...
        def __getitem__(self, index: int | np.integer[Any]) -> _R: ...

else:
    Rows = np.ndarray


def make_rows(kind: type[_R], count: int = 1) -> Rows[_R]:
    """An array of rows whose fields are all 0."""
    made: Any = np.zeros(count, row_dtype(kind))
    return made


def clear_rows(rows: Rows[Any]) -> None:
    """Set all fields of all rows to 0."""
    array: Any = rows
    array[:] = np.zeros(1, array.dtype)


def row_dtype(kind: type[Row]) -> np.dtype:
    """The record that holds a row."""
    fields = get_type_hints(kind)
    for name in fields:
        if hasattr(np.record, name):
            raise TypeError(f"{kind.__name__}.{name} would hide an attribute of NumPy records; choose another name")
    return np.dtype((np.record, np.dtype([(name, np.dtype(field)) for name, field in fields.items()], align=True)))
