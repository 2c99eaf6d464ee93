"""A search is decided by its seed and its width, finds good points, and never recommends what it has not seen."""

from __future__ import annotations

import importlib
import os
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from slow_bandits import SlowBandits
from tuning_functions import SPACE, Deadly, always_deadly, noisy, uneven

import tactician as tt
from tactician.arena.crew import WorkersDiedError
from tactician.errors import InvalidParameterError, UnknownNameError
from tactician.tuning import NTBEA, Space, Tuning
from tactician.tuning.ntbea import neighbours

BENCHMARKS = Path(__file__).parents[2] / "benchmarks"


@pytest.fixture
def functions(monkeypatch: pytest.MonkeyPatch) -> Any:
    monkeypatch.syspath_prepend(BENCHMARKS)
    return importlib.import_module("ntbea_functions")


def visited(tuning: Tuning) -> list[dict[str, Any]]:
    return [best.point for best in tuning.best(10_000)]


@pytest.mark.parametrize("width", [1, 2, 5])
def test_every_choice_is_the_best_neighbour_by_the_slow_twin(width: int) -> None:
    search = NTBEA(SPACE, seed=4, exploration=0.7, epsilon=0.3, neighbours=20, mutation=0.2, width=width)
    tuning, twin = search.begin(), SlowBandits(4)
    values: list[float] = []
    for number in range(60):
        # Point i is chosen knowing the values up to i - width.
        while len(twin.learnt) < number - width + 1:
            value = values[len(twin.learnt)]
            tuning.tell(value)
            twin.learnt.append((twin.chosen[len(twin.learnt)], value))
        before = twin.chosen[-1] if number else None
        row = SPACE.row(tuning.propose())
        if before is not None:
            near = neighbours(search.stream(number), np.array(before), SPACE.sizes, 20, 0.2).tolist()
            bounds = [twin.ucb(tuple(other), 0.7, 0.3) for other in near]
            assert list(row) in near
            assert bounds[near.index(list(row))] == pytest.approx(max(bounds))
        twin.chosen.append(row)
        values.append(noisy(SPACE.point(row), search.evaluation_seed(number)))
    whole = search.run(noisy, 60)
    assert {tuple(SPACE.row(point)) for point in visited(whole)} == set(twin.chosen)


def test_the_loop_of_a_caller_is_the_loop_of_run() -> None:
    search = NTBEA(SPACE, seed=9)
    tuning = search.begin()
    for number in range(150):
        tuning.tell(noisy(tuning.propose(), search.evaluation_seed(number)))
    assert tuning.to_json() == search.run(noisy, 150).to_json()


def test_the_seed_decides_everything() -> None:
    outcomes = [NTBEA(SPACE, seed=seed).run(noisy, 120).to_json() for seed in (1, 1, 2)]
    assert outcomes[0] == outcomes[1]
    assert outcomes[0]["best"] != outcomes[2]["best"]


def test_points_that_wait_for_their_values_differ() -> None:
    tuning = NTBEA(SPACE, seed=3, width=12).begin()
    rows = [SPACE.row(tuning.propose()) for _ in range(12)]
    assert len(set(rows)) == 12
    with pytest.raises(InvalidParameterError, match="12 points are without a value, as many as the width"):
        tuning.propose()


def test_the_recommendation_is_a_visited_point_with_the_highest_mean() -> None:
    tuning = NTBEA(SPACE, seed=5, width=4, every=10).begin()
    seen = []
    for number in range(80):
        while tuning.may_propose:
            tuning.propose()
        seen.append(tuning.pending[0])
        tuning.tell(noisy(SPACE.point(tuning.pending[0]), number))
        best = tuning.recommendation
        assert SPACE.row(best.point) in seen
        assert best.value == max(other.value for other in tuning.best(1000))
    assert [entry.evaluations for entry in tuning.history] == list(range(10, 81, 10))
    assert tuning.history[-1].best == tuning.recommendation
    assert [entry.evaluations for entry in tuning.evolution()] == list(range(10, 81, 10))


def test_history_is_kept_every_100_evaluations() -> None:
    tuning = NTBEA(SPACE).run(noisy, 250)
    assert [entry.evaluations for entry in tuning.history] == [100, 200]
    assert [entry.evaluations for entry in tuning.evolution()] == [100, 200, 250]
    assert tuning.to_json()["history"][0] == {"evaluations": 100, **tuning.history[0].best.to_json()}


def test_processes_give_the_same_as_one_after_the_other() -> None:
    search = NTBEA(SPACE, seed=6, width=2)
    alone = search.run(noisy, 30).to_json()
    assert search.run(uneven, 30, jobs=2).to_json() == alone
    assert NTBEA(SPACE, seed=6).run(noisy, 30).to_json()["best"] != alone["best"]


@pytest.mark.skipif(os.name != "posix", reason="needs POSIX signals")
def test_a_worker_that_dies_costs_nothing_but_time(tmp_path: Path) -> None:
    search = NTBEA(SPACE, seed=6, width=3)
    assert search.run(Deadly(tmp_path / "died"), 12, jobs=2).to_json() == search.run(noisy, 12).to_json()
    assert (tmp_path / "died").exists()


@pytest.mark.skipif(os.name != "posix", reason="needs POSIX signals")
def test_a_point_that_kills_every_worker_is_named() -> None:
    with pytest.raises(
        WorkersDiedError, match=r"the worker process crashes in an evaluation of \{'a': .*\}, even when nothing else"
    ):
        NTBEA(SPACE, seed=6).run(always_deadly, 3, jobs=2)


def test_progress_is_reported_before_every_evaluation_and_at_the_end() -> None:
    counts: list[int] = []
    NTBEA(SPACE).run(noisy, 5, on_progress=lambda tuning: counts.append(tuning.evaluations))
    assert counts == [0, 1, 2, 3, 4, 5]


@pytest.mark.parametrize("name", ["weighted sum", "hidden target", "interaction"])
def test_it_recommends_better_points_than_random_search(
    functions: Any, name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(functions, "CHECKPOINTS", (100, 300))
    function = functions.FUNCTIONS[name]
    ours = [function(functions.ntbea_low(function, seed)[-1]) for seed in range(5)]
    theirs = [function(functions.random_search(function, seed)[-1]) for seed in range(40)]
    assert np.mean(ours) > np.mean(theirs) + 0.02


def test_every_method_of_the_comparison_recommends_at_every_checkpoint(
    functions: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(functions, "CHECKPOINTS", (10, 20, 40))
    pytest.importorskip("optuna")
    measured = {method: [functions.measure((method, "interaction", 1))] for method in functions.METHODS}
    assert all(len(values) == 3 for runs in measured.values() for values in runs)
    assert len(functions.table("interaction", measured)) == len(functions.METHODS) + 5


def test_without_noise_it_finds_the_optimum() -> None:
    def exact(point: dict[str, Any], _seed: int) -> float:
        return float(point["a"] + point["d"] + (point["c"] == "insert") + (point["b"] == 2.0)) / 9

    best = NTBEA(SPACE, seed=1, exploration=0.2).run(exact, 200).recommendation
    assert best.point == {"a": 3, "b": 2.0, "c": "insert", "d": 4}


def test_one_and_two_parameters_work() -> None:
    one = NTBEA(Space({"x": range(5)}), seed=1).run(lambda point, _: point["x"] / 4, 40)
    assert one.recommendation.point == {"x": 4}
    assert one.recommendation.value == 1.0
    two = NTBEA({"x": range(5), "y": [0, 1]}, seed=1).run(lambda point, _: (point["x"] + point["y"]) / 5, 60)  # type: ignore[arg-type]
    assert two.recommendation.point == {"x": 4, "y": 1}


@pytest.mark.parametrize("value", [1.5, -0.1, float("nan"), None, "0.5", True])
def test_values_outside_0_to_1_are_refused(value: Any) -> None:
    with pytest.raises(InvalidParameterError, match=r"an evaluation gave .*; expected a number from 0 to 1\."):
        NTBEA(SPACE).run(lambda _point, _seed: value, 3)


@pytest.mark.parametrize(
    ("parameter", "value"),
    [
        ("exploration", -1.0),
        ("exploration", float("nan")),
        ("epsilon", 0.0),
        ("mutation", 1.5),
        ("neighbours", 0),
        ("width", 0),
        ("every", 0),
        ("seed", -1),
    ],
)
def test_parameters_out_of_range_are_refused(parameter: str, value: Any) -> None:
    with pytest.raises(InvalidParameterError, match=f"{parameter} is {value}; expected"):
        NTBEA(SPACE, **{parameter: value})


def test_there_is_nothing_to_recommend_or_to_tell_at_first() -> None:
    tuning = NTBEA(SPACE).begin()
    with pytest.raises(InvalidParameterError, match="nothing to recommend"):
        _ = tuning.recommendation
    with pytest.raises(InvalidParameterError, match="propose one first"):
        tuning.tell(0.5)
    with pytest.raises(InvalidParameterError, match="evaluations is 0; expected at least 1"):
        NTBEA(SPACE).run(noisy, 0)


# -- spaces ----------------------------------------------------------------------------------------------------


def test_a_space_reads_its_points_back() -> None:
    assert SPACE.size == 4 * 3 * 2 * 5
    assert SPACE.point((3, 1, 0, 2)) == {"a": 3, "b": -1.0, "c": "swap", "d": 2}
    assert SPACE.row({"d": 2, "c": "swap", "b": -1, "a": 3}) == (3, 1, 0, 2)
    assert Space(SPACE.to_json()) == SPACE
    assert Space({"a": np.arange(3)}).values == {"a": (0, 1, 2)}
    with pytest.raises(InvalidParameterError, match="not a point of the space"):
        SPACE.row({"a": 7, "b": -1, "c": "swap", "d": 2})
    with pytest.raises(UnknownNameError, match="unknown parameter 'e'"):
        SPACE.row({"e": 7})


@pytest.mark.parametrize(
    ("values", "sentence"),
    [
        ({}, "expected at least one parameter with its values"),
        ({"a": []}, "parameter 'a' has no values; expected at least one"),
        ({"a": [1, 2, 1]}, "parameter 'a' has the value 1 twice"),
        ({"a": [1, 1.0]}, "parameter 'a' has the value 1.0 twice"),
        ({"a": "xyz"}, "parameter 'a' is 'xyz'; expected a list of values"),
        ({"a": 3}, "parameter 'a' is 3; expected a list of values"),
        ({"a": [[1], [2]]}, r"parameter 'a' has the value \[1\]; expected a number or text"),
        ({"a": [float("nan"), 1]}, "parameter 'a' has the value nan; expected a number or text"),
        ({"a": ["", "x"]}, "parameter 'a' has an empty value"),
        ({"": [1, 2]}, "a parameter is called ''; expected a name"),
        ({"a": [1], "b": [2]}, "there is nothing to tune"),
    ],
)
def test_bad_spaces_are_refused(values: Any, sentence: str) -> None:
    with pytest.raises(InvalidParameterError, match=sentence):
        Space(values)


def test_parameters_are_read_from_text() -> None:
    assert tt.tuning.parse_parameter("w=0, -1,2.5,1e3,true,None,swap") == (
        "w",
        [0, -1, 2.5, 1000.0, True, None, "swap"],
    )
    for text in ("w", "=1", "w="):
        with pytest.raises(InvalidParameterError, match="expected name=value,value"):
            tt.tuning.parse_parameter(text)
