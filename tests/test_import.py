"""Importing the package is light: it imports no optional dependency, and nothing heavy before it is used."""

from __future__ import annotations

import json
import subprocess
import sys

import pytest

OPTIONAL = {"torch", "fastapi", "uvicorn", "dask", "pettingzoo", "gymnasium", "pyspiel", "matplotlib"}


def modules_after(script: str) -> set[str]:
    """The top-level modules a new process has after running a script."""
    script += "\nimport json, sys; print(json.dumps(sorted({name.partition('.')[0] for name in sys.modules})))"
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True, timeout=120)
    return set(json.loads(done.stdout.splitlines()[-1]))


@pytest.mark.parametrize(
    "script",
    [
        "import tactician",
        "import tactician.contract, tactician.games, tactician.planners, tactician.arena, tactician.cli.main",
        "import tactician; tactician.load_game('amazons-plain').initial_state().legal_actions()",
    ],
)
def test_no_optional_dependency_is_imported(script: str) -> None:
    found = modules_after(script)
    assert "tactician" in found
    assert not found & OPTIONAL


def test_the_bare_import_loads_nothing_heavy() -> None:
    assert not modules_after("import tactician") & {"numba", "numpy", "scipy", "rich", "typer"}


def test_every_public_name_is_there() -> None:
    script = "import tactician\nfor name in tactician.__all__: assert getattr(tactician, name) is not None, name"
    assert "numba" in modules_after(script)


def test_a_name_that_is_not_there_is_an_attribute_error() -> None:
    import tactician

    with pytest.raises(AttributeError, match="module 'tactician' has no attribute 'gmaes'"):
        tactician.gmaes  # type: ignore[attr-defined]  # noqa: B018


def test_the_command_line_starts_without_numba() -> None:
    """`tactician --version` and `--help` must not wait for what only searches need."""
    assert not {"numba", "numpy", "scipy"} & modules_after("import tactician.cli.main")
