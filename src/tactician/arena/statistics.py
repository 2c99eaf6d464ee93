"""What a number of games says: win percentages with intervals that are honest about how few they are.

Games come in pairs, the same start with sides swapped, and the two games of a pair are not independent: a start that
favours one seat splits the pair, a start that suits one style wins both. So the pair is the unit. `PairedScore` keeps
pairs and takes its interval from how much pairs vary; `Score` counts games and is right where each game stands for
itself. Both answer the same questions (`ScoreLike`), so that tables, verdicts, ratings and figures take either.

Rates are fractions of 1, a draw is half a win, intervals are two-sided with 95 % unless said otherwise.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Literal, Protocol

import numpy as np
from scipy.special import gammaln, ndtr, ndtri, stdtrit  # scipy.stats takes half a second to import

from tactician.errors import InvalidParameterError, short

SIGNIFICANT = 0.05
"""The p-value below which something is called significant."""

SizeVerdict = Literal["reproduced", "undecided", "differs"]
WinnerVerdict = Literal["same winner", "undecided", "other winner"]
Interval = tuple[float, float]
Decision = Literal["stronger", "not stronger", "go on"]

MARGIN = 0.12
"""The greatest difference that counts as reproduced: ±12 points."""

IMAGINARY_PAIRS = 4
"""Added where the spread of pairs is estimated, half of them won and half lost; see `clustered_games`."""

IMAGINARY_COUNT = 1e-3
"""Stands for an outcome that has not been seen yet, so that its logarithm exists; see `sprt`."""

PAIR_OUTCOMES = 5
"""A pair of games yields 0, 1/2, 1, 3/2 or 2 points."""


class ScoreLike(Protocol):
    """What tables, verdicts, ratings and figures need to know of a match."""

    @property
    def games(self) -> int:
        """How many were played."""

    @property
    def rate(self) -> float:
        """Points a game, 0.5 if there was none."""

    @property
    def effective_games(self) -> float:
        """How many independent games without draws would say as much."""

    def interval(self, confidence: float = 0.95) -> tuple[float, float]:
        """Where the true rate lies."""

    def p_value(self) -> float:
        """How likely a score at least as uneven is between equals."""


@dataclass(frozen=True)
class Score:
    """Wins, draws and losses from one side's point of view; a draw is half a win."""

    wins: int = 0
    draws: int = 0
    losses: int = 0

    @property
    def games(self) -> int:
        """All of them."""
        return self.wins + self.draws + self.losses

    @property
    def points(self) -> float:
        """Wins plus half the draws."""
        return self.wins + self.draws / 2

    @property
    def rate(self) -> float:
        """Points a game, 0.5 if there was none."""
        return self.points / self.games if self.games else 0.5

    @property
    def effective_games(self) -> float:
        """All of them: each stands for itself."""
        return float(self.games)

    def interval(self, confidence: float = 0.95) -> tuple[float, float]:
        """Where the true rate lies."""
        return wilson_interval(self.points, self.games, confidence)

    def p_value(self) -> float:
        """How likely a score at least as uneven is between equals; see `sign_test`."""
        return sign_test(self)

    def decisive(self) -> Score:
        """Without the draws."""
        return Score(self.wins, 0, self.losses)

    def __add__(self, other: Score) -> Score:
        return Score(self.wins + other.wins, self.draws + other.draws, self.losses + other.losses)

    def reversed(self) -> Score:
        """The same games from the other side."""
        return Score(self.losses, self.draws, self.wins)


@dataclass(frozen=True)
class PairedScore:
    """Pairs of games on the same start with sides swapped, from one side's point of view."""

    pairs: tuple[int, int, int, int, int] = (0, 0, 0, 0, 0)
    """How many pairs yielded 0, 1/2, 1, 3/2 and 2 points (the pentanomial)."""
    drawn_pairs: int = 0
    """How many of the pairs with 1 point were two draws; the others were a win and a loss."""
    singles: Score = Score()
    """Games whose partner has not been played, or does not count."""

    def __post_init__(self) -> None:
        if len(self.pairs) != PAIR_OUTCOMES or min(self.pairs) < 0:
            raise InvalidParameterError(
                f"pairs is {short(self.pairs)}; expected five counts, of pairs with 0, 1/2, 1, 3/2 and 2 points."
            )
        if not 0 <= self.drawn_pairs <= self.pairs[2]:
            raise InvalidParameterError(
                f"drawn_pairs is {self.drawn_pairs}; expected 0 to {self.pairs[2]}, the number of pairs with one point."
            )

    @classmethod
    def of(cls, pairs: Iterable[Sequence[float]]) -> PairedScore:
        """Count pairs given as the points (0, 1/2 or 1) of their two games, or of the one that was played."""
        counts = [0] * PAIR_OUTCOMES
        drawn, singles = 0, Score()
        for pair in pairs:
            if not 1 <= len(pair) <= 2 or any(points not in (0, 0.5, 1) for points in pair):
                raise InvalidParameterError(f"pair {short(pair)}: expected one or two results of 0, 0.5 or 1.")
            if len(pair) == 1:
                singles += Score(int(pair[0] == 1), int(pair[0] == 0.5), int(pair[0] == 0))
            else:
                counts[round(2 * sum(pair))] += 1
                drawn += pair[0] == pair[1] == 0.5
        return cls((counts[0], counts[1], counts[2], counts[3], counts[4]), drawn, singles)

    @property
    def score(self) -> Score:
        """Wins, draws and losses of all games."""
        lost, half, one, more, won = self.pairs
        split = one - self.drawn_pairs
        return self.singles + Score(2 * won + more + split, half + more + 2 * self.drawn_pairs, 2 * lost + half + split)

    @property
    def games(self) -> int:
        """All of them, also those without a partner."""
        return 2 * sum(self.pairs) + self.singles.games

    @property
    def points(self) -> float:
        """Wins plus half the draws."""
        return self.score.points

    @property
    def rate(self) -> float:
        """Points a game, 0.5 if there was none."""
        return self.score.rate

    @property
    def effective_games(self) -> float:
        """How many independent games without draws would say as much; see `clustered_games`."""
        return clustered_games(*self._clusters())

    def interval(self, confidence: float = 0.95) -> tuple[float, float]:
        """Where the true rate lies: Wilson's interval for the effective number of games."""
        return effective_interval(self, confidence)

    def p_value(self) -> float:
        """How likely a score at least as uneven is between equals; see `swap_test`."""
        return swap_test(self)

    def decisive(self) -> PairedScore:
        """Without the draws: a pair with one of them becomes a single game."""
        lost, half, one, more, won = self.pairs
        return PairedScore(
            (lost, 0, one - self.drawn_pairs, 0, won), 0, self.singles.decisive() + Score(wins=more, losses=half)
        )

    def __add__(self, other: PairedScore) -> PairedScore:
        lost, half, one, more, won = (mine + theirs for mine, theirs in zip(self.pairs, other.pairs, strict=True))
        return PairedScore(
            (lost, half, one, more, won), self.drawn_pairs + other.drawn_pairs, self.singles + other.singles
        )

    def reversed(self) -> PairedScore:
        """The same games from the other side."""
        lost, half, one, more, won = self.pairs
        return PairedScore((won, more, one, half, lost), self.drawn_pairs, self.singles.reversed())

    def _clusters(self) -> tuple[np.ndarray, np.ndarray]:
        """Points and games of every pair and single."""
        points = np.repeat([0, 0.5, 1, 1.5, 2], self.pairs)
        single = np.repeat([1, 0.5, 0], [self.singles.wins, self.singles.draws, self.singles.losses])
        games = np.repeat([2.0, 1.0], [len(points), len(single)])
        return np.concatenate([points, single]), games


@dataclass(frozen=True)
class Reported:
    """A rate reported elsewhere, of which only the number of games is known."""

    rate: float
    games: int
    worth: float = 1.0
    """Of a game, in independent ones; less than 1 where games depend on each other."""

    def __post_init__(self) -> None:
        if not 0 <= self.rate <= 1:
            raise InvalidParameterError(f"rate is {self.rate}; expected a fraction from 0 to 1, not a percentage.")
        if self.games < 0:
            raise InvalidParameterError(f"games is {self.games}; expected 0 or more.")

    @property
    def effective_games(self) -> float:
        """All of them, for want of knowing better, unless `worth` says otherwise."""
        return self.games * self.worth

    def interval(self, confidence: float = 0.95) -> tuple[float, float]:
        """Where the true rate lies."""
        return effective_interval(self, confidence)

    def p_value(self) -> float:
        """How likely a score at least as uneven is between equals; see `score_test`."""
        return score_test(self)


def wilson_interval(points: float, games: float, confidence: float = 0.95) -> tuple[float, float]:
    """The score interval for a proportion: unlike the textbook one it is right for few games and near 0 or 1.

    Draws count as half points; a game with draws varies less than one without, so the interval errs on the wide side.
    """
    if not 0 < confidence < 1:
        raise InvalidParameterError(f"confidence is {confidence}; expected a fraction between 0 and 1.")
    if games == 0:
        return 0.0, 1.0
    z = float(ndtri(0.5 + confidence / 2))
    rate = min(1.0, max(0.0, points / games))
    scale = 1 + z * z / games
    middle = (rate + z * z / (2 * games)) / scale
    reach = z / scale * (rate * (1 - rate) / games + z * z / (4 * games * games)) ** 0.5
    # The rate itself is always inside; rounding must not put 1.0 above the upper end.
    return max(0.0, min(rate, middle - reach)), min(1.0, max(rate, middle + reach))


def effective_interval(score: ScoreLike, confidence: float = 0.95) -> tuple[float, float]:
    """Wilson's interval for as many games as a score is worth."""
    effective = score.effective_games
    return wilson_interval(score.rate * effective, effective, confidence)


def clustered_games(points: Sequence[float] | np.ndarray, games: Sequence[float] | np.ndarray) -> float:
    """How many independent games without draws say as much as these clusters (points and games of each) do.

    Clusters are independent, games within one need not be. With n clusters and rate p, the variance of the rate is that
    of a ratio of means, v = n/(n-1) Σ(points - p·games)² / (Σ games)²; for complete pairs that is the familiar variance
    of pair means over n. It would equal p(1-p)/N for N independent games, so N = p(1-p)/v.

    Taken as it is, this fails where it matters: when all pairs end alike, v is 0 and the interval has no width, and
    with few pairs or rates near 1 v is far too small too often. So `IMAGINARY_PAIRS` clusters are added to both
    variances, half of them won and half lost, each with variance 1/4 (the idea of Agresti and Coull's 'plus four'):

        N = n · (n p(1-p) + 1) / (n² v + 1)

    With all games won, N = n: nothing is known about how the games of a pair depend on each other, so a pair counts
    once. With many pairs the imaginary ones don't matter. In simulations of pairs of all kinds Wilson's 95 % interval
    for N games covers 93 % or more from 25 pairs on, also where the t interval on pair means drops to 64 % (25 pairs,
    rate 0.98).

    Clusters of m > 2 games (a start played against many, or from four seats) are few for their games. Their imaginary
    ones are m/2 pairs each, with variance 1/2m, and N is reduced as Student's t with n + 3 degrees of freedom is wider
    than the normal distribution. Simulated with starts that all suit one agent, 3 to 20 of them with 6 or 12 games, the
    interval then covers 91 % or more; as independent pairs they would have covered 57 to 90 %.
    """
    points, games = np.asarray(points, float), np.asarray(games, float)
    n = len(points)
    if n < 2:
        return float(n)
    rate = points.sum() / games.sum()
    variance = n / (n - 1) * float(((points - rate * games) ** 2).sum()) / float(games.sum()) ** 2
    size = max(2.0, float(games.sum()) / n)
    imaginary = IMAGINARY_PAIRS / 4
    found = n * (n * rate * (1 - rate) + imaginary) / (n * n * variance + imaginary * 2 / size)
    if size > 2:
        found *= (ndtri(0.975) / stdtrit(n + IMAGINARY_PAIRS - 1, 0.975)) ** 2
    return float(found)


def difference_interval(one: ScoreLike, other: ScoreLike, confidence: float = 0.95) -> tuple[float, float]:
    """Where the difference of two independent true rates lies, one minus the other.

    Newcombe's hybrid score interval (1998, his method 10): the distances from each rate to the ends of its own
    interval, added as squares. With `Score` or `Reported` these are Wilson's, as in his paper; a `PairedScore` brings
    its own.
    """
    return difference_of(one.rate, one.interval(confidence), other.rate, other.interval(confidence))


def difference_of(one: float, one_interval: Interval, other: float, other_interval: Interval) -> Interval:
    """The same where the rates and their intervals are known."""
    down = math.hypot(one - one_interval[0], other_interval[1] - other)
    up = math.hypot(one_interval[1] - one, other - other_interval[0])
    return max(-1.0, one - other - down), min(1.0, one - other + up)


def size_verdict(difference: Interval) -> SizeVerdict:
    """What the 95 % interval of the difference, ours minus the paper's, says about the size of a figure.

    - *reproduced*: all of it lies within ±12 points;
    - *differs*: it leaves out 0, and some of it lies beyond ±12 points;
    - *undecided*: it contains 0 and reaches beyond ±12 points. More games decide.
    """
    low, high = difference
    if low >= -MARGIN and high <= MARGIN:
        return "reproduced"
    return "undecided" if low <= 0 <= high else "differs"


def winner_verdict(ours: Interval, paper: Interval) -> WinnerVerdict:
    """Whether two 95 % intervals of a rate agree on who wins.

    - *same winner*: both lie above 50 %, or both below;
    - *other winner*: they lie on different sides;
    - *undecided*: at least one of them contains 50 %.
    """
    one, other = _side(ours), _side(paper)
    if one == 0 or other == 0:
        return "undecided"
    return "same winner" if one == other else "other winner"


def _side(interval: Interval) -> int:
    low, high = interval
    return int(low > 0.5) - int(high < 0.5)


def winner(score: ScoreLike, confidence: float = 0.95) -> int:
    """1 or -1 if the rate is significantly above or below 50 %, else 0."""
    return _side(score.interval(confidence))


def sign_test(score: Score) -> float:
    """The two-sided p-value of a score against 50 %: exact binomial on wins and losses, draws left out."""
    from scipy.stats import binomtest

    decisive = score.wins + score.losses
    return float(binomtest(score.wins, decisive).pvalue) if decisive else 1.0


def score_test(score: ScoreLike) -> float:
    """The two-sided p-value of a rate against 50 % where no more is known: the one that goes with Wilson's interval."""
    return float(2 * ndtr(-abs(score.rate - 0.5) * 2 * math.sqrt(score.effective_games)))


def swap_test(score: PairedScore) -> float:
    """The two-sided p-value of a paired score against 50 %: exact, by exchanging the names within pairs.

    Between equals a pair is as likely to end for the one as, by as much, for the other. The points above or below half
    are then a sum of coin flips: ±1/2 for each pair with 1/2 or 3/2 points and each decided single, ±1 for each pair
    won or lost twice. It is the test of Wilcoxon's kind that weighs by points instead of ranks, so it judges the very
    score that is shown, and it needs no approximation. A single's seat is not balanced by a partner's: many of them are
    better not tested.
    """
    lost, half, _, more, won = score.pairs
    small = half + more + score.singles.wins + score.singles.losses
    large = lost + won
    lead = 2 * (won - lost) + more - half + score.singles.wins - score.singles.losses
    twice = np.zeros(2 * large + 1)
    twice[::2] = _coin_flips(large)
    chances = np.convolve(_coin_flips(small), twice)
    sums = 2 * np.arange(len(chances)) - small - 2 * large
    return min(1.0, float(chances[np.abs(sums) >= abs(lead)].sum()))


def _coin_flips(count: int) -> np.ndarray:
    """The chance of each number of heads among so many flips."""
    heads = np.arange(count + 1)
    chances: np.ndarray = np.exp(
        gammaln(count + 1) - gammaln(heads + 1) - gammaln(count - heads + 1) - count * math.log(2)
    )
    return chances


def wilcoxon_test(score: Score | PairedScore) -> float:
    """The two-sided p-value of Wilcoxon's signed-rank test against 50 %, as the papers used it; ties are left out.

    Over games all ranks are equal, so that it is the sign test in its normal approximation; over pairs it ranks a pair
    won twice above one won by half a point. `sign_test` and `swap_test` are exact and to be preferred for new claims.
    """
    from scipy.stats import wilcoxon

    if isinstance(score, PairedScore):
        lost, half, _, more, won = score.pairs
        above = np.repeat([-2, -1, 1, 2], [lost, half + score.singles.losses, more + score.singles.wins, won])
    else:
        above = np.repeat([-1, 1], [score.losses, score.wins])
    return float(wilcoxon(above, method="approx").pvalue) if len(above) else 1.0


def significance_mark(p_value: float) -> str:
    """Three stars below 0.001, two below 0.01, one below 0.05."""
    return "*" * sum(p_value < level for level in (0.05, 0.01, 0.001))


def holm(p_values: Sequence[float]) -> list[float]:
    """The p-values of several tests, adjusted (Holm 1979) so that 5 % is the chance of *any* false alarm among them."""
    adjusted = [0.0] * len(p_values)
    worst = 0.0
    for rank, index in enumerate(sorted(range(len(p_values)), key=lambda i: p_values[i])):
        worst = max(worst, min(1.0, (len(p_values) - rank) * p_values[index]))
        adjusted[index] = worst
    return adjusted


@dataclass(frozen=True)
class Sprt:
    """Where a sequential test stands."""

    llr: float
    """The log-likelihood ratio: above 0 the games speak for the stronger hypothesis."""
    lower: float
    """At or below it, the test ends: not stronger."""
    upper: float
    """At or above it, the test ends: stronger."""

    @property
    def decision(self) -> Decision:
        """What to do now."""
        if self.llr >= self.upper:
            return "stronger"
        return "not stronger" if self.llr <= self.lower else "go on"


def sprt(
    result: Score | PairedScore,
    *,
    p0: float | None = None,
    p1: float | None = None,
    elo0: float | None = None,
    elo1: float | None = None,
    alpha: float = 0.05,
    beta: float = 0.05,
) -> Sprt:
    """Wald's sequential test: may we stop, and is the one stronger than the other?

    H0: the true rate is `p0`; H1: it is `p1`, above it (or, on the logistic scale, `elo0` and `elo1`). `alpha` is the
    chance to find 'stronger' under H0, `beta` that of 'not stronger' under H1. Look after every game or pair if you
    like.

    The frequencies of the outcomes (win, draw, loss, or the five of a pair) are unknown besides their mean, so the
    ratio is the generalised one: each hypothesis gets the frequencies with its mean under which the games are most
    likely. With observed frequencies f and values a, those are

        f / (1 + θ(a - p)), where θ solves Σ f(a - p) / (1 + θ(a - p)) = 0;

    then LLR = N Σ f log(f₁/f₀), and the bounds are log(β/(1-α)) and log((1-β)/α). An outcome not seen yet counts as a
    thousandth of one, which makes wins and losses alone the plain binomial test. Games that wait for their partner
    don't count yet.
    """
    p0, p1 = _hypotheses(p0, p1, elo0, elo1)
    if min(alpha, beta) <= 0 or alpha + beta >= 1:
        raise InvalidParameterError(f"alpha is {alpha} and beta {beta}; expected above 0 and, added, less than 1.")
    if isinstance(result, PairedScore):
        counts = np.array(result.pairs, float)
    else:
        counts = np.array([result.losses, result.draws, result.wins], float)
    llr = 0.0
    if counts.any():
        counts[counts == 0] = IMAGINARY_COUNT
        values = np.linspace(0, 1, len(counts))
        likely = [_most_likely(counts / counts.sum(), values, mean) for mean in (p0, p1)]
        llr = float(counts @ np.log(likely[1] / likely[0]))
    return Sprt(llr, math.log(beta / (1 - alpha)), math.log((1 - beta) / alpha))


def _hypotheses(p0: float | None, p1: float | None, elo0: float | None, elo1: float | None) -> tuple[float, float]:
    if p0 is None and p1 is None and elo0 is not None and elo1 is not None:
        p0, p1 = rate_of_elo(elo0), rate_of_elo(elo1)
    elif p0 is None or p1 is None or elo0 is not None or elo1 is not None:
        raise InvalidParameterError("a sequential test needs either p0 and p1 or elo0 and elo1.")
    if not 0 < p0 < p1 < 1:
        raise InvalidParameterError(f"the hypotheses are {p0:g} and {p1:g}; expected 0 < the first < the second < 1.")
    return p0, p1


def _most_likely(frequencies: np.ndarray, values: np.ndarray, mean: float) -> np.ndarray:
    """The frequencies with the given mean under which the observed ones are most likely."""
    from scipy.optimize import brentq

    above = values - mean
    # All denominators are positive strictly between these; the function falls from +∞ to -∞ there.
    low, high = -1 / above[-1], -1 / above[0]
    margin = 1e-12 * (high - low)
    theta = brentq(lambda x: float((frequencies * above / (1 + x * above)).sum()), low + margin, high - margin)
    return frequencies / (1 + theta * above)


_LARGEST_ELO = 100_000.0
"""Beyond this the rate is 0 or 1 to the last digit."""


def rate_of_elo(difference: float) -> float:
    """The rate expected of a player rated that much higher."""
    return 1 / (1 + 10 ** (-max(-_LARGEST_ELO, min(_LARGEST_ELO, difference)) / 400))


def elo_of_rate(rate: float) -> float:
    """The difference in rating that goes with a rate."""
    if not 0 < rate < 1:
        raise InvalidParameterError(f"rate is {rate}; only rates between 0 and 1 have a finite rating.")
    return 400 * math.log10(rate / (1 - rate))
