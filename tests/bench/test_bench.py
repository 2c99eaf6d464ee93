"""The benchmark measures what the games' entries say, with the planners that bench hands in."""

from __future__ import annotations

import pytest
from slow_parameters import rest_slow

from tactician.bench import Figure, figures, reference_of, run_bench
from tactician.bench.planners import measure_planners
from tactician.checking import speed
from tactician.games.pommerman import benchmarks as pommerman_benchmarks
from tactician.games.registry import GAMES, entry_of
from tactician.games.royale import benchmarks as royale_benchmarks

OWN = {
    "hero-academy": set(),
    "locm": {"drafted_random_games", "drafted_random_actions", "oep_500_turns"},
    "amazons": set(),
    "amazons-plain": set(),
    "pommerman": {
        "random_steps",
        "random_steps_per_game",
        "rule_based_decisions",
        "rule_based_steps",
        "fdts_decisions",
        "fdts_ucb1_decisions",
        "mcs_decisions",
        "follower_decisions",
    },
    "royale": {
        "random_battles",
        "random_battle_ms",
        "random_ticks",
        "random_battle_seconds",
        "random_battle_length",
        "fdts_decisions",
        "mcs_decisions",
        "mcts_decisions",
    },
}
POSITIONS = {"hero-academy": {"start", "mid"}, "royale": {"start", "crowd"}}
SIMULTANEOUS = ("pommerman", "royale")
COMMON = {"copy", "legal_actions", "legal_actions_pruned", "evaluate", "state_bytes"}
BATCHES = {"batch_steps", "single_steps"}
TURNS = {"apply", "random_actions", "random_games", "actions_per_game"}


@pytest.fixture(autouse=True)
def short_rounds(monkeypatch: pytest.MonkeyPatch) -> None:
    """The figures don't matter here, only that they are taken."""
    monkeypatch.setattr(speed, "ROUNDS", 1)
    monkeypatch.setattr(speed, "SECONDS_A_ROUND", 0.001)
    monkeypatch.setattr(figures, "CALIBRATION_DRAWS", 1000)
    monkeypatch.setattr(figures, "BATCH", 8)
    monkeypatch.setattr(pommerman_benchmarks, "STEPS", 3)
    monkeypatch.setattr(pommerman_benchmarks, "GAMES", 1)
    monkeypatch.setattr(royale_benchmarks, "STEPS", 3)
    monkeypatch.setattr(royale_benchmarks, "BATTLES", 1)


@pytest.mark.parametrize("name", rest_slow(GAMES, [name for name in GAMES if name not in SIMULTANEOUS]))
def test_every_built_in_game_is_measured_with_its_own_figures(name: str) -> None:
    told: list[str] = []
    report = run_bench([name], told.append)
    found = [figure for figure in report.figures if figure.game == name]
    assert {figure.name for figure in found} == (
        COMMON
        | OWN[name]
        | (set() if name in SIMULTANEOUS else TURNS)
        | (set() if name == "amazons-plain" else BATCHES)
    )
    assert all(figure.value > 0 for figure in found)
    assert any(name in line for line in told)
    positions = {figure.position for figure in found} - {None}
    assert positions == POSITIONS.get(name, {"start"})


@pytest.mark.parametrize("name", [name for name in GAMES if entry_of(name).benchmark])
def test_every_reference_value_belongs_to_a_figure_that_is_taken(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("tactician.bench.planners.ROUNDS", 1)
    monkeypatch.setattr("tactician.bench.planners.SEARCH_MS", 5.0)
    report = run_bench([name])
    taken = [*report.figures, *(measure_planners(lambda _: None) if name == "hero-academy" else ())]
    compared = {(figure.name, figure.position) for figure in taken if reference_of(figure) is not None}
    assert compared == set(entry_of(name).load("benchmark").reference)


def test_a_figure_of_a_game_without_a_reference_has_none() -> None:
    assert reference_of(Figure("amazons", "copy", 1.0, "copies/s", "start")) is None
    assert reference_of(Figure("calibration", "calibration", 1.0, "draws/s")) is None
