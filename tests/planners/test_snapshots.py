"""Snapshots of running searches: they tell what a search knows, change nothing, and can end it."""

from __future__ import annotations

import pytest

from tactician.games.registry import load_game
from tactician.planners import PLANNERS
from tactician.planners.registry import parse_planner
from tactician.seats.plan import Plan, Snapshot

BUDGET = "400its"
SEARCHES = [
    *((name, "pommerman" if planner.simultaneous else "hero-academy") for name, planner in PLANNERS.items()),
    *(pytest.param(name, "locm", marks=pytest.mark.slow) for name, one in PLANNERS.items() if not one.simultaneous),
]


def planned(planner: str, game: str, snapshots: list[Snapshot] | None = None) -> Plan:
    loaded = load_game(game)
    agent = parse_planner(planner).on(loaded, seed=3)
    if snapshots is not None:
        agent.listen(lambda snapshot: snapshots.append(snapshot), every=0.0)
    state = loaded.initial_state(seed=5)
    for _ in range(0 if loaded.simultaneous else 2):
        for action in parse_planner("greedy-action").on(loaded).plan(state, "100evals").actions:
            state.apply(action)
    return agent.plan(state, BUDGET, seat=0 if loaded.simultaneous else None)


@pytest.mark.parametrize(("planner", "game"), SEARCHES)
def test_looking_at_a_search_changes_nothing(planner: str, game: str) -> None:
    plain, looked = planned(planner, game), planned(planner, game, [])
    assert (looked.actions, looked.value) == (plain.actions, plain.value)
    assert [other.actions for other in looked.alternatives] == [other.actions for other in plain.alternatives]
    assert (looked.stats.evaluations, looked.stats.iterations) == (plain.stats.evaluations, plain.stats.iterations)


def test_a_snapshot_has_the_turn_and_what_was_considered() -> None:
    seen: list[Snapshot] = []
    plan = planned("oep", "hero-academy", seen)
    assert seen
    last = seen[-1]
    assert last.plan.names
    assert last.plan.stats.evaluations <= plan.stats.evaluations
    assert last.plan.alternatives[0].actions == last.plan.actions
    assert {"generation", "best", "mean", "diversity"} == set(last.figures)
    assert last.figures["mean"] <= last.figures["best"]
    assert 0 < last.figures["diversity"] <= 1


def test_simultaneous_searches_tell_what_every_player_tried() -> None:
    seen: list[Snapshot] = []
    planned("fdts", "pommerman", seen)
    players = seen[-1].choices
    assert len(players) == 4
    assert all(sum(choice.visits for choice in player) > 0 for player in players)
    assert seen[-1].to_json()["choices"][0][0].keys() == {"action", "value", "visits"}


def test_a_listener_ends_a_search_that_would_take_hours() -> None:
    game = load_game("hero-academy")
    agent = parse_planner("emcts").on(game)
    agent.listen(lambda _snapshot: True, every=0.0)
    plan = agent.plan(game.initial_state(seed=1), "1000000000its")
    assert plan.actions
    assert plan.stats.iterations < 1_000_000


def test_nobody_listens_any_more_after_none() -> None:
    seen: list[Snapshot] = []
    game = load_game("hero-academy")
    agent = parse_planner("oep").on(game)
    agent.listen(lambda snapshot: seen.append(snapshot), every=0.0)
    agent.listen(None)
    agent.plan(game.initial_state(seed=1), "20its")
    assert not seen
