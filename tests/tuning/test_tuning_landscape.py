"""The bandits know what a plain list of evaluations knows."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from slow_bandits import SlowBandits

from tactician.tuning import Landscape, Space
from tactician.tuning.ntbea import neighbours


def space_of(sizes: list[int]) -> Space:
    return Space({f"p{number}": range(size) for number, size in enumerate(sizes)})


SIZES = st.lists(st.integers(1, 4), min_size=1, max_size=5).filter(lambda sizes: math.prod(sizes) > 1)


@settings(max_examples=30, deadline=None)
@given(SIZES, st.integers(0, 2**32 - 1), st.integers(1, 4))
def test_bounds_and_means_are_those_of_the_slow_twin_at_every_step(sizes: list[int], seed: int, width: int) -> None:
    rng = np.random.default_rng(seed)
    landscape, twin = Landscape(space_of(sizes)), SlowBandits(len(sizes))
    assert sorted(landscape.tuples) == sorted(twin.groups)
    pending = []
    for _ in range(15):
        row = tuple(rng.integers(sizes).tolist())
        landscape.choose(row)
        twin.chosen.append(row)
        pending.append(row)
        if len(pending) == width:
            value = float(rng.integers(13)) / 12
            landscape.learn(pending[0], value)
            twin.learnt.append((pending.pop(0), value))
        points = rng.integers(sizes, size=(6, len(sizes)))
        expected = [twin.ucb(tuple(point), 1.3, 0.4) for point in points.tolist()]
        assert landscape.ucb(points, 1.3, 0.4) == pytest.approx(expected)
        assert {tuple(best.point.values()) for best in landscape.best(100)} == set(twin.visited())
        for best in landscape.best(3):
            own = [value for other, value in twin.learnt if other == tuple(best.point.values())]
            assert best.value == pytest.approx(twin.value(tuple(best.point.values())))
            assert best.mean == pytest.approx(sum(own) / len(own))
            assert best.visits == len(own)


@settings(max_examples=30, deadline=None)
@given(SIZES, st.integers(0, 2**32 - 1))
def test_tables_of_singles_and_pairs_are_those_of_the_slow_twin(sizes: list[int], seed: int) -> None:
    rng = np.random.default_rng(seed)
    landscape, twin = Landscape(space_of(sizes)), SlowBandits(len(sizes))
    for _ in range(30):
        row = tuple(rng.integers(sizes).tolist())
        value = float(rng.random())
        landscape.choose(row)
        landscape.learn(row, value)
        twin.learnt.append((row, value))
    for group in (group for group in twin.groups if len(group) <= 2):
        counts, means, deviations = landscape.table(group)
        for cell in np.ndindex(counts.shape):
            row = tuple(dict(zip(group, cell, strict=True)).get(i, 0) for i in range(len(sizes)))
            found = twin.values(group, row)
            assert counts[cell] == len(found)
            assert means[cell] == pytest.approx(np.mean(found) if found else math.nan, nan_ok=True)
            assert deviations[cell] == pytest.approx(np.std(found, ddof=1) if len(found) > 1 else math.nan, nan_ok=True)


def test_the_bound_is_the_formula() -> None:
    landscape = Landscape(Space({"x": [0, 1], "y": [0, 1], "z": [0, 1]}))
    for row, value in [((0, 0, 0), 0.25), ((0, 1, 0), 0.75), ((1, 0, 1), 0.5)]:
        landscape.choose(row)
        landscape.learn(row, value)

    def arm(mean: float, pulled: int) -> float:
        return mean + 2 * math.sqrt(math.log(3) / (pulled + 0.5))

    # x=0 twice, y=0 twice, z=1 once; x=0,y=0 once, x=0,z=1 never, y=0,z=1 once; the whole point never.
    never = arm(0.5, 0)
    arms = [arm(0.5, 2), arm(0.375, 2), arm(0.5, 1), arm(0.25, 1), never, arm(0.5, 1), never]
    assert landscape.ucb(np.array([[0, 0, 1]]), 2.0, 0.5)[0] == pytest.approx(sum(arms) / 7)


def test_there_is_room_for_any_number_of_points() -> None:
    space = space_of([10, 10, 10])
    landscape, twin = Landscape(space), SlowBandits(3)
    for number in range(700):
        row = (number // 100, number // 10 % 10, number % 10)
        landscape.choose(row)
        landscape.learn(row, number / 700)
        twin.chosen.append(row)
        twin.learnt.append((row, number / 700))
    assert len(landscape.best(1000)) == 700
    rows = [(0, 0, 0), (6, 9, 9), (3, 1, 4), (9, 9, 9)]
    assert landscape.ucb(np.array(rows), 1.0, 0.5) == pytest.approx([twin.ucb(row, 1.0, 0.5) for row in rows])


@settings(max_examples=100, deadline=None)
@given(SIZES, st.data())
def test_neighbours_differ_in_at_least_one_value_and_stay_in_the_space(sizes: list[int], data: st.DataObject) -> None:
    row = np.array([data.draw(st.integers(0, size - 1)) for size in sizes])
    rng = np.random.default_rng(data.draw(st.integers(0, 2**32 - 1)))
    count, mutation = data.draw(st.integers(1, 50)), data.draw(st.floats(0, 1))
    found = neighbours(rng, row, np.array(sizes), count, mutation)
    assert found.shape == (count, len(sizes))
    assert (found >= 0).all()
    assert (found < sizes).all()
    assert (found != row).any(axis=1).all()


def test_a_value_changes_with_the_given_probability_and_to_any_other_alike() -> None:
    sizes = np.array([4, 4, 4, 4, 4])
    row = np.array([0, 1, 2, 3, 0])
    found = neighbours(np.random.default_rng(1), row, sizes, 40_000, 0.1)
    changed = found != row
    # One that would not change at all changes in one place: 0.1 + 0.9 ** 5 / 5.
    assert changed.mean() == pytest.approx(0.1 + 0.9**5 / 5, abs=0.005)
    others = np.bincount(found[changed[:, 0], 0], minlength=4)
    assert others[0] == 0
    assert others[1:] / others.sum() == pytest.approx([1 / 3] * 3, abs=0.02)
    assert (neighbours(np.random.default_rng(1), row, sizes, 100, 0.0) != row).sum(axis=1).tolist() == [1] * 100
