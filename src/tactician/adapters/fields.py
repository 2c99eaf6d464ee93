"""The fields of records as arrays: what other toolkits are shown of our states."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray


def fields_of(record: Any, prefix: str = "") -> dict[str, Any]:
    """The fields of a record or of an array of records, those of nested ones with dots in their names."""
    found: dict[str, Any] = {}
    for name in record.dtype.names:
        value = record[name]
        if value.dtype.names is not None:
            found |= fields_of(value, f"{prefix}{name}.")
        else:
            found[prefix + name] = value
    return found


def flat_fields(record: Any) -> NDArray[np.float32]:
    """All fields of a record one after the other."""
    return np.concatenate([np.asarray(value, np.float32).ravel() for value in fields_of(record).values()])
