"""How many of a paper's printed figures a run reproduced, and how its size compares with the paper's."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction

from tactician.seats.budget import Budget

REPRODUCED, UNDECIDED, DIFFERS = "reproduced", "undecided", "differs"
SIZES = (REPRODUCED, UNDECIDED, DIFFERS)
SAME_WINNER, OTHER_WINNER = "same winner", "other winner"
WINNERS = (SAME_WINNER, UNDECIDED, OTHER_WINNER)
CEILING = 0.9
"""From this rate on, or below the rest, a figure says little: a stronger player can't win much more."""

PAPERS_BUDGET = "the paper's"


@dataclass(frozen=True)
class Tally:
    """Figures of one reading at one budget, counted by what became of them."""

    reading: str
    budget: str
    """Relative to the paper's; see `relative_budget`."""
    games: tuple[int, int]
    """The fewest and the most of a cell."""
    paper_games: int
    sizes: tuple[int, int, int]
    """How many figures are reproduced, undecided, differ."""
    winners: tuple[int, int, int] | None
    """How many have the same winner, are undecided, have the other winner; None where a half separates nobody."""
    ceiling: tuple[int, int]
    """How many of the figures at the ceiling are reproduced, and how many there are."""

    @property
    def figures(self) -> int:
        """How many were compared."""
        return sum(self.sizes)

    @property
    def games_text(self) -> str:
        """The number of games, or the range of it."""
        least, most = self.games
        return f"{least}" if least == most else f"{least} to {most}"

    def sentence(self, names_reading: bool = True) -> str:
        """The counts in words; the reading is left out where there is only one."""
        reproduced, undecided, differs = self.sizes
        parts = [f"{reproduced} of {self.figures} figures reproduced"]
        parts += [f"{undecided} undecided"] * bool(undecided)
        parts += [f"{differs} {'differs' if differs == 1 else 'differ'}"] * bool(differs)
        if self.winners is not None:
            same, _, other = self.winners
            parts.append(f"{same} with the same winner")
            parts += [f"{other} with the other winner"] * bool(other)
        where = "the paper's budget" if self.budget == PAPERS_BUDGET else f"a budget of {self.budget}"
        reading = f"{self.reading} reading " if names_reading else ""
        return f"{reading}at {where}: {', '.join(parts)}"


@dataclass(frozen=True)
class Judgement:
    """What became of one figure."""

    size: str
    """One of `SIZES`."""
    winner: str | None = None
    """One of `WINNERS`; None where a half separates nobody."""
    at_ceiling: bool = False
    """Whether the paper's figure is at least 90 % or at most 10 %."""


def tally(reading: str, budget: str, games: Sequence[int], paper_games: int, judged: Sequence[Judgement]) -> Tally:
    """Count judgements."""
    sizes, winners = Counter(one.size for one in judged), Counter(one.winner for one in judged)
    ceiling = [one for one in judged if one.at_ceiling]
    return Tally(
        reading,
        budget,
        (min(games), max(games)),
        paper_games,
        (sizes[REPRODUCED], sizes[UNDECIDED], sizes[DIFFERS]),
        None if winners[None] else (winners[SAME_WINNER], winners[UNDECIDED], winners[OTHER_WINNER]),
        (sum(one.size == REPRODUCED for one in ceiling), len(ceiling)),
    )


def is_at_ceiling(rate: float) -> bool:
    """Whether a figure is at least 90 % or at most 10 %."""
    return rate >= CEILING or rate <= 1 - CEILING


def relative_budget(ours: str, paper: str) -> str:
    """Our budget in terms of the paper's, as far as they are of the same kind."""
    one, other = Budget.parse(ours), Budget.parse(paper)
    for mine, theirs in zip(vars(one).values(), vars(other).values(), strict=True):
        if mine is not None and theirs is not None:
            ratio = Fraction(mine) / Fraction(theirs)
            if ratio == 1:
                return PAPERS_BUDGET
            short = ratio if ratio.numerator < 10 and ratio.denominator < 100 else f"{float(ratio):.3g}"
            return f"{short} of {PAPERS_BUDGET}"
    return f"{one} a turn" if one.ms is None else f"{one} of real time"
