"""Claims of a paper without a printed figure: at least so many wins, no difference, or that one setting is best."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal

from tactician.arena.statistics import MARGIN, ScoreLike, difference_interval
from tactician.experiments.tally import DIFFERS, REPRODUCED, UNDECIDED

ClaimVerdict = Literal["holds", "agrees", "below", "contradicts"]

CLAIM_JUDGEMENTS = {"holds": REPRODUCED, "agrees": UNDECIDED, "below": UNDECIDED, "contradicts": DIFFERS}
"""What a claim's verdict counts as."""

AT_LEAST_HALF = (
    "The claim *holds* where our 95 % interval lies at or above 50 %, *agrees* where only our rate does, is *below* "
    "where only some of the interval does, and is *contradicted* where the interval lies below."
)
"""The note of an experiment whose cells claim that a variant is not worse than another."""

NO_DIFFERENCE = (
    "The claim of no difference (*level*) *holds* where our 95 % interval contains 50 % and lies within ±12 points of "
    "it, *agrees* where it contains 50 % and reaches farther, and is *contradicted* where it leaves 50 % out."
)
"""The note of an experiment with such a claim."""

Best = Literal["best"]
"""The claim that a cell is the best one of its experiment."""
BEST: Best = "best"
Level = Literal["level"]
"""The claim that a match makes no significant difference."""
LEVEL: Level = "level"
_EVEN = 0.5
WORSE, OPEN = "worse", "not told from the best"


def claim_verdict(score: ScoreLike, claim: float) -> ClaimVerdict:
    """What our games say about 'at least `claim`'.

    - *holds*: the 95 % interval lies at or above it;
    - *agrees*: the rate does, but not all of the interval;
    - *below*: the rate does not, but some of the interval does;
    - *contradicts*: the interval lies below it.
    """
    low, high = score.interval()
    if score.rate >= claim:
        return "holds" if low >= claim else "agrees"
    return "below" if high >= claim else "contradicts"


def level_verdict(score: ScoreLike) -> ClaimVerdict:
    """What our games say about 'no significant difference'.

    - *holds*: the 95 % interval contains 50 % and lies within ±12 points of it;
    - *agrees*: it contains 50 % and reaches farther;
    - *contradicts*: it leaves 50 % out.
    """
    low, high = score.interval()
    if not low <= _EVEN <= high:
        return "contradicts"
    return "holds" if low >= _EVEN - MARGIN and high <= _EVEN + MARGIN else "agrees"


def best_verdicts(scores: Sequence[ScoreLike]) -> list[str]:
    """For each of several scores: whether it is the best, significantly worse, or can't be told from the best.

    Which one is best was not known before, so the intervals account for all pairs that could have been compared.
    """
    if len(scores) < 2 or not all(score.games for score in scores):
        return [""] * len(scores)
    best = max(range(len(scores)), key=lambda place: scores[place].rate)
    pairs = len(scores) * (len(scores) - 1) // 2

    def verdict(place: int) -> str:
        if place == best:
            return BEST
        low, _ = difference_interval(scores[best], scores[place], 1 - 0.05 / pairs)
        return WORSE if low > 0 else OPEN

    return [verdict(place) for place in range(len(scores))]


def best_judgement(claimed: str, verdicts: Sequence[str]) -> str:
    """What becomes of the claim that one setting is best, given its own verdict and those of all cells."""
    if claimed == WORSE:
        return DIFFERS
    return REPRODUCED if claimed == BEST and OPEN not in verdicts else UNDECIDED


def best_conclusion(reading: str, verdicts: Sequence[tuple[str, str]]) -> str:
    """The verdicts of one reading, given as cells and words, in a sentence; empty if there are none."""
    named = {word: [cell for cell, verdict in verdicts if verdict == word] for word in (BEST, WORSE, OPEN)}
    if not named[BEST]:
        return ""
    worse, open_ = ", ".join(named[WORSE]) or "none", ", ".join(named[OPEN]) or "none"
    return (
        f"{reading} reading: {named[BEST][0]} is best; significantly worse: {worse}; not told from the best: {open_} "
        "(95 %, corrected for all pairs)."
    )
