"""`auto` with few evaluations, against the papers' planners that are strongest there."""

from __future__ import annotations

from tactician.experiments.matches import Cell, MatchExperiment
from tactician.experiments.papers.beyond.cells import COUNTED, GAMES, HERO_ACADEMY, OURS, cell

_AUTO = "auto"
_WITHOUT_TREE = "auto:planner=coevolution"
_TREE = "non-exploring-mcts"
_FIELDS = (
    ("Hero Academy, 5 AP, 200 evaluations", HERO_ACADEMY[5], "200evals", (_TREE, "mcts")),
    ("Hero Academy, 5 AP, 500 evaluations", HERO_ACADEMY[5], "500evals", (_TREE, "emcts")),
    ("Hero Academy, 5 AP, 2,000 evaluations", HERO_ACADEMY[5], "2000evals", ("bridge-burning-mcts", "emcts")),
    ("Hero Academy, 10 AP, 2,000 evaluations", HERO_ACADEMY[10], "2000evals", (_TREE, "emcts")),
    ("Hero Academy, 10 AP, 20,000 evaluations", HERO_ACADEMY[10], "20000evals", (_TREE, "emcts")),
    ("Hero Academy, 15 AP, 20,000 evaluations", HERO_ACADEMY[15], "20000evals", (_TREE, "emcts")),
    ("Hero Academy, 20 AP, 2,000 evaluations", "hero-academy:action_points=20", "2000evals", (_TREE, "oep")),
    ("Amazons, 500 evaluations", "amazons", "500evals", (_TREE, "greedy-oep")),
    ("Amazons, 2,000 evaluations", "amazons", "2000evals", (_TREE, "greedy-oep")),
    ("Amazons 6 × 6, 2,000 evaluations", "amazons:size=6", "2000evals", (_TREE, "bridge-burning-mcts")),
    ("LOCM, board, 500 evaluations", "locm:evaluation=board", "500evals", ("permutation-oep", _TREE)),
    ("LOCM, board, 5,000 evaluations", "locm:evaluation=board", "5000evals", ("permutation-oep", _TREE)),
)
"""Names, games, budgets, and who is strongest there among the papers' planners."""
_MANY = (
    ("Hero Academy, 10 AP, 100,000 evaluations", HERO_ACADEMY[10], "100000evals"),
    ("Hero Academy, 15 AP, 100,000 evaluations", HERO_ACADEMY[15], "100000evals"),
)


def _match(name: str, game: str, opponent: str, budget: str, called: str = "") -> Cell:
    """A cell in which both have the usual evaluation of the game, not that of a reading of a paper."""
    ours, theirs = _AUTO, opponent
    if game.startswith("hero-academy"):
        ours, theirs = (f"{one}{',' if ':' in one else ':'}evaluation=default" for one in (ours, theirs))
    return cell(f"{name}: auto against {called or opponent}", game, ours, theirs, budget)


def _cells() -> tuple[Cell, ...]:
    cells = [
        _match(name, game, opponent, budget) for name, game, budget, opponents in _FIELDS for opponent in opponents
    ]
    cells += [_match(name, game, "emcts", budget) for name, game, budget in _MANY]
    alone = (*(row[:3] for row in _FIELDS if "AP" in row[0] or row[0] == "Amazons, 500 evaluations"), *_MANY)
    cells += [
        _match(name, game, _WITHOUT_TREE, budget, "itself without the tree's first turn")
        for name, game, budget in alone
    ]
    return tuple(cells)


AUTO_FIELD = MatchExperiment(
    name="beyond-auto",
    title="auto with few and with many evaluations against the papers' planners that are strongest there",
    paper=OURS,
    claim="One planner that decides by itself is about as strong as the best one wherever players take turns.",
    presets=("paper",),
    cells=_cells(),
    size=GAMES,
    seconds=1.0,
    note=COUNTED + " The opponents are the first two of the tournaments in 'Which planner for my game', or EMCTS.",
)
