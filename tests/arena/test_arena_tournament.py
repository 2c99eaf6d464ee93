"""Tournaments: the same results however they are played, resumed, or interrupted."""

from __future__ import annotations

import multiprocessing
import os
import pickle
import signal
import subprocess
import sys
import time
import tracemalloc
from dataclasses import replace
from pathlib import Path

import pytest
from slow_parameters import rest_slow

from tactician.arena import Pairing, Tournament, TournamentPlan, open_store, play, replay, run, stronger, tournament
from tactician.arena.records import GameRecord
from tactician.arena.tournament import keep, key_of
from tactician.contract.state import State
from tactician.errors import InvalidBudgetError, InvalidParameterError, StoreError, UnknownNameError
from tactician.seats.budget import Budget
from tactician.seats.plan import Plan as Turn
from tactician.seats.seat import BaseSeat

GAME = "hero-academy:turn_limit=8"
PLANNERS = ("random", "greedy-action", "oep:population=10")


def small(jobs: int = 1, store: str | Path | None = None, games: int = 4) -> dict[str, object]:
    return tournament(GAME, PLANNERS, games, "60evals", seed=3, jobs=jobs, store=store).to_json()


def test_every_pair_meets_and_sides_are_swapped_on_the_same_start() -> None:
    plan = TournamentPlan(GAME, PLANNERS, 4, "60evals")
    pairings = plan.pairings()
    assert len(pairings) == 3 * 4 == len({pairing.key for pairing in pairings})
    for even, odd in zip(pairings[0:3], pairings[3:6], strict=True):
        assert even.seats == odd.seats[::-1]
        assert even.seed == odd.seed


def test_a_gauntlet_is_the_first_against_the_rest() -> None:
    plan = TournamentPlan(GAME, PLANNERS, 2, "60evals", form="gauntlet")
    assert {frozenset(pairing.seats) for pairing in plan.pairings()} == {
        frozenset({PLANNERS[0], other}) for other in PLANNERS[1:]
    }


def test_results_do_not_depend_on_the_number_of_jobs() -> None:
    assert small(jobs=1) == small(jobs=2)


def test_a_stored_tournament_is_not_played_again_and_more_games_are_added(tmp_path: Path) -> None:
    store = tmp_path / "games.sqlite"
    first = small(store=store, games=2)
    with open_store(store) as opened:
        before = [record.to_json() for record in opened.games(1)]
    assert small(store=store, games=2) == first
    assert small(store=store, games=4) == small(games=4)
    with open_store(store) as opened:
        after = [record.to_json() for record in opened.games(1)]
        assert len(opened.tournaments()) == 1
    assert len(before) == 6
    assert len(after) == 12
    assert after[:6] == before


def test_a_recorded_game_can_be_played_again() -> None:
    record = play(TournamentPlan(GAME, PLANNERS, 1, "60evals").pairings()[0])
    final = replay(record)
    assert final.is_over()
    assert tuple(final.returns()) == record.returns
    assert GameRecord.from_json(record.to_json() | {}) == record


def test_the_same_planner_twice_gets_two_names() -> None:
    result = tournament(GAME, ("random", "random"), 2, "60evals")
    assert result.names == ("random", "random#2")
    assert result.score(0, 1).games == 2


class _Broken(BaseSeat):
    """An agent that raises, plans nothing, or plans an illegal action on its second turn."""

    def __init__(self, plan: Turn | None) -> None:
        super().__init__()
        self._turn, self._plan = 0, plan

    def plan(self, state: State, budget: Budget | str, *, ply: int = 0, seat: int | None = None) -> Turn:
        self._turn += 1
        if self._turn == 1:
            return Turn((state.legal_actions()[-1],), None)
        if self._plan is None:
            raise RuntimeError("lost my mind")
        return self._plan


@pytest.mark.parametrize(
    ("plan", "sentence"),
    [
        (None, "RuntimeError: lost my mind"),
        (Turn((), None), "the plan is empty."),
        (Turn((999_999,), None), "is not legal here."),
    ],
)
@pytest.mark.parametrize("seat", [0, 1])
def test_an_agent_that_fails_forfeits_and_the_reason_is_recorded(plan: Turn | None, sentence: str, seat: int) -> None:
    from tactician.games.registry import load_game
    from tactician.planners import Random

    healthy = Random().on(load_game(GAME))
    players = (_Broken(plan), healthy) if seat == 0 else (healthy, _Broken(plan))
    record = play(Pairing(GAME, ("one", "other"), "10its", 0, 0), players)
    assert record.error is not None
    assert sentence in record.error
    assert record.error_seat == seat
    assert record.returns[seat] == -1
    assert record.returns[1 - seat] == 1


@pytest.mark.parametrize(
    ("arguments", "error", "sentence"),
    [
        ((GAME, ("random",), 2, "10its"), InvalidParameterError, "1 planners given; a tournament needs at least 2"),
        ((GAME, ("random", "oep"), 0, "10its"), InvalidParameterError, "games is 0; expected at least 1"),
        ((GAME, ("random", "oap"), 2, "10its"), UnknownNameError, "unknown planner 'oap'; did you mean 'oep'"),
        (("hero-acadamy", ("random", "oep"), 2, "10its"), UnknownNameError, "did you mean 'hero-academy'"),
        ((GAME, ("random", "oep"), 2, "abc"), InvalidBudgetError, "budget is 'abc'"),
    ],
)
def test_bad_input_is_one_sentence(arguments: tuple, error: type[Exception], sentence: str) -> None:
    with pytest.raises(error, match=sentence):
        tournament(*arguments)


SCRIPT = """
from tactician.arena import tournament
tournament({game!r}, {planners!r}, {games}, "60evals", seed=3, jobs={jobs}, store={store!r})
"""


@pytest.mark.parametrize("jobs", rest_slow([1, 2], [1]))
def test_a_killed_tournament_goes_on_and_counts_no_game_twice(tmp_path: Path, jobs: int) -> None:
    store = tmp_path / "games.sqlite"
    script = SCRIPT.format(game=GAME, planners=PLANNERS, games=40, jobs=jobs, store=str(store))
    for _ in range(3):
        process = subprocess.Popen([sys.executable, "-c", script], start_new_session=True)
        deadline = time.monotonic() + 60
        seen = _stored(store)
        while process.poll() is None and _stored(store) < seen + 5 and time.monotonic() < deadline:
            time.sleep(0.02)
        os.killpg(process.pid, signal.SIGKILL)
        process.wait()
    plan = TournamentPlan(GAME, PLANNERS, 40, "60evals", 3)
    with open_store(store) as opened:
        left = opened.played(1)
        assert left
        result = run(plan, opened)
        keys = [record.pairing.key for record in opened.games(1)]
    assert len(keys) == len(set(keys)) == 120 == len(result.records)
    assert left <= set(keys)


def _stored(store: Path) -> int:
    if not store.exists():
        return 0
    try:
        with open_store(store) as opened:
            return len(opened.played(1)) if opened.tournaments() else 0
    except StoreError:  # it is being made by the other process
        return 0


def test_a_worker_that_is_killed_costs_only_its_games_in_flight() -> None:
    killed: list[int] = []

    def kill_a_worker(_result: object) -> None:
        workers = [child.pid for child in multiprocessing.active_children() if child.pid]
        if not killed and workers:
            killed.append(workers[0])
            os.kill(workers[0], signal.SIGKILL)

    result = tournament(GAME, PLANNERS, 10, "60evals", seed=3, jobs=2, on_progress=kill_a_worker)
    assert killed
    assert len(result.records) == 30
    assert result.to_json() == tournament(GAME, PLANNERS, 10, "60evals", seed=3).to_json()


def test_a_cluster_gives_the_same_results() -> None:
    distributed = pytest.importorskip("distributed")
    with distributed.LocalCluster(
        n_workers=2, threads_per_worker=1, dashboard_address=None, host="127.0.0.1"
    ) as cluster:
        address = cluster.scheduler_address
        result = tournament(GAME, PLANNERS, 4, "60evals", seed=3, cluster=address)
    assert result.to_json() == small()


@pytest.mark.slow  # Dask tries for ten seconds
def test_an_unreachable_cluster_is_one_sentence() -> None:
    pytest.importorskip("distributed")
    with pytest.raises(InvalidParameterError, match=r"cluster 'tcp://127.0.0.1:9' can't be reached"):
        tournament(GAME, PLANNERS, 2, "60evals", cluster="tcp://127.0.0.1:9")


def test_a_sequential_test_stops_as_soon_as_it_can_tell() -> None:
    test, result = stronger("hero-academy", "greedy-action", "random", "1000evals", elo0=0, elo1=100, most_games=200)
    assert test.decision == "stronger"
    assert result.score(0, 1).games < 200
    equal, _ = stronger(GAME, "random", "random", "60evals", elo0=0, elo1=400, most_games=200)
    assert equal.decision == "not stronger"


def test_ctrl_c_stops_the_tournament_and_not_just_the_plan(tmp_path: Path) -> None:
    store = tmp_path / "games.sqlite"
    command = ["arena", "hero-academy", "mcts", "emcts", "--games", "40", "--budget", "100ms", "--out", str(store)]
    process = subprocess.Popen(
        [sys.executable, "-m", "tactician.cli.main", *command],
        stderr=subprocess.PIPE,
        text=True,
        env=os.environ | {"TACTICIAN_QUIET": "1"},
    )
    deadline = time.monotonic() + 60
    while _stored(store) < 1 and time.monotonic() < deadline:
        time.sleep(0.05)
    process.send_signal(signal.SIGINT)
    _, said = process.communicate(timeout=60)
    assert process.returncode == 130
    assert said.startswith("tactician: stopped. Resume with: ")
    assert "Traceback" not in said
    assert 1 <= _stored(store) < 40


# -- memory ----------------------------------------------------------------------------------------------------------


def test_a_long_tournament_holds_what_the_table_needs_and_turns_are_read_from_the_store(tmp_path: Path) -> None:
    plan = TournamentPlan(GAME, ("random", "greedy-action"), 120, "20evals")
    first = play(plan.pairings()[0])
    long = replace(first, turns=tuple(first.turns) * (200 // len(first.turns)))
    sent = [pickle.dumps(replace(long, pairing=replace(pairing))) for pairing in plan.pairings()]
    with open_store(tmp_path / "games.sqlite") as store:
        number, result = store.tournament(key_of(plan), plan.to_json()), Tournament(plan)
        keep(store, number, result, pickle.loads(sent[0]))
        tracemalloc.start()
        try:
            for game in sent[1:20]:  # whatever is allocated once
                keep(store, number, result, pickle.loads(game))
            before = tracemalloc.get_traced_memory()[0]
            for game in sent[20:]:
                keep(store, number, result, pickle.loads(game))
            growth = (tracemalloc.get_traced_memory()[0] - before) / (len(sent) - 20)
        finally:
            tracemalloc.stop()
    assert growth < 4000  # with its turns a game takes more than 50,000 bytes
    assert tuple(result.games()[7].turns) == long.turns  # the store is closed, and read again
    assert result.games()[7] == replace(long, pairing=plan.pairings()[7])


def test_without_a_store_games_keep_their_turns() -> None:
    result = tournament(GAME, ["random", "greedy-action"], 2, "20evals")
    for record in result.games():
        assert record == replace(play(record.pairing), ms=record.ms, turns=record.turns)
        assert [turn.actions for turn in record.turns] == [turn.actions for turn in play(record.pairing).turns]
        assert pickle.loads(pickle.dumps(record)) == record
