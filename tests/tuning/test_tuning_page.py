"""The page about tuning says what the code says."""

from __future__ import annotations

import re
from dataclasses import MISSING, fields
from pathlib import Path

from tactician.tuning import NTBEA

PAGE = (Path(__file__).parents[2] / "docs" / "tuning.md").read_text(encoding="utf-8")


def test_parameters_have_the_documented_defaults() -> None:
    rows = dict(re.findall(r"^\| `(\w+)` \| `([\d.]+)` \|", PAGE, re.MULTILINE))
    defaults = {field.name: str(field.default) for field in fields(NTBEA) if field.default is not MISSING}
    assert rows | {"seed": "0"} == defaults


def test_the_comparison_has_the_scripts_methods_and_sizes() -> None:
    script = (Path(__file__).parents[2] / "benchmarks" / "ntbea_functions.py").read_text(encoding="utf-8")
    methods = re.findall(r"^\| ([^|]+) \| \d+ \| 0\.", PAGE, re.MULTILINE)
    assert len(methods) == 4 * 7
    assert "PARAMETERS, VALUES, GAMES = 5, 6, 12" in script
    assert "(7,776 points, as in the paper), and an evaluation is the win rate of 12 games" in " ".join(PAGE.split())
