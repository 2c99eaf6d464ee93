"""Positions whose best turn is known, or small enough to be found by trying everything."""

from __future__ import annotations

import importlib
from typing import Any

import planner_games

from tactician.contract import Game, State
from tactician.games.amazons import amazons
from tactician.games.hero_academy import hero_academy

boards: Any = importlib.import_module("hero_academy_boards")


def heal_and_strike() -> State:
    """The combination of the papers' Fig. 2, as a win.

    Our knight has fallen on the assault square. Three shots of the archer take 900 from the last crystal, which has
    1000. If the cleric revives the knight first, each of two shots does 300 more. Nobody else gets to the square.
    """
    return boards.position(
        """
        .  .  .  .  .  .  .  .  k
        .  .  .  .  .  .  A  .  .
        .  .  .  .  .  .  .  .  .
        .  X  .  .  .  .  .  x=1000  .
        .  .  C  X  K=0  .  .  .  .
        """,
        ap=3,
    )


HEAL, SHOOT, END = ["U", "H", 2, 4, 4, 4], ["U", "A", 6, 1, 7, 3], ["E"]


def skirmish() -> State:
    """Two against two, two action points, some cards."""
    return boards.position(
        """
        .  .  .  .  .  .  .  .  .
        .  .  X  .  .  .  x  .  .
        .  .  .  W  k=300  .  .  .  .
        .  .  .  .  a=250  .  .  .  .
        .  K  .  .  .  .  .  .  .
        """,
        hand="AR",
        deck="K",
        ap=2,
    )


def wounded() -> State:
    """The second player's turn: a cleric with two wounded friends, a potion, and an archer in reach."""
    return boards.position(
        """
        .  .  .  .  .  .  .  .  .
        .  .  X  .  .  .  x  .  .
        K  .  .  .  A=200  .  w=0  .  .
        .  .  .  .  .  n  .  .  .
        .  .  .  .  .  .  c  k=100  .
        """,
        hand="P",
        ap=2,
        turn=2,
    )


def last_turns(size: int, most: int) -> list[State]:
    """Positions of Amazons in which the player to move can win this turn, but not with every turn."""
    import random

    game, found = amazons(size), []
    for seed in range(400):
        chance, state = random.Random(seed), game.initial_state()
        while not state.is_over():
            if state.record.phase == 0 and _wins(state):
                found.append(state.copy())
                break
            state.apply(chance.choice(state.legal_actions()))
        if len(found) == most:
            break
    return found


def _wins(state: State) -> bool:
    ends = [end.is_over() for _, end in planner_games.all_turns(state)]
    return any(ends) and not all(ends)


def hidden_game() -> Game:
    return hero_academy(information="hidden")
