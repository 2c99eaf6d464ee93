"""Records: what a game's `Config` and `State` may be, and how interpreted rules see them.

Compiled rules work on memory. Interpreted ones get a `Record` on the same memory that behaves alike: fields are
attributes, numbers read as Python numbers, and what is stored wraps to the field's width as compiled code does.
"""

from __future__ import annotations

import contextlib
import ctypes
import difflib
import math
from collections.abc import Callable, Iterable, Iterator
from operator import attrgetter
from typing import Any, ClassVar

import numpy as np

from tactician.errors import InvalidGameError

ERROR_FIELD = "error"
_FORMATS: dict[str, Any] = {
    "i1": "b", "u1": "B", "i2": "h", "u2": "H", "i4": "i", "u4": "I", "i8": "q", "u8": "Q",
    "f4": "f", "f8": "d", "b1": "?",
}  # fmt: skip


def with_error_cell(dtype: np.dtype) -> np.dtype:
    """The configuration's layout with the error cell in front, unless it is there already."""
    if dtype.names and dtype.names[0] == ERROR_FIELD and dtype.fields is not None:
        first = dtype.fields[ERROR_FIELD]
        if first[0] == np.dtype("i8") and first[1] == 0:
            return dtype
    if ERROR_FIELD in (dtype.names or ()):
        raise InvalidGameError(
            f"Config field {ERROR_FIELD!r} is not the error cell; expected it first, an i8, or not at all."
        )
    fields = [(ERROR_FIELD, np.dtype("i8"))]
    fields += [(name, dtype.fields[name][0]) for name in dtype.names or () if dtype.fields]
    return np.dtype(fields, align=True)


def require_plain_data(dtype: Any, role: str, where: str) -> np.dtype:
    """Refuse a record type that is not a structure of numbers in the machine's byte order."""
    if not isinstance(dtype, np.dtype) or dtype.names is None:
        raise InvalidGameError(f"{role} ({where}) is {dtype!r}; expected a structured NumPy dtype with named fields.")
    if not dtype.names and role != "Config":
        raise InvalidGameError(f"{role} ({where}) has no fields; expected at least one.")
    for name in dtype.names:
        assert dtype.fields is not None
        base = dtype.fields[name][0].base
        if name == "dtype" or name.startswith("__"):
            raise InvalidGameError(f"{role} field {name!r} ({where}) has a name that NumPy needs; choose another.")
        if base.names is not None and dtype.fields[name][0].shape:
            raise InvalidGameError(
                f"{role} field {name!r} ({where}) is an array of records, which rules can't use; "
                "make each of its fields an array."
            )
        if base.names is not None:
            require_plain_data(base, f"{role} field {name!r}", where)
        elif base.str[1:] not in _FORMATS or not base.isnative:
            raise InvalidGameError(
                f"{role} field {name!r} ({where}) has type {base}, which is not plain data; "
                "expected integers, floats or booleans of fixed size in native byte order."
            )
    return dtype


def padding_mask(dtype: np.dtype) -> np.ndarray:
    """True for each byte of a record that belongs to no field."""
    mask = np.ones(dtype.itemsize, bool)
    _clear_fields(dtype, mask, 0)
    return mask


def _clear_fields(dtype: np.dtype, mask: np.ndarray, start: int) -> None:
    for name in dtype.names or ():
        assert dtype.fields is not None
        field, offset = dtype.fields[name][:2]
        count = math.prod(field.shape)
        for index in range(count):
            begin = start + offset + index * field.base.itemsize
            if field.base.names is None:
                mask[begin : begin + field.base.itemsize] = False
            else:
                _clear_fields(field.base, mask, begin)


def no_field(name: str, fields: Iterable[str]) -> str:
    """What to say of a field that a record lacks: what may have been meant, and what there is."""
    known = list(fields)
    near = difflib.get_close_matches(name, known, n=1, cutoff=0.5)
    hint = f" (did you mean {near[0]!r}?)" if near else ""
    return f"the record has no field {name!r}{hint}; it has {', '.join(known)}"


def words_of(dtype: np.dtype) -> int:
    """How many 64-bit words hold one record."""
    return -(-dtype.itemsize // 8)


LossListener = Callable[[str, np.dtype, Any, int], None]
_on_loss: LossListener | None = None


@contextlib.contextmanager
def watching_losses(listener: LossListener) -> Iterator[None]:
    """Tell `listener` (field, type, value, result) when an interpreted rule stores what its field can't hold."""
    global _on_loss
    before, _on_loss = _on_loss, listener
    try:
        yield
    finally:
        _on_loss = before


class Record:
    """A record at an address, as interpreted rules see it: fields are attributes, what is stored wraps.

    `record_class` makes a subclass for each layout, with a property for each field.
    """

    __slots__ = ("_address",)
    _layout: ClassVar[np.dtype]

    def __init__(self, address: int) -> None:
        object.__setattr__(self, "_address", address)

    def __getattr__(self, name: str) -> Any:
        raise AttributeError(no_field(name, self._layout.names or ()))

    def __setattr__(self, name: str, value: Any) -> None:
        if name not in (self._layout.fields or {}):
            raise AttributeError(no_field(name, self._layout.names or ()))
        object.__setattr__(self, name, value)

    def __repr__(self) -> str:
        values = (f"{name}={_plain(getattr(self, name))}" for name in self._layout.names or ())
        return f"<record {', '.join(values)}>"


def _plain(view: Any) -> Any:
    return view.tolist() if isinstance(view, Block) else view


_CLASSES: dict[np.dtype, type[Record]] = {}


def record_class(dtype: np.dtype) -> type[Record]:
    """The class of interpreted records of a layout."""
    found = _CLASSES.get(dtype)
    if found is None:
        fields = dict(dtype.fields or {})
        slots = {name: f"_view_of_{name}" for name in fields}
        members: dict[str, Any] = {"__slots__": tuple(slots.values()), "_layout": dtype}
        for name, (field, offset, *_) in fields.items():
            members[name] = _field_property(name, slots[name], field, offset)
        found = _CLASSES[dtype] = type("Record", (Record,), members)
    return found


def _field_property(name: str, slot: str, field: np.dtype, offset: int) -> property:
    """Reads and writes one field; its view of the memory is made when it is first needed."""

    def view_of(record: Record) -> Any:
        place = record._address + offset
        view: Any
        if field.base.names is not None:
            view = record_class(field.base)(place)
        else:
            view = Block(field.base, place, field.shape or (1,), name)
        object.__setattr__(record, slot, view if field.shape or field.base.names is not None else (view._flat, view))
        return object.__getattribute__(record, slot)

    get_slot = attrgetter(slot)

    def get_view(record: Record) -> Any:
        try:
            return get_slot(record)
        except AttributeError:
            return view_of(record)

    if field.base.names is not None:

        def refuse(record: Record, value: Any) -> None:
            raise TypeError(f"field {name!r} is a record; assign its fields one by one")

        return property(get_view, refuse)
    if field.shape:

        def fill(record: Record, value: Any) -> None:
            get_view(record)[:] = value

        return property(get_view, fill)

    def get_number(record: Record) -> Any:
        try:
            return get_slot(record)[0][0]
        except AttributeError:
            return view_of(record)[0][0]

    def set_number(record: Record, value: Any) -> None:
        get_view(record)[1]._store(0, value)

    return property(get_number, set_number)


def interpreted_record(record: Any) -> Record:
    """A NumPy record as interpreted rules see it, on the same memory."""
    return record_class(record.dtype)(record.__array_interface__["data"][0])


class Block:
    """An array inside a record, or a buffer a rule writes to, with bounds that hold."""

    __slots__ = ("_base", "_flat", "_limit", "_mask", "_memory", "_name", "shape")

    def __init__(self, base: np.dtype, address: int, shape: tuple[int, ...], name: str = "") -> None:
        self._name = name
        size = math.prod(shape)
        self._base = base
        self._memory = (ctypes.c_char * (size * base.itemsize)).from_address(address)
        self._flat = memoryview(self._memory).cast("B").cast(_FORMATS[base.str[1:]])
        self.shape = shape
        bits = 8 * base.itemsize if base.kind in "iu" else 0
        self._mask = (1 << bits) - 1 if bits else 0
        self._limit = 1 << (bits - 1) if base.kind == "i" else 0

    def __len__(self) -> int:
        return self.shape[0]

    def __getattr__(self, name: str) -> Any:
        """What arrays can do besides: `s.hand.sum()`, with Python numbers as results."""
        if name.startswith("_"):
            raise AttributeError(name)
        found = getattr(self._array(), name)
        if not callable(found):
            return found

        def method(*arguments: Any, **named: Any) -> Any:
            result = found(*arguments, **named)
            return result.item() if isinstance(result, np.generic) else result

        return method

    def __iter__(self) -> Iterator[Any]:
        return (self[i] for i in range(len(self)))

    def __getitem__(self, index: Any) -> Any:
        if type(index) is int and len(self.shape) == 1:
            try:
                return self._flat[index]
            except IndexError:
                self._place(index)  # says which index and how many there are
                raise
        place = self._place(index)
        if place is None:
            part = self._array()[index]
            if isinstance(part, np.ndarray) and not _has_slice(index):
                return Block(self._base, part.ctypes.data, part.shape)
            return part.view(NumberArray)
        return self._flat[place]

    def __setitem__(self, index: Any, value: Any) -> None:
        if type(index) is int and len(self.shape) == 1:
            self._store(index, value)
            return
        place = self._place(index)
        if place is None:
            self._array()[index] = self._array().dtype.type(value) if np.isscalar(value) else value
        else:
            self._store(place, value)

    def _store(self, place: int, value: Any) -> None:
        mask = self._mask
        if mask:
            stored = int(value) & mask
            if self._limit and stored >= self._limit:
                stored -= mask + 1
            if stored != value and _on_loss is not None:
                _on_loss(self._name, self._base, value, stored)
            value = stored
        self._flat[place] = value

    def _place(self, index: Any) -> int | None:
        """The flat position of one element, or None if the index names a part."""
        if type(index) is tuple and len(index) == len(self.shape) == 2:
            row, column = index
            rows, columns = self.shape
            if type(row) is type(column) is int and 0 <= row < rows and 0 <= column < columns:
                return row * columns + column
        parts = index if isinstance(index, tuple) else (index,)
        if len(parts) != len(self.shape) or _has_slice(parts):
            return None
        place = 0
        for part, extent in zip(parts, self.shape, strict=True):
            number = int(part)
            if not -extent <= number < extent:
                raise IndexError(f"index {number} is out of bounds for an axis of size {extent}")
            place = place * extent + number % extent
        return place

    def _array(self) -> np.ndarray:
        return array_at(self._memory, self._base).reshape(self.shape)


class Buffer(Block):
    """What a rule writes its output to: an index outside is an error, a negative one too."""

    __slots__ = ("_what",)

    def __init__(self, base: np.dtype, address: int, size: int, what: str) -> None:
        super().__init__(base, address, (size,))
        self._what = what

    def __getitem__(self, index: Any) -> Any:
        return self._flat[self._checked(index)]

    def __setitem__(self, index: Any, value: Any) -> None:
        self._store(self._checked(index), value)

    def _checked(self, index: Any) -> int:
        number = int(index)
        if not 0 <= number < self.shape[0]:
            raise IndexError(f"index {number} is outside {self._what}, which has room for {self.shape[0]}")
        return number


def _has_slice(index: Any) -> bool:
    parts = index if isinstance(index, tuple) else (index,)
    return any(isinstance(part, slice) or part is Ellipsis for part in parts)


class NumberArray(np.ndarray):
    """An array as interpreted rules see it: what is read is a Python number, what is stored wraps."""

    def __getitem__(self, index: Any) -> Any:
        found = super().__getitem__(index)
        return found.item() if isinstance(found, np.generic) else found

    def __setitem__(self, index: Any, value: Any) -> None:
        super().__setitem__(index, np.asarray(value).astype(self.dtype))


def array_at(memory: Any, element: np.dtype) -> Any:
    """A NumPy array on memory that ctypes describes."""
    return np.frombuffer(memory, element)


class FieldRecord(np.record):  # type: ignore[misc]
    """A NumPy record whose fields win over its methods: `s.round` and `s.size` are what the author declared."""

    def __getattribute__(self, name: str) -> Any:
        read = np.void.__getattribute__
        fields = read(self, "dtype").fields
        if fields is None or name not in fields:
            try:
                return read(self, name)
            except AttributeError:
                if name.startswith("_"):
                    raise
                raise AttributeError(no_field(name, fields or ())) from None
        value = np.void.__getitem__(self, name)
        return value.view(np.dtype((FieldRecord, value.dtype))) if isinstance(value, np.void) else value

    def __setattr__(self, name: str, value: Any) -> None:
        try:
            self[name] = value
        except (KeyError, ValueError) as error:
            if name in (self.dtype.names or ()):
                raise
            raise AttributeError(no_field(name, self.dtype.names or ())) from error


def record_view(dtype: np.dtype, words: np.ndarray) -> Any:
    """A NumPy record on the same memory as an array of words, with fields as attributes."""
    return words.view(np.uint8)[: dtype.itemsize].view(np.dtype((FieldRecord, dtype)))[0]
