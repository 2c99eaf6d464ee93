"""Run part of the tests with the lowest versions of the dependencies that pyproject.toml declares.

    python tools/run_lowest.py [--folder .venv-lowest] [arguments of pytest]

Makes an environment of its own in the folder. Every `name>=version` of the package and of the extras in `EXTRAS`
becomes `name==version`; what these need in turn is as new as pip finds it. Needs a network or an index that pip knows.
"""

from __future__ import annotations

import argparse
import os
import subprocess
import sys
import tomllib
from collections.abc import Sequence
from pathlib import Path

from packaging.requirements import Requirement

ROOT = Path(__file__).resolve().parents[1]
EXTRAS = ("web", "cluster")
"""Extras that are tested too. `learn` and `postgres` are not: PyTorch takes gigabytes, PostgreSQL a server."""
TOOLS = ("pytest", "pytest-xdist", "hypothesis", "httpx", "hatchling", "editables")
"""What runs the tests, in any version."""
TESTS = (
    "tests/test_import.py",
    "tests/native",
    "tests/contract/test_rules.py",
    "tests/contract/test_batch.py",
    "tests/contract/test_library.py",
    "tests/contract/test_plain.py",
    "tests/games/amazons",
    "tests/planners/test_planner_plans.py",
    "tests/planners/test_workers.py",
    "tests/arena/test_arena_store.py",
    "tests/arena/test_arena_tournament.py",
    "tests/arena/test_arena_statistics.py",
    "tests/arena/test_arena_ratings.py",
    "tests/arena/test_arena_figures.py",
    "tests/arena/test_arena_executors.py",
    "tests/tuning",
    "tests/cli/test_cli.py",
    "tests/cli/test_cli_arena.py",
    "tests/cli/test_cli_board.py",
)
"""Tests that use every dependency: compiling, databases, statistics, figures, the command line, the board."""


def main(arguments: Sequence[str] | None = None) -> int:
    """Make the environment, run the tests, return pytest's exit code."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--folder", type=Path, default=ROOT / ".venv-lowest", help="where the environment is made")
    given, more = parser.parse_known_args(arguments)
    python = make_environment(given.folder)
    tests = [one for one in TESTS if not any(argument.startswith("tests/") for argument in more)]
    settings = _environment(given.folder)
    # Compile first, as `make test` does: tests of deadlines and signals would meet the compiler otherwise.
    subprocess.run([str(python), "-m", "tactician", "warmup"], cwd=ROOT, env=settings, check=True)
    command = [str(python), "-m", "pytest", *tests, *more]
    return subprocess.run(command, cwd=ROOT, env=settings, check=False).returncode


def make_environment(folder: Path) -> Path:
    """Install the lowest versions into a folder and return its interpreter."""
    python = folder / "bin" / "python"
    if not python.exists():
        subprocess.run([sys.executable, "-m", "venv", str(folder)], check=True)
    pins = lowest(declared())
    print(f"lowest versions: {', '.join(pins)}")
    pip = [str(python), "-m", "pip", "install", "--quiet", "--disable-pip-version-check"]
    subprocess.run([*pip, *pins, *TOOLS], check=True)
    subprocess.run([*pip, "--no-deps", "--no-build-isolation", "--editable", str(ROOT)], check=True)
    return python


def declared() -> list[str]:
    """What the package and the tested extras need, as pyproject.toml says it."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    return [*project["dependencies"], *(one for extra in EXTRAS for one in project["optional-dependencies"][extra])]


def lowest(requirements: Sequence[str]) -> list[str]:
    """The lowest version of each requirement: `name>=1.2,<2` becomes `name==1.2`."""
    pins = []
    for text in requirements:
        one = Requirement(text)
        bounds = [clause.version for clause in one.specifier if clause.operator == ">="]
        if len(bounds) != 1:
            raise ValueError(f"requirement {text!r} has {len(bounds)} lower bounds; expected one, as name>=version")
        extras = f"[{','.join(sorted(one.extras))}]" if one.extras else ""
        pins.append(f"{one.name}{extras}=={bounds[0]}")
    return pins


def _environment(folder: Path) -> dict[str, str]:
    """Without the packages of another environment, and with a compile cache of its own."""
    kept = {key: value for key, value in os.environ.items() if key not in ("PYTHONPATH", "VIRTUAL_ENV")}
    return {**kept, "XDG_CACHE_HOME": str(folder.resolve() / "cache")}


if __name__ == "__main__":
    sys.exit(main())
