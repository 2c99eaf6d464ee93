"""The fields of recordings, checked: compiled code trusts what it is given, so nothing reaches it unchecked.

Each function returns what it was given, or what that stands for; everything else is an `InvalidStateError`.
"""

from __future__ import annotations

from typing import Any

from tactician.contract.reading import choice, entry, integer, required_field, sequence
from tactician.contract.state import State
from tactician.errors import InvalidStateError, short
from tactician.games.pommerman import board
from tactician.games.pommerman.board import MOVES, PLAYERS, SIDE
from tactician.games.pommerman.rule_based import RECENT

_VARIANTS = {"ffa": "ffa", "team": "team", "teamfull": "team-full", "radio": "radio"}
_MOST_DECISIONS = 1_000_000
_MOST_STEPS = 2**53


def field(step: dict[str, Any], name: str) -> Any:
    """Return a field that a step must have."""
    return required_field("the step", step, name)


def variant(line: dict[str, Any]) -> str:
    """Return the variant that a line names, as the game's parameter has it."""
    return _VARIANTS[choice("variant", line.get("variant"), tuple(_VARIANTS))]


def for_each_seat(name: str, value: Any) -> list[Any]:
    """Require a list with an entry for each player."""
    return sequence(name, value, PLAYERS, PLAYERS)


def place_in_file(step: dict[str, Any]) -> tuple[int, int]:
    """Return the episode and the number of a step; 0 where a step doesn't have them."""
    episode, number = (integer(name, step.get(name, 0), 0, _MOST_STEPS) for name in ("ep", "i"))
    return episode, number


def require_whole(state: State) -> None:
    """Refuse a state that is somebody's view: recordings hold whole states."""
    s = state.record
    for seat in range(PLAYERS):
        if int(s.alive) >> seat & 1 and int(s.cell[seat]) == board.NOWHERE:
            raise InvalidStateError(f"agents[{seat}] is alive and nowhere; expected a place on the board.")
    if (s.board == board.FOG).any():
        raise InvalidStateError("board has fog; expected the whole board.")


def acting_seat(state: State, seat: Any) -> int:
    """Require a seat whose agent is alive."""
    number = integer("agent", seat, 0, PLAYERS - 1)
    if int(state.record.alive) >> number & 1 == 0:
        raise InvalidStateError(f"agent {number} decides but is not alive in this state.")
    return number


def memory(name: str, value: Any) -> list[Any]:
    """Require a memory of the reference agent: [recent places, last direction or null]."""
    recent, last = entry(name, value, ("recent places", "last direction"))
    for place in sequence(f"recent places of {name}", recent, 0, RECENT):
        for coordinate in entry(f"place of {name}", place, ("row", "column")):
            integer(f"coordinate of {name}", coordinate, 0, SIDE - 1)
    if last is not None:
        integer(f"last direction of {name}", last, 0, board.RIGHT)
    return [recent, last]


def counts(value: Any) -> list[int]:
    """Require a histogram of the six actions with at least one decision."""
    numbers = [integer("entry of counts", n, 0, _MOST_DECISIONS) for n in sequence("counts", value, MOVES, MOVES)]
    if not any(numbers):
        raise InvalidStateError("counts are all 0; expected at least one decision.")
    return numbers


def first_action(value: Any) -> int:
    """Return the first action of a string of digits, one for each decision."""
    if not isinstance(value, str) or not value or not set(value) <= set("012345"):
        raise InvalidStateError(f"acts is {short(value)}; expected a digit from 0 to {MOVES - 1} for each decision.")
    return int(value[0])
