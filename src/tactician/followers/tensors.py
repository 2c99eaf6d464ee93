"""Read and write safetensors files: a JSON header and raw numbers, so that loading executes nothing.

Playing must work without optional packages, hence a reader of our own; tests compare it with the format's library.
"""

from __future__ import annotations

import json
import math
import struct
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from tactician.errors import InvalidParameterError
from tactician.files import reason, shown, write_files

Tensors = dict[str, NDArray[Any]]

_METADATA = "__metadata__"
_LONGEST_HEADER = 1 << 26
_KINDS = {
    "F64": "<f8",
    "F32": "<f4",
    "F16": "<f2",
    "I64": "<i8",
    "I32": "<i4",
    "I16": "<i2",
    "I8": "|i1",
    "U64": "<u8",
    "U32": "<u4",
    "U16": "<u2",
    "U8": "|u1",
    "BOOL": "|b1",
}
_NAMES = {np.dtype(kind): name for name, kind in _KINDS.items()}


def write_tensors(path: Path, tensors: Mapping[str, NDArray[Any]], metadata: Mapping[str, str]) -> None:
    """Write arrays and texts into one file, which is whole or not there."""
    write_files({path: tensor_bytes(tensors, metadata)})


def tensor_bytes(tensors: Mapping[str, NDArray[Any]], metadata: Mapping[str, str]) -> bytes:
    """The content of a file."""
    header: dict[str, Any] = {_METADATA: dict(metadata)}
    parts, end = [], 0
    for name, array in tensors.items():
        content = np.ascontiguousarray(array).tobytes()
        span = [end, end + len(content)]
        header[name] = {"dtype": _NAMES[array.dtype], "shape": list(array.shape), "data_offsets": span}
        parts.append(content)
        end = span[1]
    text = json.dumps(header, separators=(",", ":")).encode()
    text += b" " * (-len(text) % 8)
    return b"".join((struct.pack("<Q", len(text)), text, *parts))


def read_tensors(path: Path, what: str) -> tuple[Tensors, dict[str, str]]:
    """Arrays and texts of a file; `what` is what messages call it."""
    try:
        content = path.read_bytes()
    except (OSError, ValueError) as error:
        why = reason(error) if isinstance(error, OSError) else str(error)
        raise InvalidParameterError(f"{what} {shown(path)} can't be read: {why}.") from error
    try:
        return _parsed(content)
    except (ValueError, KeyError, TypeError, AttributeError, RecursionError) as error:
        raise InvalidParameterError(
            f"{what} {shown(path)} is not a whole safetensors file ({error}); expected one that was not cut or changed."
        ) from error


def _parsed(content: bytes) -> tuple[Tensors, dict[str, str]]:
    if len(content) < 8:
        raise ValueError(f"{len(content)} bytes")
    (length,) = struct.unpack("<Q", content[:8])
    if length > min(_LONGEST_HEADER, len(content) - 8):
        raise ValueError(f"its header should have {length} bytes")
    header = json.loads(content[8 : 8 + length].decode())
    metadata = {str(key): str(value) for key, value in header.pop(_METADATA, {}).items()}
    data = memoryview(content)[8 + length :]
    return {name: _tensor(name, entry, data) for name, entry in header.items()}, metadata


def _tensor(name: str, entry: Mapping[str, Any], data: memoryview) -> NDArray[Any]:
    kind, shape = np.dtype(_KINDS[entry["dtype"]]), tuple(map(int, entry["shape"]))
    begin, end = map(int, entry["data_offsets"])
    size = math.prod(shape) * kind.itemsize
    if min(shape, default=0) < 0 or not 0 <= begin <= end <= len(data) or end - begin != size:
        raise ValueError(f"tensor {name!r} of shape {shape} has bytes {begin} to {end} of {len(data)}")
    return np.frombuffer(data[begin:end], kind).reshape(shape).copy()
