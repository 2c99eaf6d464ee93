"""Recorded steps, decisions and feature planes of the reference replay exactly, and what was tampered with is found.

The recordings hold games, constructed scenarios full of conflicts, single decisions of the rule-based bot, and the
planes a follower network was fed with.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from recorded import Lines, lines_of, written

from tactician.checking.recordings import ReplayReport, replay
from tactician.errors import RecordingError
from tactician.games.pommerman.conformance import PommermanReplayer

RECORDINGS = Path(__file__).parent / "pommerman"
GAME = RECORDINGS / "000_ffa_simple.jsonl.gz"
SCENARIOS = RECORDINGS / "024_ffa_conflict_chain.jsonl.gz"
RADIO = RECORDINGS / "039_radio_simple.jsonl.gz"
DECISIONS = RECORDINGS / "simple_decisions.jsonl.gz"
FEATURES = RECORDINGS / "follower_features.jsonl.gz"


def replayed(path: Path, mode: str = "compiled") -> ReplayReport:
    return replay(PommermanReplayer(mode), [path])


def test_a_sample_of_every_recording_replays_exactly(tmp_path: Path) -> None:
    """The first steps of each game, and every fifth of the scenarios and decisions."""
    for path in sorted(RECORDINGS.glob("*.jsonl.gz")):
        header, *steps = lines_of(path)
        whole = header.get("kind", "scenarios") in ("game", "games")
        written(tmp_path / path.name, [header, *(steps[:60] if whole else steps[::5])])
    report = replayed(tmp_path)
    assert not report.first, str(report.first[0])
    assert (report.files, report.skipped) == (43, [])
    assert report.steps > 2500


@pytest.mark.slow
def test_all_recordings_replay_exactly() -> None:
    report = replayed(RECORDINGS)
    assert not report.first, str(report.first[0])
    assert (report.files, report.steps, report.differences) == (43, 12537, 0)


@pytest.mark.parametrize(("mode", "count"), [("interpreted", 40), pytest.param("checked", 400, marks=pytest.mark.slow)])
def test_a_sample_replays_exactly_in_every_mode(tmp_path: Path, mode: str, count: int) -> None:
    for path in (SCENARIOS, RADIO):
        header, *steps = lines_of(path)
        written(tmp_path / path.name, [header, *steps[:: max(1, len(steps) // count)]])
    report = replayed(tmp_path, mode)
    assert not report.first, str(report.first[0])
    assert report.steps >= count


# -- what was changed is found -----------------------------------------------------------------------------------

TAMPERING: list[tuple[Path, str, Callable[[Any], Any]]] = [
    (GAME, "n (official rules)", lambda step: step["n"]["agents"][0].__setitem__(3, 7)),
    (GAME, "n (official rules)", lambda step: step["n"].update(t=700)),
    (GAME, "mask", lambda step: step["mask"][0].append(9)),
    (GAME, "r (official rules)", lambda step: step["r"].__setitem__(0, 1)),
    (GAME, "done (official rules)", lambda step: step.update(done=True)),
    (GAME, "result", lambda step: step.update(result="Tie")),
    (GAME, "action of seat 0", lambda step: step["a"].__setitem__(0, 5 if step["a"][0] != 5 else 1)),
    (GAME, "observation of seat 2", lambda step: step["obs"][2].update(ammo=9)),
    (SCENARIOS, "n (paper rules)", lambda step: step.update(l2p_n={**step["n"], "t": 3})),
    (SCENARIOS, "done (paper rules)", lambda step: step.update(l2p_done=not step["done"])),
    (RADIO, "observation of seat 0", lambda step: step["obs"][0].update(message=[0, 9])),
    (DECISIONS, "decisions", lambda step: step.update(counts=[64 * (a == 2) for a in range(6)])),
    (DECISIONS, "memory after", lambda step: step["mem_after_seed0"].__setitem__(1, 2)),
    (FEATURES, "planes of seat 1", lambda step: step["nonzero"][1].pop()),
    (FEATURES, "constant planes of seat 0", lambda step: step["const"][0].__setitem__(1, 9)),
]


@pytest.mark.parametrize(("path", "what", "tamper"), TAMPERING)
def test_what_was_tampered_with_is_found(tmp_path: Path, path: Path, what: str, tamper: Callable[[Any], Any]) -> None:
    lines = lines_of(path, 3)
    tamper(lines[1])
    report = replayed(written(tmp_path / "changed.jsonl.gz", lines))
    assert report.differences >= 1
    assert (report.first[0].step, report.first[0].what) == (0, what)


def test_a_memory_that_does_not_follow_is_found(tmp_path: Path) -> None:
    lines = lines_of(GAME, 6)
    lines[3]["mem"][1][0].append([10, 10])
    assert replayed(written(tmp_path / "memory.jsonl.gz", lines)).first[0].what == "memory of seat 1"


def test_frequencies_that_differ_are_found(tmp_path: Path) -> None:
    header, first, *_ = lines_of(DECISIONS, 3)
    assert sorted(first["counts"])[-2:] == [32, 32]
    first["counts"] = [63 if count == max(first["counts"]) else int(count > 0) for count in first["counts"]]
    first["counts"][first["counts"].index(63)] = 1
    assert replayed(written(tmp_path / "often.jsonl.gz", [header, first])).first[0].what == "decisions"


# -- what is broken is refused -----------------------------------------------------------------------------------

BROKEN: list[tuple[str, Callable[[Lines], Any]]] = [
    ("variant is 'duel'; expected one of ffa, team, teamfull, radio", lambda lines: lines[0].update(variant="duel")),
    ("board_size is 8; expected 11", lambda lines: lines[0].update(board_size=8)),
    ("has format 1; expected pommerman-trace/1", lambda lines: lines[0].update(format=1)),
    ("step 0: the step lacks the field 'n'", lambda lines: lines[1].pop("n")),
    ("step 0: the step lacks the field 's'", lambda lines: lines[1].pop("s")),
    ("step 1: state lacks the field 'board'", lambda lines: lines[2]["s"].pop("board")),
    (
        "step 0: action is 9; expected an integer from 0 to 5",
        lambda lines: lines[1].update(a=[9, 0, 0, 0], mem=[None] * 4),
    ),
]


@pytest.mark.parametrize(("sentence", "break_it"), BROKEN)
def test_what_is_broken_is_refused(tmp_path: Path, sentence: str, break_it: Callable[[Lines], Any]) -> None:
    lines = lines_of(GAME, 4)
    break_it(lines)
    with pytest.raises(RecordingError) as refusal:
        replayed(written(tmp_path / "broken.jsonl.gz", lines))
    assert sentence in str(refusal.value)
