"""Recorded random battles replay exactly in every mode, and what was tampered with is found."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from recorded import Lines, lines_of, written

from tactician.checking.recordings import ReplayReport, replay
from tactician.errors import InvalidParameterError, RecordingError
from tactician.games.royale.conformance import RoyaleReplayer

RECORDINGS = Path(__file__).parent / "royale"
BATTLES = RECORDINGS / "random_battles.jsonl.gz"


def replayed(path: Path, mode: str = "compiled") -> ReplayReport:
    return replay(RoyaleReplayer(mode), [path])


def test_all_battles_replay_exactly() -> None:
    report = replayed(RECORDINGS)
    assert not report.first, str(report.first[0])
    assert (report.files, report.steps, report.skipped) == (1, 10, [])


def test_a_battle_replays_exactly_when_interpreted(tmp_path: Path) -> None:
    report = replayed(written(tmp_path / "one.jsonl.gz", lines_of(BATTLES, 2)), "interpreted")
    assert (report.steps, report.differences) == (1, 0)


@pytest.mark.slow
@pytest.mark.parametrize("mode", ["interpreted", "checked"])
def test_all_battles_replay_exactly_in_every_mode(mode: str) -> None:
    report = replayed(RECORDINGS, mode)
    assert not report.first, str(report.first[0])
    assert report.steps == 10


TAMPERING: list[tuple[str, Callable[[Any], Any]]] = [
    ("start", lambda battle: battle.update(start="0" * 16)),
    ("step20", lambda battle: battle.update(step20="0" * 16)),
    ("step100", lambda battle: battle.update(step100="0" * 16)),
    ("end", lambda battle: battle["end"].update(t=1801)),
    ("end", lambda battle: battle["end"].update(winner=1)),
    ("end", lambda battle: battle["end"]["towers"][0].__setitem__(1, 571)),
]


@pytest.mark.parametrize(("what", "tamper"), TAMPERING)
def test_what_was_tampered_with_is_found(tmp_path: Path, what: str, tamper: Callable[[Any], Any]) -> None:
    lines = lines_of(BATTLES, 2)
    tamper(lines[1])
    report = replayed(written(tmp_path / "changed.jsonl.gz", lines))
    assert (report.differences, report.first[0].what) == (1, what)


BROKEN: list[tuple[str, Callable[[Lines], Any]]] = [
    ("has format 'royale/9'; expected royale-battles/1", lambda lines: lines[0].update(format="royale/9")),
    ("battle 0 lacks the field 'seed'", lambda lines: lines[1].pop("seed")),
    ("battle 0 c_res is -1; expected an integer from 0 to 576", lambda lines: lines[1].update(c_res=-1)),
    ("battle 1 lacks the field 'end'", lambda lines: lines[2].pop("end")),
]


@pytest.mark.parametrize(("sentence", "break_it"), BROKEN)
def test_what_is_broken_is_refused(tmp_path: Path, sentence: str, break_it: Callable[[Lines], Any]) -> None:
    lines = lines_of(BATTLES, 3)
    break_it(lines)
    with pytest.raises(RecordingError) as refusal:
        replayed(written(tmp_path / "broken.jsonl.gz", lines))
    assert sentence in str(refusal.value)


def test_another_kind_of_recording_is_skipped(tmp_path: Path) -> None:
    lines = lines_of(BATTLES, 1)
    lines[0]["kind"] = "games"
    assert len(replayed(written(tmp_path / "other.jsonl.gz", lines)).skipped) == 1


def test_an_unknown_mode_is_refused() -> None:
    with pytest.raises(InvalidParameterError, match="mode is 'fast'"):
        RoyaleReplayer("fast")
