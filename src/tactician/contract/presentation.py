"""What people see of a game: its start positions, names, drawings and JSON, with plain defaults for each."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from html import escape
from typing import Any

import numpy as np

from tactician.contract.reading import require_fields
from tactician.errors import InvalidStateError, short

_PAPER, _INK = "#fbfaf6", "#1d2733"


def configure(g: Any) -> None:
    """Nothing is worked out from the configuration's other fields."""


def action_name(g: Any, s: Any, action: int) -> str:
    """The action's number."""
    return str(action)


def action_parts(g: Any, s: Any, player: int, action: int) -> list[str]:
    """None: the action is chosen by its name."""
    return []


def why_illegal(g: Any, s: Any, player: int, action: int) -> str:
    """No reason: the message says only that the action is not legal."""
    return ""


def action_to_json(g: Any, action: int) -> int:
    """The action's number."""
    return int(action)


def action_from_json(g: Any, data: Any) -> int:
    """The number itself, if it is one."""
    if isinstance(data, bool) or not isinstance(data, int) or not -(2**31) <= data < 2**31:
        raise InvalidStateError(f"action is {data!r}; expected a 32-bit integer.")
    return data


def state_to_json(g: Any, s: Any) -> dict[str, Any]:
    """Each field by name, arrays as lists."""
    return {name: _to_plain(s[name]) for name in s.dtype.names}


def _to_plain(value: Any) -> Any:
    if isinstance(value, np.void):
        return {name: _to_plain(value[name]) for name in value.dtype.names or ()}
    return value.tolist()


def state_from_json(g: Any, s: Any, data: Any) -> None:
    """Every field must be there, have the right shape and fit its type."""
    _fill(s, data, "state")


def _fill(record: Any, data: Any, path: str) -> None:
    require_fields(path, data, record.dtype.names)
    for name in record.dtype.names:
        dtype = record.dtype.fields[name][0]
        if dtype.base.names is not None:
            _fill(record[name], data[name], f"{path}.{name}")
        else:
            record[name] = _array(data[name], dtype, name)


def _array(value: Any, dtype: np.dtype, name: str) -> Any:
    try:
        array = np.array(value)
    except ValueError:
        array = np.array(None)
    if array.shape != dtype.shape or array.dtype.kind not in "iufb":
        shape = f"{'×'.join(map(str, dtype.shape))} numbers" if dtype.shape else "a number"
        raise InvalidStateError(f"field {name!r} is {short(value)}; expected {shape}.")
    with np.errstate(invalid="ignore", over="ignore"):
        cast = array.astype(dtype.base)
    if not np.array_equal(cast, array, equal_nan=array.dtype.kind == "f"):
        raise InvalidStateError(f"field {name!r} is {short(value)}; expected what fits {dtype.base}.")
    return cast


def draw_text(g: Any, s: Any) -> str:
    """A line a field."""
    return "\n".join(f"{name}: {np.asarray(s[name]).tolist()}" for name in s.dtype.names)


def draw_svg(g: Any, s: Any) -> str:
    """The text drawing in an SVG document."""
    return text_svg(draw_text(g, s).splitlines())


def text_svg(lines: Sequence[str]) -> str:
    """Lines of text in an SVG document, in the colours of the games' drawings: readable on any page."""
    rows = "".join(f'<text x="8" y="{20 + 18 * i}">{escape(line, quote=False)}</text>' for i, line in enumerate(lines))
    height = 18 * len(lines) + 14
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" width="720" height="{height}" font-family="monospace" '
        f'font-size="13" fill="{_INK}"><rect width="720" height="{height}" rx="12" fill="{_PAPER}"/>{rows}</svg>'
    )


@dataclass(frozen=True)
class Presentation:
    """What people see of a game. `g` and `s` are NumPy records; what is None has a plain default."""

    initial_state: Callable[..., None] | None = None
    configure: Callable[[Any], None] = configure
    action_name: Callable[[Any, Any, int], str] = action_name
    action_parts: Callable[[Any, Any, int, int], list[str]] = action_parts
    why_illegal: Callable[[Any, Any, int, int], str] = why_illegal
    action_to_json: Callable[[Any, int], Any] = action_to_json
    action_from_json: Callable[[Any, Any], int] = action_from_json
    state_to_json: Callable[[Any, Any], Any] = state_to_json
    state_from_json: Callable[[Any, Any, Any], None] = state_from_json
    draw_text: Callable[[Any, Any], str] = draw_text
    draw_svg: Callable[[Any, Any], str] = draw_svg
