"""The other seats of an environment that shows one seat of a game: agents that play whenever it is their turn."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from tactician.arena.agents import parse_agent
from tactician.contract.game import Game
from tactician.contract.state import State
from tactician.errors import InvalidParameterError
from tactician.native.abi import SIMULTANEOUS
from tactician.seats.budget import Budget
from tactician.seats.seat import Seat

Opponent = str | Seat
"""An agent as the arena names it (`oep:population=50`, `random`, `python:./mine.py:Mine`), or a seat."""


class Opponents:
    """Everybody but one seat."""

    def __init__(
        self, game: Game, seat: int, opponent: Opponent | Mapping[int, Opponent], budget: Budget | str
    ) -> None:
        require_seat(game, seat)
        others = [number for number in range(game.players) if number != seat]
        chosen = opponent if isinstance(opponent, Mapping) else dict.fromkeys(others, opponent)
        if sorted(chosen) != others:
            raise InvalidParameterError(
                f"opponent names the seats {sorted(chosen)}; expected one agent for all, or one for each of {others}."
            )
        self.game, self.seat, self.budget = game, seat, Budget.parse(budget)
        self._seats = {
            number: parse_agent(agent).on(game) if isinstance(agent, str) else agent for number, agent in chosen.items()
        }
        self._ply = 0

    def start(self, seed: int) -> None:
        """A game begins."""
        self._ply = 0
        for number, agent in self._seats.items():
            agent.seeded(seed + number).new_game()

    def play(self, state: State) -> None:
        """Play until the seat may act or the game is over."""
        while not state.is_over() and state.current_player() not in (self.seat, SIMULTANEOUS):
            self._take_turn(state, state.current_player())

    def moves(self, state: State, action: int) -> list[int]:
        """Everybody's actions where all act at once, the seat's among them."""
        moves = [action] * self.game.players
        for number in self._seats:
            moves[number] = self._plan(state, number)[0]
        self._ply += 1
        return moves

    def close(self) -> None:
        """Release what agents hold."""
        for agent in self._seats.values():
            agent.close()

    def _take_turn(self, state: State, mover: int) -> None:
        """Take the planned actions as far as chance and hidden cards leave them legal; the rest is planned anew."""
        planned = self._plan(state, mover)
        self._ply += 1
        for action in planned:
            if state.is_over() or state.current_player() != mover or not state.is_legal(action):
                return
            state.apply(action)

    def _plan(self, state: State, mover: int) -> Sequence[int]:
        agent = self._seats[mover]
        seen = state if agent.takes_whole_state or not self.game.hides_information else state.observe(mover)
        return agent.plan(seen, self.budget, ply=self._ply, seat=mover).actions


def require_seat(game: Game, seat: int) -> None:
    """Refuse a seat that the game does not have."""
    if isinstance(seat, bool) or not isinstance(seat, int) or not 0 <= seat < game.players:
        raise InvalidParameterError(f"seat is {seat!r}; expected 0 to {game.players - 1}.")
