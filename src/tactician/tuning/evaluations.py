"""Evaluations on a crew: values in the order in which their points were submitted, whichever is ready first.

An evaluation is one call, or several if the evaluator can be divided; the calls of several evaluations run side by
side. What happens when a worker dies is the crew's policy (`tactician.arena.crew`).
"""

from __future__ import annotations

from collections import deque
from dataclasses import dataclass, field
from types import TracebackType
from typing import Any

from tactician.arena.crew import Crew
from tactician.tuning.space import Point


@dataclass(eq=False)
class _Evaluation:
    point: Point
    calls: int
    """How many calls it is divided into."""
    results: dict[int, Any] = field(default_factory=dict)
    """The results so far, by the number of their call."""


@dataclass(frozen=True)
class _Part:
    """One call of an evaluation, as messages name it."""

    evaluation: _Evaluation
    number: int

    def __str__(self) -> str:
        return f"an evaluation of {self.evaluation.point}"


class Evaluations:
    """Evaluates points; workers are started when the first value is asked for."""

    def __init__(self, evaluator: Any, jobs: int = 1, cluster: str | None = None) -> None:
        self._evaluator = evaluator
        self._crew = Crew(jobs, cluster)
        self._waiting: deque[_Evaluation] = deque()
        self._warm = False

    def __enter__(self) -> Evaluations:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._crew.dismiss()

    def submit(self, point: Point, seed: int) -> None:
        """Queue a point."""
        divided = getattr(self._evaluator, "calls", None)
        calls = divided(point, seed) if divided is not None else [(self._evaluator, point, seed)]
        evaluation = _Evaluation(point, len(calls))
        self._waiting.append(evaluation)
        for number, (function, *arguments) in enumerate(calls):
            self._crew.submit(_Part(evaluation, number), function, *arguments)

    def next(self) -> Any:
        """The value of the oldest point that was submitted and not returned yet."""
        evaluation = self._waiting[0]
        if not self._warm and not self._crew.inline:
            getattr(self._evaluator, "warm", lambda: None)()
            self._warm = True
        while len(evaluation.results) < evaluation.calls:
            part, result = self._crew.next()
            part.evaluation.results[part.number] = result
        self._waiting.popleft()
        results = [evaluation.results[number] for number in range(evaluation.calls)]
        combine = getattr(self._evaluator, "combine", None)
        return combine(results) if combine is not None else results[0]
