"""Connect Four, an example of a game with one action a turn: two bitboards and rules of a few instructions each.

A player's discs are a 64-bit set. A column has seven bits, six squares and one that is always free, so that lines don't
run over from one column into the next:

     6 13 20 27 34 41 48      always free
     5 12 19 26 33 40 47      the top row
     4 11 18 25 32 39 46
     3 10 17 24 31 38 45
     2  9 16 23 30 37 44
     1  8 15 22 29 36 43
     0  7 14 21 28 35 42      the bottom row

An action is a column, 0 to 6. `openspiel_mcts.py` measures planners on it; ``tactician check
benchmarks/connect_four.py:game`` checks it.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from tactician import contract
from tactician.contract import bits, random
from tactician.contract.identity import hash_front, words_before
from tactician.errors import InvalidStateError

COLUMNS, ROWS = 7, 6
STRIDE = ROWS + 1
SQUARES = COLUMNS * ROWS
NOBODY = -1
DISCS = "xo"
LONGEST_LINES = 69
"""Ways to have four in a row on the empty board; bounds the evaluation."""

# Shifts to the neighbour above, to the right, and on the two diagonals.
UP, RIGHT, RISING, FALLING = (np.uint64(n) for n in (1, STRIDE, STRIDE + 1, STRIDE - 1))
_TWO = np.uint64(2)
_TOP = ROWS - 1
_FULL = sum(((1 << ROWS) - 1) << (column * STRIDE) for column in range(COLUMNS))
FULL = np.uint64(_FULL)
"""Every square of the board."""
TOP_SQUARES = np.uint64(sum(1 << (column * STRIDE + _TOP) for column in range(COLUMNS)))
"""The highest square of each column."""

Config = np.dtype([("unused", "i8")], align=True)
State = np.dtype(
    [
        ("discs", "u8", (2,)),  # each player's squares
        ("player", "i4"),
        ("over", "i2"),
        ("winner", "i2"),  # NOBODY while the game goes on, and in a draw
    ],
    align=True,
)
DISC_WORDS = words_before(State, "player")
rule = contract.rules(Config, State)


# -- the rules -----------------------------------------------------------------------------------------------


@rule.legal_actions
def legal_actions(g: Any, s: Any, player: Any, out: Any) -> Any:
    """Every column whose top square is free."""
    taken = s.discs[0] | s.discs[1]
    n = 0
    for column in range(COLUMNS):
        # Written always and counted only if legal: the branch would be hard to foresee.
        out[n] = column
        n += 1 - bits.has(taken, column * STRIDE + _TOP)
    return n


@rule.random_action
def random_action(g: Any, s: Any, player: Any, out: Any, rng: Any) -> Any:
    """A random one of these columns, counted by their free top squares."""
    free = TOP_SQUARES & bits.complement(s.discs[0] | s.discs[1])
    n = bits.count(free)
    out[0] = bits.nth(free, random.below(rng, n)) // STRIDE
    return n


@rule.apply
def apply(g: Any, s: Any, action: Any, rng: Any) -> None:
    """The disc falls on what lies in the column; four in a row win, a full board is a draw."""
    player = s.player
    taken = s.discs[0] | s.discs[1]
    # Adding the bottom square to a pile of ones carries to the first free square.
    own = s.discs[player] | (bits.complement(taken) & (taken + bits.single(action * STRIDE)) & column_of(action))
    s.discs[player] = own
    s.player = 1 - player
    if has_line(own):
        s.winner = player
        s.over = 1
    elif own | taken == FULL:
        s.over = 1


@rule.current_player
def current_player(g: Any, s: Any) -> Any:
    """Whose disc is next."""
    return s.player


@rule.is_over
def is_over(g: Any, s: Any) -> Any:
    """Somebody has four in a row, or the board is full."""
    return s.over


@rule.returns
def returns(g: Any, s: Any, out: Any) -> None:
    """1 for the winner, -1 for the loser, 0 for a draw."""
    out[0] = 0.0
    if s.winner >= 0:
        out[0] = 1.0 - 2.0 * s.winner
    out[1] = -out[0]


@rule.evaluate
def evaluate(g: Any, s: Any, out: Any) -> None:
    """Who has more lines of four that the other has not blocked, as a part of all lines."""
    free_or_first = FULL & bits.complement(s.discs[1])
    free_or_second = FULL & bits.complement(s.discs[0])
    out[0] = (count_lines(free_or_first) - count_lines(free_or_second)) / LONGEST_LINES
    out[1] = -out[0]


@rule.is_legal
def is_legal(g: Any, s: Any, action: Any) -> Any:
    """The same as to be on the list, without making it."""
    if action < 0 or action >= COLUMNS:
        return False
    return bits.has(s.discs[0] | s.discs[1], action * STRIDE + _TOP) == 0


@rule.key
def key(g: Any, s: Any) -> Any:
    """The discs say all: who moves is told by their number."""
    return hash_front(s, DISC_WORDS)


# -- helpers -------------------------------------------------------------------------------------------------


@contract.inline_helper
def column_of(column: Any) -> Any:
    """The squares of a column."""
    return bits.single(column * STRIDE + ROWS) - bits.single(column * STRIDE)


@contract.inline_helper
def has_line(discs: Any) -> Any:
    """Whether four are in a row: pairs of neighbours, then pairs of pairs two steps apart."""
    return (line_starts(discs, UP) | line_starts(discs, RIGHT)) | (
        line_starts(discs, RISING) | line_starts(discs, FALLING)
    ) != np.uint64(0)


@contract.inline_helper
def line_starts(squares: Any, step: Any) -> Any:
    """Where four in a row begin in one direction."""
    pairs = squares & (squares >> step)
    return pairs & (pairs >> (step * _TWO))


@contract.helper
def count_lines(squares: Any) -> Any:
    """How many fours in a row the squares hold."""
    return (
        bits.count(line_starts(squares, UP))
        + bits.count(line_starts(squares, RIGHT))
        + bits.count(line_starts(squares, RISING))
        + bits.count(line_starts(squares, FALLING))
    )


# -- what people see -----------------------------------------------------------------------------------------


@rule.initial_state
def initial_state(g: Any, s: Any, rng: Any) -> None:
    """The empty board."""
    s.winner = NOBODY


@rule.action_name
def action_name(g: Any, s: Any, action: int) -> str:
    """For example 'column 4', counted from 1."""
    return f"column {action + 1}"


@rule.draw_text
def draw_text(g: Any, s: Any) -> str:
    """The board in letters, the top row first."""
    return "\n".join("".join(square(s, column, row) for column in range(COLUMNS)) for row in reversed(range(ROWS)))


@rule.state_to_json
def state_to_json(g: Any, s: Any) -> dict[str, Any]:
    """The rows, the top one first; everything else follows from them."""
    return {"board": draw_text(g, s).split("\n")}


@rule.state_from_json
def state_from_json(g: Any, s: Any, data: Any) -> None:
    """Read them back; who is to move is told by the number of discs."""
    rows = data.get("board") if isinstance(data, dict) else None
    if not isinstance(rows, list) or len(rows) != ROWS or any(len(row) != COLUMNS for row in rows):
        raise InvalidStateError(f"board is {rows!r}; expected {ROWS} rows of {COLUMNS} characters.")
    sets = [
        sum(
            1 << (column * STRIDE + ROWS - 1 - i)
            for i, row in enumerate(rows)
            for column, disc in enumerate(row)
            if disc == letter
        )
        for letter in DISCS
    ]
    first, second = (squares.bit_count() for squares in sets)
    floating = (sets[0] | sets[1]) & ~(((sets[0] | sets[1]) << 1) | sum(1 << c * STRIDE for c in range(COLUMNS)))
    if floating or first - second not in (0, 1) or set("".join(rows)) - set(DISCS + "."):
        raise InvalidStateError(f"board {rows!r} can't come about: expected piles of 'x' and 'o' in turn, '.' above.")
    s.discs = sets
    s.player = first - second
    lines = [bool(has_line(np.uint64(squares))) for squares in sets]
    if all(lines) or lines[first - second]:
        raise InvalidStateError(f"board {rows!r} can't come about: the game was over before the last disc.")
    s.winner = lines.index(True) if any(lines) else NOBODY
    s.over = int(any(lines) or first + second == SQUARES)


def square(s: Any, column: int, row: int) -> str:
    """'x', 'o' or '.'."""
    for player, letter in enumerate(DISCS):
        if int(s.discs[player]) >> (column * STRIDE + row) & 1:
            return letter
    return "."


game = rule.game(
    "connect_four",
    max_actions=COLUMNS,
    max_turn=1,
    description="Connect Four: drop a disc, four in a row win.",
)
