"""Measure what a turn of each planner costs in CPU time, and write results/strength/costs.json.

    python tools/measure_costs.py

Tournaments with counted budgets say who makes more of the same number of evaluations, not how long that takes. Here
every planner plans at the same positions of a game of Greedy Action against itself, with the tournament's budget.
"""

from __future__ import annotations

import json
import statistics
import sys
import time

from play_strength import EVERYBODY, FOLDER, PLAYOUTS

from tactician.arena import Pairing, play
from tactician.arena.match import game_named
from tactician.contract import State
from tactician.planners import parse_planner

MEASURED = {
    "hero-academy": ("2000evals", 8),
    "locm": ("500evals", 2),
    "amazons:size=6": ("2000evals", 3),
}
"""The budget of a turn in each game, and how many turns lie between two positions."""
ROUNDS = 5
"""How often a position is planned; the median counts."""


def main() -> None:
    """Measure all of them."""
    found = {game: costs(game, budget, every) for game, (budget, every) in MEASURED.items()}
    (FOLDER / "costs.json").write_text(json.dumps(found, indent=1) + "\n", encoding="utf-8")
    sys.stdout.write("wrote results/strength/costs.json\n")


def costs(name: str, budget: str, every: int, rounds: int = ROUNDS) -> dict[str, float]:
    """Milliseconds of CPU time that each planner takes for a turn, the mean over positions."""
    places = positions(name, every)
    found = {}
    for text in (*EVERYBODY, PLAYOUTS):
        agent = parse_planner(text).on(places[0].game, seed=1)
        agent.plan(places[0], budget)  # compiled, and memory is there
        spent = []
        for state in places:
            taken = []
            for ply in range(rounds):
                before = time.process_time()
                agent.plan(state, budget, ply=ply)
                taken.append(1000 * (time.process_time() - before))
            spent.append(statistics.median(taken))
        found[text] = round(statistics.mean(spent), 3)
    return found


def positions(name: str, every: int) -> list[State]:
    """Beginnings of turns in a game of Greedy Action against itself."""
    game = game_named(name)
    record = play(Pairing(name, ("greedy-action", "greedy-action"), "1its", 1, 0))
    state = game.initial_state(seed=record.pairing.seed, **record.options)
    found = []
    for number, turn in enumerate(record.turns):
        if number % every == 0:
            found.append(state.copy())
        for action in turn.actions:
            state.apply(game.action_from_json(action))
    return found


if __name__ == "__main__":
    main()
