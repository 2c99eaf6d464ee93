"""Run a program and end it together with everything it has started: `python reaper.py LIFELINE STATUS COMMAND...`.

A reaper stands between us and each program. Linux makes it the parent of every orphan among the program's descendants
(`PR_SET_CHILD_SUBREAPER`), so nothing escapes it, whatever process groups and sessions a program makes. LIFELINE is the
descriptor of a pipe that nobody writes to: when its other end is closed, by us or because our process was killed, the
reaper kills all descendants and ends. STATUS is a pipe on which it says `pid N` or `error ERRNO`, later `exit CODE` or
`signal N`.

It is run as a script with an interpreter that imports nothing else, so that it starts in a few milliseconds. On systems
without `prctl` and `/proc` it kills the program's process group.
"""

from __future__ import annotations

import contextlib
import os
import select
import signal
import sys
import time

_PR_SET_CHILD_SUBREAPER = 36
_PATIENCE_S = 10.0
"""How long killed processes may take to end: one that waits for a broken disk never does."""
_INHERITED = 3
"""Descriptors from here on belong to the program, not to the reaper."""


def main(arguments: list[str]) -> None:
    """Start the command and watch it."""
    lifeline, status = int(arguments[0]), int(arguments[1])
    for descriptor in (lifeline, status):
        os.set_inheritable(descriptor, False)
    _adopt_orphans()
    woken, wake = os.pipe()
    os.set_blocking(wake, False)
    signal.set_wakeup_fd(wake)
    signal.signal(signal.SIGCHLD, lambda _number, _frame: None)
    try:
        program = _spawn(arguments[2:])
    except OSError as error:
        _say(status, f"error {error.errno}")
        return
    _say(status, f"pid {program}")
    _let_go({lifeline, status, woken, wake})
    while True:
        ready, _, _ = select.select([lifeline, woken], [], [])
        if woken in ready:
            os.read(woken, 4096)
        if not _reap(program, status):
            return
        if lifeline in ready:
            _kill_all(program)
            return


def descendants(ancestor: int) -> list[int]:
    """The processes below one, as far as `/proc` shows them."""
    children: dict[int, list[int]] = {}
    for name in os.listdir("/proc") if os.path.isdir("/proc") else ():
        if name.isdecimal():
            with contextlib.suppress(OSError, ValueError, IndexError), open(f"/proc/{name}/stat", "rb") as stat:
                parent = int(stat.read().rpartition(b")")[2].split()[1])
                children.setdefault(parent, []).append(int(name))
    found: list[int] = []
    waiting = [ancestor]
    while waiting:
        below = children.pop(waiting.pop(), [])
        found += below
        waiting += below
    return found


def _adopt_orphans() -> None:
    with contextlib.suppress(ImportError, OSError, AttributeError):
        import ctypes

        ctypes.CDLL(None).prctl(_PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0)


def _spawn(command: list[str]) -> int:
    """The program in a session of its own, with the signals that Python ignores as they are by default."""
    ordinary = [signal.SIGPIPE, signal.SIGXFSZ, signal.SIGINT]
    try:
        return os.posix_spawnp(command[0], command, os.environ, setsid=True, setsigdef=ordinary)
    except NotImplementedError:
        return os.posix_spawnp(command[0], command, os.environ, setpgroup=0, setsigdef=ordinary)


def _let_go(kept: set[int]) -> None:
    """Close the program's descriptors: whoever reads from it must see when it has closed them."""
    nothing = os.open(os.devnull, os.O_RDWR)
    for descriptor in range(_INHERITED):
        os.dup2(nothing, descriptor)
    folder = "/proc/self/fd" if os.path.isdir("/proc/self/fd") else "/dev/fd"
    for name in os.listdir(folder):
        if int(name) >= _INHERITED and int(name) not in kept:
            with contextlib.suppress(OSError):
                os.close(int(name))


def _reap(program: int, status: int) -> bool:
    """Take the ends of children; whether any are left."""
    while True:
        try:
            pid, how = os.waitpid(-1, os.WNOHANG)
        except ChildProcessError:
            return False
        if pid == 0:
            return True
        if pid == program:
            killed = os.WIFSIGNALED(how)
            _say(status, f"signal {os.WTERMSIG(how)}" if killed else f"exit {os.WEXITSTATUS(how)}")


def _kill_all(program: int) -> None:
    """Kill until nothing is left: what a killed process leaves behind becomes a child of this one."""
    deadline = time.monotonic() + _PATIENCE_S
    while time.monotonic() < deadline:
        with contextlib.suppress(ProcessLookupError, PermissionError):
            os.killpg(program, signal.SIGKILL)
        for pid in descendants(os.getpid()):
            with contextlib.suppress(ProcessLookupError, PermissionError):
                os.kill(pid, signal.SIGKILL)
        with contextlib.suppress(ChildProcessError):
            while os.waitpid(-1, os.WNOHANG)[0]:
                pass
            time.sleep(0.001)
            continue
        return


def _say(status: int, line: str) -> None:
    with contextlib.suppress(OSError):  # nobody may be left to read it
        os.write(status, f"{line}\n".encode())


if __name__ == "__main__":
    main(sys.argv[1:])
