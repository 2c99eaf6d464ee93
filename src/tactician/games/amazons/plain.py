"""Amazons as plain Python objects: the second of three ways to write a game, slow but simple.

A state is an immutable `AmazonsPosition`; a rule is a method that returns its result. There are no records, no
compilation and no NumPy: write a game like this to try an idea, or as a reference to test a fast version against.
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
    AmazonsPosition,
)


def plain_amazons(size: int = 10, queens: int | None = None) -> Game:
    """Make a Game of the Amazons of plain Python objects; parameters, actions and JSON are those of `amazons`."""
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

    def initial_state(self, rng: Any, start: Any = None) -> AmazonsPosition:
        """Return the standard start, or a map."""
        return positions.start_position(self.size, self.queens, start)

    def current_player(self, state: AmazonsPosition) -> int:
        """Return whose turn it is."""
        return state.player

    def legal_actions(self, state: AmazonsPosition, player: int) -> list[int]:
        """Return the queens that can move, or the squares that the chosen queen can move to or shoot at."""
        if state.chosen is None:
            return [square for square in state.queens(state.player) if state.reach(square)]
        return state.reach(state.chosen)

    def apply(self, state: AmazonsPosition, action: int, rng: Any) -> AmazonsPosition:
        """Return the position after one of the three actions of a turn."""
        if state.chosen is None:
            return state._replace(phase=MOVE, chosen=action)
        board = list(state.board)
        if state.phase == MOVE:
            board[state.chosen] = EMPTY
            board[action] = QUEENS[state.player]
            return AmazonsPosition("".join(board), state.player, SHOOT, action)
        board[action] = ARROW
        return AmazonsPosition("".join(board), 1 - state.player, CHOOSE)

    def is_over(self, state: AmazonsPosition) -> bool:
        """Return whether the player can't move."""
        return not self.legal_actions(state, state.player)

    def returns(self, state: AmazonsPosition) -> tuple[float, float]:
        """Return a loss for the player to move."""
        return (-1.0, 1.0) if state.player == WHITE else (1.0, -1.0)

    def evaluate(self, state: AmazonsPosition) -> tuple[float, float]:
        """Return the weighted difference of reachable squares and of free squares beside the queens."""
        value = self._worth(state, WHITE) - self._worth(state, BLACK)
        return value, -value

    def _worth(self, state: AmazonsPosition, player: int) -> float:
        worth = 0.0
        for square in state.queens(player):
            reach = state.reach(square)
            beside = [to for to in reach if max(self._steps(square, to)) == 1]
            worth += MOBILITY * len(reach) + LIBERTY * len(beside)
        return worth

    def _steps(self, a: int, b: int) -> tuple[int, int]:
        return abs(a // self.size - b // self.size), abs(a % self.size - b % self.size)

    # The presentation, the same for all three versions.

    def action_name(self, state: AmazonsPosition, action: int) -> str:
        """Describe an action, such as 'move to d7'."""
        return positions.action_name(state, action)

    def action_parts(self, state: AmazonsPosition, player: int, action: int) -> list[str]:
        """Return the queen or square that an action points at."""
        return positions.action_parts(state, action)

    def action_to_json(self, action: int) -> str:
        """Return the name of the action's square."""
        return positions.square_name(self.size, action)

    def action_from_json(self, data: Any) -> int:
        """Return the square of a name."""
        return positions.square_from_name(self.size, data)

    def state_to_json(self, state: AmazonsPosition) -> dict[str, Any]:
        """Return rows, player, phase and chosen queen."""
        return positions.position_to_json(state)

    def state_from_json(self, data: Any) -> AmazonsPosition:
        """Return the position of rows, player, phase and chosen queen."""
        return positions.position_from_json(self.size, self.queens, data)

    def draw_text(self, state: AmazonsPosition) -> str:
        """Draw the board for a terminal."""
        return drawing.draw_text(state)

    def draw_svg(self, state: AmazonsPosition) -> str:
        """Draw the board as an SVG document."""
        return drawing.draw_svg(state)
