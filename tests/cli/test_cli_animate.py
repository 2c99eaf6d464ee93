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


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
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
