"""Write all pages of docs/reproduction and their figures from results/*.json, and remove figures that nothing draws.

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


def main() -> None:
    """Write what is out of date."""
    for path in pages.write_pages(RESULTS, FOLDER):
        print(f"wrote {path.relative_to(ROOT)}")
    drawn = figures()
    for path in FOLDER.glob("*.svg"):
        if path not in drawn:
            path.unlink()
            print(f"removed {path.relative_to(ROOT)}")


if __name__ == "__main__":
    main()
