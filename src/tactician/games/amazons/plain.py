"""Amazons as plain Python objects: the second of three ways to bring a game, slow but trivial.

A state is an immutable `Position`; a rule is a method that returns something. No records, no compilation, nothing of
NumPy: write a game like this to try an idea, or to have an obvious twin to test a fast version against.
"""

from __future__ import annotations

from typing import Any

from tactician.contract import Game
from tactician.contract.plain import plain
from tactician.games.amazons import drawing, positions
from tactician.games.amazons.positions import (
    ARROW,
    BLACK,
    CHOOSE,
    EMPTY,
    LIBERTY,
    MOBILITY,
    MOVE,
    QUEENS,
    SHOOT,
    WHITE,
    Position,
)


def plain_amazons(size: int = 10, queens: int | None = None) -> Game:
    """The Game of the Amazons on plain Python objects; parameters, actions and JSON are those of `amazons`."""
    size, queens = positions.checked_parameters(size, queens)
    bound = positions.value_bound(size, queens, MOBILITY, LIBERTY)
    return plain(
        AmazonsRules(size, queens),
        name="plain_amazons",
        max_actions=positions.longest_list(size),
        value_range=(-bound, bound),
        description=f"Game of the Amazons, {size}×{size}, {queens} queens a side, in plain Python.",
    )


class AmazonsRules:
    """The rules as methods on positions."""

    def __init__(self, size: int, queens: int) -> None:
        self.size = size
        self.queens = queens

    def initial_state(self, rng: Any, start: Any = None) -> Position:
        """The standard start, or a map."""
        return positions.start_position(self.size, self.queens, start)

    def current_player(self, state: Position) -> int:
        """Whose turn it is."""
        return state.player

    def legal_actions(self, state: Position, player: int) -> list[int]:
        """Choose one of your queens that can move; then move it, or shoot, along a free line."""
        if state.chosen is None:
            return [square for square in state.queens(state.player) if state.reach(square)]
        return state.reach(state.chosen)

    def apply(self, state: Position, action: int, rng: Any) -> Position:
        """The position after one of the three actions of a turn."""
        if state.chosen is None:
            return state._replace(phase=MOVE, chosen=action)
        board = list(state.board)
        if state.phase == MOVE:
            board[state.chosen] = EMPTY
            board[action] = QUEENS[state.player]
            return Position("".join(board), state.player, SHOOT, action)
        board[action] = ARROW
        return Position("".join(board), 1 - state.player, CHOOSE)

    def is_over(self, state: Position) -> bool:
        """A player who can't move has lost."""
        return not self.legal_actions(state, state.player)

    def returns(self, state: Position) -> tuple[float, float]:
        """The player to move has lost."""
        return (-1.0, 1.0) if state.player == WHITE else (1.0, -1.0)

    def evaluate(self, state: Position) -> tuple[float, float]:
        """Who has more squares to go to, and more air to breathe."""
        value = self._worth(state, WHITE) - self._worth(state, BLACK)
        return value, -value

    def _worth(self, state: Position, player: int) -> float:
        worth = 0.0
        for square in state.queens(player):
            reach = state.reach(square)
            beside = [to for to in reach if max(self._steps(square, to)) == 1]
            worth += MOBILITY * len(reach) + LIBERTY * len(beside)
        return worth

    def _steps(self, a: int, b: int) -> tuple[int, int]:
        return abs(a // self.size - b // self.size), abs(a % self.size - b % self.size)

    # What people see, the same for all three versions.

    def action_name(self, state: Position, action: int) -> str:
        """For example 'move to d7'."""
        return positions.action_name(state, action)

    def action_to_json(self, action: int) -> str:
        """The square's name."""
        return positions.square_name(self.size, action)

    def action_from_json(self, data: Any) -> int:
        """The square of a name."""
        return positions.square_from_name(self.size, data)

    def state_to_json(self, state: Position) -> dict[str, Any]:
        """Rows, player, phase and chosen queen."""
        return positions.position_to_json(state)

    def state_from_json(self, data: Any) -> Position:
        """Read them back."""
        return positions.position_from_json(self.size, self.queens, data)

    def draw_text(self, state: Position) -> str:
        """The board in letters."""
        return drawing.draw_text(state)

    def draw_svg(self, state: Position) -> str:
        """The board as a picture."""
        return drawing.draw_svg(state)
