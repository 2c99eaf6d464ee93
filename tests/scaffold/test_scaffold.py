"""`tactician new` writes a game that passes its own tests, `check` and a tournament."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from tactician.arena import tournament
from tactician.errors import InvalidParameterError
from tactician.games.registry import load_game
from tactician.games.supervised_check import check_supervised
from tactician.scaffold import new_game


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    target = tmp_path_factory.mktemp("new") / "trails"
    written = new_game("trails", target)
    assert [path.name for path in written] == ["trails.py", "trails_twin.py", "test_trails.py"]
    return target


def test_the_new_game_passes_its_own_tests(folder: Path) -> None:
    command = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", "--rootdir", str(folder), str(folder)]
    done = subprocess.run(command, capture_output=True, text=True, timeout=300, cwd=folder)
    assert done.returncode == 0, done.stdout + done.stderr
    assert "4 passed" in done.stdout


@pytest.mark.slow
def test_check_finds_nothing_and_warns_of_nothing(folder: Path) -> None:
    report = check_supervised(f"{folder / 'trails.py'}:game", games=5)
    assert report.ok, report
    assert report.warnings == ()


def test_planners_play_it(folder: Path) -> None:
    """OEP wins nine games of ten; the seeds depend on the folder, so there must be enough of them."""
    result = tournament(f"{folder / 'trails.py'}:game", ["random", "oep"], 60, "100evals")
    assert not result.errors
    assert result.score(1, 0).rate > 0.5


def test_its_drawings_are_tagged_for_a_page(folder: Path) -> None:
    picture = load_game(f"{folder / 'trails.py'}:game").initial_state(seed=3).svg()
    assert picture.count('data-part="square:') == 49


@pytest.mark.parametrize("name", ["my game", "My", "class", "", "1st", "../up"])
def test_a_name_that_python_can_not_import_is_refused(name: str, tmp_path: Path) -> None:
    with pytest.raises(InvalidParameterError, match="expected a lower-case Python name"):
        new_game(name, tmp_path / "folder")
    assert not (tmp_path / "folder").exists()


def test_nothing_is_overwritten(folder: Path) -> None:
    with pytest.raises(InvalidParameterError, match="exists already; expected a new one"):
        new_game("trails", folder)
