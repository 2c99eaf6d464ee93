"""Training: networks learn what their teachers do, runs repeat exactly and continue after a kill."""

from __future__ import annotations

import dataclasses
import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import numpy as np
import pytest
from heap_planes import nim
from learning_runs import HEAP_GAME, small

from tactician.arena.agents import parse_agent
from tactician.errors import InvalidParameterError
from tactician.followers.model import load_model
from tactician.learning import Progress, Training, train
from tactician.learning.samples import Sample, SampleBuffer

HERE = Path(__file__).parent


def weights_of(path: Path) -> bytes:
    return b"".join(array.tobytes() for array in load_model(path).tensors.values())


def take_rest(left: int) -> int:
    """The winning move of Nim, where there is one."""
    return left % 4


@pytest.mark.parametrize("method", ["dagger", "cloning"])
def test_a_follower_learns_the_winning_moves_of_nim(tmp_path: Path, method: str) -> None:
    settings = small(method=method, battles=150, hidden=16, evaluate_every=150, noise=0.3, learning_rate=3e-3)
    train(settings, tmp_path / "nim.safetensors")
    follower = parse_agent(f"follower:path={tmp_path / 'nim.safetensors'}").on(nim)
    for left in (1, 2, 3, 5, 6, 7):
        assert follower.plan(nim.initial_state(left=left), "1its").actions == (take_rest(left),)


def test_q_mc_learns_which_moves_win_without_a_teacher(tmp_path: Path) -> None:
    settings = small(method="q-mc", battles=300, hidden=16, evaluate_every=300, learning_rate=3e-3)
    train(settings, tmp_path / "nim.safetensors")
    follower = parse_agent(f"follower:path={tmp_path / 'nim.safetensors'}").on(nim)
    for left in (1, 2, 3):
        assert follower.plan(nim.initial_state(left=left), "1its").actions == (take_rest(left),)


def test_the_same_settings_give_the_same_weights_whatever_the_number_of_threads(tmp_path: Path) -> None:
    for name, jobs in (("one", 1), ("again", 1), ("two", 2)):
        train(small(), tmp_path / f"{name}.safetensors", jobs=jobs)
    assert weights_of(tmp_path / "one.safetensors") == weights_of(tmp_path / "again.safetensors")
    assert weights_of(tmp_path / "one.safetensors") == weights_of(tmp_path / "two.safetensors")


def test_the_model_card_tells_game_settings_seed_and_curve(tmp_path: Path) -> None:
    told: list[Progress] = []
    last = train(small(), tmp_path / "nim.safetensors", on_progress=told.append)
    card = json.loads((tmp_path / "nim.json").read_text())
    assert (card["game"], card["version"], card["encoding"]) == ("heap", nim.version, "heap")
    assert card["training"]["settings"] == json.loads(json.dumps(small().to_json()))
    assert card["training"]["steps"] == last.steps
    assert [point["battles"] for point in card["training"]["curve"]] == [6, 12]
    for point in card["training"]["curve"]:
        assert sum(point["strength"]) == 2
        assert 0 <= point["agreement"] <= 1
    assert told[-1].battles == 12


KILLED = """
import sys
from pathlib import Path
sys.path[:0] = [{folder!r}, {support!r}]
from learning_runs import small
from tactician.learning import train
train(small(battles=40, method={method!r}), Path({out!r}), checkpoint_seconds=0.0,
      on_progress=lambda now: print(now.battles, flush=True))
"""


@pytest.mark.slow
@pytest.mark.parametrize("method", ["dagger", "q-mc"])
def test_a_run_that_is_killed_continues_exactly(tmp_path: Path, method: str) -> None:
    """SIGKILL in the middle of battles; the rest of the run gives the weights of a run that was not interrupted."""
    whole, killed = tmp_path / "whole.safetensors", tmp_path / "killed.safetensors"
    train(small(battles=40, method=method), whole)
    program = KILLED.format(folder=str(HERE), support=str(HERE.parent / "support"), out=str(killed), method=method)
    for stop_after in (5, 15):
        process = subprocess.Popen([sys.executable, "-c", program], stdout=subprocess.PIPE, text=True)
        assert process.stdout is not None
        for line in process.stdout:
            if int(line) >= stop_after:
                break
        time.sleep(0.01)
        os.kill(process.pid, signal.SIGKILL)
        process.wait()
        process.stdout.close()
        assert not killed.exists()
    train(small(battles=40, method=method), killed)
    assert weights_of(killed) == weights_of(whole)


class StoppedError(Exception):
    """Stands for anything that ends a run between two battles."""


@pytest.mark.parametrize("method", ["dagger", "cloning", "q-mc"])
def test_a_run_that_stops_after_any_battle_continues_exactly(tmp_path: Path, method: str) -> None:
    """Other battles are in flight at that time: what was seen in them is not lost."""
    whole, parts = tmp_path / "whole.safetensors", tmp_path / "parts.safetensors"
    settings = small(battles=20, method=method, width=3, noise=0.2)
    train(settings, whole)

    def stop(now: Progress) -> None:
        if now.battles >= stops[0]:
            stops.pop(0)
            raise StoppedError

    stops = [4, 7, 8, 15, 100]
    while len(stops) > 1:
        with pytest.raises(StoppedError):
            train(settings, parts, on_progress=stop, checkpoint_seconds=0.0)
    train(settings, parts)
    assert weights_of(parts) == weights_of(whole)
    ours, theirs = (load_model(path).card.training for path in (parts, whole))
    assert (ours["steps"], ours["updates"]) == (theirs["steps"], theirs["updates"])


def test_a_run_can_be_made_longer(tmp_path: Path) -> None:
    out, whole = tmp_path / "nim.safetensors", tmp_path / "whole.safetensors"
    train(small(battles=6, evaluate_every=50), out)
    train(small(battles=12, evaluate_every=50), out)
    train(small(battles=12, evaluate_every=50), whole)
    assert load_model(out).card.training["battles"] >= 12
    assert weights_of(out) == weights_of(whole)


def test_a_checkpoint_of_other_settings_is_refused(tmp_path: Path) -> None:
    out = tmp_path / "nim.safetensors"
    train(small(battles=2), out)
    with pytest.raises(InvalidParameterError, match=r"is of a run with batch=8; expected 16 \(or another --out\)"):
        train(small(battles=2, batch=16), out)


def test_a_damaged_checkpoint_is_refused(tmp_path: Path) -> None:
    out = tmp_path / "nim.safetensors"
    train(small(battles=2), out)
    checkpoint = out.with_name(out.name + ".checkpoint")
    checkpoint.write_bytes(checkpoint.read_bytes()[:-10])
    with pytest.raises(InvalidParameterError, match="is not a whole safetensors file"):
        train(small(battles=2), out)


@pytest.mark.parametrize(
    ("given", "sentence"),
    [
        ({"method": "magic"}, "method is 'magic'; expected one of dagger, cloning, q-mc"),
        ({"battles": 0}, "battles is 0; expected an integer of at least 1"),
        ({"learning_rate": 0.0}, "learning_rate is 0.0; expected a number up to 1"),
        ({"noise": 1.5}, "noise is 1.5; expected a number up to 1"),
        ({"budget": "10ms"}, "budget is '10ms'; expected a counted one"),
        ({"batch": 10, "buffer": 5}, "batch is 10; expected at most the buffer's 5 samples"),
    ],
)
def test_settings_that_make_no_sense_are_refused(given: dict[str, object], sentence: str) -> None:
    with pytest.raises(InvalidParameterError, match=sentence):
        small(**given)


def test_settings_come_from_the_game_unless_they_are_given() -> None:
    advised = Training.for_game("pommerman", seed=4, batch=None)
    assert (advised.teacher, advised.opponent, advised.batch, advised.seed) == ("fdts", "rule-based", 32, 4)
    assert Training.for_game(HEAP_GAME, hidden=5) == dataclasses.replace(Training(game=HEAP_GAME), hidden=5)


def test_a_target_that_the_teacher_does_not_give_is_refused(tmp_path: Path) -> None:
    with pytest.raises(InvalidParameterError, match=r"the teacher 'mcts.*' gives only its choices"):
        train(small(target="visits"), tmp_path / "nim.safetensors")


def test_symmetries_that_a_game_does_not_have_are_refused(tmp_path: Path) -> None:
    with pytest.raises(InvalidParameterError, match="encoding 'heap' of 'heap' has no symmetries"):
        train(small(symmetric=True), tmp_path / "nim.safetensors")


@pytest.mark.parametrize("target", ["choice", "visits", "values"])
def test_an_oracle_teaches_pommerman_by_choice_visits_or_values(tmp_path: Path, target: str) -> None:
    """A tiny run: what matters is that every target is learned from turned boards without a fault."""
    settings = Training(
        game="pommerman:rules=paper,identity=reference", teacher="fdts:depth=3", budget="12its", battles=2, width=2,
        hidden=4, longest=12, target=target, symmetric=True, opponent="rule-based", evaluation_games=1,
        evaluate_every=2,
    )  # fmt: skip
    last = train(settings, tmp_path / "follower.safetensors")
    (point,) = load_model(tmp_path / "follower.safetensors").card.training["curve"]
    assert last.battles == 2
    assert point["loss"] > 0
    assert sum(point["strength"]) == 1


def test_weights_need_a_name_of_their_own(tmp_path: Path) -> None:
    with pytest.raises(InvalidParameterError, match=r"expected a file name that ends in \.safetensors"):
        train(small(), tmp_path / "nim.pt")


def sample(number: int) -> Sample:
    return Sample(np.array([number], np.uint64), number % 4, number % 3, np.array([number]), np.ones(1, np.float32))


def test_the_buffer_keeps_the_newest_samples_and_always_draws_the_last() -> None:
    buffer = SampleBuffer(10, words=1, most_values=1)
    for number in range(25):
        buffer.add(sample(number))
    rng = np.random.default_rng(0)
    for _ in range(50):
        drawn = buffer.draw(rng, 4).seen[:, 0].tolist()
        assert 24 in drawn
        assert set(drawn) <= set(range(15, 25))
        assert len(set(drawn)) == 4
