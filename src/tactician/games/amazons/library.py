"""Amazons from a C library: the third of three ways to write a game.

The rules are in `amazons.c`, written against `tactician.h`; records and presentation are those of the compiled version.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import tempfile
from dataclasses import replace
from pathlib import Path

import numpy as np

from tactician.contract import Game
from tactician.contract.library import HEADER, library
from tactician.contract.presentation import configure as no_tables
from tactician.errors import InvalidGameError
from tactician.games.amazons import positions, records

SOURCE = Path(__file__).with_name("amazons.c")
"""The rules in C, which come with the package."""

Config = np.dtype([("width", "i8"), ("queens", "i8"), ("weights", "f8", (2,))], align=True)
"""The configuration of the C version, which has no tables."""
_COMPILERS = ("cc", "gcc", "clang")
_SUFFIX = {"win32": ".dll", "darwin": ".dylib"}


def from_library(path: str | Path, size: int = 10, queens: int | None = None) -> Game:
    """Make a Game of the Amazons with the rules of a shared library; parameters, actions and JSON as in `amazons`."""
    size, queens = positions.checked_parameters(size, queens)
    return library(
        path,
        Config,
        records.State,
        replace(records.rule.presentation, configure=no_tables),
        name="amazons_from_library",
        max_actions=positions.longest_list(size),
        values={"width": size, "queens": queens, "weights": (positions.MOBILITY, positions.LIBERTY)},
        weights=records.WEIGHTS,
        value_range=records.value_range,
        description=f"Game of the Amazons, {size}×{size}, {queens} queens a side, with the rules in C.",
    )


def build(folder: str | Path) -> Path:
    """Compile the C source that comes with the package into a folder; return the library's path."""
    compiler = next(filter(None, map(shutil.which, _COMPILERS)), None)
    if compiler is None:
        raise InvalidGameError(f"no C compiler found to build amazons.c; expected one of {', '.join(_COMPILERS)}.")
    target = Path(folder) / f"amazons{_SUFFIX.get(sys.platform, '.so')}"
    target.parent.mkdir(parents=True, exist_ok=True)
    # Built in a temporary folder and moved: the file must not change under a process that has it loaded.
    with tempfile.TemporaryDirectory(dir=target.parent) as aside:
        made = Path(aside) / target.name
        command = [compiler, "-O2", "-std=c11", "-shared", "-fPIC", f"-I{HEADER.parent}", str(SOURCE), "-o", str(made)]
        done = subprocess.run(command, capture_output=True, text=True, check=False)
        if done.returncode != 0:
            reason = next((line for line in done.stderr.splitlines() if "error" in line), f"exit {done.returncode}")
            raise InvalidGameError(f"{Path(compiler).name} can't build amazons.c: {reason}.")
        os.replace(made, target)
    return target
