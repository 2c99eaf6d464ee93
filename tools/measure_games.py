"""Measure how wide and how long the turns of the built-in games are, and write results/strength/games.json.

    python tools/measure_games.py

Games that take turns are played by Greedy Action against itself, those where all act at once by rule-based or scripted
players, 20 games each. Counted are what planners consider (`candidate_actions`), decisions with a choice only.
"""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any

from tactician.arena import Pairing, play
from tactician.arena.match import game_named

FOLDER = Path(__file__).resolve().parents[1] / "results" / "strength"
GAMES = {
    "hero-academy:action_points=3": "greedy-action",
    "hero-academy": "greedy-action",
    "hero-academy:action_points=10": "greedy-action",
    "hero-academy:action_points=20": "greedy-action",
    "locm": "greedy-action",
    "amazons:size=6": "greedy-action",
    "amazons": "greedy-action",
    "pommerman": "rule-based",
    "royale": "royale-script",
}
"""What is measured, and who plays it."""
NUMBER = 20
"""Games of each."""


def main() -> None:
    """Measure all of them."""
    found = {name: measured(name, player) for name, player in GAMES.items()}
    (FOLDER / "games.json").write_text(json.dumps(found, indent=1) + "\n", encoding="utf-8")
    sys.stdout.write("wrote results/strength/games.json\n")


def measured(name: str, player: str, number: int = NUMBER) -> dict[str, Any]:
    """Means over games: candidates of a decision, the most of them, decisions of a turn, turns of a game."""
    game = game_named(name)
    candidates: list[int] = []
    decisions = turns = 0
    for seed in range(number):
        record = play(Pairing(name, (player,) * game.players, "1its", seed, 0))
        state = game.initial_state(seed=record.pairing.seed, **record.options)
        for turn in record.turns:
            turns += 1
            for action in turn.actions:
                seats = range(game.players) if game.simultaneous else [state.current_player()]
                wide = [len(state.candidate_actions(seat)) for seat in seats]
                candidates += [width for width in wide if width > 1]
                decisions += sum(width > 1 for width in wide)
                codes = [game.action_from_json(one) for one in (action if game.simultaneous else [action])]
                state.apply(codes if game.simultaneous else codes[0])
    acting = game.players if game.simultaneous else 1
    return {
        "player": player,
        "games": number,
        "candidates": sum(candidates) / len(candidates),
        "most_candidates": max(candidates),
        "decisions_a_turn": decisions / turns / acting,
        "turns_a_game": turns / number,
    }


if __name__ == "__main__":
    main()
