"""Actions as codes, names and JSON. On the radio every action carries a message of two words."""

from __future__ import annotations

from typing import Any

from tactician.contract.reading import entry, integer
from tactician.errors import InvalidStateError
from tactician.games.pommerman.board import ACTION_NAMES, MOVES, WORDS

CODES = MOVES * WORDS * WORDS
"""How many actions the radio variant has: code = move + 6 × (9 × first word + second word)."""


def encode(move: int, first: int = 0, second: int = 0) -> int:
    """The code of a move with a message."""
    return move + MOVES * (WORDS * first + second)


def decode(code: int) -> tuple[int, int, int]:
    """The move and the two words of a code."""
    message, move = divmod(code, MOVES)
    return (move, *divmod(message, WORDS))


def to_json(g: Any, action: int) -> Any:
    """A number from 0 to 5; on the radio [move, word, word]."""
    return list(decode(int(action))) if g.radio else int(action)


def from_json(g: Any, data: Any) -> int:
    """Reads it back; on the radio a plain number is a move without a message."""
    if g.radio and isinstance(data, list):
        move, *words = entry("action", data, ("move", "word", "word"))
        first, second = (integer(f"word of action {data}", word, 0, WORDS - 1) for word in words)
        return encode(_move(move), first, second)
    return _move(data)


def _move(data: Any) -> int:
    return integer("action", data, 0, MOVES - 1)


def name(g: Any, s: Any, action: int) -> str:
    """'up', 'bomb'; on the radio with the message: 'up 3 7'."""
    if not 0 <= action < int(g.codes):
        raise InvalidStateError(f"action is {action}; expected an integer from 0 to {int(g.codes) - 1}.")
    move, first, second = decode(action)
    return f"{ACTION_NAMES[move]} {first} {second}" if first or second else ACTION_NAMES[move]
