"""How many of a paper's figures a run reproduced or claims it confirmed, and how its size compares with the paper's."""

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
_NEARLY = Fraction(1, 100)
"""How far a reciprocal may be from a whole number, relative to it, to be written as one."""


@dataclass(frozen=True)
class Counts:
    """Figures or claims, counted by what became of them."""

    sizes: tuple[int, int, int] = (0, 0, 0)
    """How many are reproduced, undecided, differ; of claims: confirmed, undecided, contradicted."""
    winners: tuple[int, int, int] | None = None
    """How many have the same winner, are undecided, have the other winner; None where a half separates nobody."""

    @property
    def total(self) -> int:
        """How many were compared."""
        return sum(self.sizes)


@dataclass(frozen=True)
class Tally:
    """Figures, or claims, of one reading at one budget."""

    reading: str
    budget: str
    """Relative to the paper's; see `relative_budget`."""
    games: tuple[int, int]
    """The fewest and the most of a cell."""
    paper_games: int
    counts: Counts
    """Those that are not at the ceiling."""
    ceiling: Counts = Counts()
    """Figures at the ceiling, counted apart: a stronger player can't win much more there."""
    claims: bool = False
    """Whether these are claims ('wins at least half', 'is best') and not figures."""

    @property
    def games_text(self) -> str:
        """The number of games, or the range of it."""
        least, most = self.games
        return f"{least}" if least == most else f"{least} to {most}"

    def sentence(self, names_reading: bool = True) -> str:
        """The counts in words; the reading is left out where there is only one."""
        where = "the paper's budget" if self.budget == PAPERS_BUDGET else f"a budget of {self.budget}"
        reading = f"{self.reading} reading " if names_reading else ""
        return f"{reading}at {where}: {self._claims_text() if self.claims else self._figures_text()}"

    def _claims_text(self) -> str:
        confirmed, undecided, contradicted = self.counts.sizes
        parts = [f"{confirmed} of {self.counts.total} claims confirmed"]
        parts += [f"{undecided} undecided"] * bool(undecided)
        parts += [f"{contradicted} contradicted"] * bool(contradicted)
        return ", ".join(parts)

    def _figures_text(self) -> str:
        apart = bool(self.ceiling.total)
        if not self.counts.total:
            return f"at the ceiling {_counted(self.ceiling, 'figures reproduced')}"
        told = _counted(self.counts, "figures off the ceiling reproduced" if apart else "figures reproduced")
        return f"{told} (at the ceiling: {_counted(self.ceiling, 'reproduced')})" if apart else told


def _counted(counts: Counts, what: str) -> str:
    reproduced, undecided, differs = counts.sizes
    parts = [f"{reproduced} of {counts.total} {what}"]
    parts += [f"{undecided} undecided"] * bool(undecided)
    parts += [f"{differs} {'differs' if differs == 1 else 'differ'}"] * bool(differs)
    if counts.winners is not None:
        same, _, other = counts.winners
        parts.append(f"{same} with the same winner")
        parts += [f"{other} with the other winner"] * bool(other)
    return ", ".join(parts)


@dataclass(frozen=True)
class Judgement:
    """What became of one figure."""

    size: str
    """One of `SIZES`."""
    winner: str | None = None
    """One of `WINNERS`; None where a half separates nobody."""
    at_ceiling: bool = False
    """Whether the paper's figure is at least 90 % or at most 10 %."""


def tally(
    reading: str,
    budget: str,
    games: Sequence[int],
    paper_games: int,
    judged: Sequence[Judgement],
    claims: bool = False,
) -> Tally:
    """Count judgements, those on figures at the ceiling apart."""
    off, at = ([one for one in judged if one.at_ceiling is ceiling] for ceiling in (False, True))
    return Tally(reading, budget, (min(games), max(games)), paper_games, _counts(off), _counts(at), claims)


def _counts(judged: Sequence[Judgement]) -> Counts:
    sizes, winners = Counter(one.size for one in judged), Counter(one.winner for one in judged)
    return Counts(
        (sizes[REPRODUCED], sizes[UNDECIDED], sizes[DIFFERS]),
        None if winners[None] else (winners[SAME_WINNER], winners[UNDECIDED], winners[OTHER_WINNER]),
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
            return f"{_short(ratio)} of {PAPERS_BUDGET}"
    return f"{one} a turn" if one.ms is None else f"{one} of real time"


def is_illustration(ours: str, paper: str) -> bool:
    """Whether ours is a budget of real time where the paper's is counted work: it differs from machine to machine."""
    return Budget.parse(ours).ms is not None and Budget.parse(paper).ms is None


def _short(ratio: Fraction) -> str:
    """A ratio as a fraction where that is exact or nearly so, else with three digits."""
    if ratio.numerator < 10 and ratio.denominator < 100:
        return str(ratio)
    whole = round(1 / ratio)
    if whole > 1 and abs(1 / ratio - whole) < _NEARLY * whole:
        return f"1/{whole}"
    return f"{float(ratio):.3g}"
