from __future__ import annotations

import shutil
from collections.abc import Callable
from functools import cache
from pathlib import Path

import pytest

from tactician.contract import Game
from tactician.games.amazons import amazons, amazons_from_library, build, plain_amazons

ThreeGames = Callable[..., list[Game]]


@pytest.fixture(scope="session")
def library_path(tmp_path_factory: pytest.TempPathFactory) -> Path:
    if not any(map(shutil.which, ("cc", "gcc", "clang"))):
        pytest.skip("no C compiler")
    return build(tmp_path_factory.mktemp("amazons"))


@pytest.fixture(scope="session")
def three_games(library_path: Path) -> ThreeGames:
    @cache
    def make(size: int, queens: int | None = None) -> list[Game]:
        return [amazons(size, queens), plain_amazons(size, queens), amazons_from_library(library_path, size, queens)]

    return make
