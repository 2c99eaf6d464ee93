"""Games of more than two seats: one agent against copies of another, its seat rotated, and what its games say.

The games from one start, one from each seat, are one observation. There is no 50 % to compare with: of four equal
agents each wins a quarter of the decided games, so the shares of wins, draws and losses are given one by one.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Hashable, Iterable, Sequence
from dataclasses import dataclass
from typing import Literal

from tactician.arena.records import GameRecord, seated
from tactician.arena.scoring import start_of
from tactician.arena.statistics import Score, clustered_games, effective_interval

GameResult = Literal["wins", "draws", "losses"]
KINDS: tuple[GameResult, ...] = ("wins", "draws", "losses")


@dataclass(frozen=True)
class Share:
    """How often something happened, and where the true share lies."""

    rate: float
    effective_games: float
    games: int

    def interval(self, confidence: float = 0.95) -> tuple[float, float]:
        """Wilson's interval for the effective number of games."""
        return effective_interval(self, confidence)

    def p_value(self) -> float:
        """A half is nothing special for a share, so nothing is tested: 1."""
        return 1.0


@dataclass(frozen=True)
class SeatsScore:
    """One agent's wins, draws and losses, start by start."""

    starts: tuple[Score, ...] = ()

    @property
    def score(self) -> Score:
        """All games together."""
        return sum(self.starts, Score())

    @property
    def games(self) -> int:
        """All of them."""
        return self.score.games

    @property
    def rate(self) -> float:
        """Points a game, a draw as half a win; 0.5 if there was none."""
        return self.score.rate

    @property
    def effective_games(self) -> float:
        """How many independent games without draws would say as much; see `clustered_games`."""
        return clustered_games([start.points for start in self.starts], [start.games for start in self.starts])

    def interval(self, confidence: float = 0.95) -> tuple[float, float]:
        """Where the true rate lies."""
        return effective_interval(self, confidence)

    def p_value(self) -> float:
        """Equals don't score half of the points here, so nothing is tested: 1."""
        return 1.0

    def share(self, kind: GameResult) -> Share:
        """How often the agent won, drew or lost."""
        counts = [getattr(start, kind) for start in self.starts]
        games = [start.games for start in self.starts]
        total = sum(games)
        rate = sum(counts) / total if total else 0.0
        return Share(rate, clustered_games(counts, games) if total else 0.0, total)


def rotated_score(records: Iterable[GameRecord], agent: str, *opponents: str, sides: Sequence[int] = ()) -> SeatsScore:
    """An agent's score against copies of each of the others, over all sides it had.

    Without `sides` every seat plays alone. All agents play the same starts, so all the agent's games from one start are
    kept together.
    """
    starts: dict[Hashable, Score] = defaultdict(Score)
    for record in records:
        seats = record.pairing.seats
        shared = sides or range(len(seats))
        ways = [seated(shared, side, agent, opponent) for side in set(shared) for opponent in opponents]
        if seats in ways:
            starts[start_of(record)] += outcome_of(record, seats.index(agent))
    return SeatsScore(tuple(starts.values()))


def outcome_of(record: GameRecord, seat: int) -> Score:
    """A game as a seat sees it: won if nobody has more and somebody has less, drawn if all have the same."""
    mine, most, least = record.returns[seat], max(record.returns), min(record.returns)
    if most == least:
        return Score(draws=1)
    return Score(wins=1) if mine == most else Score(losses=1)
