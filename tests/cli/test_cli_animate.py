"""`tactician animate`: a game as one file that plays it."""

from __future__ import annotations

import gzip
import json
import re
from pathlib import Path
from typing import Any

import pytest
from commands import Command, commands

GAME = ["amazons:size=5,queens=1", "random", "mcts"]


@pytest.fixture
def command(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Command:
    return commands(monkeypatch, capsys)


def frames(path: Path) -> list[dict[str, Any]]:
    found = re.search(r'type="application/json">(.*?)</script>', path.read_text(encoding="utf-8"), re.DOTALL)
    assert found
    listed: list[dict[str, Any]] = json.loads(found[1])["frames"]
    return listed


def test_a_game_is_played_and_written(command: Command, tmp_path: Path) -> None:
    page = tmp_path / "game.html"
    assert command("animate", *GAME, "--out", page, "--budget", "5its").code == 0
    captions = [frame["caption"] for frame in frames(page)]
    assert captions[0] == "start"
    assert captions[1].startswith("player 1: ")
    assert len(captions) > 5


def test_a_battle_of_two_who_act_at_once_is_written(command: Command, tmp_path: Path) -> None:
    page = tmp_path / "battle.html"
    agents = ["royale-script", "royale-script"]
    assert command("animate", "royale:step_ticks=50", *agents, "--out", page, "--speed", 4).code == 0
    captions = [frame["caption"] for frame in frames(page)]
    assert all(re.fullmatch(r"player 1: .+; player 2: .+", caption) for caption in captions[1:])
    assert "royale-script v royale-script#2" in page.read_text(encoding="utf-8")


def test_a_recorded_game_is_animated(command: Command, tmp_path: Path) -> None:
    store, exported, page = tmp_path / "games.sqlite", tmp_path / "games.jsonl", tmp_path / "game.html"
    assert command("arena", *GAME, "--games", 2, "--budget", "3its", "--out", store).code == 0
    assert command("results", store, 1, "--jsonl", exported).code == 0
    turns = sum(len(turn["actions"]) for turn in json.loads(exported.read_text().splitlines()[1])["turns"])
    assert command("animate", exported, "--number", 1, "--out", page).code == 0
    assert len(frames(page)) == 1 + turns


def test_a_forfeit_is_written_and_said(command: Command, tmp_path: Path) -> None:
    agent = tmp_path / "bad.py"
    agent.write_text("def crash(state, seat):\n    raise ValueError('no idea')\n", encoding="utf-8")
    page = tmp_path / "game.html"
    done = command("animate", "amazons:size=4", f"python:{agent}:crash", "random", "--out", page)
    assert done.code == 1
    assert "player 1 forfeited the game: " in done.err
    assert "no idea" in done.err
    assert page.exists()


@pytest.mark.parametrize("field", ["game", "budget", "seats", "seed"])
def test_a_record_with_a_wrong_field_is_refused(command: Command, tmp_path: Path, field: str) -> None:
    pairing = {"game": "amazons", "seats": ["random", "random#2"], "budget": "1its", "seed": 0, "round": 0, field: None}
    record = {"pairing": pairing, "returns": [0, 0], "turns": [], "ms": 0, "game_version": "1", "error": None}
    file = tmp_path / "games.jsonl"
    file.write_text(json.dumps(record | {"error_seat": None, "package_version": "0"}) + "\n", encoding="utf-8")
    refusal = command("animate", file, "--out", tmp_path / "page.html").sentence()
    assert "line 1 is not a recorded game" in refusal


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (["amazons", "random", "random", "--speed", "nan"], "speed is nan; expected a finite number."),
        (["amazons", "random", "random", "--budget", "abc"], "budget is 'abc'; expected e.g. 200ms"),
        (["amazons", "random"], "1 agents given; expected 2, one for each seat."),
        (["amazonas", "random", "random"], "unknown game 'amazonas'; did you mean 'amazons'?"),
        (["amazons", "random", "radom"], "unknown planner 'radom'; did you mean 'random'?"),
        (["games.jsonl", "random"], "agents are 'random'; expected none for a recorded game."),
        (["games.jsonl", "--number", 3], "file 'games.jsonl' has no game 3; games are counted from 0."),
        (["games.jsonl"], "file 'games.jsonl', line 1 is not a recorded game: KeyError: 'pairing'."),
        (["missing.jsonl"], "recording missing.jsonl can't be read"),
        (["other.jsonl.gz"], 'the record does not fit the game: "z9": '),
    ],
)
def test_bad_input_is_one_sentence(
    command: Command, arguments: list[Any], sentence: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("games.jsonl").write_text("{}\n")
    pairing = {"game": "amazons", "seats": ["random", "random#2"], "budget": "1its", "seed": 0, "round": 0}
    turn = {"seat": 0, "actions": ["z9"], "ms": 0, "evaluations": 0, "iterations": 0}
    record = {"pairing": pairing, "returns": [0, 0], "turns": [turn], "ms": 0, "game_version": "1", "error": None}
    with gzip.open("other.jsonl.gz", "wt") as file:
        file.write(json.dumps(record | {"error_seat": None, "package_version": "0"}) + "\n")
    assert command("animate", *arguments, "--out", "page.html").sentence().startswith(sentence)
    assert not Path("page.html").exists()
