"""Pommerman's rule-based bot in a seat of the arena, and the weights of the follower that comes with the game."""

from __future__ import annotations

from pathlib import Path
from typing import Self

from tactician.contract.game import Game
from tactician.contract.state import State
from tactician.errors import InvalidParameterError
from tactician.games.pommerman.rule_based import RuleBased
from tactician.seats.budget import Budget
from tactician.seats.plan import Plan
from tactician.seats.seat import BaseSeat, acting_seat

FOLLOWER = Path(__file__).with_name("follower.safetensors")


class RuleBasedPlayer(BaseSeat):
    """The official environment's SimpleAgent. It remembers where it has been, so every seat has its own."""

    def __init__(self, game: Game) -> None:
        super().__init__()
        if game.name != "pommerman":
            raise InvalidParameterError(f"agent 'rule-based' plays 'pommerman'; given {game.name!r}.")
        self._bot = RuleBased()

    def seeded(self, seed: int) -> Self:
        """The same bot without a memory, with another stream of draws."""
        super().seeded(seed)
        self.new_game()
        return self

    def new_game(self) -> None:
        """Forget the last game."""
        self._bot.reset(self.seed)

    def plan(self, state: State, budget: Budget | str, *, ply: int = 0, seat: int | None = None) -> Plan:
        """One decision; it takes no time to speak of."""
        return Plan((self._bot.act(state, acting_seat(state, seat)),), None, state=state)
