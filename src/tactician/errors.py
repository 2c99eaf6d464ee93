"""Every exception tactician raises on purpose.

A message is one sentence that names the thing, the value it had and what would have been right. The command
line prints it as it is: ``exit_code`` says whether the input was bad (2) or something failed (1).
"""

from __future__ import annotations

import difflib
from collections.abc import Iterable


class TacticianError(Exception):
    """Base class of all exceptions that tactician raises on purpose."""

    exit_code = 2


class InvalidGameError(TacticianError):
    """A game's declaration is wrong: a missing rule, a bad signature, a state that is not plain data."""


class InvalidStateError(TacticianError):
    """A state (or an action, or a configuration) given from outside does not describe a possible one."""


class IllegalActionError(TacticianError):
    """An action that the rules don't allow in this state."""


class InvalidBudgetError(TacticianError):
    """A budget that is not a positive number of milliseconds, evaluations or iterations."""


class InvalidParameterError(TacticianError):
    """A parameter of a planner or a game is unknown or out of range."""


class MissingFileError(InvalidParameterError):
    """A file that a name stands for is not there, for example on another machine of a cluster."""


class RecordingError(TacticianError):
    """A recorded game can't be read."""


class StoreError(TacticianError):
    """A results store can't be opened, read or written."""


class UnknownNameError(TacticianError):
    """A game, planner or other named thing that does not exist."""

    def __init__(self, kind: str, name: str, known: Iterable[str]) -> None:
        names = sorted(known)
        near = difflib.get_close_matches(name, names, n=1, cutoff=0.5)
        hint = f"did you mean {near[0]!r}?" if near else f"there are: {', '.join(names) or 'none'}."
        super().__init__(f"unknown {kind} {name!r}; {hint}")


class RuleFailureError(TacticianError):
    """A rule raised or reported an error while it ran; the cause is attached."""

    exit_code = 1

    def __init__(self, message: str, rule: str | None = None) -> None:
        super().__init__(message)
        self.rule = rule
        """The rule (or function of the Python side) that was called, where it is known."""
        self.explained = False
        """Whether the message gives the rule, its line and the state."""


class DamagedMemoryError(RuleFailureError):
    """A rule wrote outside the memory that it was given; nothing that follows can be trusted."""


class ExternalBotError(TacticianError):
    """An external program could not be started, crashed, exceeded a time limit, or sent an invalid answer."""

    exit_code = 1


class ForeignAgentError(TacticianError):
    """A third-party agent raised an exception, or returned something that is not an action."""

    exit_code = 1


def short(value: object, width: int = 60) -> str:
    """A value as a message shows it: its repr, cut where it gets long."""
    try:
        text = repr(value)
    except (RecursionError, ValueError):  # nested too deeply, or an integer of too many digits
        return f"a {type(value).__name__} too large to print"
    return text if len(text) <= width else text[: width - 3] + "..."
