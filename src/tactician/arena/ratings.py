"""Ratings over a whole tournament: one number an agent, on the scale of Elo, with its uncertainty.

The model is Bradley and Terry's: the rate of one agent against another depends on the difference of their ratings
alone. It is fitted to all games at once (by `choix`), so the order of the games does not matter; a rating that is
updated game by game, like Elo's own or TrueSkill's, would depend on it and is meant for players who change.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from scipy.special import ndtr, ndtri

from tactician.arena.statistics import ScoreLike
from tactician.errors import InvalidParameterError, UnknownNameError, short

ELO = 400 / math.log(10)
"""Points of rating for a factor e in the odds."""

ITERATIONS = 10_000
"""At most; lopsided tournaments need some hundred."""


@dataclass(frozen=True, eq=False)
class Ratings:
    """Ratings with mean 0, or with one agent at 0."""

    names: tuple[str, ...]
    elo: tuple[float, ...]
    covariance: np.ndarray
    """Of the ratings' errors."""

    def interval(self, agent: int, confidence: float = 0.95) -> tuple[float, float]:
        """Where an agent's true rating lies (relative to the mean or to the anchor)."""
        reach = float(ndtri(0.5 + confidence / 2)) * math.sqrt(self.covariance[agent, agent])
        return self.elo[agent] - reach, self.elo[agent] + reach

    def ranking(self) -> list[int]:
        """The agents by number, best first."""
        return sorted(range(len(self.names)), key=lambda agent: (-self.elo[agent], agent))

    def superiority(self) -> np.ndarray:
        """The likelihood that the row's agent is stronger than the column's; 0.5 on the diagonal.

        One-sided: 0.975 here is what a two-sided test calls significant at 5 %.
        """
        elo, variance = np.array(self.elo), np.diag(self.covariance)
        spread = np.sqrt(np.maximum(variance[:, None] + variance - 2 * self.covariance, 0))
        np.fill_diagonal(spread, 1)
        return np.asarray(ndtr((elo[:, None] - elo) / spread))


def rate_agents(
    names: Sequence[str],
    scores: Mapping[tuple[int, int], ScoreLike],
    anchor: str | None = None,
    prior_games: float = 1.0,
) -> Ratings:
    """Rate agents by their matches: `scores` holds the row's score against the column's, each match once.

    Draws are half a win for each. Everybody is taken to have drawn `prior_games` more games, shared among all others:
    it keeps the rating of one who won or lost everything finite and ties together those who never met.

    The uncertainty comes from the inverse Fisher information, corrected for pairs (the 'sandwich' H⁻¹VH⁻¹): H is the
    information that as many independent games would hold, V the variance of the points given that a match is worth its
    effective number of games. A bootstrap over pairs would be the alternative, but it finds no uncertainty at all
    where one agent won every game. A match in which both of a pair's games tend to end alike thus counts for less.
    """
    agents = len(names)
    if agents < 2:
        raise InvalidParameterError(f"{agents} agents given; ratings need at least 2.")
    if prior_games <= 0:
        raise InvalidParameterError(f"prior_games is {prior_games}; expected more than 0.")
    if anchor is not None and anchor not in names:
        raise UnknownNameError("agent", anchor, names)
    matches = _matches(agents, scores)
    import choix  # slow to import, and needed nowhere else

    prior = prior_games / (agents - 1)
    wins = np.full((agents, agents), prior / 2)
    np.fill_diagonal(wins, 0)
    for (row, column), score in matches.items():
        wins[row, column] += score.rate * score.games
        wins[column, row] += (1 - score.rate) * score.games
    strength = choix.ilsr_pairwise_dense(wins, max_iter=ITERATIONS)
    covariance = _covariance(strength, matches, prior)

    # Only differences are known: choose the zero, for the ratings and for their errors alike.
    if anchor is None:
        centre = np.eye(agents) - 1 / agents
    else:
        centre = np.eye(agents)
        centre[:, list(names).index(anchor)] -= 1
    elo = ELO * (centre @ strength)
    return Ratings(tuple(names), tuple(elo.tolist()), ELO**2 * (centre @ covariance @ centre.T))


def _matches(agents: int, scores: Mapping[tuple[int, int], ScoreLike]) -> dict[tuple[int, int], ScoreLike]:
    """The matches that were played, checked."""
    for row, column in scores:
        if not (0 <= row < agents and 0 <= column < agents) or row == column:
            raise InvalidParameterError(f"match {short((row, column))}: expected two different agents below {agents}.")
        if row > column and (column, row) in scores:
            raise InvalidParameterError(f"match {short((column, row))} is given from both sides; expected it once.")
    return {match: score for match, score in scores.items() if score.games}


def _covariance(strength: np.ndarray, matches: Mapping[tuple[int, int], ScoreLike], prior: float) -> np.ndarray:
    """Of the strengths, up to a common shift."""
    expected = 1 / (1 + np.exp(strength[None, :] - strength[:, None]))
    spread = expected * expected.T
    information = prior * spread
    variance = information.copy()
    for (row, column), score in matches.items():
        for one, other in ((row, column), (column, row)):
            information[one, other] += score.games * spread[one, other]
            variance[one, other] += score.games**2 / score.effective_games * spread[one, other]
    # A common shift carries no information; a pseudo-inverse would have to guess which small eigenvalue that is.
    inverse = np.linalg.inv(_laplacian(information) + information.mean())
    return np.asarray(inverse @ _laplacian(variance) @ inverse)


def _laplacian(weights: np.ndarray) -> np.ndarray:
    """How weights of differences between agents act on the agents themselves."""
    weights = weights - np.diag(np.diag(weights))
    return np.asarray(np.diag(weights.sum(axis=1)) - weights)
