"""The user study of Justesen et al. 2017: people of three skills play Hero Academy against OEP, hands are hidden.

A game of the study is an ordinary board whose description has the player's skill. Every turn is in the store as it
happens; `tactician reproduce justesen-humans` reads them from there.
"""

from __future__ import annotations

import secrets
from dataclasses import dataclass
from typing import Any

from tactician.errors import InvalidParameterError, short
from tactician.web.board import Board
from tactician.web.catalog import PERSON
from tactician.web.service import Service

SKILLS = ("beginner", "intermediate", "expert")
GAME = "hero-academy"
PARAMETERS = {"information": "hidden", "draws": "shuffled"}

INTRODUCTION = (
    "Two teams of heroes fight over two crystals each. You win if you destroy both enemy crystals, or if the enemy has "
    "no units left on the board, in hand and in the deck.",
    "A turn has five action points, the first turn of the game three. Deploy a unit card on a deploy square, "
    "move a unit, attack, heal, use an item on a unit, or return a card to the deck: each costs one point. A unit may "
    "act several times.",
    "Knights are tough, archers shoot far, clerics heal, wizards use magic, ninjas are fast and change places with "
    "friends. A unit without hit points is knocked out: it can be revived until its owner's next turn ends, and any "
    "unit that steps on it removes it.",
    "Click a unit or a card, then one of the squares that light up. You can take actions back until your turn ends. "
    "The planner does not see your hand, and you don't see the planner's.",
)


@dataclass(frozen=True)
class Study:
    """A study with one opponent."""

    opponent: str = "oep"
    budget: str = "6s"

    def describe(self) -> dict[str, Any]:
        """What the page shows before a game."""
        return {
            "skills": list(SKILLS),
            "introduction": list(INTRODUCTION),
            "game": GAME,
            "opponent": self.opponent,
            "budget": self.budget,
        }

    async def begin(self, service: Service, skill: str) -> tuple[Board, str]:
        """A game for somebody of a skill, on a random side."""
        if skill not in SKILLS:
            raise InvalidParameterError(f"skill is {short(skill)}; expected {', '.join(SKILLS)}.")
        seats = [PERSON, self.opponent]
        if secrets.randbelow(2):
            seats.reverse()
        wish = {"game": GAME, "parameters": PARAMETERS, "seats": seats, "budget": self.budget}
        return await service.create(wish, {"skill": skill, "opponent": self.opponent})
