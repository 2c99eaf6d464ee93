"""Execute the notebook of the documentation again: run it after a change of what notebooks display."""

from __future__ import annotations

from pathlib import Path

import nbformat
from nbconvert.preprocessors import ExecutePreprocessor

NOTEBOOK = Path(__file__).resolve().parents[1] / "docs" / "board" / "notebook.ipynb"

CELLS = (
    "# Games, plans and positions in a notebook\n\nA state is displayed as its drawing.",
    "import tactician as tt\nfrom tactician.planners import EMCTS\n\n"
    "game = tt.games.hero_academy()\nstate = game.initial_state(seed=7)\nstate",
    "A plan is displayed as the position after it, and its actions in order.",
    'plan = EMCTS().on(game, seed=1).plan(state, "500evals")\nplan',
    "What else was considered, best first:",
    "[(round(other.value), other.names) for other in plan.alternatives[:3]]",
    "A recorded game is displayed as its animation, with the evaluation and all actions.",
    "from tactician.arena.match import play\nfrom tactician.arena.records import Pairing\n\n"
    'play(Pairing("amazons:size=5", ("emcts", "greedy-action"), "200evals", 1, 0))',
)
"""The cells in turn: text, code, text, code ..."""


def main() -> None:
    """Write and execute the notebook."""
    NOTEBOOK.write_text(nbformat.writes(executed()) + "\n", encoding="utf-8")
    print(f"wrote {NOTEBOOK.name}")


def executed() -> nbformat.NotebookNode:
    """The notebook with the outputs of its cells."""
    make = (nbformat.v4.new_markdown_cell, nbformat.v4.new_code_cell)
    cells = [make[i % 2](source, id=f"cell-{i}") for i, source in enumerate(CELLS)]
    metadata = {"kernelspec": {"name": "python3", "display_name": "Python 3", "language": "python"}}
    notebook = nbformat.v4.new_notebook(cells=cells, metadata=metadata)
    ExecutePreprocessor(timeout=300, kernel_name="python3").preprocess(notebook)
    for cell in notebook.cells:
        cell.metadata.pop("execution", None)  # when it ran changes with every run
    notebook.metadata = nbformat.from_dict(metadata)
    return notebook


if __name__ == "__main__":
    main()
