"""Draw docs/planners/choose.svg from results/strength: scores in Hero Academy against evaluations for each candidate.

python tools/make_strength_figure.py
"""

from __future__ import annotations

import tempfile
from pathlib import Path
from typing import Any

from strength_tables import evaluations_for_each_candidate, tournament

from tactician.arena.figures import COLOURS, MARKERS, STYLE, save

FIGURE = Path(__file__).resolve().parents[1] / "docs" / "planners" / "choose.svg"
SHOWN = ("non-exploring-mcts", "bridge-burning-mcts", "emcts", "oep", "greedy-turn", "greedy-action")
POINTS = {
    "hero-academy-200": "5 actions,\n200",
    "hero-academy-20-points": "20 actions,\n2,000",
    "hero-academy-10-points": "10 actions,\n2,000",
    "hero-academy-2000-searchers": "5 actions,\n2,000",
}
"""The tournaments of the figure, the same eight planners in each: what a turn has, and its evaluations."""


def figure() -> Any:
    """A line for each planner, with 95 % intervals."""
    import matplotlib
    from matplotlib.figure import Figure

    with matplotlib.rc_context(STYLE):
        drawn = Figure(figsize=(7.2, 4.2), layout="constrained")
        axes = drawn.subplots()
        places = [evaluations_for_each_candidate(name) for name in POINTS]
        for number, planner in enumerate(SHOWN):
            rows = [_standing(name, planner) for name in POINTS]
            scores = [100 * row["score"] for row in rows]
            below = [100 * (row["score"] - row["interval"][0]) for row in rows]
            above = [100 * (row["interval"][1] - row["score"]) for row in rows]
            # Shifted a little, so that intervals do not hide each other.
            shifted = [place * (1 + 0.03 * (number - len(SHOWN) / 2)) for place in places]
            style: dict[str, Any] = {"color": COLOURS[number % len(COLOURS)], "marker": MARKERS[number % len(MARKERS)]}
            axes.errorbar(shifted, scores, yerr=[below, above], label=planner, lw=1, ms=4, capsize=2, **style)
        axes.axhline(50, color="#90a4ae", lw=0.8)
        axes.set(xscale="log", ylim=(0, 100), ylabel="score against the other seven, %")
        axes.set_xlabel("evaluations for each candidate of a turn, Hero Academy")
        axes.set_xticks(places, [f"{place:.0f}\n({text})" for place, text in zip(places, POINTS.values(), strict=True)])
        axes.minorticks_off()
        axes.legend(frameon=False, ncols=3, loc="lower center", bbox_to_anchor=(0.5, 1.0))
    return drawn


def _standing(name: str, planner: str) -> dict[str, Any]:
    (found,) = (row for row in tournament(name)["standings"] if row["planner"] == planner)
    row: dict[str, Any] = found
    return row


def main() -> None:
    """Write the figure."""
    with tempfile.TemporaryDirectory() as folder:
        FIGURE.write_bytes(save(figure(), Path(folder) / "choose")[1].read_bytes())
    print("wrote docs/planners/choose.svg")


if __name__ == "__main__":
    main()
