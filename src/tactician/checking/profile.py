"""What a game is like, as random games show it, and what of that will make planners weak."""

from __future__ import annotations

import statistics
from dataclasses import dataclass, field
from typing import Any

from tactician.checking.visit import Visit
from tactician.contract.game import Game
from tactician.native import abi

_MANY_CHOICES = 2000
"""Legal actions from which on most planners see only a part of them."""
_SAME_VALUE = 0.9
"""Share of the actions of a position with the same evaluation from which on evaluations guide nothing."""


@dataclass(frozen=True)
class GameProfile:
    """Figures of random games."""

    branching: float
    """Mean number of legal actions of a player where there is a choice."""
    most_actions: int
    """The longest list of legal actions."""
    actions_per_turn: float
    longest_turn: int
    actions_per_game: float
    draws: float
    """Share of finished games without a winner."""
    first_player: float
    """Mean score of the first player, draws counted as half."""

    def __str__(self) -> str:
        return (
            f"branching {self.branching:.1f} (at most {self.most_actions}), "
            f"{self.actions_per_turn:.1f} actions a turn (at most {self.longest_turn}), "
            f"{self.actions_per_game:.0f} actions a game, draws {self.draws:.0%}, "
            f"first player scores {self.first_player:.0%}"
        )


@dataclass
class Profiler:
    """Watches random games."""

    _choices: list[int] = field(default_factory=list)
    _turns: list[int] = field(default_factory=list)
    _games: list[int] = field(default_factory=list)
    _scores: list[float] = field(default_factory=list)
    _same: list[float] = field(default_factory=list)
    _values: set[tuple[float, ...]] = field(default_factory=set)
    _mover: int = -2
    _turn: int = 0

    def begin_game(self) -> None:
        """A game starts."""
        self._mover, self._turn = -2, 0
        self._games.append(0)

    def see(self, visit: Visit, sampled: bool) -> None:
        """A position and its action."""
        self._choices += [len(codes) for codes in visit.legal.values() if len(codes) > 1]
        if visit.mover != self._mover or visit.mover == abi.SIMULTANEOUS:  # where all act at once a step is a turn
            self._end_turn()
            self._mover = visit.mover
        self._turn += 1
        self._games[-1] += 1
        if sampled:
            self._look_at_values(visit)

    def end_game(self, returns: list[float] | None) -> None:
        """A game has ended, with these rewards, or was cut off."""
        self._end_turn()
        if returns is not None:
            best = max(returns)
            self._scores.append(0.5 if returns.count(best) == len(returns) else float(returns[0] == best))

    def profile(self) -> GameProfile | None:
        """The figures, if anything was played."""
        if not self._turns:
            return None
        return GameProfile(
            branching=statistics.fmean(self._choices) if self._choices else 1.0,
            most_actions=max(self._choices, default=1),
            actions_per_turn=statistics.fmean(self._turns),
            longest_turn=max(self._turns),
            actions_per_game=statistics.fmean(self._games),
            draws=statistics.fmean(score == 0.5 for score in self._scores) if self._scores else 0.0,
            first_player=statistics.fmean(self._scores) if self._scores else 0.5,
        )

    def warnings(self, game: Game) -> list[str]:
        """What will make planners weak."""
        found = []
        profile = self.profile()
        if len(self._values) == 1 and len(self._same) > 5:
            found.append("evaluate gives the same value at every position; greedy planners and OEP will play at random")
        elif self._same and statistics.fmean(self._same) > _SAME_VALUE and not game.simultaneous:
            share = statistics.fmean(self._same)
            found.append(
                f"after {share:.0%} of the actions evaluate gives the same value; planners can't tell them apart, "
                "so count what an action changes"
            )
        if profile is None:
            return found
        if profile.most_actions > _MANY_CHOICES:
            found.append(
                f"a position has {profile.most_actions} legal actions; split an action into phases, "
                "or prune with candidate_actions"
            )
        if profile.longest_turn > game.max_turn:
            found.append(
                f"a turn has {profile.longest_turn} actions, more than max_turn={game.max_turn}; "
                "planners plan it in parts, so raise max_turn if they should see the whole turn"
            )
        if profile.draws == 1.0 and len(self._scores) >= 5:
            found.append("every random game was a draw; results will say little")
        return found

    def _end_turn(self) -> None:
        if self._turn:
            self._turns.append(self._turn)
        self._turn = 0

    def _look_at_values(self, visit: Visit) -> None:
        """How many actions of a position lead to the commonest value, and whether values differ at all."""
        self._values.add(tuple(visit.fresh().evaluate()))
        codes = visit.legal.get(max(visit.mover, 0), [])
        if visit.mover == abi.SIMULTANEOUS or len(codes) < 3:
            return
        values: list[Any] = [tuple(visit.fresh().apply(code).evaluate()) for code in codes[:: max(1, len(codes) // 12)]]
        self._values.update(values)
        self._same.append(max(values.count(value) for value in values) / len(values))
