"""Wheel and source distribution: complete, and they run where nothing else of the repository is."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import tarfile
import tomllib
import zipfile
from email.parser import Parser
from pathlib import Path

import pytest
from distributing import ROOT, Distributions, environment

import tactician

PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
SUPPORTED = ("3.11", "3.12", "3.13")
"""The versions of Python that the slow test tries, where there is an interpreter."""
ARENA = ("arena", "amazons-plain:size=4", "random", "greedy-action", "--games", "2", "--budget", "1its")


def metadata(wheel: Path) -> dict[str, list[str]]:
    with zipfile.ZipFile(wheel) as archive:
        (name,) = (name for name in archive.namelist() if name.endswith(".dist-info/METADATA"))
        message = Parser().parsestr(archive.read(name).decode("utf-8"))
    return {key: message.get_all(key) or [] for key in message}


def committed(folder: str) -> set[str]:
    if shutil.which("git") is None or not (ROOT / ".git").exists():
        pytest.skip("not a repository")
    listed = subprocess.run(["git", "ls-files", folder], cwd=ROOT, capture_output=True, text=True, check=True)
    return {name for name in listed.stdout.split() if (ROOT / name).exists()}


def test_the_wheel_has_every_file_of_the_package_and_nothing_else(distributions: Distributions) -> None:
    with zipfile.ZipFile(distributions.wheel) as archive:
        packed = {name for name in archive.namelist() if ".dist-info/" not in name}
    missing = {name.removeprefix("src/") for name in committed("src")} - packed
    assert not missing
    assert all(name.startswith("tactician/") for name in packed)
    assert "tactician/py.typed" in packed


def test_the_source_distribution_has_what_its_tests_need(distributions: Distributions) -> None:
    with tarfile.open(distributions.sdist) as archive:
        packed = {name.partition("/")[2] for name in archive.getnames()}
    for folder in ("src", "tests", "docs", "tools", "benchmarks", "results"):
        assert committed(folder) <= packed
    assert {"README.md", "LICENSE", "CHANGELOG.md", "CITATION.cff", "Makefile", "mkdocs.yml"} <= packed


def test_the_version_stands_in_one_place(distributions: Distributions) -> None:
    assert metadata(distributions.wheel)["Version"] == [tactician.__version__]
    assert PROJECT["dynamic"] == ["version"]
    written = re.compile(rf"\b{re.escape(tactician.__version__)}\b")
    for name in ("pyproject.toml", "CITATION.cff", "README.md", "mkdocs.yml"):
        assert not written.search((ROOT / name).read_text(encoding="utf-8")), f"{name} repeats the version"


def test_the_changelog_has_a_section_for_this_version() -> None:
    changelog = (ROOT / "CHANGELOG.md").read_text(encoding="utf-8")
    assert f"\n## [{tactician.__version__}]" in changelog


def test_classifiers_name_the_versions_that_are_tested(distributions: Distributions) -> None:
    prefix = "Programming Language :: Python :: 3."
    named = [line.removeprefix(prefix) for line in metadata(distributions.wheel)["Classifier"] if prefix in line]
    assert tuple(f"3.{minor}" for minor in named) == SUPPORTED
    assert PROJECT["requires-python"] == f">={SUPPORTED[0]}"


def test_the_wheel_runs_without_the_repository(distributions: Distributions, tmp_path: Path) -> None:
    scripts = environment(tmp_path / "environment", distributions.wheel, shared=True)
    assert_it_runs(scripts, tmp_path)


@pytest.mark.slow
@pytest.mark.parametrize("version", SUPPORTED)
def test_the_wheel_runs_in_an_empty_environment(version: str, distributions: Distributions, tmp_path: Path) -> None:
    interpreter = shutil.which(f"python{version}")
    if interpreter is None or subprocess.run([interpreter, "--version"], capture_output=True).returncode:
        pytest.skip(f"there is no Python {version}")
    folder = tmp_path / "environment"
    subprocess.run([interpreter, "-m", "venv", str(folder)], check=True)
    install = [str(folder / "bin" / "pip"), "install", "--quiet", str(distributions.wheel)]
    done = subprocess.run(install, capture_output=True, text=True, check=False)
    if "No matching distribution" in done.stderr or "connection" in done.stderr.lower():
        pytest.skip(f"pip finds no packages: {done.stderr.splitlines()[-1]}")
    assert done.returncode == 0, done.stderr
    assert_it_runs(folder / "bin", tmp_path)


def assert_it_runs(scripts: Path, folder: Path) -> None:
    settings = {key: value for key, value in os.environ.items() if not key.startswith(("PYTHON", "TACTICIAN"))}
    settings |= {"XDG_CACHE_HOME": str(folder / "cache"), "COLUMNS": "200"}

    def ran(program: str, *arguments: str) -> str:
        command = [str(scripts / program), *arguments]
        done = subprocess.run(command, cwd=folder, env=settings, capture_output=True, text=True, check=False)
        assert done.returncode == 0, done.stderr
        return done.stdout

    place = ran("python", "-c", "import tactician; print(tactician.__file__)")
    assert place.startswith(str(scripts.parent)), "another copy of the package was imported"
    assert "Usage: tactician" in ran("tactician", "--help")
    assert ran("tactician", "--version") == f"tactician {tactician.__version__}\n"
    assert "2 games of amazons-plain:size=4" in ran("tactician", *ARENA)
