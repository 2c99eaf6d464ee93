"""Write the generated parts of docs/reproduction and its figures from results/*.json.

    python tools/make_reproduction.py

Run it after a change to a results file or to how reports are written. Hand-written sections of the pages stay.
"""

from __future__ import annotations

import tempfile
from pathlib import Path

from tactician.arena.figures import save
from tactician.experiments import pages

ROOT = Path(__file__).parents[1]
FOLDER, RESULTS = ROOT / "docs" / "reproduction", ROOT / "results"


def texts() -> dict[Path, str]:
    """Every page as it should be."""
    documents = pages.documents_in(RESULTS)
    generated = {pages.INDEX: pages.summary(documents)}
    generated |= {name: report.markdown() for name, report in pages.reports_of(documents).items()}
    found = {}
    for name, text in generated.items():
        path = FOLDER / f"{name}.md"
        found[path] = pages.with_generated(
            path.read_text(encoding="utf-8") if path.exists() else pages.new_page(), text
        )
    return found


def figures() -> dict[Path, bytes]:
    """Every figure as it should be, as SVG."""
    found = {}
    with tempfile.TemporaryDirectory() as folder:
        for report in pages.reports_of(pages.documents_in(RESULTS)).values():
            for name, figure in report.figures.items():
                _, svg = save(figure, Path(folder) / name)
                found[FOLDER / svg.name] = svg.read_bytes()
    return found


def main() -> None:
    """Write what is out of date."""
    wanted = {path: text.encode() for path, text in texts().items()} | figures()
    for path in FOLDER.glob("*.svg"):
        if path not in wanted:
            path.unlink()
            print(f"removed {path.relative_to(ROOT)}")
    for path, content in wanted.items():
        if not path.exists() or path.read_bytes() != content:
            path.write_bytes(content)
            print(f"wrote {path.relative_to(ROOT)}")


if __name__ == "__main__":
    main()
