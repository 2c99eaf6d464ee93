"""README and documentation are true: their code runs, their links lead somewhere, their pictures are current."""

from __future__ import annotations

import sys
from pathlib import Path
from types import ModuleType

import pytest
from pages import DOCS, ROOT, TOP, Page, tool

# These tutorials have tests of their own: their blocks are files, or need what is not there everywhere.
OWN_TESTS = tuple(f"docs/tutorials/{name}.md" for name in ("your-own-game", "amazons", "embedding", "other-worlds"))
RUN = [page for page in [*TOP, *DOCS] if page.name not in OWN_TESTS and page.blocks("python")]
LINKED = [page for page in [*TOP, *DOCS] if page.links()]


@pytest.mark.parametrize("page", RUN, ids=lambda page: page.name)
def test_python_blocks_run_in_order(page: Page, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.syspath_prepend(tmp_path)
    known = set(sys.modules)
    scope: dict[str, object] = {"__name__": "__main__"}
    for block in page.blocks("python"):
        # The empty lines make the line numbers of an error those of the page.
        exec(compile("\n" * (block.line - 1) + block.code, str(page.path), "exec"), scope)
    for module in set(sys.modules) - known:
        if str(getattr(sys.modules[module], "__file__", "")).startswith(str(tmp_path)):
            del sys.modules[module]


@pytest.mark.parametrize("page", LINKED, ids=lambda page: page.name)
def test_relative_links_and_images_exist(page: Page) -> None:
    for link in page.links():
        name, _, anchor = link.partition("#")
        target = (page.path.parent / name).resolve() if name else page.path
        assert target.exists(), f"{page.name} links to {link}, which does not exist"
        if anchor:
            assert anchor in Page(target).anchors(), f"{page.name} links to {link}, but there is no such heading"


def test_every_page_is_in_the_navigation() -> None:
    navigation = (ROOT / "mkdocs.yml").read_text(encoding="utf-8").partition("\nnav:")[2]
    for page in DOCS:
        assert f": {page.path.relative_to(ROOT / 'docs').as_posix()}\n" in navigation


@pytest.fixture(scope="module")
def make_images() -> ModuleType:
    return tool("make_images")


def test_committed_pictures_are_what_the_code_draws(make_images: ModuleType) -> None:
    for name, draw in make_images.PICTURES.items():
        committed = (make_images.FOLDER / name).read_text(encoding="utf-8")
        assert draw() == committed, f"docs/images/{name} is out of date: run tools/make_images.py"


def test_no_picture_is_left_over(make_images: ModuleType) -> None:
    assert {path.name for path in make_images.FOLDER.iterdir()} == set(make_images.PICTURES)
