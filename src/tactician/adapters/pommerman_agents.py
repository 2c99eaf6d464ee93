"""Pommerman's rule-based bot as an agent of the arena."""

from __future__ import annotations

from typing import Self

from tactician.arena.agents import GameAgent
from tactician.contract.game import Game
from tactician.contract.state import State
from tactician.errors import InvalidParameterError
from tactician.games.pommerman.rule_based import RuleBased
from tactician.seats.budget import Budget
from tactician.seats.plan import Plan


class RuleBasedPlayer(GameAgent):
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

    def plan(self, state: State, budget: Budget | str, ply: int = 0, player: int | None = None) -> Plan:
        """One decision; it takes no time to speak of."""
        if player is None:
            raise InvalidParameterError("player is None; all act at once here, expected the seat.")
        return Plan((self._bot.act(state, player),), None, state=state)
