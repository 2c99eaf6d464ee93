"""Actions as numbers: ``kind · 16384 + instance id · 128 + where``.

``where`` is a lane, a target's instance id + 1, or 0 for the opponent. Instance ids don't change during a turn, so an
action means the same at any point of it.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from tactician.contract import inline_helper
from tactician.errors import InvalidStateError, short
from tactician.games.locm.records import UNKNOWN
from tactician.native.records import FieldRecord
from tactician.native.variants import interpreted

PASS, SUMMON, ATTACK, USE = range(4)
KIND, WHO = 16384, 128
"""What kind and instance id are multiplied by in an action's number."""
MAX_ID = 126
VERBS = {SUMMON: "SUMMON", ATTACK: "ATTACK", USE: "USE"}
_KINDS = {verb: kind for kind, verb in VERBS.items()}


@inline_helper
def code(kind: Any, who: Any, where: Any) -> Any:
    """Return the number of an action."""
    return kind * KIND + who * WHO + where


@inline_helper
def decode(action: Any) -> Any:
    """Return kind, instance id and where of an action."""
    return action // KIND, action // WHO % WHO, action % WHO


split_action: Callable[[int], tuple[int, int, int]] = interpreted(decode)
"""`decode` for Python code."""


def to_json(g: FieldRecord, action: int) -> str:
    """Return an action as bots write it."""
    kind, who, where = split_action(action)
    if kind == PASS:
        return "PASS"
    if kind == SUMMON:
        return f"SUMMON {who} {where}" if int(g.lanes) > 1 else f"SUMMON {who}"
    return f"{VERBS[kind]} {who} {where - 1}"


def from_json(g: FieldRecord, data: Any) -> int:
    """Return the number of an action written as bots do, without free text."""
    words = data.split(" ") if isinstance(data, str) else []
    if words == ["PASS"]:
        return PASS
    if words and words[0] == "SUMMON" and len(words) == 2 and int(g.lanes) == 1:
        words.append("0")
    if len(words) != 3 or words[0] not in _KINDS:
        raise InvalidStateError(
            f"action is {short(data)}; expected PASS, SUMMON id lane, ATTACK id target or USE id target."
        )
    try:
        who, where = int(words[1]), int(words[2])
    except ValueError:
        raise InvalidStateError(f"action is {short(data)}; expected whole numbers after {words[0]}.") from None
    number = encode(_KINDS[words[0]], who, where)
    if number is None:
        raise InvalidStateError(f"action is {short(data)}; expected ids from 0 to {MAX_ID} and lanes 0 and 1.")
    return number


def encode(kind: int, who: int, where: int) -> int | None:
    """Return the number of an action with a lane or target as bots give it; None if ids or lane are out of range."""
    target = where if kind == SUMMON else where + 1
    if not 0 <= who <= MAX_ID or not 0 <= target <= (1 if kind == SUMMON else MAX_ID + 1):
        return None
    return kind * KIND + who * WHO + target


def name(g: FieldRecord, s: FieldRecord, action: int) -> str:
    """Describe an action in a state, such as ``summon Slimer (3) left``."""
    from tactician.games.locm.positions import card_name

    kind, who, where = split_action(action)
    if kind == PASS:
        return "end turn"
    actor = f"{card_name(g, s, who)} ({who})"
    if kind == SUMMON:
        lane = (" left", " right")[where] if int(g.lanes) > 1 else ""
        return f"summon {actor}{lane}"
    target = "the opponent" if where == 0 else f"{card_name(g, s, where - 1)} ({where - 1})"
    return f"{actor} attacks {target}" if kind == ATTACK else f"use {actor} on {target}"


def parts(g: FieldRecord, s: FieldRecord, player: int, action: int) -> list[str]:
    """Return what an action points at in the drawing: a card or creature, then a lane, a creature or the opponent."""
    kind, who, where = split_action(action)
    if kind == PASS:
        return []
    if kind == SUMMON:
        return [f"card:{who}", f"lane:{where}"]
    return [f"card:{who}", f"player:{1 - player}" if where == 0 else f"card:{where - 1}"]


def card_of_instance(s: FieldRecord, identity: int) -> int:
    """Return the card number of an instance id, wherever the card is; `UNKNOWN` if it was never seen."""
    for player in range(2):
        for place in range(int(s.deck.shape[1])):
            if int(s.deck_id[player, place]) in (identity, identity - 1) and int(s.deck[player, place]) != UNKNOWN:
                exact = int(s.deck_id[player, place]) == identity
                if exact or identity not in s.deck_id:
                    return int(s.deck[player, place])
    return UNKNOWN
