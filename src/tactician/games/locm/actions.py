"""Actions as numbers: ``kind · 16384 + instance id · 128 + where``; where is a lane, or a target's id + 1, or 0 for
the opponent. Instance ids stay what they are through a turn, so an action means the same wherever it stands in it."""

from __future__ import annotations

from typing import Any

from tactician.contract import inline_helper
from tactician.errors import InvalidStateError, short
from tactician.games.locm.records import UNKNOWN

PASS, SUMMON, ATTACK, USE = range(4)
KIND, WHO = 16384, 128
MAX_ID = 126
VERBS = {SUMMON: "SUMMON", ATTACK: "ATTACK", USE: "USE"}
_KINDS = {verb: kind for kind, verb in VERBS.items()}


@inline_helper
def code(kind: Any, who: Any, where: Any) -> Any:
    """The number of an action."""
    return kind * KIND + who * WHO + where


@inline_helper
def decode(action: Any) -> Any:
    """Kind, instance id, where."""
    return action // KIND, action // WHO % WHO, action % WHO


def to_json(g: Any, action: int) -> str:
    """The action as bots write it."""
    kind, who, where = action // KIND, action // WHO % WHO, action % WHO
    if kind == PASS:
        return "PASS"
    if kind == SUMMON:
        return f"SUMMON {who} {where}" if int(g.lanes) > 1 else f"SUMMON {who}"
    return f"{VERBS[kind]} {who} {where - 1}"


def from_json(g: Any, data: Any) -> int:
    """The number of an action as bots write it, without free text; refuses what is not one."""
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
        raise InvalidStateError(f"action is {short(data)}; expected numbers behind {words[0]}.") from None
    number = encode(_KINDS[words[0]], who, where)
    if number is None:
        raise InvalidStateError(f"action is {short(data)}; expected ids from 0 to {MAX_ID} and lanes 0 and 1.")
    return number


def encode(kind: int, who: int, where: int) -> int | None:
    """The number of an action with a lane or a target as bots give it; None if no such thing can exist."""
    target = where if kind == SUMMON else where + 1
    if not 0 <= who <= MAX_ID or not 0 <= target <= (1 if kind == SUMMON else MAX_ID + 1):
        return None
    return kind * KIND + who * WHO + target


def name(g: Any, s: Any, action: int) -> str:
    """What people call an action in a state."""
    from tactician.games.locm.positions import card_name

    kind, who, where = action // KIND, action // WHO % WHO, action % WHO
    if kind == PASS:
        return "end turn"
    actor = f"{card_name(g, s, who)} ({who})"
    if kind == SUMMON:
        lane = (" left", " right")[where] if int(g.lanes) > 1 else ""
        return f"summon {actor}{lane}"
    target = "the opponent" if where == 0 else f"{card_name(g, s, where - 1)} ({where - 1})"
    return f"{actor} attacks {target}" if kind == ATTACK else f"use {actor} on {target}"


def card_of_instance(s: Any, identity: int) -> int:
    """The card number of an instance id, wherever the card is now; `UNKNOWN` if it was never seen."""
    for player in range(2):
        for place in range(int(s.deck.shape[1])):
            if int(s.deck_id[player, place]) in (identity, identity - 1) and int(s.deck[player, place]) != UNKNOWN:
                exact = int(s.deck_id[player, place]) == identity
                if exact or identity not in s.deck_id:
                    return int(s.deck[player, place])
    return UNKNOWN
