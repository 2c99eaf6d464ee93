"""Recordings with changed fields: each replays, shows a difference, or is refused in one sentence."""

from __future__ import annotations

import json
import random
from collections import Counter
from pathlib import Path
from typing import Any

import pytest
from mutations import damaged, mutated

from tactician.checking.recordings import Replayer, ReplayReport, read_lines, replay
from tactician.errors import RecordingError
from tactician.games.registry import load_replayer

RECORDINGS = Path(__file__).parent.parent / "conformance"
PICKED = {
    "pommerman": [
        "000_ffa_simple",
        "024_ffa_conflict_chain",
        "033_team_simple",
        "039_radio_simple",
        "simple_decisions",
        "follower_features",
    ],
    "hero_academy": ["game_023", "synthetic_000"],
    "locm": ["locm12_001", "v15/locm15_019", "protocol_games"],
}
LINES = 4
"""Lines of a recording that is changed: the first says what it is."""


def excerpts(folder: str) -> list[list[Any]]:
    """The first lines of a few recordings of a game."""
    found = []
    for name in PICKED[folder]:
        lines = read_lines(RECORDINGS / folder / f"{name}.jsonl.gz")
        found.append([line for line, _ in zip(lines, range(LINES), strict=False)])
    return found


def outcome(replayer: Replayer, path: Path) -> str:
    """What replaying a file comes to; anything but a report or one sentence is an error."""
    try:
        report = replay(replayer, [path])
    except RecordingError as error:
        sentence = str(error)
    else:
        return _shown(report)
    assert "\n" not in sentence, sentence
    assert len(sentence) < 1000, sentence
    return "refused"


def _shown(report: ReplayReport) -> str:
    for difference in report.first:
        str(difference)
        json.dumps(vars(difference))
    return "skipped" if report.skipped else "equal" if report.ok else "different"


@pytest.mark.slow
@pytest.mark.parametrize(("folder", "count"), [("pommerman", 2000), ("hero_academy", 2000), ("locm", 1000)])
def test_a_recording_with_changed_fields_never_crashes(folder: str, count: int, tmp_path: Path) -> None:
    chance = random.Random(1)
    replayer, files = load_replayer(folder.replace("_", "-")), excerpts(folder)
    path, counts = tmp_path / "changed.jsonl", Counter[str]()
    for _ in range(count):
        lines = list(chance.choice(files))
        at = 0 if chance.random() < 0.2 else chance.randrange(len(lines))
        lines[at] = mutated(lines[at], chance)
        path.write_text("".join(json.dumps(line) + "\n" for line in lines))
        counts[outcome(replayer, path)] += 1
    print(f"\n{folder}: {count} changed recordings: {dict(counts)}")
    assert counts["refused"] > count / 4


@pytest.mark.slow
def test_a_damaged_file_never_crashes(tmp_path: Path) -> None:
    chance = random.Random(2)
    replayer, whole = load_replayer("pommerman"), (RECORDINGS / "pommerman" / "039_radio_simple.jsonl.gz").read_bytes()
    path, counts = tmp_path / "damaged.jsonl.gz", Counter[str]()
    for _ in range(500):
        path.write_bytes(damaged(whole, chance))
        counts[outcome(replayer, path)] += 1
    print(f"\n500 damaged files: {dict(counts)}")
    assert counts["refused"] > 400
