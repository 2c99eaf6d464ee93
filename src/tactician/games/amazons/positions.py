"""Positions of Amazons as plain values: squares and their names, start positions, and the JSON form.

All three versions of the rules share this module. A board is a string of letters, row by row from the top, so square 0
of a 10×10 board is a10 and square 99 is j1.
"""

from __future__ import annotations

import math
from typing import Any, NamedTuple

from tactician.contract.reading import choice, require_fields
from tactician.contract.requirements import require_integer
from tactician.errors import InvalidParameterError, InvalidStateError, short

MIN_SIZE, MAX_SIZE = 3, 16
MAX_QUEENS = 4
"""The most queens of a side."""

WHITE, BLACK = 0, 1
CHOOSE, MOVE, SHOOT = 0, 1, 2
PLAYERS = ("white", "black")
PHASES = ("choose", "move", "shoot")
"""A turn is three actions, each a square: the queen, where it moves, and where its arrow hits."""

EMPTY, ARROW = ".", "x"
QUEENS = ("W", "B")

MOBILITY, LIBERTY = 1.0, 0.5
"""The weights of a square that a queen can reach and of a free square beside one."""

_FIELDS = ("board", "player", "phase", "chosen")


class AmazonsPosition(NamedTuple):
    """An immutable position; `chosen` is the square of the queen that was chosen in this turn."""

    board: str
    player: int = WHITE
    phase: int = CHOOSE
    chosen: int | None = None

    @property
    def size(self) -> int:
        """The side of the board."""
        return math.isqrt(len(self.board))

    def queens(self, player: int) -> list[int]:
        """Return the squares of a player's queens, in order."""
        return [square for square, letter in enumerate(self.board) if letter == QUEENS[player]]

    def reach(self, square: int) -> list[int]:
        """Return the free squares in line with a square, direction by direction, near ones first."""
        found = []
        for down, right in DIRECTIONS:
            row, column = square // self.size + down, square % self.size + right
            while 0 <= row < self.size and 0 <= column < self.size and self.board[row * self.size + column] == EMPTY:
                found.append(row * self.size + column)
                row, column = row + down, column + right
        return found


DIRECTIONS = [(down, right) for down in (-1, 0, 1) for right in (-1, 0, 1) if (down, right) != (0, 0)]


# -- parameters ----------------------------------------------------------------------------------------------


def checked_parameters(size: Any, queens: Any) -> tuple[int, int]:
    """Return the checked board size and queens a side; by default four queens from size 6, two below."""
    require_integer("size", size, MIN_SIZE, MAX_SIZE)
    if queens is None:
        return size, 4 if size >= 6 else 2
    possible = (1, 2, 4) if size > MIN_SIZE else (1, 2)
    if isinstance(queens, bool) or not isinstance(queens, int) or queens not in possible:
        allowed = ", ".join(map(str, possible[:-1]))
        raise InvalidParameterError(
            f"queens is {queens!r}; expected {allowed} or {possible[-1]} on a board of size {size}."
        )
    return size, queens


def longest_list(size: int) -> int:
    """Bound the length of any list: the squares that a queen in the centre can reach."""
    return 4 * (size - 1)


def value_bound(size: int, queens: int, mobility: float, liberty: float) -> float:
    """Return a bound of the heuristic: one side's queens can go everywhere, the other's nowhere."""
    return queens * (abs(mobility) * longest_list(size) + abs(liberty) * len(DIRECTIONS))


# -- start positions -----------------------------------------------------------------------------------------


def start_position(size: int, queens: int, start: Any = None) -> AmazonsPosition:
    """Return the standard start, or the map `start`: rows as a list of strings or as one text; White is to choose.

    Four queens a side stand a third of the way along the home rank and up the edges: on 10×10 the usual d1, g1, a4, j4
    against d10, g10, a7, j7. Two queens stand on the home rank, a single one in its middle. Black's half is White's
    rotated by 180 degrees.
    """
    if start is not None:
        rows = start.split() if isinstance(start, str) else start
        return AmazonsPosition(_board_from_rows(rows, size, queens, "start"))
    third, last = (size - 1) // 3, size - 1
    home = [(last, third), (last, last - third)] if queens > 1 else [(last, size // 2)]
    edges = [(last - third, 0), (last - third, last)] if queens == 4 else []
    letters = [EMPTY] * size**2
    for row, column in home + edges:
        letters[row * size + column] = QUEENS[WHITE]
        letters[(last - row) * size + last - column] = QUEENS[BLACK]
    return AmazonsPosition("".join(letters))


# -- square names and JSON -----------------------------------------------------------------------------------


def square_name(size: int, square: int) -> str:
    """Return the name of a square as in chess: the column's letter and the row's number, from the bottom left."""
    if not 0 <= square < size**2:
        raise InvalidStateError(f"action is {square!r}; expected the number of a square from 0 to {size**2 - 1}.")
    return f"{chr(ord('a') + square % size)}{size - square // size}"


def square_from_name(size: int, name: Any, field: str = "action") -> int:
    """Return the square of a name."""
    for square in range(size**2):
        if isinstance(name, str) and name == square_name(size, square):
            return square
    raise InvalidStateError(f"{field} is {short(name)}; expected a square from 'a1' to '{last_square(size)}'.")


def last_square(size: int) -> str:
    """Return the name of the top right square."""
    return square_name(size, size - 1)


def action_name(position: AmazonsPosition, action: int) -> str:
    """Describe an action: 'choose d1', 'move to d7', 'shoot g7'."""
    verb = ("choose", "move to", "shoot")[position.phase]
    return f"{verb} {square_name(position.size, action)}"


def action_parts(position: AmazonsPosition, action: int) -> list[str]:
    """Return what an action points at in the drawing: a queen to choose, else a square."""
    return [f"{'queen' if position.phase == CHOOSE else 'square'}:{square_name(position.size, action)}"]


def position_to_json(position: AmazonsPosition) -> dict[str, Any]:
    """Return the canonical form: rows from the top, player, phase and chosen queen."""
    size, chosen = position.size, position.chosen
    return {
        "board": [position.board[i : i + size] for i in range(0, size**2, size)],
        "player": PLAYERS[position.player],
        "phase": PHASES[position.phase],
        "chosen": None if chosen is None else square_name(size, chosen),
    }


def position_from_json(size: int, queens: int, data: Any) -> AmazonsPosition:
    """Return the position of the canonical form; raise `InvalidStateError` if it is not possible."""
    require_fields("state", data, _FIELDS)
    board = _board_from_rows(data["board"], size, queens, "board")
    player = PLAYERS.index(choice("player", data["player"], PLAYERS))
    phase = PHASES.index(choice("phase", data["phase"], PHASES))
    if phase == CHOOSE:
        if data["chosen"] is not None:
            raise InvalidStateError(f"chosen is {short(data['chosen'])}; expected null in the phase 'choose'.")
        return AmazonsPosition(board, player, phase)
    chosen = square_from_name(size, data["chosen"], "chosen")
    position = AmazonsPosition(board, player, phase, chosen)
    if chosen not in position.queens(player):
        raise InvalidStateError(
            f"chosen is {data['chosen']!r}, where no queen of {PLAYERS[player]} stands; expected the square of one."
        )
    if not position.reach(chosen):
        raise InvalidStateError(
            f"chosen is {data['chosen']!r}, a queen that can't move; "
            f"expected one with a free square beside it in the phase {PHASES[phase]!r}."
        )
    return position


def _board_from_rows(rows: Any, size: int, queens: int, field: str) -> str:
    expected = f"expected {size} rows of {size} letters"
    if not isinstance(rows, (list, tuple)) or not all(isinstance(row, str) for row in rows):
        raise InvalidStateError(f"{field} is {short(rows)}; {expected}.")
    if len(rows) != size:
        raise InvalidStateError(f"{field} has {len(rows)} rows; {expected}.")
    for number, row in enumerate(rows, 1):
        if len(row) != size:
            raise InvalidStateError(f"{field} has {len(row)} letters in row {number}; {expected}.")
        for letter in row:
            if letter not in (EMPTY, *QUEENS, ARROW):
                raise InvalidStateError(
                    f"{field} has the letter {letter!r} in row {number}; expected '.', 'W', 'B' or 'x'."
                )
    board = "".join(rows)
    for letter in QUEENS:
        if board.count(letter) != queens:
            raise InvalidStateError(
                f"{field} has the letter {letter!r} {board.count(letter)} times; expected {queens}."
            )
    return board
