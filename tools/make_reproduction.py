"""Write all pages of docs/reproduction and their figures from results/*.json, and remove figures that no page shows.

    python tools/make_reproduction.py

Run it after a change to a results file or to how reports are written. Hand-written sections of the pages stay.
`tactician reproduce NAME --report` writes one page.
"""

from __future__ import annotations

from pathlib import Path

from tactician.experiments import pages

ROOT = Path(__file__).parents[1]
FOLDER, RESULTS = ROOT / "docs" / "reproduction", ROOT / "results"


def texts() -> dict[Path, str]:
    """Every page as it should be."""
    return pages.page_texts(RESULTS, FOLDER)


def figures() -> dict[Path, bytes]:
    """Every figure as it should be, as SVG."""
    return pages.page_figures(RESULTS, FOLDER)


def left_over() -> list[Path]:
    """Figures that no page shows."""
    shown = "".join(path.read_text(encoding="utf-8") for path in FOLDER.glob("*.md"))
    return [path for path in sorted(FOLDER.glob("*.svg")) if f"({path.name})" not in shown]


def main() -> None:
    """Write what is out of date."""
    for path in pages.write_pages(RESULTS, FOLDER):
        print(f"wrote {path.relative_to(ROOT)}")
    for path in left_over():
        path.unlink()
        print(f"removed {path.relative_to(ROOT)}")


if __name__ == "__main__":
    main()
