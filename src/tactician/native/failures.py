"""How an error inside a rule reaches the caller.

A rule runs behind a C border, where an exception has nowhere to go. So it is kept here under the address of the
configuration it happened with, the error cell (the configuration's first word) is set, kernels stop when they see the
cell, and the Python side raises what was kept. The cell holds a code: negative ones are in `abi`, positive ones are
the game's own.
"""

from __future__ import annotations

import contextlib
import ctypes
import sys
import sysconfig
import threading
import traceback
from collections.abc import Callable, Iterator
from pathlib import Path
from types import TracebackType
from typing import Any

from tactician.errors import RuleFailureError, TacticianError
from tactician.native import abi

_kept: dict[int, BaseException] = {}
_active = threading.local()
_lock = threading.Lock()
_hook: Any = None
_PATHS = sysconfig.get_paths()
_OURS = {Path(__file__).parents[1] / room for room in ("native", "contract", "checking")}
_NOT_THE_AUTHORS = _OURS | {Path(_PATHS[name]) for name in ("stdlib", "purelib", "platlib")}


CallListener = Callable[[str], None]
_listener: CallListener | None = None


@contextlib.contextmanager
def listening(listener: CallListener) -> Iterator[None]:
    """Tell `listener` the name of every rule or function of a game before Python calls it, and '' after it."""
    global _listener
    before, _listener = _listener, listener
    try:
        yield
    finally:
        _listener = before


@contextlib.contextmanager
def calling(name: str) -> Iterator[None]:
    """Around a call of a function of a game's Python side."""
    if _listener is None:
        yield
        return
    _listener(name)
    try:
        yield
    finally:
        _listener("")


def listener() -> CallListener | None:
    """Who wants to know which rule is called."""
    return _listener


def keep(config: int, failure: BaseException) -> None:
    """Remember the first failure that happened with the configuration at this address and set its cell."""
    cell = ctypes.c_int64.from_address(config)
    if cell.value == abi.NO_ERROR:
        _kept[config] = failure
        cell.value = abi.RULE_RAISED


def entering(config: int) -> int:
    """Note that this thread now runs rules with the configuration at this address; returns the previous one."""
    if sys.unraisablehook is not _hook:
        _install()
    before: int = getattr(_active, "config", 0)
    _active.config = config
    return before


def leaving(before: int = 0) -> None:
    """Note that those rules have returned: later exceptions are not theirs."""
    _active.config = before


@contextlib.contextmanager
def running(config: int) -> Iterator[None]:
    """Around a search: what its rules raise belongs to the configuration at this address."""
    before = entering(config)
    try:
        yield
    finally:
        leaving(before)


def raise_failure(config: int, game: str, meanings: dict[int, str], rule: str | None = None) -> None:
    """Clear the error cell and raise what it stands for; `rule` is the one that was called, where it is known."""
    cell = ctypes.c_int64.from_address(config)
    code, cell.value = cell.value, abi.NO_ERROR
    cause = _kept.pop(config, None)
    if isinstance(cause, (KeyboardInterrupt, TacticianError)):
        raise cause
    if cause is not None:
        who = f"rule {rule!r}" if rule else "a rule"
        raise RuleFailureError(f"{who} of {game!r} raised {type(cause).__name__}: {cause}", rule) from cause
    standard = {
        abi.TOO_MANY_ACTIONS: "a rule listed more than max_actions actions",
        abi.NO_ACTIONS: "a rule listed no action, or a negative number of them, although the game is not over",
        abi.ILLEGAL_POLICY: "policy returned an action that is not legal for the player",
        abi.NO_SUCH_PLAYER: "current_player returned a number that no player has",
        abi.NOT_FINITE: "evaluate or returns wrote a value that is not a finite number",
    }
    meaning = {**standard, **meanings}.get(code, f"a rule set error {code}")
    raise RuleFailureError(f"{game!r} failed: {meaning}.", rule)


def function_failed(name: str, game: str, error: BaseException) -> RuleFailureError:
    """What to raise where a function of a game's Python side has raised."""
    line = author_line(error.__traceback__)
    return RuleFailureError(f"function {name!r} of {game!r} raised {in_words(error)}{line and f' ({line})'}.", name)


def in_words(error: BaseException) -> str:
    """An exception as a part of a sentence: its kind and what it says, cut where it gets long."""
    text = " ".join(str(error).split()).rstrip(".")
    return f"{type(error).__name__}: {text if len(text) <= 200 else f'{text[:197]}...'}"


def author_line(trace: TracebackType | None) -> str:
    """The innermost line of the author's own code in a traceback, '' if there is none."""
    for frame in reversed(traceback.extract_tb(trace)):
        if is_the_authors(Path(frame.filename)):
            return f"{Path(frame.filename).name}, line {frame.lineno}"
    return ""


def is_the_authors(path: Path) -> bool:
    """Whether a file belongs to a game and not to the package, to Python or to what is installed."""
    return path.suffix == ".py" and not any(folder in path.parents for folder in _NOT_THE_AUTHORS)


def _install() -> None:
    """Catch what compiled rules raise: Numba hands it to `sys.unraisablehook`, what belongs to others is passed on.

    Whoever sets a hook after us would get ours too, so this is done again when the hook has changed; each of our hooks
    knows the one it stands before.
    """
    global _hook
    with _lock:
        previous = sys.unraisablehook
        if previous is _hook:
            return

        def hook(unraisable: Any) -> None:
            config = getattr(_active, "config", 0)
            from_numba = isinstance(unraisable.object, str) and unraisable.object.startswith("<numba.")
            if config and from_numba:
                keep(config, unraisable.exc_value or unraisable.exc_type())
            else:
                previous(unraisable)

        _hook = sys.unraisablehook = hook
