"""`tactician train` and `tactician follower`: what they print and write, and what they refuse."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest
from commands import Command, commands

from tactician.followers.model import load_model

HEAP = f"{Path(__file__).parents[1] / 'support' / 'heap_planes.py'}:nim"
SMALL = ["--teacher", "mcts", "--budget", "20its", "--battles", "3", "--hidden", "2", "--batch", "4", "--width", "1"]


@pytest.fixture
def run(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Command:
    return commands(monkeypatch, capsys)


def test_a_follower_is_trained_printed_and_played(run: Command, tmp_path: Path) -> None:
    weights = tmp_path / "nim.safetensors"
    trained = run("train", HEAP, *SMALL, "--out", weights, "--seed", 5, "--opponent", "random", "--evaluate-every", 3)
    assert trained.code == 0, trained.err
    assert f"Play it: follower:path={weights}" in trained.out
    assert "3 battles" in trained.err
    card = load_model(weights).card
    assert card.training["settings"]["seed"] == 5
    shown = run("follower", weights)
    assert shown.code == 0
    assert "won/drawn/lost" in shown.out
    rows = {line.split("  ")[0].strip(): line.split()[-1] for line in shown.out.splitlines() if "  " in line}
    assert rows["updates"] == str(card.training["settings"]["updates"])
    assert rows["updates done"] == str(card.training["updates"])
    assert run("follower", weights, "--json").json()["planes"] == ["left", "turn"]
    played = run("arena", HEAP, f"follower:path={weights}", "random", "--games", 2, "--json")
    assert played.code == 0, played.err


def test_the_document_has_settings_and_progress(run: Command, tmp_path: Path) -> None:
    document = run("train", HEAP, *SMALL, "--out", tmp_path / "nim.safetensors", "--json").json()
    assert document["settings"]["batch"] == 4
    assert document["progress"]["battles"] == 3


def test_a_follower_is_exported(run: Command, tmp_path: Path) -> None:
    weights = tmp_path / "nim.safetensors"
    run("train", HEAP, *SMALL, "--out", weights)
    assert run("follower", weights, "--onnx", tmp_path / "nim.onnx").code == 0
    assert (tmp_path / "nim.onnx").stat().st_size > 100


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (["--method", "magic"], "method is 'magic'; expected one of dagger, cloning, q-mc."),
        (["--encoding", "board"], "unknown encoding of 'heap': 'board'; there are: heap."),
        (["--device", "tpu"], "device is 'tpu'; expected one of auto, cpu, cuda."),
        (["--teacher", "nobody"], "unknown planner 'nobody'"),
        (["--learning-rate", "7"], "learning_rate is 7.0; expected a number up to 1."),
    ],
)
def test_what_makes_no_sense_is_refused(run: Command, tmp_path: Path, arguments: list[str], sentence: str) -> None:
    out = tmp_path / "nim.safetensors"
    assert run("train", HEAP, *SMALL, *arguments, "--out", out).sentence().startswith(sentence)
    assert not out.exists()


def test_a_game_without_planes_is_refused(run: Command, tmp_path: Path) -> None:
    said = run("train", "amazons", "--teacher", "mcts", "--out", tmp_path / "x.safetensors").sentence()
    assert said.startswith("game 'amazons' has no encoding for networks")


def test_without_pytorch_the_extra_is_named(run: Command, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "torch", None)
    said = run("train", HEAP, *SMALL, "--out", tmp_path / "x.safetensors").sentence()
    assert said == "training needs torch, which is not installed; expected: pip install 'tactician[learn]'."


@pytest.mark.parametrize("content", [b"", b"not a file of weights", b"\x08\0\0\0\0\0\0\0{}      "])
def test_files_that_are_no_followers_are_refused(run: Command, tmp_path: Path, content: bytes) -> None:
    path = tmp_path / "x.safetensors"
    path.write_bytes(content)
    assert "follower" in run("follower", path).sentence()
    assert "follower" in run("arena", HEAP, f"follower:path={path}", "random").sentence()
