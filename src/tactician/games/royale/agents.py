"""The scripted player in a seat of the arena."""

from __future__ import annotations

from tactician.contract.game import Game
from tactician.contract.state import State
from tactician.errors import InvalidParameterError
from tactician.games.royale.script import Script
from tactician.seats.budget import Budget
from tactician.seats.plan import Plan
from tactician.seats.seat import BaseSeat, acting_seat


class ScriptPlayer(BaseSeat):
    """Fixed rules from public strategy notes; the same for both seats."""

    def __init__(self, game: Game) -> None:
        super().__init__()
        if game.name != "royale":
            raise InvalidParameterError(f"agent 'royale-script' plays 'royale'; given {game.name!r}.")
        self._script = Script(game.config)

    def plan(self, state: State, budget: Budget | str, *, ply: int = 0, seat: int | None = None) -> Plan:
        """One decision; it needs no time to speak of."""
        return Plan((self._script.act(state, acting_seat(state, seat)),), None, state=state)
