"""Say in one sentence why the process ends if a rule reads or writes where no memory is.

Compiled rules have no bounds checks; an index far outside an array ends the process by a signal, without a word. A
command says what that means and how to find the rule.
"""

from __future__ import annotations

import ctypes
import faulthandler
import os
import signal
from typing import Any

_MESSAGE = (
    b"tactician: a rule of the game read or wrote outside its memory, so the run ends. "
    b"Run 'tactician check', which names the rule and the line.\n"
)
RULE_FAULT = 2
"""The exit code of a process that a rule has ended."""
_kept: list[Any] = []
"""What C calls must stay alive."""


def explain_crashes() -> None:
    """From now on a crash of this process ends in a sentence and the exit code RULE_FAULT."""
    if os.name != "posix" or faulthandler.is_enabled() or _kept:
        return
    handler = ctypes.CFUNCTYPE(None, ctypes.c_int)(_explain)
    _kept.append(handler)
    c_signal = ctypes.CDLL(None).signal
    c_signal.argtypes = [ctypes.c_int, ctypes.c_void_p]
    for number in (signal.SIGSEGV, signal.SIGBUS):
        c_signal(int(number), ctypes.cast(handler, ctypes.c_void_p))


def _explain(_number: int) -> None:
    os.write(2, _MESSAGE)
    os._exit(RULE_FAULT)
