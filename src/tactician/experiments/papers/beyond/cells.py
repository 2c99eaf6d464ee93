"""What the experiments beyond the papers have in common."""

from __future__ import annotations

from tactician.experiments.matches import Cell

OURS = "beyond the papers"
GAMES = 400
POINTS = (5, 10, 15)
HERO_ACADEMY = {points: f"hero-academy:action_points={points}" for points in POINTS}
TURN = "20000evals"
BATTLE = "5000evals"
AUTO = "auto:evaluation={},planner=emcts"
COUNTED = "Both sides have the same number of evaluations; those of answers are counted."


def cell(name: str, game: str, planner: str, opponent: str, budget: str) -> Cell:
    """A match that no paper has a figure for."""
    return Cell(name=name, game=game, planner=planner, opponent=opponent, budget=budget, paper=None, paper_games=GAMES)


def battle(label: str, planner: str) -> Cell:
    """A match of LOCM against the paper's planner."""
    return cell(label, "locm", planner, "permutation-oep", BATTLE)
