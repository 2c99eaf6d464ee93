"""What holds for all tests, and what several folders share."""

from __future__ import annotations

import contextlib
import shutil
import signal
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from tactician.contract import Game
from tactician.games.amazons import amazons, amazons_from_library, build, plain_amazons

if TYPE_CHECKING:
    from distributing import Distributions  # of tests/release, which is on the path of its own tests only

# A shell starts what runs in the background with Ctrl-C ignored, and everything started from there inherits that.
# The tests of Ctrl-C, in this process and in others, want it to arrive.
with contextlib.suppress(ValueError):  # not in the main thread
    signal.signal(signal.SIGINT, signal.default_int_handler)

ThreeGames = Callable[..., list[Game]]


@pytest.fixture(scope="session")
def library_path(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Amazons as a C library."""
    if not any(map(shutil.which, ("cc", "gcc", "clang"))):
        pytest.skip("no C compiler")
    return build(tmp_path_factory.mktemp("amazons"))


@pytest.fixture(scope="session")
def three_games(library_path: Path) -> ThreeGames:
    """Amazons in the three ways to bring a game."""

    @cache
    def make(size: int, queens: int | None = None) -> list[Game]:
        return [amazons(size, queens), plain_amazons(size, queens), amazons_from_library(library_path, size, queens)]

    return make


@pytest.fixture(scope="session")
def distributions(tmp_path_factory: pytest.TempPathFactory) -> Distributions:
    """Source distribution and wheel of the working tree."""
    from distributing import build_distributions

    return build_distributions(tmp_path_factory.mktemp("dist"))
