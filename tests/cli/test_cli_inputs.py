"""Inputs out of the ordinary: each is answered with one sentence, quickly, and nothing is written."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from commands import Command, commands
from python_files import user_files

from tactician.arena.journal import Journal
from tactician.errors import TacticianError
from tactician.files import require_writable, require_writable_folder
from tactician.games.registry import load_game
from tactician.tuning.journal import TUNING

LONG = "x" * 5000
NULL = "a\0b"
TUNE = ("tune", "amazons:size=4", "mcts", "--opponent", "random", "--param", "planner.exploration=1,2")


@pytest.fixture
def command(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Command:
    return commands(monkeypatch, capsys)


@pytest.mark.parametrize("path", [LONG, NULL, f"/tmp/{LONG}"])
@pytest.mark.parametrize(
    "arguments",
    [
        ("draw", "amazons:size=4", "--state"),
        ("draw", "amazons:size=4", "--svg"),
        ("plan", "amazons:size=4", "--state"),
        ("conformance", "locm"),
        ("arena", "amazons:size=4", "random", "random", "--games", "2", "--csv"),
        ("arena", "amazons:size=4", "random", "random", "--games", "2", "--figure"),
        ("arena", "amazons:size=4", "random", "random", "--games", "2", "--out"),
        (*TUNE, "--space"),
        (*TUNE, "--out"),
        ("new", "sample", "--folder"),
        ("results",),
    ],
    ids=" ".join,
)
def test_what_can_not_be_a_path_is_refused_in_one_sentence(
    command: Command, arguments: tuple[str, ...], path: str
) -> None:
    assert len(command(*arguments, path).sentence()) < 600


@pytest.mark.parametrize("path", [LONG, NULL])
def test_a_game_file_map_or_table_that_can_not_be_one_is_refused(path: str) -> None:
    for spec in (f"{path}.py:game", f"hero-academy:map={path}", f"locm:cards={path}"):
        with pytest.raises(TacticianError, match=r"does not exist|neither one of|can't be read"):
            load_game(spec)
    with pytest.raises(TacticianError, match="can't be opened"), Journal(path, TUNING, {}, lambda *_: None):
        pass
    for what in (require_writable, require_writable_folder):
        with pytest.raises(TacticianError, match="can't be written"):
            what("file", Path(path))


@pytest.mark.parametrize(
    ("content", "words"),
    [
        ("[" * 100_000, "is nested too deeply"),
        ('{"a": ' * 50_000, "is nested too deeply"),
        ('{"turn": ' + "9" * 5000 + "}", "is not JSON: Exceeds the limit"),
        ("\0" * 10, "is not JSON"),
        ("[" * 500 + "]" * 500, "expected an object"),
    ],
    ids=["lists", "objects", "digits", "null bytes", "a list of lists"],
)
def test_a_state_that_is_no_document_of_a_state_is_refused(
    command: Command, tmp_path: Path, content: str, words: str
) -> None:
    path = tmp_path / "state.json"
    path.write_text(content)
    for verb in ("draw", "plan"):
        assert words in command(verb, "hero-academy", "--state", path).sentence()


def test_a_file_without_end_is_refused(command: Command) -> None:
    sentence = command("draw", "hero-academy", "--state", "/dev/zero").sentence()
    assert sentence == "file '/dev/zero' is too large; expected at most 67,108,864 bytes."


@pytest.mark.parametrize("budget", ["9223372036854775808its", "9223372036854775808evals", "9" * 5000 + "its"])
def test_a_budget_beyond_what_kernels_count_is_refused(command: Command, budget: str) -> None:
    assert "expected" in command("plan", "amazons:size=4", "--budget", budget).sentence()
    arena = ("arena", "amazons:size=4", "random", "mcts", "--games", 2)
    assert "expected" in command(*arena, "--budget", budget).sentence()
    assert "expected" in command(*arena[:3], f"mcts:budget={budget}", "--games", 2).sentence()


def test_more_memory_than_there_is_is_refused(command: Command) -> None:
    for planner in ("mcts", "emcts", "permutation-emcts"):
        sentence = command("plan", "amazons:size=4", "--planner", f"{planner}:memory_mb=1048576").sentence()
        assert "needs more memory than there is" in sentence


def test_more_neighbours_than_can_be_held_are_refused(command: Command) -> None:
    assert command(*TUNE, "--neighbours", "99999999999").sentence() == (
        "neighbours is 99999999999; expected 1 to 1000000."
    )
    assert command(*TUNE, "--width", "99999999999").sentence() == "width is 99999999999; expected 1 to 10000."


def test_a_full_disk_is_said(command: Command, tmp_path: Path) -> None:
    assert "can't be written: No space left" in command("draw", "amazons:size=4", "--svg", "/dev/full").sentence()
    assert "not an ordinary file" in command(*TUNE, "--out", "/dev/full").sentence()
    for kind in ("evolution.png", "landscape.png"):
        (tmp_path / f"figure-{kind}").symlink_to("/dev/full")
    ran = command(*TUNE, "--evaluations", 2, "--games", 2, "--budget", "5its", "--figure", tmp_path / "figure")
    assert "Traceback" not in ran.err
    assert ran.code in (1, 2)


@pytest.mark.parametrize("size", [20, 30])
def test_an_opening_hand_that_no_deck_has_is_refused_at_once(command: Command, size: int) -> None:
    assert command("draw", f"hero-academy:hand_size={size}").sentence() == (
        f"no opening hand of {size} cards of this deck has exactly 3 unit cards."
    )


FILES = {
    "leaves.py": "import sys\nsys.exit(3)\n",
    "own.py": "class Stop(BaseException):\n    pass\n\n\nraise Stop('no more\\nof it')\n",
    "making.py": "import sys\n\n\ndef game():\n    sys.exit('bye')\n",
}


def test_a_game_file_that_ends_the_process_or_raises_a_class_of_its_own_is_refused(
    command: Command, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with user_files(tmp_path, FILES, monkeypatch):
        for verb in ("draw", "plan", "check"):
            assert "line 2, raised SystemExit: 3." in command(verb, f"{tmp_path}/leaves.py:game").sentence()
            assert "line 5, raised Stop: no more of it." in command(verb, f"{tmp_path}/own.py:game").sentence()
            assert "raised SystemExit: bye." in command(verb, f"{tmp_path}/making.py:game").sentence()


# -- positions and records -----------------------------------------------------------------------------------------


def test_a_position_is_given_as_text(command: Command) -> None:
    start, moved = (command("draw", "amazons:size=4", "--position", text).out for text in ("", "choose b1"))
    assert start == command("draw", "amazons:size=4").out != moved
    document = load_game("amazons:size=4").position("choose b1").to_json()
    assert command("draw", "amazons:size=4", "--position", json.dumps(document)).out == moved
    planned = command("plan", "amazons:size=4", "--position", "choose b1", "--budget", "5its", "--json").json()
    assert planned["names"][0] != "choose b1"
    both = command("draw", "amazons:size=4", "--position", "", "--state", "x.json").sentence()
    assert both == "both --state and --position are given; expected one of them."
    assert "action 1 of the position" in command("draw", "amazons:size=4", "--position", "castle").sentence()


def test_stubs_are_printed_or_written(command: Command, tmp_path: Path) -> None:
    printed = command("stubs", "amazons:size=4").out
    assert "class State(Protocol):" in printed
    assert command("stubs", "amazons:size=4", "--out", tmp_path / "fields.py").code == 0
    assert (tmp_path / "fields.py").read_text() == printed
