"""The commands of the board: play in the terminal, analyse, export, and what serve says when it can't start."""

from __future__ import annotations

import io
import json
import socket
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from xml.etree import ElementTree

import pytest
from commands import Result, commands

from tactician.arena.match import play
from tactician.arena.records import Pairing
from tactician.arena.store.boards import BoardStore
from tactician.arena.store.store import open_store

Typed = Callable[..., Result]


@pytest.fixture
def tactician(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Typed:
    """Runs a command with something typed."""
    command = commands(monkeypatch, capsys)

    def run(*arguments: str, stdin: str = "") -> Result:
        monkeypatch.setattr(sys, "stdin", io.StringIO(stdin))
        return command(*arguments)

    return run


def test_a_game_is_played_in_the_terminal_to_its_end(tactician: Typed) -> None:
    # Whatever is asked, the first action is taken.
    small = "amazons:size=3,queens=1"
    done = tactician("play", small, "--against", "greedy-action", "--budget", "20evals", stdin="0\n" * 99)
    assert done.code == 0, done.err
    assert "greedy-action: choose" in done.out
    assert "result: " in done.out


def test_actions_are_typed_by_name_listed_and_taken_back(tactician: Typed) -> None:
    words = "choose\nnonsense\nchoose b1\nu\n0\nq\n"
    done = tactician("play", "amazons:size=4", "--against", "random", "--budget", "1its", stdin=words)
    assert done.code == 1  # given up
    assert "no action has that in its name" in done.out
    assert done.out.count("White chooses a queen") == 2
    assert "White moves the queen" in done.out


def test_games_where_all_act_at_once_are_played_in_the_terminal(tactician: Typed) -> None:
    done = tactician(
        "play", "pommerman", "--against", "random", "--budget", "1its", "--seat", "2", stdin="up\nbomb\nq\n"
    )
    assert done.code == 1
    assert "Step 2 of 800" in done.out


def test_a_follower_plays_in_the_terminal(tactician: Typed) -> None:
    done = tactician("play", "pommerman", "--against", "follower", stdin="stop\nq\n")
    assert done.code == 1
    assert "Step 1 of 800" in done.out


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        (["play", "chess"], "unknown game"),
        (["play", "amazons", "--seat", "5"], "seat is 5; expected 0 to 1"),
        (["play", "amazons", "--against", "exec:/bin/true"], "has no protocol for those"),
        (["play", "amazons", "--budget", "foo"], "budget is 'foo'; expected e.g. 200ms"),
        (["play", "pommerman", "--against", "emcts"], "planner 'emcts' plans turns; for 'pommerman': random, mcs"),
        (["export", "x.png", "--store", "none.db"], "file is 'x.png'; expected a name that ends in .html or .svg"),
        (["export", "x.html", "--store", "none.db"], "doesn't exist"),
        (["serve", "none.py:game", "--port", "0"], "none.py"),
        (["serve", "--study", "--port", "0"], "a study needs --store"),
        (["serve", "--host", "203.0.113.7", "--port", "0"], "can't listen on 203.0.113.7"),
    ],
)
def test_what_can_not_be_done_is_said_in_one_sentence(tactician: Typed, arguments: list[str], says: str) -> None:
    done = tactician(*arguments)
    assert done.code == 2
    assert says in done.err
    assert done.sentence()


def test_serve_says_when_its_port_is_taken(tactician: Typed) -> None:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        done = tactician("serve", "--port", str(taken.getsockname()[1]))
    assert done.code == 2
    assert "can't listen on 127.0.0.1" in done.err


def test_serve_names_the_extra_that_is_missing(tmp_path: Path) -> None:
    (tmp_path / "fastapi.py").write_text("raise ImportError('no such module', name='fastapi')\n")
    command = f"import sys; sys.path.insert(0, {str(tmp_path)!r}); sys.argv = ['tactician', 'serve']; "
    run = [sys.executable, "-c", command + "from tactician.cli.main import run; run()"]
    done = subprocess.run(run, capture_output=True, text=True, timeout=120, check=False)
    assert done.returncode == 2
    assert "pip install 'tactician[web]'" in done.stderr


def test_importing_tactician_and_asking_for_help_imports_no_server() -> None:
    script = (
        "import sys, tactician, tactician.cli.main, tactician.web.analysis, tactician.web.board\n"
        "print([name for name in ('fastapi', 'uvicorn', 'websockets', 'starlette', 'pydantic') if name in sys.modules])"
    )
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, timeout=120, check=True)
    assert done.stdout.strip() == "[]"


@pytest.fixture(scope="module")
def store(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A store with a small tournament and one board that is still played."""
    path = tmp_path_factory.mktemp("export") / "games.db"
    with open_store(path) as results:
        number = results.tournament("small", {"game": "amazons"})
        results.add(number, play(Pairing("amazons:size=3,queens=1", ("greedy-action", "random"), "20evals", 1, 0)))
    boards = BoardStore(path)
    setup = {"game": "amazons", "title": "amazons", "seats": ["person", "person"], "budget": "1s", "seed": 1}
    boards.add("ab" * 8, "owner", {**setup, "parameters": {}, "study": None, "start": None, "open": False})
    boards.append([("ab" * 8, 0, {"type": "action", "seat": 0, "codes": [93], "actions": ["d1"]})])
    boards.close()
    return path


def test_a_game_of_a_tournament_is_exported_as_a_page_and_as_a_picture(
    tactician: Typed, store: Path, tmp_path: Path
) -> None:
    page, picture = tmp_path / "game.html", tmp_path / "game.svg"
    assert tactician("export", str(page), "--store", str(store)).code == 0
    assert "shoot" in page.read_text()
    assert tactician("export", str(picture), "--store", str(store), "--speed", "4").code == 0
    root = ElementTree.parse(picture).getroot()
    assert root.findall(".//{http://www.w3.org/2000/svg}animate")


def test_a_board_is_exported_as_far_as_it_was_played(tactician: Typed, store: Path, tmp_path: Path) -> None:
    page = tmp_path / "board.html"
    done = tactician("export", str(page), "--store", str(store), "--board", "abab")
    assert done.code == 0, done.err
    assert "player 1: choose d1" in page.read_text()


@pytest.mark.parametrize(
    ("options", "says"),
    [
        (["--board", "zz"], "0 boards that begin with 'zz'"),
        (["--key", "zz"], "0 games"),
        (["--tournament", "9"], "no tournament"),
    ],
)
def test_games_that_are_not_there_are_refused(
    tactician: Typed, store: Path, tmp_path: Path, options: list[str], says: str
) -> None:
    done = tactician("export", str(tmp_path / "x.html"), "--store", str(store), *options)
    assert done.code == 2
    assert says in done.err
    assert not (tmp_path / "x.html").exists()


def test_analyse_answers_a_line_for_each_query(tactician: Typed) -> None:
    query = {"id": 7, "game": "amazons:size=4", "planner": "mcts", "budget": "50its"}
    done = tactician("analyse", stdin=json.dumps(query) + "\nnonsense\n")
    assert done.code == 0
    documents = [json.loads(line) for line in done.out.splitlines()]
    assert {"error", 7} == {document.get("id", "error") for document in documents}
