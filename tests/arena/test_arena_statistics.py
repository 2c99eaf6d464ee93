"""Statistics against values worked out by hand or by SciPy, and against what simulated matches really do."""

from __future__ import annotations

import math
from itertools import product
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import PermutationMethod, binomtest, norm, ttest_1samp, wilcoxon

from tactician.arena.statistics import (
    PairedScore,
    Reported,
    Score,
    ScoreLike,
    clustered_games,
    difference_interval,
    elo_of_rate,
    holm,
    rate_of_elo,
    score_test,
    sign_test,
    significance_mark,
    size_verdict,
    sprt,
    swap_test,
    wilcoxon_test,
    wilson_interval,
    winner,
    winner_verdict,
)
from tactician.errors import InvalidParameterError

MATCHES = 2000

counts = st.integers(0, 200)
scores = st.builds(Score, counts, counts, counts)
pair_results = st.lists(
    st.one_of(
        st.tuples(st.sampled_from([0, 0.5, 1]), st.sampled_from([0, 0.5, 1])), st.tuples(st.sampled_from([0, 0.5, 1]))
    ),
    max_size=60,
)


# Scores ---------------------------------------------------------------------------------------------------------------


def test_a_draw_is_half_a_win() -> None:
    score = Score(3, 2, 1)
    assert (score.games, score.points) == (6, 4.0)
    assert score.rate == pytest.approx(2 / 3)
    assert score.reversed() == Score(1, 2, 3)
    assert score + Score(1, 1, 1) == Score(4, 3, 2)
    assert score.decisive() == Score(3, 0, 1)


def test_no_games_say_nothing() -> None:
    for nothing in (Score(), PairedScore(), Reported(0.5, 0)):
        assert nothing.rate == 0.5
        assert nothing.interval() == (0.0, 1.0)
        assert nothing.p_value() == 1.0
        assert winner(nothing) == 0


def test_pairs_are_counted_by_points_and_add_up_to_the_games() -> None:
    paired = PairedScore.of([(1, 1), (1, 0.5), (1, 0), (0, 1), (0.5, 0.5), (0, 0.5), (0, 0), (1,), (0.5,), (0,)])
    assert paired.pairs == (1, 1, 3, 1, 1)
    assert paired.drawn_pairs == 1
    assert paired.singles == Score(1, 1, 1)
    assert paired.score == Score(6, 5, 6)
    assert (paired.games, paired.points) == (17, 8.5)


@given(pair_results)
def test_a_paired_score_agrees_with_counting_games(results: list[tuple[float, ...]]) -> None:
    paired = PairedScore.of(results)
    games = [points for result in results for points in result]
    assert paired.score == Score(games.count(1), games.count(0.5), games.count(0))
    assert paired.games == len(games)
    assert paired.decisive().score == paired.score.decisive()
    assert paired.reversed().score == paired.score.reversed()
    assert paired.reversed().reversed() == paired
    assert (paired + paired).score == paired.score + paired.score
    assert paired.reversed().effective_games == pytest.approx(paired.effective_games)


@pytest.mark.parametrize("bad", [[(1, 0, 1)], [()], [(2, 0)], [(0.25,)]])
def test_impossible_pairs_are_refused(bad: Any) -> None:
    with pytest.raises(InvalidParameterError, match="pair"):
        PairedScore.of(bad)


def test_impossible_counts_are_refused() -> None:
    with pytest.raises(InvalidParameterError, match="five counts"):
        PairedScore((1, 2, -1, 0, 0))
    with pytest.raises(InvalidParameterError, match="drawn_pairs is 2; expected 0 to 1"):
        PairedScore((0, 0, 1, 0, 0), drawn_pairs=2)
    with pytest.raises(InvalidParameterError, match="not a percentage"):
        Reported(62, 100)


# Intervals ------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("wins", "games"), [(0, 1), (5, 10), (10, 10), (81, 263), (15, 148), (1, 29)])
def test_wilson_is_scipys(wins: int, games: int) -> None:
    expected = binomtest(wins, games).proportion_ci(method="wilson")
    assert wilson_interval(wins, games) == pytest.approx((expected.low, expected.high))


@given(st.one_of(scores, pair_results.map(PairedScore.of)), st.floats(0.5, 0.999))
def test_intervals_hold_the_rate_stay_inside_and_mirror(score: Score | PairedScore, confidence: float) -> None:
    low, high = score.interval(confidence)
    assert 0 <= low <= score.rate <= high <= 1
    assert score.reversed().interval(confidence) == pytest.approx((1 - high, 1 - low))


@given(st.integers(0, 100), st.integers(1, 100))
def test_intervals_rise_with_wins_and_narrow_with_games(wins: int, more: int) -> None:
    losses = 100 - wins
    one, better = Score(wins, 0, losses).interval(), Score(wins + more, 0, losses).interval()
    assert better[0] >= one[0]
    assert better[1] >= one[1]
    twice = Score(2 * wins, 0, 2 * losses).interval()
    assert twice[1] - twice[0] < one[1] - one[0]


def test_effective_games_of_pairs_by_hand() -> None:
    # Pair means 1, 1, ½, 0: mean 5/8, sample variance 11/48; N = 4 (4 · 5/8 · 3/8 + 1) / (4 · 11/48 + 1).
    paired = PairedScore.of([(1, 1), (1, 1), (1, 0), (0, 0)])
    assert paired.effective_games == pytest.approx(4 * (15 / 16 + 1) / (11 / 12 + 1))
    assert paired.interval() == wilson_interval(0.625 * paired.effective_games, paired.effective_games)


def test_many_pairs_have_the_interval_of_their_means() -> None:
    paired = PairedScore((300, 200, 700, 400, 400))
    means = np.repeat([0, 0.25, 0.5, 0.75, 1], paired.pairs)
    expected = ttest_1samp(means, 0.5).confidence_interval(0.95)
    assert paired.interval() == pytest.approx((expected.low, expected.high), abs=2e-4)


def test_games_without_partners_have_the_interval_of_independent_games() -> None:
    lone = PairedScore(singles=Score(700, 0, 300))
    assert lone.effective_games == pytest.approx(1000, rel=0.002)
    assert lone.interval() == pytest.approx(Score(700, 0, 300).interval(), abs=1e-4)


def test_pairs_that_all_end_alike_still_have_a_width() -> None:
    won, split = PairedScore((0, 0, 0, 0, 20)), PairedScore((0, 0, 20, 0, 0))
    assert won.effective_games == 20  # a pair counts once: nothing shows that its games differ
    assert won.interval() == wilson_interval(20, 20)
    low, high = split.interval()
    # Twenty pairs without a winner leave room for one in seven with one (0.86 ** 20 = 5 %).
    assert low < 0.5 - 0.07 < 0.5 + 0.07 < high
    assert PairedScore((0, 0, 0, 0, 1)).interval() == wilson_interval(1, 1)


def test_one_loss_does_not_raise_the_interval_of_a_winner() -> None:
    for pairs in (5, 20, 50, 200):
        perfect, nearly = PairedScore((0, 0, 0, 0, pairs)), PairedScore((0, 0, 1, 0, pairs - 1))
        assert nearly.interval()[0] < perfect.interval()[0]


@given(st.lists(st.tuples(st.integers(0, 4), st.integers(1, 4)), min_size=2, max_size=20))
def test_clusters_are_worth_something_and_more_when_repeated(clusters: list[tuple[int, int]]) -> None:
    points = [min(points, games) for points, games in clusters]
    games = [games for _, games in clusters]
    assert 0 < clustered_games(points, games) < clustered_games(points * 2, games * 2)


def test_large_clusters_count_as_the_pairs_they_hold_if_nothing_speaks_against_it() -> None:
    """Ten starts, each won in all of 12 games, are at most 60 pairs; few clusters cost something besides."""
    assert 40 < clustered_games([12] * 10, [12] * 10) < 60
    assert clustered_games([12] * 200, [12] * 200) == pytest.approx(1200, rel=0.03)
    assert clustered_games([2] * 10, [2] * 10) == 10


def test_starts_that_decide_large_clusters_leave_little() -> None:
    """Half of twenty starts are won in all of their games, the others lost: twenty coin flips."""
    assert clustered_games([12] * 10 + [0] * 10, [12] * 20) == pytest.approx(20, rel=0.2)


def _covered(scores: list[Any], rate: float) -> float:
    intervals = [score.interval() for score in scores]
    return float(np.mean([low <= rate <= high for low, high in intervals]))


def test_the_interval_of_independent_games_covers() -> None:
    rng = np.random.default_rng(1)
    for rate, games in product((0.5, 0.7, 0.9), (60, 400)):
        won = rng.binomial(games, rate, MATCHES)
        assert 0.93 <= _covered([Score(int(w), 0, games - int(w)) for w in won], rate) <= 0.97


def _pairs(rng: np.random.Generator, kind: str, rate: float, pairs: int) -> tuple[int, int, int, int, int]:
    one, other, free = rng.random((3, pairs))
    if kind == "independent":
        points = (one < rate) * 1.0 + (other < rate)
    elif kind == "drawish":
        points = np.where(one < 0.5, 0.5, (free < rate) * 1.0) + np.where(other < 0.5, 0.5, (rng.random(pairs) < rate))
    elif kind == "same style wins both":
        points = (one < rate) * 1.0 + np.where(free < 0.6, one < rate, other < rate)
    elif kind == "first seat ahead":
        points = (one < rate + 0.2) * 1.0 + (other < rate - 0.2)
    else:
        raise AssertionError(kind)
    lost, half, split, more, won = np.bincount((2 * points).astype(int), minlength=5).tolist()
    return lost, half, split, more, won


@pytest.mark.parametrize(
    ("kind", "rate", "true"),
    [
        ("independent", 0.5, 0.5),
        ("independent", 0.8, 0.8),
        ("drawish", 0.8, 0.65),
        ("same style wins both", 0.5, 0.5),
        ("same style wins both", 0.8, 0.8),
        ("first seat ahead", 0.6, 0.6),
    ],
)
def test_the_interval_of_paired_games_covers_however_pairs_hang_together(kind: str, rate: float, true: float) -> None:
    rng = np.random.default_rng(2)
    matches = [PairedScore(_pairs(rng, kind, rate, 100)) for _ in range(MATCHES)]
    assert 0.93 <= _covered(matches, true) <= 0.97


def test_games_that_hang_together_are_not_independent() -> None:
    rng = np.random.default_rng(3)
    matches = [PairedScore(_pairs(rng, "same style wins both", 0.5, 100)) for _ in range(MATCHES)]
    assert _covered([match.score for match in matches], 0.5) < 0.9


@pytest.mark.parametrize("pairs", [5, 10, 25])
@pytest.mark.parametrize("rate", [0.5, 0.9, 0.98])
def test_few_and_lopsided_pairs_err_on_the_wide_side(pairs: int, rate: float) -> None:
    rng = np.random.default_rng(4)
    matches = [PairedScore(_pairs(rng, "independent", rate, pairs)) for _ in range(MATCHES)]
    assert _covered(matches, rate) >= 0.93


# Tests against 50 % ---------------------------------------------------------------------------------------------------


def test_sign_test_by_hand() -> None:
    assert sign_test(Score(5, 7, 0)) == pytest.approx(2 / 32)
    assert sign_test(Score(3, 0, 1)) == pytest.approx(10 / 16)
    assert sign_test(Score(0, 9, 0)) == 1


def test_swap_test_by_hand() -> None:
    assert swap_test(PairedScore((0, 0, 3, 0, 5))) == pytest.approx(2 / 32)
    # One pair won twice, one by half a point: sums of ±2 and ±1, of which 3 and -3 are as uneven.
    assert swap_test(PairedScore((0, 0, 0, 1, 1))) == pytest.approx(1 / 2)
    # 2 - 1 = 1: every combination is at least that uneven.
    assert swap_test(PairedScore((0, 1, 0, 0, 1))) == 1
    assert swap_test(PairedScore(singles=Score(5, 7, 0))) == pytest.approx(2 / 32)


@given(st.lists(st.sampled_from([0, 0.5, 1, 1.5, 2]), min_size=1, max_size=9))
def test_swap_test_is_the_share_of_all_exchanges_that_are_as_uneven(points: list[float]) -> None:
    above = np.array(points) - 1
    signs = np.array(list(product((-1, 1), repeat=len(points))))
    as_uneven = np.abs(signs @ np.abs(above)) >= abs(above.sum())
    lost, half, split, more, won = np.bincount((2 * np.array(points)).astype(int), minlength=5).tolist()
    assert swap_test(PairedScore((lost, half, split, more, won))) == pytest.approx(as_uneven.mean())


def test_exact_tests_raise_false_alarms_no_more_often_than_they_say() -> None:
    rng = np.random.default_rng(5)
    matches = [PairedScore(_pairs(rng, "same style wins both", 0.5, 50)) for _ in range(MATCHES)]
    assert np.mean([match.p_value() < 0.05 for match in matches]) <= 0.06


def test_swap_test_copes_with_many_pairs() -> None:
    assert swap_test(PairedScore((5000, 4000, 1000, 4000, 5000))) == pytest.approx(1)
    assert 0 < swap_test(PairedScore((4800, 4000, 1000, 4000, 5200))) < 1e-3


def test_wilcoxon_is_scipys_over_pairs_and_the_normal_sign_test_over_games() -> None:
    z = (62 - 38) / 10
    assert wilcoxon_test(Score(62, 10, 38)) == pytest.approx(2 * norm.sf(z))
    paired = PairedScore((3, 5, 9, 8, 12), singles=Score(1, 1, 0))
    above = np.repeat([-2, -1, 1, 2], [3, 5, 9, 12])
    assert wilcoxon_test(paired) == pytest.approx(wilcoxon(above, method="approx").pvalue)
    assert wilcoxon_test(PairedScore((0, 0, 9, 0, 0))) == 1


def test_exact_and_ranked_tests_agree_where_both_apply() -> None:
    # With one size of difference only, points and ranks weigh the same.
    paired = PairedScore((2, 0, 4, 0, 8))
    above = np.repeat([-1, 1], [2, 8])
    exact = wilcoxon(above, method=PermutationMethod(n_resamples=10_000)).pvalue
    assert swap_test(paired) == pytest.approx(exact)


@given(st.integers(0, 400), st.integers(1, 400))
def test_a_rates_test_and_its_interval_agree(points: int, games: int) -> None:
    reported = Reported(min(points, games) / games, games)
    p = score_test(reported)
    if abs(p - 0.05) > 1e-9:
        assert (winner(reported) != 0) == (p < 0.05)


def test_marks() -> None:
    assert [significance_mark(p) for p in (0.5, 0.05, 0.049, 0.0099, 0.00099)] == ["", "", "*", "**", "***"]


def test_holm_by_hand() -> None:
    assert holm([0.01, 0.04, 0.03, 0.005]) == pytest.approx([0.03, 0.06, 0.06, 0.02])
    assert holm([]) == []
    assert holm([0.9, 0.8]) == [1, 1]


# Differences and verdicts ---------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("one", "other", "expected"),
    [
        # The examples of Newcombe 1998, table II, method 10.
        ((56, 70), (48, 80), (0.0524, 0.3339)),
        ((9, 10), (3, 10), (0.1705, 0.8090)),
        ((6, 7), (2, 7), (0.0582, 0.8062)),
        ((5, 56), (0, 29), (-0.0381, 0.1926)),
        ((0, 10), (0, 20), (-0.1611, 0.2775)),
        ((0, 10), (0, 10), (-0.2775, 0.2775)),
        ((10, 10), (0, 20), (0.6791, 1.0)),
        ((10, 10), (0, 10), (0.6075, 1.0)),
    ],
)
def test_difference_interval_is_newcombes(
    one: tuple[int, int], other: tuple[int, int], expected: tuple[float, float]
) -> None:
    def score(wins: int, games: int) -> Score:
        return Score(wins, 0, games - wins)

    low, high = difference_interval(score(*one), score(*other))
    assert (low, high) == pytest.approx(expected, abs=6e-5)
    assert difference_interval(score(*other), score(*one)) == pytest.approx((-high, -low))


def test_the_interval_of_a_difference_covers() -> None:
    rng = np.random.default_rng(6)
    inside = 0
    for _ in range(MATCHES):
        ours = PairedScore(_pairs(rng, "same style wins both", 0.8, 100))
        theirs = Reported(int(rng.binomial(100, 0.7)) / 100, 100)
        low, high = difference_interval(ours, theirs)
        inside += low <= 0.1 <= high
    assert 0.93 <= inside / MATCHES <= 0.975


def _won(wins: int, games: int) -> Score:
    return Score(wins, 0, games - wins)


@pytest.mark.parametrize(
    ("ours", "paper_rate", "paper_games", "size", "winner"),
    [
        (_won(200, 400), 0.52, 400, "reproduced", "undecided"),  # nobody wins
        (_won(360, 400), 0.91, 400, "reproduced", "same winner"),
        (_won(400, 400), 1.0, 100, "reproduced", "same winner"),  # everything won on both sides
        (_won(340, 400), 0.89, 400, "reproduced", "same winner"),  # significantly less, but within 12 points
        (_won(320, 400), 0.95, 400, "differs", "same winner"),
        (_won(80, 400), 0.05, 400, "differs", "same winner"),  # the same on the losing side
        (_won(36, 40), 0.88, 50, "undecided", "same winner"),  # contains 0 but is too wide
        (_won(11, 20), 0.52, 100, "undecided", "undecided"),
        (_won(0, 10), 0.9, 100, "differs", "other winner"),  # few games are enough for so much
        (Score(), 0.5, 100, "undecided", "undecided"),
        (_won(300, 400), 0.5, 400, "differs", "undecided"),  # only ours wins
        (_won(120, 400), 0.7, 400, "differs", "other winner"),
    ],
)
def test_verdicts(ours: ScoreLike, paper_rate: float, paper_games: int, size: str, winner: str) -> None:
    paper = Reported(paper_rate, paper_games)
    assert size_verdict(difference_interval(ours, paper)) == size
    assert winner_verdict(ours.interval(), paper.interval()) == winner


@given(st.floats(-1, 1), st.floats(0, 1))
def test_the_verdict_on_size_is_undecided_only_if_more_games_could_change_it(low: float, width: float) -> None:
    verdict = size_verdict((low, low + width))
    if verdict == "reproduced":
        assert max(abs(low), abs(low + width)) <= 0.12
    else:
        assert (verdict == "undecided") == (low <= 0 <= low + width)


@given(scores, st.floats(0, 1), st.integers(1, 1000))
def test_the_verdict_on_the_winner_is_the_same_from_the_losers_side(
    ours: Score, paper_rate: float, paper_games: int
) -> None:
    paper, mirrored = Reported(paper_rate, paper_games), Reported(1 - paper_rate, paper_games)
    other = Score(ours.losses, ours.draws, ours.wins)
    assert winner_verdict(ours.interval(), paper.interval()) == winner_verdict(other.interval(), mirrored.interval())


def test_pairs_that_hang_together_can_leave_too_few_games() -> None:
    together, apart = PairedScore((25, 0, 0, 0, 25)), PairedScore((0, 0, 50, 0, 0))
    assert together.score == apart.score
    assert size_verdict(difference_interval(apart, Reported(0.5, 400))) == "reproduced"
    assert size_verdict(difference_interval(together, Reported(0.5, 400))) == "undecided"


def test_a_reported_rate_whose_games_hang_together_is_worth_less() -> None:
    whole, half = Reported(0.6, 400), Reported(0.6, 400, worth=0.5)
    assert half.interval() == Reported(0.6, 200).interval()
    assert half.interval()[0] < whole.interval()[0] < whole.interval()[1] < half.interval()[1]


# The sequential test --------------------------------------------------------------------------------------------------


@given(st.integers(0, 300), st.integers(0, 300))
def test_without_draws_the_ratio_is_the_binomial_one(wins: int, losses: int) -> None:
    expected = wins * math.log(0.6 / 0.5) + losses * math.log(0.4 / 0.5)
    assert sprt(Score(wins, 0, losses), p0=0.5, p1=0.6).llr == pytest.approx(expected, abs=0.01)


def test_with_many_games_the_ratio_is_the_normal_one() -> None:
    paired = PairedScore((1000, 2000, 4000, 2300, 1100))
    means = np.repeat([0, 0.25, 0.5, 0.75, 1], paired.pairs)
    p0, p1 = 0.5, 0.51
    expected = len(means) * (p1 - p0) * (2 * means.mean() - p0 - p1) / (2 * means.var())
    assert sprt(paired, p0=p0, p1=p1).llr == pytest.approx(expected, rel=0.01)


def test_bounds_and_decisions() -> None:
    test = sprt(Score(), p0=0.5, p1=0.6, alpha=0.05, beta=0.1)
    assert (test.llr, test.decision) == (0, "go on")
    assert (test.lower, test.upper) == pytest.approx((math.log(0.1 / 0.95), math.log(0.9 / 0.05)))
    assert sprt(Score(80, 0, 20), p0=0.5, p1=0.6).decision == "stronger"
    assert sprt(Score(50, 0, 50), p0=0.5, p1=0.7).decision == "not stronger"
    assert sprt(PairedScore((0, 0, 0, 0, 2)), p0=0.5, p1=0.6).decision == "go on"  # two pairs prove nothing


def test_a_game_without_its_partner_waits() -> None:
    alone = PairedScore((1, 2, 3, 4, 5), singles=Score(9, 0, 0))
    assert sprt(alone, p0=0.5, p1=0.6) == sprt(PairedScore((1, 2, 3, 4, 5)), p0=0.5, p1=0.6)


def test_hypotheses_may_be_given_in_elo() -> None:
    score = Score(60, 10, 30)
    assert sprt(score, elo0=0, elo1=50) == sprt(score, p0=0.5, p1=rate_of_elo(50))
    assert elo_of_rate(rate_of_elo(50)) == pytest.approx(50)
    assert rate_of_elo(400) == pytest.approx(10 / 11)


@given(st.tuples(*[st.integers(0, 60)] * 4), st.integers(0, 59))
def test_a_further_win_never_speaks_for_the_weaker(others: tuple[int, int, int, int], won: int) -> None:
    if not any(others) and not won:
        return
    before, after = (sprt(PairedScore((*others, wins)), p0=0.5, p1=0.55).llr for wins in (won, won + 1))
    assert after > before - 1e-3


@pytest.mark.parametrize(
    "bad",
    [
        {},
        {"p0": 0.5},
        {"p0": 0.6, "p1": 0.5},
        {"p0": 0.5, "p1": 1.0},
        {"p0": 0.5, "p1": 0.6, "elo0": 1},
        {"elo0": 5, "elo1": 5},
        {"p0": 0.5, "p1": 0.6, "alpha": 0},
        {"p0": 0.5, "p1": 0.6, "alpha": 0.5, "beta": 0.5},
    ],
)
def test_senseless_hypotheses_are_refused(bad: dict[str, float]) -> None:
    with pytest.raises(InvalidParameterError):
        sprt(Score(1, 1, 1), **bad)


@pytest.mark.parametrize("paired", [False, True])
def test_error_rates_of_the_sequential_test(paired: bool) -> None:
    """Simulated tests of 50 % against 60 % err in about 5 % on either side; draws and pairs don't change that."""
    rng = np.random.default_rng(7)
    for rate, wrong in ((0.5, "stronger"), (0.6, "not stronger")):
        game = np.array([0.85 - rate, 0.3, rate - 0.15])
        chances = np.convolve(game, game) if paired else game
        errors = 0
        for _ in range(300):
            seen = np.zeros(len(chances), int)
            decision = "go on"
            while decision == "go on":
                seen += rng.multinomial(4, chances)
                counted = seen.tolist()
                result = PairedScore(tuple(counted)) if paired else Score(*reversed(counted))
                decision = sprt(result, p0=0.5, p1=0.6).decision
            errors += decision == wrong
        assert errors / 300 <= 0.085  # three standard errors above 5 %
