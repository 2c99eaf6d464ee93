"""Checks that a game's rules say the same however they are run: compiled, with bounds checks, interpreted.

Positions are gathered while the game is played with bounds checks. At each, compiled code comes last: only what the
other two have survived is given to it, because it would write wherever a wrong index points.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any, TypeVar

import numpy as np
from numpy.typing import NDArray

from tactician.checking.visit import Action, Visit, difference, drawn, foreseen, listed, numbers, parts, short, source
from tactician.contract.game import Game
from tactician.contract.random import stream
from tactician.contract.state import State
from tactician.native import abi

INTERPRETED = "interpreted-equals-compiled"
CHECKED = "checked-equals-compiled"

_STREAMS = (0, 1)
# Mathematical functions may differ in the last digit between Python's library and the compiler's; records may hold
# single-precision numbers.
_NUMBERS, _RECORDS = 1e-9, 1e-6
_T = TypeVar("_T")

Answers = list[tuple[str, Any]]


@dataclass(frozen=True)
class Position:
    """Where a comparison starts: a state with its stream, and the action that was played."""

    seed: int
    step: int
    words: NDArray[np.uint64]
    stream: NDArray[np.uint64]
    action: Action | None

    @classmethod
    def of(cls, visit: Visit) -> Position:
        """The position of a visit."""
        return cls(visit.seed, visit.step, visit.origin.words, visit.origin.stream, visit.action)

    def state(self, game: Game) -> State:
        """The position in a game run another way."""
        return State(game, self.words.copy(), self.stream.copy())

    @property
    def place(self) -> str:
        """Where it is, for messages."""
        return f"game seed {self.seed}, step {self.step}, action {self.action}"


def spread(items: Sequence[_T], count: int) -> list[_T]:
    """At most `count` of the items, evenly spaced, the first and the last among them."""
    if len(items) <= count:
        return list(items)
    return [items[round(i * (len(items) - 1) / (count - 1))] for i in range(count)]


def answers(game: Game, position: Position) -> Iterator[tuple[str, Any]]:
    """What every rule says about a position, each asked on a copy of its own."""
    start = position.state(game)
    over = start.copy().is_over()
    yield "is_over", over
    yield "evaluate", numbers(start.copy().evaluate)
    yield "key", start.copy().key()
    yield "digest", start.copy().digest()
    for player in range(game.players):
        yield "observe", start.copy().observe(player)
        yield "resample_hidden", start.copy().resample_hidden(player, [position.seed, position.step])
        if game.info.features:
            yield "features", list(start.copy().features(player).values())
    if over:
        yield "returns", numbers(start.copy().returns)
    else:
        yield from _moves(start, position.action)


def _moves(start: State, action: Action | None) -> Iterator[tuple[str, Any]]:
    mover = start.copy().current_player()
    yield "current_player", mover
    for player in range(start.game.players) if mover == abi.SIMULTANEOUS else [mover]:
        legal = listed(start.copy().legal_actions, player)
        yield "legal_actions", legal
        for seed in _STREAMS:
            yield "candidate_actions", listed(start.copy().candidate_actions, player, seed=seed)
        yield "possible_actions", listed(start.copy().possible_actions, player)
        yield "rate_actions", numbers(start.copy().rate_actions, legal)
        yield "action_group", [start.copy().action_group(code) for code in legal]
        for rule in ("random_action", "random_candidate", "best_candidate"):
            if rule in start.game.backend.rule_names:
                yield rule, [drawn(start.copy(), rule, player, stream(seed)) for seed in _STREAMS]
        if "evaluate_after" in start.game.backend.rule_names:
            yield "evaluate_after", foreseen(start.copy(), legal)
        if mover != abi.SIMULTANEOUS:
            around = sorted({code + shift for code in legal for shift in (-1, 0, 1)})
            yield "is_legal", [start.copy().is_legal(code) for code in around]
    if action is None:
        return
    after = start.copy().apply(action)
    rule = "apply" if isinstance(action, int) else "apply_joint"
    yield rule, after
    yield rule, after.stream.tolist()


def disagreement(game: Game, one: Answers, other: Answers, here: str, there: str) -> str | None:
    """The first rule that answers differently, with both answers."""
    for (rule, a), (other_rule, b) in zip(one, other, strict=False):
        if rule != other_rule:
            return f"rule {source(game, rule)} is asked {here} where {other_rule!r} is {there}"
        if _agree(a, b, _NUMBERS):
            continue
        if isinstance(a, State):
            return f"rule {source(game, rule)} leads to different states: {difference(a, b, here, there)}"
        return f"rule {source(game, rule)} gives {short(a)} {here} and {short(b)} {there}"
    return None


def _agree(a: Any, b: Any, tolerance: float) -> bool:
    if isinstance(a, State):
        return a == b or _agree(parts(a), parts(b), _RECORDS)
    if isinstance(a, dict):
        return all(_agree(a[name], b[name], tolerance) for name in a)
    if isinstance(a, list):
        return len(a) == len(b) and all(_agree(x, y, tolerance) for x, y in zip(a, b, strict=True))
    if isinstance(a, float):
        return math.isclose(a, b, rel_tol=tolerance, abs_tol=1e-12) or (math.isnan(a) and math.isnan(b))
    return bool(a == b)
