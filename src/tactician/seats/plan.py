"""What a planner returns: a whole turn that explains itself."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass, field
from functools import cached_property
from html import escape
from typing import Any

from tactician.contract.state import State
from tactician.native.abi import SIMULTANEOUS


@dataclass(frozen=True)
class Alternative:
    """A turn that was considered: to its end, or one action where all act at once."""

    actions: tuple[int, ...]
    value: float
    count: int
    """How often it was looked at."""
    state: State | None = field(default=None, repr=False, compare=False)
    """Where the turn begins, to name its actions by."""

    @cached_property
    def names(self) -> tuple[str, ...]:
        """What people call the actions."""
        return action_names(self.state, self.actions)

    def to_json(self) -> dict[str, Any]:
        """Names, numbers, value and count."""
        return {"actions": self.actions, "names": self.names, "value": self.value, "count": self.count}


def uninterrupted(plan: Plan) -> Plan:
    """A plan that counts for something: if Ctrl-C cut it short, the interrupt is passed on instead."""
    if plan.stats.interrupted:
        raise KeyboardInterrupt
    return plan


@dataclass(frozen=True)
class Statistics:
    """What a search did. Statistics that do not apply to a planner are 0."""

    evaluations: int = 0
    """Calls of the evaluation."""
    iterations: int = 0
    """The planner's own unit: generations, simulations, leaves or turns."""
    sequences: int = 0
    """Complete turns (or simulations) that were valued."""
    unique_outcomes: int = 0
    """Different states that those turns ended in."""
    mean_depth: float = 0.0
    """Of trees: the mean depth of the leaves."""
    max_depth: int = 0
    """Of trees: the greatest depth of a leaf."""
    branching: float = 0.0
    """Mean number of actions considered where there was a choice."""
    nodes: int = 0
    """Nodes of the tree."""
    transposition_hits: int = 0
    """How often the search came to a state that it had visited before."""
    completed: int = 0
    """Actions at the end of the plan that the search had not reached, chosen by the rating instead."""
    revisits: tuple[tuple[int, int], ...] = ()
    """Of simultaneous moves: for each depth from 1, states reached and how many of them were known."""
    time_ms: float = 0.0
    """Wall-clock time, in milliseconds."""
    interrupted: bool = False
    """Whether Ctrl-C ended the search."""


@dataclass(frozen=True)
class Plan:
    """The actions of one turn, in order. Names are found when they are first asked for: a deadline may be near."""

    actions: tuple[int, ...]
    """The codes of the turn's actions in order, its end included."""
    value: float | None
    """What the planner expects of the turn, on the scale of the evaluation; None if it has no estimate."""
    alternatives: tuple[Alternative, ...] = ()
    """The best different turns that were considered (`alternatives` of them), the plan first, each with `actions`,
    `names`, `value` and `count`."""
    stats: Statistics = field(default_factory=Statistics)
    """What the search did."""
    state: State | None = field(default=None, repr=False, compare=False)
    """Where the turn begins, as the planner saw it."""

    @cached_property
    def names(self) -> tuple[str, ...]:
        """What people call the actions."""
        return action_names(self.state, self.actions)

    def to_json(self) -> dict[str, Any]:
        """The plan as one JSON document."""
        return {
            "actions": self.actions,
            "names": self.names,
            "value": self.value,
            "alternatives": [alternative.to_json() for alternative in self.alternatives],
            "stats": asdict(self.stats),
        }

    def __str__(self) -> str:
        value = "" if self.value is None else f" (value {self.value:g})"
        return "; ".join(self.names) + value

    def _repr_html_(self) -> str:
        """What a notebook shows: the position after the turn, and the turn beside it."""
        names = "".join(f"<li>{escape(name)}</li>" for name in self.names)
        value = "" if self.value is None else f"<p>value {self.value:g}</p>"
        picture = "" if self.state is None else position_after(self.state, self.actions).svg()
        return (
            '<div style="display: flex; gap: 1.5em; align-items: flex-start">'
            f"<div>{picture}</div><div><ol>{names}</ol>{value}</div></div>"
        )


@dataclass(frozen=True)
class Choice:
    """An action of a player where all act at once, as far as a search has tried it."""

    action: int
    value: float
    """What it has been worth, on the scale of the evaluation."""
    visits: float


@dataclass(frozen=True)
class Snapshot:
    """A search in between: what it would answer now, and how far it is."""

    plan: Plan
    """The best turn so far, with alternatives and statistics."""
    figures: Mapping[str, float] = field(default_factory=dict)
    """What a family of planners has to show beyond the statistics, such as the mean value of a population."""
    choices: tuple[tuple[Choice, ...], ...] = ()
    """Of simultaneous moves: for each player, the actions that were tried."""

    def to_json(self) -> dict[str, Any]:
        """The snapshot as one JSON document."""
        return {
            **self.plan.to_json(),
            "figures": dict(self.figures),
            "choices": [[asdict(choice) for choice in player] for player in self.choices],
        }


Listener = Callable[[Snapshot], bool | None]
"""Is given snapshots of a search while it runs; the search ends early once it returns True."""


def position_after(state: State, actions: Sequence[int]) -> State:
    """The position after a turn, or after as much of it as its player can take; where all act at once, the same one."""
    position = state.copy()
    player = SIMULTANEOUS if position.is_over() else position.current_player()
    for action in actions:
        ended = player == SIMULTANEOUS or position.is_over() or position.current_player() != player
        if ended or not position.is_legal(action):
            break
        position.apply(action)
    return position


def value_for(state: State, player: int) -> float:
    """What the evaluation says of a state for a player; a game that is over counts by its result on the same scale."""
    if not state.is_over():
        return state.evaluate()[player]
    low, high = state.game.value_range
    return low + (state.returns()[player] + 1) / 2 * (high - low)


def action_names(state: State | None, actions: tuple[int, ...]) -> tuple[str, ...]:
    """What people call the actions of a turn, each in the state it is taken in."""
    if state is None:
        return tuple(str(action) for action in actions)
    names, position = [], state.copy()
    for action in actions:
        names.append(position.action_name(action))
        if position.is_over() or position.current_player() == SIMULTANEOUS:
            break
        if not position.is_legal(action):
            break
        position.apply(action)
    return tuple(names)
