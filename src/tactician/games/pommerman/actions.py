"""Actions as codes, names and JSON. On the radio every action carries a message of two words."""

from __future__ import annotations

from typing import Any

from tactician.errors import InvalidStateError, short
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
        if len(data) != 3 or not all(type(part) is int for part in data):
            raise InvalidStateError(f"action is {short(data)}; expected [move, word, word].")
        move, first, second = data
        if not 0 <= first < WORDS or not 0 <= second < WORDS:
            raise InvalidStateError(f"action {short(data)} has words outside 0 to {WORDS - 1}.")
        return encode(_move(move), first, second)
    return _move(data)


def _move(data: Any) -> int:
    if type(data) is not int or not 0 <= data < MOVES:
        raise InvalidStateError(f"action is {short(data)}; expected an integer from 0 to {MOVES - 1}.")
    return data


def name(g: Any, s: Any, action: int) -> str:
    """'up', 'bomb'; on the radio with the message: 'up 3 7'."""
    if not 0 <= action < int(g.codes):
        raise InvalidStateError(f"action is {action}; expected an integer from 0 to {int(g.codes) - 1}.")
    move, first, second = decode(action)
    return f"{ACTION_NAMES[move]} {first} {second}" if first or second else ACTION_NAMES[move]
