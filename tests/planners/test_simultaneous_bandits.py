"""Bandits: what they select, learn and choose, and how a user adds one."""

from __future__ import annotations

import ctypes
from collections import Counter
from dataclasses import replace
from itertools import pairwise
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import integrate, stats
from simultaneous_games import prisoners, ring
from simultaneous_model import SLOW_BANDITS, Arms, crossed, single

from tactician.contract.plain import Chance
from tactician.contract.random import below, stream, unit
from tactician.errors import InvalidParameterError, UnknownNameError
from tactician.planners import FDTS, MCS, parse_planner
from tactician.planners.bandits import BANDITS, Bandit, bandit_named
from tactician.planners.bandits.thompson import beta

_WORD = ctypes.c_int64
_SELECT = ctypes.CFUNCTYPE(_WORD, _WORD, _WORD, _WORD, _WORD)
_UPDATE = ctypes.CFUNCTYPE(None, _WORD, _WORD, _WORD, _WORD, _WORD)
_CHOOSE = ctypes.CFUNCTYPE(_WORD, _WORD, _WORD, _WORD)
UNLIKELY = 1e-4
NAMES = list(SLOW_BANDITS)


class Compiled:
    """A bandit as searches call it: through addresses."""

    def __init__(self, name: str, seed: int = 0) -> None:
        addresses = BANDITS[name].addresses
        self._select, self._update, self._choose = (
            kind(place) for kind, place in zip((_SELECT, _UPDATE, _CHOOSE), addresses, strict=True)
        )
        self.rng = stream(seed)

    def select(self, arms: Arms, c: float = 1.0) -> int:
        table = np.array(arms, np.float32)
        return self._select(table.ctypes.data, len(arms), round(c * 1e6), self.rng.ctypes.data)

    def update(self, arms: Arms, arm: int, value: float, c: float = 1.0) -> Arms:
        table, worth = np.array(arms, np.float32), np.array([value])
        self._update(table.ctypes.data, len(arms), arm, round(c * 1e6), worth.ctypes.data)
        return table.tolist()

    def choose(self, arms: Arms) -> int:
        table = np.array(arms, np.float32)
        return self._choose(table.ctypes.data, len(arms), self.rng.ctypes.data)

    def frequencies(self, arms: Arms, draws: int, c: float = 1.0) -> list[int]:
        chosen = Counter(self.select(arms, c) for _ in range(draws))
        return [chosen[arm] for arm in range(len(arms))]


def fits(observed: list[int], probabilities: list[float]) -> bool:
    """Whether counts may well have come from these probabilities."""
    expected = np.array(probabilities) * sum(observed)
    possible = expected > 0
    assert not np.array(observed)[~possible].any(), "chosen although it can't be"
    if possible.sum() < 2:
        return True
    return bool(stats.chisquare(np.array(observed)[possible], expected[possible]).pvalue > UNLIKELY)


SUMS = st.lists(
    st.integers(0, 6).flatmap(lambda n: st.tuples(st.floats(-n, n, width=32), st.just(float(n)))).map(list),
    min_size=2,
    max_size=6,
)
WINS = st.lists(
    st.tuples(st.sampled_from([0.0, 0.5, 1.0, 2.25, 7.0]), st.sampled_from([0.0, 0.5, 1.0, 3.75, 20.0])).map(list),
    min_size=2,
    max_size=6,
)


REGRETS = st.lists(
    st.integers(0, 6)
    .flatmap(lambda n: st.tuples(st.floats(-n, n, width=32), st.just(float(n)), st.floats(-30, 30, width=32)))
    .map(list),
    min_size=2,
    max_size=6,
)


def arms_of(name: str) -> Any:
    if name.startswith("regret"):
        return REGRETS
    return WINS if name == "thompson" else SUMS


@pytest.mark.parametrize("name", NAMES)
@settings(max_examples=150, deadline=None)
@given(data=st.data(), c=st.sampled_from([0.0, 0.5, 2.0]), seed=st.integers(0, 50))
def test_select_and_choose_are_the_models_draw_by_draw(name: str, data: Any, c: float, seed: int) -> None:
    arms = data.draw(arms_of(name))
    compiled, words = Compiled(name, seed), stream(seed)
    chance, model = Chance(words), SLOW_BANDITS[name]
    for _ in range(5):
        assert compiled.select(arms, c) == model.select(arms, crossed(c), chance)
        assert compiled.choose(arms) == model.choose(arms, chance)
        assert compiled.rng.tolist() == words.tolist(), "another number of draws"


@pytest.mark.parametrize("name", NAMES)
@settings(max_examples=50, deadline=None)
@given(data=st.data(), value=st.floats(-1, 1), c=st.sampled_from([0.0, 0.1, 2.0]))
def test_update_changes_one_arm_as_the_model_does(name: str, data: Any, value: float, c: float) -> None:
    arms = data.draw(arms_of(name))
    arm = data.draw(st.integers(0, len(arms) - 1))
    expected = [list(one) for one in arms]
    SLOW_BANDITS[name].update(expected, arm, crossed(c), value)
    assert Compiled(name).update(arms, arm, value, c) == expected


# -- UCB1 ------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", ["ucb1", "ucb1-value"])
@pytest.mark.parametrize(
    ("arms", "c", "probabilities"),
    [
        ([[3, 4], [0, 0], [-4, 4], [0, 0]], 2.0, [0, 0.5, 0, 0.5]),  # untried first, all alike
        ([[2, 4], [2, 4], [1, 4]], 0.7, [0.5, 0.5, 0]),  # ties
        ([[1, 2], [1, 2], [1, 2], [1, 2]], 2.0, [0.25] * 4),
        ([[9, 10], [0, 2]], 0.0, [1, 0]),  # no exploration: the best mean
        ([[90, 100], [0.5, 1]], 2.0, [0, 1]),  # 0.9 + 2·sqrt(ln 101 / 100) = 1.33 < 0.5 + 2·sqrt(ln 101) = 4.80
        ([[1, 1], [-1, 1]], 2.0, [1, 0]),
    ],
)
def test_ucb1_takes_the_untried_then_the_highest_bound_and_breaks_ties_evenly(
    name: str, arms: Arms, c: float, probabilities: list[float]
) -> None:
    assert fits(Compiled(name, 3).frequencies(arms, 2000, c), probabilities)


@pytest.mark.parametrize(
    ("name", "arms", "probabilities"),
    [
        ("ucb1", [[5, 6], [-6, 7], [7, 7]], [0, 0.5, 0.5]),  # most visits, whatever they were worth
        ("ucb1-value", [[5, 6], [-6, 7], [7, 7]], [0, 0, 1]),
        ("ucb1-value", [[0, 0], [-1, 1], [-2, 2]], [0, 0.5, 0.5]),  # never tried is worse than always lost
        ("ucb1-value", [[0, 0], [0, 0]], [0.5, 0.5]),
        ("random", [[1, 2], [2, 4], [4, 9]], [0.5, 0.5, 0]),
        ("thompson", [[3, 1], [8, 3], [0, 0]], [0, 1, 0]),  # 4/6, 9/13, 1/2
        ("thompson", [[1, 1], [0, 0], [5, 5], [0, 1]], [1 / 3, 1 / 3, 1 / 3, 0]),
    ],
)
def test_the_choice_in_the_end_is_deterministic_but_for_ties(name: str, arms: Arms, probabilities: list[float]) -> None:
    compiled = Compiled(name, 4)
    chosen = Counter(compiled.choose(arms) for _ in range(1500))
    assert fits([chosen[arm] for arm in range(len(arms))], probabilities)


def test_the_random_bandit_takes_any_arm() -> None:
    assert fits(Compiled("random").frequencies([[5, 5], [-5, 5], [0, 0]], 3000), [1 / 3] * 3)


# -- Thompson sampling -----------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("a", "b"),
    [
        (1.0, 1.0),
        (1.0, 2.0),
        (3.5, 1.0),
        (1.0, 40.0),
        (1.5, 1.5),
        (2.5, 7.0),
        (7.0, 2.5),
        (1.25, 30.75),
        (1.000001, 1.5),
        (300.0, 2.0),
        (5000.5, 4000.5),
        (2.0, 1.0),
        (2.0, 2.0),
        (5.0, 5.0),
        (5.5, 5.5),
        (2.25, 2.25),
    ],
)
def test_draws_are_from_the_beta_distribution(a: float, b: float) -> None:
    rng = stream([int(10 * a), int(10 * b)])
    draws = [beta(a, b, rng) for _ in range(4000)]
    assert min(draws) >= 0
    assert max(draws) <= 1
    assert stats.kstest(draws, stats.beta(a, b).cdf).pvalue > UNLIKELY


def chances(arms: Arms) -> list[float]:
    """With what probability each arm has the highest of independent draws, by numerical integration."""
    worths = [stats.beta(1 + wins, 1 + losses) for wins, losses in arms]

    def density(x: float, arm: int) -> float:
        others = [worth.cdf(x) for i, worth in enumerate(worths) if i != arm]
        return float(worths[arm].pdf(x) * np.prod(others))

    points = np.linspace(0, 1, 9)
    return [
        sum(integrate.quad(density, low, high, args=(arm,))[0] for low, high in pairwise(points))
        for arm in range(len(arms))
    ]


@pytest.mark.parametrize(
    "arms",
    [
        [[1, 0], [0, 1]],
        [[3, 1], [5, 3], [1, 0]],
        [[0.5, 0.5], [2.5, 1.5], [1.25, 4.75]],
        [[0, 0], [1, 3]],  # one untried, drawn by itself
        [[0, 0], [2, 1], [0, 0]],  # two share a draw
        [[0, 0], [0, 0], [4, 1], [0, 0], [1, 1], [0, 0]],
        [[0, 0], [0, 0], [0, 0]],
        [[40, 60], [0, 0], [30, 30]],
    ],
)
def test_an_arm_is_selected_as_often_as_its_draw_is_the_best_of_all(arms: Arms) -> None:
    """Untried arms share one draw, and yet are selected as if each had drawn for itself."""
    probabilities = chances(arms)
    assert sum(probabilities) == pytest.approx(1, abs=1e-6)
    assert fits(Compiled("thompson", 5).frequencies(arms, 8000), probabilities)


# -- regret matching -------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("arms", "c", "probabilities"),
    [
        ([[0, 0, 0], [0, 0, 0]], 0.1, [0.5, 0.5]),
        ([[1, 2, 4], [0, 2, 2], [1, 3, -1]], 0.0, [1, 0, 0]),  # earned 2; regrets 2, 0, -3
        ([[1, 2, 5], [0, 2, 3], [1, 3, -1]], 0.0, [0.75, 0.25, 0]),  # regrets 3, 1, -3
        ([[1, 2, 5], [0, 2, 3], [1, 3, -1]], 0.3, [0.625, 0.275, 0.1]),
        ([[3, 3, 2], [0, 2, 1]], 0.0, [0.5, 0.5]),  # nothing to regret
        ([[1, 2, 5], [0, 2, 3]], 7.0, [0.5, 0.5]),  # an exploration of more than 1 is always exploring
    ],
)
def test_regret_matching_plays_in_proportion_to_positive_regret(
    arms: Arms, c: float, probabilities: list[float]
) -> None:
    assert fits(Compiled("regret-matching", 6).frequencies(arms, 4000, c), probabilities)


def test_a_value_counts_as_often_as_its_arm_is_unlikely() -> None:
    arms: Arms = [[1, 2, 5], [0, 2, 3], [1, 3, -1]]  # played with probability 0.625, 0.275 and 0.1
    compiled = Compiled("regret-matching")
    assert compiled.update(arms, 2, 0.5, 0.3)[2] == pytest.approx([1.5, 4, -1 + 0.5 / 0.1])
    assert compiled.update(arms, 0, -1.0, 0.3)[0] == pytest.approx([0, 3, 5 - 1 / 0.625])
    assert compiled.update(arms, 0, -1.0, 0.3)[1:] == arms[1:]


def test_what_an_arm_would_have_earned_is_right_in_the_mean() -> None:
    """Arms with fixed values: after so many rounds each has been credited with about its value in every round."""
    compiled, worth, rounds = Compiled("regret-matching", 12), (0.2, -0.4, 0.5), 6000
    arms: Arms = [[0.0] * 3] * 3
    for _ in range(rounds):
        arm = compiled.select(arms, 0.3)
        arms = compiled.update(arms, arm, worth[arm], 0.3)
    assert [credit / rounds for _, _, credit in arms] == pytest.approx(worth, abs=0.05)
    assert compiled.choose(arms) == 2


def test_the_mixed_variant_takes_arms_as_often_as_they_were_played() -> None:
    compiled = Compiled("regret-matching-mixed", 4)
    chosen = Counter(compiled.choose([[0, 6, 9], [0, 3, 0], [0, 0, 5], [0, 1, 0]]) for _ in range(3000))
    assert fits([chosen[arm] for arm in range(4)], [0.6, 0.3, 0, 0.1])


def test_the_number_of_numbers_of_an_arm_is_limited() -> None:
    bandit = BANDITS["ucb1"]
    with pytest.raises(InvalidParameterError, match="numbers of bandit 'ucb1' is 9; expected 1 to 8"):
        replace(bandit, numbers=9)


# -- learning --------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", NAMES)
@given(values=st.lists(st.sampled_from([-1.0, -0.5, 0.0, 0.25, 1.0]), max_size=30))
@settings(max_examples=30, deadline=None)
def test_mean_and_visits_tell_what_was_learned(name: str, values: list[float]) -> None:
    bandit = BANDITS[name]
    arms = [[0.0] * bandit.numbers]
    for value in values:
        arms = Compiled(name).update(arms, 0, value)
    assert bandit.visits(*arms[0]) == len(values)
    if name == "thompson":  # a win and a loss are there before anything is known
        assert bandit.mean(*arms[0]) == pytest.approx(sum(values) / (len(values) + 2))
    else:
        assert bandit.mean(*arms[0]) == pytest.approx(sum(values) / max(1, len(values)))
    assert -1 <= bandit.mean(*arms[0]) <= 1


def test_a_draw_is_half_a_win_for_thompson() -> None:
    compiled = Compiled("thompson")
    assert compiled.update([[1, 2]], 0, 0.0) == [[1.5, 2.5]]
    assert compiled.update([[1, 2]], 0, 1.0) == [[2, 2]]
    assert compiled.update([[1, 2]], 0, -1.0) == [[1, 3]]
    assert compiled.update([[1, 2]], 0, 0.5) == [[1.75, 2.25]]


def test_variants_differ_from_thompson_in_what_a_draw_teaches() -> None:
    lost, ignored = Compiled("thompson-draws-lost"), Compiled("thompson-draws-ignored")
    assert [lost.update([[1, 2]], 0, value) for value in (0.0, 1.0, -1.0, 0.5)] == [
        [[1, 3]],
        [[2, 2]],
        [[1, 3]],
        [[1.5, 2.5]],
    ]
    assert [ignored.update([[1, 2]], 0, value) for value in (0.0, 1.0, -1.0)] == [[[1, 2]], [[2, 2]], [[1, 3]]]


def test_ties_go_to_the_first_arm_in_one_variant() -> None:
    arms: Arms = [[0, 1], [2, 2], [5, 5], [0, 0]]
    assert {Compiled("thompson-first", seed).choose(arms) for seed in range(20)} == {1}
    assert len({Compiled("thompson", seed).choose(arms) for seed in range(20)}) == 3


def test_a_wider_prior_explores_more() -> None:
    """With Beta(2, 2) an arm that lost once is worth 2/5 instead of 1/3."""
    arms: Arms = [[3, 0], [0, 1]]
    usual, wide = (Compiled(name, 3).frequencies(arms, 4000)[1] for name in ("thompson", "thompson-wide"))
    assert wide > 1.2 * usual


@pytest.mark.parametrize(
    ("name", "least"),
    [("ucb1", 0.9), ("ucb1-value", 0.9), ("thompson", 0.95), ("thompson-wide", 0.95), ("regret-matching", 0.6)],
)
def test_a_bandit_comes_to_prefer_what_pays(name: str, least: float) -> None:
    """Three arms with fixed odds; UCB1 with a modest c."""
    odds, chance, compiled = (0.3, 0.5, 0.8), Chance(stream(8)), Compiled(name, 9)
    arms: Arms = [[0.0] * BANDITS[name].numbers] * 3
    for _ in range(3000):
        arm = compiled.select(arms, c=0.5)
        arms = compiled.update(arms, arm, 1.0 if chance.unit() < odds[arm] else -1.0, c=0.5)
    assert compiled.choose(arms) == 2
    assert BANDITS[name].visits(*arms[2]) > least * 3000


# -- a user's own ----------------------------------------------------------------------------------------------------


def epsilon_greedy_select(arms: Any, c: Any, rng: Any) -> int:
    if unit(rng) < 0.2:
        return below(rng, arms.shape[0])
    best = 0
    for i in range(arms.shape[0]):
        if arms[i, 0] * max(1.0, arms[best, 1]) > arms[best, 0] * max(1.0, arms[i, 1]):
            best = i
    return best


def count(arm: Any, value: Any) -> None:
    arm[0] += value
    arm[1] += 1.0


def busiest(arms: Any, rng: Any) -> int:
    best = 0
    for i in range(arms.shape[0]):
        if arms[i, 1] > arms[best, 1]:
            best = i
    return best


OWN = Bandit(
    "epsilon-greedy",
    select=epsilon_greedy_select,
    update=count,
    choose=busiest,
    mean=lambda total, visits: total / max(1.0, visits),
    visits=lambda total, visits: visits,
)


def test_a_bandit_of_ones_own_is_given_to_a_planner() -> None:
    planner = FDTS(bandit=OWN, depth=3)
    assert str(planner) == "fdts:bandit=epsilon-greedy,depth=3"
    agent = planner.on(prisoners())
    plans = agent.plan_all(prisoners().initial_state(), "400its")
    assert [plan.actions for plan in plans] == [(1,), (1,)]
    tried = sum(alternative.count for alternative in plans[0].alternatives)
    assert tried == 400


def test_a_registered_bandit_has_a_name(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(BANDITS, OWN.name, OWN)
    planner = parse_planner("mcs:bandit=epsilon-greedy,depth=3")
    assert planner == MCS(bandit="epsilon-greedy", depth=3)
    assert bandit_named("epsilon-greedy") is OWN
    by_object = MCS(bandit=OWN, depth=3).on(ring(2)).plan(ring(2).initial_state(1), "50its", seat=0)
    by_name = planner.on(ring(2)).plan(ring(2).initial_state(1), "50its", seat=0)
    assert (by_object.actions, by_object.alternatives) == (by_name.actions, by_name.alternatives)


def test_an_unknown_bandit_is_refused() -> None:
    with pytest.raises(UnknownNameError, match="'ucb1'"):
        MCS(bandit="ucb")
    with pytest.raises(InvalidParameterError, match="bandit of 'mcs' is 3; expected a bandit or the name of one"):
        MCS(bandit=3)  # type: ignore[arg-type]


def test_numbers_of_arms_are_single_precision() -> None:
    assert Compiled("ucb1").update([[0.1, 1]], 0, 0.2) == [[single(single(0.1) + 0.2), 2]]


def _first(arms: Any, rng: Any) -> int:
    return 0


def test_a_bandit_that_does_not_compile_is_refused_with_a_sentence() -> None:
    def select(arms: Any, c: Any, rng: Any) -> Any:
        return _first(arms, rng)

    bandit = Bandit("broken", select, BANDITS["ucb1"].update, BANDITS["ucb1"].choose, lambda a, b: a, lambda a, b: b)
    with pytest.raises(InvalidParameterError, match=r"'select' of bandit 'broken' .*@contract.helper"):
        _ = bandit.addresses
