"""The site builds without a warning and a network, and its API reference has every public name."""

from __future__ import annotations

import importlib
import inspect
import os
import re
import subprocess
import sys
import zlib
from pathlib import Path

import api_pages
import pytest
from pages import ROOT

PACKAGES = [importlib.import_module(name) for name in api_pages.PACKAGES]


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The built site; a warning is an error."""
    pytest.importorskip("mkdocstrings", reason="mkdocs and mkdocstrings are in the extra 'dev'")
    folder = tmp_path_factory.mktemp("site")
    command = [sys.executable, "-m", "mkdocs", "build", "--strict", "--quiet", "--site-dir", str(folder)]
    settings = {**os.environ, "NO_MKDOCS_2_WARNING": "1"}
    done = subprocess.run(command, cwd=ROOT, env=settings, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    return folder


def test_the_site_is_built_without_a_warning(site: Path) -> None:
    assert "Replay of a game" in (site / "index.html").read_text(encoding="utf-8")


def test_pages_load_nothing_from_elsewhere(site: Path) -> None:
    # A link to another site is fine; what a page needs to be shown is not.
    loaded = re.compile(r"""<(?:script|link|img|iframe)\b[^>]*\b(?:src|href)=["'](?:https?:)?//[^"']*""")
    for page in sorted(site.rglob("*.html")):
        found = loaded.findall(page.read_text(encoding="utf-8"))
        assert not found, f"{page.name} loads {found[0]}"


def test_every_public_name_is_in_the_api_reference(site: Path) -> None:
    inventory = (site / "objects.inv").read_bytes().split(b"\n", 4)[4]
    documented = {line.split(" ")[0] for line in zlib.decompress(inventory).decode("utf-8").splitlines()}
    missing = {
        f"{package.__name__}.{name} ({path})"
        for package in PACKAGES
        for name, path in api_pages.documented(package.__name__).items()
        if path not in documented
    }
    assert not missing
    errors = importlib.import_module("tactician.errors")
    kinds = {name for name, kind in vars(errors).items() if inspect.isclass(kind) and issubclass(kind, Exception)}
    assert {f"tactician.errors.{name}" for name in kinds} <= documented


def test_public_functions_and_methods_have_docstrings() -> None:
    for package in PACKAGES:
        for name in package.__all__:
            value = getattr(package, name)
            if inspect.isclass(value) or inspect.isfunction(value):
                assert inspect.getdoc(value), f"{package.__name__}.{name}"


def test_the_overview_of_the_api_lists_every_package_and_name_of_the_top() -> None:
    import tactician

    overview = (ROOT / "docs" / "api" / "index.md").read_text(encoding="utf-8")
    for package in (*api_pages.PACKAGES, "tactician.errors"):
        assert f"[`{package}`](" in overview
    for name in tactician.__all__:
        assert name == "__version__" or f"`tt.{name}`" in overview or f"`tactician.{name}`" in overview
