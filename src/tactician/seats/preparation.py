"""What a person decides before a game starts, step by step: the picks of a draft, for example."""

from __future__ import annotations

from typing import Any, Protocol


class Preparation(Protocol):
    """The decisions of one seat. Boards show it like a position of a game: a drawing with parts, and named choices."""

    @property
    def done(self) -> bool:
        """Whether nothing is left to decide."""

    def choices(self) -> list[tuple[str, list[str]]]:
        """The name of each possible decision, and what to point at in the drawing for it."""

    def choose(self, number: int) -> None:
        """Take a decision, by its number in `choices`."""

    def options(self) -> dict[str, Any]:
        """What was decided, as options of the initial state."""

    def text(self) -> str:
        """The decision at hand for a terminal, as rich markup."""

    def svg(self) -> str:
        """The decision at hand as an SVG document."""
