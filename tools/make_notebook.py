"""Execute the notebook of the documentation again: run it after a change of what notebooks display.

    python tools/make_notebook.py

It writes the notebook and the same as a page that needs neither Jupyter nor a network.
"""

from __future__ import annotations

from pathlib import Path

import nbformat
from nbconvert import HTMLExporter
from nbconvert.preprocessors import ExecutePreprocessor

NOTEBOOK = Path(__file__).resolve().parents[1] / "docs" / "board" / "notebook.ipynb"
PAGE = NOTEBOOK.with_name("executed.html")
STYLE = """body { font-family: sans-serif; max-width: 60rem; margin: 1rem auto; padding: 0 1rem; background: white; }
pre { background: #f5f5f5; padding: 0.5rem; overflow: auto; }
svg { max-width: 100%; height: auto; }
iframe { width: 100%; border: 0; }
.jp-InputPrompt, .jp-OutputPrompt { color: #607d8b; font-family: monospace; font-size: 0.8rem; }
.anchor-link { display: none; }"""

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
    notebook = executed()
    NOTEBOOK.write_text(nbformat.writes(notebook) + "\n", encoding="utf-8")
    PAGE.write_text(as_page(notebook), encoding="utf-8")
    print(f"wrote {NOTEBOOK.name} and {PAGE.name}")


def as_page(notebook: nbformat.NotebookNode) -> str:
    """An executed notebook as one HTML file that loads nothing from elsewhere."""
    body, _ = HTMLExporter(template_name="basic").from_notebook_node(notebook)
    head = f'<meta charset="utf-8"><title>A notebook</title><style>{STYLE}</style>'
    page = f'<!DOCTYPE html>\n<html lang="en"><head>{head}</head><body>\n{body}</body></html>\n'
    return "\n".join(line.rstrip() for line in page.splitlines()) + "\n"


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
