"""What a paper says without a figure: that a planner wins at least so often, or that one setting is best."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any, Literal

from tactician.arena.statistics import ScoreLike, difference_interval
from tactician.experiments.base import Cell, Experiment, Outcome

ClaimVerdict = Literal["holds", "agrees", "below", "contradicts"]

BEST, WORSE, OPEN = "best", "worse", "not told from the best"


@dataclass(frozen=True)
class ClaimedCell(Cell):
    """A cell of which the paper says only how often the first planner wins at least."""

    claim: float = field(kw_only=True)


def claim_verdict(score: ScoreLike, claim: float) -> ClaimVerdict:
    """What our games say about 'at least so often'.

    - *holds*: the 95 % interval lies at or above it;
    - *agrees*: the rate does, but not all of the interval;
    - *below*: the rate does not, but some of the interval does;
    - *contradicts*: the interval lies below it.
    """
    low, high = score.interval()
    if score.rate >= claim:
        return "holds" if low >= claim else "agrees"
    return "below" if high >= claim else "contradicts"


@dataclass(frozen=True)
class BestOf(Experiment):
    """An experiment in which the paper found one cell best, and printed no figures."""

    best: str = field(kw_only=True)
    """The name of that cell."""

    def verdicts(self, outcomes: Sequence[Outcome]) -> list[str]:
        """For each outcome: whether it is the best of its reading, worse than that, or can't be told from it.

        Which one is best was not known before, so the intervals account for all pairs that could have been compared.
        """
        found = []
        for outcome in outcomes:
            rivals = [other for other in outcomes if (other.preset, other.budget) == (outcome.preset, outcome.budget)]
            best = max(rivals, key=lambda other: other.score.rate)
            if len(rivals) < 2 or not all(other.score.games for other in rivals):
                found.append("")
            elif best is outcome:
                found.append(BEST)
            else:
                pairs = len(rivals) * (len(rivals) - 1) // 2
                low, _ = difference_interval(best.score, outcome.score, 1 - 0.05 / pairs)
                found.append(WORSE if low > 0 else OPEN)
        return found

    def conclusion(self, outcomes: Sequence[Outcome]) -> str:
        """The same in a sentence for each reading."""
        said = []
        verdicts = self.verdicts(outcomes)
        for preset in dict.fromkeys(outcome.preset for outcome in outcomes):
            named: dict[str, list[str]] = {BEST: [], WORSE: [], OPEN: []}
            for outcome, verdict in zip(outcomes, verdicts, strict=True):
                if outcome.preset == preset and verdict:
                    named[verdict].append(outcome.cell.name)
            if named[BEST]:
                worse, open_ = ", ".join(named[WORSE]) or "none", ", ".join(named[OPEN]) or "none"
                said.append(
                    f"Ours, {preset} reading: {named[BEST][0]} is best; significantly worse: {worse}; "
                    f"not to be told from it: {open_} (95 %, all pairs in view)."
                )
        return " ".join(said)


def claim_of(experiment: Experiment, outcome: Outcome) -> dict[str, Any]:
    """What the paper claims of a cell, for a results file."""
    if isinstance(outcome.cell, ClaimedCell):
        return {"claim": outcome.cell.claim}
    if isinstance(experiment, BestOf) and outcome.cell.name == experiment.best:
        return {"claim": BEST}
    return {}


def verdicts_of(experiment: Experiment, outcomes: Sequence[Outcome]) -> list[str]:
    """A word for each outcome: on the paper's figure, or on its claim."""
    if isinstance(experiment, BestOf):
        return experiment.verdicts(outcomes)
    return [
        claim_verdict(outcome.score, outcome.cell.claim)
        if isinstance(outcome.cell, ClaimedCell) and outcome.score.games
        else outcome.verdict
        for outcome in outcomes
    ]
