"""Find the rule that is at fault at a state, by running every rule interpreted for a limited number of lines.

Compiled rules tell little about what went wrong in them, and a search that has failed or hangs holds no traceback. The
same rules as plain Python say which of them raises, breaks its promise or does not return, and at which line.
"""

from __future__ import annotations

import contextlib
import functools
import itertools
import math
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from types import FrameType
from typing import Any, NamedTuple

import numpy as np

from tactician.contract.game import Game
from tactician.contract.state import State
from tactician.errors import DamagedMemoryError, RuleFailureError, TacticianError
from tactician.native import abi
from tactician.native.failures import author_line, in_words, is_the_authors
from tactician.native.records import record_class
from tactician.native.watchdog import WATCHDOG

DIAGNOSIS_SECONDS = 3.0
"""How long to look for the rule that failed."""
LINES = 200_000
"""A rule that runs more lines of Python than this is taken for endless."""
_MOST_ACTIONS = 512
_MOST_CHARACTERS = 400


class Fault(NamedTuple):
    """What a rule does wrong at a state."""

    rule: str
    """The rule."""
    problem: str
    """What it does: a part of a sentence that follows the rule's name."""
    line: str
    """The author's line, '' if it is not known."""
    state: str
    """The state's fields, cut where they get long."""

    def __str__(self) -> str:
        place = f" ({self.line})" if self.line else ""
        return f"rule {self.rule!r}{place} {self.problem}; the state is {self.state}"


class _TooLongError(Exception):
    """The rule that runs has had its lines."""


class _PromiseError(TacticianError):
    """A rule returned what it must not return."""


def find_fault(game: Game, state: State, lines: int = LINES) -> Fault | None:
    """What is wrong with a rule at a state; None if all of them do what they must.

    `state` belongs to the game in any mode. Works while another thread is stuck in the compiled rule.
    """
    if not game.backend.functions:
        return None
    slow = state.in_game(game.interpreted())
    shown = describe_record(game, slow)
    for rule, ask in _questions(slow):
        problem, line = _outcome(ask, lines)
        if problem:
            return Fault(rule, problem, line, shown)
    return None


def find_fault_near(game: Game, state: State, seconds: float) -> Fault | None:
    """What is wrong with a rule at a state or at one that random play reaches from it, looked for for a while."""
    if not game.backend.functions:
        return None
    until = time.monotonic() + seconds
    for number in itertools.count():
        now = state.in_game(game.interpreted()).reseeded([number])
        chance = np.random.default_rng(number)
        while True:
            fault = find_fault(game, now)
            if fault is not None or time.monotonic() > until:
                return fault
            if now.is_over():
                break
            actions = [int(chance.choice(now.legal_actions(player))) for player in _players(now)]
            now.apply(actions if now.current_player() == abi.SIMULTANEOUS else actions[0])
    return None


@contextlib.contextmanager
def watching_rules(game: Game, state: State) -> Iterator[Callable[[], None]]:
    """Around rules that are called outside a search: one that does not return is reported as in a search.

    Call what is yielded whenever the state has changed.
    """
    before = state.copy()

    def describe() -> str:
        fault = find_fault(game, before)
        return "" if fault is None else f"{game.name!r}: {fault}"

    with WATCHDOG.watching(lambda: None, describe) as watched:
        watched.compiles = True  # the first call of a rule may

        def moved() -> None:
            nonlocal before
            before, watched.since = state.copy(), time.perf_counter()

        yield moved


@contextlib.contextmanager
def explaining(game: Game, state: State) -> Iterator[None]:
    """Around what is done with a state: if a rule fails, its name, its line and the state are looked for."""
    before = state.copy()
    try:
        yield
    except DamagedMemoryError:
        raise
    except RuleFailureError as failure:
        if failure.explained:
            raise
        fault = find_fault_near(game, before, DIAGNOSIS_SECONDS)
        if fault is None:
            raise
        raise explained(game, fault) from (failure.__cause__ or failure)


def explained(game: Game, fault: Fault) -> RuleFailureError:
    """What to raise for a fault."""
    failure = RuleFailureError(f"{game.name!r}: {fault}.", fault.rule)
    failure.explained = True
    return failure


def require_sound(state: State) -> None:
    """Refuse a state of a running game in which there is nobody to move or nothing to do."""
    mover, players = state.current_player(), state.game.players
    least = abi.SIMULTANEOUS if state.game.simultaneous else 0
    if not least <= mover < players:
        raise _broken(state, "current_player", f"returned {mover}; expected 0 to {players - 1}")
    for player in _players(state):
        if not state.legal_actions(player):
            raise _broken(state, "legal_actions", f"lists no action of player {player} although the game is not over")


def require_finite(state: State, rule: str, values: Sequence[float]) -> None:
    """Refuse values that are not finite numbers."""
    if not all(map(math.isfinite, values)):
        raise _broken(state, rule, f"wrote {list(values)}; expected finite numbers")


def _broken(state: State, rule: str, problem: str) -> RuleFailureError:
    return RuleFailureError(f"rule {rule!r} of {state.game.name!r} {problem}.", rule)


def describe_record(game: Game, state: State) -> str:
    """A state's fields on one line, cut where they get long."""
    text = " ".join(repr(record_class(game.backend.state)(state.words.ctypes.data)).split())
    return text if len(text) <= _MOST_CHARACTERS else f"{text[: _MOST_CHARACTERS - 3]}..."


def _questions(state: State) -> list[tuple[str, Callable[[], Any]]]:
    """Every rule as a call, in an order in which each needs only those before it to return."""
    asked: list[tuple[str, Callable[[], Any]]] = [
        ("is_over", state.is_over),
        ("current_player", lambda: _mover(state)),
        ("evaluate", lambda: _values(state.evaluate)),
        ("features", lambda: [state.features(player) for player in range(state.game.players)]),
        ("returns", lambda: _values(state.returns)),
        ("legal_actions", lambda: _lists(state, state.legal_actions)),
        ("candidate_actions", lambda: _lists(state, state.candidate_actions)),
        ("possible_actions", lambda: _lists(state, state.possible_actions)),
        ("key", state.key),
        ("digest", state.digest),
        ("rate_actions", lambda: state.rate_actions(state.legal_actions(_players(state)[0]))),
        (_move(state), lambda: _try_actions(state)),
    ]
    return [(name, ask) for name, ask in asked if name in state.game.backend.rule_names]


def _mover(state: State) -> int:
    """Whose action it is, if there is such a player."""
    mover = state.current_player()
    least = abi.SIMULTANEOUS if state.game.simultaneous else 0
    if not state.is_over() and not least <= mover < state.game.players:
        raise _PromiseError(f"returns {mover}; expected 0 to {state.game.players - 1}")
    return mover


def _values(ask: Callable[[], list[float]]) -> None:
    values = ask()
    if not all(map(math.isfinite, values)):
        raise _PromiseError(f"writes {values}; expected finite numbers")


def _lists(state: State, ask: Callable[[int], list[int]]) -> None:
    if state.is_over():
        return
    for player in _players(state):
        if not ask(player):
            raise _PromiseError(f"lists no action of player {player} although the game is not over")


def _players(state: State) -> list[int]:
    mover = state.current_player()
    return list(range(state.game.players)) if mover == abi.SIMULTANEOUS else [mover]


def _move(state: State) -> str:
    """The rule that changes states of this kind."""
    return "apply" if "apply" in state.game.backend.rule_names else "apply_joint"


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


def _outcome(ask: Callable[[], Any], lines: int) -> tuple[str, str]:
    """What a call does wrong and the author's line of it; two empty strings if nothing."""
    left, place = lines, ""

    def count_lines(frame: FrameType, event: str, _argument: Any) -> Any:
        nonlocal left, place
        if event == "line":
            left -= 1
            if left < 0:
                place = f"{Path(frame.f_code.co_filename).name}, line {frame.f_lineno}"
                raise _TooLongError
        return count_lines

    def enter(frame: FrameType, _event: str, _argument: Any) -> Any:
        """Lines are counted in functions of the author only."""
        return count_lines if _is_authors_file(frame.f_code.co_filename) else None

    before = sys.gettrace()
    sys.settrace(enter)
    try:
        ask()
    except Exception as error:
        return _told(error, place)
    finally:
        sys.settrace(before)
    return "", ""


@functools.cache
def _is_authors_file(name: str) -> bool:
    return is_the_authors(Path(name))


def _told(error: Exception, place: str) -> tuple[str, str]:
    if place:
        return "does not return", place
    if isinstance(error, _PromiseError):
        return str(error), ""
    cause = error.__cause__ or error
    return f"raises {in_words(cause)}", author_line(cause.__traceback__)
