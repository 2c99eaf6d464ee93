"""Ratings against values worked out by hand, an independent fit, and simulated tournaments."""

from __future__ import annotations

from itertools import combinations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.optimize import minimize
from scipy.stats import norm

from tactician.arena.ratings import ELO, Ratings, rate_agents
from tactician.arena.statistics import PairedScore, Score, ScoreLike, elo_of_rate, rate_of_elo
from tactician.errors import InvalidParameterError, UnknownNameError


def test_two_agents_differ_by_the_odds_of_their_points() -> None:
    ratings = rate_agents(["a", "b"], {(0, 1): Score(70, 10, 20)}, prior_games=1)
    assert ratings.elo[0] - ratings.elo[1] == pytest.approx(elo_of_rate(75.5 / 101))
    assert sum(ratings.elo) == pytest.approx(0)


def test_two_agents_uncertainty_is_the_textbook_one() -> None:
    ratings = rate_agents(["a", "b"], {(0, 1): Score(75, 0, 25)}, anchor="b")
    rate = 75.5 / 101
    reach = norm.ppf(0.975) * ELO / (101 * rate * (1 - rate)) ** 0.5
    assert ratings.elo[1] == 0
    assert ratings.interval(0) == pytest.approx((ratings.elo[0] - reach, ratings.elo[0] + reach))
    assert ratings.interval(1) == pytest.approx((0, 0), abs=1e-6)


TABLE: dict[tuple[int, int], ScoreLike] = {
    (0, 1): Score(60, 5, 35),
    (0, 2): Score(80, 0, 20),
    (3, 0): Score(10, 10, 30),
    (1, 2): Score(55, 10, 35),
    (2, 3): Score(48, 4, 48),
}


def test_ratings_are_the_most_likely_ones() -> None:
    """An independent maximisation of the same likelihood, prior included."""
    agents, prior = 4, 1.0

    def unlikeliness(strength: np.ndarray) -> float:
        total = 0.0
        for (row, column), score in TABLE.items():
            chance = 1 / (1 + np.exp(strength[column] - strength[row]))
            total -= score.games * (score.rate * np.log(chance) + (1 - score.rate) * np.log(1 - chance))
        for row, column in combinations(range(agents), 2):
            chance = 1 / (1 + np.exp(strength[column] - strength[row]))
            total -= prior / (agents - 1) / 2 * (np.log(chance) + np.log(1 - chance))
        return float(total)

    best = minimize(unlikeliness, np.zeros(agents), tol=1e-10).x
    ratings = rate_agents(list("abcd"), TABLE, prior_games=prior)
    assert ratings.elo == pytest.approx(tuple(ELO * (best - best.mean())), abs=0.05)


def test_sides_and_the_order_of_agents_do_not_matter() -> None:
    straight = rate_agents(list("abcd"), TABLE)
    swapped = rate_agents(
        list("abcd"),
        {(column, row): score.reversed() for (row, column), score in TABLE.items() if isinstance(score, Score)},
    )
    assert swapped.elo == pytest.approx(straight.elo, abs=1e-4)
    assert swapped.covariance == pytest.approx(straight.covariance, rel=1e-5)
    other = [2, 0, 3, 1]
    moved = rate_agents(
        [list("abcd")[old] for old in other],
        {(other.index(row), other.index(column)): score for (row, column), score in TABLE.items()},
    )
    assert [moved.names[i] for i in moved.ranking()] == [straight.names[i] for i in straight.ranking()]
    assert [moved.elo[other.index(i)] for i in range(4)] == pytest.approx(straight.elo, abs=1e-4)


def test_one_who_lost_everything_has_a_finite_and_uncertain_rating() -> None:
    scores = {(0, 2): Score(100, 0, 0), (1, 2): Score(100, 0, 0), (0, 1): Score(50, 0, 50)}
    ratings = rate_agents(["a", "b", "hopeless"], scores)
    assert ratings.ranking()[-1] == 2
    assert -2000 < ratings.elo[2] < -300
    width = [high - low for low, high in (ratings.interval(agent) for agent in range(3))]
    assert width[2] > width[0] > 0


def test_long_chains_of_certain_wins_converge() -> None:
    ratings = rate_agents(list("abcdefg"), {(i, i + 1): Score(1000, 0, 0) for i in range(6)})
    assert list(ratings.elo) == sorted(ratings.elo, reverse=True)
    # The same from either end.
    assert ratings.elo == pytest.approx([-elo for elo in ratings.elo[::-1]], abs=0.01)


def test_agents_who_never_met_are_tied_by_the_prior_alone() -> None:
    apart = {(0, 1): Score(50, 0, 50), (2, 3): Score(50, 0, 50)}
    ratings = rate_agents(list("abcd"), apart)
    assert ratings.elo == pytest.approx((0, 0, 0, 0), abs=1e-6)
    low, high = rate_agents(list("abcd"), apart, anchor="a").interval(2)
    near_low, near_high = rate_agents(list("abcd"), apart, anchor="a").interval(1)
    assert high - low > 4 * (near_high - near_low)
    assert ratings.superiority()[0, 2] == pytest.approx(0.5)


def test_pairs_that_hang_together_make_ratings_less_certain() -> None:
    together, apart = PairedScore((20, 0, 0, 0, 30)), PairedScore((0, 0, 40, 0, 10))
    assert together.rate == apart.rate == 0.6
    loose, tight = (rate_agents(["a", "b"], {(0, 1): score}) for score in (together, apart))
    assert loose.elo == pytest.approx(tight.elo)
    assert loose.covariance[0, 0] > 3 * tight.covariance[0, 0]


def test_superiority_is_a_probability_of_the_difference() -> None:
    ratings = rate_agents(["a", "b"], {(0, 1): Score(60, 0, 40)}, anchor="a")
    difference, spread = -ratings.elo[1], ratings.covariance[1, 1] ** 0.5
    matrix = ratings.superiority()
    assert matrix[0, 1] == pytest.approx(norm.cdf(difference / spread))
    assert matrix + matrix.T == pytest.approx(np.ones((2, 2)))
    assert matrix[0, 1] > 0.975  # as 60 of 100 is significant without a correction for continuity


@settings(max_examples=40, deadline=None)
@given(st.integers(0, 99), st.integers(0, 100), st.integers(0, 100))
def test_a_further_win_raises_the_winner(wins: int, second: int, third: int) -> None:
    def fitted(won: int) -> Ratings:
        pairs = {(0, 1): won, (0, 2): second, (1, 2): third}
        return rate_agents(["a", "b", "c"], {pair: Score(n, 0, 100 - n) for pair, n in pairs.items()})

    assert fitted(wins + 1).elo[0] > fitted(wins).elo[0]
    assert fitted(wins + 1).elo[1] < fitted(wins).elo[1]


def test_intervals_cover_also_where_pairs_hang_together() -> None:
    rng = np.random.default_rng(0)
    true = np.array([60.0, 20, 120, -200])
    inside = []
    for _ in range(500):
        scores: dict[tuple[int, int], ScoreLike] = {}
        for row, column in combinations(range(4), 2):
            rate = rate_of_elo(true[row] - true[column])
            one, other, free = rng.random((3, 40))
            points = (one < rate) * 1 + np.where(free < 0.6, one < rate, other < rate)
            lost, split, won = np.bincount(points, minlength=3).tolist()
            scores[row, column] = PairedScore((lost, 0, split, 0, won))
        ratings = rate_agents(list("abcd"), scores)
        inside += [
            low <= rating <= high for rating, (low, high) in zip(true, map(ratings.interval, range(4)), strict=True)
        ]
    assert 0.93 <= np.mean(inside) <= 0.98


def test_what_cannot_be_rated_is_refused() -> None:
    with pytest.raises(InvalidParameterError, match="at least 2"):
        rate_agents(["a"], {})
    with pytest.raises(InvalidParameterError, match=r"match \(0, 5\)"):
        rate_agents(["a", "b"], {(0, 5): Score(1, 0, 0)})
    with pytest.raises(InvalidParameterError, match="from both sides"):
        rate_agents(["a", "b"], {(0, 1): Score(1, 0, 0), (1, 0): Score(0, 0, 1)})
    with pytest.raises(InvalidParameterError, match="prior_games is 0"):
        rate_agents(["a", "b"], {}, prior_games=0)
    with pytest.raises(UnknownNameError, match="'x'"):
        rate_agents(["a", "b"], {}, anchor="x")


def test_matches_without_games_leave_everybody_level() -> None:
    ratings = rate_agents(["a", "b"], {(0, 1): Score()})
    assert ratings.elo == pytest.approx((0, 0))
    assert ratings.interval(0)[1] > 100
