"""Classes for the records of a game: editors and type checkers read the fields from them."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from nim_rules import declared

from tactician.contract.stubs import record_stubs
from tactician.errors import InvalidParameterError
from tactician.games.registry import load_game


def stubs_of(spec: str) -> dict[str, Any]:
    """The classes that the source defines."""
    found: dict[str, Any] = {}
    exec(compile(record_stubs(load_game(spec)), "stubs", "exec"), found)
    return found


@pytest.mark.parametrize("spec", ["amazons:size=6", "hero-academy", "locm", "pommerman"])
def test_the_classes_have_the_fields_of_the_records(spec: str) -> None:
    game, classes = load_game(spec), stubs_of(spec)
    assert list(classes["State"].__annotations__) == list(game.backend.state.names or ())
    assert list(classes["Config"].__annotations__) == list(game.backend.config.names or ())


def test_numbers_arrays_and_records_inside_records_have_their_types() -> None:
    Unit = np.dtype([("hp", "f4"), ("place", "i1", (2,))], align=True)
    Nested = np.dtype([("player", "i1"), ("left", "i2"), ("best_unit", Unit)], align=True)
    game = declared(state=Nested).game("nested", max_actions=3, config={"heap": 3}, value_range=(-100, 100))
    source = record_stubs(game)
    for line in (
        "class StateBestUnit(Protocol):",
        "    hp: float",
        "    place: NDArray[np.int8]  # 2",
        "    best_unit: StateBestUnit",
        "    player: int",
    ):
        assert f"{line}\n" in source


def test_a_type_checker_knows_the_fields_in_a_rule(tmp_path: Path) -> None:
    (tmp_path / "fields.py").write_text(record_stubs(load_game("amazons:size=6")))
    rule = "from fields import Config, State\n\n\ndef apply(g: Config, s: State) -> int:\n    return s.{}\n"
    for field, complaint in (("player", None), ("playr", 'has no attribute "playr"')):
        (tmp_path / "rules.py").write_text(rule.format(field))
        checked = subprocess.run(
            [sys.executable, "-m", "mypy", "--cache-dir", str(tmp_path / "cache"), "rules.py"],
            cwd=tmp_path,
            capture_output=True,
            text=True,
        )
        assert (complaint or "no issues found") in checked.stdout


def test_a_game_of_plain_objects_has_no_records() -> None:
    with pytest.raises(InvalidParameterError, match="is made of plain objects; expected one of records"):
        record_stubs(load_game("amazons-plain:size=4"))
