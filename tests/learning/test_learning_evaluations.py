"""Learned evaluations: weights are fitted to results, runs are resumed, planners use what was learned."""

from __future__ import annotations

import sys
from dataclasses import asdict, replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from tactician.arena.agents import parse_agent
from tactician.errors import InvalidParameterError
from tactician.games.registry import load_game
from tactician.learning import evaluations
from tactician.learning.evaluation_network import fit_network
from tactician.learning.evaluations import EvaluationTraining, chance_of, log_loss, logistic, traced, train_evaluation
from tactician.learning.positions import HELD_OUT, Positions

GAME = "hero-academy:map=a-tiny,deck=tiny,turn_limit=16"
SETTINGS = EvaluationTraining(game=GAME, planner="greedy-action", budget="500evals", rounds=2, games=10, check=2)


def test_weights_find_the_feature_that_decides() -> None:
    rng = np.random.default_rng(1)
    rows = rng.normal(size=(4000, 3)) * np.array([1.0, 10.0, 1.0])
    results = (rng.random(4000) < 1 / (1 + np.exp(-0.2 * rows[:, 1]))).astype(float)
    weights = logistic(rows, results, np.ones(4000), penalty=1.0)
    assert weights == pytest.approx([0.0, 0.2, 0.0], abs=0.1)
    assert weights[1] == pytest.approx(0.2, abs=0.02)


def test_importance_counts_like_repetition() -> None:
    rng = np.random.default_rng(2)
    rows, results = rng.normal(size=(50, 2)), rng.integers(0, 2, 50).astype(float)
    twice = logistic(np.concatenate([rows, rows[:20]]), np.concatenate([results, results[:20]]), np.ones(70), 1.0)
    # The scale of the penalty is the spread of the rows, which repetition changes a little.
    weighed = logistic(rows, results, np.where(np.arange(50) < 20, 2.0, 1.0), 1.0)
    assert weighed == pytest.approx(twice, rel=0.1)


def test_targets_mix_the_result_with_what_is_expected_of_the_next_position() -> None:
    expected = np.array([0.9, 0.8, 0.6, 0.3, 0.4])
    results = np.array([1.0, 1.0, 1.0, 0.0, 0.0])
    targets = traced(expected, results, np.array([0, 0, 0, 1, 1]), trace=0.5)
    assert targets == pytest.approx([0.5 * (0.5 * 1.0 + 0.5 * 0.6) + 0.5 * 0.8, 0.5 * 1.0 + 0.5 * 0.6, 1.0, 0.2, 0.0])
    assert traced(expected, results, np.array([0, 0, 0, 1, 1]), trace=1.0) == pytest.approx(results)


def test_the_loss_of_a_coin_is_the_logarithm_of_two() -> None:
    assert log_loss(np.array([0.5, 0.5]), np.array([1.0, 0.0])) == pytest.approx(np.log(2))
    assert log_loss(np.array([0.5]), np.array([0.5])) == pytest.approx(np.log(2))
    assert log_loss(np.array([1.0, 0.0]), np.array([1.0, 0.0])) < 1e-6


def test_an_evaluation_is_learned_written_and_used(tmp_path: Path) -> None:
    out, told = tmp_path / "e.json", []
    result = train_evaluation(SETTINGS, out, lambda done, of: told.append((done, of)))
    assert told == [(done, 22) for done in range(1, 23)]
    assert 0 <= result.won <= 1
    assert result.positions > 20
    game = load_game(GAME)
    assert game.with_evaluation(out).weights == result.weights
    assert not list(tmp_path.glob("*.npz"))
    state = game.initial_state(2)
    agent = parse_agent(f"greedy-action:evaluation={out}").on(game)
    plan = agent.plan(state, "2000evals")
    end = state.copy()
    for action in plan.actions:
        end.apply(action)
    assert plan.value == pytest.approx(end.in_game(game.with_evaluation(out)).evaluate()[0])


def test_a_network_finds_what_no_weighted_sum_can() -> None:
    rng = np.random.default_rng(3)
    ours, theirs = rng.integers(0, 2, (2, 6000, 2)).astype(np.float32)
    both, other = ours.all(axis=1), theirs.all(axis=1)  # a side is strong if it has both features, else it has none
    odds = 3.0 * (both.astype(float) - other)
    results = (rng.random(6000) < 1 / (1 + np.exp(-odds))).astype(float)
    weights, network = fit_network(np.concatenate([ours, theirs], axis=1), results, np.ones(6000), units=8, seed=1)
    found = (ours - theirs) @ weights + network.odds(ours, theirs)
    assert found[both & ~other].mean() > 2
    assert abs(found[~both & ~other]).max() < 0.5
    summed = logistic(ours - theirs, results, np.ones(6000), 1.0)
    losses = [log_loss(chance_of(found), results), log_loss(chance_of((ours - theirs) @ summed), results)]
    assert losses[0] < losses[1] - 0.03


def test_an_evaluation_with_a_network_is_learned_written_and_resumed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(evaluations, "_SAVED_EVERY", 4)
    settings = replace(SETTINGS, hidden=3, trace=1, check=0)
    result = train_evaluation(settings, tmp_path / "whole.json")
    assert result.network is not None
    assert result.network.own.shape == (3, len(load_game(GAME).info.features))

    def stop(done: int, of: int) -> None:
        if done == 14:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        train_evaluation(settings, tmp_path / "parts.json", stop)
    train_evaluation(settings, tmp_path / "parts.json")
    assert (tmp_path / "parts.json").read_bytes() == (tmp_path / "whole.json").read_bytes()
    judged = load_game(GAME).with_evaluation(tmp_path / "whole.json")
    assert judged == load_game(GAME).with_feature_weights(result.weights, result.network)


def test_without_pytorch_a_network_is_refused_before_anything_is_played(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "torch", None)
    with pytest.raises(
        InvalidParameterError, match="an evaluation with hidden units needs torch, which is not installed"
    ):
        train_evaluation(replace(SETTINGS, hidden=3), tmp_path / "e.json")


def test_a_run_that_was_stopped_ends_with_the_same_weights(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(evaluations, "_SAVED_EVERY", 4)
    whole = train_evaluation(SETTINGS, tmp_path / "whole.json")

    class StopError(Exception):
        pass

    def stop_at(number: int) -> Any:
        def on_games(done: int, of: int) -> None:
            if done == number:
                raise StopError

        return on_games

    out = tmp_path / "parts.json"
    for number in (6, 15):
        with pytest.raises(StopError):
            train_evaluation(SETTINGS, out, stop_at(number))
    played: list[int] = []
    again = train_evaluation(SETTINGS, out, lambda done, _of: played.append(done))
    assert played[0] == 13
    assert again == whole
    assert out.read_bytes() == (tmp_path / "whole.json").read_bytes()


def test_an_unfinished_run_with_other_settings_is_refused(tmp_path: Path) -> None:
    game, path = load_game(GAME), tmp_path / "e.partial.npz"
    kept = Positions(path, asdict(SETTINGS), 2 * len(game.info.features))
    kept.save()
    with pytest.raises(InvalidParameterError, match="has other settings"):
        train_evaluation(replace(SETTINGS, seed=1), tmp_path / "e.json")
    path.write_bytes(b"no archive")
    with pytest.raises(InvalidParameterError, match=r"e\.partial\.npz' can't be read"):
        train_evaluation(SETTINGS, tmp_path / "e.json")


def test_games_that_are_held_out_are_not_learned_from(tmp_path: Path) -> None:
    kept = Positions(tmp_path / "p.npz", {}, 1)
    for number in range(HELD_OUT + 1):
        kept.add(evaluations.Played(np.full((2, 2), float(number), np.float32), 1.0))
    assert kept.seen[kept.held_out()].tolist() == [[HELD_OUT - 1.0]] * 2
    assert kept.game_of[kept.learned_from()].tolist() == [0, 0, 1, 1, 2, 2, 3, 3, 5, 5]


@pytest.mark.parametrize(
    ("changes", "sentence"),
    [
        ({"games": 5}, "games is 5; expected an integer of at least 10"),
        ({"trace": 2}, "trace is 2; expected a number from 0 to 1"),
        ({"penalty": 0}, "penalty is 0; expected a number above 0"),
        ({"hidden": 33}, "hidden is 33; expected at most 32"),
        ({"budget": "10ms"}, "expected a counted one"),
    ],
)
def test_wrong_settings_are_refused(changes: dict[str, Any], sentence: str) -> None:
    with pytest.raises(InvalidParameterError, match=sentence):
        replace(SETTINGS, **changes)


def test_games_and_files_that_do_not_fit_are_refused(tmp_path: Path) -> None:
    with pytest.raises(InvalidParameterError, match="expected one of two players with turns that has the rule"):
        train_evaluation(replace(SETTINGS, game="pommerman"), tmp_path / "e.json")
    with pytest.raises(InvalidParameterError, match=r"expected a file name that ends in \.json"):
        train_evaluation(SETTINGS, tmp_path / "e.txt")
