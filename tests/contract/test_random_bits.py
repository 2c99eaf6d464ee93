"""The random stream and the bit sets: the same numbers compiled, interpreted and in plain Python."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numba import njit

from tactician.contract import bits, random
from tactician.contract.plain import Chance
from tactician.contract.random import stream
from tactician.native.variants import interpreted

SEEDS = st.one_of(st.integers(0, 2**70), st.lists(st.integers(0, 2**64), min_size=1, max_size=4))


@njit
def draw(rng: Any, n: Any, words: Any, numbers: Any, units: Any) -> None:
    """Some draws of each kind, mixed."""
    for i in range(words.shape[0]):
        words[i] = random.next_word(rng)
        numbers[i] = random.below(rng, n)
        units[i] = random.unit(rng)


def drawn(function: Any, seed: Any, n: int, count: int = 20) -> list[Any]:
    rng, words, numbers, units = stream(seed), np.zeros(count, np.uint64), np.zeros(count, np.int64), np.zeros(count)
    function(rng, n, words, numbers, units)
    return [words.tolist(), numbers.tolist(), units.tolist(), rng.tolist()]


@settings(max_examples=50, deadline=None)
@given(seed=SEEDS, n=st.integers(1, 2**32))
def test_interpreted_equals_compiled_draw_for_draw(seed: Any, n: int) -> None:
    assert drawn(draw, seed, n) == drawn(interpreted(draw), seed, n)


@given(seed=SEEDS)
def test_equal_seeds_give_equal_streams(seed: Any) -> None:
    assert stream(seed).tolist() == stream(seed).tolist()
    assert stream(seed).any()


def test_different_seeds_give_different_streams() -> None:
    seeds = [*range(500), *([i, j] for i in range(1, 10) for j in range(1, 10))]
    assert len({stream(seed).tobytes() for seed in seeds}) == len(seeds)


def test_the_generator_is_xoshiro256_plus_plus() -> None:
    """The first outputs of the reference implementation from the state 1, 2, 3, 4."""
    rng = np.array([1, 2, 3, 4], np.uint64)
    expected = [41943041, 58720359, 3588806011781223, 3591011842654386, 9228616714210784205]
    assert [int(random.next_word(rng)) for _ in expected] == expected


@settings(max_examples=50, deadline=None)
@given(seed=st.integers(0, 2**32), n=st.integers(1, 2**32))
def test_below_is_in_range_and_unit_in_the_half_open_interval(seed: int, n: int) -> None:
    _words, numbers, units, _rng = drawn(draw, seed, n, 100)
    assert all(0 <= number < n for number in numbers)
    assert all(0 <= number < 1 for number in units)


@pytest.mark.parametrize("n", [2, 3, 6, 10, 45])
def test_below_is_uniform(n: int) -> None:
    """Chi-square with a fixed seed: below what one sample in ten thousand exceeds."""
    from scipy.stats import chisquare

    _words, numbers, units, _rng = drawn(draw, 123, n, 20_000)
    assert chisquare(np.bincount(numbers, minlength=n)).pvalue > 1e-4
    assert chisquare(np.histogram(units, 20, (0, 1))[0]).pvalue > 1e-4


def test_plain_games_draw_from_the_same_stream() -> None:
    rng, other = stream(5), stream(5)
    chance = Chance(rng)
    for n in range(1, 50):
        assert chance.below(n) == random.below(other, n)
        assert chance.unit() == random.unit(other)
    assert rng.tolist() == other.tolist()


# -- bit sets --------------------------------------------------------------------------------------------------


@njit
def facts(word: Any, index: Any) -> Any:
    return (
        bits.count(word),
        bits.has(word, index),
        bits.complement(word),
        word | bits.single(index),
        bits.without_lowest(word),
    )


@njit
def members(word: Any, out: Any) -> Any:
    n = 0
    while word:
        out[n] = bits.lowest(word)
        word = bits.without_lowest(word)
        n += 1
    return n


def as_word(numbers: set[int]) -> int:
    return sum(1 << number for number in numbers)


@settings(max_examples=100, deadline=None)
@given(numbers=st.sets(st.integers(0, 63)), index=st.integers(0, 63))
def test_bit_sets_are_sets_of_numbers(numbers: set[int], index: int) -> None:
    word = as_word(numbers)
    expected = (
        len(numbers),
        int(index in numbers),
        as_word({*range(64)} - numbers),
        as_word(numbers | {index}),
        as_word(numbers - {min(numbers, default=0)}),
    )
    assert facts(np.uint64(word), index) == expected
    assert interpreted(facts)(word, index) == expected


@settings(max_examples=100, deadline=None)
@given(numbers=st.sets(st.integers(0, 63)))
def test_members_come_in_ascending_order(numbers: set[int]) -> None:
    for function, word in ((members, np.uint64(as_word(numbers))), (interpreted(members), as_word(numbers))):
        out = np.zeros(64, np.int64)
        assert out[: function(word, out)].tolist() == sorted(numbers)


@njit
def ranked(word: Any, out: Any) -> Any:
    for n in range(bits.count(word)):
        out[n] = bits.nth(word, n)
    return bits.highest(word)


@settings(max_examples=100, deadline=None)
@given(numbers=st.sets(st.integers(0, 63), min_size=1))
def test_members_are_found_by_their_rank(numbers: set[int]) -> None:
    for function, word in ((ranked, np.uint64(as_word(numbers))), (interpreted(ranked), as_word(numbers))):
        out = np.zeros(64, np.int64)
        assert function(word, out) == max(numbers)
        assert out[: len(numbers)].tolist() == sorted(numbers)
