"""Actions as numbers: ``kind · 4096 + from · 64 + to``; for a card, its number takes the place of ``from``."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from tactician.contract import helper
from tactician.errors import InvalidStateError
from tactician.games.hero_academy.cards import CARD_NAMES, CLASS_NAMES, CODES, UNIT_KINDS
from tactician.native.records import FieldRecord
from tactician.native.variants import interpreted

END_TURN, MOVE, ATTACK, HEAL, SWAP, PLAY, DISCARD = range(7)
"""The kinds of actions. DISCARD is the card swap: the card returns to the deck, and the turn's end refills the hand."""
KIND, FROM = 4096, 64
"""What kind and origin are multiplied by in an action's number."""
UNIT_LETTERS = {MOVE: "M", ATTACK: "A", HEAL: "H", SWAP: "S"}
_LETTER_KINDS = {letter: kind for kind, letter in UNIT_LETTERS.items()}


@helper
def code(kind: Any, origin: Any, target: Any) -> Any:
    """Return the number of an action."""
    return kind * KIND + origin * FROM + target


@helper
def decode(action: Any) -> Any:
    """Return kind, origin (or card) and target of an action."""
    return action // KIND, action // FROM % FROM, action % FROM


_code: Callable[[int, int, int], int] = interpreted(code)
_decode: Callable[[int], tuple[int, int, int]] = interpreted(decode)


def to_json(g: FieldRecord, action: int) -> list[Any]:
    """Return an action as recordings write it."""
    kind, origin, target = _decode(action)
    height = int(g.height)
    if kind == END_TURN:
        return ["E"]
    if kind == DISCARD:
        return ["X", CODES[origin]]
    if kind == PLAY:
        return ["D", CODES[origin], *divmod(target, height)]
    return ["U", UNIT_LETTERS[kind], *divmod(origin, height), *divmod(target, height)]


def from_json(g: FieldRecord, data: Any) -> int:
    """Return the number of an action written as in recordings."""
    match data:
        case ["E"]:
            return END_TURN
        case ["X", card]:
            return _code(DISCARD, _card(card, data), 0)
        case ["D", card, x, y]:
            return _code(PLAY, _card(card, data), _square(g, x, y, data))
        case ["U", letter, fx, fy, tx, ty] if isinstance(letter, str) and letter in _LETTER_KINDS:
            return _code(_LETTER_KINDS[letter], _square(g, fx, fy, data), _square(g, tx, ty, data))
    raise InvalidStateError(f'action is {data!r}; expected ["E"], ["X", card], ["D", card, x, y] or ["U", kind, ...].')


def _card(letter: Any, action: Any) -> int:
    if not isinstance(letter, str) or len(letter) != 1 or letter not in CODES:
        raise InvalidStateError(f"action {action!r} has the card {letter!r}; expected one of {CODES}.")
    return CODES.index(letter)


def _square(g: FieldRecord, x: Any, y: Any, action: Any) -> int:
    width, height = int(g.width), int(g.height)
    if type(x) is not int or type(y) is not int or not (0 <= x < width and 0 <= y < height):
        raise InvalidStateError(
            f"action {action!r} has the square ({x!r}, {y!r}); expected 0..{width - 1}, 0..{height - 1}."
        )
    return x * height + y


def name(g: FieldRecord, s: FieldRecord, action: int) -> str:
    """Describe an action in a state, such as ``archer (3,4) moves to (4,4)``."""
    kind, origin, target = _decode(action)
    if kind == END_TURN:
        return "end turn"
    if kind == DISCARD:
        return f"swap the {CARD_NAMES[origin].replace('_', ' ')} card"
    there = f"({target // int(g.height)},{target % int(g.height)})"
    if kind == PLAY:
        card = CARD_NAMES[origin].replace("_", " ")
        if origin < UNIT_KINDS:
            return f"deploy {card} on {there}"
        return f"inferno on {there}" if card == "inferno" else f"{card} for {_unit(s, target)} on {there}"
    here = f"({origin // int(g.height)},{origin % int(g.height)})"
    actor = f"{_unit(s, origin)} {here}"
    if kind == MOVE:
        return f"{actor} moves to {there}"
    verb = {ATTACK: "attacks", HEAL: "heals", SWAP: "changes places with"}[kind]
    return f"{actor} {verb} {_unit(s, target)} {there}"


def parts(g: FieldRecord, s: FieldRecord, player: int, action: int) -> list[str]:
    """Return what an action points at in the drawing: a unit or card and its target, a card to swap and the deck."""
    kind, origin, target = _decode(action)
    if kind == END_TURN:
        return []
    height = int(g.height)
    if kind in UNIT_LETTERS:
        aim = "square" if kind == MOVE else "unit"
        return [_place("unit", origin, height), _place(aim, target, height)]
    card = f"card:{player + 1}:{CODES[origin]}"
    if kind == DISCARD:
        return [card, f"deck:{player + 1}"]
    on_square = origin < UNIT_KINDS or CARD_NAMES[origin] == "inferno"
    return [card, _place("square" if on_square else "unit", target, height)]


def _place(what: str, square: int, height: int) -> str:
    return f"{what}:{square // height},{square % height}"


def _unit(s: FieldRecord, square: int) -> str:
    taken = (int(s.units[0]) | int(s.units[1])) >> square & 1
    return CLASS_NAMES[int(s.kind[square])] if taken else "nobody"
