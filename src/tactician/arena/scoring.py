"""From records to scores: who had which seat, what a game is worth, which games depend on each other."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Hashable, Iterable, Sequence
from dataclasses import dataclass
from itertools import zip_longest

from tactician.arena.records import GameRecord, seated
from tactician.arena.statistics import PairedScore, Score, clustered_games, effective_interval, score_test
from tactician.errors import InvalidParameterError, short

DRAW = 0.5
"""What a draw is worth."""


def paired_score(
    records: Iterable[GameRecord], agent: str, opponent: str, sides: Sequence[int] = (0, 1)
) -> PairedScore:
    """One agent's score against another; games with the same start and sides swapped are a pair.

    `sides` says which seats play together, where there are more than two.
    """
    if agent == opponent:
        raise InvalidParameterError(f"agent and opponent are both {short(agent)}; expected two different ones.")
    starts: dict[tuple[str, str, int], tuple[list[GameRecord], list[GameRecord]]] = defaultdict(lambda: ([], []))
    for record in records:
        pairing = record.pairing
        if pairing.seats in (seated(sides, 0, agent, opponent), seated(sides, 1, agent, opponent)):
            starts[pairing.game, pairing.budget, pairing.seed][pairing.seats[0] != agent].append(record)
    return PairedScore.of(
        [points_of(record, agent, opponent) for record in pair if record is not None]
        for both in starts.values()
        for pair in zip_longest(*(sorted(games, key=lambda record: record.pairing.round) for games in both))
    )


@dataclass(frozen=True)
class ClusteredScore:
    """A score over games that depend on each other in clusters: all games of an agent or a seat from one start."""

    score: Score
    effective_games: float
    """Games from the same start count together; see `clustered_games`."""

    @property
    def games(self) -> int:
        """All of them."""
        return self.score.games

    @property
    def rate(self) -> float:
        """Points a game, 0.5 if there was none."""
        return self.score.rate

    def interval(self, confidence: float = 0.95) -> tuple[float, float]:
        """Where the true rate lies."""
        return effective_interval(self, confidence)

    def p_value(self) -> float:
        """How likely a score at least as uneven is between equals; see `score_test`."""
        return score_test(self)


def first_seat_score(records: Iterable[GameRecord], sides: Sequence[int] = (0, 1)) -> ClusteredScore:
    """The first player's advantage: the score of the first seat, or its side, over all games of two.

    The seats' chances depend on the start above all, so all games from one start, of all pairs, are one cluster.
    """
    points: list[tuple[Hashable, float]] = []
    for record in records:
        if len(record.returns) != len(sides):
            raise InvalidParameterError(
                f"game {short(record.pairing.game)} has {len(record.returns)} seats; "
                f"a first seat's advantage needs {len(sides)}."
            )
        first, second = record.pairing.seats[0], record.pairing.seats[list(sides).index(1)]
        points.append((start_of(record), points_of(record, first, second)))
    return clustered_score(points)


def standing_score(records: Iterable[GameRecord], agent: str, opponents: Sequence[str]) -> ClusteredScore:
    """An agent's score against all others.

    Everybody plays the same starts, and a start that suits an agent does so against several: its games from one start,
    against all opponents, are one cluster.
    """
    return clustered_score(
        (start_of(record), points_of(record, agent, opponent))
        for record in records
        for opponent in opponents
        if set(record.pairing.seats) == {agent, opponent}
    )


def clustered_score(points: Iterable[tuple[Hashable, float]]) -> ClusteredScore:
    """The score of games given as their cluster and their points (0, 1/2 or 1)."""
    clusters: dict[Hashable, list[float]] = defaultdict(list)
    for cluster, gained in points:
        clusters[cluster].append(gained)
    every = [gained for cluster in clusters.values() for gained in cluster]
    score = Score(every.count(1), every.count(0.5), every.count(0))
    sums, games = [sum(c) for c in clusters.values()], [len(c) for c in clusters.values()]
    return ClusteredScore(score, clustered_games(sums, games))


def start_of(record: GameRecord) -> Hashable:
    """What the games from one start have in common."""
    return record.pairing.game, record.pairing.seed


def points_of(record: GameRecord, agent: str, opponent: str) -> float:
    """What a game is worth to an agent: who has more has won, whatever the rewards add up to."""
    seats = record.pairing.seats
    mine, theirs = record.returns[seats.index(agent)], record.returns[seats.index(opponent)]
    return 1 if mine > theirs else DRAW if mine == theirs else 0
