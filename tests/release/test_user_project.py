"""A user's project: type checkers accept what it does with the public names, and it runs."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from distributing import Distributions, environment

PROJECT = Path(__file__).parent / "user_project"


@pytest.fixture(scope="module")
def installed(distributions: Distributions, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The interpreter of an environment that has the wheel, as a user has it."""
    return environment(tmp_path_factory.mktemp("user") / "environment", distributions.wheel, shared=True) / "python"


@pytest.fixture
def project(tmp_path: Path) -> Path:
    """The project outside of the repository, whose settings it must not see."""
    return Path(shutil.copytree(PROJECT, tmp_path / "project"))


def ran(command: list[str], project: Path) -> subprocess.CompletedProcess[str]:
    settings = {key: value for key, value in os.environ.items() if key not in ("PYTHONPATH", "MYPYPATH")}
    return subprocess.run(command, cwd=project, env=settings, capture_output=True, text=True, check=False)


@pytest.mark.slow
def test_mypy_accepts_it_in_strict_mode(project: Path, installed: Path) -> None:
    command = [sys.executable, "-m", "mypy", "--strict", "--python-executable", str(installed), "."]
    # Numba and SciPy ship no types; that is the same for every project that uses them.
    done = ran([*command, "--cache-dir", str(project / "cache")], project)
    assert done.returncode == 0, done.stdout


@pytest.mark.slow
def test_pyright_accepts_it_in_strict_mode(project: Path, installed: Path) -> None:
    settings = {"pythonPath": str(installed), "typeCheckingMode": "strict", "include": ["."]}
    (project / "pyrightconfig.json").write_text(json.dumps(settings), encoding="utf-8")
    if ran([sys.executable, "-m", "pyright", "--version"], project).returncode:
        pytest.skip("pyright is not installed, or can't load its own program without a network")
    done = ran([sys.executable, "-m", "pyright", "--pythonpath", str(installed), "--outputjson"], project)
    report = json.loads(done.stdout)
    found = [f"{Path(one['file']).name}:{one['range']['start']['line'] + 1}: {one['message']}"
             for one in report["generalDiagnostics"] if one["severity"] == "error"]  # fmt: skip
    assert not found, "\n".join(found)
    assert report["summary"]["filesAnalyzed"] >= 2


@pytest.mark.slow
def test_it_runs(project: Path, installed: Path) -> None:
    done = ran([str(installed), "program.py"], project)
    assert done.returncode == 0, done.stderr
    assert "population of 'oep'" in done.stdout
