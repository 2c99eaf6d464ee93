"""Points are judged by games that the arena plays."""

from __future__ import annotations

from typing import Any

import pytest

from tactician.arena import play
from tactician.errors import TacticianError
from tactician.tuning import NTBEA, MatchEvaluator, Space
from tactician.tuning.matches import points_of

GAME = "amazons:size=5"
SPACE = Space({"planner.population": [4, 10], "planner.mutation_rate": [0.1, 0.5, 0.9]})
OEP = MatchEvaluator(GAME, "oep:kill_rate=0.6", ("random", "greedy-action"), games=4, budget="20evals")


def test_every_start_is_played_from_every_seat_against_every_opponent() -> None:
    games = MatchEvaluator(GAME, "oep", ("random", "mcts"), games=8).pairings("oep:population=4", 70)
    assert [(pairing.seats, pairing.seed, pairing.round, seat) for pairing, seat in games] == [
        (("oep:population=4", "random"), 70, 0, 0),
        (("random", "oep:population=4"), 70, 1, 1),
        (("oep:population=4", "mcts"), 71, 2, 0),
        (("mcts", "oep:population=4"), 71, 3, 1),
        (("oep:population=4", "random"), 72, 4, 0),
        (("random", "oep:population=4"), 72, 5, 1),
        (("oep:population=4", "mcts"), 73, 6, 0),
        (("mcts", "oep:population=4"), 73, 7, 1),
    ]
    assert {pairing.budget for pairing, _ in games} == {"500evals"}


def test_the_value_is_the_share_of_points() -> None:
    point = {"planner.population": 4, "planner.mutation_rate": 0.5}
    candidate = "oep:kill_rate=0.6,population=4,mutation_rate=0.5"
    assert OEP.candidate(point) == candidate
    records = [(play(pairing), seat) for pairing, seat in OEP.pairings(candidate, 11)]
    expected = sum((record.returns[seat] + 1) / 2 for record, seat in records) / 4
    assert OEP(point, 11) == expected
    assert [points_of(record, 0) + points_of(record, 1) for record, _ in records] == [1.0] * 4


def test_a_points_values_take_the_place_of_the_planners() -> None:
    evaluator = MatchEvaluator("hero-academy", "oep:population=20", ("random",))
    assert evaluator.candidate({"planner.population": 50}) == "oep:population=50"
    assert evaluator.candidate({"planner.prune": False, "weight.card": -2.5, "weight.win": 3}) == (
        "oep:population=20,prune=False,weights=card=-2.5;win=3"
    )
    assert MatchEvaluator("hero-academy", "oep#2", ("oep",)).candidate({}) == "oep"


def test_weights_of_the_planner_that_are_not_tuned_stay() -> None:
    evaluator = MatchEvaluator("hero-academy", "oep:weights=card=1;win=2", ("random",))
    assert evaluator.candidate({"weight.card": 7}) == "oep:weights=card=7;win=2"


def test_weights_are_the_candidates_alone() -> None:
    evaluator = MatchEvaluator(GAME, "greedy-action", ("greedy-action",), games=8, budget="200evals")
    space = Space({"weight.mobility": [-1.0, 1.0], "weight.liberty": [0.0]})
    evaluator.check(space)
    backwards, sensible = ({"weight.mobility": w, "weight.liberty": 0.0} for w in (-1.0, 1.0))
    assert evaluator(backwards, 1) < 0.25 < evaluator(sensible, 1)


@pytest.mark.slow
def test_jobs_change_nothing() -> None:
    search = NTBEA(SPACE, seed=1, width=2)
    assert search.run(OEP, 5, jobs=2).to_json() == search.run(OEP, 5).to_json()


@pytest.mark.slow
def test_a_cluster_changes_nothing() -> None:
    distributed = pytest.importorskip("distributed")
    search = NTBEA(SPACE, seed=1, width=3)
    with distributed.LocalCluster(
        n_workers=2, threads_per_worker=1, dashboard_address=None, host="127.0.0.1"
    ) as cluster:
        found = search.run(OEP, 4, cluster=cluster.scheduler_address)
    assert found.to_json() == search.run(OEP, 4).to_json()


def test_a_combination_that_the_planner_refuses_is_worth_nothing() -> None:
    assert OEP({"planner.population": 1, "planner.mutation_rate": 0.5}, 1) == 0.0
    assert NTBEA(Space({"planner.population": [4, 10]})).run(OEP, 2).evaluations == 2


@pytest.mark.parametrize(
    ("values", "sentence"),
    [
        ({"planner.populaton": [4, 10]}, "unknown parameter 'planner.populaton'; did you mean 'planner.population'?"),
        ({"population": [4, 10]}, "unknown parameter 'population'; did you mean 'planner.population'?"),
        ({"weight.mobilty": [4, 10]}, "unknown weight of 'amazons': 'mobilty'; did you mean 'mobility'?"),
        ({"weight.mobility": [1, "x"]}, "weight.mobility has the value 'x'; expected a number."),
        ({"planner.population": [4, 1]}, "population of 'oep' is 1; expected 2 to 100000."),
        ({"planner.population": [4, "x"]}, "parameter 'population' of 'oep' is 'x'; expected int."),
        ({"planner.population": [4, 5.5]}, "parameter 'population' of 'oep' is '5.5'; expected int."),
        (
            {"planner.mutation_rate": ["0.1", "0.2"]},
            "planner.mutation_rate has the value '0.1', which 'oep' reads as 0.1.",
        ),
    ],
)
def test_what_no_game_can_be_played_with_is_refused_before_the_first(values: Any, sentence: str) -> None:
    with pytest.raises(TacticianError) as refused:
        NTBEA(Space(values)).run(OEP, 5)
    assert str(refused.value) == sentence


@pytest.mark.parametrize(
    ("change", "sentence"),
    [
        ({"game": "chess"}, "unknown game 'chess'"),
        ({"planner": "oops"}, "unknown planner 'oops'"),
        ({"opponents": ("oops",)}, "unknown planner 'oops'"),
        ({"opponents": ()}, "no opponent is given; expected at least one."),
        ({"games": 6}, "games is 6; expected a multiple of 4, so that every opponent is met from every side."),
        ({"games": 0}, "games is 0; expected a multiple of 4, so that every opponent is met from every side."),
        ({"budget": "soon"}, "budget is 'soon'; expected e.g. 200ms"),
    ],
)
def test_bad_evaluators_are_refused(change: dict[str, Any], sentence: str) -> None:
    with pytest.raises(TacticianError) as refused:
        MatchEvaluator(**{**OEP.to_json(), **change})
    assert str(refused.value).startswith(sentence)
