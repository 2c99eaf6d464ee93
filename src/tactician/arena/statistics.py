"""What a number of games says: win percentages with intervals that are honest about how few they are."""

from __future__ import annotations

from dataclasses import dataclass

from scipy.stats import norm


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

    def interval(self, confidence: float = 0.95) -> tuple[float, float]:
        """Where the true rate lies."""
        return wilson_interval(self.points, self.games, confidence)

    def __add__(self, other: Score) -> Score:
        return Score(self.wins + other.wins, self.draws + other.draws, self.losses + other.losses)

    def reversed(self) -> Score:
        """The same games from the other side."""
        return Score(self.losses, self.draws, self.wins)


def wilson_interval(points: float, games: int, confidence: float = 0.95) -> tuple[float, float]:
    """The score interval for a proportion: unlike the textbook one it is right for few games and near 0 or 1.

    Draws count as half points; a game with draws varies less than one without, so the interval errs on the wide side.
    """
    if games == 0:
        return 0.0, 1.0
    z = float(norm.ppf(0.5 + confidence / 2))
    rate = points / games
    scale = 1 + z * z / games
    middle = (rate + z * z / (2 * games)) / scale
    reach = z / scale * (rate * (1 - rate) / games + z * z / (4 * games * games)) ** 0.5
    return max(0.0, middle - reach), min(1.0, middle + reach)
