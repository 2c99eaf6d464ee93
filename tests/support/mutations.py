"""Change JSON documents at random: what a careless or hostile writer may have put into a file."""

from __future__ import annotations

import copy
import random
from collections.abc import Iterator
from typing import Any

STRANGE: tuple[Any, ...] = (
    None,
    True,
    False,
    0,
    1,
    -1,
    2,
    5,
    40,
    99,
    127,
    128,
    255,
    256,
    32_767,
    65_536,
    2**31 - 1,
    2**31,
    -(2**31) - 1,
    2**63,
    -(2**63) - 1,
    10**30,
    0.5,
    1e9,
    -1e300,
    float("nan"),
    float("inf"),
    "",
    "1",
    "\x00",
    "[/x]",
    "E" * 70,
    [],
    {},
    [0],
    [None],
    [[1, 2], 3],
    [[0, 0]] * 40,
    {"t": 1},
)
"""Values that stand where others are expected."""


def mutated(document: Any, chance: random.Random, most: int = 3) -> Any:
    """A copy of a document with one to `most` changes at random places."""
    changed = copy.deepcopy(document)
    for _ in range(chance.randint(1, most)):
        places = list(_places(changed))
        if not places:
            return chance.choice(STRANGE)
        holder, key = chance.choice(places)
        _change(holder, key, chance)
    return changed


def damaged(data: bytes, chance: random.Random) -> bytes:
    """Bytes with flipped bits, a piece that is missing, doubled or zeroed, or a cut end."""
    spoiled = bytearray(data)
    start = chance.randrange(len(spoiled))
    end = min(len(spoiled), start + chance.choice((1, 4, 64, 1024)))
    match chance.randrange(5):
        case 0:
            for _ in range(chance.randint(1, 8)):
                spoiled[chance.randrange(len(spoiled))] ^= 1 << chance.randrange(8)
        case 1:
            del spoiled[start:end]
        case 2:
            spoiled[start:start] = spoiled[start:end]
        case 3:
            spoiled[start:end] = bytes(end - start)
        case _:
            del spoiled[start:]
    return bytes(spoiled)


def _places(node: Any) -> Iterator[tuple[Any, Any]]:
    """Every place of a document: what holds it, and its key or index."""
    items = node.items() if isinstance(node, dict) else enumerate(node) if isinstance(node, list) else ()
    for key, value in items:
        yield node, key
        yield from _places(value)


def _change(holder: Any, key: Any, chance: random.Random) -> None:
    kind = chance.randrange(8)
    value = holder[key]
    if kind == 0:
        del holder[key]
    elif kind == 1 and isinstance(holder, list):
        holder.insert(key, copy.deepcopy(value))
    elif kind == 1:
        holder[f"{key}x"] = value
    elif kind == 2 and isinstance(holder, list):
        other = chance.randrange(len(holder))
        holder[key], holder[other] = holder[other], value
    elif kind in (3, 4) and type(value) is int:
        holder[key] = value + chance.choice((-2, -1, 1, 2, 10))
    elif kind in (3, 4) and isinstance(value, str) and value:
        at = chance.randrange(len(value))
        holder[key] = value[:at] + chance.choice("0123456789abcdxKACWNIPRSDH-[\x00é") + value[at + 1 :]
    else:
        holder[key] = copy.deepcopy(chance.choice(STRANGE))


EXTREMES = (0, 1, 2, 3, 5, 9, 10, 12, 13, 25, 30, 60, 64, 99, 100, 126, 127, 128, 254, 255, 800, 1000, 29_999, 30_000)
"""Numbers that many fields may have, most of them at an end of some range."""


def nudged(document: Any, chance: random.Random, most: int = 6) -> Any:
    """A copy of a document with one to `most` other numbers, which more often still is a possible one."""
    changed = copy.deepcopy(document)
    places = [(holder, key) for holder, key in _places(changed) if type(holder[key]) is int]
    for holder, key in chance.sample(places, min(len(places), chance.randint(1, most))):
        value = holder[key]
        holder[key] = chance.choice((value + 1, max(0, value - 1), chance.choice(EXTREMES), chance.choice(EXTREMES)))
    return changed
