"""Actions as codes, names and JSON. In the radio variant every action has a message of two words."""

from __future__ import annotations

from typing import Any

from tactician.contract.reading import entry, integer
from tactician.errors import InvalidStateError
from tactician.games.pommerman.board import ACTION_NAMES, LAY, MOVES, SIDE, STOP, WORDS, place_of
from tactician.native.records import FieldRecord

CODES = MOVES * WORDS * WORDS
"""The number of actions of the radio variant: code = move + 6 × (9 × first word + second word)."""


def encode(move: int, first: int = 0, second: int = 0) -> int:
    """Return the code of a move with a message."""
    return move + MOVES * (WORDS * first + second)


def decode(code: int) -> tuple[int, int, int]:
    """Return the move and the two words of a code."""
    message, move = divmod(code, MOVES)
    return (move, *divmod(message, WORDS))


def to_json(g: FieldRecord, action: int) -> Any:
    """Return a number from 0 to 5; in the radio variant [move, word, word]."""
    return list(decode(int(action))) if g.radio else int(action)


def from_json(g: FieldRecord, data: Any) -> int:
    """Return the code of an action in JSON; in the radio variant a plain number is a move without a message."""
    if g.radio and isinstance(data, list):
        move, *words = entry("action", data, ("move", "word", "word"))
        first, second = (integer(f"word of action {data}", word, 0, WORDS - 1) for word in words)
        return encode(_move(move), first, second)
    return _move(data)


def _move(data: Any) -> int:
    return integer("action", data, 0, MOVES - 1)


def name(g: FieldRecord, s: FieldRecord, action: int) -> str:
    """Describe an action, such as 'up', 'bomb', or with a message 'up 3 7'."""
    if not 0 <= action < int(g.codes):
        raise InvalidStateError(f"action is {action}; expected an integer from 0 to {int(g.codes) - 1}.")
    move, first, second = decode(action)
    return f"{ACTION_NAMES[move]} {first} {second}" if first or second else ACTION_NAMES[move]


def parts(g: FieldRecord, s: FieldRecord, player: int, action: int) -> list[str]:
    """Return what an action points at in the drawing: the cell it walks to; the agent itself to stop or lay a bomb."""
    row, column = place_of(int(s.cell[player]))
    if row < 0:
        return []
    move = decode(action)[0]
    if move in (STOP, LAY):
        return [f"unit:{player}"] if int(s.alive) >> player & 1 else []
    row, column = place_of(int(s.cell[player]) + int(g.delta[move]))
    return [f"square:{row},{column}"] if 0 <= row < SIDE and 0 <= column < SIDE else []
