"""How long a planner may think about one turn: time, evaluations, iterations (also per action), or reference work."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import lru_cache

from tactician.errors import InvalidBudgetError, short

_UNITS = {
    "ms": ("ms", 1.0),
    "s": ("ms", 1000.0),
    "evals": ("evaluations", 1.0),
    "its": ("iterations", 1.0),
    "its/action": ("iterations_per_action", 1.0),
}
MOST_COUNTED = 10**15
"""The most evaluations or iterations: years of them, and kernels count in 64 bits."""
_FORM = re.compile(r"(ref:)?\s*(\d+(?:\.\d+)?)\s*(ms|s|evals|its/action|its)")


@dataclass(frozen=True)
class Budget:
    """Exactly one of the five is set.

    An evaluation is one call of the evaluation function, wherever in the search; an iteration is the planner's own
    unit: a generation, a simulation, a leaf, a turn. Reference work is the number of iterations that the papers' code
    did in that many milliseconds: equal time on its terms, whatever has become faster since. Iterations per action are
    multiplied by the length of the list of actions that the planner considers, the longest one where all act at once.
    """

    ms: float | None = None
    evaluations: int | None = None
    iterations: int | None = None
    reference_ms: float | None = None
    iterations_per_action: float | None = None

    def __post_init__(self) -> None:
        given = {name: value for name, value in vars(self).items() if value is not None}
        if len(given) != 1:
            raise InvalidBudgetError(
                f"budget has {', '.join(given) or 'nothing'} set; "
                "expected one of ms, evaluations, iterations, reference_ms, iterations_per_action."
            )
        name, value = next(iter(given.items()))
        if isinstance(value, bool) or not isinstance(value, (int, float)) or not 0 < value < float("inf"):
            raise InvalidBudgetError(f"budget {name} is {short(value)}; expected a positive number.")
        if name in ("evaluations", "iterations"):
            if value != int(value):
                raise InvalidBudgetError(f"budget {name} is {value!r}; expected a whole number.")
            if value > MOST_COUNTED:
                raise InvalidBudgetError(f"budget {name} is {short(value)}; expected at most {MOST_COUNTED}.")

    @classmethod
    def parse(cls, text: str | Budget) -> Budget:
        """Read '200ms', '1.5s', '500evals', '100its', '4its/action' or 'ref:200ms'."""
        if isinstance(text, Budget):
            return text
        if not isinstance(text, str):
            raise _unreadable(text)
        return _read(text)

    @property
    def counted(self) -> bool:
        """Whether the same seed gives the same plan: true of everything but time."""
        return self.ms is None

    def with_actions(self, longest_list: int) -> Budget:
        """The budget where iterations per action are iterations, given the length of the list."""
        if self.iterations_per_action is None:
            return self
        return Budget(iterations=max(1, round(self.iterations_per_action * longest_list)))

    def __str__(self) -> str:
        if self.ms is not None:
            return f"{self.ms:.15g}ms"
        if self.reference_ms is not None:
            return f"ref:{self.reference_ms:.15g}ms"
        if self.iterations_per_action is not None:
            return f"{self.iterations_per_action:.15g}its/action"
        return f"{self.evaluations}evals" if self.evaluations is not None else f"{self.iterations}its"


@lru_cache
def _read(text: str) -> Budget:
    match = _FORM.fullmatch(text.strip().lower())
    if match is None:
        raise _unreadable(text)
    name, factor = _UNITS[match[3]]
    number = float(match[2]) * factor
    if match[1]:
        if name != "ms":
            raise InvalidBudgetError(f"budget is {short(text)}; reference work is given as time, e.g. ref:200ms.")
        return Budget(reference_ms=number)
    if name == "ms":
        return Budget(ms=number)
    if name == "iterations_per_action":
        return Budget(iterations_per_action=number)
    whole = _whole(number, text)
    return Budget(evaluations=whole) if name == "evaluations" else Budget(iterations=whole)


def _unreadable(text: object) -> InvalidBudgetError:
    examples = "200ms, 2s, 500evals, 100its, 4its/action or ref:200ms"
    return InvalidBudgetError(f"budget is {short(text)}; expected e.g. {examples}.")


def _whole(number: float, text: str) -> int:
    if not number.is_integer():
        raise InvalidBudgetError(f"budget is {short(text)}; expected a whole number of evaluations or iterations.")
    return int(number)
