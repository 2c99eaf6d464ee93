"""Games recorded from the official referee replay exactly, and a recording that was tampered with is found out."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from recorded import Lines, lines_of, written

from tactician.checking.recordings import ReplayReport, replay
from tactician.errors import RecordingError
from tactician.games.locm.conformance import LocmReplayer

RECORDINGS = Path(__file__).parent / "locm"
GAME, MODERN_GAME = RECORDINGS / "locm12_003.jsonl.gz", RECORDINGS / "v15" / "locm15_002.jsonl.gz"
PROTOCOL = RECORDINGS / "protocol_games.jsonl.gz"


def replayed(path: Path, mode: str = "compiled") -> ReplayReport:
    return replay(LocmReplayer(mode), [path])


# -- the recordings replay -------------------------------------------------------------------------------------


def test_all_recordings_replay_exactly() -> None:
    """60 battles of version 1.2, 20 of version 1.5, and 24 whole games as text."""
    report = replayed(RECORDINGS)
    assert not report.first, str(report.first[0])
    assert (report.files, report.differences, report.skipped) == (81, 0, [])
    assert report.steps > 5116 + 1663


@pytest.mark.parametrize(
    ("mode", "path"),
    [
        ("interpreted", GAME),
        ("interpreted", MODERN_GAME),
        pytest.param("checked", MODERN_GAME, marks=pytest.mark.slow),
        pytest.param("checked", GAME, marks=pytest.mark.slow),
    ],
    ids=["1.2-interpreted", "1.5-interpreted", "1.5-checked", "1.2-checked"],
)
def test_a_game_of_each_version_replays_exactly_in_every_mode(mode: str, path: Path) -> None:
    report = replayed(path, mode)
    assert not report.first, str(report.first[0])
    assert report.steps > 40


@pytest.mark.slow
@pytest.mark.parametrize("mode", ["interpreted", "checked"])
def test_all_recordings_replay_exactly_in_every_mode(mode: str) -> None:
    assert replayed(RECORDINGS, mode).differences == 0


# -- what was changed is found ---------------------------------------------------------------------------------


def last_step(lines: Lines, has: Callable[[Any], bool] = lambda step: True) -> Any:
    return next(line for line in reversed(lines) if line["t"] == "step" and has(line))


def forget_a_legal_action(lines: Lines) -> None:
    last_step(lines)["legal"].pop(0)


def swap_the_list(lines: Lines) -> None:
    legal = last_step(lines, lambda step: len(step["legal"]) > 1)["legal"]
    legal[0], legal[1] = legal[1], legal[0]


def wound(lines: Lines) -> None:
    last_step(lines)["after"]["players"][1]["hp"] -= 1


def draw_more(lines: Lines) -> None:
    last_step(lines)["after"]["players"][0]["next_draw"] += 1


def strengthen(lines: Lines) -> None:
    step = last_step(lines, lambda step: step["after"]["players"][0]["board"])
    step["after"]["players"][0]["board"][0]["def"] += 1


def show_another_line(lines: Lines) -> None:
    block = next(line for line in reversed(lines) if line["t"] == "input")
    block["lines"][0] = "1 " + block["lines"][0]


def other_winner(lines: Lines) -> None:
    lines[-1]["winner"] = 1 - lines[-1]["winner"]


def other_seed(lines: Lines) -> None:
    seeds = lines[0]["seeds"]
    seeds["shufflePlayer1Seed"] = str(int(seeds["shufflePlayer1Seed"]) + 1)


def leave_a_step_out(lines: Lines) -> None:
    steps = [number for number, line in enumerate(lines) if line["t"] == "step" and line["a"] != "PASS"]
    del lines[steps[len(steps) // 2]]


TAMPERING: list[tuple[Callable[[Lines], None], str]] = [
    (forget_a_legal_action, "legal"),
    (swap_the_list, "legal"),
    (wound, "after"),
    (draw_more, "after"),
    (strengthen, "after"),
    (show_another_line, "input"),
    (other_winner, "winner"),
    (other_seed, "deck 1"),
    (leave_a_step_out, "state before the step"),
]


@pytest.mark.parametrize(("tamper", "what"), TAMPERING, ids=[row[0].__name__ for row in TAMPERING])
def test_a_changed_battle_is_found(tmp_path: Path, tamper: Callable[[Lines], None], what: str) -> None:
    lines = lines_of(GAME)
    tamper(lines)
    report = replayed(written(tmp_path / "changed.jsonl.gz", lines))
    assert report.differences >= 1
    assert report.first[0].what == what
    assert report.first[0].file == str(tmp_path / "changed.jsonl.gz")


def test_a_changed_card_of_version_1_5_is_found(tmp_path: Path) -> None:
    lines = lines_of(MODERN_GAME)
    lines[0]["cards"][7][3] += 1
    assert replayed(written(tmp_path / "changed.jsonl.gz", lines)).first[0].what == "cards"


def other_block(whole: Any) -> None:
    whole["calls"][70]["in"][0] = "9" + whole["calls"][70]["in"][0]


def other_scores(whole: Any) -> None:
    whole["scores"] = whole["scores"][::-1]


def other_limit(whole: Any) -> None:
    whole["calls"][3]["limit_ms"] = 200


def forget_a_deed(whole: Any) -> None:
    whole["performed"].pop()


def stop_early(whole: Any) -> None:
    whole["calls"].pop()


@pytest.mark.parametrize(
    ("tamper", "what"),
    [
        (other_block, "call 70"),
        (other_limit, "call 3"),
        (other_scores, "scores"),
        (forget_a_deed, "performed"),
        (stop_early, "calls"),
    ],
)
def test_a_changed_whole_game_is_found(tmp_path: Path, tamper: Callable[[Any], None], what: str) -> None:
    whole = next(line for line in lines_of(PROTOCOL) if not line.get("fault") and len(line["calls"]) > 75)
    tamper(whole)
    report = replayed(written(tmp_path / "changed.jsonl.gz", [whole]))
    assert report.differences == 1
    assert report.first[0].what == what


# -- what is broken is refused ---------------------------------------------------------------------------------


@pytest.mark.parametrize("field", ["before", "legal", "a", "after"])
def test_a_step_without_a_field_is_refused(tmp_path: Path, field: str) -> None:
    lines = lines_of(GAME)
    del last_step(lines)[field]
    with pytest.raises(RecordingError, match=f"the line lacks the field '{field}'"):
        replayed(written(tmp_path / "bad.jsonl.gz", lines))


def test_a_line_that_is_not_what_it_says_is_refused(tmp_path: Path) -> None:
    lines = lines_of(GAME)
    last_step(lines)["after"] = {"turn": 1}
    with pytest.raises(RecordingError, match="lacks the field 'cur'"):
        replayed(written(tmp_path / "bad.jsonl.gz", lines))
    without_start = [line for line in lines_of(GAME) if line["t"] in ("config", "input")]
    with pytest.raises(RecordingError, match="no start line before its first input"):
        replayed(written(tmp_path / "headless.jsonl.gz", without_start))
    with pytest.raises(RecordingError, match="the line does not have the form of a recording"):
        replayed(written(tmp_path / "odd.jsonl.gz", [lines[0] | {"seeds": 5}, *lines[1:]]))


def test_a_first_line_without_seeds_is_refused(tmp_path: Path) -> None:
    lines = lines_of(GAME)
    del lines[0]["seeds"]
    with pytest.raises(RecordingError, match="the line lacks the field 'seeds'"):
        replayed(written(tmp_path / "bad.jsonl.gz", lines))


def test_an_unknown_kind_is_skipped_and_said_so(tmp_path: Path) -> None:
    lines = lines_of(GAME)
    lines[0]["t"] = "rumour"
    report = replayed(written(tmp_path / "rumour.jsonl.gz", lines))
    assert report.files == 0
    assert "kind 'rumour'" in report.skipped[0]
