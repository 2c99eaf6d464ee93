"""What `check_game` found, for people and for programs."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from typing import Any

from tactician.checking.profile import GameProfile


@dataclass(frozen=True)
class Finding:
    """One thing that is wrong with a game."""

    check: str
    """The name of the check that found it."""
    message: str
    """One sentence: the rule and where it is, the position, the values."""

    def __str__(self) -> str:
        return f"{self.check}: {self.message}"


@dataclass(frozen=True)
class CheckReport:
    """The outcome of `check_game`."""

    game: str
    findings: tuple[Finding, ...]
    games: int
    """How many random games were begun."""
    actions: int
    """How many actions were played in them."""
    checks: tuple[str, ...]
    """The names of the checks that ran."""
    unfinished: int = 0
    """How many games were cut off after `max_actions_per_game` actions; not a fault by itself."""
    profile: GameProfile | None = None
    """What the game is like."""
    warnings: tuple[str, ...] = ()
    """What is not wrong but makes planners slow or weak."""

    @property
    def ok(self) -> bool:
        """Whether nothing was found."""
        return not self.findings

    def __str__(self) -> str:
        verdict = "ok" if self.ok else _counted(len(self.findings), "finding")
        played = f"{_counted(self.games, 'random game')}, {_counted(self.actions, 'action')}"
        lines = [f"{self.game}: {verdict} ({played}, {_counted(len(self.checks), 'check')})"]
        if self.unfinished:
            lines.append(f"  {_counted(self.unfinished, 'game')} cut off before the end")
        if self.profile is not None and self.ok:
            lines.append(f"  {self.profile}")
        lines += [f"  {finding}" for finding in self.findings]
        lines += [f"  warning: {warning}." for warning in self.warnings]
        return "\n".join(lines)

    def to_json(self) -> dict[str, Any]:
        """The report as a JSON document."""
        return {
            **asdict(self),
            "findings": [asdict(f) for f in self.findings],
            "checks": list(self.checks),
            "warnings": list(self.warnings),
            "ok": self.ok,
        }


def _counted(number: int, thing: str) -> str:
    return f"{number} {thing}" if number == 1 else f"{number} {thing}s"
