"""Write the table and the figure of docs/reference/growth.md from results/speed/growth.json.

tactician bench growth --out results/speed/growth.json
python tools/make_growth.py
"""

from __future__ import annotations

import json
import tempfile
from pathlib import Path
from typing import Any

from tactician.arena.figures import COLOURS, MARKERS, STYLE, save

ROOT = Path(__file__).parents[1]
RESULTS = ROOT / "results" / "speed" / "growth.json"
PAGE, FIGURE = ROOT / "docs" / "reference" / "growth.md", ROOT / "docs" / "reference" / "growth.svg"
BEGIN, END = "<!-- growth -->", "<!-- end -->"
AXES = {
    "budget": "budget, iterations",
    "action points": "action points a turn, Hero Academy",
    "board": "side of the board, Amazons",
    "players": "players, a heap game",
}
"""What grows, and what it is called in the figure."""


def page(text: str, document: dict[str, Any]) -> str:
    """The page with its tables exchanged."""
    head, _, rest = text.partition(BEGIN)
    _, _, tail = rest.partition(END)
    return f"{head}{BEGIN}\n{tables(document)}\n{END}{tail}"


def tables(document: dict[str, Any]) -> str:
    """A table for each axis: a row for each planner, thousands of units a second and megabytes."""
    about = document["machine"]
    lines = [f"{about['processor']}, Python {about['python']}, Numba {about['numba']}.", ""]
    for axis, title in AXES.items():
        rows = [row for row in document["points"] if row["axis"] == axis]
        places = sorted({row["at"] for row in rows})
        lines += [
            f"### {title[0].upper()}{title[1:]}",
            "",
            f"| planner | unit | {' | '.join(f'{at:,}' for at in places)} |",
            f"|---|---|{'---:|' * len(places)}",
        ]
        for planner, unit in sorted({(row["planner"], row["unit"]) for row in rows}):
            found = {row["at"]: row for row in rows if row["planner"] == planner}
            cells = [f"{found[at]['rate'] / 1000:,.0f} k" if at in found else "" for at in places]
            lines.append(f"| {planner} | {unit} | {' | '.join(cells)} |")
            cells = [f"{found[at]['memory_mb']:,.0f}" if at in found else "" for at in places]
            lines.append(f"| | MB | {' | '.join(cells)} |")
        lines.append("")
    return "\n".join(lines).rstrip()


def figure(document: dict[str, Any]) -> Any:
    """Speed along each axis, both scales logarithmic for budgets."""
    import matplotlib
    from matplotlib.figure import Figure

    planners = sorted({row["planner"] for row in document["points"]})
    with matplotlib.rc_context(STYLE):
        drawn = Figure(figsize=(7.2, 5.4), layout="constrained")
        for panel, (axis, title) in zip(drawn.subplots(2, 2).flat, AXES.items(), strict=True):
            for number, planner in enumerate(planners):
                rows = [row for row in document["points"] if (row["axis"], row["planner"]) == (axis, planner)]
                rows.sort(key=lambda row: row["at"])
                if rows:
                    style = {"color": COLOURS[number % len(COLOURS)], "marker": MARKERS[number % len(MARKERS)]}
                    panel.plot([r["at"] for r in rows], [r["rate"] for r in rows], label=planner, lw=1, ms=4, **style)
            panel.set(xlabel=title, ylabel="units of work a second", yscale="log")
            if axis == "budget":
                panel.set_xscale("log")
                panel.legend(frameon=False, ncols=2)
    return drawn


def main() -> None:
    """Write the page and the figure."""
    document = json.loads(RESULTS.read_text(encoding="utf-8"))
    PAGE.write_text(page(PAGE.read_text(encoding="utf-8"), document), encoding="utf-8")
    with tempfile.TemporaryDirectory() as folder:
        FIGURE.write_bytes(save(figure(document), Path(folder) / "growth")[1].read_bytes())


if __name__ == "__main__":
    main()
