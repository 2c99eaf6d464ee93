"""References, packages that import their names on first use."""

from __future__ import annotations

import json
import subprocess
import sys
from types import ModuleType

import pytest

import tactician as tt
from tactician.contract.entry import GameEntry
from tactician.importing import resolve


def modules_after(script: str) -> list[str]:
    """The modules a new process has after running a script."""
    script += "\nimport json, sys; print(json.dumps(sorted(sys.modules)))"
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True, timeout=120)
    found: list[str] = json.loads(done.stdout.splitlines()[-1])
    return found


def test_a_reference_names_a_module_an_object_or_a_part_of_one() -> None:
    assert resolve("tactician.contract.entry").__name__ == "tactician.contract.entry"
    assert resolve("tactician.contract.entry:GameEntry") is GameEntry
    assert resolve("tactician.contract.entry:GameEntry.load") is GameEntry.load
    with pytest.raises(AttributeError):
        resolve("tactician.contract.entry:GmaeEntry")


def test_a_name_means_the_same_before_and_after_the_submodule_of_that_name_is_imported() -> None:
    script = """
import tactician as tt
{first}
assert tt.games.locm(information="open").name == "locm", tt.games.locm
assert tt.contract.rules.__module__ == "tactician.contract.rules", tt.contract.rules
assert tt.contract.plain.__name__ == "plain"
import tactician.games.locm, tactician.contract.rules, tactician.contract.plain
assert tt.games.locm(information="open").name == "locm"
assert callable(tt.contract.rules) and callable(tt.contract.plain)
from tactician.games import locm
assert locm is tt.games.locm
"""
    for first in ("", "import tactician.games.locm.protocol", "import tactician.contract.rules"):
        assert "tactician.games.locm.factory" in modules_after(script.format(first=first))


def test_submodules_are_attributes_as_of_any_package() -> None:

    assert isinstance(tt.contract.game, ModuleType)
    assert isinstance(tt.games.registry, ModuleType)
    assert isinstance(tt.contract.bits, ModuleType)


@pytest.mark.parametrize("package", [tt, tt.contract, tt.games, sys.modules["tactician.games.amazons"]])
def test_every_public_name_of_a_lazy_package_is_there(package: ModuleType) -> None:
    for name in package.__all__:
        assert getattr(package, name) is not None
    assert set(package.__all__) <= set(dir(package))
    with pytest.raises(AttributeError, match=f"module '{package.__name__}' has no attribute 'nothing'"):
        package.nothing  # noqa: B018
    with pytest.raises(ImportError):
        exec(f"from {package.__name__} import nothing")


def test_every_built_in_game_is_a_function_of_the_package() -> None:
    from tactician.games.registry import GAMES, game_factory

    functions = {getattr(tt.games, name) for name in dir(tt.games)}
    assert {game_factory(name) for name in GAMES} <= functions
