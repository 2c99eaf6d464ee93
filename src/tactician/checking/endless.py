"""Find the rule that does not return at a state, by running every rule interpreted for a limited number of lines."""

from __future__ import annotations

import sys
from collections.abc import Callable
from pathlib import Path
from types import FrameType
from typing import Any

from tactician.contract.game import Game
from tactician.contract.state import State
from tactician.native import abi
from tactician.native.failures import is_the_authors

LINES = 200_000
"""A rule that runs more lines of Python than this is taken for endless."""
_MOST_ACTIONS = 40


class _TooLongError(Exception):
    """The rule that runs has had its lines."""


def endless_rule(game: Game, state: State, lines: int = LINES) -> str | None:
    """The rule that does not return at a state, with its line; None if all of them do.

    `state` belongs to the game in any mode. Works while another thread is stuck in the compiled rule.
    """
    if not game.backend.functions:
        return None
    slow = state.in_game(game.interpreted())
    for name, ask in _questions(slow):
        place = _runs_too_long(ask, lines)
        if place:
            return f"rule {name!r}, at {place}"
    return None


def _questions(state: State) -> list[tuple[str, Callable[[], Any]]]:
    """Every rule as a call, in an order in which each needs only those before it to return."""
    asked: list[tuple[str, Callable[[], Any]]] = [
        ("is_over", state.is_over),
        ("current_player", state.current_player),
        ("evaluate", state.evaluate),
        ("returns", state.returns),
        ("legal_actions", lambda: [state.legal_actions(player) for player in _players(state)]),
        ("candidate_actions", lambda: [state.candidate_actions(player) for player in _players(state)]),
        ("possible_actions", lambda: [state.possible_actions(player) for player in _players(state)]),
        ("key", state.key),
        ("digest", state.digest),
        ("rate_actions", lambda: state.rate_actions(state.legal_actions(_players(state)[0]))),
        ("apply", lambda: _try_actions(state)),
    ]
    return [(name, ask) for name, ask in asked if name in state.game.backend.rule_names or name == "apply"]


def _players(state: State) -> list[int]:
    mover = state.current_player()
    return list(range(state.game.players)) if mover == abi.SIMULTANEOUS else [mover]


def _try_actions(state: State) -> None:
    if state.is_over():
        return
    if state.current_player() == abi.SIMULTANEOUS:
        lists = [state.legal_actions(player) for player in _players(state)]
        for number in range(min(_MOST_ACTIONS, max(map(len, lists)))):
            state.copy().apply([codes[number % len(codes)] for codes in lists])
        return
    for action in state.legal_actions()[:_MOST_ACTIONS]:
        state.copy().apply(action)


def _runs_too_long(ask: Callable[[], Any], lines: int) -> str:
    """The author's line at which a call has used up its lines; '' if it returned (or raised) before."""
    left, place = lines, ""

    def trace(frame: FrameType, event: str, _argument: Any) -> Any:
        nonlocal left, place
        if event == "line" and is_the_authors(Path(frame.f_code.co_filename)):
            left -= 1
            if left < 0:
                place = f"{Path(frame.f_code.co_filename).name}, line {frame.f_lineno}"
                raise _TooLongError
        return trace

    before = sys.gettrace()
    sys.settrace(trace)
    try:
        ask()
    except Exception:  # another kind of mistake, which `check_game` reports
        pass
    finally:
        sys.settrace(before)
    return place
