"""`Progress`: how a training run stands, for people who watch it."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from typing import Any


@dataclass(frozen=True)
class Progress:
    """A run after some battles."""

    battles: int
    steps: int
    """Steps of battles so far."""
    updates: int
    """Gradient steps so far."""
    samples: int
    """Samples ever put into the buffer."""
    loss: float | None
    """The mean loss since the last report."""
    agreement: float | None
    """The share of new states in which the follower's best action was the teacher's, since the last report."""
    strength: tuple[int, int, int] | None
    """Wins, draws and losses against the fixed opponent, where they were just played."""
    seconds: float
    """Time spent training, earlier parts of the run included."""

    def to_json(self) -> dict[str, Any]:
        """A point of the curves in the model card."""
        return asdict(self)
