"""Amazons as two records and compiled rules: the first of three ways to write a game, and the fastest.

A state has 48 bytes for any board up to 16×16: the set of taken squares and the squares of the queens. The size is part
of the configuration, so the rules compile once for all boards.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np

from tactician import contract
from tactician.contract import Game, bits, random
from tactician.contract.features import LEARNED, USUAL, shipped_evaluation
from tactician.contract.info import STRONGEST, Evaluation
from tactician.contract.requirements import require_choice
from tactician.games.amazons import drawing, positions
from tactician.games.amazons.positions import (
    ARROW,
    CHOOSE,
    EMPTY,
    LIBERTY,
    MAX_QUEENS,
    MAX_SIZE,
    MOBILITY,
    MOVE,
    QUEENS,
    SHOOT,
    AmazonsPosition,
)
from tactician.games.amazons.reach import (
    DOWNWARD,
    REACH_FIELDS,
    derive,
    draw_reach,
    free_run,
    liberties,
    list_reach,
    mobility,
)
from tactician.games.amazons.side_features import NAMES, write_features
from tactician.native.records import FieldRecord

Config = np.dtype([("width", "i8"), ("queens", "i8"), ("weights", "f8", (2,)), *REACH_FIELDS], align=True)
State = np.dtype(
    [
        ("taken", "u8", (MAX_SIZE**2 // 64,)),  # the squares with a queen or an arrow, a bit each
        ("queens", "u1", (2, MAX_QUEENS)),  # each player's squares, ascending: equal positions have equal bytes
        ("player", "i1"),
        ("phase", "i1"),
        ("chosen", "i2"),  # the square of the queen whose turn it is, or NOBODY
    ],
    align=True,
)
NOBODY = -1
WEIGHTS = {"mobility": ("weights", 0), "liberty": ("weights", 1)}
_USUAL = Evaluation({"weights": (MOBILITY, LIBERTY)}, weights=WEIGHTS)
_LEARNED_FILE = Path(__file__).with_name("evaluation.json")
_EVALUATIONS = (USUAL, LEARNED, STRONGEST)

rule = contract.rules(Config, State)


def amazons(size: int = 10, queens: int | None = None, evaluation: str = USUAL) -> Game:
    """Make a Game of the Amazons on a board of 3×3 to 16×16 with 1, 2 or 4 queens a side.

    White moves first; the player who can't move loses. ``initial_state(start=rows)`` begins from a given map.

    Args:
        size: The side of the board, 3 to 16.
        queens: Queens of each side: 1, 2 or 4; by default 4 from size 6, 2 below.
        evaluation: Which evaluation: `default`, which is also the `strongest`, or `learned` (from self-play).
    """
    size, queens = positions.checked_parameters(size, queens)
    require_choice("evaluation", evaluation, _EVALUATIONS)
    game = rule.game(
        "amazons",
        max_actions=positions.longest_list(size),
        config={"width": size, "queens": queens, **_USUAL.config},
        weights=WEIGHTS,
        value_range=value_range,
        features=NAMES,
        evaluations={
            USUAL: _USUAL,
            LEARNED: shipped_evaluation(_LEARNED_FILE, NAMES, _USUAL.config),
            STRONGEST: _USUAL,
        },
        description=f"Game of the Amazons, {size}×{size}, {queens} queens a side: choose, move, shoot.",
    )
    return game if evaluation == USUAL else game.with_evaluation(evaluation)


def value_range(g: FieldRecord) -> tuple[float, float]:
    """Return the bounds of `evaluate` for a configuration."""
    bound = positions.value_bound(int(g.width), int(g.queens), float(g.weights[0]), float(g.weights[1]))
    return -bound, bound


# -- the rules -----------------------------------------------------------------------------------------------


@rule.legal_actions
def legal_actions(g: Any, s: Any, player: Any, out: Any) -> Any:
    """List the queens that can move, or the squares that the chosen queen can move to or shoot at."""
    if s.phase == CHOOSE:
        return list_movable_queens(g, s, out)
    return list_reach(g, s, s.chosen, out)


@rule.apply
def apply(g: Any, s: Any, action: Any, rng: Any) -> None:
    """Execute one of the three actions of a turn."""
    if s.phase == CHOOSE:
        s.chosen = action
        s.phase = MOVE
    elif s.phase == MOVE:
        free(s, s.chosen)
        take(s, action)
        move_queen(g, s, s.chosen, action)
        s.chosen = action
        s.phase = SHOOT
    else:
        take(s, action)
        s.chosen = NOBODY
        s.phase = CHOOSE
        s.player = 1 - s.player


@rule.current_player
def current_player(g: Any, s: Any) -> Any:
    """Return whose turn it is."""
    return s.player


@rule.is_over
def is_over(g: Any, s: Any) -> Any:
    """Return whether the player can't move. Within a turn there is always an action: an arrow can fly back."""
    if s.phase != CHOOSE:
        return False
    i = 0
    while i < g.queens and liberties(g, s, s.queens[s.player, i]) == 0:
        i += 1
    return i == g.queens


@rule.returns
def returns(g: Any, s: Any, out: Any) -> None:
    """Write a loss for the player to move."""
    out[s.player] = -1.0
    out[1 - s.player] = 1.0


@rule.evaluate
def evaluate(g: Any, s: Any, out: Any) -> None:
    """Write the weighted difference of reachable squares and of free squares beside the queens."""
    reachable, beside = 0, 0
    for player in range(2):
        sign = 1 - 2 * player
        for i in range(g.queens):
            reachable += sign * mobility(g, s, s.queens[player, i])
            beside += sign * liberties(g, s, s.queens[player, i])
    value = g.weights[0] * reachable + g.weights[1] * beside
    out[0] = value
    out[1] = -value


@rule.is_legal
def is_legal(g: Any, s: Any, action: Any) -> Any:
    """Return whether an action is legal, without making the list."""
    if action < 0 or action >= g.width * g.width:
        return False
    if s.phase == CHOOSE:
        return queen_index(g, s, action) < g.queens and liberties(g, s, action) > 0
    row, column = s.chosen // g.width, s.chosen % g.width
    down, right = action // g.width - row, action % g.width - column
    if down != 0 and right != 0 and abs(down) != abs(right):
        return False
    distance = max(abs(down), abs(right))
    if distance == 0:
        return False
    place = 3 * sign_of(down) + sign_of(right)
    return distance <= free_run(g, s, s.chosen, DOWNWARD + place - int(place > 0))


@rule.random_action
def random_action(g: Any, s: Any, player: Any, out: Any, rng: Any) -> Any:
    """Draw one of the legal actions without making the list."""
    if s.phase == CHOOSE:
        n = list_movable_queens(g, s, out)
        out[0] = out[random.below(rng, n)]
        return n
    return draw_reach(g, s, s.chosen, out, rng)


@rule.rate_actions
def rate_actions(g: Any, s: Any, actions: Any, n: Any, out: Any) -> None:
    """Rate queens and moves by free squares beside them, shots by how close they hit to an enemy queen."""
    for i in range(n):
        if s.phase == SHOOT:
            out[i] = -float(distance_to_enemy(g, s, actions[i]))
        else:
            out[i] = float(liberties(g, s, actions[i]))


@rule.features
def features(g: Any, s: Any, player: Any, out: Any) -> None:
    """Write what learned evaluations count of a side."""
    write_features(g, s, player, out)


@rule.action_group
def action_group(g: Any, s: Any, action: Any) -> Any:
    """Return the index of the queen that an action belongs to."""
    return queen_index(g, s, action if s.phase == CHOOSE else s.chosen)


# -- helpers -------------------------------------------------------------------------------------------------


@contract.helper
def list_movable_queens(g: Any, s: Any, out: Any) -> Any:
    """Write the squares of the player's queens that can move; return how many."""
    n = 0
    for i in range(g.queens):
        square = s.queens[s.player, i]
        if liberties(g, s, square) > 0:
            out[n] = square
            n += 1
    return n


@contract.helper
def take(s: Any, square: Any) -> None:
    """Mark a square as taken."""
    s.taken[square >> 6] |= bits.single(square & 63)


@contract.helper
def free(s: Any, square: Any) -> None:
    """Mark a square as free."""
    s.taken[square >> 6] &= bits.complement(bits.single(square & 63))


@contract.helper
def move_queen(g: Any, s: Any, origin: Any, target: Any) -> None:
    """Move one of the player's queens and keep the list of squares sorted."""
    i = queen_index(g, s, origin)
    while i > 0 and s.queens[s.player, i - 1] > target:
        s.queens[s.player, i] = s.queens[s.player, i - 1]
        i -= 1
    while i < g.queens - 1 and s.queens[s.player, i + 1] < target:
        s.queens[s.player, i] = s.queens[s.player, i + 1]
        i += 1
    s.queens[s.player, i] = target


@contract.helper
def queen_index(g: Any, s: Any, square: Any) -> Any:
    """Return the index of the player's queen on a square; the number of queens if there is none."""
    for i in range(g.queens):
        if s.queens[s.player, i] == square:
            return i
    return g.queens


@contract.helper
def distance_to_enemy(g: Any, s: Any, square: Any) -> Any:
    """Return the number of king's moves to the nearest enemy queen."""
    nearest = g.width
    for i in range(g.queens):
        queen = s.queens[1 - s.player, i]
        down, right = abs(square // g.width - queen // g.width), abs(square % g.width - queen % g.width)
        nearest = min(nearest, max(down, right))
    return nearest


@contract.helper
def sign_of(number: Any) -> Any:
    """Return -1, 0 or 1."""
    return (number > 0) - (number < 0)


rule.configure(derive)


# -- presentation --------------------------------------------------------------------------------------------


def to_position(g: FieldRecord, s: FieldRecord) -> AmazonsPosition:
    """Return a state's record as a plain position."""
    letters = [EMPTY] * int(g.width) ** 2
    for square in range(len(letters)):
        if int(s.taken[square >> 6]) >> (square & 63) & 1:
            letters[square] = ARROW
    for player, letter in enumerate(QUEENS):
        for square in s.queens[player, : g.queens]:
            letters[square] = letter
    chosen = None if s.chosen == NOBODY else int(s.chosen)
    return AmazonsPosition("".join(letters), int(s.player), int(s.phase), chosen)


def fill(g: FieldRecord, s: FieldRecord, position: AmazonsPosition) -> None:
    """Write a plain position into an empty record."""
    for square, letter in enumerate(position.board):
        if letter != EMPTY:
            s.taken[square >> 6] |= np.uint64(1 << (square & 63))
    for player in range(2):
        s.queens[player, : g.queens] = position.queens(player)
    s.player = position.player
    s.phase = position.phase
    s.chosen = NOBODY if position.chosen is None else position.chosen


@rule.initial_state
def initial_state(g: FieldRecord, s: FieldRecord, rng: np.random.Generator, start: Any = None) -> None:
    """Set up the standard start or a map: rows of '.', 'W', 'B' and 'x', as a list or as one text."""
    fill(g, s, positions.start_position(int(g.width), int(g.queens), start))


@rule.action_name
def action_name(g: FieldRecord, s: FieldRecord, action: int) -> str:
    """Describe an action, such as 'move to d7'."""
    return positions.action_name(to_position(g, s), action)


@rule.action_parts
def action_parts(g: FieldRecord, s: FieldRecord, player: int, action: int) -> list[str]:
    """Return the queen or square that an action points at."""
    return positions.action_parts(to_position(g, s), action)


@rule.action_to_json
def action_to_json(g: FieldRecord, action: int) -> str:
    """Return the name of the action's square."""
    return positions.square_name(int(g.width), action)


@rule.action_from_json
def action_from_json(g: FieldRecord, data: Any) -> int:
    """Return the square of a name."""
    return positions.square_from_name(int(g.width), data)


@rule.state_to_json
def state_to_json(g: FieldRecord, s: FieldRecord) -> dict[str, Any]:
    """Return rows, player, phase and chosen queen."""
    return positions.position_to_json(to_position(g, s))


@rule.state_from_json
def state_from_json(g: FieldRecord, s: FieldRecord, data: Any) -> None:
    """Fill a state from rows, player, phase and chosen queen."""
    fill(g, s, positions.position_from_json(int(g.width), int(g.queens), data))


@rule.draw_text
def draw_text(g: FieldRecord, s: FieldRecord) -> str:
    """Draw the board for a terminal."""
    return drawing.draw_text(to_position(g, s))


@rule.draw_svg
def draw_svg(g: FieldRecord, s: FieldRecord) -> str:
    """Draw the board as an SVG document."""
    return drawing.draw_svg(to_position(g, s))
