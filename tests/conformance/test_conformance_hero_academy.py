"""Recorded games of the reference engine replay exactly, and a recording that was tampered with is found out.

The recordings hold whole games, positions made up to exercise rare rules, and one file of illegal actions, which is
skipped: what the reference does with them is not part of the rules.
"""

from __future__ import annotations

import gzip
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from recorded import Lines, lines_of, written

from tactician.checking.recordings import ReplayReport, replay
from tactician.errors import InvalidParameterError, RecordingError
from tactician.games.hero_academy.conformance import HeroAcademyReplayer

RECORDINGS = Path(__file__).parent / "hero_academy"
SHORT_GAME = RECORDINGS / "game_023.jsonl.gz"
POSITIONS = RECORDINGS / "synthetic_000.jsonl.gz"


def replayed(path: Path, mode: str = "compiled") -> ReplayReport:
    return replay(HeroAcademyReplayer(mode), [path])


# -- the recordings replay -------------------------------------------------------------------------------------


def test_all_recordings_replay_exactly() -> None:
    report = replayed(RECORDINGS)
    assert not report.first, str(report.first[0])
    assert (report.files, report.steps, report.differences) == (32, 12156 + 5260, 0)
    assert report.skipped == [f"{RECORDINGS / 'offlist_000.jsonl.gz'}: kind 'offlist' (known: game, synthetic)"]


def sample(tmp_path: Path, positions: int) -> Path:
    """A short whole game, and every n-th of the made-up positions."""
    folder = tmp_path / "sample"
    folder.mkdir()
    header, *steps = lines_of(POSITIONS)
    written(folder / "positions.jsonl.gz", [header, *steps[:: len(steps) // positions]])
    written(folder / "game.jsonl.gz", lines_of(SHORT_GAME))
    return folder


@pytest.mark.parametrize(
    ("mode", "positions"), [("interpreted", 200), pytest.param("checked", 400, marks=pytest.mark.slow)]
)
def test_a_sample_replays_exactly_in_every_mode(tmp_path: Path, mode: str, positions: int) -> None:
    report = replayed(sample(tmp_path, positions), mode)
    assert not report.first, str(report.first[0])
    assert report.files == 2
    assert report.steps >= 151 + positions


@pytest.mark.slow
@pytest.mark.parametrize("mode", ["interpreted", "checked"])
def test_all_recordings_replay_exactly_in_every_mode(mode: str) -> None:
    assert replayed(RECORDINGS, mode).differences == 0


def test_an_unknown_mode_is_refused() -> None:
    with pytest.raises(InvalidParameterError, match="mode is 'fast'; expected one of compiled, interpreted, checked"):
        HeroAcademyReplayer("fast")


# -- what was changed is found ---------------------------------------------------------------------------------


def wound(step: Any) -> None:
    step["after"]["units"][-1][4] -= 1


def forget_a_legal_action(step: Any) -> None:
    del step["legal"][0]


def turn_the_list_around(step: Any) -> None:
    step["legal"].reverse()


TAMPERING: list[tuple[str, Callable[[Any], None], str]] = [
    ("a hit point", wound, "after"),
    ("a card", lambda step: step["after"]["hands"][1].__setitem__(0, 9), "after"),
    ("a deck seed", lambda step: step["after"]["seeds"].__setitem__(0, 1), "after"),
    ("a legal action", forget_a_legal_action, "legal"),
    ("the order of the list", turn_the_list_around, "legal"),
    ("the length of the list", lambda step: step.update(n_legal=1), "n_legal"),
    ("the digest of the list", lambda step: step.update(legal_sha1="0" * 12), "legal_sha1"),
    ("a rating", lambda step: step["rating"].__setitem__(-1, 77), "rating"),
    ("the pruned list", lambda step: step["pruned"].pop(), "pruned"),
    ("an evaluation", lambda step: step["eval"].__setitem__(1, step["eval"][1] + 1), "eval"),
    ("a scaled evaluation", lambda step: step["eval01"].__setitem__(0, 0.5), "eval01"),
    ("the action", lambda step: step.update(action=["U", "S", 4, 4, 3, 3]), "action"),
]


@pytest.mark.parametrize(("what", "tamper", "field"), TAMPERING, ids=[row[0] for row in TAMPERING])
def test_a_changed_recording_is_found_with_file_step_and_field(
    tmp_path: Path, what: str, tamper: Callable[[Any], None], field: str
) -> None:
    lines = lines_of(POSITIONS, 40)
    number = max(i for i, line in enumerate(lines) if "legal" in line)
    tamper(lines[number])
    report = replayed(written(tmp_path / "changed.jsonl.gz", lines))
    assert not report.ok
    assert report.differences == 1
    assert report.steps == 39
    difference = report.first[0]
    assert (difference.file, difference.step, difference.what) == (
        str(tmp_path / "changed.jsonl.gz"),
        number - 1,
        field,
    )
    assert str(difference).startswith(f"{difference.file}, step {number - 1}: {field} differs\n  recorded ")
    assert difference.recorded != difference.ours


def test_a_state_that_does_not_follow_from_the_one_before_is_found(tmp_path: Path) -> None:
    lines = lines_of(SHORT_GAME)
    del lines[50]
    difference = replayed(written(tmp_path / "hole.jsonl.gz", lines)).first[0]
    assert (difference.step, difference.what) == (49, "state before the step")


def test_another_opening_deal_is_found(tmp_path: Path) -> None:
    lines = lines_of(SHORT_GAME)
    lines[0]["deck_seeds"][0] += 1
    difference = replayed(written(tmp_path / "deal.jsonl.gz", lines)).first[0]
    assert (difference.step, difference.what) == (0, "opening deal")


def test_only_the_first_difference_of_each_file_is_kept_but_all_are_counted(tmp_path: Path) -> None:
    lines = lines_of(POSITIONS, 30)
    for line in lines[11:]:
        wound(line)
    written(tmp_path / "one.jsonl.gz", lines)
    written(tmp_path / "two.jsonl.gz", lines)
    report = replayed(tmp_path)
    assert report.differences == 2 * 19
    assert [(Path(d.file).name, d.step) for d in report.first] == [("one.jsonl.gz", 10), ("two.jsonl.gz", 10)]
    assert str(report) == "2 files, 58 steps, 38 differences, 0 skipped"


def test_other_rules_than_the_recorded_ones_are_found(tmp_path: Path) -> None:
    lines = lines_of(SHORT_GAME)
    lines[0]["ap"] = 4
    with pytest.raises(RecordingError, match=r"changed.jsonl.gz: step \d+: .*ap is 5; expected an integer from 0 to 4"):
        replayed(written(tmp_path / "changed.jsonl.gz", lines))


# -- what is broken is refused ---------------------------------------------------------------------------------


def assert_refused(path: Path, *sentences: str) -> None:
    with pytest.raises(RecordingError) as refusal:
        replayed(path)
    for sentence in (str(path), *sentences):
        assert sentence in str(refusal.value)


def test_a_truncated_gzip_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "cut.jsonl.gz"
    path.write_bytes(SHORT_GAME.read_bytes()[:9000])
    assert_refused(path, "is cut short or not gzip after line")


def test_what_is_not_gzip_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "text.jsonl.gz"
    path.write_text("hello\n", encoding="utf-8")
    assert_refused(path, "is cut short or not gzip after line 0")


def test_a_truncated_line_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "cut.jsonl"
    text = gzip.decompress(SHORT_GAME.read_bytes()).decode()
    path.write_text("\n".join(text.splitlines()[:5])[:-40], encoding="utf-8")
    assert_refused(path, "line 5 is not JSON")


def test_a_game_cut_at_a_line_is_refused(tmp_path: Path) -> None:
    for kept in (1, 2, 100, 151):
        path = written(tmp_path / f"{kept}.jsonl.gz", lines_of(SHORT_GAME, kept))
        assert_refused(path, "the recorded game stops before it is over; the file is cut short")


def test_positions_cut_at_a_line_stand_for_themselves(tmp_path: Path) -> None:
    assert replayed(written(tmp_path / "few.jsonl.gz", lines_of(POSITIONS, 20))).steps == 19


def test_an_unknown_kind_is_skipped_and_said_so(tmp_path: Path) -> None:
    lines = lines_of(SHORT_GAME)
    lines[0]["kind"] = "rumour"
    path = written(tmp_path / "rumour.jsonl.gz", lines)
    report = replayed(path)
    assert (report.files, report.steps) == (0, 0)
    assert report.skipped == [f"{path}: kind 'rumour' (known: game, synthetic)"]


@pytest.mark.parametrize("field", ["rows", "ap", "first_turn_ap", "turn_limit"])
def test_a_header_without_a_field_is_refused(tmp_path: Path, field: str) -> None:
    lines = lines_of(SHORT_GAME)
    del lines[0][field]
    assert_refused(written(tmp_path / "bad.jsonl.gz", lines), f"the first line lacks the field {field!r}")


BAD_HEADERS: list[tuple[str, Any, str]] = [
    ("format", 2, "has format 2; expected 1"),
    ("card_order", "KACWNIPRSHD", "card_order is 'KACWNIPRSHD'; expected 'KACWNIPRSDH'"),
    ("rows", ["d0D"], "map has no crystal of player 1"),
    ("rows", 5, "map is 5"),
    ("ap", "five", "action_points is 'five'"),
    ("turn_limit", 0, "turn_limit is 0"),
    ("deck", [1, 2], "deck is [1, 2]"),
    ("deck_seeds", None, "deck_seeds is None"),
    ("deck_seeds", [1], "deck_seeds are [1]"),
]


@pytest.mark.parametrize(("field", "value", "sentence"), BAD_HEADERS)
def test_a_bad_header_is_refused_by_field(tmp_path: Path, field: str, value: Any, sentence: str) -> None:
    lines = lines_of(SHORT_GAME)
    lines[0][field] = value
    assert_refused(written(tmp_path / "bad.jsonl.gz", lines), sentence)


@pytest.mark.parametrize("lines", [[], [{}], [{"format": 1}], [[1, 2]], ["game"]])
def test_what_does_not_begin_like_a_recording_is_refused(tmp_path: Path, lines: Lines) -> None:
    with pytest.raises(RecordingError, match=re.escape(str(tmp_path / "x.jsonl.gz"))):
        replayed(written(tmp_path / "x.jsonl.gz", lines))


@pytest.mark.parametrize("field", ["before", "action", "after"])
def test_a_step_without_a_field_is_refused(tmp_path: Path, field: str) -> None:
    lines = lines_of(POSITIONS, 12)
    del lines[8][field]
    assert_refused(written(tmp_path / "bad.jsonl.gz", lines), f"step 7: the step lacks the field {field!r}")


def test_a_step_with_an_impossible_state_or_action_is_refused(tmp_path: Path) -> None:
    for field, value, sentence in [
        ("before", {"turn": 1}, "step 3: before: state lacks the field 'player'"),
        ("after", None, "step 3: after: state is None"),
        ("action", ["Z"], "step 3: action is ['Z']"),
    ]:
        lines = lines_of(POSITIONS, 8)
        lines[4][field] = value
        assert_refused(written(tmp_path / f"{field}.jsonl.gz", lines), sentence)


def test_a_step_that_is_no_object_is_refused(tmp_path: Path) -> None:
    assert_refused(written(tmp_path / "bad.jsonl.gz", [*lines_of(POSITIONS, 3), 5]), "line 4 is 5; expected an object")


def test_paths_without_recordings_are_refused(tmp_path: Path) -> None:
    with pytest.raises(RecordingError, match="holds no recordings"):
        replayed(tmp_path)
    with pytest.raises(RecordingError, match="does not exist"):
        replayed(tmp_path / "nowhere")
