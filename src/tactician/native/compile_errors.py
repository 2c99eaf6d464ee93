"""Explain a failed compilation to a game's author: Numba's reason, the author's line, and what to write instead."""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import takewhile
from pathlib import Path
from types import FrameType
from typing import Any

from numba import types

from tactician.native.failures import is_the_authors
from tactician.native.records import no_field

_COLOUR = re.compile(r"\x1b\[\d*m")
_RECORD = re.compile(r"(unaligned )?Record\(.*\)")
_PLACE = re.compile(r'File "(.+)", line (\d+)|at (\S+) \((\d+)\)')
_SKIPPED = ("Failed in nopython", "No implementation", "During:", "This error may", "Known signatures", "There are")
_LONGEST = 300

_HINTS = (
    (r"Untyped global name .*<class 'function'>", "decorate it with @contract.helper"),
    (r"Untyped global name .*<class '(dict|list|set)'>", "make it a tuple or an array"),
    (r"reflected (list|set)\(.* in globals", "make it a tuple or an array"),
    (r"setitem\(readonly array", "globals are constants inside rules, so keep what changes in the state"),
    (r"DictType", "rules have no dictionaries, so use an array"),
    (r"'breakpoint'", "only interpreted rules stop in a debugger: play game.interpreted()"),
    (r"'input'|'open'", "rules can't read or write files"),
    (r"cast.*none.*int64|none to int64", "the rule returns nothing; a `return` is missing"),
)
"""What Numba says, and what to do about it."""


def gist(error: Exception) -> str:
    """One sentence: what is wrong, what to write instead, and where."""
    frames = list(_frames(error))
    text = _COLOUR.sub("", str(error))
    if isinstance(error, KeyError):
        records = [record for frame in frames if isinstance(record := frame.f_locals.get("self"), types.Record)]
        said = no_field(str(error.args[0]), list(records[-1].fields)) if records else f"no field {error.args[0]!r}"
    else:
        said = f"{type(error).__name__}: {_said(text)}"
        said += next((f"; {hint}" for pattern, hint in _HINTS if re.search(pattern, text)), "")
    place = _place_in(text) or _place_of(error)
    return f"{said}{place and f' ({place})'}."


def _said(text: str) -> str:
    """The lines that say what is wrong."""
    lines = [line.strip() for line in text.splitlines()]
    lines = [line for line in lines if line and not line.startswith(_SKIPPED)]
    lines = list(takewhile(lambda line: not line.startswith(("File ", "- Of which")), lines))  # the source follows
    said = _RECORD.sub("a record", " ".join(lines[:3]))
    said = re.sub(r"^>>> ", "there is no ", said)
    said = re.sub(r"\s*Raised from None\.?$", "", said).rstrip(".")
    return said if len(said) <= _LONGEST else f"{said[: _LONGEST - 3]}..."


def _place_in(text: str) -> str:
    """The author's line that Numba names first, which is the innermost."""
    for found in _PLACE.finditer(text):
        file, line = (part for part in found.groups() if part)
        if is_the_authors(Path(file).resolve()):
            return f"{Path(file).name}, line {line}"
    return ""


def _place_of(error: Exception) -> str:
    """The author's line that Numba was at, where its message has none: its frames know."""
    file, line = "", 0
    for frame in _frames(error):
        known = frame.f_locals
        place = getattr(known.get("self"), "loc", None)
        if place is not None and is_the_authors(Path(place.filename)):
            file, line = place.filename, place.line
        instruction: Any = known.get("current_inst")
        if instruction is not None:
            line = getattr(instruction, "lineno", line)  # in the function whose place came last
    own: Any = getattr(error, "loc", None)
    if not file and own is not None:
        file, line = own.filename, own.line
    return f"{Path(file).name}, line {line}" if file else ""


def _frames(error: Exception) -> Iterator[FrameType]:
    trace = error.__traceback__
    while trace is not None:
        yield trace.tb_frame
        trace = trace.tb_next
