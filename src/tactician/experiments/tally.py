"""How many of a paper's printed figures a run reproduced, and how its size compares with the paper's."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from fractions import Fraction

from tactician.seats.budget import Budget

REPRODUCED, SAME_WINNER, UNDECIDED, DIFFERS = "reproduced", "same winner", "undecided", "differs"
JUDGEMENTS = (REPRODUCED, SAME_WINNER, UNDECIDED, DIFFERS)

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
    counts: tuple[int, int, int, int]
    """How many figures are reproduced, have the same winner, are undecided, differ."""

    @property
    def figures(self) -> int:
        """How many were compared."""
        return sum(self.counts)

    @property
    def games_text(self) -> str:
        """The number of games, or the range of it."""
        least, most = self.games
        return f"{least}" if least == most else f"{least} to {most}"

    def sentence(self, names_reading: bool = True) -> str:
        """The counts in words; the reading is left out where there is only one."""
        reproduced, same, undecided, differs = self.counts
        parts = [f"{reproduced} of {self.figures} figures reproduced"]
        parts += [f"{same} with the same winner"] * bool(same)
        parts += [f"{undecided} undecided"] * bool(undecided)
        parts += [f"{differs} {'differs' if differs == 1 else 'differ'}"] * bool(differs)
        where = "the paper's budget" if self.budget == PAPERS_BUDGET else f"a budget of {self.budget}"
        reading = f"{self.reading} reading " if names_reading else ""
        return f"{reading}at {where}: {', '.join(parts)}"


def tally(reading: str, budget: str, games: Sequence[int], paper_games: int, judgements: Iterable[str]) -> Tally:
    """Count judgements, each one of `JUDGEMENTS`."""
    found = Counter(judgements)
    counts = (found[REPRODUCED], found[SAME_WINNER], found[UNDECIDED], found[DIFFERS])
    return Tally(reading, budget, (min(games), max(games)), paper_games, counts)


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
