"""Recorded steps, decisions and feature planes of the reference replay exactly, and what was tampered with is found.

The recordings hold games, constructed scenarios full of conflicts, single decisions of the rule-based bot, and the
planes a follower network was fed with.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from math import comb
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from recorded import Lines, lines_of, written

from tactician.checking.recordings import CHANCE_LEVEL, ReplayReport, replay
from tactician.errors import RecordingError
from tactician.games.pommerman.conformance import PommermanReplayer
from tactician.games.pommerman.frequencies import p_value

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


# -- the agent's random decisions --------------------------------------------------------------------------------


def test_frequencies_that_differ_are_found(tmp_path: Path) -> None:
    header, first, *_ = lines_of(DECISIONS, 3)
    assert sorted(first["counts"])[-2:] == [32, 32]
    first["counts"] = [63 if count == max(first["counts"]) else int(count > 0) for count in first["counts"]]
    first["counts"][first["counts"].index(63)] = 1
    assert replayed(written(tmp_path / "often.jsonl.gz", [header, first])).first[0].what == "decisions"


def test_an_action_that_the_recorded_decisions_happen_not_to_contain_is_not_a_difference() -> None:
    """Ours takes it in 28 of 512: 64 decisions without it have a chance of a few percent, so some of 400 steps do."""
    assert p_value([64, 0, 0, 0, 0, 0], [484, 28, 0, 0, 0, 0]) > 0.05
    assert p_value([64, 3, 0, 0, 0, 0], [512, 0, 0, 0, 0, 0]) > 1e-3 / 400  # chi-squared would say 1e-6


@pytest.mark.slow
def test_a_run_without_differences_rarely_reports_one() -> None:
    """Of 100 runs of 40 steps with equal distributions 0.1 report a difference on average."""
    chance = np.random.default_rng(7)
    alarms = 0
    for _ in range(100):
        weights = chance.dirichlet(np.full(6, 0.3), 40)
        pairs = zip(chance.multinomial(64, weights).tolist(), chance.multinomial(512, weights).tolist(), strict=True)
        alarms += min(p_value(recorded, ours) for recorded, ours in pairs) < CHANCE_LEVEL / 40
    assert alarms <= 2


def test_the_p_value_is_that_of_fishers_exact_test() -> None:
    """Two actions only: twice the smaller tail, for both actions the same, times two."""
    tail = sum(comb(10, k) * comb(20, 12 - k) for k in range(3)) / comb(30, 12)
    assert p_value([2, 8, 0, 0, 0, 0], [10, 10, 0, 0, 0, 0]) == pytest.approx(min(1.0, 2 * 2 * tail))
    assert p_value([5, 0, 0, 0, 0, 0], [9, 0, 0, 0, 0, 0]) == 1.0


def test_frequencies_are_judged_at_the_level_of_the_whole_run(tmp_path: Path) -> None:
    """A step whose p-value is below the level alone stops being a difference among enough others."""
    header, first, *_ = lines_of(DECISIONS, 3)
    found = replayed(written(tmp_path / "one.jsonl.gz", [header, _skewed(first, 49)]))
    assert [one.what for one in found.first] == ["decisions"]
    many = replayed(written(tmp_path / "many.jsonl.gz", [header, _skewed(first, 49), *[first] * 30]))
    assert (many.steps, many.differences) == (31, 0)
    always = replayed(written(tmp_path / "always.jsonl.gz", [header, _skewed(first, 64), *[first] * 30]))
    assert (always.differences, always.first[0].step) == (1, 0)


def _skewed(step: Any, most: int) -> Any:
    """A decision with two equally likely actions, one of which was recorded `most` times of 64."""
    one, other = (action for action, count in enumerate(step["counts"]) if count == 32)
    return {**step, "counts": [most if a == one else 64 - most if a == other else 0 for a in range(6)]}


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


def refusal_of_first_step(path: Path, break_it: Callable[[Any], Any], folder: Path) -> str:
    """The sentence that refuses a recording of which one step is broken."""
    lines = lines_of(path, 2)
    break_it(lines[1])
    with pytest.raises(RecordingError) as refusal:
        replayed(written(folder / "broken.jsonl.gz", lines))
    return str(refusal.value)


BROKEN_DECISIONS: list[tuple[str, Callable[[Any], Any]]] = [
    ("agent is 1000000000.0; expected an integer from 0 to 3", lambda step: step.update(agent=1e9)),
    ("agent is 1000000000; expected an integer from 0 to 3", lambda step: step.update(agent=10**9)),
    ("agent 1 decides but is not alive", lambda step: step.update(agent=1)),
    (
        "recent places of mem has 40 entries; expected a list of 0 to 6",
        lambda step: step["mem"].__setitem__(0, [[0, 0]] * 40),
    ),
    ("coordinate of mem is 500; expected", lambda step: step["mem"].__setitem__(0, [[0, 500]])),
    ("last direction of mem is 9; expected", lambda step: step["mem"].__setitem__(1, 9)),
    ("mem is 3; expected [recent places, last direction]", lambda step: step.update(mem=3)),
    ("recent places of mem_after_seed0 is None", lambda step: step.update(mem_after_seed0=[None, None])),
    ("counts has 2 entries; expected a list of 6", lambda step: step.update(counts=[3, 4])),
    ("counts are all 0; expected at least one decision", lambda step: step.update(counts=[0] * 6)),
    ("entry of counts is -1; expected", lambda step: step["counts"].__setitem__(0, -1)),
    ("acts is 'up'; expected a digit from 0 to 5", lambda step: step.update(acts="up")),
    ("board has fog", lambda step: step.update(variant="team", s=_fogged(step["s"]))),
    ("agents[3] is alive and nowhere", lambda step: step.update(variant="team", s=_unseen(step["s"]))),
]


def _fogged(state: Any) -> Any:
    return {**state, "board": ["5" * 11, *state["board"][1:]]}


def _unseen(state: Any) -> Any:
    board = [row.replace("d", "0") for row in state["board"]]
    return {**state, "board": board, "agents": [*state["agents"][:3], [-1, -1, 1, 0, 0, 0]]}


@pytest.mark.parametrize(("sentence", "break_it"), BROKEN_DECISIONS)
def test_a_broken_decision_is_refused(tmp_path: Path, sentence: str, break_it: Callable[[Any], Any]) -> None:
    assert f"step 0: {sentence}" in refusal_of_first_step(DECISIONS, break_it, tmp_path)


BROKEN_STEPS: list[tuple[str, Callable[[Any], Any]]] = [
    ("a has 3 entries; expected a list of 4", lambda step: step["a"].pop()),
    ("mem is 7; expected a list of 4", lambda step: step.update(mem=7)),
    ("recent places of mem[0] has 40 entries", lambda step: step["mem"].__setitem__(0, [[[0, 0]] * 40, 0])),
    ("ep is []; expected an integer", lambda step: step.update(ep=[])),
    ("obs is {}; expected a list of 4", lambda step: step.update(obs={})),
]


@pytest.mark.parametrize(("sentence", "break_it"), BROKEN_STEPS)
def test_a_broken_step_is_refused(tmp_path: Path, sentence: str, break_it: Callable[[Any], Any]) -> None:
    assert f"step 0: {sentence}" in refusal_of_first_step(GAME, break_it, tmp_path)


def test_a_difference_of_memories_can_be_printed_and_written_as_json(tmp_path: Path) -> None:
    lines = lines_of(DECISIONS, 2)
    lines[1]["mem_after_seed0"][1] = 2
    difference = replayed(written(tmp_path / "changed.jsonl.gz", lines)).first[0]
    assert "memory after differs" in str(difference)
    assert json.loads(json.dumps(difference.ours))[0][0][-1] == [8, 6]


@pytest.mark.parametrize(("sentence", "break_it"), BROKEN)
def test_what_is_broken_is_refused(tmp_path: Path, sentence: str, break_it: Callable[[Lines], Any]) -> None:
    lines = lines_of(GAME, 4)
    break_it(lines)
    with pytest.raises(RecordingError) as refusal:
        replayed(written(tmp_path / "broken.jsonl.gz", lines))
    assert sentence in str(refusal.value)
