"""Fitted weights of a game's own evaluation: contributions, regression around the usual weights, resumed runs."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from tactician.arena.agents import parse_agent
from tactician.contract import State
from tactician.errors import InvalidParameterError, UnknownNameError
from tactician.games.registry import load_game
from tactician.learning import evaluations
from tactician.learning.evaluations import Played
from tactician.learning.positions import Positions
from tactician.learning.ratings import random_turn
from tactician.learning.weights import (
    WeightsTraining,
    contributions,
    fitted_weights,
    terms_of,
    train_weights,
)

GAME = "hero-academy:map=a-tiny,deck=tiny,turn_limit=16"
SETTINGS = WeightsTraining(
    game=GAME, weights=("hit_point", "card", "*_on_power"), planner="greedy-action", budget="500evals", rounds=2,
    games=10, check=2,
)  # fmt: skip


def a_position() -> State:
    state, rng = load_game(GAME).initial_state(3), np.random.default_rng(1)
    for _ in range(4):
        random_turn(state, rng)
    return state


def test_contributions_add_up_to_what_other_weights_change() -> None:
    state = a_position()
    game = state.game
    terms = terms_of(game, ("hit_point", "standing", "card", "*_on_assault", "*_with_scroll"))
    assert terms[3] == tuple(name for name in game.weights if name.endswith("_on_assault"))
    assert len(terms[3]) == 5
    *parts, mover, one = contributions(game, terms)(state)
    assert (mover, one) == (1.0 if state.current_player() == 0 else -1.0, 1.0)
    assert any(parts)
    changes = (0.5, -1.0, 0.25, 40.0, 8.0)
    other = {name: game.weights[name] + by for term, by in zip(terms, changes, strict=True) for name in term}
    expected = state.evaluate()[0] + sum(by * part for by, part in zip(changes, parts, strict=True))
    assert state.in_game(game.with_weights(**other)).evaluate()[0] == pytest.approx(expected)


@pytest.mark.parametrize(("penalty", "low", "high"), [(1e-3, 4.7, 5.3), (1e7, 2.9, 3.1)])
def test_weights_are_on_the_scale_of_the_first_and_changes_are_avoided_by_the_penalty(
    tmp_path: Path, penalty: float, low: float, high: float
) -> None:
    """The results follow first + 5 · second, and who moves next and which seat it is count too."""
    rng, kept = np.random.default_rng(5), Positions(tmp_path / "p.npz", {}, 4)
    for number in range(8000):
        first, second = rng.normal(size=2)
        mover = 1.0 if number % 2 else -1.0
        won = rng.random() < 1 / (1 + np.exp(-(first + 5 * second + 0.8 * mover + 0.3)))
        usual = 2 * first + 6 * second
        kept.add(Played(np.array([[first, second, mover, 1.0, usual]], np.float32), float(won)))
    found = fitted_weights(kept, penalty, {"first": 2.0, "second": 6.0}, (("first",), ("second",)))
    assert "first" not in found, "it sets the scale"
    assert low <= found.get("second", 6.0) / 2 <= high


def test_weights_are_fitted_written_and_used(tmp_path: Path) -> None:
    out, told = tmp_path / "w.json", []
    result = train_weights(SETTINGS, out, lambda done, of: told.append((done, of)))
    assert told == [(done, 22) for done in range(1, 23)]
    game = load_game(GAME)
    assert set(result.weights) <= {"hit_point", "card", *(name for name in game.weights if name.endswith("_on_power"))}
    assert all((value * 64).is_integer() for value in result.weights.values())
    assert not list(tmp_path.glob("*.npz"))
    agent = parse_agent(f"greedy-action:weights={result.text}").on(game)
    state = game.initial_state(2)
    end, plan = state.copy(), agent.plan(state, "2000evals")
    for action in plan.actions:
        end.apply(action)
    assert plan.value == end.in_game(game.with_weights(**result.weights)).evaluate()[0]


def test_a_run_that_was_stopped_ends_with_the_same_weights(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(evaluations, "_SAVED_EVERY", 4)
    whole = train_weights(SETTINGS, tmp_path / "whole.json")

    class StopError(Exception):
        pass

    def stop(done: int, _of: int) -> None:
        if done == 14:
            raise StopError

    out = tmp_path / "parts.json"
    with pytest.raises(StopError):
        train_weights(SETTINGS, out, stop)
    played: list[int] = []
    assert train_weights(SETTINGS, out, lambda done, _of: played.append(done)) == whole
    assert played[0] == 13
    assert out.read_bytes() == (tmp_path / "whole.json").read_bytes()


@pytest.mark.parametrize(
    ("changes", "sentence"),
    [
        ({"games": 5}, "games is 5; expected an integer of at least 10"),
        ({"noise": 2}, "noise is 2; expected a number from 0 to 1"),
        ({"weights": ()}, "weights is empty; expected the weights to fit"),
        ({"budget": "10ms"}, "expected a counted one"),
    ],
)
def test_wrong_settings_are_refused(changes: dict[str, Any], sentence: str) -> None:
    with pytest.raises(InvalidParameterError, match=sentence):
        replace(SETTINGS, **changes)


def test_games_weights_and_files_that_do_not_fit_are_refused(tmp_path: Path) -> None:
    with pytest.raises(UnknownNameError, match="weight of 'hero-academy'"):
        train_weights(replace(SETTINGS, weights=("charm",)), tmp_path / "w.json")
    with pytest.raises(InvalidParameterError, match="expected one of two players with turns"):
        train_weights(replace(SETTINGS, game="pommerman"), tmp_path / "w.json")
    with pytest.raises(InvalidParameterError, match=r"expected a file name that ends in \.json"):
        train_weights(SETTINGS, tmp_path / "w.txt")
