"""What all settings of training require of their fields: each refusal is one sentence that names the field."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from tactician.errors import InvalidParameterError
from tactician.seats.budget import Budget

_LARGEST_PENALTY = 1e6


def require_integers(settings: Any, least: Mapping[str, int]) -> None:
    """Refuse a field that is not an integer of at least so much."""
    for name, bound in least.items():
        value = getattr(settings, name)
        if isinstance(value, bool) or not isinstance(value, int) or value < bound:
            raise InvalidParameterError(f"{name} is {value!r}; expected an integer of at least {bound}.")


def require_penalty(penalty: Any) -> None:
    """Refuse a penalty of large weights that is none."""
    if not isinstance(penalty, int | float) or not 0 < penalty <= _LARGEST_PENALTY:
        raise InvalidParameterError(f"penalty is {penalty!r}; expected a number above 0, up to 1000000.")


def require_counted(budget: str, example: str) -> None:
    """Refuse a budget of time: what is learned would depend on the machine."""
    if not Budget.parse(budget).counted:
        raise InvalidParameterError(
            f"budget is {budget!r}; expected a counted one such as {example}, so that the run can be repeated."
        )
