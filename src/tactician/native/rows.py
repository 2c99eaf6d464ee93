"""Rows: named numbers that Python and kernels read and write alike, as records in NumPy arrays.

A row is declared as a class with annotated fields and made by `make_rows`:

    class Cursor(Row):
        \"\"\"Where a search stands.\"\"\"

        generation: int
        \"\"\"Generations done.\"\"\"

    cursors = make_rows(Cursor)
    cursor = cursors[0]
    cursor.generation += 1

`cursors` is an array of records and `cursor` a reference into it, interpreted as well as compiled; type checkers see
an object with the declared fields.
"""

from __future__ import annotations

import operator
from types import SimpleNamespace
from typing import TYPE_CHECKING, Annotated, Any, Generic, TypeVar, get_args, get_type_hints

import numpy as np

Int32 = Annotated[int, np.int32]
"""A field of 32 bits; to the type checker it is an `int` like any other."""

if TYPE_CHECKING:

    class Row:
        """Declares the fields of a row: `int` and `float` take 64 bits each, NumPy's number types their own size."""

else:

    class Row(np.void):
        """Declares the fields of a row: `int` and `float` take 64 bits each, NumPy's number types their own size."""

        def __init_subclass__(cls) -> None:
            # Properties, because attributes of NumPy's own records take ten times as long.
            for name in cls.__annotations__:
                setattr(cls, name, _field(name))


_R = TypeVar("_R", bound=Row)
_DTYPES: dict[type[Row], np.dtype] = {}

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
    array.view(np.uint8).fill(0)


def snapshot(row: _R) -> _R:
    """A copy of a row whose fields are plain Python numbers, for code that reads many of them."""
    record: Any = row
    fields: Any = SimpleNamespace(**dict(zip(record.dtype.names, record.item(), strict=True)))
    return fields


def row_dtype(kind: type[Row]) -> np.dtype:
    """The record that holds a row; worked out once, because reading annotations takes longer than a short search."""
    if kind not in _DTYPES:
        _DTYPES[kind] = _declared(kind)
    return _DTYPES[kind]


def _declared(kind: type[Row]) -> np.dtype:
    hints = get_type_hints(kind, include_extras=True)
    fields = [(name, np.dtype(get_args(field)[1] if get_args(field) else field)) for name, field in hints.items()]
    return np.dtype((kind, np.dtype(fields, align=True)))


def _field(name: str) -> property:
    def assign(row: Any, value: Any) -> None:
        row[name] = value

    return property(operator.itemgetter(name), assign)
