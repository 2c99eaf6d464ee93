"""How long a planner may think about one turn: milliseconds, evaluations or iterations."""

from __future__ import annotations

import re
from dataclasses import dataclass

from tactician.errors import InvalidBudgetError

_UNITS = {
    "ms": ("ms", 1.0),
    "s": ("ms", 1000.0),
    "evals": ("evaluations", 1.0),
    "its": ("iterations", 1.0),
}
_FORM = re.compile(r"(\d+(?:\.\d+)?)\s*(ms|s|evals|its)")


@dataclass(frozen=True)
class Budget:
    """Exactly one of the three is set.

    An evaluation is one call of the evaluation function, wherever in the search; an iteration is the planner's own
    unit: a generation, a simulation, a leaf, a turn.
    """

    ms: float | None = None
    evaluations: int | None = None
    iterations: int | None = None

    def __post_init__(self) -> None:
        given = {name: value for name, value in vars(self).items() if value is not None}
        if len(given) != 1:
            raise InvalidBudgetError(
                f"budget has {', '.join(given) or 'nothing'} set; expected one of ms, evaluations, iterations."
            )
        name, value = next(iter(given.items()))
        if isinstance(value, bool) or not isinstance(value, (int, float)) or not 0 < value < float("inf"):
            raise InvalidBudgetError(f"budget {name} is {value!r}; expected a positive number.")
        if name != "ms" and value != int(value):
            raise InvalidBudgetError(f"budget {name} is {value!r}; expected a whole number.")

    @classmethod
    def parse(cls, text: str | Budget) -> Budget:
        """Read '200ms', '1.5s', '500evals' or '100its'."""
        if isinstance(text, Budget):
            return text
        match = _FORM.fullmatch(text.strip().lower()) if isinstance(text, str) else None
        if match is None:
            raise InvalidBudgetError(f"budget is {text!r}; expected e.g. 200ms, 2s, 500evals or 100its.")
        name, factor = _UNITS[match[2]]
        number = float(match[1]) * factor
        if name == "ms":
            return cls(ms=number)
        whole = _whole(number, text)
        return cls(evaluations=whole) if name == "evaluations" else cls(iterations=whole)

    @property
    def counted(self) -> bool:
        """Whether the same seed gives the same plan: true of everything but time."""
        return self.ms is None

    def __str__(self) -> str:
        if self.ms is not None:
            return f"{self.ms:g}ms"
        return f"{self.evaluations}evals" if self.evaluations is not None else f"{self.iterations}its"


def _whole(number: float, text: str) -> int:
    if not number.is_integer():
        raise InvalidBudgetError(f"budget is {text!r}; expected a whole number of evaluations or iterations.")
    return int(number)
