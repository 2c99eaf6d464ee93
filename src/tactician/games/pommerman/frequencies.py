"""Compare two histograms of random decisions with exact tests.

For each action, Fisher's exact test compares how often it was chosen in the recorded decisions and in ours: given how
often it was chosen altogether, the number of recorded choices has a hypergeometric distribution if both come from the
same distribution. The p-value of a step is the least of these, times the number of actions that were chosen at all
(Bonferroni). An action that few recorded decisions happen not to contain is nothing special: it counts as any other
difference of frequencies. The chi-squared test is no substitute: with expected counts below 1 its p-values are far too
small.
"""

from __future__ import annotations

from collections.abc import Sequence

from scipy.stats import hypergeom


def p_value(recorded: Sequence[int], ours: Sequence[int]) -> float:
    """Return the probability that equal distributions differ as much as these two histograms, at most."""
    totals = sum(recorded), sum(ours)
    chosen = [(a, a + b) for a, b in zip(recorded, ours, strict=True) if a + b]
    if len(chosen) < 2:
        return 1.0
    least = 1.0
    for count, both in chosen:
        distribution = hypergeom(sum(totals), both, totals[0])
        least = min(least, 2 * distribution.cdf(count), 2 * distribution.sf(count - 1))
    return min(1.0, len(chosen) * float(least))
