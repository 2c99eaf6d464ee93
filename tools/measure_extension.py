"""Write results/extension.json: how often `reproduce --extend` finds a difference from a paper where there is none.

    python tools/measure_extension.py

Cells are simulated whose true rate is the paper's own: its figure and our games are drawn from the same rate, each game
by itself. Games are added as by `--extend`, or all played at once.
"""

from __future__ import annotations

from collections import Counter
from pathlib import Path
from typing import Any

import numpy as np

from tactician.arena.statistics import PairedScore, difference_interval, size_verdict
from tactician.experiments.matches import Cell, PlayedCell
from tactician.experiments.tally import SIZES
from tactician.files import json_text

PATH = Path(__file__).parents[1] / "results" / "extension.json"
LOOKS = (50, 100, 200, 400)
"""Our games after which the rule looks; the last is the paper's own number."""
RATES = (0.5, 0.6, 0.7, 0.8, 0.9)
CELLS, SEED = 4000, 0


def simulated(cells: int, seed: int) -> dict[str, Any]:
    """The verdicts on so many cells of each rate, and how many games they take."""
    rng = np.random.default_rng(seed)
    return {"seed": seed, "cells": cells, "looks": list(LOOKS), "rows": [_row(rate, cells, rng) for rate in RATES]}


def _row(rate: float, cells: int, rng: np.random.Generator) -> dict[str, Any]:
    extended, at_once, games = Counter[str](), Counter[str](), 0
    for _ in range(cells):
        paper = rng.binomial(LOOKS[-1], rate) / LOOKS[-1]
        won = rng.random(LOOKS[-1]) < rate
        looks = [_played(won[:look], paper) for look in LOOKS]
        stopped = next((one for one in looks if not one.undecided), looks[-1])
        games += stopped.score.games
        extended[_size(stopped)] += 1
        at_once[_size(looks[-1])] += 1
    shares = {
        name: {word: counts[word] / cells for word in SIZES}
        for name, counts in (("extended", extended), ("at_once", at_once))
    }
    return {"rate": rate, "games": games / cells, **shares}


def _played(won: np.ndarray, paper: float) -> PlayedCell:
    """A cell after these games, two on each start."""
    both = np.bincount(won.reshape(-1, 2).sum(axis=1), minlength=3)
    cell = Cell(
        name="simulated",
        game="",
        planner="ours",
        opponent="another",
        budget="1its",
        paper=paper,
        paper_games=LOOKS[-1],
    )
    return PlayedCell(cell, "paper", cell.budget, PairedScore((int(both[0]), 0, int(both[1]), 0, int(both[2]))))


def _size(played: PlayedCell) -> str:
    assert played.reported is not None
    return size_verdict(difference_interval(played.score, played.reported))


def main() -> None:
    """Simulate, and write the results."""
    PATH.write_text(json_text(simulated(CELLS, SEED), indent=1) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
