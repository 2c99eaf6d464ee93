"""NTBEA, the n-tuple bandit evolutionary algorithm (Lucas et al. 2018), as Montoliu et al. 2020 use it.

An evaluation is expensive and noisy, so nothing is evaluated twice on purpose: the current point is evaluated once, all
bandits learn from it, and of 100 mutated neighbours the one with the highest upper confidence bound is next. What is
recommended is the visited point with the highest mean over all bandits.

With a width of k the search does not wait for the last k - 1 values: point i is chosen knowing the values of the points
up to i - k, and those in between count as visited without a value. Values are taken in the order in which their points
were chosen, whenever they arrive, so a run depends on its width but never on timing.
"""

from __future__ import annotations

import math
from collections import deque
from collections.abc import Callable
from dataclasses import KW_ONLY, dataclass
from pathlib import Path
from typing import Any, NamedTuple, Protocol

import numpy as np
from numpy.typing import NDArray

from tactician.errors import InvalidParameterError, short
from tactician.tuning.evaluations import Evaluations
from tactician.tuning.journal import entry_of, open_journal
from tactician.tuning.landscape import Estimate, Landscape, LandscapeTables
from tactician.tuning.space import Point, Space

_CHOICE, _EVALUATION = 1, 2
"""What a random stream is for."""


class Evaluator(Protocol):
    """Judges a point, noisily: the same seed gives the same value, from 0 to 1.

    One that can be divided has `calls(point, seed)`, a list of functions with their arguments that run side by side,
    and `combine(results)`. `check(space)` refuses a space, `warm()` compiles before processes start, and `to_json()`
    is what identifies the evaluator in a journal; all are optional.
    """

    def __call__(self, point: Point, seed: int, /) -> float:
        """The value."""


class Recommendation(NamedTuple):
    """What was recommended after a number of evaluations."""

    evaluations: int
    best: Estimate

    def to_json(self) -> dict[str, Any]:
        """The recommendation as a document."""
        return {"evaluations": self.evaluations, **self.best.to_json()}


@dataclass(frozen=True)
class NTBEA:
    """The parameters of a search; `run` carries it out, `begin` leaves the loop to the caller."""

    space: Space
    _: KW_ONLY
    seed: int = 0
    """Decides every random choice and the seeds of all evaluations."""
    exploration: float = 2.0
    """C, from 0: how much arms with few evaluations are favoured. The paper leaves it open; the default is ours."""
    epsilon: float = 0.5
    """Above 0: keeps the bonus of an arm without evaluations finite. Open in the paper; the default is ours."""
    neighbours: int = 100
    """Mutated copies of the current point to choose the next one from; the paper's number."""
    mutation: float = 0.1
    """The probability, 0 to 1, that a parameter changes in a neighbour; the paper's. At least one always does."""
    width: int = 1
    """Evaluations that run side by side."""
    every: int = 100
    """Evaluations between two entries of the history."""

    def __post_init__(self) -> None:
        if not isinstance(self.space, Space):
            object.__setattr__(self, "space", Space(self.space))
        self._require("exploration", 0 <= self.exploration < math.inf, "a number from 0")
        self._require("epsilon", 0 < self.epsilon < math.inf, "a number above 0")
        self._require("mutation", 0 <= self.mutation <= 1, "a number from 0 to 1")
        self._require("seed", isinstance(self.seed, int) and self.seed >= 0, "a whole number from 0")
        for name in ("neighbours", "width", "every"):
            self._require(name, isinstance(getattr(self, name), int) and getattr(self, name) >= 1, "at least 1")

    def begin(self) -> Tuning:
        """A search that has done nothing yet."""
        return Tuning(self)

    def run(
        self,
        evaluator: Evaluator,
        evaluations: int,
        jobs: int = 1,
        cluster: str | None = None,
        out: str | Path | None = None,
        on_progress: Callable[[Tuning], None] | None = None,
    ) -> Tuning:
        """Search until there are `evaluations`; with `out` a journal is kept, and the same call resumes.

        `jobs` is the number of processes, `cluster` a Dask scheduler to use instead; neither changes the outcome.
        `on_progress` is called before every evaluation and at the end.
        """
        if evaluations < 1:
            raise InvalidParameterError(f"evaluations is {evaluations}; expected at least 1.")
        check = getattr(evaluator, "check", None)
        if check is not None:
            check(self.space)
        identity = {**self.to_json(), "evaluator": _identity(evaluator)}
        tuning = self.begin()
        with open_journal(out, identity, self.space) as journal, Evaluations(evaluator, jobs, cluster) as working:
            known = journal.entries[:evaluations]
            while tuning.evaluations < evaluations:
                while tuning.may_propose and tuning.chosen < evaluations:
                    number = tuning.chosen
                    if number < len(known):
                        tuning.choose(known[number][0])
                    else:
                        working.submit(tuning.propose(), self.evaluation_seed(number))
                if tuning.evaluations < len(known):
                    tuning.tell(known[tuning.evaluations][1])
                    continue
                if on_progress:
                    on_progress(tuning)
                value = _checked(working.next())
                journal.add(entry_of(tuning.evaluations, self.space.point(tuning.pending[0]), value))
                tuning.tell(value)
        if on_progress:
            on_progress(tuning)
        return tuning

    def stream(self, number: int) -> np.random.Generator:
        """The random choices that lead to one point: the same for the same seed and number."""
        return np.random.default_rng([self.seed, number, _CHOICE])

    def evaluation_seed(self, number: int) -> int:
        """The seed of one evaluation."""
        return int(np.random.SeedSequence([self.seed, number, _EVALUATION]).generate_state(1)[0])

    def to_json(self) -> dict[str, Any]:
        """Everything that decides the course of the search."""
        names = ("seed", "exploration", "epsilon", "neighbours", "mutation", "width")
        return {"space": self.space.to_json(), **{name: getattr(self, name) for name in names}}

    def _require(self, name: str, condition: bool, expected: str) -> None:
        if not condition:
            raise InvalidParameterError(f"{name} is {getattr(self, name)!r}; expected {expected}.")


class Tuning:
    """A search under way: propose a point, tell its value, ask for the best at any time."""

    def __init__(self, search: NTBEA) -> None:
        self.search = search
        self.landscape = Landscape(search.space)
        self.history: list[Recommendation] = []
        """What was recommended every 100 evaluations."""
        self.pending: deque[tuple[int, ...]] = deque()
        """Points without a value yet, the oldest first."""
        self.evaluations = 0
        self._current: tuple[int, ...] = ()

    @property
    def chosen(self) -> int:
        """How many points were proposed."""
        return self.evaluations + len(self.pending)

    @property
    def may_propose(self) -> bool:
        """Whether another point may be proposed before a value is known."""
        return len(self.pending) < self.search.width

    def propose(self) -> Point:
        """The next point to evaluate."""
        if not self.may_propose:
            raise InvalidParameterError(
                f"{len(self.pending)} points are without a value, as many as the width; tell one first."
            )
        search, sizes = self.search, self.search.space.sizes
        rng = search.stream(self.chosen)
        if self.chosen == 0:
            return self._take(tuple(rng.integers(sizes).tolist()))
        near = neighbours(rng, np.array(self._current, np.intp), sizes, search.neighbours, search.mutation)
        bounds = self.landscape.ucb(near, search.exploration, search.epsilon)
        highest = np.flatnonzero(bounds >= bounds.max() - 1e-12)
        return self._take(tuple(near[rng.choice(highest)].tolist()))

    def choose(self, point: Point) -> None:
        """Take this point instead of the one that would be proposed."""
        self._take(self.search.space.row(point))

    def tell(self, value: float) -> None:
        """The value of the oldest point that has none."""
        if not self.pending:
            raise InvalidParameterError("a value was given without a point; propose one first.")
        self.landscape.learn(self.pending[0], _checked(value))
        self.pending.popleft()
        self.evaluations += 1
        if self.evaluations % self.search.every == 0:
            self.history.append(Recommendation(self.evaluations, self.recommendation))

    @property
    def recommendation(self) -> Estimate:
        """The visited point with the highest mean over all bandits."""
        if not self.evaluations:
            raise InvalidParameterError("no point has a value yet; there is nothing to recommend.")
        return self.landscape.best()[0]

    def best(self, most: int = 10) -> list[Estimate]:
        """The visited points with the highest means over all bandits."""
        return self.landscape.best(most)

    def evolution(self) -> list[Recommendation]:
        """The history, and what is recommended now."""
        if not self.evaluations or (self.history and self.history[-1].evaluations == self.evaluations):
            return list(self.history)
        return [*self.history, Recommendation(self.evaluations, self.recommendation)]

    def tables(self) -> LandscapeTables:
        """What the bandits of singles and pairs have seen."""
        return self.landscape.tables(self.recommendation.point)

    def to_json(self) -> dict[str, Any]:
        """The outcome as one document."""
        best = self.recommendation
        return {
            "recommended": best.point,
            "value": best.value,
            "mean": best.mean,
            "visits": best.visits,
            "evaluations": self.evaluations,
            "history": [entry.to_json() for entry in self.history],
            "best": [estimate.to_json() for estimate in self.best()],
            **self.search.to_json(),
        }

    def _take(self, row: tuple[int, ...]) -> Point:
        self.landscape.choose(row)
        self.pending.append(row)
        self._current = row
        return self.search.space.point(row)


def neighbours(
    rng: np.random.Generator, row: NDArray[np.intp], sizes: NDArray[np.intp], count: int, mutation: float
) -> NDArray[np.intp]:
    """Mutated copies of a point: each parameter gets another value with this probability, at least one always does."""
    free = np.flatnonzero(sizes > 1)
    changed = rng.random((count, len(free))) < mutation
    still = np.flatnonzero(~changed.any(axis=1))
    changed[still, rng.integers(len(free), size=len(still))] = True
    steps = rng.integers(1, sizes[free], size=changed.shape)
    near = np.tile(row, (count, 1))
    near[:, free] = (near[:, free] + steps * changed) % sizes[free]
    return near


def _checked(value: Any) -> float:
    if isinstance(value, bool) or not isinstance(value, int | float | np.number) or not 0 <= value <= 1:
        raise InvalidParameterError(f"an evaluation gave {short(value)}; expected a number from 0 to 1.")
    return float(value)


def _identity(evaluator: Any) -> Any:
    described = getattr(evaluator, "to_json", None)
    return described() if described is not None else None
